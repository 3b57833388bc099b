"""`bonafide search` and `bonafide screen`."""

from collections.abc import Iterable
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer
from pydantic import ValidationError
from rich.markup import escape
from rich.panel import Panel
from rich.text import Text

from bonafide.cli.command_runtime import get_first_problem, load_settings, run_with_runtime
from bonafide.cli.options import FAIL_ON_STATUS, AsJson, DataDir, Sandbox, Verbose
from bonafide.cli.output import err, format_score, out, print_table
from bonafide.cli.screening.batch_screening import screen_file
from bonafide.cli.screening.screening_output import print_screening
from bonafide.cli.translation import localize
from bonafide.concurrency.executors import count_processors
from bonafide.i18n.message import Message, plural_message
from bonafide.matching.scoring.score_parameters import truncate_score
from bonafide.model.accounts.organizations import World
from bonafide.model.base import StoredDocument
from bonafide.model.entry import SourceKind
from bonafide.model.jurisdiction import Jurisdiction
from bonafide.model.query import ScreeningSubject, SearchRequest
from bonafide.model.screening.requests import ScreeningRequest
from bonafide.model.search.match import BusinessMatch
from bonafide.model.search.result import CoverageStatus, SearchResult
from bonafide.model.search.website import WebsiteAnalysis
from bonafide.runtime import Runtime
from bonafide.services.accounts import api_access
from bonafide.services.screening import subject_screening
from bonafide.services.screening.batch import ScreeningBatch
from bonafide.services.screening.standalone import get_official_lists
from bonafide.services.search import execution as searches
from bonafide.services.search.warm_up import warm_up

_SEARCHED = frozenset({CoverageStatus.SEARCHED, CoverageStatus.STALE})
_HEADINGS = (Message("Score"), Message("Name"), Message("Register"), Message("Number"), Message("Status"), Message("As of"))
_UNAVAILABLE = Message("No result from them isn’t a clear result.")
NameFile = Annotated[
    Path | None,
    typer.Option(
        "--file", help=Message("CSV with a column `name`, or one name per line; `-` for standard input."), show_default=False
    ),
]
Registers = Annotated[
    list[str] | None, typer.Option("--jurisdiction", "-j", help=Message("Search only this register; repeatable."))
]


class ScreeningCondition(StrEnum):
    """When a screening ends with status 3."""

    HITS = "hits"


FailOnHits = Annotated[
    ScreeningCondition | None,
    typer.Option("--fail-on", help=Message("End with exit status 3 if there is a match."), show_default=False),
]


def search(
    name: Annotated[str, typer.Argument(help=Message("The name of the business."))],
    jurisdiction: Registers = None,
    number: Annotated[str | None, typer.Option(help=Message("The registration number, in any format."))] = None,
    website: Annotated[str | None, typer.Option(help=Message("The website of the business, to read and compare."))] = None,
    sanctions: Annotated[bool, typer.Option(help=Message("Also screen sanctions lists."))] = False,
    limit: Annotated[int, typer.Option(min=1, max=50, help=Message("Maximum number of register matches."))] = 10,
    verbose: Verbose = False,
    sandbox: Sandbox = False,
    data_dir: DataDir = None,
    as_json: AsJson = False,
) -> None:
    """Search business registers and regulators for a name."""
    try:
        request = SearchRequest(
            name=name,
            jurisdictions=[Jurisdiction.parse(code) for code in jurisdiction] if jurisdiction else None,
            registration_number=number,
            website=website,
            sanctions_screening=sanctions,
            limit=limit,
        )
    except ValueError as error:
        raise typer.BadParameter(get_first_problem(error)) from error
    world = World.SANDBOX if sandbox else World.LIVE
    document = run_with_runtime(data_dir, lambda runtime: _search(runtime, world, request))
    if as_json:
        typer.echo(document.body)
    else:
        _print_result(document.parse(SearchResult), verbose=verbose)


