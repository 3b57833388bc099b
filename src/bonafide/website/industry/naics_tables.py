"""Parse the official tables of NAICS Canada 2022: classes with titles and definitions, and the phrases of each class.

Tables with unexpected content are refused.
"""

import csv
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path

from bonafide.errors import ParseFailed
from bonafide.i18n.language import Language
from bonafide.i18n.message import Message, join_values
from bonafide.matching.text.folding import fold
from bonafide.website.tables import read_website_table

MAX_TABLE_BYTES = 64 * 1024**2
"""Maximum size of a table; the largest has 6 MB."""
MAX_SHOWN_COLUMNS = 20
LEAF_LEVEL = "5"
"""The level of Canadian industries, which have six digits."""
LEAF_DIGITS = 6
_SEE = re.compile(r"(?P<text>.+?)\s*\((?:see|voir)\s+(?P<code>\d{5,6})\b.*", re.IGNORECASE | re.DOTALL)
"""An exclusion with a reference to another class: `growing tobacco (See 111910 Tobacco farming)`."""

_FACTS = read_website_table("naics.yml")
EDITION = Message("NAICS Canada 2022")
PUBLISHER = Message("Statistics Canada")


_MISSING = Message("{edition}: the table {table} is missing. Also pass its file with --file")


class NaicsTable(StrEnum):
    """The official tables, two in each language."""

    EN_STRUCTURE = "en-structure"
    EN_ELEMENTS = "en-elements"
    FR_STRUCTURE = "fr-structure"
    FR_ELEMENTS = "fr-elements"

    @property
    def language(self) -> Language:
        """The language of its texts."""
        return Language(self.value[:2])

    @property
    def is_structure(self) -> bool:
        """Whether it contains the classes, not the phrases."""
        return self in {NaicsTable.EN_STRUCTURE, NaicsTable.FR_STRUCTURE}


ADDRESSES: Mapping[NaicsTable, str] = {NaicsTable(name): url for name, url in _FACTS["addresses"].items()}
"""The publisher's address of each table. See `naics.yml` for their reliability."""


class PhraseKind(StrEnum):
    """The relation of a phrase to its class."""

    EXAMPLE = "example"
    EXCLUSION = "exclusion"
    """An activity that the class excludes, with a reference to another class."""


_KINDS = {fold(name): PhraseKind(kind) for kind, names in _FACTS["kinds"].items() for name in names}


@dataclass(frozen=True, slots=True)
class NaicsPhrase:
    """An activity of a six-digit class, in the publisher's words."""

    code: str
    text: str
    kind: PhraseKind


@dataclass(frozen=True, slots=True)
class NaicsEdition:
    """The classification in one language: titles and definitions of all levels by code, and the phrases of the lowest."""

    language: Language
    titles: Mapping[str, str]
    definitions: Mapping[str, str]
    phrases: tuple[NaicsPhrase, ...]

    @property
    def codes(self) -> list[str]:
        """The six-digit codes, sorted."""
        return sorted(code for code in self.titles if len(code) == LEAF_DIGITS and code.isdigit())

    def without(self, texts: frozenset[str]) -> "NaicsEdition":
        """Return the edition without the phrases of these folded texts, which a measurement holds out."""
        kept = tuple(phrase for phrase in self.phrases if fold(phrase.text).strip() not in texts)
        return NaicsEdition(self.language, self.titles, self.definitions, kept)


@dataclass(frozen=True, slots=True)
class NaicsTableFile:
    """A file, its table, and its rows by field name."""

    table: NaicsTable
    rows: tuple[Mapping[str, str], ...]


@dataclass(slots=True)
class _EditionContents:
    """The parsed contents of one language."""

    titles: dict[str, str] = field(default_factory=dict)
    definitions: dict[str, str] = field(default_factory=dict)
    phrases: list[NaicsPhrase] = field(default_factory=list)


def read_naics_table(path: Path, name: str) -> NaicsTableFile:
    """Read a file as one of the tables.

    Raises `ParseFailed` for an unknown header, a row with another number of cells, or a file that is too large to be a table.
    """
    size = path.stat().st_size
    if size > MAX_TABLE_BYTES:
        raise ParseFailed(
            Message("{file}: the file has {size:,} bytes; the limit is {limit:,}", file=name, size=size, limit=MAX_TABLE_BYTES)
        )
    try:
        with path.open(encoding="utf-8-sig", newline="") as text:
            reader = csv.reader(text, strict=True)
            header = [cell.strip() for cell in next(reader, [])]
            table, places = _detect_table(header, name)
            rows = tuple(_read_rows(reader, places, len(header), name))
    except UnicodeDecodeError as error:
        raise ParseFailed(Message("{file}: not {encoding} text", file=name, encoding="UTF-8")) from error
    except csv.Error as error:
        raise ParseFailed(Message("{file}: not a valid CSV file: {detail}", file=name, detail=str(error))) from error
    return NaicsTableFile(table, rows)


