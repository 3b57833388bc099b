"""Look up businesses by number or by words in their names for the live registers, in one SQLite file.

The file stores only positions. Businesses are regenerated from their position when they are read. Protocols are in `protocols`.
"""

import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing
from pathlib import Path

import numpy as np

from bonafide.matching.names.normalization import normalise
from bonafide.model.jurisdiction import Jurisdiction
from bonafide_sandbox.generator.business import SandboxBusiness
from bonafide_sandbox.generator.businesses import MAX_SIZE
from bonafide_sandbox.generator.changes.business_changes import WorldPopulation
from bonafide_sandbox.generator.changes.known_changes import evolve_known_businesses
from bonafide_sandbox.generator.known_businesses import KNOWN_BUSINESSES
from bonafide_sandbox.writers.framework.manifest import DeliveryRoute, WorldManifest
from bonafide_sandbox.writers.framework.writer import TargetFile

DIRECTORY_FILE = "directory.sqlite3"
BATCH = 10_000
MAX_NAMED = 200
"""The maximum number of rows read per full-text query."""
_SCHEMA = """
CREATE TABLE business (position INTEGER PRIMARY KEY, register TEXT NOT NULL, number TEXT NOT NULL, business_number TEXT NOT NULL);
CREATE VIRTUAL TABLE name USING fts5 (words, content='', detail='none', tokenize='unicode61 remove_diacritics 2');
"""
_INDEXES = """
CREATE INDEX by_number ON business (number);
CREATE INDEX by_business_number ON business (business_number);
"""


class DirectoryWriter:
    """Indexes every business of a world by its position, in order, the fixed ones first."""

    targets: Sequence[TargetFile] = (TargetFile("sandbox", "directory", DIRECTORY_FILE, DeliveryRoute.DIRECTORY),)

    def __init__(self, folder: Path) -> None:
        self._database = sqlite3.connect(folder / DIRECTORY_FILE)
        # Durability is not needed: an incomplete file is deleted with its folder.
        self._database.executescript(f"PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; {_SCHEMA}")
        self._position = -len(KNOWN_BUSINESSES)
        self._rows: list[tuple[int, str, str, str]] = []
        self._words: list[tuple[int, str]] = []

    def take(self, business: SandboxBusiness) -> None:
        """Add a business to the index."""
        names = (business.name, *business.other_names)
        # Names are indexed both as written and in normalized form: `0115773 B.C. Ltd.` also has the word 115773.
        names = (*names, *(" ".join(normalise(name).core) for name in names))
        self._rows.append((self._position, business.register.value, business.number, business.business_number))
        self._words.append((_to_row_id(self._position), " ".join(names)))
        self._position += 1
        if len(self._rows) >= BATCH:
            self._flush()

    def skip(self) -> None:
        """Leave out the business at the next position: its entry is gone."""
        self._position += 1

    def close(self) -> None:
        """Finish the file."""
        self._flush()
        self._database.executescript(_INDEXES)
        self._database.close()

    def _flush(self) -> None:
        with self._database:
            self._database.executemany("INSERT INTO business VALUES (?, ?, ?, ?)", self._rows)
            self._database.executemany("INSERT INTO name (rowid, words) VALUES (?, ?)", self._words)
        self._rows, self._words = [], []


class BusinessDirectory:
    """The directory of a written world. Thread-safe: each query opens its own connection."""

    def __init__(self, folder: Path, seed: int, size: int = MAX_SIZE, day: int = 0) -> None:
        self._path = folder / DIRECTORY_FILE
        self._population = WorldPopulation(seed, size, day)
        self.seed = seed
        """The seed of the world's businesses."""
        self.day = day
        """The day of the world."""

    @classmethod
    def open(cls, folder: Path, manifest: WorldManifest) -> "BusinessDirectory":
        """Open the directory of the world that the manifest describes."""
        return cls(folder, manifest.seed, manifest.size, manifest.day)

    def numbered(self, number: str) -> list[SandboxBusiness]:
        """Return businesses of all registers with this registration number or nine-digit business number."""
        rows = self._positions("SELECT position FROM business WHERE number = ?1 OR business_number = ?1", (number,))
        return list(self._businesses(rows))

    def find_in_register(self, jurisdiction: Jurisdiction, number: str) -> SandboxBusiness | None:
        """Return the business with this number in a register, or None."""
        query = "SELECT position FROM business WHERE number = ? AND register = ?"
        return next(self._businesses(self._positions(query, (number, jurisdiction.value))), None)

    def named(self, text: str, jurisdictions: Iterable[Jurisdiction] = tuple(Jurisdiction)) -> list[SandboxBusiness]:
        """Return businesses of these registers with all words of the query (the last as a prefix), then those with any."""
        words = [word for word in normalise(text).core if word.isalnum()]
        if not words:
            return []
        registers = [jurisdiction.value for jurisdiction in jurisdictions]
        marks = ", ".join("?" * len(registers))
        query = (
            # Only placeholders are interpolated. Values are bound parameters.
            "SELECT position FROM name JOIN business ON position = name.rowid - ? WHERE name MATCH ? "  # noqa: S608
            f"AND register IN ({marks}) ORDER BY position LIMIT ?"
        )
        quoted = [f'"{word}"' for word in words]
        found: dict[int, None] = {}
        for match in (" AND ".join([*quoted[:-1], f"{quoted[-1]}*"]), " OR ".join(quoted)):
            for position in self._positions(query, (len(KNOWN_BUSINESSES) + 1, match, *registers, MAX_NAMED)):
                found.setdefault(position)
        return list(self._businesses(list(found)))

    def _positions(self, query: str, values: tuple[object, ...]) -> list[int]:
        with closing(sqlite3.connect(f"file:{self._path}?mode=ro", uri=True)) as database:
            return [row[0] for row in database.execute(query, values)]

    def _businesses(self, positions: Sequence[int]) -> Iterator[SandboxBusiness]:
        generated = [position for position in positions if position >= 0]
        made = self._population.create(np.array(generated, dtype=np.int64)) if generated else []
        current = {position: evolved.now for position, evolved in zip(generated, made, strict=True)}
        known = evolve_known_businesses(self.day)
        for position in positions:
            business = current[position] if position >= 0 else known[position + len(known)].business
            if business is not None:
                yield business


def _to_row_id(position: int) -> int:
    """Return the row id in the full-text index, which must be positive."""
    return position + len(KNOWN_BUSINESSES) + 1
