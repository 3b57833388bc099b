"""The state of this process (serving or draining) and the results of its health checks.

The server sets the state; `services/operations/readiness` runs the checks.
"""

from dataclasses import dataclass
from enum import StrEnum

from bonafide.i18n.message import Message


class HealthStatus(StrEnum):
    """The health of one part of the service."""

    OK = "ok"
    DEGRADED = "degraded"
    """The part is unavailable, and the service runs without it."""
    FAILED = "failed"
    """No request can be served without the part."""


@dataclass(frozen=True, slots=True)
class HealthCheck:
    """The health of a part, and a note for the operator."""

    status: HealthStatus
    note: Message | None = None


class ProcessState:
    """The state of one runtime. The signal handler sets it; probes and responses read it."""

    def __init__(self) -> None:
        self._is_draining = False
        self.found: dict[str, tuple[float, HealthCheck]] = {}
        """Cached results of expensive checks, with their time on the monotonic clock (`services/operations/readiness`)."""

    @property
    def is_draining(self) -> bool:
        """Whether the process is shutting down: it still serves requests, but should receive no new connections."""
        return self._is_draining

    def drain(self) -> None:
        """Start draining."""
        self._is_draining = True
