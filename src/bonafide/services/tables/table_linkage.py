"""Link the rows of two tables: for each row of the left one, the rows of the right one that it may mean.

The names of the right table are indexed in a temporary folder, and pairs are found and scored as a search finds and scores entries.
Neither loaded data nor the database is used.
"""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from bonafide.i18n.catalog import translate
from bonafide.i18n.language import Language
from bonafide.index import IndexDocument, IndexSegment, LiveSegment, NameIndex, ReaderPool, build_segment
from bonafide.matching.entries.query import Query
from bonafide.matching.entries.ranking import RankedEntry, rank_entries
from bonafide.matching.scoring.word_rarity import WordRarity, compute_minimum_count
from bonafide.model.batches.batch import BatchMapping, BatchParameters
from bonafide.model.batches.rows import BatchRowStatus
from bonafide.model.entry import RegulatoryEntry
from bonafide.model.search.match import FieldStatus
from bonafide.services.indexing.index_documents import build_index_document
from bonafide.services.lookup.index_lookup import IndexQueries, compute_minimum_rough_score
from bonafide.services.tables.linked_rows import JURISDICTION, NUMBER, LinkedColumns, LinkedRow, LinkedTable, UnlinkedRow

RESULT_ROWS = 5000
"""Rows of the result that are collected as objects before they are packed."""
_UNLINKED = b"unlinkedRight"
"""The key of the right rows that can't be linked in the metadata of the result."""
_REFERENCE = "reference"


@dataclass(frozen=True, slots=True)
class TableLinkage:
    """How two tables are linked."""

    left: BatchMapping
    right: BatchMapping
    parameters: BatchParameters
    language: Language


@cache
def get_link_schema() -> Any:
    """The schema of the result."""
    import pyarrow as pa  # noqa: PLC0415 - takes a quarter of a second

    text = pa.string()
    field = pa.struct([
        ("field", text), ("status", text), ("score", pa.float64()), ("left", text), ("right", text), ("reason", text),
    ])  # fmt: skip
    return pa.schema([
        ("leftIndex", pa.int64()), ("leftReference", text), ("leftName", text), ("status", text), ("rank", pa.int32()),
        ("rightIndex", pa.int64()), ("rightReference", text), ("rightName", text), ("score", pa.float64()),
        ("fields", pa.list_(field)), ("error", text),
    ])  # fmt: skip


def link_tables(linkage: TableLinkage, left: Any, right: Any) -> Any:
    """The pairs of rows of two pyarrow tables that reach the threshold, as a table, in the order of the left one, best first.

    A left row without a pair has one row with the status `no_match`; one that can't be linked has one with `error`. The metadata
    `unlinkedRight` has the right rows that can't be linked, as JSON. Raises `BatchFileInvalid` and `ValidationFailed`.
    """
    import pyarrow as pa  # noqa: PLC0415 - takes a quarter of a second

    asked, searched = LinkedTable.open(left, linkage.left), LinkedTable.open(right, linkage.right)
    schema = get_link_schema()
    batches, records = [], list[dict[str, Any]]()
    with _index_table(searched) as found:
        linker = _Linker(found, linkage, asked)
        for row in asked.read():
            records += linker.link(row)
            if len(records) >= RESULT_ROWS:
                batches.append(pa.RecordBatch.from_pylist(records, schema))
                records.clear()
        batches.append(pa.RecordBatch.from_pylist(records, schema))
        unlinked = [{"index": row.index, "error": translate(row.problem, linkage.language)} for row in found.unlinked]
    return pa.Table.from_batches(batches, schema).replace_schema_metadata({_UNLINKED: json.dumps(unlinked)})


@dataclass(frozen=True, slots=True)
class _SearchedTable:
    """The right table: its columns, the index of its rows, and the rows that can't be linked."""

    columns: LinkedColumns
    index: NameIndex
    rarity: WordRarity
    unlinked: list[UnlinkedRow]

    def read(self, document: int) -> RegulatoryEntry:
        """The entry of a document."""
        return RegulatoryEntry.model_validate_json(self.index.payload(document))


