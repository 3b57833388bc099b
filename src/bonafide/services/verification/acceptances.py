"""Accept discrepancies of verifications with a reason, and revoke that.

The stored result is never changed: it shows the decisions of people beside what was found. While every discrepancy of the latest
verification of a record is accepted, the record has no unresolved discrepancies.
"""

from collections.abc import Sequence
from contextlib import suppress
from uuid import UUID, uuid4

from pydantic import JsonValue

from bonafide.errors import Conflict, NotFound
from bonafide.i18n.message import Message, join_values
from bonafide.matching.risk.record_facts import ACCEPTANCE_PATHS, build_acceptance_facts
from bonafide.matching.verification.discrepancies import list_discrepancies
from bonafide.model.base import StoredDocument, format_instant
from bonafide.model.cases.policy import CaseDecisionKind, ReasonCode
from bonafide.model.events.event import EventBusiness, EventSubject, EventSubjectKind, EventType, NewEvent
from bonafide.model.events.event_data import AcceptanceRevokedData, DiscrepancyAcceptedData
from bonafide.model.records.business_record import Author, BusinessRecord, FieldChange, SystemFields
from bonafide.model.verification.acceptance import (
    AcceptanceRequest,
    AcceptanceRevocation,
    AcceptedDiscrepancy,
    VerificationDiscrepancy,
    VerificationDiscrepancyList,
)
from bonafide.model.verification.results import VerifyResponse
from bonafide.runtime import Runtime
from bonafide.services.accounts.organizations import read_settings
from bonafide.services.events.recording import record_events
from bonafide.services.records.business_records import load_record
from bonafide.services.risk.record_rating import CheckFacts, record_check
from bonafide.store.cases import accepted_discrepancies
from bonafide.store.cases.accepted_discrepancies import StoredAcceptance
from bonafide.store.database.engine import Connection
from bonafide.store.records import verifications
from bonafide.store.tenants import audit_log
from bonafide.store.work.pending_key import complete_key

ACCEPTED, REVOKED = "discrepancy.accepted", "discrepancy.acceptance_revoked"
"""The fields of audit entries, whose subject is the verification."""


async def read_discrepancies(runtime: Runtime, organization_id: UUID, verification_id: UUID) -> VerificationDiscrepancyList:
    """The discrepancies of a completed verification with the decisions about them. Raises `NotFound`, and `Conflict` before."""
    async with runtime.store.read() as connection:
        document = await _load_document(connection, organization_id, verification_id)
        return _build_list(document, await _load_decisions(connection, organization_id, verification_id))


async def list_decisions(runtime: Runtime, organization_id: UUID, document: VerifyResponse) -> VerificationDiscrepancyList:
    """The discrepancies of a stored result with the decisions about them."""
    async with runtime.store.read() as connection:
        return _build_list(document, await _load_decisions(connection, organization_id, document.meta.verification_id))


async def list_reasons(runtime: Runtime, organization_id: UUID) -> list[ReasonCode]:
    """The reasons with which a discrepancy can be accepted: those of a decision to approve."""
    return (await read_settings(runtime, organization_id)).cases.list_reasons(CaseDecisionKind.APPROVE)


async def accept_discrepancy(
    runtime: Runtime, organization_id: UUID, verification_id: UUID, field: str, request: AcceptanceRequest, author: Author
) -> VerificationDiscrepancyList:
    """Accept a discrepancy.

    Raises `NotFound` for a field without a discrepancy, `ValidationFailed` for a reason that a decision to approve can't have, and
    `Conflict` if somebody has accepted it already, or the verification is not completed.
    """
    settings = (await read_settings(runtime, organization_id)).cases
    reason = settings.get_reason(request.reason_code, CaseDecisionKind.APPROVE)
    async with runtime.store.write() as connection:
        ledger = await audit_log.lock_head(connection, organization_id)
        document = await _load_document(connection, organization_id, verification_id)
        decisions = await _load_decisions(connection, organization_id, verification_id)
        held = _find_held(document, decisions, field)
        if held is not None:
            when = format_instant(held.accepted_at)
            raise Conflict(Message("{who} accepted this discrepancy on {when}.", who=held.accepted_by, when=when))
        accepted = AcceptedDiscrepancy(
            id=uuid4(),
            field=field,
            reason_code=reason.code,
            reason_title=reason.title,
            note=request.note,
            accepted_at=ledger.next_instant(runtime.clock()),
            accepted_by=author.actor,
        )
        row = StoredAcceptance(accepted.id, verification_id, field, accepted.accepted_at, None, accepted.to_stored().to_text())
        await accepted_discrepancies.add(connection, organization_id, row)
        described = accepted.model_dump(mode="json", by_alias=True, exclude_none=True)
        change = audit_log.AuditChange(verification_id, accepted.accepted_at, author, [FieldChange(ACCEPTED, None, described)])
        await audit_log.record_change(connection, organization_id, ledger, change)
        after = _build_list(document, [*decisions, accepted])
        record, rated = await _update_record(runtime, connection, organization_id, after, document, author)
        data = DiscrepancyAcceptedData(
            verification_id=verification_id,
            field=field,
            reason_code=reason.code,
            open_count=after.open_count,
            changed_by=author.actor,
        )
        await complete_key(connection, after)
        event = _build_event(EventType.ACCEPTANCE_CREATED, document, record, data)
        await record_events(connection, organization_id, [event, *rated], accepted.accepted_at)
    return after


