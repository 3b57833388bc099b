"""The job of a verification, one step at a time: use a recent report, query the register, or retry later.

Whoever asks a register for a registration does it for all of the organization's verifications that wait for it: they use its
report, or what it came to instead. No transaction is open while anything is looked up; every step may be done twice.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import UUID

from bonafide.errors import SourceError, SourceNotFound
from bonafide.model.base import Document
from bonafide.model.verification.registry_report import RegistryReport
from bonafide.model.verification.results import VerificationState
from bonafide.runtime import Runtime
from bonafide.services.lookup.registration_lookup import NotInPartialData
from bonafide.services.reports.business_reports import find_recent_report, obtain_report
from bonafide.services.verification.completion import (
    build_verification_response,
    explain_failure,
    explain_timeout,
    store_failure,
    store_response,
)
from bonafide.services.verification.spec import Verification
from bonafide.store.records import verifications
from bonafide.store.work import registry_lookup_locks

LOCK_DURATION = timedelta(seconds=60)
"""For which a look-up is one verification's: longer than the slowest register with all its calls. Its own worker's successor need
not wait for the end of it."""
POLL_INTERVAL = timedelta(milliseconds=200)
"""How often those who wait for another's look-up see whether it is over."""
FIRST_PAUSE = timedelta(seconds=1)
LONGEST_PAUSE = timedelta(seconds=30)
MAX_DOUBLINGS = 5
"""From the first pause past the longest."""


class RegistryLookupOutcome(Document):
    """What a look-up came to that brought no report."""

    is_missing: bool
    """Whether the register says that it has no such number; otherwise it could not be looked at."""
    reason: str


@dataclass(frozen=True, slots=True)
class _LookupLock:
    """The look-up is ours to make; the register has put it off so many times before."""

    refusals: int


async def run_step(runtime: Runtime, organization_id: UUID, verification_id: UUID) -> datetime | None:
    """Bring a verification as far as it can be brought now; returns when to come back, None when it is over."""
    async with runtime.store.read() as connection:
        row = await verifications.get(connection, organization_id, verification_id)
    if row is None or row.finished_at is not None:
        return None
    verification = Verification.of(row)
    if verification.deadline_at <= runtime.clock():
        await _fail(runtime, verification, explain_timeout(runtime, verification, row.reason))
        return None
    if await _complete_from_known(runtime, verification):
        return None
    turn = await _acquire_lookup(runtime, verification)
    if not isinstance(turn, _LookupLock):
        return min(turn, verification.deadline_at)
    # Between the first look and our turn another may have finished.
    if await _complete_from_known(runtime, verification):
        async with runtime.store.write() as connection:
            await registry_lookup_locks.release(
                connection, organization_id, verification.wanted.key, verification.id, runtime.clock()
            )
        return None
    return await _query_registry(runtime, verification, turn)


async def _complete_from_known(runtime: Runtime, verification: Verification) -> bool:
    """Whether a recent report, or what somebody else's look-up came to since this was asked for, was enough to end it."""
    report = await find_recent_report(runtime, verification.wanted, verification.recent_since(runtime))
    if report is not None:
        await _complete(runtime, verification, report)
        return True
    async with runtime.store.read() as connection:
        fetch = await registry_lookup_locks.get(connection, verification.organization_id, verification.wanted.key)
    if fetch is None or fetch.ended_at is None or fetch.ending is None or fetch.ended_at < verification.created_at:
        return False
    await _apply_outcome(runtime, verification, RegistryLookupOutcome.model_validate_json(fetch.ending))
    return True


async def _acquire_lookup(runtime: Runtime, verification: Verification) -> _LookupLock | datetime:
    """The right to ask the register, or when to see about it again."""
    organization_id, key, now = verification.organization_id, verification.wanted.key, runtime.clock()
    async with runtime.store.write() as connection:
        held = await registry_lookup_locks.acquire(connection, organization_id, key, verification.id, now, now + LOCK_DURATION)
        fetch = await registry_lookup_locks.get(connection, organization_id, key)
        assert fetch is not None  # noqa: S101 - it was taken, or is another's
        is_put_off = not held and fetch.holder is None
        state = VerificationState.WAITING_FOR_REGISTRY if is_put_off else VerificationState.PROCESSING
        await verifications.set_state(connection, organization_id, verification.id, state, fetch.ending if is_put_off else None)
    if held:
        return _LookupLock(fetch.refusals)
    return fetch.expires_at if is_put_off else now + POLL_INTERVAL


async def _query_registry(runtime: Runtime, verification: Verification, turn: _LookupLock) -> datetime | None:
    """Ask the register, for all who wait. They are told before this verification ends: if we die then, its end is left to do."""
    try:
        report = await obtain_report(runtime, verification.wanted)
    except SourceError as error:
        if error.retryable:
            return await _defer_lookup(runtime, verification, turn, error)
        is_missing = isinstance(error, SourceNotFound) and not isinstance(error, NotInPartialData)
        ending = RegistryLookupOutcome(is_missing=is_missing, reason=error.message)
        await _release_lookup(runtime, verification, ending)
        await _apply_outcome(runtime, verification, ending)
    else:
        await _release_lookup(runtime, verification, None)
        await _complete(runtime, verification, report)
    return None


async def _defer_lookup(runtime: Runtime, verification: Verification, turn: _LookupLock, error: SourceError) -> datetime:
    """The register is to be left alone for a while: as long as it asks for, or longer each time."""
    until = runtime.clock() + _compute_pause(turn.refusals, error.retry_after_s)
    organization_id, key = verification.organization_id, verification.wanted.key
    waiting = VerificationState.WAITING_FOR_REGISTRY
    async with runtime.store.write() as connection:
        await verifications.set_state(connection, organization_id, verification.id, waiting, error.message)
        await registry_lookup_locks.defer(connection, organization_id, key, verification.id, until, error.message)
    return min(until, verification.deadline_at)


def _compute_pause(refusals: int, asked_s: float | None) -> timedelta:
    if asked_s is not None:
        return max(timedelta(seconds=asked_s), POLL_INTERVAL)
    return min(FIRST_PAUSE * (1 << min(refusals, MAX_DOUBLINGS)), LONGEST_PAUSE)


# ------------------------------------------------------------------------------------------------------------ endings


async def _complete(runtime: Runtime, verification: Verification, report: RegistryReport | None) -> None:
    document = await build_verification_response(runtime, verification, report)
    async with runtime.store.write() as connection:
        await store_response(runtime, connection, verification, document)


async def _apply_outcome(runtime: Runtime, verification: Verification, ending: RegistryLookupOutcome) -> None:
    if ending.is_missing:
        await _complete(runtime, verification, None)
    else:
        await _fail(runtime, verification, explain_failure(runtime, verification, ending.reason))


async def _fail(runtime: Runtime, verification: Verification, reason: str) -> None:
    async with runtime.store.write() as connection:
        await store_failure(runtime, connection, verification, reason)


async def _release_lookup(runtime: Runtime, verification: Verification, ending: RegistryLookupOutcome | None) -> None:
    """Give up the right to ask, and leave what it came to for those who wait."""
    text = ending.to_json() if ending is not None else None
    async with runtime.store.write() as connection:
        await registry_lookup_locks.complete(
            connection, verification.organization_id, verification.wanted.key, verification.id, runtime.clock(), text
        )
