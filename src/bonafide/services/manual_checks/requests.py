"""Create a manual check for a business record, a search or a verification, and cancel one."""

from dataclasses import dataclass
from uuid import UUID

from pydantic import ConfigDict

from bonafide.errors import Conflict, FieldProblem, NotFound, ValidationFailed
from bonafide.i18n.message import Message
from bonafide.model.accounts.organizations import Principal, Scope
from bonafide.model.base import Document, format_instant
from bonafide.model.entry import SourceKind
from bonafide.model.events.event import EventBusiness
from bonafide.model.jurisdiction import Jurisdiction
from bonafide.model.manual_checks.manual_check import ManualCheck, ManualCheckOrigin, ManualCheckStatus
from bonafide.model.manual_checks.requests import ManualCheckCancellation, ManualCheckRequest
from bonafide.model.records.business_record import Author
from bonafide.model.search.result import Submitted
from bonafide.model.verification.results import Subject
from bonafide.runtime import Runtime
from bonafide.services.events.recording import record_events
from bonafide.services.manual_checks.check_rows import parse_content
from bonafide.services.manual_checks.opening import NeededCheck, cancel_check, find_register, open_check, read_due_period
from bonafide.services.manual_checks.reading import load_check, load_check_row
from bonafide.services.records.business_records import load_record
from bonafide.sources.framework.discovery import Source
from bonafide.store.cases.manual_checks import StoredManualCheck
from bonafide.store.database.engine import Connection
from bonafide.store.records import searches, verifications
from bonafide.store.tenants import audit_log
from bonafide.store.work.pending_key import complete_key

_SCOPES = {
    "businessId": Scope.BUSINESSES_READ,
    "searchId": Scope.SEARCH_READ,
    "verificationId": Scope.VERIFY_READ,
}


class _VerificationClaim(Document):
    """What a manual check needs of the stored specification of a verification."""

    model_config = ConfigDict(extra="ignore")

    subject: Subject
    business_id: UUID | None


@dataclass(frozen=True, slots=True)
class CreatedCheck:
    """A manual check, and whether it is new: it may have been open already."""

    check: ManualCheck
    created: bool


@dataclass(slots=True)
class _Known:
    """What is known of the business that is to be looked for."""

    business: EventBusiness | None = None
    jurisdiction: Jurisdiction | None = None
    name: str | None = None
    registration_number: str | None = None
    business_id: UUID | None = None


async def create_manual_check(runtime: Runtime, principal: Principal, request: ManualCheckRequest, author: Author) -> CreatedCheck:
    """Create a manual check, or return the open one of the same record, search or verification and source.

    Raises `NotFound` for an unknown reference, `ValidationFailed` for an unknown register or a missing name, and `ScopeMissing` for
    a reference without the scope to read it.
    """
    references = {"businessId": request.business_id, "searchId": request.search_id, "verificationId": request.verification_id}
    for field, reference in references.items():
        if reference is not None:
            principal.check_scope(_SCOPES[field], field)
    organization_id = principal.organization_id
    _, due_after = await read_due_period(runtime, organization_id)
    async with runtime.store.write() as connection:
        await audit_log.lock_head(connection, organization_id)
        needed = _build_needed(runtime, request, await _load_known(connection, organization_id, request), author)
        opened = await open_check(connection, organization_id, needed, due_after, runtime.clock(), author)
        created = CreatedCheck(await load_check(runtime, connection, organization_id, opened.row), created=opened.event is not None)
        await complete_key(connection, created)
        if opened.event is not None:
            await record_events(connection, organization_id, [opened.event], opened.row.opened_at)
    return created


