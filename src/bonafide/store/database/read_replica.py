"""A streaming replica: whether it is tried, and what is logged when it fails and recovers.

Reads that may lag fall back to the primary. Lag is not measured.
"""

from collections.abc import Callable
from time import monotonic

from sqlalchemy.ext.asyncio import AsyncEngine

from bonafide.observability.log import get_logger

RETRY_AFTER_S = 5.0
"""A replica that was away is not tried for so long: every try may cost the time that connecting to a silent machine takes."""
_log = get_logger(__name__)


class ReadReplica:
    """One replica as one process sees it. `clock` counts seconds."""

    def __init__(self, engine: AsyncEngine, clock: Callable[[], float] = monotonic) -> None:
        self.engine = engine
        self.fallbacks = 0
        """How often it was found to be away; a read during its rest counts too."""
        self._clock = clock
        self._rests_until: float | None = None

    @property
    def is_unavailable(self) -> bool:
        """Whether it did not answer when it was last tried."""
        return self._rests_until is not None

    def count_fallbacks(self) -> int:
        """How often it was found to be away, for the metrics."""
        return self.fallbacks

    def may_be_tried(self) -> bool:
        """Whether the next read should go there."""
        rests = self._rests_until is not None and self._clock() < self._rests_until
        self.fallbacks += rests
        return not rests

    def failed(self) -> None:
        """It did not answer."""
        if not self.is_unavailable:
            _log.warning("the replica is away; lists come from the database itself")
        self.fallbacks += 1
        self._rests_until = self._clock() + RETRY_AFTER_S

    def answered(self) -> None:
        """It did."""
        if self.is_unavailable:
            _log.info("the replica is back")
        self._rests_until = None
