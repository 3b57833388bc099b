"""Parse the tables of a source as its `source.yml` describes them.

A source without code of its own is parsed by `parse_table` alone. One that has rules of its own passes them: a reader of its files,
what completes a record before it becomes an entry, and what merges two entries of the same ID.
"""

from collections.abc import Callable, Iterator, Sequence

from bonafide.errors import ConfigurationError
from bonafide.model.entry import RegulatoryEntry
from bonafide.sources.formats.delimited_text import TableRow
from bonafide.sources.framework.context import ParseContext, Resource, SkippedRows
from bonafide.sources.framework.table_metadata import RepeatedRows, TableMetadata
from bonafide.sources.tables.entries import EntryBuilder, merge_entries
from bonafide.sources.tables.records import RecordMapper, RowSkipped, TableRecord, read_rows

ReadRows = Callable[[Resource, ParseContext], Iterator[tuple[str, TableRow]]]
CompleteRecord = Callable[[TableRecord, ParseContext], None]
MergeEntries = Callable[[RegulatoryEntry, RegulatoryEntry], RegulatoryEntry]


def parse_table(
    resources: Sequence[Resource],
    context: ParseContext,
    *,
    read: ReadRows | None = None,
    complete: CompleteRecord | None = None,
    merge: MergeEntries | None = None,
) -> Iterator[RegulatoryEntry]:
    """The entries of all files, once every row is read; a row that raises `ValueError` is rejected with the reason.

    `complete` changes the values of a record, and may raise `ValueError` or `RowSkipped`. Raises `ParseFailed` for a file that is
    not a table of the source.
    """
    table = _get_table(context)
    mapper, builder, skipped = RecordMapper(context, table), EntryBuilder(context, table), SkippedRows(context)
    merge = merge if merge is not None else _create_merge(table)
    entries: dict[str, RegulatoryEntry] = {}
    for resource in resources:
        for layout, row in read(resource, context) if read is not None else read_rows(resource, context, table):
            try:
                record = mapper.map_row(resource, layout, row)
                if complete is not None:
                    complete(record, context)
                mapper.check_required(record)
                entry = builder.build(record)
            except RowSkipped as reason:
                skipped.add(str(reason))
                continue
            except ValueError as error:
                context.reject(resource, row.line, str(error))
                continue
            known = entries.get(entry.entry_id)
            if known is None:
                entries[entry.entry_id] = entry
            else:
                context.merge()
                entries[entry.entry_id] = merge(known, entry)
    skipped.note()
    yield from entries.values()


def _get_table(context: ParseContext) -> TableMetadata:
    table = context.metadata.table
    if table is None:
        raise ConfigurationError(f"{context.metadata.key}: source.yml has no table, and no code reads the files")
    return table


def _create_merge(table: TableMetadata) -> MergeEntries:
    def merge(first: RegulatoryEntry, other: RegulatoryEntry) -> RegulatoryEntry:
        if table.repeated_rows is RepeatedRows.FIRST:
            return first
        if table.repeated_rows is RepeatedRows.LAST:
            return other
        return merge_entries(first, other, table.repeated_rows, names_differ=not table.is_number_shared)

    return merge
