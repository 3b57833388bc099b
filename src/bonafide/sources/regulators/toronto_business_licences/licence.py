"""Parse a row of Toronto's licences and permits: a licence of one category, with its cancellation date if it was cancelled.

`source` chooses the licence that represents a business, by the `recency_key` of each row.
"""

import re
from dataclasses import dataclass
from datetime import date

from bonafide.i18n.message import Message, join_values
from bonafide.matching.names.normalization import normalise
from bonafide.model.entity import Address
from bonafide.sources.formats.delimited_text import TableRow, build_postal_address

NULL = "None"
"""The content of empty cells in exports of the portal's own database."""
_PERSON = re.compile(r"[^,\d]+, ?[^,\d]+")
"""`SURNAME, GIVEN`."""
_CITY = re.compile(r"(?P<city>.+?),? (?P<province>[A-Z]{2})")
_WHOLE_CODE = 6
"""Characters of a postal code. For individuals the list has only the first three."""


@dataclass(frozen=True, slots=True)
class TorontoLicence:
    """A parsed row."""

    number: str
    category: str
    client: str | None
    operating_name: str | None
    issued: date | None
    cancelled: date | None
    updated: date | None
    lines: tuple[str | None, str | None, str | None]
    """The address: street, city and province, postal code."""
    phone: str | None
    ward: str | None
    conditions: tuple[str, ...]
    endorsements: tuple[str, ...]

    @property
    def name(self) -> str:
        """The holder: the client, or the operating name if there is no client."""
        return self.client or self.operating_name or ""

    @property
    def recency_key(self) -> tuple[bool, date, date, str]:
        """Greatest for the row that represents the business: one that is not cancelled, then the latest."""
        return self.cancelled is None, self.issued or date.min, self.updated or date.min, self.number

    @property
    def key(self) -> str:
        """Identifies the holder and its premises; without a street, by the operating name."""
        place = self.lines if self.lines[0] is not None else (self.operating_name, *self.lines)
        return " | ".join([self.name, *(part for part in place if part is not None)]).casefold()


def parse_licence(row: TableRow) -> TorontoLicence:
    """Parse a row. Raises `ValueError` for a row without a number or a name, or with an invalid date."""
    phone, extension = _read_cell(row, "Business Phone"), _read_cell(row, "Business Phone Ext.")
    client, operating_name = _read_cell(row, "Client Name"), _read_cell(row, "Operating Name")
    if client is None and operating_name is None:
        raise ValueError(Message("{columns} are empty", columns=join_values(("Client Name", "Operating Name"))))
    return TorontoLicence(
        number=_require_cell(row, "Licence No."),
        category=_require_cell(row, "Category"),
        client=client,
        operating_name=operating_name,
        issued=_read_day(row, "Issued"),
        cancelled=_read_day(row, "Cancel Date"),
        updated=_read_day(row, "Last Record Update"),
        lines=(
            _read_cell(row, "Licence Address Line 1"),
            _read_cell(row, "Licence Address Line 2"),
            _read_cell(row, "Licence Address Line 3"),
        ),
        phone=f"{phone} ext. {extension}" if phone is not None and extension is not None else phone,
        ward=_read_cell(row, "Ward"),
        conditions=_split_items(row, "Conditions"),
        endorsements=_split_items(row, "Endorsements"),
    )


def is_person_name(name: str) -> bool:
    """Whether it is a person's name (`SURNAME, GIVEN`), and not a company's with a comma before its legal form."""
    return _PERSON.fullmatch(name) is not None and not normalise(name).legal_forms


def build_address(licence: TorontoLicence) -> Address | None:
    """Build the address. For an individual only the beginning of the postal code is published; it is only in `raw`."""
    street, town, code = licence.lines
    found = _CITY.fullmatch(town) if town is not None else None
    whole = code is not None and len(code.replace(" ", "")) == _WHOLE_CODE
    address = build_postal_address(
        street=street,
        city=found["city"] if found is not None else town,
        province=found["province"] if found is not None else None,
        postal_code=code if whole else None,
        country="CA" if found is not None else None,
    )
    if address is None or code is None or whole:
        return address
    return address.model_copy(update={"raw": f"{address.raw}, {code}"})


def _read_cell(row: TableRow, column: str) -> str | None:
    value = row.get(column)
    return value if value != NULL else None


def _require_cell(row: TableRow, column: str) -> str:
    value = _read_cell(row, column)
    if value is None:
        raise ValueError(Message("{column} is empty", column=column))
    return value


def _read_day(row: TableRow, column: str) -> date | None:
    value = _read_cell(row, column)
    try:
        return date.fromisoformat(value[:10]) if value is not None else None
    except ValueError:
        raise ValueError(Message("{column} is not a date", column=column)) from None


def _split_items(row: TableRow, column: str) -> tuple[str, ...]:
    """Split a cell in which each item ends with a semicolon."""
    value = _read_cell(row, column)
    return tuple(item.strip() for item in value.split(";") if item.strip()) if value is not None else ()
