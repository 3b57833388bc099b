"""A streaming replica: whether it is tried, and what is logged when it fails and recovers.

Reads that may lag fall back to the primary. Lag is not measured.
"""

from collections.abc import Callable
from time import monotonic

from sqlalchemy.ext.asyncio import AsyncEngine

from bonafide.observability.log import get_logger

RETRY_AFTER_S = 5.0
"""Seconds for which an unavailable replica is not tried: each attempt may take a connection timeout."""
_log = get_logger(__name__)


class ReadReplica:
    """The state of a replica in one process. `clock` is in seconds."""

    def __init__(self, engine: AsyncEngine, clock: Callable[[], float] = monotonic) -> None:
        self.engine = engine
        self.fallbacks = 0
        """The number of reads that found it unavailable, including those during the pause."""
        self._clock = clock
        self._rests_until: float | None = None

    @property
    def is_unavailable(self) -> bool:
        """Whether the last attempt failed."""
        return self._rests_until is not None

    def count_fallbacks(self) -> int:
        """The number of reads that found it unavailable, for the metrics."""
        return self.fallbacks

    def may_be_tried(self) -> bool:
        """Whether the next read should use it."""
        rests = self._rests_until is not None and self._clock() < self._rests_until
        self.fallbacks += rests
        return not rests

    def failed(self) -> None:
        """Record a failed attempt."""
        if not self.is_unavailable:
            _log.warning("replica.unavailable")
        self.fallbacks += 1
        self._rests_until = self._clock() + RETRY_AFTER_S

    def answered(self) -> None:
        """Record a successful attempt."""
        if self.is_unavailable:
            _log.info("replica.restored")
        self._rests_until = None
