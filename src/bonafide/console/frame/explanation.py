"""The explanation of a score for a page: compared fields with their differences, and the others.

Scores come from the stored document; only the differing letters of two texts are computed here.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from bonafide.console.frame.word_diff import WordDiff, diff_words
from bonafide.model.search.match import FieldMatch, FieldStatus

_NOT_COMPARED = frozenset({FieldStatus.NOT_PROVIDED, FieldStatus.NOT_PUBLISHED})


@dataclass(frozen=True, slots=True)
class ComparedFieldView:
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

    compared: tuple[ComparedFieldView, ...]
    left_out: tuple[FieldMatch, ...]

    @property
    def weakest(self) -> FieldMatch | None:
        """The field that says most about the score: the one that agrees least; None where all that were compared agree in full."""
        lowering = [row.field for row in self.compared if row.field.score is not None and row.field.score < 1]
        return min(lowering, key=lambda field: field.score if field.score is not None else 1.0, default=None)


def explain_fields(fields: Sequence[FieldMatch]) -> ExplainedFields:
    """What was compared, and what could not be."""
    return ExplainedFields(
        compared=tuple(
            ComparedFieldView(field, diff_words(field.submitted, field.found) if field.score != 1 else None)
            for field in fields
            if field.status not in _NOT_COMPARED
        ),
        left_out=tuple(field for field in fields if field.status in _NOT_COMPARED),
    )
