"""Licences and permits of Toronto: one entry a business and its premises, by the licence that is not cancelled, or else the newest.

A business has a licence for each category, a restaurant one more for its patio. Of people who hold a licence nothing is kept that
the licence does not need; plates of taxis and licences to drive are no businesses and are passed over.
"""

import re
from collections.abc import Iterator, Sequence
from datetime import date, timedelta
from functools import partial
from typing import Any

from bonafide.errors import ParseFailed
from bonafide.matching.names.normalization import normalise
from bonafide.model.entity import Address, StatusCode
from bonafide.model.entry import RegulatoryEntry
from bonafide.sources.formats.delimited_text import build_postal_address
from bonafide.sources.framework.context import FetchContext, ParseContext, Resource
from bonafide.sources.framework.downloads import create_download, fetch_portal_files
from bonafide.sources.tables.parser import parse_table
from bonafide.sources.tables.records import RowSkipped, TableRecord

INDEX = "package"
LAPSED_AFTER = timedelta(days=2 * 366)
"""Licences are renewed each year, and a renewal touches the record."""
_DRIVER = "DRIVER"
_PERSON = re.compile(r"[^,\d]+, ?[^,\d]+")
"""`SURNAME, GIVEN`."""
_NOT_OF_A_PERSON = ("phone", "ward", "conditions", "endorsements")
_CITY = re.compile(r"(?P<city>.+?),? (?P<province>[A-Z]{2})")
_WHOLE_CODE = 6
"""Characters of a postal code; of a person the list has the first three."""
_DAYS = {"issuedDate": "Issued", "cancelDate": "Cancel Date", "lastRecordUpdate": "Last Record Update"}


def parse(resources: Sequence[Resource], context: ParseContext) -> Iterator[RegulatoryEntry]:
    """The businesses of all files."""
    today = max((resource.as_of or resource.retrieved_at.date() for resource in resources), default=date.min)
    return parse_table(resources, context, complete=partial(_complete, today=today))


def _complete(record: TableRecord, context: ParseContext, today: date) -> None:
    """Add the status, the ID and the address; drop what of a person is not needed."""
    values = record.values
    category, number, client, trade_name = (
        values[key] for key in ("category", "registration_number", "legal_name", "alternate_names")
    )
    passing = "drivers" if _DRIVER in (category or "") else context.metadata.terms.get(category or "")
    if passing is not None:
        raise RowSkipped(passing)
    if client is None and trade_name is None:
        raise ValueError("neither Client Name nor Operating Name is filled")
    name = values["legal_name"] = client or trade_name
    if number is None or category is None:
        return
    issued, cancelled, updated = (_read_day(values, field) for field in _DAYS)
    # Nobody has touched the record for so long that the licence may have lapsed without being cancelled.
    is_doubtful = cancelled is None and updated is not None and today - updated > LAPSED_AFTER
    lines = values["street"], values["city"], values["postal_code"]
    # Without a street, the name under which it operates tells one business from another.
    key = (name, *lines) if lines[0] is not None else (name, trade_name, *lines)
    values |= {
        "_recency": (cancelled is None, issued or date.min, updated or date.min, number),
        "entry_id": " | ".join(part for part in key if part is not None).casefold(),
        "nameType": "trade" if client is None else None,
        "status": "Active" if cancelled is None else "Cancelled",
        "status_code": StatusCode.UNKNOWN if is_doubtful else None,
        "statusDoubtful": is_doubtful or None,
        "addresses": tuple(_build_addresses(*lines)),
    }
    if cancelled is not None:
        values["otherCategories"] = None
    if _is_person_name(name):
        values |= {"soleProprietor": True, **dict.fromkeys(_NOT_OF_A_PERSON)}
    elif values["phone"] is not None and values["_extension"] is not None:
        values["phone"] = f"{values['phone']} ext. {values['_extension']}"


def _read_day(values: dict[str, Any], field: str) -> date | None:
    """The day, which stands for the text from now on. Raises `ValueError`."""
    try:
        day = date.fromisoformat(values[field][:10]) if values[field] is not None else None
    except ValueError:
        raise ValueError(f"{_DAYS[field]} is not a date") from None
    values[field] = day
    return day


def _is_person_name(name: str) -> bool:
    """Whether it is written as a person's name (`SURNAME, GIVEN`), and not a company's with a comma before its legal form."""
    return _PERSON.fullmatch(name) is not None and not normalise(name).legal_forms


def _build_addresses(street: str | None, town: str | None, code: str | None) -> Iterator[Address]:
    """The address. Of a person's only the beginning of the postal code is published; it is in `raw` alone."""
    found = _CITY.fullmatch(town) if town is not None else None
    is_whole = code is not None and len(code.replace(" ", "")) == _WHOLE_CODE
    address = build_postal_address(
        street=street,
        city=found["city"] if found is not None else town,
        province=found["province"] if found is not None else None,
        postal_code=code if is_whole else None,
        country="CA" if found is not None else None,
    )
    if address is not None:
        yield address if code is None or is_whole else address.model_copy(update={"raw": f"{address.raw}, {code}"})


async def fetch(context: FetchContext) -> list[Resource]:
    """The whole list, from where the portal says that it lies. Raises a `SourceError`."""
    files = await fetch_portal_files(context, INDEX)
    tables = [file for file in files if file.format == "csv" and file.url.lower().endswith(".csv") and not file.in_datastore]
    if not tables:
        raise ParseFailed(f"{context.metadata.key}: {INDEX}: the portal lists no CSV file beside its own database")
    newest = max(tables, key=lambda file: file.modified)
    return [await context.download(create_download(context, INDEX, newest, "licences"))]