@contextmanager
def _index_table(table: LinkedTable) -> Iterator[_SearchedTable]:
    """Index the rows of a table in a temporary folder."""
    unlinked: list[UnlinkedRow] = []
    with TemporaryDirectory(prefix="bonafide-link-") as parent:
        folder = Path(parent) / "index"
        # In this process only: further ones would start the script of the caller again.
        build_segment(folder, _list_documents(table, unlinked), workforce=ReaderPool(readers=0))
        index = NameIndex([LiveSegment(IndexSegment.open(folder, verify=False))])
        frequencies = index.common_words(compute_minimum_count(index.name_count))
        yield _SearchedTable(table.columns, index, WordRarity(index.name_count, frequencies), unlinked)


def _list_documents(table: LinkedTable, unlinked: list[UnlinkedRow]) -> Iterator[IndexDocument]:
    for row in table.read():
        if isinstance(row, UnlinkedRow):
            unlinked.append(row)
        else:
            yield build_index_document(_build_entry(row))


def _build_entry(row: LinkedRow) -> RegulatoryEntry:
    """The row as an entry without a register of its own, so that its number is comparable with any other."""
    return RegulatoryEntry(
        entry_id=str(row.index),
        legal_name=row.name,
        registration_number=row.number,
        addresses=(row.address,) if row.address is not None else (),
        details={_REFERENCE: row.reference, JURISDICTION: row.jurisdiction},
    )


class _Linker:
    """Finds the right rows of one left row after the other."""

    def __init__(self, found: _SearchedTable, linkage: TableLinkage, asked: LinkedTable) -> None:
        self._found = found
        self._threshold = linkage.parameters.threshold
        self._limit = linkage.parameters.limit
        self._language = linkage.language
        both = (asked.columns, found.columns)
        self._has_numbers = all(columns.has(NUMBER) for columns in both)
        self._has_jurisdictions = all(columns.has(JURISDICTION) for columns in both)

    def link(self, row: LinkedRow | UnlinkedRow) -> list[dict[str, Any]]:
        """The rows of the result for a row of the left table."""
        common = {"leftIndex": row.index, "leftReference": row.reference, "leftName": row.name}
        if isinstance(row, UnlinkedRow):
            problem = translate(row.problem, self._language)
            return [{**common, "status": BatchRowStatus.ERROR.value, "fields": [], "error": problem}]
        ranked = self._rank(row)
        if not ranked:
            return [{**common, "status": BatchRowStatus.NO_MATCH.value, "fields": []}]
        return [
            {**common, "status": BatchRowStatus.MATCH.value, "rank": rank, **self._describe(item)}
            for rank, item in enumerate(ranked, start=1)
        ]

    def _rank(self, row: LinkedRow) -> list[RankedEntry[RegulatoryEntry]]:
        query = Query(row.name, row.number if self._has_numbers else None, row.address, None, self._limit)
        minimum = compute_minimum_rough_score(query, self._threshold)
        estimates = IndexQueries.create(query).estimate_scores(self._found.index, minimum)
        candidates = [(self._found.read(document), rough) for document, rough in estimates.items() if rough >= minimum]
        if query.registration_number is None or not self._has_jurisdictions:
            return self._rank_candidates(query, candidates)
        same: list[tuple[RegulatoryEntry, float]] = []
        others: list[tuple[RegulatoryEntry, float]] = []
        for item in candidates:
            is_same = row.jurisdiction is not None and item[0].details[JURISDICTION] == row.jurisdiction
            (same if is_same else others).append(item)
        ranked = self._rank_candidates(query, same)
        # Registers number independently of each other.
        ranked += self._rank_candidates(replace(query, registration_number=None), others)
        ranked.sort(key=lambda item: -item.score)
        return ranked[: self._limit]

    def _rank_candidates(self, query: Query, candidates: list[tuple[RegulatoryEntry, float]]) -> list[RankedEntry[RegulatoryEntry]]:
        return rank_entries(
            query,
            [entry for entry, _ in candidates],
            floor=self._threshold,
            limit=self._limit,
            rarity=self._found.rarity,
            rough=[rough for _, rough in candidates],
        )

    def _describe(self, item: RankedEntry[RegulatoryEntry]) -> dict[str, Any]:
        fields = [
            {
                "field": field.field,
                "status": field.status.value,
                "score": field.score,
                "left": field.submitted,
                "right": field.found,
                "reason": translate(field.reason, self._language),
            }
            for field in item.explain()
            if field.status is not FieldStatus.NOT_PROVIDED
        ]
        return {
            "rightIndex": int(item.entry.entry_id),
            "rightReference": item.entry.details[_REFERENCE],
            "rightName": item.matched_name,
            "score": item.score,
            "fields": fields,
        }
