"""Mark the differences between a claimed value and the one of the register."""

from bonafide.matching.addresses.word_differences import WordDiff, diff_field
from bonafide.model.verification.results import CheckStatus


def diff_values(field: str, status: CheckStatus, score: float | None, sides: tuple[str | None, str | None]) -> WordDiff | None:
    """The differences to mark; None if the values match in full. Equivalent spellings of a matching part are not differences."""
    is_different = status is CheckStatus.MISMATCHED or (status is CheckStatus.MATCHED and score is not None and score < 1)
    return diff_field(field, *sides) if is_different else None
