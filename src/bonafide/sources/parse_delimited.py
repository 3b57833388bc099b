"""Delimited text with what `parse.read_csv` does not allow: a heading that occurs twice, cells of several lines, no quoting at all.

It reads from open text, so that a file may lie in an archive. Short and long rows are rejected, each with its line; it knows no
encoding and guesses no delimiter.
"""

import csv
import io
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from bonafide.errors import ParseFailed
from bonafide.sources.context import ParseContext, Resource
from bonafide.sources.parse import Row, squeeze


@dataclass(frozen=True, slots=True)
class Dialect:
    """How a file is written, and how its cells are to be taken."""

    delimiter: str = ","
    quoted: bool = True
    """False where a quotation mark is a character like any other."""
    headings: Callable[[list[str]], list[str]] = list
    """Names for the columns, from the headings with their white space collapsed."""
    cell: Callable[[str], str | None] = squeeze


def read_delimited(text: io.TextIOBase, resource: Resource, context: ParseContext, dialect: Dialect) -> Iterator[tuple[str, Row]]:
    """Rows with the name of their layout. A spare delimiter at the end of header or row is passed over.

    Raises `ParseFailed` when the header is not one of the source's layouts.
    """
    reader = csv.reader(text, delimiter=dialect.delimiter, quoting=csv.QUOTE_MINIMAL if dialect.quoted else csv.QUOTE_NONE)
    try:
        first = [squeeze(column) or "" for column in next(reader, [])]
    except csv.Error as error:
        raise ParseFailed(f"{resource.name}: not delimited text: {error}") from error
    header = dialect.headings(_without_spare(first, 0))
    layout = context.layout(header, resource)
    while True:
        try:
            found = next(reader, None)
        except csv.Error as error:
            context.row()
            context.reject(resource, reader.line_num, f"not delimited text: {error}")
            continue
        if found is None:
            return
        if not any(found):
            continue
        context.row()
        cells = _without_spare(found, len(header))
        if len(cells) != len(header):
            context.reject(resource, reader.line_num, f"{len(cells)} cells where the header has {len(header)}")
            continue
        yield layout, Row(reader.line_num, dict(zip(header, map(dialect.cell, cells), strict=True)))


def _without_spare(cells: list[str], width: int) -> list[str]:
    """The cells without the blank ones at their end that go beyond the width."""
    end = len(cells)
    while end > width and not cells[end - 1].strip():
        end -= 1
    return cells[:end] if end < len(cells) else cells
