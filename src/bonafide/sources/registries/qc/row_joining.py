"""Rows of files that belong to the enterprises of another: all in the order of the NEQ, read side by side in bounded memory.

Every row is accounted for: it is merged into the entry of its enterprise, or rejected. What the rows say is not looked at. A file
is looked through first. One in order is then read as it stands; one that is not is sorted on disk, a run at a time, the rows of
an enterprise staying in the order of the file. That the files are in order is nowhere promised, so nothing relies on it.
"""

import csv
import heapq
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from operator import itemgetter
from pathlib import Path

from bonafide.errors import ParseFailed
from bonafide.sources.framework.context import ParseContext, Resource
from bonafide.sources.registries.qc.archive import BAD_ROW_KEY, QuebecArchive, QuebecRow, QuebecRows, QuebecTable

MAX_RELATED = 10_000
"""Rows of one enterprise in one file; the largest chains have a few thousand establishments."""
_END = QuebecRow("~", 0, ())
"""Behind every number."""


class RelatedRows:
    """The rows of one file, handed out enterprise by enterprise in the order of the NEQ."""

    def __init__(self, records: QuebecRows, part: Resource, context: ParseContext) -> None:
        self._records = records
        self._part = part
        self._context = context
        self._next = self._read()

    def of(self, neq: str) -> list[QuebecRow]:
        """The rows of an enterprise; those before it are no enterprise's, and are rejected. Ask in the order of the NEQ."""
        self._reject_before(neq)
        found: list[QuebecRow] = []
        while self._next.neq == neq:
            if len(found) < MAX_RELATED:
                found.append(self._next)
            else:
                self.reject(self._next, f"more than {MAX_RELATED:,} rows of one enterprise")
            self._next = self._read()
        return found

    def finish(self) -> None:
        """Reject what is left, when there is no further enterprise."""
        self._reject_before(_END.neq)

    def _reject_before(self, neq: str) -> None:
        while self._next.neq < neq:
            self.reject(self._next, "no enterprise has this NEQ")
            self._next = self._read()

    def reject(self, record: QuebecRow, reason: str) -> None:
        """A row that is in no entry."""
        self._context.reject(self._part, record.line, reason)

    def _read(self) -> QuebecRow:
        """The next row that can be read."""
        for record in self._records:
            self._context.row()
            if record.neq != BAD_ROW_KEY:
                return record
            self.reject(record, record.cells[0])
        return _END


@dataclass(frozen=True, slots=True)
class EnterpriseRows:
    """The rows that an enterprise has in each file."""

    context: ParseContext
    files: tuple[RelatedRows, ...]
    rows: tuple[list[QuebecRow], ...]

    def merge(self) -> None:
        """All of them are in the entry of their enterprise."""
        self.context.report.merged += sum(map(len, self.rows))

    def refuse(self) -> None:
        """Their enterprise makes no entry."""
        for file, records in zip(self.files, self.rows, strict=True):
            for record in records:
                file.reject(record, "its enterprise was rejected")


RUN_ROWS = 100_000
"""Rows that are sorted in memory at a time: about 100 MB of the widest file."""
MAX_RUNS = 150
"""Fifteen million rows. Each run is an open file, five sorted files are read at once, and a process may often have 1,024 open."""
_NEQ = itemgetter(0)


def read_sorted(archive: QuebecArchive, table: QuebecTable, folder: Path) -> QuebecRows:
    """The rows of a file by their NEQ, bad ones anywhere. Raises `ParseFailed` before the first one if the file can't be read."""
    if is_ordered(archive, table):
        return archive.records(table)
    runs = list(islice(_write_runs(archive.records(table), folder / table.layout), MAX_RUNS + 1))
    if len(runs) > MAX_RUNS:
        raise ParseFailed(f"{archive.part(table).name}: more than {MAX_RUNS * RUN_ROWS:,} rows out of order")
    return heapq.merge(*map(_read_run, runs), key=_NEQ)


def is_ordered(archive: QuebecArchive, table: QuebecTable) -> bool:
    """Whether the numbers of a file never fall; the whole file is read all the same, so that damage at its end is found in time.

    Numbers of ten digits are in the same order as text as they are as numbers; what is no number is a bad row, wherever it stands.
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
