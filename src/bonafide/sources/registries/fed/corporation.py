"""One corporation of the older XML: its names with their days, its origin, its standing, its registered office.

Limits on the number of directors stand there too; they are no people and are not read.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from functools import lru_cache

from bonafide.model.entity import Address, NameHistoryItem, StatusCode
from bonafide.model.entry import RegistryEntry
from bonafide.model.jurisdiction import Jurisdiction
from bonafide.sources.context import ParseContext, Resource
from bonafide.sources.parse import postal_address, squeeze
from bonafide.sources.parse_xml import Element
from bonafide.sources.registries.fed import terms
from bonafide.sources.registries.fed.codes import Codes

REGISTERED_OFFICE = "2"
SECTIONS = frozenset({"names", "annualReturns", "acts", "statuses", "activities", "addresses", "directorLimits", "businessNumbers"})
FORMED, FORMED_OTHERWISE = "formed", "formed otherwise"
"""What `source.yml` says of the activities that begin a corporation; an incorporation counts before the others."""


@dataclass(frozen=True, slots=True)
class Name:
    """A name, and from and to which day it was borne."""

    text: str
    code: int
    current: bool
    since: date | None
    until: date | None


@dataclass(frozen=True, slots=True)
class Corporation:
    """The parts of an element `corporation` by name; to be read while the reader stands at it."""

    number: str
    sections: dict[str, Element]
    resource: Resource
    line: int
    year: int
    """In which its file was made."""
    codes: Codes

    def entry_number(self) -> int:
        """Raises `ValueError` when the number is none."""
        if not (self.number.isascii() and self.number.isdecimal()):
            raise ValueError("corporationId is not a number")
        return int(self.number)

    def names(self) -> list[Name]:
        """Every name. Raises `ValueError` for a day that is none."""
        found = (_name(child) for child in self.sections.get("names", ()))
        return [name for name in found if name is not None]

    def origin(self) -> date | None:
        """The day of the earliest incorporation, or without one that of the earliest amalgamation or continuance."""
        days: dict[str, list[date]] = {FORMED: [], FORMED_OTHERWISE: []}
        for activity in self.sections.get("activities", ()):
            meaning = self.codes.origin(activity.get("code") or "")
            day = _day(activity.get("date"))
            if meaning is not None and day is not None:
                days[meaning].append(day)
        return min(days[FORMED] or days[FORMED_OTHERWISE], default=None)

    def entry(self, context: ParseContext) -> RegistryEntry:
        """Raises `ValueError` when it has no name, or something in it can't be read."""
        names = self.names()
        name, *others = _borne(names)
        status = self._status()
        code = context.status(status)
        detail = status if status is not None and " - " in status else None
        filed = self._last_filing() if code is StatusCode.ACTIVE else None
        return RegistryEntry(
            entry_id=self.number,
            source_url=str(context.metadata.entry_url).format(number=self.number),
            jurisdiction=Jurisdiction.FED,
            legal_name=name,
            alternate_names=tuple(others),
            name_history=tuple(_former(names, {name, *others})),
            registration_numbers=terms.numbers(self.number, self._business_number(), context),
            entity_type=self._act(context),
            status=status,
            status_code=code,
            good_standing=terms.good_standing(detail, code, filed, self.year),
            incorporation_date=self.origin(),
            addresses=self._addresses(context),
        )

    def _status(self) -> str | None:
        code = self._current("statuses")
        return self.codes.word("status", code) or f"status {code}" if code is not None else None

    def _act(self, context: ParseContext) -> str | None:
        code = self._current("acts")
        return self.codes.word("act", code) or context.term(f"act {code}") if code is not None else None

    def _current(self, section: str) -> str | None:
        """The code that holds now."""
        for child in self.sections.get(section, ()):
            if child.get("current") == "true":
                return child.get("code")
        return None

    def _business_number(self) -> str | None:
        for child in self.sections.get("businessNumbers", ()):
            return squeeze(child.text)
        return None

    def _last_filing(self) -> str | None:
        """The latest year; it stands in an attribute, and has been seen as an element."""
        returns = self.sections.get("annualReturns", ())
        years = (one.get("yearOfFiling") or one.findtext("{*}yearOfFiling") or "" for one in returns)
        return max((year for year in years if year), default=None)

    def _addresses(self, context: ParseContext) -> tuple[Address, ...]:
        for address in self.sections.get("addresses", ()):
            if address.get("code") == REGISTERED_OFFICE and address.get("current") == "true":
                office = _address(address, context)
                return (office,) if office is not None else ()
        return ()


def sections_of(element: Element) -> dict[str, Element]:
    """The parts of a record, or of an address, by their local names; of several the first."""
    skipped = str(element.tag).find("}") + 1  # all of a file is in one namespace, or none
    sections: dict[str, Element] = {}
    for child in element:
        sections.setdefault(str(child.tag)[skipped:], child)
    return sections


def _name(element: Element) -> Name | None:
    text = squeeze(element.text)
    if text is None:
        return None
    code = element.get("code") or ""
    return Name(
        text=text,
        code=int(code) if code.isdecimal() else 0,
        current=element.get("current") == "true",
        since=_day(element.get("effectiveDate")),
        until=_day(element.get("expiryDate")),
    )


def _borne(names: list[Name]) -> list[str]:
    """The names of today, the main one (of the lowest code) first; of a corporation without any, the last one that it had.

    Raises `ValueError` when it never had one.
    """
    current = sorted((name for name in names if name.current), key=lambda name: name.code)
    if current:
        return list(dict.fromkeys(name.text for name in current))
    if not names:
        raise ValueError("the corporation has no name")
    return [max(names, key=lambda name: name.since or date.min).text]


def _former(names: list[Name], today: set[str]) -> Iterator[NameHistoryItem]:
    for name in names:
        if name.text not in today:
            yield NameHistoryItem(type="former", name=name.text, effective_date=name.since, end_date=name.until)


def _address(element: Element, context: ParseContext) -> Address | None:
    parts = sections_of(element)
    lines = (squeeze(line.text) for line in element if line.tag == parts["addressLine"].tag) if "addressLine" in parts else ()
    return postal_address(
        street=", ".join(line for line in lines if line is not None) or None,
        city=_text(parts, "city"),
        province=terms.province(_code(parts, "province"), context),
        postal_code=_text(parts, "postalCode"),
        country=_code(parts, "country"),
    )


def _text(parts: dict[str, Element], name: str) -> str | None:
    return squeeze(parts[name].text) if name in parts else None


def _code(parts: dict[str, Element], name: str) -> str | None:
    return parts[name].get("code") or None if name in parts else None


@lru_cache(maxsize=1 << 15)  # there are as many days in the register's ninety years
def _day(text: str | None) -> date | None:
    """A day, at whatever hour. Raises `ValueError`."""
    if text is None or text.strip() == "":
        return None
    try:
        return date.fromisoformat(text.strip()[:10])
    except ValueError:
        raise ValueError("a date can't be read") from None
