"""CSV files in a ZIP archive, each sorted by its first column. Rows are buffered in a database on disk.

The output is deterministic: the same rows in the same order produce the same bytes.
"""

import csv
import io
import sqlite3
import zipfile
from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from pathlib import Path

BOM = "\ufeff"
WAITING_ROWS = 50_000
CHUNK_ROWS = 1_000


class SortedZip:
    """A ZIP archive, written on `close`."""

    def __init__(self, path: Path, headers: Mapping[str, Sequence[str]], dated: date) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        self._path, self._headers, self._dated = path, headers, dated
        self._rows_path = path.with_suffix(".rows")
        self._rows = sqlite3.connect(self._rows_path, isolation_level=None)
        # Durability is not needed: an incomplete world is deleted.
        self._rows.executescript("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF;")
        self._rows.execute("CREATE TABLE waiting (file TEXT, key TEXT, line TEXT)")
        self._waiting: list[tuple[str, str, str]] = []
        self._line = io.StringIO(newline="")
        self._writer = csv.writer(self._line, lineterminator="\r\n")

    def add(self, file: str, cells: Iterable[object]) -> None:
        """Add a row to a file."""
        row = list(cells)
        self._waiting.append((file, str(row[0]), self._written(row)))
        if len(self._waiting) >= WAITING_ROWS:
            self._flush()

    def close(self) -> None:
        """Write the archive."""
        self._flush()
        with zipfile.ZipFile(self._path, "w") as archive:
            for file, header in self._headers.items():
                self._write(archive, file, header)
        self._rows.close()
        self._rows_path.unlink()

    def _write(self, archive: zipfile.ZipFile, file: str, header: Sequence[str]) -> None:
        member = zipfile.ZipInfo(file, (self._dated.year, self._dated.month, self._dated.day, 0, 0, 0))
        member.compress_type = zipfile.ZIP_DEFLATED
        found = self._rows.execute("SELECT line FROM waiting WHERE file = ? ORDER BY key, rowid", (file,))
        with archive.open(member, "w") as out:
            out.write((BOM + self._written(header)).encode())
            while lines := found.fetchmany(CHUNK_ROWS):
                out.write("".join(line for (line,) in lines).encode())

    def _written(self, cells: Iterable[object]) -> str:
        self._line.seek(0)
        self._line.truncate()
        self._writer.writerow(cells)
        return self._line.getvalue()

    def _flush(self) -> None:
        self._rows.execute("BEGIN")
        self._rows.executemany("INSERT INTO waiting VALUES (?, ?, ?)", self._waiting)
        self._rows.execute("COMMIT")
        self._waiting.clear()
