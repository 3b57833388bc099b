"""Business licences of Vancouver: one entry a business and its premises, by the licence that is in force, or else the newest.

A licence has a row for each year, and one for each revision within it. People who trade alone stand in parentheses; of them nothing
is kept that the licence does not need. It does not tell two people of one name apart where no street is published.
"""

import math
import re
from collections.abc import Iterator, Sequence
from datetime import date
from typing import Any

from bonafide.matching.names.normalization import normalise
from bonafide.model.entity import StatusCode
from bonafide.model.entry import RegulatoryEntry
from bonafide.model.jurisdiction import Jurisdiction
from bonafide.sources.formats.delimited_text import build_street_line
from bonafide.sources.framework.context import ParseContext, Resource
from bonafide.sources.tables.parser import parse_table
from bonafide.sources.tables.records import RowSkipped, TableRecord

_EXPIRED = "Expired"
_PERSON = re.compile(r"\((.+)\)")
_NAMED_TWICE = re.compile(r"(.+) \(([^()]+)\)")
"""`Jane Q Example (Jane Example)`: a person by full name and by the name in use."""
_PROVINCES = frozenset(Jurisdiction) - {Jurisdiction.FED}
_TOWN = ("city", "province", "postal_code")
_REQUIRED = ("status", "registration_number", "_year")


def parse(resources: Sequence[Resource], context: ParseContext) -> Iterator[RegulatoryEntry]:
    """The businesses of all files."""
    return parse_table(resources, context, complete=_complete)


def _complete(record: TableRecord, context: ParseContext) -> None:
    """Find out who holds the licence, whether it is in force, and what tells the premises from others of the same holder."""
    values = record.values
    name = _set_holder(values)
    if any(values[field] is None for field in _REQUIRED):
        return
    year, revision = _parse_integer(values["_year"], "folderyear"), _parse_integer(values["_revision"], "licencerevisionnumber")
    code = context.status(values["status"])
    issued, expires = _parse_day(values["issuedDate"], "issueddate"), _parse_day(values["expiryDate"], "expireddate")
    day = _parse_day(values["_extracted"], "extractdate")
    employees = _parse_number(values["numberOfEmployees"], "numberofemployees")
    values |= {"issuedDate": issued, "expiryDate": expires, "numberOfEmployees": employees, "status_code": code}
    # It may be called issued though its last day is past.
    has_expired = code is StatusCode.ACTIVE and expires is not None and day is not None and expires < day
    if has_expired:
        values |= {"status": _EXPIRED, "status_code": context.status(_EXPIRED), "statusDerived": True}
    is_in_force = code is StatusCode.ACTIVE and not has_expired
    if not is_in_force:
        values["otherBusinessTypes"] = None
    # From autumn on the next year's licence is pending while this year's is in force.
    values["_recency"] = (is_in_force, year, revision, issued or date.min, values["registration_number"])
    street = build_street_line(values["unit"], " ".join(values["street"] or ()) or None)
    # Without a street, the trade tells the premises apart.
    place = [street, *map(values.get, _TOWN)] if street is not None else [values["businessType"], values["localArea"]]
    place_key = ", ".join(part for part in place if part is not None)
    values |= {"street": street, "unit": None, "entry_id": f"{name} | {place_key}".casefold()}
    if values["country"] is None and values["province"] in _PROVINCES:
        values["country"] = "CA"
    if values.get("soleProprietor"):
        values |= {"numberOfEmployees": None, "localArea": None}
    if day is not None and (context.report.as_of is None or day > context.report.as_of):
        context.set_as_of(day)


def _set_holder(values: dict[str, Any]) -> str:
    """Take the names apart, and return the main one. Raises `RowSkipped` where none is published (rooms let for short terms)."""
    name, trade_name = values["legal_name"], values["alternate_names"]
    other_form = None
    if name is None:
        if trade_name is None:
            raise RowSkipped("no name is published")
        name = trade_name
        values["nameType"] = "trade"
    elif (person := _PERSON.fullmatch(name)) is not None and "(" not in person[1]:
        name = person[1]
        values["soleProprietor"] = True
    elif (twice := _NAMED_TWICE.fullmatch(name)) is not None and _is_short_form(twice[2], twice[1]):
        name, other_form = twice[1], twice[2]
        values["soleProprietor"] = True
    values["legal_name"] = [name, other_form] if other_form is not None else name
    values["alternate_names"] = trade_name if trade_name != name else None
    return str(name)


def _is_short_form(name: str, full: str) -> bool:
    """Whether it leaves out some of a person's names; a company's full name has a legal form."""
    return set(name.casefold().split()) <= set(full.casefold().split()) and not normalise(full).legal_forms


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
