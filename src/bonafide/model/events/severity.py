"""How urgent an event is."""

from enum import StrEnum


class EventSeverity(StrEnum):
    """How urgent an event is, in ascending order."""

    INFO = "info"
    LOW = "low"
    MEDIUM = "medium"
    HIGH = "high"
    CRITICAL = "critical"

    def is_at_least(self, lowest: "EventSeverity") -> bool:
        """Whether it is this urgent or more."""
        return _RANKS[self] >= _RANKS[lowest]


_RANKS = {severity: rank for rank, severity in enumerate(EventSeverity)}
