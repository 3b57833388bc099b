"""The days on which businesses, licences and listed parties change, and how many are new by a day.

Day 0 is the world as it was first generated. Everything changes at most once, on a day drawn from the seed, and a dissolution also
follows its notice. So the world of a day is computed without those of the days before it.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from enum import Enum
from typing import TypeVar

import numpy as np

from bonafide.errors import ConfigurationError
from bonafide.i18n.message import Message
from bonafide_sandbox.generator.registrations import TODAY
from bonafide_sandbox.generator.seeded_random import IntArray, SeededRandom

LAST_DAY = 365
"""The last day of the calendar."""
CHANGE_DAYS = 400
"""Each change falls on one of this many days, so that one in this many entries changes each day. Exceeds `LAST_DAY`."""
NEW_ONE_IN = 2_000
"""For this many businesses, one is registered each day."""
NEWLY_LISTED_ONE_IN = 1_000
"""For this many parties of a list, one is added each day."""

P = TypeVar("P")


class ListedChange(Enum):
    """What has happened to a listed party since day 0."""

    NONE = "none"
    CHANGED = "changed"
    REMOVED = "removed"


def check_day(day: int) -> None:
    """Raise `ConfigurationError` unless the day is in the calendar."""
    if not 0 <= day <= LAST_DAY:
        raise ConfigurationError(Message.untranslated(f"the sandbox has the days 0 to {LAST_DAY}, not {day:,}"))


def to_date(day: int) -> date:
    """Return the date of a day of the calendar."""
    return TODAY + timedelta(days=day)


def draw_change_days(draws: SeededRandom) -> IntArray:
    """Return the day on which each row changes, from 1 to `CHANGE_DAYS`."""
    return 1 + draws.below("day of change", CHANGE_DAYS)


def count_new(size: int, day: int, one_in: int = NEW_ONE_IN) -> int:
    """Return how many are new by a day, in a world or list that has this size on day 0."""
    return size * day // one_in


def find_first_days(places: IntArray, size: int, one_in: int = NEW_ONE_IN) -> IntArray:
    """Return the first day of the elements at these places: 0 below `size`, otherwise the day on which each is new."""
    return np.maximum(-(-(places - size + 1) * one_in // size), 0)


@dataclass(frozen=True, slots=True)
class ListSchedule:
    """The changes of one list by a day. `size` is its number of parties on day 0."""

    seed: int
    listing: str
    """The name of the list. Lists of different names change independently."""
    size: int
    day: int

    @property
    def total(self) -> int:
        """Return the number of parties that have ever been on the list, including the new ones."""
        return self.size + count_new(self.size, self.day, NEWLY_LISTED_ONE_IN)

    def find_changes(self) -> list[ListedChange]:
        """Return what has happened to each of the `total` parties."""
        places = np.arange(self.total, dtype=np.int64)
        draws = SeededRandom.of(self.seed, places).stream(f"changes of {self.listing}")
        days = draw_change_days(draws)
        first = find_first_days(places, self.size, NEWLY_LISTED_ONE_IN)
        has_happened = ((days <= self.day) & (days > first)).tolist()
        is_removed = draws.chance("removed", 0.5).tolist()
        return [
            ListedChange.NONE if not happened else ListedChange.REMOVED if removed else ListedChange.CHANGED
            for happened, removed in zip(has_happened, is_removed, strict=True)
        ]

    def apply(self, parties: Sequence[P], amend: Callable[[P], P], list_on: Callable[[P, date], P]) -> list[P]:
        """Return those of the `total` parties that are still listed.

        `amend` returns a party after its change, and `list_on` one with the date of its listing; it is called for new parties.
        """
        first_days = find_first_days(np.arange(self.total, dtype=np.int64), self.size, NEWLY_LISTED_ONE_IN).tolist()
        listed = []
        for party, change, first_day in zip(parties, self.find_changes(), first_days, strict=True):
            if change is ListedChange.REMOVED:
                continue
            current = list_on(party, to_date(first_day)) if first_day else party
            listed.append(amend(current) if change is ListedChange.CHANGED else current)
        return listed
