"""A circuit breaker for optional dependencies: after a failure they are skipped for a moment.

Callers continue without the dependency, so it must not hold anything that correctness depends on.
"""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from time import monotonic

from bonafide.observability.log import get_logger

COOLDOWN_S = 1.0
"""The pause after a failure. Without it, every request would wait for the time limit while a store is down."""
_log = get_logger(__name__)


class DependencyUnavailable(Exception):
    """A use has failed, or is skipped after a failure. Callers handle it and continue without the dependency."""


class OptionalDependency:
    """A dependency that may be unavailable, such as Valkey. `failed` is called for each use that continues without it."""

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
            # The request continues after any failure, which is counted and logged.
            self._failed(use)
            self._rest(use, error)
            raise DependencyUnavailable from error
        if not self._is_sound:
            self._is_sound = True
            _log.warning("dependency.restored", dependency=self._title)

    def _may_ask(self) -> bool:
        """Whether to try now. After a pause one use tries for all; the others are skipped until it has finished."""
        if self._is_sound:
            return True
        now = monotonic()
        if now < self._rests_until:
            return False
        self._rests_until = now + COOLDOWN_S
        return True

    def _rest(self, use: str, error: Exception) -> None:
        if self._is_sound:
            # Logged once for each outage, and without the text of the error: it may contain an address with a password.
            _log.warning("dependency.unavailable", dependency=self._title, use=use, problem=type(error).__name__)
        self._is_sound = False
        self._rests_until = monotonic() + COOLDOWN_S
