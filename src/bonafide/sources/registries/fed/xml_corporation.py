"""Parse a corporation of the older XML: names with dates, origin, good standing and registered office.

Limits on the number of directors are not read. A file has hundreds of thousands of corporations and access to elements is slow, so
each element is read at most once and only when needed. Origins and former names are kept in a few bytes for each corporation until
the CSV rows of the same corporations are parsed.
"""

from array import array
from bisect import bisect_left
from collections.abc import Iterable, Iterator
from datetime import date
from typing import NamedTuple

import numpy as np

from bonafide.i18n.message import Message
from bonafide.model.entity import Address, NameHistoryItem
from bonafide.model.entry import RegistryEntry
from bonafide.sources.formats.delimited_text import build_postal_address, normalize_whitespace
from bonafide.sources.formats.xml_elements import Element
from bonafide.sources.framework.context import ParseContext, Resource
from bonafide.sources.registries.fed import register_rules
from bonafide.sources.registries.fed.codes import CodeTable
from bonafide.sources.registries.fed.corporation import CorporationName, CorporationProfile, parse_day

SECTIONS = frozenset({"names", "annualReturns", "acts", "statuses", "activities", "addresses", "directorLimits", "businessNumbers"})


class XmlCorporation(NamedTuple):
    """The children of an element `corporation` by name; valid until the reader continues."""

    number: str
    sections: dict[str, Element]
    resource: Resource
    line: int
    year: int
    """The year of the file."""
    codes: CodeTable

    def entry_number(self) -> int:
        """The number. Raises `ValueError` for an invalid one."""
        if not (self.number.isascii() and self.number.isdecimal()):
            raise ValueError(Message("{column} is not a number", column="corporationId"))
        return int(self.number)

    def names(self) -> list[CorporationName]:
        """Every name. Raises `ValueError` for an invalid date."""
        return [name for child in self.sections.get("names", ()) if (name := _parse_name(child)) is not None]

    def origin(self) -> date | None:
        """The date of incorporation or other origin. Raises `ValueError` for an invalid date."""
        return register_rules.find_origin_date(self._beginnings())

    def entry(self, context: ParseContext) -> RegistryEntry:
        """Build the entry. Raises `ValueError` for a corporation without a name or with an invalid value."""
        profile = CorporationProfile(
            number=self.number,
            names=self.names(),
            act=self._act(context),
            status=self._status(),
            filings=self._filings(),
            origin=self.origin(),
            business_number=self._business_number(),
            office=self._office(context),
        )
        return profile.entry(self.year, context)

    def _beginnings(self) -> Iterator[tuple[str, date]]:
        for activity in self.sections.get("activities", ()):
            meaning = self.codes.origin(activity.get("code") or "")
            on = parse_day(activity.get("date"))
            if meaning is not None and on is not None:
                yield meaning, on

    def _status(self) -> str | None:
        code = self._current("statuses")
        return self.codes.word("status", code) or f"status {code}" if code is not None else None

    def _act(self, context: ParseContext) -> str | None:
        code = self._current("acts")
        return self.codes.word("act", code) or context.term(f"act {code}") if code is not None else None

    def _current(self, section: str) -> str | None:
        """The current code."""
        for child in self.sections.get(section, ()):
            if child.get("current") == "true":
                return child.get("code")
        return None

    def _business_number(self) -> str | None:
        for child in self.sections.get("businessNumbers", ()):
            return normalize_whitespace(child.text)
        return None

    def _filings(self) -> Iterator[str]:
        """The years of annual returns, from an attribute or an element."""
        for one in self.sections.get("annualReturns", ()):
            yield one.get("yearOfFiling") or one.findtext("{*}yearOfFiling") or ""

    def _office(self, context: ParseContext) -> Address | None:
        for address in self.sections.get("addresses", ()):
            if address.get("code") == register_rules.REGISTERED_OFFICE and address.get("current") == "true":
                return _build_address(address, context)
        return None


def split_sections(element: Element) -> dict[str, Element]:
    """The children of a record by local name; the first of several."""
    skipped = _measure_namespace(element)
    return {str(child.tag)[skipped:]: child for child in element.iterchildren(reversed=True)}


def _measure_namespace(element: Element) -> int:
    """The length of the namespace in the tag of a child. A file has one namespace or none."""
    return str(element.tag).find("}") + 1


def _parse_name(element: Element) -> CorporationName | None:
    text = normalize_whitespace(element.text)
    if text is None:
        return None
    code = element.get("code") or ""
    return CorporationName(
        text=text,
        rank=int(code) if code.isdecimal() else 0,
        current=element.get("current") == "true",
        since=parse_day(element.get("effectiveDate")),
        until=parse_day(element.get("expiryDate")),
    )


def _build_address(element: Element, context: ParseContext) -> Address | None:
    """The parts are text or a code. The first of several is used, except for lines, which are joined."""
    skipped = _measure_namespace(element)
    lines: list[str] = []
    parts: dict[str, str | None] = {}
    for part in element:
        name = str(part.tag)[skipped:]
        if name == "addressLine":
            lines += [line] if (line := normalize_whitespace(part.text)) is not None else []
        elif name in {"province", "country"}:
            parts.setdefault(name, part.get("code") or None)
        else:
            parts.setdefault(name, normalize_whitespace(part.text))
    return build_postal_address(
        street=", ".join(lines) or None,
        city=parts.get("city"),
        province=register_rules.normalize_province(parts.get("province"), context),
        postal_code=parts.get("postalCode"),
        country=parts.get("country"),
        label=register_rules.OFFICE_LABEL,
    )


CurrentCorporation = tuple[int, str, str]
"""A corporation of the CSV files: its number, and its names in both languages, which may be the same."""
_ROW = np.dtype([("number", np.int64), ("name", np.int64), ("other", np.int64)])
READ_BEFORE = Message("an earlier row has the same registration number")
_UNKNOWN = 0
"""The ordinal day of an unknown origin."""


class CorporationHistory:
    """Origins and former names by corporation number, for the given corporations."""

    def __init__(self, today: Iterable[CurrentCorporation]) -> None:
        rows = np.fromiter(((number, _hash_name(name), _hash_name(other)) for number, name, other in today), dtype=_ROW)
        rows = rows[np.unique(rows["number"], return_index=True)[1]]
        self._numbers = array("q", rows["number"].tobytes())
        self._today = array("q", rows["name"].tobytes()), array("q", rows["other"].tobytes())
        self._origins = array("i", bytes(4 * len(rows)))
        self._kept = bytearray(len(rows))
        self._former: dict[int, tuple[CorporationName, ...]] = {}

    def keep(self, number: int, corporation: XmlCorporation) -> bool:
        """Keep the history of a corporation, and return whether it is a given one. Raises `ValueError` if invalid or repeated."""
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
        """The current entry with its history, if there is one."""
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
    """An eight-byte hash of a name, regardless of case."""
    return hash(name.casefold())


def _build_history_item(name: CorporationName) -> NameHistoryItem:
    """A former name, without an end date if it was current when the XML was published."""
    return NameHistoryItem(type="former", name=name.text, effective_date=name.since, end_date=name.until)
