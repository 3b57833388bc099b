"""NAICS Canada 2022 as its publisher's tables have it: classes with titles and definitions, and the phrases that belong to each.

It reads the tables strictly and knows nothing of sites; how phrases are searched is the business of `industry_index`.
"""

import csv
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path

from bonafide.errors import ParseFailed
from bonafide.i18n.language import Language
from bonafide.matching.text.folding import fold
from bonafide.website.tables import read_website_table

LEAF_LEVEL = "5"
"""Canadian industries: the classes of six digits."""
LEAF_DIGITS = 6
_SEE = re.compile(r"(?P<text>.+?)\s*\((?:see|voir)\s+(?P<code>\d{5,6})\b.*", re.IGNORECASE | re.DOTALL)
"""How an exclusion names the class that it belongs to; `growing tobacco (See 111910 Tobacco farming)`."""

_FACTS = read_website_table("naics.yml")
EDITION: str = _FACTS["edition"]
PUBLISHER: str = _FACTS["publisher"]


class NaicsTable(StrEnum):
    """The official tables, two in each language."""

    EN_STRUCTURE = "en-structure"
    EN_ELEMENTS = "en-elements"
    FR_STRUCTURE = "fr-structure"
    FR_ELEMENTS = "fr-elements"

    @property
    def language(self) -> Language:
        """In which language its texts are."""
        return Language(self.value[:2])

    @property
    def is_structure(self) -> bool:
        """Whether it has the classes, not the phrases."""
        return self in {NaicsTable.EN_STRUCTURE, NaicsTable.FR_STRUCTURE}


ADDRESSES: Mapping[NaicsTable, str] = {NaicsTable(name): url for name, url in _FACTS["addresses"].items()}
"""Where the publisher has each table. See `naics.yml` for what is not sure about them."""


class PhraseKind(StrEnum):
    """What a phrase is to its class."""

    EXAMPLE = "example"
    EXCLUSION = "exclusion"
    """Said of another class, to which it does not belong."""


_KINDS = {fold(name): PhraseKind(kind) for kind, names in _FACTS["kinds"].items() for name in names}


@dataclass(frozen=True, slots=True)
class NaicsPhrase:
    """An activity in the publisher's words, of a class of six digits."""

    code: str
    text: str
    kind: PhraseKind


@dataclass(frozen=True, slots=True)
class NaicsEdition:
    """The classification in one language: titles and definitions by code, of all five levels, and the phrases of the lowest."""

    language: Language
    titles: Mapping[str, str]
    definitions: Mapping[str, str]
    phrases: tuple[NaicsPhrase, ...]

    @property
    def codes(self) -> list[str]:
        """The classes of six digits, in order."""
        return sorted(code for code in self.titles if len(code) == LEAF_DIGITS and code.isdigit())

    def without(self, texts: frozenset[str]) -> "NaicsEdition":
        """The same without phrases of these texts, folded: what a measurement holds out of the index."""
        kept = tuple(phrase for phrase in self.phrases if fold(phrase.text).strip() not in texts)
        return NaicsEdition(self.language, self.titles, self.definitions, kept)


@dataclass(frozen=True, slots=True)
class NaicsTableFile:
    """A file, which of the tables it is, and its rows by what their columns mean."""

    table: NaicsTable
    rows: tuple[Mapping[str, str], ...]


@dataclass(slots=True)
class _EditionContents:
    """What has been read of one language."""

    titles: dict[str, str] = field(default_factory=dict)
    definitions: dict[str, str] = field(default_factory=dict)
    phrases: list[NaicsPhrase] = field(default_factory=list)


