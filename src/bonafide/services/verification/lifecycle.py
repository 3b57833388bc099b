"""Create, answer, list, read and expire verifications.

The row and its job are written in one transaction. The job runs in `verification_job` and ends in `completion`.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import UUID, uuid4

from bonafide.errors import NotFound
from bonafide.i18n.catalog import get_translator
from bonafide.i18n.language import Language
from bonafide.i18n.message import Message
from bonafide.model.accounts.organizations import Principal
from bonafide.model.base import StoredDocument
from bonafide.model.manual_checks.manual_check import ManualCheckEvidence
from bonafide.model.records.business_record import FeedPosition
from bonafide.model.verification.acceptance import AcceptedDiscrepancy
from bonafide.model.verification.registry_report import RegistryReport
from bonafide.model.verification.requests import VerifyRequest
from bonafide.model.verification.results import (
    ResultStatus,
    Subject,
    VerificationDocument,
    VerificationFailed,
    VerificationPending,
    VerificationState,
    VerifyResponse,
)
from bonafide.runtime import Runtime
from bonafide.services.jobs.queue import JobContext, check_backlog
from bonafide.services.lookup.registration_lookup import is_live_lookup_available
from bonafide.services.manual_checks.answers import ManualAnswer, find_manual_answer
from bonafide.services.records.change_feed import decode_cursor, encode_cursor
from bonafide.services.reports.business_reports import REPORT_CACHE, build_loaded_report, find_recent_report
from bonafide.services.reports.signed_urls import renew_signed_urls
from bonafide.services.verification.acceptances import load_accepted
from bonafide.services.verification.completion import (
    build_verification_response,
    explain_timeout,
    fail_verification,
    store_response,
    translate_summary,
)
from bonafide.services.verification.spec import Verification, VerificationRequester, VerificationSpec, prepare_verification
from bonafide.store.cases import accepted_discrepancies
from bonafide.store.database.engine import Connection
from bonafide.store.records import verifications
from bonafide.store.records.businesses import build_search_text
from bonafide.store.records.verifications import ALL_VERIFICATIONS, VerificationFilter
from bonafide.store.work import jobs
from bonafide.store.work.pending_key import complete_key

VERIFY_JOB = "verify"
MAX_ATTEMPTS = 20
"""Attempts of a job whose worker dies; usually the deadline is reached first."""
SWEEP_LIMIT = 100
"""Overdue verifications that one sweep ends."""
_ENGLISH_SUMMARY = f'"summaryLanguage":"{Language.ENGLISH}"'
"""In a stored document whose summary is in English: quotation marks within its texts are escaped."""


@dataclass(frozen=True, slots=True)
class VerificationReply:
    """The response; `pending` until a worker has completed the verification."""

    verification_id: UUID
    document: VerificationDocument
    pending: bool


async def create_verification(
    runtime: Runtime, principal: Principal, request: VerifyRequest, requester: VerificationRequester
) -> VerificationReply:
    """Verify from a recent report, or enqueue a job that obtains one.

    Raises `NotFound` for an unknown business reference, and `ValidationFailed`.
    """
    spec, now = await prepare_verification(runtime, principal, request, requester), runtime.clock()
    deadline = now + timedelta(seconds=runtime.settings.verification_deadline_s)
    verification = Verification(principal.organization_id, uuid4(), spec, now, deadline)
    report = await _find_available_report(runtime, verification)
    if report is not None:
        return await _complete_immediately(runtime, verification, report)
    answer = await _find_available_answer(runtime, verification)
    if answer is not None:
        return await _complete_immediately(runtime, verification, answer.report, answer.evidence)
    await check_backlog(runtime, verification.organization_id, VERIFY_JOB)
    reply = VerificationReply(verification.id, _build_pending_document(verification.id, VerificationState.PENDING), pending=True)
    async with runtime.store.write() as connection:
        job = jobs.NewJob(VERIFY_JOB, str(verification.id), JobContext.current().to_json(), now, MAX_ATTEMPTS)
        await jobs.enqueue(connection, verification.organization_id, job)
        await _insert_verification(connection, verification)
        await complete_key(connection, reply)
    return reply


async def _find_available_report(runtime: Runtime, verification: Verification) -> RegistryReport | None:
    if verification.has_simulated_failure(runtime):
        return None
    since = verification.compute_report_cutoff(runtime)
    kept = await find_recent_report(runtime, verification.report_subject, since)
    runtime.metrics.count_cache(REPORT_CACHE, hit=kept is not None)
    return kept if kept is not None else await build_loaded_report(runtime, verification.report_subject, since)


async def _find_available_answer(runtime: Runtime, verification: Verification) -> ManualAnswer | None:
    """What a person has seen, if no program can query the register. One that can be queried may fail later (`verification_job`)."""
    spec = verification.spec
    if verification.has_simulated_failure(runtime) or is_live_lookup_available(runtime, spec.world, spec.subject.jurisdiction):
        return None
    return await find_manual_answer(runtime, verification.organization_id, verification.report_subject.registration)


async def _complete_immediately(
    runtime: Runtime,
    verification: Verification,
    report: RegistryReport | None,
    manual_check: ManualCheckEvidence | None = None,
) -> VerificationReply:
    document = await build_verification_response(runtime, verification, report, manual_check)
    reply = VerificationReply(verification.id, document, pending=False)
    async with runtime.store.write() as connection:
        await _insert_verification(connection, verification)
        await store_response(runtime, connection, verification, document)
        await complete_key(connection, reply)
    return reply


async def _insert_verification(connection: Connection, verification: Verification) -> None:
    subject = verification.spec.subject
    row = verifications.NewVerification(
        id=verification.id,
        request=verification.spec.to_json(),
        created_at=verification.created_at,
        deadline_at=verification.deadline_at,
        business_id=verification.spec.business_id,
        requested_by=verification.spec.asked_by.identity,
        jurisdiction=subject.jurisdiction,
        search_text=build_search_text(subject.registration_number, None, subject.legal_name),
    )
    await verifications.insert_pending(connection, verification.organization_id, row)


@dataclass(frozen=True, slots=True)
class WrittenVerification:
    """A verification's document as JSON text, and the language of its messages."""

    body: str
    language: Language


