"""A circuit breaker for optional dependencies: after a failure they are skipped for a moment.

Callers continue without the dependency, so it must not hold anything that has to be right.
"""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from time import monotonic

from bonafide.observability.log import get_logger

COOLDOWN_S = 1.0
"""After a failure, so that a store that is down does not cost every request its time limit."""
_log = get_logger(__name__)


class DependencyUnavailable(Exception):
    """What was asked has failed, or rests because it did. It never reaches a caller: the asker goes on without."""


class OptionalDependency:
    """Something that may be away, such as Valkey. `failed` is told each time that a use has to go on without it."""

    def __init__(self, title: str, timeout_s: float, failed: Callable[[str], None]) -> None:
        self._title = title
        self._timeout_s = timeout_s
        self._failed = failed
        self._is_sound = True
        self._rests_until = 0.0

    @property
    def is_unavailable(self) -> bool:
        """Whether the last attempt failed."""
        return not self._is_sound

    @asynccontextmanager
    async def attempt(self, use: str) -> AsyncIterator[None]:
        """Use it in the block, within the time limit. Raises `DependencyUnavailable`, at once during the cooldown."""
        if not self._may_ask():
            self._failed(use)
            raise DependencyUnavailable
        try:
            async with asyncio.timeout(self._timeout_s):
                yield
        except Exception as error:
            # Whatever went wrong, the request goes on; that it did is counted and logged.
            self._failed(use)
            self._rest(use, error)
            raise DependencyUnavailable from error
        if not self._is_sound:
            self._is_sound = True
            _log.warning("back", what=self._title)

    def _may_ask(self) -> bool:
        """Whether to ask now; when a rest is over the first one finds out for all, who go on without until it has."""
        if self._is_sound:
            return True
        now = monotonic()
        if now < self._rests_until:
            return False
        self._rests_until = now + COOLDOWN_S
        return True

    def _rest(self, use: str, error: Exception) -> None:
        if self._is_sound:
            # Once for each outage, and not its text: that may hold an address with a password.
            _log.warning("away", what=self._title, use=use, problem=type(error).__name__)
        self._is_sound = False
        self._rests_until = monotonic() + COOLDOWN_S
