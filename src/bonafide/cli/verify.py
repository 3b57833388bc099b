"""`bonafide verify`: compare customer data with the data of a register.

This process queries live registers while the command waits. An address and people are compared only if they are given.
"""

import asyncio
from enum import StrEnum
from typing import Annotated, Any
from uuid import UUID

import typer
from pydantic import ValidationError
from rich.markup import escape

from bonafide.cli.command_runtime import get_first_problem, run_with_runtime
from bonafide.cli.options import FAIL_ON_STATUS, AsJson, DataDir, Sandbox, Verbose
from bonafide.cli.output import err, out, print_table
from bonafide.cli.screening.screening_output import print_screening
from bonafide.cli.translation import get_language, localize, localize_choice
from bonafide.i18n.language import Language
from bonafide.i18n.message import Message
from bonafide.matching.scoring.score_parameters import truncate_score
from bonafide.model.accounts.organizations import World
from bonafide.model.verification.requests import VerifyRequest
from bonafide.model.verification.results import (
    CheckedAddressPart,
    CheckedField,
    CheckedPerson,
    CheckStatus,
    ResultStatus,
    VerificationDocument,
    VerificationFailed,
    VerifyResponse,
)
from bonafide.runtime import Runtime
from bonafide.services.accounts import api_access
from bonafide.services.verification import lifecycle, verification_job
from bonafide.services.verification.spec import VerificationRequester

_COLOURS = {CheckStatus.MATCHED: "green", CheckStatus.MISMATCHED: "red"}
_OUTCOMES = {ResultStatus.VERIFIED: "green", ResultStatus.INACTIVE: "yellow"}
_OUTCOME_LABELS: dict[str, Message] = {
    ResultStatus.VERIFIED: Message("verified"),
    ResultStatus.DISCREPANCIES: Message("discrepancies"),
    ResultStatus.NOT_FOUND: Message("not found"),
    ResultStatus.INACTIVE: Message("inactive"),
}
_STATUS_LABELS: dict[str, Message] = {
    CheckStatus.MATCHED: Message("matched"),
    CheckStatus.MISMATCHED: Message("mismatched"),
    CheckStatus.NOT_PROVIDED: Message("not provided"),
    CheckStatus.NOT_PUBLISHED: Message("not published"),
    CheckStatus.NOT_CHECKED: Message("not checked"),
}
_PART_LABELS: dict[str, Message] = {
    "street": Message("street"),
    "unit": Message("unit"),
    "city": Message("city"),
    "province": Message("province"),
    "postalCode": Message("postal code"),
    "country": Message("country"),
}
_HEADINGS = (
    Message("Field"),
    Message("Outcome"),
    Message("Score"),
    Message("Submitted"),
    Message("Register"),
    Message("Explanation"),
)


class VerificationCondition(StrEnum):
    """When a verification ends with status 3."""

    DISCREPANCIES = "discrepancies"


FailOnDiscrepancies = Annotated[
    VerificationCondition | None,
    typer.Option("--fail-on", help=Message("End with exit status 3 unless the business is verified."), show_default=False),
]


def verify(
    name: Annotated[str, typer.Argument(help=Message("The legal name to verify."))],
    jurisdiction: Annotated[str, typer.Option("--jurisdiction", "-j", help=Message("The jurisdiction, as a code or full name."))],
    number: Annotated[str, typer.Option(help=Message("The registration number, in any format."))],
    street: Annotated[str | None, typer.Option(help=Message("Street line of the address."))] = None,
    unit: Annotated[str | None, typer.Option(help=Message("Unit of the address."))] = None,
    city: Annotated[str | None, typer.Option(help=Message("City of the address."))] = None,
    province: Annotated[str | None, typer.Option(help=Message("Province of the address."))] = None,
    postal_code: Annotated[str | None, typer.Option(help=Message("Postal code of the address."))] = None,
    person: Annotated[list[str] | None, typer.Option(metavar="NAME[:ROLE]", help=Message("A person; repeatable."))] = None,
    max_age: Annotated[float | None, typer.Option(help=Message("Maximum age of a stored register report, in hours."))] = None,
    sanctions: Annotated[bool, typer.Option(help=Message("Also screen sanctions lists."))] = False,
    fail_on: FailOnDiscrepancies = None,
    verbose: Verbose = False,
    sandbox: Sandbox = False,
    data_dir: DataDir = None,
    as_json: AsJson = False,
) -> None:
    """Verify a business's name, number, address and people against its register.

    The exit status is 0 if the verification is complete, 1 if it failed, 2 for wrong usage, and 3 with --fail-on discrepancies
    if its outcome is not "verified".
    """
    address = {"street": street, "unit": unit, "city": city, "province": province, "postal_code": postal_code}
    claim: dict[str, Any] = {
        "legal_name": name,
        "jurisdiction": jurisdiction,
        "registration_number": number,
        "address": address if any(part is not None for part in address.values()) else None,
        "people": [_parse_person(text) for text in person] if person else None,
        "max_age": max_age,
        "sanctions_screening": sanctions,
    }
    try:
        request = VerifyRequest.model_validate(claim)
    except ValidationError as error:
        raise typer.BadParameter(get_first_problem(error)) from error
    world = World.SANDBOX if sandbox else World.LIVE
    language = Language.ENGLISH if as_json else get_language()
    document = run_with_runtime(data_dir, lambda runtime: _verify(runtime, world, request, language))
    if as_json:
        typer.echo(document.to_json())
    if isinstance(document, VerificationFailed):
        err.print(f"[bold red]bonafide:[/] {escape(localize(document.error))}", highlight=False, soft_wrap=True)
        raise typer.Exit(1)
    if not isinstance(document, VerifyResponse):
        return
    if not as_json:
        _print_result(document, verbose=verbose)
    if fail_on is not None and document.results.status is not ResultStatus.VERIFIED:
        raise typer.Exit(FAIL_ON_STATUS)


