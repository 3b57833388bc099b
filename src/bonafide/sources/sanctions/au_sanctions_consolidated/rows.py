"""The rows of the Australian list: one for each name, brought together by the number in their reference.

`1000` is a party under its primary name, `1000a` and `1000b` are other names of it; mostly they stand together. It reads the
table of 2025 and the older one, which has fewer columns and other words for the kinds of names; not the older format (.xls).
"""

import re
from collections.abc import Iterator

from bonafide.sources.context import ParseContext, Resource
from bonafide.sources.grouped_rows import rows_by_party
from bonafide.sources.parse import Row
from bonafide.sources.parse_xlsx import read_xlsx

_REFERENCE = re.compile(r"(?P<number>\d+)\s*(?P<letters>[a-z]*)", re.IGNORECASE)
PRIMARY = "main"


def read_parties(resource: Resource, context: ParseContext) -> Iterator[tuple[str, list[Row]]]:
    """Each party's number with its rows. Raises `ParseFailed` for a file that is no workbook, or has another header."""

    def read(reading: ParseContext) -> Iterator[tuple[str, Row]]:
        for _, row in read_xlsx(resource, reading):
            found = _REFERENCE.fullmatch(row.get("Reference") or "")
            if found is None:
                reading.reject(resource, row.line, "a reference that is no number with letters behind it")
            else:
                yield found["number"], row

    return rows_by_party(read, context)


def kind_of_name(row: Row, context: ParseContext) -> str:
    """What a name is, in the words of `terms`; a name without a word is a primary one."""
    word = row.get("Name Type")
    return context.term(word.casefold()) if word is not None else PRIMARY


def begins_party(row: Row, context: ParseContext) -> bool:
    """Whether the row has a primary name; unlike `kind_of_name` it counts no unknown word."""
    word = row.get("Name Type")
    return word is None or context.metadata.terms.get(word.casefold()) == PRIMARY


def column(rows: list[Row], name: str) -> list[str]:
    """What the rows have in a column, each text once; nothing where the table lacks the column."""
    return list(dict.fromkeys(text for row in rows if (text := row.cells.get(name)) is not None))
