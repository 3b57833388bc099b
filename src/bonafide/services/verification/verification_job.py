"""The job of a verification, one step at a time: use a recent report, query the register, or retry later.

A verification that queries a register does so for all of the organization's verifications that wait for the same registration:
they use its report, or its outcome. No transaction is open while the register is queried; every step may be repeated.
"""

from datetime import datetime, timedelta
from uuid import UUID

from bonafide.errors import SourceError, SourceNotFound
from bonafide.i18n.message import Message, decode_message, encode_message
from bonafide.model.base import Document, StoredDocument
from bonafide.model.verification.registry_report import RegistryReport
from bonafide.model.verification.results import VerificationState
from bonafide.runtime import Runtime
from bonafide.services.lookup.registration_lookup import NotInPartialData
from bonafide.services.manual_checks.answers import find_manual_answer
from bonafide.services.reports.business_reports import find_recent_report, obtain_report
from bonafide.services.verification.completion import (
    build_verification_response,
    explain_failure,
    explain_timeout,
    fail_verification,
    store_response,
)
from bonafide.services.verification.spec import Verification
from bonafide.store.records import registry_lookups, verifications
from bonafide.store.records.registry_lookups import RegistryLookupLock

LOCK_DURATION = timedelta(seconds=60)
"""How long a verification holds the lock on a look-up: longer than the slowest register with all its calls."""
POLL_INTERVAL = timedelta(milliseconds=200)
"""How often verifications that wait for another's look-up check whether it has ended."""
FIRST_PAUSE = timedelta(seconds=1)
LONGEST_PAUSE = timedelta(seconds=30)
MAX_DOUBLINGS = 5
"""Doublings after which the pause reaches the longest one."""


class RegistryLookupOutcome(Document):
    """The outcome of a look-up that returned no report."""

    is_missing: bool
    """Whether the register does not have the number; otherwise it could not be queried."""
    reason: Message


async def run_step(runtime: Runtime, organization_id: UUID, verification_id: UUID) -> datetime | None:
    """Advance a verification as far as possible now. Returns when to continue, None when it is finished."""
    async with runtime.store.read() as connection:
        row = await verifications.get(connection, organization_id, verification_id)
    if row is None or row.finished_at is not None:
        return None
    verification = Verification.from_row(row)
    if verification.deadline_at <= runtime.clock():
        await fail_verification(runtime, verification, explain_timeout(runtime, verification, row.reason))
        return None
    if await _complete_from_known(runtime, verification):
        return None
    lock = await _acquire_lookup(runtime, verification)
    if lock.holder != verification.id:
        # The register requested a pause until the lock expires, or another verification queries it.
        retry_at = lock.expires_at if lock.holder is None else runtime.clock() + POLL_INTERVAL
        return min(retry_at, verification.deadline_at)
    # Another verification may have finished between the first check and acquiring the lock.
    if await _complete_from_known(runtime, verification):
        async with runtime.store.write() as connection:
            key = verification.report_subject.key
            await registry_lookups.release_lock(connection, organization_id, key, verification.id, runtime.clock())
        return None
    return await _query_registry(runtime, verification, lock.refusals)


async def _complete_from_known(runtime: Runtime, verification: Verification) -> bool:
    """Finish from a recent report, or from the outcome of another's look-up since this verification was created, if possible."""
    subject = verification.report_subject
    report = await find_recent_report(runtime, subject, verification.compute_report_cutoff(runtime))
    if report is not None:
        await _finish(runtime, verification, report)
        return True
    async with runtime.store.read() as connection:
        lock = await registry_lookups.get_lock(connection, verification.organization_id, subject.key)
    if lock is None or lock.ended_at is None or lock.ending is None or lock.ended_at < verification.created_at:
        return False
    await _finish(runtime, verification, StoredDocument.from_text(lock.ending).parse(RegistryLookupOutcome))
    return True


async def _acquire_lookup(runtime: Runtime, verification: Verification) -> RegistryLookupLock:
    """Try to lock the look-up, and store the resulting state of the verification. Returns the lock, whoever holds it."""
    organization_id, key, now = verification.organization_id, verification.report_subject.key, runtime.clock()
    async with runtime.store.write() as connection:
        is_acquired = await registry_lookups.acquire_lock(
            connection, organization_id, key, verification.id, now, now + LOCK_DURATION
        )
        lock = await registry_lookups.get_lock(connection, organization_id, key)
        assert lock is not None  # noqa: S101 - it was acquired, or is another's
        is_deferred = not is_acquired and lock.holder is None
        reason = decode_message(lock.ending) if is_deferred and lock.ending is not None else None
        state = VerificationState.WAITING_FOR_REGISTRY if is_deferred else VerificationState.PROCESSING
        await verifications.set_state(connection, organization_id, verification.id, state, reason)
    return lock


async def _query_registry(runtime: Runtime, verification: Verification, refusals: int) -> datetime | None:
    """Query the register for all verifications that wait.

    The outcome is stored for the others before this verification ends: if this process dies in between, only its end is left.
    """
    result: RegistryReport | RegistryLookupOutcome
    try:
        result = await obtain_report(runtime, verification.report_subject)
    except SourceError as error:
        if error.is_retryable:
            return await _defer_lookup(runtime, verification, refusals, error)
        is_missing = isinstance(error, SourceNotFound) and not isinstance(error, NotInPartialData)
        result = RegistryLookupOutcome(is_missing=is_missing, reason=error.message)
    ending = result.to_stored().to_text() if isinstance(result, RegistryLookupOutcome) else None
    organization_id, key = verification.organization_id, verification.report_subject.key
    async with runtime.store.write() as connection:
        await registry_lookups.complete_lookup(connection, organization_id, key, verification.id, runtime.clock(), ending)
    await _finish(runtime, verification, result)
    return None


async def _defer_lookup(runtime: Runtime, verification: Verification, refusals: int, error: SourceError) -> datetime:
    """Defer all queries of the register to the time that it requested; without one, the delay doubles each time."""
    until = runtime.clock() + _compute_pause(refusals, error.retry_after_s)
    organization_id, key = verification.organization_id, verification.report_subject.key
    waiting = VerificationState.WAITING_FOR_REGISTRY
    async with runtime.store.write() as connection:
        await verifications.set_state(connection, organization_id, verification.id, waiting, error.message)
        await registry_lookups.defer_lookup(connection, organization_id, key, verification.id, until, encode_message(error.message))
    return min(until, verification.deadline_at)


def _compute_pause(refusals: int, retry_after_s: float | None) -> timedelta:
    if retry_after_s is not None:
        return max(timedelta(seconds=retry_after_s), POLL_INTERVAL)
    return min(FIRST_PAUSE * (1 << min(refusals, MAX_DOUBLINGS)), LONGEST_PAUSE)


async def _finish(runtime: Runtime, verification: Verification, result: RegistryReport | RegistryLookupOutcome) -> None:
    """Complete a verification with a report, or with the result that the number is not registered.

    If no program could query the register, what a person has seen is used. Without that, the verification fails.
    """
    report, manual_check = result if isinstance(result, RegistryReport) else None, None
    if isinstance(result, RegistryLookupOutcome) and not result.is_missing:
        answer = await find_manual_answer(runtime, verification.organization_id, verification.report_subject.registration)
        if answer is None:
            reason = explain_failure(runtime, verification, result.reason)
            await fail_verification(runtime, verification, reason, needs_person=True)
            return
        report, manual_check = answer.report, answer.evidence
    document = await build_verification_response(runtime, verification, report, manual_check)
    async with runtime.store.write() as connection:
        await store_response(runtime, connection, verification, document)
