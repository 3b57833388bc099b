"""One corporation of the older XML: its names with their days, its origin, its standing, its registered office.

Limits on the number of directors stand there too; they are no people and are not read. Hundreds of thousands are read at a time
and what costs is touching an element, so each is touched once and only where it is asked for.
"""

from collections.abc import Iterator
from datetime import date
from typing import NamedTuple

from bonafide.model.entity import Address
from bonafide.model.entry import RegistryEntry
from bonafide.sources.formats.delimited_text import build_postal_address, normalize_whitespace
from bonafide.sources.formats.xml_elements import Element
from bonafide.sources.framework.context import ParseContext, Resource
from bonafide.sources.registries.fed import register_rules
from bonafide.sources.registries.fed.codes import CodeTable
from bonafide.sources.registries.fed.corporation_names import CorporationName, parse_day
from bonafide.sources.registries.fed.corporation_profile import CorporationProfile

SECTIONS = frozenset({"names", "annualReturns", "acts", "statuses", "activities", "addresses", "directorLimits", "businessNumbers"})


class XmlCorporation(NamedTuple):
    """The parts of an element `corporation` by name; to be read while the reader stands at it."""

    number: str
    sections: dict[str, Element]
    resource: Resource
    line: int
    year: int
    """In which its file was made."""
    codes: CodeTable

    def entry_number(self) -> int:
        """Raises `ValueError` when the number is none."""
        if not (self.number.isascii() and self.number.isdecimal()):
            raise ValueError("corporationId is not a number")
        return int(self.number)

    def names(self) -> list[CorporationName]:
        """Every name. Raises `ValueError` for a day that is none."""
        return [name for child in self.sections.get("names", ()) if (name := _parse_name(child)) is not None]

    def origin(self) -> date | None:
        """The day on which it began. Raises `ValueError` for a day that is none."""
        return register_rules.find_origin_date(self._beginnings())

    def entry(self, context: ParseContext) -> RegistryEntry:
        """Raises `ValueError` when it has no name, or something in it can't be read."""
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
        """The code that holds now."""
        for child in self.sections.get(section, ()):
            if child.get("current") == "true":
                return child.get("code")
        return None

    def _business_number(self) -> str | None:
        for child in self.sections.get("businessNumbers", ()):
            return normalize_whitespace(child.text)
        return None

    def _filings(self) -> Iterator[str]:
        """The year stands in an attribute, and has been seen as an element."""
        for one in self.sections.get("annualReturns", ()):
            yield one.get("yearOfFiling") or one.findtext("{*}yearOfFiling") or ""

    def _office(self, context: ParseContext) -> Address | None:
        for address in self.sections.get("addresses", ()):
            if address.get("code") == register_rules.REGISTERED_OFFICE and address.get("current") == "true":
                return _build_address(address, context)
        return None


def split_sections(element: Element) -> dict[str, Element]:
    """The parts of a record by their local names; of several the first."""
    skipped = _measure_namespace(element)
    return {str(child.tag)[skipped:]: child for child in element.iterchildren(reversed=True)}


def _measure_namespace(element: Element) -> int:
    """How many characters of a child's tag are its namespace: all of a file is in one, or none."""
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
    """The parts stand as text, or as a code; of several the first, but for the lines."""
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
    )
