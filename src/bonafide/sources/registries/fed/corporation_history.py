"""Compact storage of the origins and former names in the XML, until the CSV rows of the same corporations are read.

For each corporation it holds some bytes, and names only of those that have borne others than today's. It judges nothing.
"""

from array import array
from bisect import bisect_left
from collections.abc import Iterable
from datetime import date

import numpy as np

from bonafide.model.entity import NameHistoryItem
from bonafide.model.entry import RegistryEntry
from bonafide.sources.registries.fed.corporation_names import CorporationName
from bonafide.sources.registries.fed.xml_corporation import XmlCorporation

CurrentCorporation = tuple[int, str, str]
"""A corporation of the CSV files: its number, and its names in one language and the other, which may be the same."""
_ROW = np.dtype([("number", np.int64), ("name", np.int64), ("other", np.int64)])
READ_BEFORE = "the corporation number was read before"
_UNKNOWN = 0
"""Where origins are kept as ordinal days, the day that none of them is."""


class CorporationHistory:
    """Origins and former names by corporation number, for the corporations that it is made for."""

    def __init__(self, today: Iterable[CurrentCorporation]) -> None:
        rows = np.fromiter(((number, _hash_name(name), _hash_name(other)) for number, name, other in today), dtype=_ROW)
        rows = rows[np.unique(rows["number"], return_index=True)[1]]
        self._numbers = array("q", rows["number"].tobytes())
        self._today = array("q", rows["name"].tobytes()), array("q", rows["other"].tobytes())
        self._origins = array("i", bytes(4 * len(rows)))
        self._kept = bytearray(len(rows))
        self._former: dict[int, tuple[CorporationName, ...]] = {}

    def keep(self, number: int, corporation: XmlCorporation) -> bool:
        """Keep what is known of a corporation, if it is one of those. Raises `ValueError` for what can't be read, or was before."""
        place = self._place(number)
        if place is None:
            return False
        if self._kept[place]:
            raise ValueError(READ_BEFORE)
        today = {names[place] for names in self._today}
        former = tuple(name for name in corporation.names() if _hash_name(name.text) not in today)
        origin = corporation.origin()
        self._origins[place] = origin.toordinal() if origin is not None else _UNKNOWN
        if former:
            self._former[place] = former
        self._kept[place] = True
        return True

    def joined(self, number: int, entry: RegistryEntry) -> RegistryEntry:
        """The entry of today with its past, where anything is known of it."""
        place = self._place(number)
        if place is None:
            return entry
        day = self._origins[place]
        origin = date.fromordinal(day) if day != _UNKNOWN else None
        former = tuple(map(_build_history_item, self._former.get(place, ())))
        return entry.model_copy(update={"name_history": former, "incorporation_date": origin})

    def _place(self, number: int) -> int | None:
        place = bisect_left(self._numbers, number)
        return place if place < len(self._numbers) and self._numbers[place] == number else None


def _hash_name(name: str) -> int:
    """A name in eight bytes; two names of one corporation have the same only if they differ in nothing but case."""
    return hash(name.casefold())


def _build_history_item(name: CorporationName) -> NameHistoryItem:
    """A name that is not borne today; without an end where it still was when the XML was made."""
    return NameHistoryItem(type="former", name=name.text, effective_date=name.since, end_date=name.until)
