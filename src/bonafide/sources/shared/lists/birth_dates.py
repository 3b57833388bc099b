"""Parse dates of birth in the formats of sanctions lists.

Numeric dates are read day first. Dates that are only valid month first, impossible dates and years of another calendar are dropped.
The text of the list is stored separately, unchanged.
"""

import calendar
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import date, timedelta

EARLIEST, LATEST = 1850, 2035
"""Years outside this range are misprints, or of another calendar ("1380 Hijri")."""
CIRCA_YEARS = 1
"""The tolerance of an approximate year."""
_EXCEL_DAY_ZERO = date(1899, 12, 30)
_EXCEL_SERIAL = re.compile(r"\s*([1-3]\d{4})\s*")
"""10000 to 39999: May 1927 to July 2009. No list has other five-digit numbers in this field."""
_DECADE_PARTS = {"early": (0, 4), "mid": (3, 7), "late": (5, 9), "": (0, 9)}

_NAMES = (
    ("january", "janvier", "januar", "januari"),
    ("february", "février", "fevrier", "februar", "februari", "feber"),
    ("march", "mars", "märz", "maart", "mrt", "mrz"),
    ("april", "avril"),
    ("may", "mai", "mei"),
    ("june", "juin", "juni"),
    ("july", "juillet", "juli", "juil"),
    ("august", "août", "aout", "augustus", "augusti"),
    ("september", "septembre"),
    ("october", "octobre", "oktober"),
    ("november", "novembre"),
    ("december", "décembre", "decembre", "dezember"),
)
"""The months in English, French, German and Dutch."""


def _build_month_names() -> dict[str, int]:
    """Map each name, and its first three and four letters unless they are ambiguous ("jui"), to the month."""
    months: dict[str, set[int]] = {}
    for number, names in enumerate(_NAMES, start=1):
        for name in names:
            for spelling in (name, name[:3], name[:4]):
                months.setdefault(spelling, set()).add(number)
    return {spelling: numbers.pop() for spelling, numbers in months.items() if len(numbers) == 1}


