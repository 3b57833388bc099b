"""Record what a person has seen in a register.

A business that was found becomes a business report with the route `manual`, whose evidence is the uploaded page or extract. The
file of the evidence is stored first, then the report, the result, the audit entry and the events in one transaction.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from uuid import UUID

from bonafide.errors import Conflict, NotFound, ValidationFailed
from bonafide.i18n.message import Message
from bonafide.model.entity import StatusCode
from bonafide.model.events.event import NewEvent
from bonafide.model.loading import ManualOrigin
from bonafide.model.manual_checks.manual_check import (
    ManualCheck,
    ManualCheckResult,
    ManualCheckStatus,
    SeenPerson,
)
from bonafide.model.manual_checks.requests import ManualCheckResultRequest
from bonafide.model.records.business_record import Author, FieldChange
from bonafide.model.verification.registry_report import RegistryReport
from bonafide.runtime import Runtime
from bonafide.services.accounts.organizations import read_settings
from bonafide.services.events.recording import record_events
from bonafide.services.lookup.registration_lookup import RegistrationResult
from bonafide.services.manual_checks.answers import build_seen_entry, describe_seen
from bonafide.services.manual_checks.attachments import read_check_file
from bonafide.services.manual_checks.check_rows import COMPLETED, build_completed_event, parse_content
from bonafide.services.manual_checks.opening import get_number_key
from bonafide.services.manual_checks.reading import load_check, load_check_row
from bonafide.services.manual_checks.requests import require_undone
from bonafide.services.records.uploads import record_files
from bonafide.services.reports.business_reports import (
    EvidenceContent,
    build_evidence_name,
    build_ready_event,
    build_report,
    store_evidence,
)
from bonafide.sources.framework.discovery import Source
from bonafide.sources.framework.live import RegistrationQuery
from bonafide.store.cases import manual_checks
from bonafide.store.cases.manual_checks import StoredManualCheck
from bonafide.store.database.engine import Connection
from bonafide.store.records import registry_lookups
from bonafide.store.tenants import audit_log
from bonafide.store.work.pending_key import complete_key

CLOCK_DIFFERENCE = timedelta(minutes=5)
"""How far ahead of this machine's clock the time at which a person looked may be."""


@dataclass(frozen=True, slots=True)
class _PreparedResult:
    """A result with its report and the evidence of that, before anything is stored."""

    result: ManualCheckResult
    report: RegistryReport | None
    evidence: tuple[EvidenceContent, ...] = ()


async def record_result(
    runtime: Runtime, organization_id: UUID, check_id: UUID, request: ManualCheckResultRequest, author: Author
) -> ManualCheck:
    """Record what a person has seen. The check is done with it, also one that was cancelled.

    Raises `NotFound`, `Conflict` if it has a result already or its source no longer exists, `ValidationFailed` for a time that is
    in the future or too long ago and for an unknown attachment, and `ServerBusy`.
    """
    async with runtime.store.read() as connection:
        row = await load_check_row(connection, organization_id, check_id)
    require_undone(row)
    prepared = await _prepare(runtime, organization_id, row, request, author)
    report, evidence = prepared.report, prepared.evidence
    if report is not None:
        report = await store_evidence(runtime, organization_id, report, evidence)
    names = [build_evidence_name(report.report_id, number) for number in range(len(evidence))] if report is not None else []
    async with record_files(runtime, organization_id, names) as connection:
        return await _store_result(runtime, connection, organization_id, check_id, replace(prepared, report=report), author)


async def _store_result(
    runtime: Runtime, connection: Connection, organization_id: UUID, check_id: UUID, prepared: _PreparedResult, author: Author
) -> ManualCheck:
    ledger = await audit_log.lock_head(connection, organization_id)
    row = await load_check_row(connection, organization_id, check_id)
    require_undone(row)
    at = ledger.next_instant(runtime.clock())
    result = prepared.result.model_copy(update={"recorded_at": at})
    done = _complete_row(row, result, at)
    await manual_checks.replace(connection, organization_id, done)
    events: list[NewEvent] = [build_completed_event(done)]
    if prepared.report is not None:
        key = get_number_key(result.registration_number)
        assert key is not None  # noqa: S101 - `_prepare` has checked it
        registration = registry_lookups.RegistrationKey(row.jurisdiction, done.number if done.number is not None else key)
        report = prepared.report
        extract = registry_lookups.NewExtract(report.report_id, registration, report.obtained_at, report.to_stored())
        await registry_lookups.insert_extract(connection, organization_id, extract)
        events.append(build_ready_event(report))
    described = result.model_dump(mode="json", by_alias=True)
    change = audit_log.AuditChange(check_id, at, author, [FieldChange(COMPLETED, {"status": row.status.value}, described)])
    await audit_log.record_change(connection, organization_id, ledger, change)
    check = await load_check(runtime, connection, organization_id, done)
    await complete_key(connection, check)
    await record_events(connection, organization_id, events, at)
    return check


