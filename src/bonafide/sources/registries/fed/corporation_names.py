"""The names of a corporation with their days, as the older XML and the look-up have them: which it bears today, and which it bore.

What the names' kinds are called in either format is not known here.
"""

from collections.abc import Iterator
from datetime import date
from functools import lru_cache
from typing import NamedTuple

from bonafide.model.entity import NameHistoryItem


class CorporationName(NamedTuple):
    """A name, and from and to which day it was borne. The main name of a time has the lowest rank."""

    text: str
    rank: int
    current: bool
    since: date | None
    until: date | None


def select_current_names(names: list[CorporationName]) -> list[str]:
    """The names of today, the main one first; of a corporation without any, the last one that it had.

    Raises `ValueError` when it never had one.
    """
    current = [name for name in names if name.current]
    if len(current) == 1:
        return [current[0].text]
    if current:
        return list(dict.fromkeys(name.text for name in sorted(current, key=_rank_name)))
    if not names:
        raise ValueError("the corporation has no name")
    return [max(names, key=lambda name: name.since or date.min).text]


def build_former_names(names: list[CorporationName], today: list[str]) -> Iterator[NameHistoryItem]:
    """The names that are not borne today; one without an end was still borne when the data was made."""
    for name in names:
        if name.text not in today:
            yield NameHistoryItem(type="former", name=name.text, effective_date=name.since, end_date=name.until)


def _rank_name(name: CorporationName) -> int:
    return name.rank


@lru_cache(maxsize=1 << 15)  # there are as many days in the register's ninety years
def parse_day(text: str | None) -> date | None:
    """A day, at whatever hour. Raises `ValueError`."""
    if text is None or text.strip() == "":
        return None
    try:
        return date.fromisoformat(text.strip()[:10])
    except ValueError:
        raise ValueError("a date can't be read") from None
