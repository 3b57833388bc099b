"""The Yukon snapshot: one row a registry number, and a row of its own for a name that an entity has given up.

What the rows make is the records' business.
"""

import html
from collections.abc import Iterator, Sequence

from bonafide.matching.entries.home_jurisdiction import parse_home_jurisdiction
from bonafide.model.entry import RegistryEntry
from bonafide.model.jurisdiction import Jurisdiction
from bonafide.sources.context import ParseContext, Resource
from bonafide.sources.parse import Row, read_csv
from bonafide.sources.registries.yt.records import Record, entries_of


def parse(resources: Sequence[Resource], context: ParseContext) -> Iterator[RegistryEntry]:
    """One entry for each record that is not the former name of another; all rows are read before the first is yielded."""
    yield from entries_of(_records(resources, context), context)


def _records(resources: Sequence[Resource], context: ParseContext) -> Iterator[Record]:
    seen: set[str] = set()
    for resource in resources:
        for _, row in read_csv(resource, context):
            try:
                record = _read(row)
            except ValueError as error:
                context.reject(resource, row.line, str(error))
                continue
            if record.number in seen:
                context.reject(resource, row.line, "the registry number was read before")
                continue
            seen.add(record.number)
            yield record


def _read(row: Row) -> Record:
    """Raises `ValueError` when the row has no number or no name."""
    former, home = _text(row.get("former_name")), parse_home_jurisdiction(row.get("jurisdiction"), Jurisdiction.YT)
    return Record(row.need("number"), row.need("name"), former, row.get("kind"), home, row.get("status"))


def _text(value: str | None) -> str | None:
    """Former names, and only they, carry HTML's `&amp;` in the file."""
    return html.unescape(value) if value is not None else None
