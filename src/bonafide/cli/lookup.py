"""`bonafide search` and `bonafide screen`: look things up from a terminal."""

from collections.abc import Iterable
from pathlib import Path
from typing import Annotated

import typer
from pydantic import TypeAdapter, ValidationError
from rich.markup import escape
from rich.panel import Panel
from rich.text import Text

from bonafide.cli.batch_screening import screen_file
from bonafide.cli.command_runtime import get_first_problem, load_settings, run_with_runtime
from bonafide.cli.options import AsJson, DataDir, Sandbox
from bonafide.cli.output import err, format_score, out, print_table
from bonafide.concurrency.executors import count_processors
from bonafide.model.accounts.organizations import World
from bonafide.model.base import StoredDocument
from bonafide.model.entry import SourceKind
from bonafide.model.jurisdiction import Jurisdiction
from bonafide.model.query import NameText, ScreeningSubject, SearchRequest
from bonafide.model.search.match import BusinessMatch, ScreenedList, Screening
from bonafide.model.search.result import CoverageStatus, SearchResult
from bonafide.model.search.website import WebsiteAnalysis
from bonafide.runtime import Runtime
from bonafide.services.accounts import api_access
from bonafide.services.screening import subject_screening
from bonafide.services.screening.batch import ScreeningBatch
from bonafide.services.screening.standalone import get_official_lists
from bonafide.services.search import execution as searches

_LOOKED = frozenset({CoverageStatus.SEARCHED, CoverageStatus.STALE})
_NAME: TypeAdapter[str] = TypeAdapter(NameText)
NameFile = Annotated[
    Path | None,
    typer.Option("--file", help="CSV with a `name` column, or one name a line; `-` for standard input.", show_default=False),
]
Registers = Annotated[list[str] | None, typer.Option("--jurisdiction", "-j", help="Only this register; may be given again.")]


