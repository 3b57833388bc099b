"""Explain a score on a page: compared fields with their differences by word and letter, and the fields that were not compared.

Scores come from the stored document; only the differing letters of two texts are computed here.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from bonafide.matching.addresses.word_differences import WordDiff, diff_field
from bonafide.model.search.match import FieldMatch, FieldStatus

_NOT_COMPARED = frozenset({FieldStatus.NOT_PROVIDED, FieldStatus.NOT_PUBLISHED})


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
            ComparedFieldView(field, diff_field(field.field, field.submitted, field.found) if field.score != 1 else None)
            for field in fields
            if field.status not in _NOT_COMPARED
        ),
        left_out=tuple(field for field in fields if field.status in _NOT_COMPARED),
    )
