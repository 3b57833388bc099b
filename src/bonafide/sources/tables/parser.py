"""Parse the tables of a source as its `source.yml` describes them.

A source without code is parsed by `parse_table` alone. The code of a source can pass functions: one that reads its files, one that
completes a record before it becomes an entry, and one that merges two entries of the same ID.
"""

from collections.abc import Callable, Iterator, Sequence

from bonafide.errors import ConfigurationError
from bonafide.i18n.message import Message
from bonafide.model.entry import RegulatoryEntry
from bonafide.sources.formats.delimited_text import TableRow
from bonafide.sources.framework.context import ParseContext, Resource, SkippedRows
from bonafide.sources.tables.entries import EntryBuilder, MergeEntries, create_merge
from bonafide.sources.tables.records import LayoutReader, RowSkipped, TableRecord, read_rows

ReadRows = Callable[[Resource, ParseContext], Iterator[tuple[str, TableRow]]]
CompleteRecord = Callable[[TableRecord, ParseContext], None]


def parse_table(
    resources: Sequence[Resource],
    context: ParseContext,
    *,
    read: ReadRows | None = None,
    complete: CompleteRecord | None = None,
    merge: MergeEntries | None = None,
) -> Iterator[RegulatoryEntry]:
    """The entries of all files, once all rows are read. A row that raises `ValueError` is rejected with the reason.

    `complete` changes the values of a record, and may raise `ValueError` or `RowSkipped`. Raises `ParseFailed` for a file that is
    not a table of the source.
    """
    table = context.metadata.table
    if table is None:
        raise ConfigurationError(
            Message("{source}: source.yml has no table, and the source has no parser", source=context.metadata.key)
        )
    readers = {layout: LayoutReader(layout, table) for layout in context.metadata.layouts}
    builder, skipped = EntryBuilder(context, table), SkippedRows(context)
    merge = merge if merge is not None else create_merge(table)
    entries: dict[str, RegulatoryEntry] = {}
    for resource in resources:
        for layout, row in read(resource, context) if read is not None else read_rows(resource, context, table):
            try:
                record = readers[layout].read_row(resource, row)
                if complete is not None:
                    complete(record, context)
                entry = builder.build(record)
            except RowSkipped as skip:
                skipped.add(skip.reason)
                continue
            except ValueError as error:
                context.reject(resource, row.line, error)
                continue
            known = entries.setdefault(entry.entry_id, entry)
            if known is not entry:
                context.merge()
                entries[entry.entry_id] = merge(known, entry)
    skipped.note()
    yield from entries.values()
