"""Typed access to the values of a canonical row: text, lists, dates, booleans.

Errors name the column and not the value: they are counted by text, so there must be few different ones.
"""

import unicodedata
from collections.abc import Mapping as Values
from dataclasses import dataclass
from datetime import date, datetime

from bonafide.i18n.message import Message
from bonafide.sources.canonical.mapping import CanonicalMapping, to_snake_case
from bonafide.sources.formats.delimited_text import ISO_DATE, normalize_whitespace, parse_date

MAX_TEXT_CHARACTERS = 1_000
"""Of one name, status or number. A longer text is usually two rows that were joined."""
BOOLEANS = {
    "yes": True, "true": True, "y": True, "1": True, "oui": True, "vrai": True,
    "no": False, "false": False, "n": False, "0": False, "non": False, "faux": False,
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class CanonicalFields:
    """The values of a row, or of an object within it; each method raises `ValueError` for an invalid value."""

    values: Values[str, object]
    mapping: CanonicalMapping

    def _get(self, name: str) -> object:
        value = self.values.get(name)
        return value if value is not None else self.mapping.defaults.get(name)

    def text(self, name: str) -> str | None:
        """One line of text."""
        return to_one_line(self._get(name), name)

    def need(self, name: str) -> str:
        """One line of text, which is required."""
        text = self.text(name)
        if text is None:
            raise ValueError(Message("{column} is empty", column=name))
        return text

    def items(self, name: str) -> list[object]:
        """The items of a list, of a text with separators, or of a single object."""
        value = self._get(name)
        if isinstance(value, str):
            parts = (normalize_whitespace(part) for part in value.split(self.mapping.list_separator))
            return [part for part in parts if part is not None]
        if isinstance(value, list):
            return [item for item in value if item not in (None, "")]
        return [] if value is None else [value]

    def texts(self, name: str) -> list[str]:
        """The items of a list of texts."""
        found = (to_one_line(item, name) for item in self.items(name))
        return [text for text in found if text is not None]

    def day(self, name: str) -> date | None:
        """A date, by the first of the mapping's formats that fits."""
        value = self._get(name)
        if isinstance(value, datetime):
            return value.date()
        if isinstance(value, date):
            return value
        text = to_one_line(value, name)
        try:
            return parse_date(text, *self.mapping.date_formats)
        except ValueError:
            raise ValueError(Message("{column} is not a date", column=name)) from None

    def truth(self, name: str) -> bool | None:
        """Yes or no, in English or French."""
        value = self._get(name)
        if value is None or isinstance(value, bool):
            return value
        text = to_one_line(value, name)
        if text is not None and text.casefold() not in BOOLEANS:
            raise ValueError(Message("{column} is neither yes nor no", column=name))
        return BOOLEANS[text.casefold()] if text is not None else None


def to_one_line(value: object, name: str) -> str | None:
    """Text or a whole number as one line of text; None if it is blank. Raises `ValueError`."""
    if value is None:
        return None
    if isinstance(value, int) and not isinstance(value, bool):
        value = str(value)
    if not isinstance(value, str):
        # Floats are refused too: 1.2e9 is a registration number that a spreadsheet has altered.
        raise ValueError(Message("{column} is not text", column=name))  # noqa: TRY004 - an error in the data, not in the code
    text = normalize_whitespace(value)
    if text is None:
        return None
    if len(text) > MAX_TEXT_CHARACTERS:
        raise ValueError(Message("{column} has more than {limit:,} characters", column=name, limit=MAX_TEXT_CHARACTERS))
    if not text.isprintable() and any(unicodedata.category(character) in {"Cc", "Cs"} for character in text):
        raise ValueError(Message("{column} has control characters", column=name))
    return text


def create_object_fields(item: object, column: str, keys: frozenset[str], mapping: CanonicalMapping) -> CanonicalFields:
    """An object of a JSON list, its keys in snake case. Raises `ValueError` for another type of item or an unknown key."""
    if not isinstance(item, dict):
        raise ValueError(Message("{column} has an item that is neither text nor an object", column=column))  # noqa: TRY004 - an error in the data
    values = {to_snake_case(str(key)): value for key, value in item.items() if value not in (None, "")}
    if not keys.issuperset(values):
        raise ValueError(f"{column} has an object with a key other than {', '.join(sorted(keys))}")
    # Defaults are of the row's columns, and an object's `name` is none of them.
    return CanonicalFields(values, mapping.model_copy(update={"defaults": {}}))


def parse_iso_day(text: str | None, column: str) -> date | None:
    """A date inside a list item, which is always YYYY-MM-DD."""
    try:
        return parse_date(text, ISO_DATE)
    except ValueError:
        raise ValueError(Message("{column} has an invalid date", column=column)) from None