def read_naics_table(path: Path, name: str) -> NaicsTableFile:
    """A file as one of the tables. Raises `ParseFailed` when it is none of them, or a row has not as many cells as the header."""
    try:
        with path.open(encoding="utf-8-sig", newline="") as text:
            reader = csv.reader(text, strict=True)
            header = [cell.strip() for cell in next(reader, [])]
            table, places = _detect_table(header, name)
            rows = tuple(_read_rows(reader, places, len(header), name))
    except UnicodeDecodeError as error:
        raise ParseFailed(f"{name}: not UTF-8: {error.reason} at byte {error.start}") from error
    except csv.Error as error:
        raise ParseFailed(f"{name}: not CSV: {error}") from error
    return NaicsTableFile(table, rows)


def _detect_table(header: Sequence[str], name: str) -> tuple[NaicsTable, dict[str, int]]:
    """Which table has this header, and where its columns are."""
    found = {fold(column): place for place, column in enumerate(header)}
    for table, facts in _FACTS["tables"].items():
        known = {column: [fold(word) for word in words] for column, words in facts["columns"].items()}
        places = {column: next((found[word] for word in words if word in found), None) for column, words in known.items()}
        spare = found.keys() - {word for words in known.values() for word in words} - set(map(fold, facts["ignored"]))
        if not spare and len(found) == len(header) and all(place is not None for place in places.values()):
            return NaicsTable(table), {column: place for column, place in places.items() if place is not None}
    raise ParseFailed(f"{name}: its columns ({', '.join(header) or 'none'}) are those of no table of {EDITION}")


def _read_rows(reader: Iterable[list[str]], places: Mapping[str, int], width: int, name: str) -> Iterator[dict[str, str]]:
    for line, cells in enumerate(reader, start=2):
        if not any(cells):
            continue
        if len(cells) != width:
            raise ParseFailed(f"{name}, row {line}: {len(cells)} cells where the header has {width}")
        yield {column: " ".join(cells[place].split()) for column, place in places.items()}


def build_editions(files: Sequence[NaicsTableFile]) -> tuple[NaicsEdition, ...]:
    """The classification in each language that the files hold whole, English first.

    Raises `ParseFailed` for half a language, a table given twice, a kind of phrase that nobody knows, or a phrase of no class.
    """
    tables = {file.table: file for file in files}
    if len(tables) != len(files):
        raise ParseFailed("a table was given twice")
    found = tuple(_build_edition(language, tables) for language in Language if any(t.language is language for t in tables))
    if not any(edition.language is Language.ENGLISH for edition in found):
        raise ParseFailed(f"the English tables of {EDITION} are needed: {NaicsTable.EN_STRUCTURE} and {NaicsTable.EN_ELEMENTS}")
    if not found[0].codes:
        raise ParseFailed(f"{EDITION}: there is no class of {LEAF_DIGITS} digits")
    return found


def _build_edition(language: Language, tables: Mapping[NaicsTable, NaicsTableFile]) -> NaicsEdition:
    own = sorted((table for table in NaicsTable if table.language is language), key=lambda table: not table.is_structure)
    missing = [table.value for table in own if table not in tables]
    if missing:
        raise ParseFailed(f"the table {missing[0]} of {EDITION} is missing")
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
    """The phrase of a row, of the class that it belongs to; None for one of a higher class, or that leads to none of six digits."""
    kind = _KINDS.get(fold(row["kind"]))
    if kind is None:
        raise ParseFailed(f"{row['kind']!r} is no kind of phrase that is known")
    if row["code"] not in titles:
        raise ParseFailed(f"the phrase {row['text']!r} belongs to {row['code']!r}, which is no class")
    if kind is PhraseKind.EXCLUSION:
        return _parse_cross_reference(row["text"], titles)
    return NaicsPhrase(row["code"], row["text"], kind) if row["level"] == LEAF_LEVEL else None


def _parse_cross_reference(text: str, titles: Mapping[str, str]) -> NaicsPhrase | None:
    found = _SEE.fullmatch(text)
    if found is None:
        return None
    # A class of five digits that has only one below it is that one, with a nought.
    code = found["code"].ljust(LEAF_DIGITS, "0")
    return NaicsPhrase(code, found["text"], PhraseKind.EXCLUSION) if code in titles else None
