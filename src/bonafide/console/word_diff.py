"""In what two texts differ: word by word, and within a word that was changed letter by letter.

It marks what a reader would see as different, which is neither upper case for lower nor a comma at the end of a word. It is not how
names are scored (`matching`), and judges nothing.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from rapidfuzz.distance import Indel, Levenshtein

ALIKE_WORDS = 0.6
"""Words at least so alike are one word that was changed, and only what differs within is marked; others are two words."""
_SIGNS = ".,;:"


class SegmentKind(StrEnum):
    """What a piece of text is to the other text."""

    SAME = "same"
    MISSING = "missing"
    """Submitted, and not in what was found."""
    ADDED = "added"
    """Found, and not in what was submitted."""


@dataclass(frozen=True, slots=True)
class Segment:
    """A piece of one of the two texts."""

    kind: SegmentKind
    text: str


@dataclass(frozen=True, slots=True)
class WordDiff:
    """Both texts in pieces, with single spaces between words; drawn by `marked` of `diff.html`."""

    submitted: tuple[Segment, ...]
    found: tuple[Segment, ...]


_Word = list[Segment]


def word_diff(submitted: str, found: str) -> WordDiff:
    """The differences of two texts; of one that is empty, all of the other."""
    ours, theirs = submitted.split(), found.split()
    left: list[_Word] = []
    right: list[_Word] = []
    for step in Levenshtein.opcodes([_word(word) for word in ours], [_word(word) for word in theirs]):
        gone, come = ours[step.src_start : step.src_end], theirs[step.dest_start : step.dest_end]
        if step.tag == "replace":
            pairs = [_changed(one, other) for one, other in zip(gone, come, strict=True)]
            left += [one for one, _ in pairs]
            right += [other for _, other in pairs]
        else:
            kinds = (SegmentKind.SAME, SegmentKind.SAME) if step.tag == "equal" else (SegmentKind.MISSING, SegmentKind.ADDED)
            left += [[Segment(kinds[0], word)] for word in gone]
            right += [[Segment(kinds[1], word)] for word in come]
    return WordDiff(_sentence(left), _sentence(right))


def _changed(one: str, other: str) -> tuple[_Word, _Word]:
    """Two words in each other's place."""
    mine, yours = [_folded(letter) for letter in one], [_folded(letter) for letter in other]
    if Indel.normalized_similarity(mine, yours) < ALIKE_WORDS:
        return [Segment(SegmentKind.MISSING, one)], [Segment(SegmentKind.ADDED, other)]
    steps = Indel.opcodes(mine, yours)
    left = [(_kind(step.tag, SegmentKind.MISSING), one[step.src_start : step.src_end]) for step in steps]
    right = [(_kind(step.tag, SegmentKind.ADDED), other[step.dest_start : step.dest_end]) for step in steps]
    return [Segment(*piece) for piece in left if piece[1]], [Segment(*piece) for piece in right if piece[1]]


def _kind(tag: str, otherwise: SegmentKind) -> SegmentKind:
    return SegmentKind.SAME if tag == "equal" else otherwise


def _sentence(words: Iterable[_Word]) -> tuple[Segment, ...]:
    """Words with spaces between them; neighbours of one kind are one segment, with the space that lies within."""
    pieces: list[Segment] = []
    for word in words:
        first, *rest = word
        if pieces and pieces[-1].kind is first.kind:
            pieces[-1] = Segment(first.kind, f"{pieces[-1].text} {first.text}")
        elif pieces:
            pieces += _spaced(pieces.pop(), first)
        else:
            pieces.append(first)
        pieces += rest
    return tuple(pieces)


def _spaced(last: Segment, first: Segment) -> list[Segment]:
    """Two segments of different kinds with a space between them, which is never marked."""
    if last.kind is SegmentKind.SAME:
        return [Segment(last.kind, f"{last.text} "), first]
    if first.kind is SegmentKind.SAME:
        return [last, Segment(first.kind, f" {first.text}")]
    return [last, Segment(SegmentKind.SAME, " "), first]


def _word(text: str) -> str:
    return _folded(text).rstrip(_SIGNS) or text


def _folded(text: str) -> str:
    return text.casefold()
