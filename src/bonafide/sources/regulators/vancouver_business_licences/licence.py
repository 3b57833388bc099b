"""One row of Vancouver's business licences: a licence of one year, in one of its revisions.

Which of a business's licences stands for it is decided in `source`; a row says only when it is newer than another.
"""

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date

from bonafide.matching.names.normalization import normalise
from bonafide.model.entity import Address, StatusCode
from bonafide.sources.formats.delimited_text import TableRow, build_postal_address, build_street_line
from bonafide.sources.framework.context import ParseContext

_PERSON = re.compile(r"\((.+)\)")
_NAMED_TWICE = re.compile(r"(.+) \(([^()]+)\)")
"""`Jane Q Example (Jane Example)`: a person by full name and by the name in use."""
_PROVINCES = frozenset({"AB", "BC", "MB", "NB", "NL", "NS", "NT", "NU", "ON", "PE", "QC", "SK", "YT"})
ColumnNames = Mapping[str, str]
"""Field names of the portal's interface to the headings of a file, which are written in mixed case where labels were asked for."""


@dataclass(frozen=True, slots=True)
class LicenceHolder:
    """Who holds a licence; `also` is another form of a person's name."""

    name: str
    other_form: str | None = None
    is_person: bool = False
    is_trade_name: bool = False


@dataclass(frozen=True, slots=True)
class VancouverLicence:
    """A row with its cells read. `day` is the day of the extract, None where the file does not say it."""

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
        """Whether it is called issued though its last day is past."""
        if self.code is not StatusCode.ACTIVE or self.expires is None or self.day is None:
            return False
        return self.expires < self.day

    @property
    def is_in_force(self) -> bool:
        """Whether the business may trade with it on the day of the extract."""
        return self.code is StatusCode.ACTIVE and not self.has_expired

    @property
    def recency_key(self) -> tuple[bool, int, int, date, str]:
        """Greater for the row that stands for the business: one in force, then of the later year and the later revision.

        From autumn on the next year's licence is pending while this year's is in force.
        """
        return self.is_in_force, self.year, self.revision, self.issued or date.min, self.number

    @property
    def place(self) -> str:
        """What tells the premises from others of the same holder; without a street, the trade does in its place."""
        place = (self.street, *self.town[:3]) if self.street is not None else (self.business_type, self.local_area)
        return ", ".join(part for part in place if part is not None).casefold()


def parse_holder(row: TableRow, columns: ColumnNames) -> LicenceHolder | None:
    """Who holds the licence; None when no name is published, as for those who let rooms for short terms."""
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
    """Whether it leaves out some of a person's names; a company's full name has a legal form."""
    return set(name.casefold().split()) <= set(full.casefold().split()) and not normalise(full).legal_forms


def parse_licence(holder: LicenceHolder, row: TableRow, columns: ColumnNames, context: ParseContext) -> VancouverLicence:
    """The licence. Raises `ValueError` for a row without a number or status, and for a cell that can't be read."""

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
    """The address; a province of Canada tells the country where the list leaves it out."""
    city, province, postal_code, country = licence.town
    if country is None and province in _PROVINCES:
        country = "CA"
    return build_postal_address(street=licence.street, city=city, province=province, postal_code=postal_code, country=country)


def _build_street(row: TableRow, columns: ColumnNames) -> str | None:
    door = [part for part in (row.get(columns["house"]), row.get(columns["street"])) if part is not None]
    return build_street_line(row.get(columns["unit"]), " ".join(door) or None)


def _parse_day(text: str | None, field: str) -> date | None:
    """The day of an instant, in Vancouver's time as it is asked for. Raises `ValueError`."""
    try:
        return date.fromisoformat(text[:10]) if text is not None else None
    except ValueError:
        raise ValueError(f"{field} is not a date") from None


def _parse_integer(text: str | None, field: str) -> int:
    """The whole number, 0 where there is none. Raises `ValueError`."""
    number = _parse_number(text, field)
    if number is not None and not math.isfinite(number):
        raise ValueError(f"{field} is not a number")
    return int(number or 0)


def _parse_number(text: str | None, field: str) -> float | None:
    """Raises `ValueError`."""
    try:
        return float(text) if text is not None else None
    except ValueError:
        raise ValueError(f"{field} is not a number") from None
