"""The rows of the Australian list: one for each name, brought together by the number in their reference.

`1000` is a party under its primary name, `1000a` and `1000b` are other names of it; mostly they stand together. It reads the
table of 2025 and the older one, which has fewer columns and other words for the kinds of names; not the older format (.xls).
"""

import re
from collections.abc import Iterator

from bonafide.sources.formats.delimited_text import TableRow
from bonafide.sources.formats.xlsx_workbook import read_xlsx
from bonafide.sources.framework.context import ParseContext, Resource
from bonafide.sources.shared.lists.row_grouping import group_rows_by_party

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
