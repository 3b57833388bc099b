"""Explain a score on a page: compared fields with their differences by word and letter, and the fields that were not compared.

Scores come from the stored document; only the differing letters of two texts are computed here. Upper case and trailing
punctuation of a word count as equal.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import overload

from rapidfuzz.distance import Indel, Levenshtein

from bonafide.model.search.match import FieldMatch, FieldStatus

MIN_WORD_SIMILARITY = 0.6
"""Words of at least this similarity are compared letter by letter. Less similar ones are marked whole."""
_SIGNS = ".,;:"
_NOT_COMPARED = frozenset({FieldStatus.NOT_PROVIDED, FieldStatus.NOT_PUBLISHED})


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
    """Both texts as segments, with single spaces between words; rendered by `marked` of `diff.html`."""

    submitted: tuple[DiffSegment, ...]
    found: tuple[DiffSegment, ...]


_Word = list[DiffSegment]


@overload
def diff_words(submitted: str, found: str) -> WordDiff: ...
@overload
def diff_words(submitted: str | None, found: str | None) -> WordDiff | None: ...
def diff_words(submitted: str | None, found: str | None) -> WordDiff | None:
    """The differences between two texts. None if one of them is missing."""
    if submitted is None or found is None:
        return None
    ours, theirs = submitted.split(), found.split()
    left: list[_Word] = []
    right: list[_Word] = []
    for step in Levenshtein.opcodes([_normalize_word(word) for word in ours], [_normalize_word(word) for word in theirs]):
        removed, inserted = ours[step.src_start : step.src_end], theirs[step.dest_start : step.dest_end]
        if step.tag == "replace":
            pairs = [_diff_letters(one, other) for one, other in zip(removed, inserted, strict=True)]
            left += [one for one, _ in pairs]
            right += [other for _, other in pairs]
        else:
            left += [[DiffSegment(_kind(step.tag, DiffSegmentKind.MISSING), word)] for word in removed]
            right += [[DiffSegment(_kind(step.tag, DiffSegmentKind.ADDED), word)] for word in inserted]
    return WordDiff(_join_words(left), _join_words(right))


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


def _normalize_word(text: str) -> str:
    return text.casefold().rstrip(_SIGNS) or text


@dataclass(frozen=True, slots=True)
class ComparedFieldView:
    """A field that both sides have. `diff` is None if the values match."""

    field: FieldMatch
    diff: WordDiff | None

    @property
    def is_broken_down(self) -> bool:
        """Whether the comparison of the name by word is worth showing."""
        parts = self.field.breakdown
        return parts is not None and self.field.score != 1 and len(parts.matched) + len(parts.missing) + len(parts.added) > 0


@dataclass(frozen=True, slots=True)
class ExplainedFields:
    """The fields of a comparison, in their original order."""

    compared: tuple[ComparedFieldView, ...]
    left_out: tuple[FieldMatch, ...]

    @property
    def weakest(self) -> FieldMatch | None:
        """The compared field with the lowest score; None if every compared field matches fully."""
        lowering = [row.field for row in self.compared if row.field.score is not None and row.field.score < 1]
        return min(lowering, key=lambda field: field.score if field.score is not None else 1.0, default=None)


def explain_fields(fields: Sequence[FieldMatch]) -> ExplainedFields:
    """Split fields into those that were compared and those that were not."""
    return ExplainedFields(
        compared=tuple(
            ComparedFieldView(field, diff_words(field.submitted, field.found) if field.score != 1 else None)
            for field in fields
            if field.status not in _NOT_COMPARED
        ),
        left_out=tuple(field for field in fields if field.status in _NOT_COMPARED),
    )
