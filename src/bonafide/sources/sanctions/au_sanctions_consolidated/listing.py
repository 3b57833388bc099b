"""A party of the Australian list as a listed entity.

What its rows have in common is taken from all of them: an alias may carry a birth date or an address that the main row lacks. The
control date is the day of the last edit, never that of the listing; when a party was listed stands in prose, if at all.
"""

import re
from collections.abc import Iterator

from bonafide.matching.text.countries import parse_country_code, parse_country_codes
from bonafide.model.entry import EntityKind, ListedEntity
from bonafide.sources.context import ParseContext
from bonafide.sources.listed_dates import birth_dates
from bonafide.sources.listed_party import Names, imo_numbers, names, once, remarks
from bonafide.sources.parse import Row
from bonafide.sources.sanctions.au_sanctions_consolidated.rows import PRIMARY, column, kind_of_name

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


def listing(number: str, rows: list[Row], context: ParseContext) -> ListedEntity:
    """The entity; `number` is its reference without letters. Raises `ValueError` when it has no name or is of no known kind."""
    kind = _kind(rows, context)
    person = kind is EntityKind.PERSON
    told = _names(rows, context)
    births = column(rows, "Date of Birth") if person else []
    imo = column(rows, "IMO Number")
    return ListedEntity(
        entry_id=number,
        entity_type=kind,
        name=told.main,
        aliases=told.aliases,
        weak_aliases=told.weak,
        programs=tuple(column(rows, "Committees")),
        countries=tuple(dict.fromkeys(_countries(rows))),
        identifiers=once(found for text in imo for found in imo_numbers(text)),
        listing_date=_listed_on(rows),
        date_of_birth="; ".join(births) or None,
        birth_dates=tuple(dict.fromkeys(day for text in births for day in birth_dates(text))),
        remarks=_remarks(rows, kind),
    )


def _kind(rows: list[Row], context: ParseContext) -> EntityKind:
    """What most of its rows say that it is: some are wrong in one of them."""
    words = [word for row in rows if (word := row.get("Type")) is not None]
    if not words:
        raise ValueError("Type is empty")
    return EntityKind(context.term(max(words, key=words.count).casefold()))


def _names(rows: list[Row], context: ParseContext) -> Names:
    found = [(text, kind_of_name(row, context), row) for row in rows if (text := row.get(NAME)) is not None]
    if not found:
        raise ValueError(f"{NAME} is empty")
    main = next((item for item in found if item[1] == PRIMARY), found[0])
    return names(main[0], ((text, _is_weak(row)) for text, _, row in found if row is not main[2]))


def _is_weak(row: Row) -> bool:
    return (row.cells.get("Alias Strength") or "").casefold() == "weak"


def _countries(rows: list[Row]) -> Iterator[str]:
    """Of citizenships, and of addresses that end in the name of a country."""
    for text in column(rows, "Citizenship"):
        yield from parse_country_codes(text)
    for text in column(rows, "Address"):
        for address in _ENUMERATED.split(text.replace(_CELL_RETURN, " ")):
            code = parse_country_code(address.strip(" .,").rpartition(",")[2])
            if code is not None:
                yield code


def _listed_on(rows: list[Row]) -> str | None:
    """The day that is told as that of the listing, not of an amendment; None where only the law is named."""
    for text in column(rows, "Listing Information"):
        found = _LISTED.search(text)
        if found is not None and _AMENDED.match(found["what"] or "") is None:
            days = birth_dates(found["day"])
            return days[0] if days else found["day"]
    return None


def _remarks(rows: list[Row], kind: EntityKind) -> str | None:
    measures = [name for name in _MEASURES if any(text.upper() in _YES for text in column(rows, name))]
    return remarks({
        "": _prose(rows, "Additional Information"),
        "Listing": _prose(rows, "Listing Information"),
        "Place of birth": _prose(rows, "Place of Birth") if kind is EntityKind.PERSON else (),
        "Date": () if kind is EntityKind.PERSON else column(rows, "Date of Birth"),
        "Address": _prose(rows, "Address"),
        "Instrument of designation": _prose(rows, "Instrument of Designation"),
        "Measures": measures,
        "IMO field": (text for text in column(rows, "IMO Number") if not imo_numbers(text)),
        "Last edited": column(rows, "Control Date"),
    })  # fmt: skip


def _prose(rows: list[Row], name: str) -> list[str]:
    return [text.replace(_CELL_RETURN, " ") for text in column(rows, name)]