async def _search(runtime: Runtime, world: World, request: SearchRequest) -> StoredDocument:
    principal = await api_access.local_principal(runtime, world)
    # Opening the indexes takes seconds the first time: the deadline of the search must not cover it.
    await warm_up(runtime, (world,))
    return (await searches.create_search(runtime, principal, request, respond_async=False)).document


def _print_result(result: SearchResult, *, verbose: bool) -> None:
    _print_businesses(result)
    for key, entries in result.regulatory.items():
        for entry in entries:
            facts = " ".join(part for part in (key, entry.registration_number, entry.status) if part is not None)
            out.print(
                f"{format_score(entry.match.score)} {escape(entry.legal_name.name)}  [dim]{escape(facts)}[/]", highlight=False
            )
    for key, listed in (result.listings or {}).items():
        for entry in listed:
            facts = localize(Message("{source}, unverified listing", source=key))
            out.print(f"{format_score(entry.match.score)} {escape(entry.legal_name.name)}  [dim]{facts}[/]", highlight=False)
    if result.sanctions is not None:
        print_screening(result.sanctions, verbose=verbose)
        if result.sanctions.reason is not None:
            out.print(f"[yellow]{escape(localize(result.sanctions.reason))}[/]", highlight=False, soft_wrap=True)
    _print_website(result)
    for match in (result.businesses or ())[:1]:
        reasons = Text("\n".join(f"{localize(field.label)}: {localize(field.reason)}" for field in match.match.fields))
        title = Text(
            localize(Message("Why {score:.2f} for {name}", score=truncate_score(match.match.score), name=match.legal_name.name))
        )
        out.print(Panel(reasons, title=title, title_align="left", expand=False))
    _print_coverage(result, verbose=verbose)


def _print_website(result: SearchResult) -> None:
    error = result.errors.website_analysis if result.errors is not None else None
    if error is not None:
        problem = Message("The website was not read: {problem}", problem=error.message)
        out.print(f"[red]{escape(localize(problem))}[/]", highlight=False)
    if result.website is None:
        return
    site = result.website
    out.print(f"[bold]{escape(site.url)}[/] {site.status} {escape(localize(site.error or ''))}".rstrip(), highlight=False)
    for label, values in _list_site_facts(site).items():
        text = "; ".join(value for value in values if value is not None)
        if text:
            out.print(f"  {localize(label)}: {escape(text)}", highlight=False)


def _list_site_facts(site: WebsiteAnalysis) -> dict[Message, Iterable[str | None]]:
    """The statements of a website, by label."""
    extracted, industry, domain = site.extracted, site.industry, site.domain
    return {
        Message("legal name"): [extracted.legal_name],
        Message("numbers"): [f"{number.label} {number.value}" for number in extracted.registrations],
        Message("addresses"): [address.raw for address in extracted.addresses],
        Message("people"): [person.name for person in extracted.people],
        Message("contact"): [*extracted.contact_info.emails, *extracted.contact_info.phone_numbers],
        Message("industry"): [industry.naics_code, industry.naics_code_name] if industry is not None else [],
        Message("domain"): [
            localize(Message("{domain}, registered on {day}", domain=domain.url, day=f"{domain.created_at:%Y-%m-%d}"))
        ]
        if domain is not None and domain.created_at
        else [],
    }


def _print_businesses(result: SearchResult) -> None:
    if result.businesses:
        print_table(_HEADINGS, map(_build_business_cells, result.businesses))
    elif any(row.status in _SEARCHED and row.kind == SourceKind.REGISTRY for row in result.meta.coverage):
        out.print(localize(Message("No match in available sources.")))
    else:
        out.print(localize(Message("No register could be checked.")))


def _build_business_cells(match: BusinessMatch) -> tuple[str, ...]:
    number = match.registration_numbers[0].value if match.registration_numbers else ""
    as_of = match.as_of.isoformat() if match.as_of is not None else f"{match.retrieved_at:%Y-%m-%d}"
    return (
        format_score(match.match.score),
        escape(match.legal_name.name),
        match.jurisdiction_label,
        number,
        escape(match.status or ""),
        as_of,
    )


