"""Wait for results that a worker computes."""

import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import TypeVar
from uuid import UUID

import anyio

from bonafide_client.errors import VerificationNotMade, WaitTimedOut
from bonafide_client.models import Batch, Pack, SearchResult, VerificationFailed, VerificationPending, VerifyResponse
from bonafide_client.operations.batches import AsyncBatchesApi, BatchesApi
from bonafide_client.operations.examiners_packs import AsyncExaminersPacksApi, ExaminersPacksApi
from bonafide_client.operations.searches import AsyncSearchesApi, SearchesApi
from bonafide_client.operations.verifications import AsyncVerificationsApi, VerificationsApi

T = TypeVar("T")
DEFAULT_WAIT_S = 300.0
DEFAULT_BATCH_WAIT_S = 86_400.0
_LONGEST_INTERVAL_S = 5.0
_INTERVAL_GROWTH = 1.5


@dataclass(slots=True)
class PollSchedule:
    """The times at which a result is read again: soon at first, then every few seconds."""

    what: str
    timeout_s: float
    _interval_s: float = field(default=0.5, init=False)
    _started: float = field(default_factory=time.monotonic, init=False)

    def compute_wait(self) -> float:
        """The seconds until the next attempt. Raises `WaitTimedOut` when the time is over."""
        remaining_s = self._started + self.timeout_s - time.monotonic()
        if remaining_s <= 0:
            raise WaitTimedOut(f"{self.what} is not final after {self.timeout_s:g} s.")
        wait_s = min(self._interval_s, remaining_s)
        self._interval_s = min(self._interval_s * _INTERVAL_GROWTH, _LONGEST_INTERVAL_S)
        return wait_s


def poll(read: Callable[[], T], is_unfinished: Callable[[T], bool], schedule: PollSchedule) -> T:
    """Read until the result is final. Raises `WaitTimedOut`."""
    while is_unfinished(result := read()):
        time.sleep(schedule.compute_wait())
    return result


async def poll_async(read: Callable[[], Awaitable[T]], is_unfinished: Callable[[T], bool], schedule: PollSchedule) -> T:
    """As `poll`, in an event loop."""
    while True:
        result = await read()
        if not is_unfinished(result):
            return result
        await anyio.sleep(schedule.compute_wait())


class Waiting(BatchesApi, ExaminersPacksApi, SearchesApi, VerificationsApi):
    """Wait by polling, and block meanwhile."""

    def wait_for_search(self, search_id: UUID | str, *, timeout_s: float = DEFAULT_WAIT_S) -> SearchResult:
        """The result of a search when it is no longer `loading`. Check `meta.status`: it can be `error`.

        Raises `WaitTimedOut`.
        """
        schedule = PollSchedule(f"Search {search_id}", timeout_s)
        return poll(lambda: self.read_search(search_id), is_loading, schedule)

    def wait_for_verification(
        self, verification: VerificationPending | VerifyResponse | UUID | str, *, timeout_s: float = DEFAULT_WAIT_S
    ) -> VerifyResponse:
        """The result of a verification: pass what `verify_business` returned, or an ID.

        Raises `VerificationNotMade` if the verification failed, and `WaitTimedOut`.
        """
        if isinstance(verification, VerifyResponse):
            return verification
        verification_id = get_verification_id(verification)
        schedule = PollSchedule(f"Verification {verification_id}", timeout_s)
        return require_result(poll(lambda: self.read_verification(verification_id), is_pending, schedule))

    def wait_for_pack(self, pack_id: UUID | str, *, timeout_s: float = DEFAULT_WAIT_S) -> Pack:
        """An examiner's pack when it is no longer being built. Check `status`: it can be `failed`. Raises `WaitTimedOut`."""
        schedule = PollSchedule(f"Pack {pack_id}", timeout_s)
        return poll(lambda: self.read_pack(pack_id), is_being_built, schedule)

    def wait_for_batch(self, batch_id: UUID | str, *, timeout_s: float = DEFAULT_BATCH_WAIT_S) -> Batch:
        """A batch when it has ended. Check `status`: it can be `failed` or `cancelled`. Raises `WaitTimedOut`."""
        schedule = PollSchedule(f"Batch {batch_id}", timeout_s)
        return poll(lambda: self.read_batch(batch_id), is_unfinished_batch, schedule)


class AsyncWaiting(AsyncBatchesApi, AsyncExaminersPacksApi, AsyncSearchesApi, AsyncVerificationsApi):
    """Wait by polling, in an event loop."""

    async def wait_for_search(self, search_id: UUID | str, *, timeout_s: float = DEFAULT_WAIT_S) -> SearchResult:
        """The result of a search when it is no longer `loading`. Check `meta.status`: it can be `error`.

        Raises `WaitTimedOut`.
        """
        schedule = PollSchedule(f"Search {search_id}", timeout_s)
        return await poll_async(lambda: self.read_search(search_id), is_loading, schedule)

    async def wait_for_verification(
        self, verification: VerificationPending | VerifyResponse | UUID | str, *, timeout_s: float = DEFAULT_WAIT_S
    ) -> VerifyResponse:
        """The result of a verification: pass what `verify_business` returned, or an ID.

        Raises `VerificationNotMade` if the verification failed, and `WaitTimedOut`.
        """
        if isinstance(verification, VerifyResponse):
            return verification
        verification_id = get_verification_id(verification)
        schedule = PollSchedule(f"Verification {verification_id}", timeout_s)
        return require_result(await poll_async(lambda: self.read_verification(verification_id), is_pending, schedule))

    async def wait_for_pack(self, pack_id: UUID | str, *, timeout_s: float = DEFAULT_WAIT_S) -> Pack:
        """An examiner's pack when it is no longer being built. Check `status`: it can be `failed`. Raises `WaitTimedOut`."""
        schedule = PollSchedule(f"Pack {pack_id}", timeout_s)
        return await poll_async(lambda: self.read_pack(pack_id), is_being_built, schedule)

    async def wait_for_batch(self, batch_id: UUID | str, *, timeout_s: float = DEFAULT_BATCH_WAIT_S) -> Batch:
        """A batch when it has ended. Check `status`: it can be `failed` or `cancelled`. Raises `WaitTimedOut`."""
        schedule = PollSchedule(f"Batch {batch_id}", timeout_s)
        return await poll_async(lambda: self.read_batch(batch_id), is_unfinished_batch, schedule)


def get_verification_id(verification: VerificationPending | UUID | str) -> UUID | str:
    """The ID to poll with."""
    return verification.report_fetch_id if isinstance(verification, VerificationPending) else verification


def require_result(result: VerifyResponse | VerificationPending | VerificationFailed) -> VerifyResponse:
    """The result of a verification that was made. Raises `VerificationNotMade` otherwise."""
    if isinstance(result, VerifyResponse):
        return result
    raise VerificationNotMade(result.error if isinstance(result, VerificationFailed) else result.status)


def is_loading(search: SearchResult) -> bool:
    """Whether a search is still running."""
    return search.meta.status == "loading"


def is_pending(verification: VerifyResponse | VerificationPending | VerificationFailed) -> bool:
    """Whether a verification is still under way."""
    return isinstance(verification, VerificationPending)


def is_being_built(pack: Pack) -> bool:
    """Whether a worker has not finished a pack."""
    return pack.status in {"queued", "building"}


def is_unfinished_batch(batch: Batch) -> bool:
    """Whether a batch has not ended. A paused one has not."""
    return batch.status in {"queued", "running", "paused"}
