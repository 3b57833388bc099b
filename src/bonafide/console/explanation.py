"""Why a score is what it is, laid out for a page: the fields that were compared with their differences marked, and the others.

Everything stands in the stored document; nothing is compared anew but the two texts of a field, letter by letter.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from bonafide.console.word_diff import WordDiff, word_diff
from bonafide.model.search.match import FieldMatch, FieldStatus

_NOT_COMPARED = frozenset({FieldStatus.NOT_PROVIDED, FieldStatus.NOT_PUBLISHED})


@dataclass(frozen=True, slots=True)
class ComparedField:
    """A field that both sides have; `diff` is None where they agree."""

    field: FieldMatch
    diff: WordDiff | None

    @property
    def is_broken_down(self) -> bool:
        """Whether there is more to say of the words of a name than that they agree."""
        parts = self.field.breakdown
        return parts is not None and self.field.score != 1 and len(parts.matched) + len(parts.missing) + len(parts.added) > 0


@dataclass(frozen=True, slots=True)
class ExplainedFields:
    """The fields of a comparison, in its order."""

    compared: tuple[ComparedField, ...]
    left_out: tuple[FieldMatch, ...]

    @property
    def weakest(self) -> FieldMatch | None:
        """The field that says most about the score: the one that agrees least; None where all that were compared agree in full."""
        lowering = [row.field for row in self.compared if row.field.score is not None and row.field.score < 1]
        return min(lowering, key=lambda field: field.score if field.score is not None else 1.0, default=None)


def explained(fields: Sequence[FieldMatch]) -> ExplainedFields:
    """What was compared, and what could not be."""
    return ExplainedFields(
        compared=tuple(_compared(field) for field in fields if field.status not in _NOT_COMPARED),
        left_out=tuple(field for field in fields if field.status in _NOT_COMPARED),
    )


def _compared(field: FieldMatch) -> ComparedField:
    if field.submitted is None or field.found is None or field.score == 1:
        return ComparedField(field, None)
    return ComparedField(field, word_diff(field.submitted, field.found))