_MONTHS = _build_month_names()
_WORD = rf"(?:{'|'.join(sorted(_MONTHS, key=len, reverse=True))})\b\.?"
_TWO = r"\d\d?|dd|mm|jj|xx|\?\?|--|__"
"""Two digits, or a placeholder for unknown ones."""
_ORDINAL = r"(?:st|nd|rd|th|er)?"
_FORMS = tuple(
    re.compile(rf"(?<![\d]){form}(?!\d)", re.IGNORECASE)
    for form in (
        r"(?P<year>\d{4})(?P<s>[-/.])(?P<month>\d\d?)(?P=s)(?P<day>\d\d?)",
        rf"(?P<day>{_TWO})(?P<s>[-/.])(?P<month>{_TWO})(?P=s)(?P<year>\d{{4}})",
        rf"(?P<month>{_TWO})[/.](?P<year>\d{{4}})",
        rf"(?P<day>\d\d?){_ORDINAL}[\s.-]*(?:of\s+|de\s+)?(?P<word>{_WORD})[\s,.-]*(?P<year>\d{{4}})",
        rf"(?P<word>{_WORD})\s*(?P<day>\d\d?){_ORDINAL}[\s,]+(?P<year>\d{{4}})",
        rf"(?P<word>{_WORD})[\s,.-]*(?P<year>\d{{4}})",
        r"(?:(?P<part>early|mid|late)[\s-]*)?(?:the\s+)?(?P<decade>\d{3}0)['’]?s\b",
        r"ann[ée]es\s+(?P<decade>\d{3}0)",
        r"(?P<year>\d{4})-(?P<second>\d\d)(?!-)",
        r"(?P<year>\d{4})",
    )
)
"""The formats of one date. If several match at one position, the first is used."""
_CIRCA = r"\(?(?:circa|ca|c|about|around|approx(?:imate(?:ly)?)?|est(?:imated)?|environ|vers)\b\.?\)?"
_CIRCA_BEFORE = re.compile(rf"\b{_CIRCA}[\s:]*$|~\s*$", re.IGNORECASE)
_CIRCA_AFTER = re.compile(rf"\s*{_CIRCA}", re.IGNORECASE)
_RANGE = re.compile(r"\s*(?:-|–|—|/|\b(?:to|till|until|and|et|à|au|bis|tot)\b)\s*", re.IGNORECASE)
_ALTERNATIVES = re.compile(r"\s*(?:\b(?:and|et)\b|/)\s*", re.IGNORECASE)
"""These join a range only after "between"; otherwise they separate two alternative dates."""
_BETWEEN = re.compile(r"\b(?:between|entre|zwischen|tussen)\s+[^;]{0,20}$", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class _FoundDate:
    """A date in a text: its position, its year or range of years, and its month and day if known."""

    start: int
    end: int
    year: int
    last_year: int
    month: int | None = None
    day: int | None = None

    def coarse(self, last_year: int) -> "_FoundDate":
        """Return only the years, up to `last_year`."""
        return replace(self, last_year=last_year, month=None, day=None)

    def widened(self) -> "_FoundDate":
        """Return the date as an approximate one: the years around it."""
        if self.year != self.last_year:
            return self
        return replace(self.coarse(self.year + CIRCA_YEARS), year=self.year - CIRCA_YEARS)

    def __str__(self) -> str:
        if self.year != self.last_year:
            return f"{self.year}/{self.last_year}"
        return f"{self.year}" + "".join(f"-{part:02}" for part in (self.month, self.day) if part is not None)


def parse_birth_dates(text: str | None) -> tuple[str, ...]:
    """Return each date in the text once, in order: `1958`, `1958-05`, `1958-05-12`, or `1956/1958` for a range of years.

    `12/05/1958` and `00/05/1958` are read day first. An approximate date becomes the years around it (`circa 1958` is `1957/1959`),
    a decade its years, a five-digit number the date of that spreadsheet serial number. Other text is ignored.
    """
    if text is None:
        return ()
    serial = _EXCEL_SERIAL.fullmatch(text)
    if serial is not None:
        return ((_EXCEL_DAY_ZERO + timedelta(days=int(serial[1]))).isoformat(),)
    return tuple(dict.fromkeys(str(found) for found in _join_ranges(text, list(_scan_dates(text)))))


def _scan_dates(text: str) -> Iterator[_FoundDate]:
    """Yield the dates in the order of the text, without impossible ones."""
    at = 0
    while at < len(text):
        matches = [match for form in _FORMS if (match := form.search(text, at)) is not None]
        if not matches:
            return
        match = min(matches, key=lambda match: match.start())
        found = _parse_match(match)
        if found is not None and EARLIEST <= found.year <= found.last_year <= LATEST:
            yield found
        at = match.end()


def _parse_match(match: re.Match[str]) -> _FoundDate | None:
    """Return the date of a match; None if there is no such date."""
    part = match.groupdict()
    if part.get("decade") is not None:
        first, last = _DECADE_PARTS[(part.get("part") or "").lower()]
        return _FoundDate(*match.span(), int(part["decade"]) + first, int(part["decade"]) + last)
    year = int(part["year"])
    if part.get("second") is not None:
        return _parse_short_form(match, year, int(part["second"]))
    word = part.get("word")
    month = _MONTHS[word.lower().rstrip(".")] if word is not None else _parse_number(part.get("month"))
    day = _parse_number(part.get("day")) if month is not None else None
    return _FoundDate(*match.span(), year, year, month, day) if _is_valid_date(year, month, day) else None


def _parse_short_form(match: re.Match[str], year: int, second: int) -> _FoundDate | None:
    """`1958-05` is a month, `1963-64` a range of years, `1958-00` a year; `1964-63` is invalid."""
    if second <= len(_NAMES):
        return _FoundDate(*match.span(), year, year, second or None)
    last = year - year % 100 + second
    return _FoundDate(*match.span(), year, last) if last > year else None


def _parse_number(text: str | None) -> int | None:
    """Return the number; None for a placeholder (`00`, `dd`)."""
    return (int(text) or None) if text is not None and text.isdigit() else None


def _is_valid_date(year: int, month: int | None, day: int | None) -> bool:
    if month is None:
        return True
    return 1 <= month <= len(_NAMES) and year > 0 and (day is None or day <= calendar.monthrange(year, month)[1])


def _join_ranges(text: str, dates: list[_FoundDate]) -> Iterator[_FoundDate]:
    """Yield the dates, with both ends of a range joined into one, and approximate ones widened."""
    position = 0
    while position < len(dates):
        found = dates[position]
        between = _BETWEEN.search(text, 0, found.start) is not None
        later = dates[position + 1] if position + 1 < len(dates) else None
        if later is not None and _is_range(text, found, later, between=between):
            found = replace(found.coarse(later.last_year), end=later.end)
            position += 1
        elif between:
            found = found.coarse(found.last_year)
        yield found.widened() if _is_approximate(text, found) else found
        position += 1


def _is_range(text: str, one: _FoundDate, other: _FoundDate, *, between: bool) -> bool:
    joint = text[one.end : other.start]
    if _RANGE.fullmatch(joint) is None or other.last_year < one.year:
        return False
    return between or _ALTERNATIVES.fullmatch(joint) is None


def _is_approximate(text: str, found: _FoundDate) -> bool:
    return _CIRCA_BEFORE.search(text, 0, found.start) is not None or _CIRCA_AFTER.match(text, found.end) is not None
