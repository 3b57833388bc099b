"""The reference values of OFAC's advanced XML by id, and its dates.

Words are stored by the element that lists them (`FeatureType`), because IDs are only unique within it.
"""

import calendar
from dataclasses import dataclass, field
from datetime import date

from bonafide.sources.formats.delimited_text import normalize_whitespace
from bonafide.sources.formats.xml_elements import Element, find_elements, find_text, get_local_name

_BY_SUBTYPE = frozenset({"vessel", "aircraft"})
"""Both have the type Transport; for all other parties the type is sufficient."""
_LAST_MONTH = 12


@dataclass(slots=True)
class OfacReferences:
    """The word of each ID."""

    values: dict[tuple[str, str], str] = field(default_factory=dict)
    """Words by element and ID."""
    party_types: dict[str, str] = field(default_factory=dict)
    """Type IDs by subtype ID."""

    def of(self, element: str, number: str | None) -> str | None:
        """Return the word that an element lists under an ID, or None."""
        return self.values.get((element, number)) if number is not None else None

    def kind(self, subtype: str | None) -> str | None:
        """Return the kind of party of this subtype."""
        word = self.of("PartySubType", subtype)
        if word is not None and word.casefold() in _BY_SUBTYPE:
            return word
        return self.of("PartyType", self.party_types.get(subtype or ""))


def read_references(sets: Element) -> OfacReferences:
    """Read the words of `ReferenceValueSets`."""
    words = OfacReferences()
    for values in sets:
        for value in values:
            text, number = normalize_whitespace(value.text), value.get("ID", "")
            if text is not None:
                words.values[get_local_name(value), number] = text
            if value.get("PartyTypeID") is not None:
                words.party_types[number] = value.get("PartyTypeID", "")
    return words


def parse_day(element: Element) -> str | None:
    """Return `Year`, `Month` and `Day` of an element as an ISO date; None if they are not a date."""
    parts = [find_text(element, part) for part in ("Year", "Month", "Day")]
    try:
        year, month, day = (int(part or "") for part in parts)
        return date(year, month, day).isoformat()
    except ValueError:
        return None


def format_period(element: Element) -> str | None:
    """Format the `DatePeriod` of an element as in the other formats: `28 Jul 1963`, `circa 1963`, `1962 to 1963`.

    None if it is missing or invalid.
    """
    period = next(iter(find_elements(element, "DatePeriod")), None)
    if period is None:
        return None
    starts = [day for corner in find_elements(period, "Start/From") if (day := parse_day(corner)) is not None]
    ends = [
        day for path in ("End/To", "Start/To") for corner in find_elements(period, path) if (day := parse_day(corner)) is not None
    ]
    if not starts:
        return None
    first = date.fromisoformat(starts[0])
    last = max(first, date.fromisoformat(ends[0])) if ends else first
    approximate = any(end.get("Approximate") == "true" for path in ("Start", "End") for end in find_elements(period, path))
    return f"circa {_format_range(first, last)}" if approximate else _format_range(first, last)


def _format_range(first: date, last: date) -> str:
    if first == last:
        return f"{first:%d %b %Y}"
    whole_years = (first.month, first.day) == (1, 1) and (last.month, last.day) == (_LAST_MONTH, 31)
    if whole_years:
        return f"{first.year}" if first.year == last.year else f"{first.year} to {last.year}"
    whole_month = first.replace(day=1) == last.replace(day=1) == first and last.day == calendar.monthrange(last.year, last.month)[1]
    return f"{first:%b %Y}" if whole_month else f"{first:%d %b %Y} to {last:%d %b %Y}"