async def write_verification(
    runtime: Runtime, organization_id: UUID, verification_id: UUID, language: Language | None
) -> WrittenVerification:
    """The stored document in the language, or without one in the language of its summary; without a document, its state.

    A document that was summarized in English is returned as it is stored, without parsing; only the URL of the business report is
    signed again. Raises `NotFound`.
    """
    found, accepted = await _find_document(runtime, organization_id, verification_id)
    if not isinstance(found, StoredDocument):
        chosen = language if language is not None else Language.ENGLISH
        return WrittenVerification(found.to_json(get_translator(chosen)), chosen)
    found = renew_signed_urls(runtime, organization_id, found)
    is_summary_english = _ENGLISH_SUMMARY in found.body
    if is_summary_english and language in {None, Language.ENGLISH} and not accepted:
        return WrittenVerification(found.body, Language.ENGLISH)
    document = translate_summary(_add_accepted(found, accepted), language)
    written = document.results.summary_language
    return WrittenVerification(document.to_json(get_translator(written)), written)


async def read_verification(
    runtime: Runtime, organization_id: UUID, verification_id: UUID, language: Language | None = None
) -> VerificationDocument:
    """The stored document, with its summary in the given language, if any; without a document, the state.

    Raises `NotFound`.
    """
    found, accepted = await _find_document(runtime, organization_id, verification_id)
    return translate_summary(_add_accepted(found, accepted), language) if isinstance(found, StoredDocument) else found


def _add_accepted(stored: StoredDocument, accepted: tuple[AcceptedDiscrepancy, ...]) -> VerifyResponse:
    return stored.parse(VerifyResponse).model_copy(update={"accepted_discrepancies": accepted})


async def _find_document(
    runtime: Runtime, organization_id: UUID, verification_id: UUID
) -> tuple[StoredDocument | VerificationPending | VerificationFailed, tuple[AcceptedDiscrepancy, ...]]:
    """The stored document or the state, and the accepted discrepancies."""
    async with runtime.store.read() as connection:
        document = await verifications.get_document(connection, organization_id, verification_id)
        row = await verifications.get(connection, organization_id, verification_id) if document is None else None
        accepted = await load_accepted(connection, organization_id, verification_id) if document is not None else ()
    if document is not None:
        return document, accepted
    if row is None:
        raise NotFound(Message("We couldn’t find that verification."))
    if row.state is VerificationState.FAILED:
        return VerificationFailed(error=row.reason if row.reason is not None else Message("The verification failed.")), ()
    if is_overdue(row, runtime.clock()):
        # It has failed, but no worker has stored the failure yet.
        return VerificationFailed(error=explain_timeout(runtime, Verification.from_row(row), row.reason)), ()
    return _build_pending_document(row.id, row.state), ()


