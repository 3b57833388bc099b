"""Parse a row of Vancouver's business licences: a licence of one year, in one of its revisions.

`source` chooses the licence that represents a business, by the `recency_key` of each row.
"""

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date

from bonafide.i18n.message import Message
from bonafide.matching.names.normalization import normalise
from bonafide.model.entity import Address, StatusCode
from bonafide.sources.formats.delimited_text import TableRow, build_postal_address, build_street_line
from bonafide.sources.framework.context import ParseContext

_PERSON = re.compile(r"\((.+)\)")
_NAMED_TWICE = re.compile(r"(.+) \(([^()]+)\)")
"""`Jane Q Example (Jane Example)`: a person's full name and name in use."""
_PROVINCES = frozenset({"AB", "BC", "MB", "NB", "NL", "NS", "NT", "NU", "ON", "PE", "QC", "SK", "YT"})
ColumnNames = Mapping[str, str]
"""Field names of the portal's API to the headings of a file. An export with labels has headings in mixed case."""


@dataclass(frozen=True, slots=True)
class LicenceHolder:
    """The holder of a licence. `other_form` is another form of a person's name."""

    name: str
    other_form: str | None = None
    is_person: bool = False
    is_trade_name: bool = False


@dataclass(frozen=True, slots=True)
class VancouverLicence:
    """A parsed row. `day` is the date of the extract, None if the file does not have it."""

    holder: LicenceHolder
    trade_name: str | None
    number: str
    rsn: str | None
    year: int
    revision: int
    status: str
    code: StatusCode
    issued: date | None
    expires: date | None
    day: date | None
    business_type: str | None
    business_subtype: str | None
    employees: float | None
    local_area: str | None
    street: str | None
    town: tuple[str | None, str | None, str | None, str | None]
    """City, province, postal code, country."""

    @property
    def has_expired(self) -> bool:
        """Whether its status is still issued although its expiry date has passed."""
        if self.code is not StatusCode.ACTIVE or self.expires is None or self.day is None:
            return False
        return self.expires < self.day

    @property
    def is_in_force(self) -> bool:
        """Whether it is valid on the date of the extract."""
        return self.code is StatusCode.ACTIVE and not self.has_expired

    @property
    def recency_key(self) -> tuple[bool, int, int, date, str]:
        """Greatest for the row that represents the business: one in force, then that of the latest year and revision.

        From autumn on, the next year's licence is pending while the current one is in force.
        """
        return self.is_in_force, self.year, self.revision, self.issued or date.min, self.number

    @property
    def place(self) -> str:
        """Identifies the premises among others of the same holder; without a street, by the business type."""
        place = (self.street, *self.town[:3]) if self.street is not None else (self.business_type, self.local_area)
        return ", ".join(part for part in place if part is not None).casefold()


def parse_holder(row: TableRow, columns: ColumnNames) -> LicenceHolder | None:
    """Return the holder; None if no name is published, as for short-term rental operators."""
    name, trade_name = row.get(columns["businessname"]), row.get(columns["businesstradename"])
    if name is None:
        return LicenceHolder(trade_name, is_trade_name=True) if trade_name is not None else None
    person = _PERSON.fullmatch(name)
    if person is not None and "(" not in person[1]:
        return LicenceHolder(person[1], is_person=True)
    twice = _NAMED_TWICE.fullmatch(name)
    return (
        LicenceHolder(name)
        if twice is None or not _is_short_form(twice[2], twice[1])
        else LicenceHolder(twice[1], twice[2], is_person=True)
    )


def _is_short_form(name: str, full: str) -> bool:
    """Whether it omits some of a person's names; a company's full name has a legal form."""
    return set(name.casefold().split()) <= set(full.casefold().split()) and not normalise(full).legal_forms


def parse_licence(holder: LicenceHolder, row: TableRow, columns: ColumnNames, context: ParseContext) -> VancouverLicence:
    """Parse a row. Raises `ValueError` for a row without a number or status, or with an invalid date or number."""

    def cell(field: str) -> str | None:
        return row.get(columns[field])

    status, trade_name = row.need(columns["status"]), cell("businesstradename")
    return VancouverLicence(
        holder=holder,
        trade_name=trade_name if trade_name != holder.name else None,
        number=row.need(columns["licencenumber"]),
        rsn=cell("licencersn"),
        year=_parse_integer(row.need(columns["folderyear"]), "folderyear"),
        revision=_parse_integer(cell("licencerevisionnumber"), "licencerevisionnumber"),
        status=status,
        code=context.status(status),
        issued=_parse_day(cell("issueddate"), "issueddate"),
        expires=_parse_day(cell("expireddate"), "expireddate"),
        day=_parse_day(cell("extractdate"), "extractdate"),
        business_type=cell("businesstype"),
        business_subtype=cell("businesssubtype"),
        employees=_parse_number(cell("numberofemployees"), "numberofemployees"),
        local_area=cell("localarea"),
        street=_build_street(row, columns),
        town=(cell("city"), cell("province"), cell("postalcode"), cell("country")),
    )


def build_address(licence: VancouverLicence) -> Address | None:
    """Build the address. If the list omits the country, a Canadian province implies it."""
    city, province, postal_code, country = licence.town
    if country is None and province in _PROVINCES:
        country = "CA"
    return build_postal_address(street=licence.street, city=city, province=province, postal_code=postal_code, country=country)


def _build_street(row: TableRow, columns: ColumnNames) -> str | None:
    parts = [part for part in (row.get(columns["house"]), row.get(columns["street"])) if part is not None]
    return build_street_line(row.get(columns["unit"]), " ".join(parts) or None)


def _parse_day(text: str | None, field: str) -> date | None:
    """Return the date of an instant, which the export has in Vancouver's time. Raises `ValueError`."""
    try:
        return date.fromisoformat(text[:10]) if text is not None else None
    except ValueError:
        raise ValueError(Message("{column} is not a date", column=field)) from None


def _parse_integer(text: str | None, field: str) -> int:
    """Return the integer, 0 for an empty cell. Raises `ValueError`."""
    number = _parse_number(text, field)
    if number is not None and not math.isfinite(number):
        raise ValueError(Message("{column} is not a number", column=field))
    return int(number or 0)


def _parse_number(text: str | None, field: str) -> float | None:
    """Return the number. Raises `ValueError`."""
    try:
        return float(text) if text is not None else None
    except ValueError:
        raise ValueError(Message("{column} is not a number", column=field)) from None
