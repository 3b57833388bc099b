"""A target of the Swiss list as it stands today: whether it is still listed, and since when.

The file keeps the whole history, of targets that were taken off the list too, and repeats names in it; only the kind and the day
of each change are read from that.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from bonafide.sources.formats.xml_elements import Element

LISTED, DELISTED = "listed", "de-listed"
_DAYS = ("effective-date", "enactment-date", "publication-date")
"""The first that a change has is its day."""


@dataclass(frozen=True, slots=True)
class ListingChange:
    """A change of a listing: its kind in the list's word, and its day in ISO form, "" where it has none."""

    kind: str
    day: str


def read_changes(target: Element) -> list[ListingChange]:
    """The changes of a target, the newest first; of one day, in the order of the file, which is the newest first as well."""
    found = [
        ListingChange(element.get("modification-type") or "", _read_day(element)) for element in target.findall("{*}modification")
    ]
    return sorted(found, key=lambda change: change.day, reverse=True)


def is_delisted(history: list[ListingChange]) -> bool:
    """Whether the newest change took it off the list."""
    return bool(history) and history[0].kind == DELISTED


def find_listing_date(history: list[ListingChange]) -> str | None:
    """The day of the newest change that put it on the list."""
    return next((change.day for change in history if change.kind == LISTED and change.day), None)


def read_sanctions_sets(target: Element) -> Iterator[str]:
    """The numbers of the annexes that it stands in."""
    named = target.get("sanctions-set-id")
    if named is not None:
        yield named
    yield from (text for element in target.findall("{*}sanctions-set-id") if (text := (element.text or "").strip()))


def _read_day(element: Element) -> str:
    return next((day for name in _DAYS if (day := element.get(name))), "")
