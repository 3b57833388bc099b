"""What is done with a row of a batch: an interface of the three kinds, and what they share.

A check computes with data in memory and on disk only: it queries nobody, stores nothing, and may be repeated.
"""

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import date
from time import perf_counter
from typing import Any
from uuid import UUID

from pydantic import ValidationError

from bonafide.i18n.catalog import translate
from bonafide.i18n.language import Language
from bonafide.i18n.message import Message
from bonafide.model.accounts.organizations import World
from bonafide.model.batches.batch import BatchCoverage, BatchParameters
from bonafide.model.batches.rows import NAME, REFERENCE, BatchInputRow, BatchResultRow, BatchRowStatus
from bonafide.model.loading import DataOrigin
from bonafide.model.validation_messages import describe_validation_error
from bonafide.observability.log import get_logger

INTERNAL_ERROR = Message("the row could not be done because of an internal error")
ADDRESS_FIELDS = {
    "street": "street",
    "unit": "unit",
    "city": "city",
    "province": "province",
    "postalCode": "postalCode",
    "country": "country",
}
"""The fields of a row that are parts of its address, by the names in an address."""
_log = get_logger(__name__)


@dataclass(frozen=True, slots=True)
class BatchTask:
    """What the rows of a batch are compared with and how. `day` is the day of the request, which the results depend on."""

    batch_id: UUID
    world: World
    parameters: BatchParameters
    language: Language
    day: date


@dataclass(slots=True)
class SourceUse:
    """How many rows were compared with a source, and how many could not be: since when its data is, or the reason."""

    checked: int = 0
    not_checked: int = 0
    as_of: str | None = None
    reason: Message | None = None


@dataclass(slots=True)
class CoverageCounter:
    """Counts with which sources rows were compared."""

    sources: dict[str, SourceUse] = field(default_factory=dict)

    def count_checked(self, source: str, as_of: str | None) -> None:
        """Count a row that was compared with a source of this date."""
        use = self.sources.setdefault(source, SourceUse())
        use.checked += 1
        use.as_of = as_of if use.as_of is None or (as_of is not None and as_of < use.as_of) else use.as_of

    def count_not_checked(self, source: str, reason: Message) -> None:
        """Count a row that could not be compared with a source."""
        use = self.sources.setdefault(source, SourceUse())
        use.not_checked += 1
        use.reason = reason

    def build(self) -> tuple[BatchCoverage, ...]:
        """The coverage, by source."""
        return tuple(
            BatchCoverage(source=key, checked=use.checked, not_checked=use.not_checked, as_of=use.as_of, reason=use.reason)
            for key, use in sorted(self.sources.items())
        )


def merge_coverage(first: Iterable[BatchCoverage], second: Iterable[BatchCoverage]) -> tuple[BatchCoverage, ...]:
    """The coverage of both together."""
    merged = {one.source: one for one in first}
    for one in second:
        known = merged.get(one.source)
        if known is not None:
            dates = [day for day in (known.as_of, one.as_of) if day is not None]
            one = BatchCoverage(  # noqa: PLW2901 - the sum takes the place of both
                source=one.source,
                checked=known.checked + one.checked,
                not_checked=known.not_checked + one.not_checked,
                as_of=min(dates) if dates else None,
                reason=one.reason if one.reason is not None else known.reason,
            )
        merged[one.source] = one
    return tuple(merged[key] for key in sorted(merged))


def format_data_date(origin: DataOrigin) -> str:
    """The date of the data: as the source states it, otherwise when it was retrieved."""
    return (origin.as_of if origin.as_of is not None else origin.retrieved_at.date()).isoformat()


class RowRefused(ValueError):
    """The values of a row are invalid."""

    def __init__(self, problem: Message) -> None:
        super().__init__(problem)
        self.problem = problem

    @classmethod
    def of_validation(cls, error: ValidationError, names: dict[str, str]) -> "RowRefused":
        """The first problem of a validation; `names` are the fields of a row by their names in the validated document."""
        problem = error.errors()[0]
        path = [str(part) for part in problem["loc"] if not isinstance(part, int)]
        column = names.get(path[0], path[-1]) if path else NAME
        return cls(Message("{column}: {problem}", column=column, problem=describe_validation_error(problem)))


class RowChecker(ABC):
    """Does the rows of a batch, one after the other. One thread at a time uses it."""

    def __init__(self, task: BatchTask) -> None:
        self.task = task
        self.coverage = CoverageCounter()

    @abstractmethod
    def check_values(self, row: BatchInputRow, result: BatchResultRow) -> None:
        """Do a row, and store what came of it in `result`. Raises `RowRefused` for invalid values."""

    def check(self, row: BatchInputRow) -> BatchResultRow:
        """Do a row. A row that can't be done has an error; it is never raised."""
        name = row.values.get(NAME, "")
        result = BatchResultRow(row.row, row.line, row.values.get(REFERENCE), name, BatchRowStatus.ERROR)
        problem = row.problem
        if problem is None:
            try:
                self.check_values(row, result)
            except RowRefused as error:
                problem = error.problem
            except Exception:  # noqa: BLE001 - one row must not end the others; the log has the traceback
                _log.exception("row.failed", line=row.line)
                problem = INTERNAL_ERROR
        if problem is not None:
            return BatchResultRow(row.row, row.line, result.reference, name, BatchRowStatus.ERROR, error=self.write(problem))
        return result

    def write(self, message: str) -> str:
        """A message in the language of the batch."""
        return translate(message, self.task.language)

    def write_all(self, messages: Iterable[str]) -> list[str]:
        """Messages in the language of the batch."""
        return [self.write(message) for message in messages]


def check_rows(checker: RowChecker, rows: Sequence[BatchInputRow]) -> list[BatchResultRow]:
    """Do all rows of a partition."""
    return [checker.check(row) for row in rows]


def check_slice(checker: RowChecker, rows: Sequence[BatchInputRow], results: list[BatchResultRow], seconds: float) -> None:
    """Do at least one of the rows that have no result yet, and more until the time is over."""
    end = perf_counter() + seconds
    for row in rows[len(results) :]:
        results.append(checker.check(row))
        if perf_counter() >= end:
            return


def count_errors(results: Iterable[BatchResultRow]) -> int:
    """The number of rows with errors."""
    return Counter(result.status for result in results)[BatchRowStatus.ERROR]


def read_address(values: dict[str, str]) -> dict[str, Any] | None:
    """The address of a row; None without any part."""
    parts = {name: values[field_name] for field_name, name in ADDRESS_FIELDS.items() if field_name in values}
    return parts or None
