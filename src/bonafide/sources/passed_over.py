"""Rows that a list has and that are deliberately not read: empty premises, licences of people rather than of businesses.

Nothing is wrong with them, so they count neither as rows nor as refused; a note of the load says how many there were, and why.
Which rows they are is the source's to say.
"""

from collections import Counter

from bonafide.sources.context import ParseContext


class PassedOver:
    """Counts the rows that one load passes over, by reason."""

    def __init__(self, context: ParseContext) -> None:
        self._context = context
        self._reasons: Counter[str] = Counter()

    def add(self, reason: str) -> None:
        """The row that was just counted is passed over."""
        self._context.report.rows -= 1
        self._reasons[reason] += 1

    def note(self) -> None:
        """Tell the operator, when all files are read."""
        for reason, count in sorted(self._reasons.items()):
            self._context.note(f"rows passed over ({reason}): {count:,}")
