"""Build the listed entity of a party of the Australian list from its rows, one for each name, which share a reference number.

`1000` is a party under its primary name, `1000a` and `1000b` are other names of it, usually in adjacent rows. The layout of 2025 is
supported, and the older one with fewer columns and other words for the types of names, but not the old .xls format.

The data of a party is collected from all its rows: an alias may have a birth date or an address that the main row lacks. The
control date is the date of the last edit, not of the listing. The listing date is only given in prose, if at all.
"""

import re
from collections.abc import Iterator

from bonafide.i18n.message import Message
from bonafide.matching.text.countries import parse_country_code, parse_country_codes
from bonafide.model.entry import EntityKind, ListedEntity
from bonafide.sources.formats.delimited_text import TableRow
from bonafide.sources.formats.xlsx_workbook import read_xlsx
from bonafide.sources.framework.context import ParseContext, Resource
from bonafide.sources.shared.lists.birth_dates import parse_birth_dates
from bonafide.sources.shared.lists.party_fields import (
    ListedNames,
    build_names,
    deduplicate_numbers,
    extract_imo_numbers,
    format_remarks,
    group_rows_by_party,
)

NAME = "Name of Individual or Entity"
_MEASURES = ("Targeted Financial Sanction", "Travel Ban", "Arms Embargo", "Maritime Restriction")
_YES = {"1", "TRUE", "YES", "Y"}
_ENUMERATED = re.compile(r"(?:^|\s)[a-z]\)\s*|;")
"""`a) Kabul, Afghanistan b) Herat, Afghanistan`."""
_CELL_RETURN = "_x000D_"
"""The escape of a carriage return inside a cell of the workbook."""
_DAY = r"\d{1,2}[\s-]+[A-Za-z]+\.?,?[\s-]+\d{4}|\d{1,2}/\d{1,2}/\d{4}|\d{4}-\d\d-\d\d"
_LISTED = re.compile(rf"(?:(?P<what>[\w-]+)\s+on:?\s+|^)(?P<day>{_DAY})")
_AMENDED = re.compile(r"amend|re-?list|updat|expir", re.IGNORECASE)


def build_listed_entity(number: str, rows: list[TableRow], context: ParseContext) -> ListedEntity:
    """Build the entity. `number` is its reference without letters. Raises `ValueError` if it has no name or no known type."""
    kind = _choose_kind(rows, context)
    person = kind is EntityKind.PERSON
    names = _build_names(rows, context)
    births = collect_column(rows, "Date of Birth") if person else []
    imo = collect_column(rows, "IMO Number")
    return ListedEntity(
        entry_id=number,
        entity_type=kind,
        name=names.main,
        aliases=names.aliases,
        weak_aliases=names.weak,
        programs=tuple(collect_column(rows, "Committees")),
        countries=tuple(dict.fromkeys(_collect_countries(rows))),
        identifiers=deduplicate_numbers(found for text in imo for found in extract_imo_numbers(text)),
        listing_date=_find_listing_date(rows),
        date_of_birth="; ".join(births) or None,
        birth_dates=tuple(dict.fromkeys(day for text in births for day in parse_birth_dates(text))),
        remarks=_build_remarks(rows, kind),
    )


def _choose_kind(rows: list[TableRow], context: ParseContext) -> EntityKind:
    """Return the type that most of its rows have; single rows may be wrong."""
    words = [word for row in rows if (word := row.get("Type")) is not None]
    if not words:
        raise ValueError(Message("{column} is empty", column="Type"))
    return EntityKind(context.term(max(words, key=words.count).casefold()))


def _build_names(rows: list[TableRow], context: ParseContext) -> ListedNames:
    found = [(text, read_name_kind(row, context), row) for row in rows if (text := row.get(NAME)) is not None]
    if not found:
        raise ValueError(Message("{column} is empty", column=NAME))
    main = next((item for item in found if item[1] == PRIMARY), found[0])
    return build_names(main[0], ((text, _is_weak(row)) for text, _, row in found if row is not main[2]))


def _is_weak(row: TableRow) -> bool:
    return (row.cells.get("Alias Strength") or "").casefold() == "weak"


def _collect_countries(rows: list[TableRow]) -> Iterator[str]:
    """Yield the countries of citizenships, and of addresses that end with the name of a country."""
    for text in collect_column(rows, "Citizenship"):
        yield from parse_country_codes(text)
    for text in collect_column(rows, "Address"):
        for address in _ENUMERATED.split(text.replace(_CELL_RETURN, " ")):
            code = parse_country_code(address.strip(" .,").rpartition(",")[2])
            if code is not None:
                yield code


def _find_listing_date(rows: list[TableRow]) -> str | None:
    """Return the date of the listing, not of an amendment; None if only the law is named."""
    for text in collect_column(rows, "Listing Information"):
        found = _LISTED.search(text)
        if found is not None and _AMENDED.match(found["what"] or "") is None:
            days = parse_birth_dates(found["day"])
            return days[0] if days else found["day"]
    return None


def _build_remarks(rows: list[TableRow], kind: EntityKind) -> str | None:
    measures = [name for name in _MEASURES if any(text.upper() in _YES for text in collect_column(rows, name))]
    return format_remarks({
        "": _collect_prose(rows, "Additional Information"),
        "Listing": _collect_prose(rows, "Listing Information"),
        "Place of birth": _collect_prose(rows, "Place of Birth") if kind is EntityKind.PERSON else (),
        "Date": () if kind is EntityKind.PERSON else collect_column(rows, "Date of Birth"),
        "Address": _collect_prose(rows, "Address"),
        "Instrument of designation": _collect_prose(rows, "Instrument of Designation"),
        "Measures": measures,
        "IMO field": (text for text in collect_column(rows, "IMO Number") if not extract_imo_numbers(text)),
        "Last edited": collect_column(rows, "Control Date"),
    })  # fmt: skip


def _collect_prose(rows: list[TableRow], name: str) -> list[str]:
    return [text.replace(_CELL_RETURN, " ") for text in collect_column(rows, name)]


_REFERENCE = re.compile(r"(?P<number>\d+)\s*(?P<letters>[a-z]*)", re.IGNORECASE)
PRIMARY = "main"


def read_parties(resource: Resource, context: ParseContext) -> Iterator[tuple[str, list[TableRow]]]:
    """Yield each party's number with its rows. Raises `ParseFailed` for a file that is not a workbook or has an unknown header."""

    def read(reading: ParseContext) -> Iterator[tuple[str, TableRow]]:
        for _, row in read_xlsx(resource, reading):
            found = _REFERENCE.fullmatch(row.get("Reference") or "")
            if found is None:
                reading.reject(resource, row.line, Message("invalid reference"))
            else:
                yield found["number"], row

    return group_rows_by_party(read, context)


def read_name_kind(row: TableRow, context: ParseContext) -> str:
    """Return the type of a name as in `terms`; a name without a type is a primary one."""
    word = row.get("Name Type")
    return context.term(word.casefold()) if word is not None else PRIMARY


def is_primary_row(row: TableRow, context: ParseContext) -> bool:
    """Whether the row has a primary name. Unlike `read_name_kind`, it does not count unknown words."""
    word = row.get("Name Type")
    return word is None or context.metadata.terms.get(word.casefold()) == PRIMARY


def collect_column(rows: list[TableRow], name: str) -> list[str]:
    """Return the texts of a column, each once; none if the table lacks the column."""
    return list(dict.fromkeys(text for row in rows if (text := row.cells.get(name)) is not None))
