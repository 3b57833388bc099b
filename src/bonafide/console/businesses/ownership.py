"""Pages of the ownership of a business: what everybody claims, what it adds up to, and a form for the statement of each claimant.

A statement that another user changed in the meantime is not overwritten.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from http import HTTPStatus

from fastapi import APIRouter, Request
from markupsafe import Markup
from starlette.responses import Response

from bonafide.concurrency.executors import run_cpu_bound
from bonafide.console.businesses.ownership_form import (
    MAX_ROWS,
    OwnershipForm,
    add_rows,
    build_business_party,
    build_ownership_form,
    is_editable,
    parse_ownership_form,
    place_problems,
)
from bonafide.console.businesses.record_fields import build_field_anchor, get_display_name
from bonafide.console.frame.console_request import (
    LIMITED_WORK,
    Analyst,
    PathId,
    ServedRuntime,
    Viewer,
    build_author,
    get_console_request,
)
from bonafide.console.frame.forms import list_problems, parse_choice, read_form
from bonafide.console.frame.responses import create_download, redirect, render_page
from bonafide.console.frame.route import ConsoleRoute
from bonafide.errors import ApiError, NotFound, StaleWrite, ValidationFailed
from bonafide.i18n.message import Message
from bonafide.model.accounts.users import SignedIn
from bonafide.model.ownership.description import describe_ownership
from bonafide.model.ownership.file_format import OwnershipFormat
from bonafide.model.ownership.roll_up import DeemedStatus
from bonafide.model.ownership.statement import Claimant, InterestKind, OwnershipParty, OwnershipStatement, PartyKind
from bonafide.model.ownership.wording import CLAIMANT, INTEREST_KIND, PARTY_KIND
from bonafide.model.pdf_documents import PDF, PdfRequest
from bonafide.model.records.business_record import BusinessRecord
from bonafide.runtime import Runtime
from bonafide.services.ownership import diagram, export, statements
from bonafide.services.printing import pdf_reports
from bonafide.services.records import business_records
from bonafide.services.screening import owner_screening

OWNERSHIP_PATH = "/{id}/ownership"
CLAIMANT_PATH = f"{OWNERSHIP_PATH}/{{claimant}}"
DEEMED_COLOURS = {
    DeemedStatus.DEEMED: "bad",
    DeemedStatus.POSSIBLE: "warn",
    DeemedStatus.UNDETERMINED: "warn",
    DeemedStatus.NOT_DEEMED: "good",
}
FORM_LABELS = {
    "asOf": Message("As of"),
    "declaredBy": Message("Stated by"),
    "parties": Message("Parties"),
    "interests": Message("Interests"),
}
END_LABELS = {
    "": Message("Both included"),
    "min": Message("More than the lower one"),
    "max": Message("Less than the upper one"),
    "both": Message("Neither included"),
}
_STALE = Message("This statement was changed after you opened it. Open it again to see the changes.")
router = APIRouter(prefix="/console/businesses", include_in_schema=False, route_class=ConsoleRoute)


@dataclass(frozen=True, slots=True)
class _StatementPage:
    """Which statement a page edits."""

    record: BusinessRecord
    claimant: Claimant


# ------------------------------------------------------------------------------------------------------------- reading


@router.get(OWNERSHIP_PATH)
async def ownership_page(request: Request, signed_in: Viewer, runtime: ServedRuntime, business_id: PathId) -> Response:
    """The diagram, a table of the same content, the ultimate owners with the reasons, and the statements."""
    organization_id, language = signed_in.organization_id, get_console_request(request).language
    record = await business_records.find_record(runtime, organization_id, business_id=business_id)
    answer = await owner_screening.read_ownership(runtime, organization_id, business_id)
    drawn = await diagram.draw_diagram(runtime, organization_id, answer, language)
    with runtime.compute_for(organization_id):
        described = await run_cpu_bound(describe_ownership, answer)
    stated = {statement.claimed_by for statement in answer.statements}
    return render_page(
        request,
        "businesses/ownership.html",
        record=record,
        answer=answer,
        described=described,
        # `diagrams` escapes every text of it.
        diagram=Markup(drawn),  # noqa: S704
        deemed_colours=DEEMED_COLOURS,
        claimants=CLAIMANT,
        unstated=[claimant for claimant in Claimant if claimant not in stated],
        name_of=get_display_name,
    )


@router.get(f"{OWNERSHIP_PATH}.svg")
async def ownership_diagram(request: Request, signed_in: Viewer, runtime: ServedRuntime, business_id: PathId) -> Response:
    """The diagram as a file."""
    language = get_console_request(request).language
    answer = await owner_screening.read_ownership(runtime, signed_in.organization_id, business_id)
    options = export.ExportOptions(signed_in.membership.organization, language)
    file = await export.write_ownership(runtime, signed_in.organization_id, answer, OwnershipFormat.SVG, options)
    return create_download(file.content, file.media_type, file.name)


@router.get(f"{OWNERSHIP_PATH}.pdf", dependencies=[LIMITED_WORK])
async def ownership_report(request: Request, signed_in: Viewer, runtime: ServedRuntime, business_id: PathId) -> Response:
    """The report of the ownership, as a PDF in the page's language."""
    wanted = PdfRequest(ownership_business_id=business_id)
    report = await pdf_reports.print_pdf(runtime, signed_in.organization_id, wanted, get_console_request(request).language)
    return create_download(report.content, PDF, report.file_name)


# ------------------------------------------------------------------------------------------------------------- writing


