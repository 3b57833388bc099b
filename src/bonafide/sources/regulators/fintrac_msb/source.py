"""Money services businesses registered with FINTRAC: one entry for each registration number, with its legal and operating names.

A registration that has ceased, expired or been revoked stays in the list and says so. The address is one line, and is left one.
"""

import re
from collections.abc import Iterator, Sequence
from datetime import date

from pydantic import JsonValue

from bonafide.model.entity import Address
from bonafide.model.entry import JoinNumber, RegulatoryEntry
from bonafide.model.jurisdiction import Jurisdiction
from bonafide.sources.formats.delimited_text import (
    DelimitedDialect,
    TableRow,
    build_address_from_line,
    normalize_whitespace,
    open_text,
    parse_date,
    read_delimited,
)
from bonafide.sources.formats.xlsx_workbook import is_xlsx, read_xlsx
from bonafide.sources.framework.context import ParseContext, Resource

_NAME_LABEL = re.compile(r"(?:^|[,;\s])\s*(legal|operating) names?\s*:", re.IGNORECASE)
_LEGAL_LABEL = "legal"
_SERVICE_SEPARATOR = re.compile(r"[,;]\s*(?=[A-Z])")
"""Before a capital: within a service ("money orders, traveller's cheques") a comma goes on in small letters."""


def split_names(cell: str) -> tuple[str, list[str]]:
    """The legal name, and the others in order: `Legal Name: X, Operating Name: Y, Operating Name: Z`.

    A name may hold commas ("Foo, Inc."), so the cell is cut at its labels alone. Where none says which is the legal name, the first
    one stands for it. Raises `ValueError` when there is none.
    """
    pieces = _NAME_LABEL.split(cell.replace("\n", " "))
    named = [("", pieces[0]), *zip(pieces[1::2], pieces[2::2], strict=True)]
    found = [(label.casefold(), name.strip(" ,;")) for label, name in named]
    names = list(dict.fromkeys(name for _, name in found if name))
    if not names:
        raise ValueError("there is no name under the labels")
    legal = next((name for label, name in found if label == _LEGAL_LABEL and name), names[0])
    return legal, [name for name in names if name != legal]


def split_services(cell: str | None) -> list[str]:
    """The services as the registry words them. `cell` keeps its line breaks; without any, the services stand between commas."""
    if cell is None:
        return []
    lines = cell.split("\n")
    parts = lines if len(lines) > 1 else _SERVICE_SEPARATOR.split(cell)
    services = [part.strip(" ,;") for part in parts]
    return list(dict.fromkeys(filter(None, services)))


_ISO = re.compile(r"\d{4}-\d\d-\d\d")
_DATES = ("%Y/%m/%d", "%B %d, %Y", "%d-%b-%Y")
"""Month or day first can't be told apart in figures, so that such a date refuses its row."""


def parse(resources: Sequence[Resource], context: ParseContext) -> Iterator[RegulatoryEntry]:
    """The businesses of all files."""
    businesses: dict[str, RegulatoryEntry] = {}
    for resource in resources:
        for row in _read_rows(resource, context):
            try:
                entry = _build_entry(row, context)
            except ValueError as error:
                context.reject(resource, row.line, str(error))
                continue
            known = businesses.get(entry.entry_id)
            if known is not None:
                context.merge()
            businesses[entry.entry_id] = entry if known is None else _merge_entries(known, entry)
    yield from businesses.values()


def _read_rows(resource: Resource, context: ParseContext) -> Iterator[TableRow]:
    if is_xlsx(resource):
        yield from (row for _, row in read_xlsx(resource, context))
        return
    with open_text(resource, "utf-8-sig") as text:
        yield from (row for _, row in read_delimited(text, resource, context, DelimitedDialect(cell=_normalize_lines)))


def _normalize_lines(text: str) -> str | None:
    """A cell with the lines that it has, each squeezed."""
    if "\n" not in text:
        return " ".join(text.split()) or None
    return "\n".join(line for part in text.splitlines() if (line := normalize_whitespace(part)) is not None) or None


def _read_line(row: TableRow, column: str) -> str | None:
    """A cell in one line."""
    text = row.get(column)
    return text.replace("\n", " ") if text is not None and "\n" in text else text


def _build_entry(row: TableRow, context: ParseContext) -> RegulatoryEntry:
    legal_name, others = split_names(row.need("Organization Names (Legal and Operating)"))
    number, status = _read_line(row, "MSB Registration Number"), _read_line(row, "MSB Registration Status")
    address = _build_address(row)
    return RegulatoryEntry(
        # Whoever was refused has no number.
        entry_id=number or f"{legal_name} | {address.raw if address is not None else ''}".casefold(),
        legal_name=legal_name,
        alternate_names=tuple(others),
        registration_number=number,
        join_numbers=_build_join_numbers(row, context),
        status=status,
        status_code=context.status(status),
        addresses=(address,) if address is not None else (),
        details=_build_details(row),
    )


def _build_address(row: TableRow) -> Address | None:
    lines = row.get("Business Address")
    return build_address_from_line(", ".join(line.strip(" ,") for line in lines.split("\n"))) if lines is not None else None


def _build_join_numbers(row: TableRow, context: ParseContext) -> tuple[JoinNumber, ...]:
    """The incorporation number, where it is one of the fourteen registers'; "Ontario" may be followed by "Canada"."""
    number, place = _read_line(row, "Incorporation Number"), _read_line(row, "Jurisdiction of Incorporation")
    if number is None or place is None:
        return ()
    code = context.metadata.terms.get(place.partition(",")[0].casefold())
    return (JoinNumber(label=context.term(code), value=number, jurisdiction=Jurisdiction(code)),) if code is not None else ()


def _build_details(row: TableRow) -> dict[str, JsonValue]:
    services = split_services(row.get("Services Offered"))
    details: dict[str, JsonValue] = {
        "website": _read_line(row, "Website"),
        "services": [*services] if services else None,
        "incorporationJurisdiction": _read_line(row, "Jurisdiction of Incorporation"),
        "incorporationNumber": _read_line(row, "Incorporation Number"),
        "initialRegistrationDate": _read_day(row, "Date Initial MSB Registration Approval"),
        "expiryDate": _read_day(row, "MSB Registration Expiry Date"),
    }
    return {key: value for key, value in details.items() if value is not None}


def _read_day(row: TableRow, column: str) -> str | None:
    text = row.get(column)
    # As nearly all are; to try patterns takes ten times as long.
    found = date.fromisoformat(text) if text is not None and _ISO.fullmatch(text) is not None else parse_date(text, *_DATES)
    return found.isoformat() if found is not None else None


def _merge_entries(first: RegulatoryEntry, other: RegulatoryEntry) -> RegulatoryEntry:
    """The first with the names, places and numbers that another row of its registration adds."""
    names = [name for name in (*first.alternate_names, other.legal_name, *other.alternate_names) if name != first.legal_name]
    return first.model_copy(
        update={
            "alternate_names": tuple(dict.fromkeys(names)),
            "join_numbers": tuple(dict.fromkeys((*first.join_numbers, *other.join_numbers))),
            "addresses": tuple(dict.fromkeys((*first.addresses, *other.addresses))),
            "details": other.details | first.details,
        }
    )
