"""The words and acronyms by which the index stores a name and a query searches for it, and the typed form of the name.

It processes thousands of names at once, because an index contains millions. The words are those of the normal form of names.
"""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from bonafide.matching.addresses.index_words import split_address_words
from bonafide.matching.entries.acronym_terms import collect_acronyms
from bonafide.matching.names.acronyms import MOST_WORDS, find_known_acronyms
from bonafide.matching.names.entry_names import ParsedName
from bonafide.matching.names.legal_forms import SINGLE_WORDS
from bonafide.matching.names.name_parts import PART_WORDS, split_name_parts
from bonafide.matching.names.normalization import SIGNIFICANT_WORDS, NormalName, extract_core, separate_lines
from bonafide.matching.people.person_name_parsing import parse_person_name
from bonafide.matching.text.folding import fold_lines
from bonafide.matching.text.word_classes import EMPTY_WORDS

MAX_WORDS = 16
"""Most distinctive words of a name or a query. Registered names seldom have more than ten."""
MAX_WORD_CHARACTERS = 48
MAX_TYPED_CHARACTERS = 200
MIN_ACRONYM_LETTERS = 2
"""The minimum length of an acronym. Those of two letters are in the table of known bodies: initials have at least three."""

_SIGNIFICANT = SIGNIFICANT_WORDS | PART_WORDS
LITTLE_WORDS = EMPTY_WORDS | {"&"}
MARKING_WORDS = _SIGNIFICANT - LITTLE_WORDS
"""The same without articles and connectors."""
_VOWELS = frozenset("aeiouy")
_SPACES = bytes.maketrans(b",-()", b"    ")
_UNTYPED = b"'."
_BREAK_IN_NUMBER = re.compile(r" (?<=[0-9] )(?=[0-9])")


@dataclass(slots=True)
class IndexTerms:
    """The terms of names and parts of names, one per row, in three lists of the same length.

    `places` has the index of the text of each row, in ascending order; a text has any number of rows. `words` are its distinct
    distinctive words in order, 1 to `MAX_WORDS`; `typed` is the typed form of the text. `acronyms` are pairs of the index of a text
    and an acronym of it, in no order, and apart from the rows: they affect neither the words nor their frequencies.
    """

    places: list[int]
    words: list[tuple[str, ...]]
    typed: list[str]
    acronyms: list[tuple[int, str]] = field(default_factory=list)


def build_business_terms(names: Sequence[str]) -> IndexTerms:
    """The rows of business names, each followed by the rows of its parts. A name without letters and digits has none.

    The words are the same as those of `normalise`, at a few microseconds per name for thousands of names.
    """
    found, several = _build_whole_names(names)
    inside = build_part_terms(names, several)
    # From the last to the first, so that earlier rows keep their positions.
    for place, words, typed in zip(reversed(inside.places), reversed(inside.words), reversed(inside.typed), strict=True):
        _insert(found, place, words, typed)
    found.acronyms += inside.acronyms
    return found


def build_part_terms(names: Sequence[str], several: Iterable[int]) -> IndexTerms:
    """The rows and acronyms of the parts of the names at these indexes, without the whole names."""
    parts = [(place, part.text) for place in several for part in split_name_parts(names[place])[1:]]
    inside, _ = _build_whole_names([text for _, text in parts])
    places = [parts[part][0] for part in inside.places]
    return IndexTerms(places, inside.words, inside.typed, [(parts[part][0], acronym) for part, acronym in inside.acronyms])


def build_query_terms(names: Sequence[ParsedName]) -> IndexTerms:
    """The rows of one parsed business name, as `build_business_terms` returns them, and those of the acronyms of a known body."""
    rows: dict[tuple[str, ...], str] = {}
    # From the last to the first, as there: the last of parts with the same words counts.
    for name in (names[0], *reversed(names[1:])):
        words = select_index_words(name.normal)
        if words:
            rows.setdefault(words, name.normal.text)
    # A body of the table is also known by its acronym.
    for acronym in find_known_acronyms(names[0].normal):
        rows.setdefault((acronym,), acronym)
    found = list(rows.items())
    found[1:] = reversed(found[1:])
    return IndexTerms([0] * len(found), [words for words, _ in found], [to_typed_form(text) for _, text in found])


class QueryAcronym(NamedTuple):
    """The one word of a query, which may be an acronym; `is_written` if it is in capitals or has no vowels."""

    letters: str
    is_written: bool


def find_query_acronym(name: NormalName) -> QueryAcronym | None:
    """The acronym that a requested name may be; None if it is not a single short word, or has a legal form."""
    if len(name.core) != 1 or name.legal_forms:
        return None
    (word,) = name.core
    if not MIN_ACRONYM_LETTERS <= len(word) <= MOST_WORDS or not word.isalpha():
        return None
    return QueryAcronym(word, name.text.isupper() or _VOWELS.isdisjoint(word))


