"""Rows of files that belong to the enterprises of another: all in the order of the NEQ, read side by side.

Every row is accounted for: it is merged into the entry of its enterprise, or rejected. What the rows say is not looked at.
"""

from dataclasses import dataclass

from bonafide.sources.framework.context import ParseContext, Resource
from bonafide.sources.registries.qc.archive import BAD_ROW_KEY, QuebecRow, QuebecRows

MAX_RELATED = 10_000
"""Rows of one enterprise in one file; the largest chains have a few thousand establishments."""
_END = QuebecRow("~", 0, ())
"""Behind every number."""


class RelatedRows:
    """The rows of one file, handed out enterprise by enterprise in the order of the NEQ."""

    def __init__(self, records: QuebecRows, part: Resource, context: ParseContext) -> None:
        self._records = records
        self._part = part
        self._context = context
        self._next = self._read()

    def of(self, neq: str) -> list[QuebecRow]:
        """The rows of an enterprise; those before it are no enterprise's, and are rejected. Ask in the order of the NEQ."""
        self._reject_before(neq)
        found: list[QuebecRow] = []
        while self._next.neq == neq:
            if len(found) < MAX_RELATED:
                found.append(self._next)
            else:
                self.reject(self._next, f"more than {MAX_RELATED:,} rows of one enterprise")
            self._next = self._read()
        return found

    def finish(self) -> None:
        """Reject what is left, when there is no further enterprise."""
        self._reject_before(_END.neq)

    def _reject_before(self, neq: str) -> None:
        while self._next.neq < neq:
            self.reject(self._next, "no enterprise has this NEQ")
            self._next = self._read()

    def reject(self, record: QuebecRow, reason: str) -> None:
        """A row that is in no entry."""
        self._context.reject(self._part, record.line, reason)

    def _read(self) -> QuebecRow:
        """The next row that can be read."""
        for record in self._records:
            self._context.row()
            if record.neq != BAD_ROW_KEY:
                return record
            self.reject(record, record.cells[0])
        return _END


@dataclass(frozen=True, slots=True)
class EnterpriseRows:
    """The rows that an enterprise has in each file."""

    context: ParseContext
    files: tuple[RelatedRows, ...]
    rows: tuple[list[QuebecRow], ...]

    def merge(self) -> None:
        """All of them are in the entry of their enterprise."""
        self.context.report.merged += sum(map(len, self.rows))

    def refuse(self) -> None:
        """Their enterprise makes no entry."""
        for file, records in zip(self.files, self.rows, strict=True):
            for record in records:
                file.reject(record, "its enterprise was rejected")
