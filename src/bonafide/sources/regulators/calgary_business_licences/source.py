"""Business licences of Calgary: one entry a licence, by trade name; who operates the business the list does not say.

A licence that waits for its renewal, or whose business moves, is in force meanwhile; its own word says so. The list of before 2020
has other columns and no numbers.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import date

from pydantic import JsonValue

from bonafide.model.entity import Address
from bonafide.model.entry import RegulatoryEntry
from bonafide.sources.formats.delimited_text import (
    DelimitedDialect,
    TableRow,
    build_postal_address,
    build_street_line,
    normalize_whitespace,
    open_text,
    read_delimited,
)
from bonafide.sources.framework.context import ParseContext, Resource

_COLUMNS = {
    "export": {
        "number": "GETBUSID",
        "name": "TRADENAME",
        "address": "ADDRESS",
        "types": "LICENCETYPES",
        "status": "JOBSTATUSDESC",
        "community": "COMDISTNM",
        "community_code": "COMDISTCD",
        "home": "HOMEOCCIND",
        "first_issued": "FIRST_ISS_DT",
        "expires": "EXP_DT",
    },
    "fields": {
        "number": "getbusid",
        "name": "tradename",
        "address": "address",
        "types": "licencetypes",
        "status": "jobstatusdesc",
        "community": "comdistnm",
        "community_code": "comdistcd",
        "home": "homeoccind",
        "first_issued": "first_iss_dt",
        "expires": "exp_dt",
    },
    "until_2020": {
        "name": "TRADENAME",
        "address": "ADDRESS",
        "types": "LICENCETYPES",
        "status": "JOBSTATUSDESC",
        "community": "COMDISTNM",
        "created": "JOBCREATED",
    },
}
_UNIT = re.compile(r"#(?P<unit>\S+) (?P<street>.+)")
"""`#4 2015 32 AV NE`."""
_BOOLEANS = {"y": True, "n": False}

_Cells = Mapping[str, str | None]
"""A row under our names; a name that its layout does not have is absent."""


def parse(resources: Sequence[Resource], context: ParseContext) -> Iterator[RegulatoryEntry]:
    """The licences of all files; of a licence that stands in two rows, the later one."""
    licences: dict[str, RegulatoryEntry] = {}
    for resource in resources:
        for entry in _read_entries(resource, context):
            if entry.entry_id in licences:
                context.merge()
            licences[entry.entry_id] = entry
    yield from licences.values()


def _read_entries(resource: Resource, context: ParseContext) -> Iterator[RegulatoryEntry]:
    with open_text(resource, "utf-8-sig") as text:
        for layout, row in read_delimited(text, resource, context, DelimitedDialect(cell=_normalize_lines)):
            try:
                yield _build_entry(layout, row, context)
            except ValueError as error:
                context.reject(resource, row.line, str(error))


def _normalize_lines(cell: str) -> str | None:
    """The cell with its line breaks, which part the types of a licence: the names of some types have commas."""
    if "\n" not in cell:
        return normalize_whitespace(cell)
    lines = (normalize_whitespace(line) for line in cell.splitlines())
    return "\n".join(line for line in lines if line is not None) or None


def _build_entry(layout: str, row: TableRow, context: ParseContext) -> RegulatoryEntry:
    columns = _COLUMNS[layout]
    cells: _Cells = {name: row.get(column) for name, column in columns.items()}
    name, status = " ".join(row.need(columns["name"]).split()), row.need(columns["status"])
    number = row.need(columns["number"]) if "number" in columns else None
    address = _build_address(cells["address"])
    return RegulatoryEntry(
        # Without a number, name and place tell one licence from another.
        entry_id=number or f"{name} | {cells['address']}".casefold(),
        legal_name=name,
        registration_number=number,
        status=status,
        status_code=context.status(status),
        addresses=(address,) if address is not None else (),
        details=_build_details(cells, context),
    )


def _build_address(text: str | None) -> Address | None:
    """The street; the list is of Calgary."""
    if text is None:
        return None
    found = _UNIT.fullmatch(text)
    street = build_street_line(found["unit"], found["street"]) if found is not None else text
    return build_postal_address(street=street, city="Calgary", province="AB", postal_code=None, country="CA")


def _build_details(cells: _Cells, context: ParseContext) -> dict[str, JsonValue]:
    home = cells.get("home")
    details: dict[str, JsonValue] = {
        "nameType": "trade",
        "licenceTypes": _split_types(cells["types"]),
        "firstIssuedDate": _parse_day(cells.get("first_issued")),
        "expiryDate": _parse_day(cells.get("expires")),
        "createdDate": _parse_day(cells.get("created")),
        "communityCode": cells.get("community_code"),
        "community": cells["community"],
        "homeOccupation": _BOOLEANS.get(context.term(home).casefold()) if home is not None else None,
    }
    return {key: value for key, value in details.items() if value is not None}


def _split_types(text: str | None) -> list[JsonValue] | None:
    """The types, of which each but the last ends with a comma and a line break."""
    types = (line.removesuffix(",").strip() for line in text.split("\n")) if text is not None else ()
    return [name for name in dict.fromkeys(types) if name] or None


def _parse_day(text: str | None) -> str | None:
    """The day of an instant, or one written with slashes, as text. Raises `ValueError`."""
    if text is None:
        return None
    try:
        return date.fromisoformat(text[:10].replace("/", "-")).isoformat()
    except ValueError:
        raise ValueError(f"{text!r} is not a date") from None
