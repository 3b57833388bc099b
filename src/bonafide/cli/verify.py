"""`bonafide verify`: compare what you were told of a business with what its register states, from a terminal.

Live registers are queried by this process while the command waits. An address and people are compared only when given.
"""

import asyncio
from typing import Annotated, Any
from uuid import UUID

import typer
from pydantic import ValidationError
from rich.markup import escape

from bonafide.cli.command_runtime import get_first_problem, run_with_runtime
from bonafide.cli.options import AsJson, DataDir, Sandbox
from bonafide.cli.output import err, out, print_table
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


def verify(
    name: Annotated[str, typer.Argument(help="The legal name, as you were told it.")],
    jurisdiction: Annotated[str, typer.Option("--jurisdiction", "-j", help="The register: a code or a full name.")],
    number: Annotated[str, typer.Option(help="The registration number, in any spelling.")],
    street: Annotated[str | None, typer.Option(help="Of the address: number and street.")] = None,
    unit: Annotated[str | None, typer.Option(help="Of the address.")] = None,
    city: Annotated[str | None, typer.Option(help="Of the address.")] = None,
    province: Annotated[str | None, typer.Option(help="Of the address.")] = None,
    postal_code: Annotated[str | None, typer.Option(help="Of the address.")] = None,
    person: Annotated[list[str] | None, typer.Option(metavar="NAME[:ROLE]", help="A person; may be given again.")] = None,
    max_age: Annotated[float | None, typer.Option(help="Hours that an earlier report of the register may be old.")] = None,
    sandbox: Sandbox = False,
    data_dir: DataDir = None,
    as_json: AsJson = False,
) -> None:
    """Verify a business's name, number, address and people against its register."""
    address = {"street": street, "unit": unit, "city": city, "province": province, "postal_code": postal_code}
    claim: dict[str, Any] = {
        "legal_name": name,
        "jurisdiction": jurisdiction,
        "registration_number": number,
        "address": address if any(part is not None for part in address.values()) else None,
        "people": [_parse_person(text) for text in person] if person else None,
        "max_age": max_age,
    }
    try:
        request = VerifyRequest.model_validate(claim)
    except ValidationError as error:
        raise typer.BadParameter(get_first_problem(error)) from error
    world = World.SANDBOX if sandbox else World.LIVE
    document = run_with_runtime(data_dir, lambda runtime: _verify(runtime, world, request))
    if as_json:
        typer.echo(document.to_json())
    if isinstance(document, VerificationFailed):
        err.print(f"[bold red]bonafide:[/] {escape(document.error)}", highlight=False, soft_wrap=True)
        raise typer.Exit(1)
    if not as_json and isinstance(document, VerifyResponse):
        _print_result(document)


def _parse_person(text: str) -> dict[str, str]:
    name, _, role = text.partition(":")
    return {"name": name, "role": role} if role.strip() else {"name": name}


async def _verify(runtime: Runtime, world: World, request: VerifyRequest) -> VerificationDocument:
    principal = await api_access.local_principal(runtime, world)
    asker = VerificationRequester(identity=principal.identity, request_id=None)
    answer = await lifecycle.create_verification(runtime, principal, request, asker)
    return await _wait_for_result(runtime, principal.organization_id, answer.verification_id) if answer.pending else answer.document


async def _wait_for_result(runtime: Runtime, organization_id: UUID, verification_id: UUID) -> VerificationDocument:
    """The answer of a verification that this process makes; a worker may do so too, and then the first one counts."""
    again_at = await verification_job.run_step(runtime, organization_id, verification_id)
    while again_at is not None:
        await asyncio.sleep(max((again_at - runtime.clock()).total_seconds(), 0))
        again_at = await verification_job.run_step(runtime, organization_id, verification_id)
    return await lifecycle.read_verification(runtime, organization_id, verification_id)


def _print_result(document: VerifyResponse) -> None:
    results, fields = document.results, document.results.fields
    colour = _OUTCOMES.get(results.status, "red")
    out.print(f"[bold {colour}]{results.status}[/]", highlight=False)
    parts = fields.address.fields if fields.address is not None else {}
    rows = [
        ("legal name", *_build_cells(fields.legal_name)),
        ("number", *_build_cells(fields.registration_number)),
        *((part, *_build_cells(row)) for part, row in parts.items() if row.status is not CheckStatus.NOT_PROVIDED),
        *(("person", *_build_person_cells(person)) for person in results.people),
    ]
    print_table(("Field", "Outcome", "Score", "You were told", "The register states", "Why"), rows)
    out.print(f"\n{escape(results.analyst_summary)}", highlight=False)
    if document.registry_data is not None:
        data = document.registry_data
        out.print(f"\n[dim]{data.source} by {data.route}, as of {data.as_of or data.retrieved_at.date()}[/]", highlight=False)


def _build_cells(row: CheckedField | CheckedAddressPart) -> tuple[str, ...]:
    return (
        _format_status(row.status),
        _format_score(row.score),
        escape(row.provided or ""),
        escape(row.registry or ""),
        escape(row.reason),
    )


def _build_person_cells(row: CheckedPerson) -> tuple[str, ...]:
    told = ", ".join(filter(None, (row.name, row.role)))
    found = ", ".join((row.registry.name, *row.registry.roles)) if row.registry is not None else ""
    return _format_status(row.status), _format_score(row.score), escape(told), escape(found), escape(row.reason)


def _format_status(status: CheckStatus) -> str:
    return f"[{_COLOURS.get(status, 'yellow')}]{status}[/]"


def _format_score(score: float | None) -> str:
    return f"{score:.3f}" if score is not None else ""
