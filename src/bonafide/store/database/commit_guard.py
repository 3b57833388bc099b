"""Require that the first write of a block of code also writes what belongs to it, in the same transaction.

A request with an idempotency key runs under a guard (`work/pending_key`): what it changes and the key are committed together. A
write that leaves the key out is a bug, and is rolled back. Once the guard is satisfied, later writes of the block are free.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from sqlalchemy.ext.asyncio import AsyncConnection


class CommitGuard:
    """Satisfied by the first committed transaction in which `satisfy` was called."""

    def __init__(self) -> None:
        self.is_satisfied = False
        self._is_active = False
        self._transaction: AsyncConnection | None = None

    @contextmanager
    def active(self) -> Iterator[None]:
        """Guard the writes of the block, and of the tasks that it starts while it runs."""
        self._is_active = True
        token = _current.set(self)
        try:
            yield
        finally:
            _current.reset(token)
            self._is_active = False

    @property
    def is_pending(self) -> bool:
        """Whether the next write must satisfy it."""
        return self._is_active and not self.is_satisfied

    def satisfy(self, connection: AsyncConnection) -> None:
        """Record that the transaction writes what belongs to it. The guard is satisfied when the transaction commits."""
        self._transaction = connection

    def check(self, connection: AsyncConnection | None = None) -> None:
        """Raise `RuntimeError` before the commit of a transaction that does not satisfy it, or of a single statement."""
        if self.is_pending and (connection is None or self._transaction is not connection):
            raise RuntimeError("a request with an Idempotency-Key wrote without completing the key in the same transaction")

    def mark_committed(self, connection: AsyncConnection) -> None:
        """Record that the transaction was committed."""
        self.is_satisfied = self.is_satisfied or self._transaction is connection


_current: ContextVar[CommitGuard | None] = ContextVar("bonafide.commit_guard", default=None)


def get_commit_guard() -> CommitGuard | None:
    """The guard of the current block; None without one."""
    return _current.get()