def _parse_person(text: str) -> dict[str, str]:
    name, _, role = text.partition(":")
    return {"name": name, "role": role} if role.strip() else {"name": name}


async def _verify(runtime: Runtime, world: World, request: VerifyRequest, language: Language) -> VerificationDocument:
    principal = await api_access.local_principal(runtime, world)
    requester = VerificationRequester(identity=principal.identity, request_id=None, language=language)
    reply = await lifecycle.create_verification(runtime, principal, request, requester)
    return await _wait_for_result(runtime, principal.organization_id, reply.verification_id) if reply.pending else reply.document


async def _wait_for_result(runtime: Runtime, organization_id: UUID, verification_id: UUID) -> VerificationDocument:
    """Run a verification in this process. If a worker runs it too, the first result counts."""
    again_at = await verification_job.run_step(runtime, organization_id, verification_id)
    while again_at is not None:
        await asyncio.sleep(max((again_at - runtime.clock()).total_seconds(), 0))
        again_at = await verification_job.run_step(runtime, organization_id, verification_id)
    return await lifecycle.read_verification(runtime, organization_id, verification_id)


def _print_result(document: VerifyResponse, *, verbose: bool) -> None:
    results, fields = document.results, document.results.fields
    colour = _OUTCOMES.get(results.status, "red")
    out.print(f"[bold {colour}]{localize_choice(results.status, _OUTCOME_LABELS)}[/]", highlight=False)
    parts = fields.address.fields if fields.address is not None else {}
    rows = [
        (localize(Message("legal name")), *_build_cells(fields.legal_name)),
        (localize(Message("number")), *_build_cells(fields.registration_number)),
        *(
            (localize_choice(part, _PART_LABELS), *_build_cells(row))
            for part, row in parts.items()
            if row.status is not CheckStatus.NOT_PROVIDED
        ),
        *((localize(Message("person")), *_build_person_cells(person)) for person in results.people),
    ]
    print_table(_HEADINGS, rows)
    out.print(f"\n{escape(results.analyst_summary)}", highlight=False)
    if document.registry_data is not None:
        data = document.registry_data
        source = Message(
            "{source} ({route}), as of {day}",
            source=data.source,
            route=data.route.value,
            day=str(data.as_of or data.retrieved_at.date()),
        )
        out.print(f"\n[dim]{localize(source)}[/]", highlight=False)
    if document.sanctions is not None:
        out.print()
        print_screening(document.sanctions, verbose=verbose)
    if document.errors is not None and document.errors.sanctions_screening is not None:
        problem = localize(document.errors.sanctions_screening.message)
        out.print(f"[yellow]{escape(problem)}[/]", highlight=False, soft_wrap=True)


def _build_cells(row: CheckedField | CheckedAddressPart) -> tuple[str, ...]:
    return (
        _format_status(row.status),
        _format_score(row.score),
        escape(row.provided or ""),
        escape(row.registry or ""),
        escape(localize(row.reason)),
    )


def _build_person_cells(row: CheckedPerson) -> tuple[str, ...]:
    claimed = ", ".join(filter(None, (row.provided, row.role)))
    found = ", ".join((row.registry.name, *row.registry.roles)) if row.registry is not None else ""
    return _format_status(row.status), _format_score(row.score), escape(claimed), escape(found), escape(localize(row.reason))


def _format_status(status: CheckStatus) -> str:
    return f"[{_COLOURS.get(status, 'yellow')}]{localize_choice(status, _STATUS_LABELS)}[/]"


def _format_score(score: float | None) -> str:
    return f"{truncate_score(score):.2f}" if score is not None else ""