def build_person_terms(names: Sequence[str]) -> IndexTerms:
    """The rows of people's names. They include particles and initials, but not titles, degrees and suffixes."""
    return _build_rows((parse_person_name(name).parts for name in names), to_typed_lines(fold_lines(names)))


def build_address_terms(lines: Sequence[str]) -> IndexTerms:
    """The rows of address lines ("100-123 King St. W., Toronto ON M5V 2T6")."""
    folded = fold_lines(lines)
    return _build_rows(map(split_address_words, folded.split("\n")), to_typed_lines(folded))


def select_index_words(name: NormalName) -> tuple[str, ...]:
    """The words by which a name is found: those of its core, within bounds; empty for a name without letters and digits."""
    return limit_words(name.core)


def to_typed_form(text: str) -> str:
    """The typed form of a name: lower-case words, single spaces, no punctuation, digits in one group."""
    (line,) = to_typed_lines(fold_lines([text]))
    return line


def _build_whole_names(names: Sequence[str]) -> tuple[IndexTerms, list[int]]:
    """The rows of names without their parts, and the indexes of the names that may have parts."""
    folded = fold_lines(names)
    split = [line.split() for line in separate_lines(folded)]
    found, several = extract_cores(split)
    several = add_slashed_names(names, several)
    rows = _build_rows(found, to_typed_lines(folded))
    rows.acronyms = collect_acronyms(zip(split, found, strict=True))
    return rows, several


def add_slashed_names(names: Sequence[str], several: list[int]) -> list[int]:
    """These indexes and those of the names with a slash, which may have parts too."""
    if "/" not in "".join(names):
        return several
    return sorted({*several, *(place for place, name in enumerate(names) if "/" in name)})


def extract_cores(lines: Sequence[list[str]]) -> tuple[list[Sequence[str]], list[int]]:
    """The core of each name, given as its separated words, and the indexes of the names with a word that marks parts."""
    found: list[Sequence[str]] = []
    several = []
    for words in lines:
        if _SIGNIFICANT.isdisjoint(words):
            found.append(_extract_plain_core(words, words))
        elif MARKING_WORDS.isdisjoint(words):
            found.append(_extract_plain_core(words, [word for word in words if word not in LITTLE_WORDS]))
        else:
            found.append(extract_core(words))
            if not PART_WORDS.isdisjoint(words):
                several.append(len(found) - 1)
    return found, several


def _extract_plain_core(words: list[str], full: list[str]) -> Sequence[str]:
    """The core of a name without significant words: its words except articles and connectors, without a form at the end.

    Names with two forms, or with connectors at the end ("Smith & Co."), are parsed by `extract_core`.
    """
    if words and words[-1] in SINGLE_WORDS:
        plain = len(full) > 1 and words[-2] not in SINGLE_WORDS and words[-2] not in LITTLE_WORDS
        return full[:-1] if plain else extract_core(words)
    return full if full and words[-1] not in LITTLE_WORDS else extract_core(words)


def _insert(found: IndexTerms, place: int, words: tuple[str, ...], typed: str) -> None:
    """Add a row after that of the whole name, unless a row of this name has the same words."""
    start, end = bisect_left(found.places, place), bisect_right(found.places, place)
    if words not in found.words[start:end]:
        found.places.insert(start + 1, place)
        found.words.insert(start + 1, words)
        found.typed.insert(start + 1, typed)


def _build_rows(found: Iterable[Sequence[str]], typed: list[str]) -> IndexTerms:
    words = list(map(limit_words, found))
    if words and () not in words:
        return IndexTerms(list(range(len(words))), words, typed)
    places = [place for place, row in enumerate(words) if row]
    return IndexTerms(places, [words[place] for place in places], [typed[place] for place in places])


def limit_words(words: Sequence[str]) -> tuple[str, ...]:
    """The distinct words within the bounds of a row."""
    distinct = tuple(dict.fromkeys(words))
    if len("".join(distinct)) > MAX_WORD_CHARACTERS:
        distinct = tuple(dict.fromkeys([word[:MAX_WORD_CHARACTERS] for word in distinct]))
    return distinct[:MAX_WORDS]


def to_typed_lines(folded: str) -> list[str]:
    """The typed form of each line of a folded text."""
    plain = folded.replace("&", " and ").encode().translate(_SPACES, _UNTYPED).decode()
    while "  " in plain:
        plain = plain.replace("  ", " ")
    plain = _BREAK_IN_NUMBER.sub("", plain.replace(" \n", "\n").replace("\n ", "\n").strip(" "))
    lines = plain.split("\n")
    return [line[:MAX_TYPED_CHARACTERS] for line in lines] if len(max(lines, key=len)) > MAX_TYPED_CHARACTERS else lines