def search(
    name: Annotated[str, typer.Argument(help="The business name, as it is known.")],
    jurisdiction: Registers = None,
    number: Annotated[str | None, typer.Option(help="A registration number, in any spelling.")] = None,
    website: Annotated[str | None, typer.Option(help="The business's web site, to be read and compared.")] = None,
    sanctions: Annotated[bool, typer.Option(help="Screen sanctions lists too.")] = False,
    limit: Annotated[int, typer.Option(min=1, max=50)] = 10,
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
        _print_result(document.parse(SearchResult))


async def _search(runtime: Runtime, world: World, request: SearchRequest) -> StoredDocument:
    principal = await api_access.local_principal(runtime, world)
    return (await searches.create_search(runtime, principal, request, respond_async=False)).document


def _print_result(result: SearchResult) -> None:
    _print_businesses(result)
    for key, entries in result.regulatory.items():
        for entry in entries:
            facts = " ".join(part for part in (key, entry.registration_number, entry.status) if part is not None)
            out.print(
                f"{format_score(entry.match.score)} {escape(entry.legal_name.name)}  [dim]{escape(facts)}[/]", highlight=False
            )
    for key, listed in (result.listings or {}).items():
        for entry in listed:
            facts = f"{key} {entry.weight} evidence"
            out.print(f"{format_score(entry.match.score)} {escape(entry.legal_name.name)}  [dim]{facts}[/]", highlight=False)
    if result.sanctions is not None:
        _print_screening(result.sanctions)
    _print_website(result)
    for match in (result.businesses or ())[:1]:
        reasons = Text("\n".join(f"{field.label}: {field.reason}" for field in match.match.fields))
        title = Text(f"Why {match.match.score:.2f} for {match.legal_name.name}")
        out.print(Panel(reasons, title=title, title_align="left", expand=False))
    _print_coverage(result)


def _print_website(result: SearchResult) -> None:
    error = result.errors.website_analysis if result.errors is not None else None
    if error is not None:
        out.print(f"[red]The web site was not read: {escape(error.message)}[/]", highlight=False)
    if result.website is None:
        return
    site = result.website
    out.print(f"[bold]{escape(site.url)}[/] {site.status} {escape(site.error or '')}".rstrip(), highlight=False)
    for label, values in _list_site_facts(site).items():
        told = "; ".join(value for value in values if value is not None)
        if told:
            out.print(f"  {label}: {escape(told)}", highlight=False)


def _list_site_facts(site: WebsiteAnalysis) -> dict[str, Iterable[str | None]]:
    """What a site states, by label."""
    said, industry, domain = site.extracted, site.industry, site.domain
    return {
        "legal name": [said.legal_name],
        "numbers": [f"{number.label} {number.value}" for number in said.registrations],
        "addresses": [address.raw for address in said.addresses],
        "people": [person.name for person in said.people],
        "contact": [*said.contact_info.emails, *said.contact_info.phone_numbers],
        "industry": [industry.naics_code, industry.naics_code_name] if industry is not None else [],
        "domain": [f"{domain.url}, created {domain.created_at:%Y-%m-%d}"] if domain is not None and domain.created_at else [],
    }


def _print_businesses(result: SearchResult) -> None:
    if result.businesses:
        print_table(("Score", "Name", "Register", "Number", "Status", "As of"), map(_build_business_cells, result.businesses))
    elif any(row.status in _LOOKED and row.kind == SourceKind.REGISTRY for row in result.meta.coverage):
        out.print("No register entry scores high enough.")
    else:
        out.print("No register could be looked at.")


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


def _print_coverage(result: SearchResult) -> None:
    looked = [row.source for row in result.meta.coverage if row.status in _LOOKED]
    failed = [row for row in result.meta.coverage if row.status is CoverageStatus.FAILED]
    blind = [row.source for row in result.meta.coverage if row.status is CoverageStatus.NOT_AVAILABLE]
    out.print(f"\n[dim]Looked at {', '.join(looked) or 'nothing'} in {result.meta.duration} ms.[/]", highlight=False)
    for row in failed:
        out.print(f"[red]{row.source} failed: {escape(row.note or '')}[/]", highlight=False)
    if blind:
        out.print(f"[yellow]Nobody could look at {', '.join(blind)}.[/]", highlight=False)


def screen(
    name: Annotated[str | None, typer.Argument(help="A person's, an organization's or a ship's name.", show_default=False)] = None,
    file: NameFile = None,
    threshold: Annotated[float, typer.Option(min=0.7, max=1.0)] = 0.85,
    limit: Annotated[int, typer.Option(min=1, max=subject_screening.MAX_MATCHES, help="With --file: matches of one name.")] = 5,
    processes: Annotated[
        int, typer.Option(min=1, max=1024, help="With --file: how many at once; one for each core.")
    ] = count_processors(),
    sandbox: Sandbox = False,
    data_dir: DataDir = None,
    as_json: AsJson = False,
) -> None:
    """Screen a name, or a file of any number of names, against the sanctions lists."""
    world = World.SANDBOX if sandbox else World.LIVE
    if (name is None) == (file is None):
        raise typer.BadParameter("either a name or --file is needed")
    if file is not None:
        screen_file(file, ScreeningBatch(load_settings(data_dir), world, threshold, limit, processes), as_json=as_json)
        return
    try:
        query = _NAME.validate_python(name)
    except ValidationError as error:
        raise typer.BadParameter(get_first_problem(error)) from error
    found = run_with_runtime(data_dir, lambda runtime: _screen(runtime, world, query, threshold))
    if as_json:
        typer.echo(found.screening.to_json())
    else:
        _print_screening(found.screening)
    if found.error is not None:
        err.print(f"[yellow]{escape(found.error.message)}[/]", highlight=False, soft_wrap=True)
        raise typer.Exit(1)


async def _screen(runtime: Runtime, world: World, name: str, threshold: float) -> subject_screening.ScreeningResult:
    return await subject_screening.screen_subject(runtime, world, ScreeningSubject(name), threshold, get_official_lists(runtime))


def _print_screening(found: Screening) -> None:
    for match in found.matches:
        name = match.legal_name
        matched = "" if name.matched_name == name.name else escape(f" as {name.matched_name}")
        program = escape(f"{match.source}: {'; '.join(match.details.programs)}")
        out.print(f"{format_score(name.match_score)} [bold]{escape(name.name)}[/]{matched}  [dim]{program}[/]", highlight=False)
    lists = ", ".join(_format_list(item) for item in found.lists)
    out.print(f"{found.total_matches} sanctions matches. Screened: {lists or 'no list'}.", highlight=False)


def _format_list(item: ScreenedList) -> str:
    day = item.as_of if item.as_of is not None else item.retrieved_at.date()
    return f"{item.source} ({item.entries:,} entries, {day})"