def _print_coverage(result: SearchResult, *, verbose: bool) -> None:
    checked = [row.source for row in result.meta.coverage if row.status in _SEARCHED]
    failed = [row for row in result.meta.coverage if row.status is CoverageStatus.FAILED]
    unavailable = [row.source for row in result.meta.coverage if row.status is CoverageStatus.NOT_AVAILABLE]
    total = plural_message(
        "{n} source checked in {duration} ms", "{n} sources checked in {duration} ms", len(checked), duration=result.meta.duration
    )
    hint = localize(Message(" (-v to list)")) if checked and not verbose else ""
    out.print(f"\n[dim]{localize(total)}{hint}[/]", highlight=False)
    if verbose and checked:
        out.print(f"[dim]{', '.join(checked)}[/]", highlight=False)
    for row in failed:
        problem = Message("{source} failed: {problem}", source=row.source, problem=row.note or "")
        out.print(f"[red]{escape(localize(problem))}[/]", highlight=False)
    if unavailable:
        count = plural_message("{n} source unavailable", "{n} sources unavailable", len(unavailable))
        listed = f": {', '.join(unavailable)}" if verbose else ""
        out.print(f"[yellow]{localize(count)}{listed}. {localize(_UNAVAILABLE)}[/]", highlight=False)


def screen(
    name: Annotated[
        str | None, typer.Argument(help=Message("The name of a person, an organization or a vessel."), show_default=False)
    ] = None,
    file: NameFile = None,
    threshold: Annotated[float, typer.Option(min=0.7, max=1.0, help=Message("Lowest score of a match."))] = 0.85,
    limit: Annotated[
        int,
        typer.Option(min=1, max=subject_screening.MAX_MATCHES, help=Message("With --file: maximum number of matches per name.")),
    ] = 5,
    processes: Annotated[
        int, typer.Option(min=1, max=1024, help=Message("With --file: number of processes; one per core by default."))
    ] = count_processors(),
    fail_on: FailOnHits = None,
    verbose: Verbose = False,
    sandbox: Sandbox = False,
    data_dir: DataDir = None,
    as_json: AsJson = False,
) -> None:
    """Screen a name, or a file of names, against sanctions lists.

    The exit status is 0 if all lists were screened, 1 if a list could not be screened or a row has an error, 2 for wrong usage, and
    3 with --fail-on hits if there is a match.
    """
    world = World.SANDBOX if sandbox else World.LIVE
    if (name is None) == (file is None):
        raise typer.BadParameter(localize(Message("Give either a name or --file.")))
    if file is not None:
        batch = ScreeningBatch(load_settings(data_dir), world, threshold, limit, processes)
        _fail_on_hits(fail_on, screen_file(file, batch, as_json=as_json))
        return
    try:
        subject = ScreeningRequest(query=name).submitted().subject()
    except ValidationError as error:
        raise typer.BadParameter(get_first_problem(error)) from error
    found = run_with_runtime(data_dir, lambda runtime: _screen(runtime, world, subject, threshold))
    if as_json:
        typer.echo(found.screening.to_json())
    else:
        print_screening(found.screening, verbose=verbose)
    if found.error is not None:
        err.print(f"[yellow]{escape(localize(found.error.message))}[/]", highlight=False, soft_wrap=True)
        raise typer.Exit(1)
    _fail_on_hits(fail_on, found.screening.total_matches)


def _fail_on_hits(fail_on: ScreeningCondition | None, hits: int) -> None:
    if fail_on is not None and hits:
        raise typer.Exit(FAIL_ON_STATUS)


async def _screen(runtime: Runtime, world: World, subject: ScreeningSubject, threshold: float) -> subject_screening.ScreeningResult:
    return await subject_screening.screen_subject(runtime, world, subject, threshold, get_official_lists(runtime))