def is_overdue(row: verifications.StoredVerification, now: datetime) -> bool:
    """Whether its deadline passed before it was finished."""
    return row.finished_at is None and row.deadline_at <= now


def _build_pending_document(verification_id: UUID, state: VerificationState) -> VerificationPending:
    return VerificationPending.model_validate(
        {"status": state, "report_fetch_id": verification_id, "status_url": f"/v1/verify/{verification_id}"}
    )


async def fail_overdue(runtime: Runtime) -> int:
    """Fail every verification that was not finished by its deadline; returns how many."""
    now, failed = runtime.clock(), 0
    if not await verifications.is_any_overdue(runtime.store, now):
        return 0
    async with runtime.store.read() as connection:
        late = await verifications.list_overdue(connection, now, SWEEP_LIMIT)
    for row in late:
        verification = Verification.from_row(row)
        failed += await fail_verification(runtime, verification, explain_timeout(runtime, verification, row.reason))
    return failed


@dataclass(frozen=True, slots=True)
class VerificationListItem:
    """A verification in a list: the claim, who requested it, its state and, once completed, its result."""

    id: UUID
    subject: Subject
    asked_by: str
    asked_at: datetime
    state: VerificationState
    outcome: ResultStatus | None
    accepted: int = 0
    """Number of discrepancies that a person has accepted."""


@dataclass(frozen=True, slots=True)
class VerificationListPage:
    """A page of the list."""

    verifications: tuple[VerificationListItem, ...]
    older: str | None
    """The cursor of the next page; None on the last one."""


@dataclass(frozen=True, slots=True)
class VerificationDetail:
    """One verification: its specification, state, the reason for waiting or failing, and its document if it has one."""

    verification: Verification
    state: VerificationState
    reason: Message | None
    document: VerifyResponse | None


async def list_past_verifications(
    runtime: Runtime,
    organization_id: UUID,
    limit: int,
    chosen: VerificationFilter = ALL_VERIFICATIONS,
    cursor: str | None = None,
) -> VerificationListPage:
    """A page of the organization's verifications, newest first. Raises `ValidationFailed` for an invalid cursor."""
    place = decode_cursor(cursor) if cursor is not None else None
    async with runtime.store.read_lagging() as connection:
        found = await verifications.list_older(connection, organization_id, limit + 1, chosen, place)
        listed = found[:limit]
        accepted = await accepted_discrepancies.count_held(connection, organization_id, [row.id for row in listed])
    older = encode_cursor(FeedPosition(listed[-1].created_at, listed[-1].id)) if len(found) > limit else None
    now = runtime.clock()
    return VerificationListPage(tuple(_to_list_item(row, now, accepted.get(row.id, 0)) for row in listed), older)


async def read_verification_detail(
    runtime: Runtime, organization_id: UUID, verification_id: UUID, language: Language
) -> VerificationDetail:
    """One verification, its summary in the language. Raises `NotFound`."""
    async with runtime.store.read() as connection:
        row = await verifications.get(connection, organization_id, verification_id)
        document = await verifications.get_document(connection, organization_id, verification_id)
        accepted = await load_accepted(connection, organization_id, verification_id) if document is not None else ()
    if row is None:
        raise NotFound(Message("We couldn’t find that verification."))
    verification = Verification.from_row(row)
    if document is not None:
        response = translate_summary(_add_accepted(document, accepted), language)
        return VerificationDetail(verification, row.state, None, response)
    if is_overdue(row, runtime.clock()):
        reason = explain_timeout(runtime, verification, row.reason)
        return VerificationDetail(verification, VerificationState.FAILED, reason, None)
    return VerificationDetail(verification, row.state, row.reason, None)


def _to_list_item(row: verifications.StoredVerification, now: datetime, accepted: int) -> VerificationListItem:
    spec = VerificationSpec.model_validate_json(row.request)
    state = VerificationState.FAILED if is_overdue(row, now) else row.state
    return VerificationListItem(row.id, spec.subject, spec.asked_by.identity, row.created_at, state, row.outcome, accepted)
