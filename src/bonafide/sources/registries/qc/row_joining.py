"""Join the rows of the other files to the enterprises, in the order of the NEQ and in bounded memory.

Every row is merged into the entry of its enterprise, or rejected. The order of the files is not documented, so each file is scanned
first. A sorted file is read as it is; any other is sorted on disk in runs, a stable sort by NEQ.
"""

import csv
import heapq
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from operator import itemgetter
from pathlib import Path

from bonafide.errors import ParseFailed
from bonafide.i18n.message import Message
from bonafide.sources.framework.context import ParseContext, Resource
from bonafide.sources.registries.qc.archive import BAD_ROW_KEY, QuebecArchive, QuebecRow, QuebecRows, QuebecTable

MAX_RELATED = 10_000
"""Maximum number of rows of one enterprise in one file; the largest chains have a few thousand establishments."""
_END = QuebecRow("~", 0, ())
"""Sorts after every number."""


class RelatedRows:
    """The rows of one file by enterprise, in the order of the NEQ."""

    def __init__(self, records: QuebecRows, part: Resource, context: ParseContext) -> None:
        self._records = records
        self._part = part
        self._context = context
        self._next = self._read()

    def of(self, neq: str) -> list[QuebecRow]:
        """The rows of an enterprise. Must be called in the order of the NEQ; rows of unknown enterprises before it are rejected."""
        self._reject_before(neq)
        found: list[QuebecRow] = []
        while self._next.neq == neq:
            if len(found) < MAX_RELATED:
                found.append(self._next)
            else:
                self.reject(self._next, Message("the enterprise has more than {limit:,} rows", limit=MAX_RELATED))
            self._next = self._read()
        return found

    def finish(self) -> None:
        """Reject the remaining rows, after the last enterprise."""
        self._reject_before(_END.neq)

    def _reject_before(self, neq: str) -> None:
        while self._next.neq < neq:
            self.reject(self._next, Message("no enterprise has this NEQ"))
            self._next = self._read()

    def reject(self, record: QuebecRow, reason: Message) -> None:
        """Reject a row."""
        self._context.reject(self._part, record.line, reason)

    def _read(self) -> QuebecRow:
        """The next readable row."""
        for record in self._records:
            self._context.row()
            if record.neq != BAD_ROW_KEY:
                return record
            self.reject(record, record.reason)
        return _END


@dataclass(frozen=True, slots=True)
class EnterpriseRows:
    """The rows of an enterprise in each file."""

    context: ParseContext
    files: tuple[RelatedRows, ...]
    rows: tuple[list[QuebecRow], ...]

    def merge(self) -> None:
        """Count all rows as merged into the entry of the enterprise."""
        self.context.report.merged += sum(map(len, self.rows))

    def refuse(self) -> None:
        """Reject all rows, because the enterprise was rejected."""
        for file, records in zip(self.files, self.rows, strict=True):
            for record in records:
                file.reject(record, Message("the enterprise was rejected"))


RUN_ROWS = 100_000
"""Number of rows of a run, which is sorted in memory: about 100 MB of the widest file."""
MAX_RUNS = 150
"""Fifteen million rows. Each run is an open file, five files are read at once, and processes can often open only 1,024."""
_NEQ = itemgetter(0)


def read_sorted(archive: QuebecArchive, table: QuebecTable, folder: Path) -> QuebecRows:
    """The rows of a file by NEQ, bad rows anywhere. Raises `ParseFailed` before the first row if the file can't be read."""
    if is_ordered(archive, table):
        return archive.records(table)
    runs = list(islice(_write_runs(archive.records(table), folder / table.layout), MAX_RUNS + 1))
    if len(runs) > MAX_RUNS:
        problem = Message(
            "{file}: the unsorted file has more than {limit:,} rows", file=archive.part(table).name, limit=MAX_RUNS * RUN_ROWS
        )
        raise ParseFailed(problem)
    return heapq.merge(*map(_read_run, runs), key=_NEQ)


def is_ordered(archive: QuebecArchive, table: QuebecTable) -> bool:
    """Whether the numbers of a file are in ascending order. The whole file is read, so that damage at its end is found in time.

    Numbers of ten digits have the same order as text. Anything else is a bad row, whose position does not matter.
    """
    rows = archive.rows(table)
    _, header = next(rows)
    key = [column.strip() for column in header].index(table.columns[0])
    last, ordered = "", True
    for _, cells in rows:
        if len(cells) > key:
            neq = cells[key].strip()
            ordered = ordered and neq >= last
            last = neq
    return ordered


def _write_runs(records: QuebecRows, folder: Path) -> Iterator[Path]:
    folder.mkdir()
    number = 0
    while run := sorted(islice(records, RUN_ROWS), key=_NEQ):
        path = folder / f"{number}.csv"
        with path.open("w", encoding="utf-8", newline="") as file:
            csv.writer(file).writerows((neq, line, *cells) for neq, line, cells in run)
        yield path
        number += 1


def _read_run(path: Path) -> QuebecRows:
    with path.open(encoding="utf-8", newline="") as file:
        for neq, line, *cells in csv.reader(file):
            yield QuebecRow(neq, int(line), tuple(cells))
