"""The state of this process (serving or draining) and the results of its health checks.

It stops nothing and looks at nothing; whoever runs the server does the one, `services/operations/readiness` the other.
"""

from dataclasses import dataclass
from enum import StrEnum

from bonafide.i18n.message import Message


class HealthStatus(StrEnum):
    """How one part of the service stands."""

    OK = "ok"
    DEGRADED = "degraded"
    """It is away, and the service does without."""
    FAILED = "failed"
    """Without it no request can be answered."""


@dataclass(frozen=True, slots=True)
class HealthCheck:
    """How a part stands, and what a person should know of it."""

    status: HealthStatus
    note: Message | None = None


class ProcessState:
    """The life of one runtime. Told by whoever hears the signal, read by the probes and by every answer."""

    def __init__(self) -> None:
        self._is_draining = False
        self.found: dict[str, tuple[float, HealthCheck]] = {}
        """What looking at dear parts came to, and when on the monotonic clock (`services/operations/readiness`)."""

    @property
    def is_draining(self) -> bool:
        """Whether the process is about to end: it still answers, and wants no new callers."""
        return self._is_draining

    def drain(self) -> None:
        """From now on nobody new should come."""
        self._is_draining = True