def _detect_table(header: Sequence[str], name: str) -> tuple[NaicsTable, dict[str, int]]:
    """Return the table with this header, and the positions of its columns."""
    found = {fold(column): place for place, column in enumerate(header)}
    for table, facts in _FACTS["tables"].items():
        known = {column: [fold(word) for word in words] for column, words in facts["columns"].items()}
        places = {column: next((found[word] for word in words if word in found), None) for column, words in known.items()}
        spare = found.keys() - {word for words in known.values() for word in words} - set(map(fold, facts["ignored"]))
        if not spare and len(found) == len(header) and all(place is not None for place in places.values()):
            return NaicsTable(table), {column: place for column, place in places.items() if place is not None}
    raise ParseFailed(
        Message(
            "{file}: not a table of {edition}; its columns are: {columns}",
            file=name,
            edition=EDITION,
            columns=join_values(header[:MAX_SHOWN_COLUMNS]),
        )
    )


def _read_rows(reader: Iterable[list[str]], places: Mapping[str, int], width: int, name: str) -> Iterator[dict[str, str]]:
    for line, cells in enumerate(reader, start=2):
        if not any(cells):
            continue
        if len(cells) != width:
            raise ParseFailed(
                Message(
                    "{file}, row {line}: {cells} cells where the header has {columns}",
                    file=name,
                    line=line,
                    cells=len(cells),
                    columns=width,
                )
            )
        yield {column: " ".join(cells[place].split()) for column, place in places.items()}


def build_editions(files: Sequence[NaicsTableFile]) -> tuple[NaicsEdition, ...]:
    """Build the classification in each language of the files, English first.

    Raises `ParseFailed` for a missing or repeated table, an unknown type of phrase, or a phrase of an unknown class.
    """
    tables = {file.table: file for file in files}
    if len(tables) != len(files):
        raise ParseFailed(Message("the same table was given twice"))
    found = tuple(_build_edition(language, tables) for language in Language if any(t.language is language for t in tables))
    if not any(edition.language is Language.ENGLISH for edition in found):
        raise ParseFailed(_MISSING.fill(edition=EDITION, table=NaicsTable.EN_STRUCTURE.value))
    if not found[0].codes:
        raise ParseFailed(Message("the tables of {edition} contain no six-digit codes", edition=EDITION))
    return found


def _build_edition(language: Language, tables: Mapping[NaicsTable, NaicsTableFile]) -> NaicsEdition:
    own = sorted((table for table in NaicsTable if table.language is language), key=lambda table: not table.is_structure)
    missing = [table.value for table in own if table not in tables]
    if missing:
        raise ParseFailed(_MISSING.fill(edition=EDITION, table=missing[0]))
    read = _EditionContents()
    for row in tables[own[0]].rows:
        read.titles[row["code"]], read.definitions[row["code"]] = row["title"], row["definition"]
    for row in tables[own[1]].rows:
        phrase = _build_phrase(row, read.titles)
        if phrase is not None:
            read.phrases.append(phrase)
    unique = {(phrase.code, phrase.kind, fold(phrase.text).strip()): phrase for phrase in reversed(read.phrases)}
    return NaicsEdition(language, read.titles, read.definitions, tuple(reversed(unique.values())))


def _build_phrase(row: Mapping[str, str], titles: Mapping[str, str]) -> NaicsPhrase | None:
    """Return the phrase of a row with its class; None for a higher class, or a reference to no six-digit class."""
    kind = _KINDS.get(fold(row["kind"]))
    if kind is None:
        raise ParseFailed(Message("unknown type of phrase “{type}”", type=row["kind"]))
    if row["code"] not in titles:
        raise ParseFailed(Message("the phrase “{text}” belongs to the unknown class {code}", text=row["text"], code=row["code"]))
    if kind is PhraseKind.EXCLUSION:
        return _parse_cross_reference(row["text"], titles)
    return NaicsPhrase(row["code"], row["text"], kind) if row["level"] == LEAF_LEVEL else None


def _parse_cross_reference(text: str, titles: Mapping[str, str]) -> NaicsPhrase | None:
    found = _SEE.fullmatch(text)
    if found is None:
        return None
    # A five-digit class with a single subclass is that subclass, with a trailing zero.
    code = found["code"].ljust(LEAF_DIGITS, "0")
    return NaicsPhrase(code, found["text"], PhraseKind.EXCLUSION) if code in titles else None