async def revoke_acceptance(
    runtime: Runtime, organization_id: UUID, verification_id: UUID, field: str, request: AcceptanceRevocation, author: Author
) -> VerificationDiscrepancyList:
    """Revoke the decision to accept a discrepancy. Raises `NotFound` for a field without one, and `Conflict` if it is open."""
    async with runtime.store.write() as connection:
        ledger = await audit_log.lock_head(connection, organization_id)
        document = await _load_document(connection, organization_id, verification_id)
        decisions = await _load_decisions(connection, organization_id, verification_id)
        held = _find_held(document, decisions, field)
        if held is None:
            raise Conflict(Message("This discrepancy is not accepted."))
        at = ledger.next_instant(runtime.clock())
        update = {"revoked_at": at, "revoked_by": author.actor, "revocation_note": request.note}
        revoked = held.model_copy(update=update)
        await accepted_discrepancies.revoke(connection, organization_id, held.id, revoked.to_stored().to_text(), at)
        described: dict[str, JsonValue] = {"id": str(held.id), "field": field, "note": request.note}
        change = audit_log.AuditChange(verification_id, at, author, [FieldChange(REVOKED, None, described)])
        await audit_log.record_change(connection, organization_id, ledger, change)
        after = _build_list(document, [revoked if one.id == held.id else one for one in decisions])
        record, rated = await _update_record(runtime, connection, organization_id, after, document, author)
        data = AcceptanceRevokedData(
            verification_id=verification_id, field=field, open_count=after.open_count, changed_by=author.actor
        )
        await complete_key(connection, after)
        event = _build_event(EventType.ACCEPTANCE_REVOKED, document, record, data)
        await record_events(connection, organization_id, [event, *rated], at)
    return after


async def load_accepted(connection: Connection, organization_id: UUID, verification_id: UUID) -> tuple[AcceptedDiscrepancy, ...]:
    """The decisions about a verification that hold, oldest first."""
    return tuple(map(_parse_decision, await accepted_discrepancies.list_held(connection, organization_id, verification_id)))


async def _load_document(connection: Connection, organization_id: UUID, verification_id: UUID) -> VerifyResponse:
    stored = await verifications.get_document(connection, organization_id, verification_id)
    if stored is not None:
        return stored.parse(VerifyResponse)
    if await verifications.get(connection, organization_id, verification_id) is None:
        raise NotFound(Message("We couldn’t find that verification."))
    raise Conflict(Message("The verification has no result, so it has no discrepancies."))


async def _load_decisions(connection: Connection, organization_id: UUID, verification_id: UUID) -> list[AcceptedDiscrepancy]:
    return list(
        map(_parse_decision, await accepted_discrepancies.list_for_verification(connection, organization_id, verification_id))
    )


def _parse_decision(text: str) -> AcceptedDiscrepancy:
    return StoredDocument.from_text(text).parse(AcceptedDiscrepancy)


def _find_held(document: VerifyResponse, decisions: Sequence[AcceptedDiscrepancy], field: str) -> AcceptedDiscrepancy | None:
    """The decision about a field that holds; None without one. Raises `NotFound` for a field without a discrepancy."""
    known = list_discrepancies(document)
    if field not in known:
        raise NotFound(_describe_known(known))
    return _find_accepted(decisions, field)


def _find_accepted(decisions: Sequence[AcceptedDiscrepancy], field: str) -> AcceptedDiscrepancy | None:
    return next((one for one in decisions if one.field == field and one.revoked_at is None), None)


def _describe_known(known: Sequence[str]) -> Message:
    if not known:
        return Message("The verification has no discrepancies.")
    return Message("The verification has no such discrepancy. Its discrepancies are: {fields}", fields=join_values(known))


def _build_list(document: VerifyResponse, decisions: Sequence[AcceptedDiscrepancy]) -> VerificationDiscrepancyList:
    listed = tuple(
        VerificationDiscrepancy(
            field=field,
            accepted=_find_accepted(decisions, field),
            history=tuple(one for one in decisions if one.field == field and one.revoked_at is not None),
        )
        for field in list_discrepancies(document)
    )
    return VerificationDiscrepancyList(
        verification_id=document.meta.verification_id,
        open_count=sum(one.accepted is None for one in listed),
        discrepancies=listed,
    )


async def _update_record(
    runtime: Runtime,
    connection: Connection,
    organization_id: UUID,
    after: VerificationDiscrepancyList,
    document: VerifyResponse,
    author: Author,
) -> tuple[BusinessRecord | None, list[NewEvent]]:
    """Set whether the record of the verification has unresolved discrepancies, if that is its latest one, and rate it again.

    Returns the record and the events of the rating.
    """
    business_id = document.meta.business_id
    if business_id is None:
        return None, []
    with suppress(NotFound):
        record = await load_record(connection, organization_id, business_id, None)
        if record.latest_verification_id != document.meta.verification_id:
            return record, []
        fields = SystemFields(has_unresolved_discrepancies=after.open_count > 0)
        checks = [CheckFacts(build_acceptance_facts(document, after.open_count), ACCEPTANCE_PATHS)]
        return await record_check(connection, organization_id, business_id, fields, checks, author, runtime.clock())
    return None, []


def _build_event(
    event_type: EventType,
    document: VerifyResponse,
    record: BusinessRecord | None,
    data: DiscrepancyAcceptedData | AcceptanceRevokedData,
) -> NewEvent:
    meta = document.meta
    claim = meta.submitted
    return NewEvent(
        event_type,
        EventSubject(
            kind=EventSubjectKind.VERIFICATION,
            id=meta.verification_id,
            name=claim.legal_name,
            jurisdiction=claim.jurisdiction,
            registration_number=claim.registration_number,
        ),
        data,
        business=EventBusiness.from_record(record) if record is not None else None,
        resource=f"/v1/verify/{meta.verification_id}",
    )