def _complete_row(row: StoredManualCheck, result: ManualCheckResult, at: datetime) -> StoredManualCheck:
    return replace(
        row,
        status=ManualCheckStatus.DONE,
        seen_number=get_number_key(result.registration_number),
        closed_at=at,
        seen_at=result.retrieved_at,
        expires_at=result.expires_at,
        renew_at=result.expires_at if row.business_id is not None else None,
        updated_at=at,
        document=parse_content(row).model_copy(update={"result": result}).to_json(),
    )


# ------------------------------------------------------------------------------------------------------------ preparing


async def _prepare(
    runtime: Runtime, organization_id: UUID, row: StoredManualCheck, request: ManualCheckResultRequest, author: Author
) -> _PreparedResult:
    now, source = runtime.clock(), runtime.sources.get(row.source)
    if source is None:
        raise Conflict(Message("This installation no longer has the source {source}.", source=row.source))
    seen_at = request.retrieved_at if request.retrieved_at is not None else now
    if seen_at > now + CLOCK_DIFFERENCE:
        raise ValidationFailed.of_field("retrievedAt", Message("must not be in the future"))
    expires_at = await _compute_expiry(runtime, organization_id, source, seen_at)
    if expires_at is not None and expires_at <= now:
        raise ValidationFailed.of_field("retrievedAt", Message("is so long ago that the result would be too old to be used"))
    if request.found and get_number_key(request.registration_number) is None:
        raise ValidationFailed.of_field("registrationNumber", Message("must contain the digits or letters of a number"))
    attachment, content = None, None
    if request.attachment_id is not None:
        try:
            attachment, content = await read_check_file(runtime, organization_id, row.id, request.attachment_id)
        except NotFound:
            message = Message("is not the ID of an attachment of this manual check")
            raise ValidationFailed.of_field("attachmentId", message) from None
    result = ManualCheckResult(
        found=request.found,
        name=request.name,
        registration_number=request.registration_number,
        status=request.status,
        status_code=_choose_status_code(source.metadata.statuses, request),
        people=tuple(SeenPerson(name=person.name, roles=person.all_roles) for person in request.people),
        address=request.address.as_address() if request.address is not None and not request.address.is_empty else None,
        record_type=request.record_type,
        note=request.note,
        retrieved_at=seen_at,
        seen_by=author.actor,
        recorded_at=now,
        expires_at=expires_at,
        report_id=None,
        attachment=attachment,
    )
    if not request.found:
        return _PreparedResult(result, None)
    report = _build_report(runtime, source, row, result)
    result = result.model_copy(update={"report_id": report.report_id})
    return _PreparedResult(result, report, _list_evidence(row, result, content))


async def _compute_expiry(runtime: Runtime, organization_id: UUID, source: Source, seen_at: datetime) -> datetime | None:
    """When a result becomes too old: by the limit of the source's data, or else by that of verifications."""
    days = source.metadata.max_age_days
    if days is None:
        days = (await read_settings(runtime, organization_id)).monitoring.verification_max_age_days
    return seen_at + timedelta(days=days) if days is not None else None


def _choose_status_code(known: Mapping[str, StatusCode], request: ManualCheckResultRequest) -> StatusCode:
    """The code that was sent, or else that of the words of the status."""
    if request.status_code is not None:
        return request.status_code
    words = request.status.casefold() if request.status is not None else ""
    by_words = {text.casefold(): code for text, code in known.items()}
    if words in by_words:
        return by_words[words]
    return next((code for code in StatusCode if code.value == words.replace(" ", "_")), StatusCode.UNKNOWN)


def _build_report(runtime: Runtime, source: Source, row: StoredManualCheck, result: ManualCheckResult) -> RegistryReport:
    entry = build_seen_entry(source, row, result)
    wanted = parse_content(row).registration_number
    assert result.registration_number is not None  # noqa: S101 - required for a business that was found
    registration = RegistrationQuery(row.jurisdiction, wanted if wanted is not None else result.registration_number)
    extraction = RegistrationResult(entry, source, ManualOrigin(result.retrieved_at), (), (describe_seen(result),))
    return build_report(runtime, registration, extraction)


def _list_evidence(row: StoredManualCheck, result: ManualCheckResult, content: bytes | None) -> tuple[EvidenceContent, ...]:
    """The uploaded file, if there is one, as the evidence of the report."""
    attachment = result.attachment
    if attachment is None or content is None:
        return ()
    media_type = attachment.media_type.value
    return (EvidenceContent(content, parse_content(row).url, None, media_type, result.retrieved_at),)
