"""The differences of two texts, word by word and letter by letter.

Upper case and trailing punctuation of a word count as equal. Scores are computed elsewhere (`matching`).
"""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from typing import overload

from rapidfuzz.distance import Indel, Levenshtein

MIN_WORD_SIMILARITY = 0.6
"""Words at least so alike are one word that was changed, and only what differs within is marked; others are two words."""
_SIGNS = ".,;:"


class DiffSegmentKind(StrEnum):
    """What a piece of text is to the other text."""

    SAME = "same"
    MISSING = "missing"
    """Submitted, and not in what was found."""
    ADDED = "added"
    """Found, and not in what was submitted."""


@dataclass(frozen=True, slots=True)
class DiffSegment:
    """A piece of one of the two texts."""

    kind: DiffSegmentKind
    text: str


@dataclass(frozen=True, slots=True)
class WordDiff:
    """Both texts in pieces, with single spaces between words; drawn by `marked` of `diff.html`."""

    submitted: tuple[DiffSegment, ...]
    found: tuple[DiffSegment, ...]


_Word = list[DiffSegment]


@overload
def diff_words(submitted: str, found: str) -> WordDiff: ...
@overload
def diff_words(submitted: str | None, found: str | None) -> WordDiff | None: ...
def diff_words(submitted: str | None, found: str | None) -> WordDiff | None:
    """The differences of two texts; of one that is empty, all of the other. None where one of them is missing."""
    if submitted is None or found is None:
        return None
    ours, theirs = submitted.split(), found.split()
    left: list[_Word] = []
    right: list[_Word] = []
    for step in Levenshtein.opcodes([_normalize_word(word) for word in ours], [_normalize_word(word) for word in theirs]):
        gone, come = ours[step.src_start : step.src_end], theirs[step.dest_start : step.dest_end]
        if step.tag == "replace":
            pairs = [_diff_letters(one, other) for one, other in zip(gone, come, strict=True)]
            left += [one for one, _ in pairs]
            right += [other for _, other in pairs]
        else:
            left += [[DiffSegment(_kind(step.tag, DiffSegmentKind.MISSING), word)] for word in gone]
            right += [[DiffSegment(_kind(step.tag, DiffSegmentKind.ADDED), word)] for word in come]
    return WordDiff(_join_words(left), _join_words(right))


def _diff_letters(one: str, other: str) -> tuple[_Word, _Word]:
    """Two words in each other's place."""
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
    """Words with spaces between them; neighbours of one kind are one segment, with the space that lies within."""
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
    """Two segments of different kinds with a space between them, which is never marked."""
    if last.kind is DiffSegmentKind.SAME:
        return [DiffSegment(last.kind, f"{last.text} "), first]
    if first.kind is DiffSegmentKind.SAME:
        return [last, DiffSegment(first.kind, f" {first.text}")]
    return [last, DiffSegment(DiffSegmentKind.SAME, " "), first]


def _normalize_word(text: str) -> str:
    return text.casefold().rstrip(_SIGNS) or text
