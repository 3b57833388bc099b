"""The idempotency key of the request that is being handled, completed in the transaction of the request's effect.

A service that changes something for a caller calls `complete_key` in the transaction of the change, with the result that it is
about to return: a repeated request then receives the response to this result, even if the process dies before the first response is
sent. Work that goes on after its first transaction (a search) calls `bind_key` there with the id of what it has stored, and its
service begins with `resume_bound`: a repeated request then continues instead of beginning again. Without a key they do nothing. The
store rolls back a write that does neither (`commit_guard`).
"""

from collections.abc import Callable
from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncConnection

from bonafide.errors import Conflict
from bonafide.i18n.message import Message
from bonafide.store.database.commit_guard import CommitGuard, get_commit_guard
from bonafide.store.work import idempotency
from bonafide.store.work.idempotency import ReservedKey, StoredResponse

IN_PROGRESS = Message("The request with this `Idempotency-Key` is still in progress. Try again later.")


class ResultGuard(CommitGuard):
    """Requires that the result of a service is stored in the transaction of its effect (`complete_key`)."""

    async def complete(self, connection: AsyncConnection, result: Any) -> None:
        """Store the result in this transaction, and call `satisfy`. Raises `Conflict` if it is stored already."""
        raise NotImplementedError

    async def bind(self, connection: AsyncConnection, resource_id: UUID) -> None:
        """Store what a repeated attempt continues from."""
        raise NotImplementedError

    def resume(self) -> UUID | None:
        """What an interrupted attempt has stored, to continue from; None for a first attempt."""
        return None


class PendingKey(ResultGuard):
    """A reserved key, from the start of its request until the response."""

    def __init__(
        self,
        organization_id: UUID,
        reserved: ReservedKey,
        compute_expiry: Callable[[], datetime],
        finish: Callable[[StoredResponse], StoredResponse] = lambda response: response,
    ) -> None:
        """`finish` adds what the response has from outside the endpoint."""
        super().__init__()
        self.describe: Callable[[Any], StoredResponse] | None = None
        """Returns the response to a result of the request's service; set by the endpoint."""
        self.is_completed = False
        """Whether the response is committed."""
        self._organization_id = organization_id
        self._reserved = reserved
        self._compute_expiry = compute_expiry
        self._finish = finish
        self._completed_by: AsyncConnection | None = None

    def resume(self) -> UUID | None:
        """What an interrupted attempt of the same request has stored, to continue from; None for a first attempt."""
        if self._reserved.resource_id is not None:
            self.is_satisfied = True
        return self._reserved.resource_id

    async def complete(self, connection: AsyncConnection, result: Any) -> None:
        """Store the response to the result. Raises `Conflict` if another attempt has taken the key over."""
        if self.describe is None:
            raise RuntimeError("the endpoint of a service that completes keys must use `respond_once`")
        response, expires_at = self._finish(self.describe(result)), self._compute_expiry()
        is_held = await idempotency.complete(connection, self._organization_id, self._reserved, response, expires_at)
        self._mark_written(connection, is_held=is_held)
        self._completed_by = connection

    async def bind(self, connection: AsyncConnection, resource_id: UUID) -> None:
        """Store what a repeated request continues from. Raises `Conflict` if another attempt has taken the key over."""
        expires_at = self._compute_expiry()
        is_held = await idempotency.bind(connection, self._organization_id, self._reserved, resource_id, expires_at)
        self._mark_written(connection, is_held=is_held)

    def mark_committed(self, connection: AsyncConnection) -> None:
        """Record that the transaction was committed."""
        super().mark_committed(connection)
        self.is_completed = self.is_completed or self._completed_by is connection

    def _mark_written(self, connection: AsyncConnection, *, is_held: bool) -> None:
        if self._reserved.resource_id is not None:
            raise RuntimeError("a service that binds keys must begin with `resume_bound`")
        if not is_held:
            raise Conflict(IN_PROGRESS)
        self.satisfy(connection)


async def complete_key(connection: AsyncConnection, result: Any) -> None:
    """Complete the current request's key, if it has one, with the result that its service returns. Raises `Conflict`."""
    pending = _get_pending_key()
    if pending is not None:
        await pending.complete(connection, result)


async def bind_key(connection: AsyncConnection, resource_id: UUID) -> None:
    """Bind the current request's key, if it has one, to what the transaction stores. Raises `Conflict`."""
    pending = _get_pending_key()
    if pending is not None:
        await pending.bind(connection, resource_id)


def resume_bound() -> UUID | None:
    """What an interrupted attempt of the current request has stored, to continue from; None for a first attempt."""
    pending = _get_pending_key()
    return pending.resume() if pending is not None else None


def is_key_pending() -> bool:
    """Whether the current request has a key that is neither completed nor bound."""
    return _get_pending_key() is not None


def _get_pending_key() -> ResultGuard | None:
    guard = get_commit_guard()
    return guard if isinstance(guard, ResultGuard) and guard.is_pending else None
