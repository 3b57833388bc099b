"""Mark the differences between two texts by word and, within similar words, by letter.

Upper case and trailing punctuation of a word count as equal, and so do the spellings of a word in an address, such as St and
Street.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import overload

from rapidfuzz.distance import Indel, Levenshtein

from bonafide.matching.addresses.index_words import DIRECTIONS, STREET_TYPES

ADDRESS_WORDS: Mapping[str, str] = {**STREET_TYPES, **DIRECTIONS, "st": "street"}
"""The canonical form of words in addresses that are written in several ways."""
ADDRESS_FIELDS = frozenset({"address", "street"})
_ANY_WORDS: Mapping[str, str] = {}
MIN_WORD_SIMILARITY = 0.6
"""Words of at least this similarity are compared letter by letter. Less similar ones are marked whole."""
_SIGNS = ".,;:"


class DiffSegmentKind(StrEnum):
    """How a segment of one text relates to the other text."""

    SAME = "same"
    MISSING = "missing"
    """Submitted, but not found."""
    ADDED = "added"
    """Found, but not submitted."""


@dataclass(frozen=True, slots=True)
class DiffSegment:
    """A segment of one of the two texts."""

    kind: DiffSegmentKind
    text: str


@dataclass(frozen=True, slots=True)
class WordDiff:
    """Both texts as segments, with single spaces between words; with the differing ones marked."""

    submitted: tuple[DiffSegment, ...]
    found: tuple[DiffSegment, ...]


_Word = list[DiffSegment]


@overload
def diff_words(submitted: str, found: str, spellings: Mapping[str, str] = ...) -> WordDiff: ...
@overload
def diff_words(submitted: str | None, found: str | None, spellings: Mapping[str, str] = ...) -> WordDiff | None: ...
def diff_words(submitted: str | None, found: str | None, spellings: Mapping[str, str] = _ANY_WORDS) -> WordDiff | None:
    """The differences between two texts. None if one of them is missing.

    `spellings` has the canonical form of words in lower case; words with the same one are equal.
    """
    if submitted is None or found is None:
        return None
    ours, theirs = submitted.split(), found.split()
    left: list[_Word] = []
    right: list[_Word] = []
    for step in Levenshtein.opcodes(
        [_normalize_word(word, spellings) for word in ours], [_normalize_word(word, spellings) for word in theirs]
    ):
        removed, inserted = ours[step.src_start : step.src_end], theirs[step.dest_start : step.dest_end]
        if step.tag == "replace":
            pairs = [_diff_letters(one, other) for one, other in zip(removed, inserted, strict=True)]
            left += [one for one, _ in pairs]
            right += [other for _, other in pairs]
        else:
            left += [[DiffSegment(_kind(step.tag, DiffSegmentKind.MISSING), word)] for word in removed]
            right += [[DiffSegment(_kind(step.tag, DiffSegmentKind.ADDED), word)] for word in inserted]
    return WordDiff(_join_words(left), _join_words(right))


@overload
def diff_field(field: str, submitted: str, found: str) -> WordDiff: ...
@overload
def diff_field(field: str, submitted: str | None, found: str | None) -> WordDiff | None: ...
def diff_field(field: str, submitted: str | None, found: str | None) -> WordDiff | None:
    """The differences between two values of a field of a comparison."""
    return diff_words(submitted, found, ADDRESS_WORDS if field in ADDRESS_FIELDS else _ANY_WORDS)


def _diff_letters(one: str, other: str) -> tuple[_Word, _Word]:
    """Compare two words that are at the same position."""
    mine, yours = [letter.casefold() for letter in one], [letter.casefold() for letter in other]
    if Indel.normalized_similarity(mine, yours) < MIN_WORD_SIMILARITY:
        return [DiffSegment(DiffSegmentKind.MISSING, one)], [DiffSegment(DiffSegmentKind.ADDED, other)]
    steps = Indel.opcodes(mine, yours)
    left = [(_kind(step.tag, DiffSegmentKind.MISSING), one[step.src_start : step.src_end]) for step in steps]
    right = [(_kind(step.tag, DiffSegmentKind.ADDED), other[step.dest_start : step.dest_end]) for step in steps]
    return [DiffSegment(*piece) for piece in left if piece[1]], [DiffSegment(*piece) for piece in right if piece[1]]


def _kind(tag: str, otherwise: DiffSegmentKind) -> DiffSegmentKind:
    return DiffSegmentKind.SAME if tag == "equal" else otherwise


def _join_words(words: Iterable[_Word]) -> tuple[DiffSegment, ...]:
    """Words with spaces between them; adjacent segments of one kind are merged, including the space between them."""
    pieces: list[DiffSegment] = []
    for word in words:
        first, *rest = word
        if pieces and pieces[-1].kind is first.kind:
            pieces[-1] = DiffSegment(first.kind, f"{pieces[-1].text} {first.text}")
        elif pieces:
            pieces += _join_with_space(pieces.pop(), first)
        else:
            pieces.append(first)
        pieces += rest
    return tuple(pieces)


def _join_with_space(last: DiffSegment, first: DiffSegment) -> list[DiffSegment]:
    """Two segments of different kinds with an unmarked space between them."""
    if last.kind is DiffSegmentKind.SAME:
        return [DiffSegment(last.kind, f"{last.text} "), first]
    if first.kind is DiffSegmentKind.SAME:
        return [last, DiffSegment(first.kind, f" {first.text}")]
    return [last, DiffSegment(DiffSegmentKind.SAME, " "), first]


def _normalize_word(text: str, spellings: Mapping[str, str]) -> str:
    word = text.casefold().rstrip(_SIGNS) or text
    return spellings.get(word, word)