async def _load_known(connection: Connection, organization_id: UUID, request: ManualCheckRequest) -> _Known:
    known = _Known(business_id=request.business_id)
    if request.verification_id is not None:
        row = await verifications.get(connection, organization_id, request.verification_id)
        if row is None:
            raise NotFound(Message("We couldn’t find that verification."))
        claim = _VerificationClaim.model_validate_json(row.request)
        known = _Known(
            jurisdiction=claim.subject.jurisdiction,
            name=claim.subject.legal_name,
            registration_number=claim.subject.registration_number,
            business_id=known.business_id if known.business_id is not None else claim.business_id,
        )
    elif request.search_id is not None:
        search = await searches.get(connection, organization_id, request.search_id)
        if search is None:
            raise NotFound(Message("We couldn’t find that search."))
        submitted = Submitted.model_validate_json(search.request)
        known.name, known.registration_number = submitted.name, submitted.params.registration_number
        known.business_id = known.business_id if known.business_id is not None else submitted.business_id
    if known.business_id is not None:
        record = await load_record(connection, organization_id, known.business_id, None)
        known.business = EventBusiness.from_record(record)
        known.jurisdiction = known.jurisdiction if known.jurisdiction is not None else record.jurisdiction
        known.name = known.name if known.name is not None else record.name
        if known.registration_number is None:
            known.registration_number = record.registration_number
    return known


def _build_needed(runtime: Runtime, request: ManualCheckRequest, known: _Known, author: Author) -> NeededCheck:
    source, jurisdiction = _find_source(runtime, request, known)
    name = request.name if request.name is not None else known.name
    if name is None:
        raise ValidationFailed.of_field("name", Message("is required, because nothing else has a name to look for"))
    number = request.registration_number
    if number is None and jurisdiction is known.jurisdiction:
        number = known.registration_number
    return NeededCheck(
        source=source,
        jurisdiction=jurisdiction,
        origin=ManualCheckOrigin.REQUEST,
        opened_by=author.actor,
        business=known.business,
        name=name,
        registration_number=number,
        search_id=request.search_id,
        verification_id=request.verification_id,
    )


def _find_source(runtime: Runtime, request: ManualCheckRequest, known: _Known) -> tuple[Source, Jurisdiction]:
    """The register to look at. Raises `ValidationFailed`."""
    if request.source is not None:
        source = runtime.sources.get(request.source)
        jurisdiction = source.metadata.jurisdiction if source is not None else None
        if source is None or source.metadata.kind is not SourceKind.REGISTRY or jurisdiction is None:
            raise ValidationFailed.of_field("source", Message("is not the key of the register of a jurisdiction"))
        if request.jurisdiction is not None and request.jurisdiction is not jurisdiction:
            raise ValidationFailed.of_field("source", Message("is the register of another jurisdiction"))
        return source, jurisdiction
    jurisdiction = request.jurisdiction if request.jurisdiction is not None else known.jurisdiction
    source = find_register(runtime, jurisdiction) if jurisdiction is not None else None
    if source is None or jurisdiction is None:
        message = Message("is required, because nothing else says which register is meant")
        raise ValidationFailed.of_fields([FieldProblem("jurisdiction", message)])
    return source, jurisdiction


async def cancel_manual_check(
    runtime: Runtime, organization_id: UUID, check_id: UUID, request: ManualCheckCancellation, author: Author
) -> ManualCheck:
    """Cancel an open check. Raises `NotFound`, and `Conflict` if it is not open."""
    async with runtime.store.write() as connection:
        await audit_log.lock_head(connection, organization_id)
        row = await load_check_row(connection, organization_id, check_id)
        _require_open(row)
        cancelled, event = await cancel_check(connection, organization_id, row, request.note, runtime.clock(), author)
        check = await load_check(runtime, connection, organization_id, cancelled)
        await complete_key(connection, check)
        await record_events(connection, organization_id, [event], cancelled.updated_at)
    return check


def _require_open(row: StoredManualCheck) -> None:
    """Raise `Conflict`, which says who has done what, unless the check is open."""
    require_undone(row)
    if row.status is ManualCheckStatus.CANCELLED and row.closed_at is not None:
        who, when = parse_content(row).cancelled_by, format_instant(row.closed_at)
        raise Conflict(Message("{who} cancelled this manual check on {when}.", who=who, when=when))


def require_undone(row: StoredManualCheck) -> None:
    """Raise `Conflict`, which says who has looked, if the check has a result."""
    result = parse_content(row).result
    if result is not None:
        when = format_instant(result.recorded_at)
        raise Conflict(Message("{who} recorded the result of this manual check on {when}.", who=result.seen_by, when=when))
