"""The register's files in the order of their NEQ, which is how they can be joined in bounded memory.

A file is looked through first. One in order is then read as it stands; one that is not is sorted on disk, a run at a time, the rows
of an enterprise staying in the order of the file. That the files are in order is nowhere promised, so nothing relies on it.
"""

import csv
import heapq
from collections.abc import Iterator
from itertools import islice
from operator import itemgetter
from pathlib import Path

from bonafide.errors import ParseFailed
from bonafide.sources.registries.qc.archive import QuebecArchive, QuebecRow, QuebecRows, QuebecTable

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