@router.get(CLAIMANT_PATH)
async def statement_page(
    request: Request, signed_in: Analyst, runtime: ServedRuntime, business_id: PathId, claimant: str
) -> Response:
    """The form of a claimant's statement; a new one begins with the parties that other statements name."""
    page = await _find_page(runtime, signed_in, business_id, claimant)
    statement, version = await statements.read_statement(runtime, signed_in.organization_id, business_id, page.claimant)
    if not is_editable(statement):
        message = Message("The statement has more than {limit} parties or interests. Use the API to change it.", limit=MAX_ROWS)
        raise ValidationFailed(message)
    known = await _list_known_parties(runtime, signed_in, page.record)
    return _render_form(request, page, build_ownership_form(statement, version, known, runtime.clock().date()))


@router.post(CLAIMANT_PATH)
async def save_statement(
    request: Request, signed_in: Analyst, runtime: ServedRuntime, business_id: PathId, claimant: str
) -> Response:
    """Save the form; with the button `more`, show it again with more rows."""
    page = await _find_page(runtime, signed_in, business_id, claimant)
    sent = await read_form(request)
    parsed = parse_ownership_form(sent, page.claimant)
    if "more" in sent:
        return _render_form(request, page, add_rows(parsed.form))
    if parsed.statement is None:
        return _render_form(request, page, parsed.form, 422)
    return await _replace_statement(request, signed_in, page, parsed.form, parsed.statement)


@router.get(f"{CLAIMANT_PATH}/withdraw")
async def confirm_withdrawal(
    request: Request, signed_in: Analyst, runtime: ServedRuntime, business_id: PathId, claimant: str
) -> Response:
    """Ask for confirmation before the claimant's statement is withdrawn."""
    return await _render_withdrawal(request, signed_in, await _find_page(runtime, signed_in, business_id, claimant))


@router.post(f"{CLAIMANT_PATH}/withdraw")
async def withdraw_statement(
    request: Request, signed_in: Analyst, runtime: ServedRuntime, business_id: PathId, claimant: str
) -> Response:
    """Withdraw the claimant's statement, unless it has changed since it was confirmed. The audit log keeps it."""
    page = await _find_page(runtime, signed_in, business_id, claimant)
    version = str((await read_form(request)).get("version", ""))
    empty = OwnershipStatement(claimed_by=page.claimant, as_of=runtime.clock().date())
    author = build_author(request, signed_in)
    try:
        await statements.replace_statement(runtime, signed_in.organization_id, business_id, empty, author, expected=version)
    except StaleWrite:
        return await _render_withdrawal(request, signed_in, page, 409)
    return redirect(request, _build_address(page.record))


async def _render_withdrawal(request: Request, signed_in: SignedIn, page: _StatementPage, status: int = 200) -> Response:
    """The confirmation, with the statement as it is now; the business's page if there is none any more."""
    runtime = get_console_request(request).runtime
    statement, version = await statements.read_statement(runtime, signed_in.organization_id, page.record.id, page.claimant)
    if statement is None:
        return redirect(request, _build_address(page.record))
    return render_page(
        request,
        "businesses/ownership_withdraw.html",
        status,
        record=page.record,
        claimant=page.claimant,
        claimants=CLAIMANT,
        statement=statement,
        version=version,
        is_changed=status == HTTPStatus.CONFLICT,
        name_of=get_display_name,
    )


async def _find_page(runtime: Runtime, signed_in: SignedIn, business_id: PathId, claimant: str) -> _StatementPage:
    """Raises `NotFound` for an unknown business or claimant."""
    chosen = parse_choice(Claimant, claimant)
    if chosen is None:
        raise NotFound
    record = await business_records.find_record(runtime, signed_in.organization_id, business_id=business_id)
    return _StatementPage(record, chosen)


async def _list_known_parties(runtime: Runtime, signed_in: SignedIn, record: BusinessRecord) -> Sequence[OwnershipParty]:
    """The parties that any statement names, the business first."""
    answer = await owner_screening.read_ownership(runtime, signed_in.organization_id, record.id, is_screened=False)
    named = sorted(answer.parties, key=lambda party: party.id != answer.party)
    return named or [build_business_party(record.id, get_display_name(record))]


async def _replace_statement(
    request: Request, signed_in: SignedIn, page: _StatementPage, form: OwnershipForm, statement: OwnershipStatement
) -> Response:
    runtime, author = get_console_request(request).runtime, build_author(request, signed_in)
    try:
        await statements.replace_statement(
            runtime, signed_in.organization_id, page.record.id, statement, author, expected=form.version
        )
    except StaleWrite:
        return _render_form(request, page, form, 409, StaleWrite(_STALE))
    except ValidationFailed as refusal:
        return _render_form(request, page, replace(form, problems=place_problems(list_problems(refusal))), 422, refusal)
    return redirect(request, _build_address(page.record))


def _build_address(record: BusinessRecord) -> str:
    return f"/console/businesses/{record.id}/ownership"


def _render_form(
    request: Request, page: _StatementPage, form: OwnershipForm, status: int = 200, refusal: ApiError | None = None
) -> Response:
    return render_page(
        request,
        "businesses/ownership_form.html",
        status,
        record=page.record,
        claimant=page.claimant,
        claimants=CLAIMANT,
        form=form,
        refusal=refusal,
        party_kinds={kind.value: PARTY_KIND[kind] for kind in PartyKind},
        interest_kinds={kind.value: INTEREST_KIND[kind] for kind in InterestKind},
        ends=END_LABELS,
        labels=FORM_LABELS,
        anchor_of=build_field_anchor,
        name_of=get_display_name,
    )
