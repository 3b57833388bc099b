"""A party of the Australian list as a listed entity, from its rows: one for each name, with one number in their references.

`1000` is a party under its primary name, `1000a` and `1000b` are other names of it; mostly they stand together. The table of 2025
is read and the older one, which has fewer columns and other words for the kinds of names; not the older format (.xls).

What its rows have in common is taken from all of them: an alias may carry a birth date or an address that the main row lacks. The
control date is the day of the last edit, never that of the listing; when a party was listed stands in prose, if at all.
"""

import re
from collections.abc import Iterator

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
"""How the workbook writes a carriage return inside a cell."""
_DAY = r"\d{1,2}[\s-]+[A-Za-z]+\.?,?[\s-]+\d{4}|\d{1,2}/\d{1,2}/\d{4}|\d{4}-\d\d-\d\d"
_LISTED = re.compile(rf"(?:(?P<what>[\w-]+)\s+on:?\s+|^)(?P<day>{_DAY})")
_AMENDED = re.compile(r"amend|re-?list|updat|expir", re.IGNORECASE)


def build_listed_entity(number: str, rows: list[TableRow], context: ParseContext) -> ListedEntity:
    """The entity; `number` is its reference without letters. Raises `ValueError` when it has no name or is of no known kind."""
    kind = _choose_kind(rows, context)
    person = kind is EntityKind.PERSON
    told = _build_names(rows, context)
    births = collect_column(rows, "Date of Birth") if person else []
    imo = collect_column(rows, "IMO Number")
    return ListedEntity(
        entry_id=number,
        entity_type=kind,
        name=told.main,
        aliases=told.aliases,
        weak_aliases=told.weak,
        programs=tuple(collect_column(rows, "Committees")),
        countries=tuple(dict.fromkeys(_collect_countries(rows))),
        identifiers=deduplicate_numbers(found for text in imo for found in extract_imo_numbers(text)),
        listing_date=_find_listing_date(rows),
        date_of_birth="; ".join(births) or None,
        birth_dates=tuple(dict.fromkeys(day for text in births for day in parse_birth_dates(text))),
        remarks=_build_remarks(rows, kind),
    )


def _choose_kind(rows: list[TableRow], context: ParseContext) -> EntityKind:
    """What most of its rows say that it is: some are wrong in one of them."""
    words = [word for row in rows if (word := row.get("Type")) is not None]
    if not words:
        raise ValueError("Type is empty")
    return EntityKind(context.term(max(words, key=words.count).casefold()))


def _build_names(rows: list[TableRow], context: ParseContext) -> ListedNames:
    found = [(text, read_name_kind(row, context), row) for row in rows if (text := row.get(NAME)) is not None]
    if not found:
        raise ValueError(f"{NAME} is empty")
    main = next((item for item in found if item[1] == PRIMARY), found[0])
    return build_names(main[0], ((text, _is_weak(row)) for text, _, row in found if row is not main[2]))


def _is_weak(row: TableRow) -> bool:
    return (row.cells.get("Alias Strength") or "").casefold() == "weak"


def _collect_countries(rows: list[TableRow]) -> Iterator[str]:
    """Of citizenships, and of addresses that end in the name of a country."""
    for text in collect_column(rows, "Citizenship"):
        yield from parse_country_codes(text)
    for text in collect_column(rows, "Address"):
        for address in _ENUMERATED.split(text.replace(_CELL_RETURN, " ")):
            code = parse_country_code(address.strip(" .,").rpartition(",")[2])
            if code is not None:
                yield code


def _find_listing_date(rows: list[TableRow]) -> str | None:
    """The day that is told as that of the listing, not of an amendment; None where only the law is named."""
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
    """Each party's number with its rows. Raises `ParseFailed` for a file that is no workbook, or has another header."""

    def read(reading: ParseContext) -> Iterator[tuple[str, TableRow]]:
        for _, row in read_xlsx(resource, reading):
            found = _REFERENCE.fullmatch(row.get("Reference") or "")
            if found is None:
                reading.reject(resource, row.line, "a reference that is no number with letters behind it")
            else:
                yield found["number"], row

    return group_rows_by_party(read, context)


def read_name_kind(row: TableRow, context: ParseContext) -> str:
    """What a name is, in the words of `terms`; a name without a word is a primary one."""
    word = row.get("Name Type")
    return context.term(word.casefold()) if word is not None else PRIMARY


def is_primary_row(row: TableRow, context: ParseContext) -> bool:
    """Whether the row has a primary name; unlike `read_name_kind` it counts no unknown word."""
    word = row.get("Name Type")
    return word is None or context.metadata.terms.get(word.casefold()) == PRIMARY


def collect_column(rows: list[TableRow], name: str) -> list[str]:
    """What the rows have in a column, each text once; nothing where the table lacks the column."""
    return list(dict.fromkeys(text for row in rows if (text := row.cells.get(name)) is not None))
