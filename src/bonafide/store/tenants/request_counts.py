"""A process's memory of how many requests each API key has made since the sums were last written to the database."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from uuid import UUID


@dataclass(frozen=True, slots=True)
class KeyDay:
    """One key on one day (UTC)."""

    organization_id: UUID
    key_id: UUID
    day: date


@dataclass(frozen=True, slots=True)
class RequestTotals:
    """How many requests were made, and how many of them were refused because they were over the key's limit."""

    made: int = 0
    refused: int = 0

    def __add__(self, other: "RequestTotals") -> "RequestTotals":
        return RequestTotals(self.made + other.made, self.refused + other.refused)


class RequestCounts:
    """Counts by key and day. Only keys that exist are counted, so it has no more rows than the database has keys a day."""

    def __init__(self) -> None:
        self._counts: dict[KeyDay, RequestTotals] = {}

    def add(self, key_day: KeyDay, requests: RequestTotals) -> None:
        """Count requests."""
        self._counts[key_day] = self._counts.get(key_day, RequestTotals()) + requests

    def take(self) -> Mapping[KeyDay, RequestTotals]:
        """All counts; from now on it counts from nothing."""
        taken, self._counts = self._counts, {}
        return taken

    def restore(self, counts: Mapping[KeyDay, RequestTotals]) -> None:
        """Count again what could not be written."""
        for key_day, requests in counts.items():
            self.add(key_day, requests)
