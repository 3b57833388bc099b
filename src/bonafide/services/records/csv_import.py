"""Import a CSV file of business records: preview what each row would do, then apply it.

Both read the file the same way. The preview is for the records as they are at that moment.
"""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from itertools import islice
from uuid import UUID

from bonafide.errors import ApiError, FieldProblem, ValidationFailed
from bonafide.i18n.message import Message
from bonafide.model.records.business_record import Author, FieldChange
from bonafide.runtime import Runtime
from bonafide.services.records.business_records import (
    PlannedEdit,
    RecordEdit,
    UpsertResult,
    apply_edits,
    build_natural_key,
    preview_edits,
)
from bonafide.services.records.csv_reader import InvalidRecordRow, RecordRow

BATCH_SIZE = 100
"""Rows in one transaction; other writers of the organization wait for it."""
Rows = Iterator[RecordRow | InvalidRecordRow]


class ImportAction(StrEnum):
    """The outcome of a row."""

    NEW = "new"
    CHANGED = "changed"
    UNCHANGED = "unchanged"
    REFUSED = "refused"


@dataclass(frozen=True, slots=True)
class ImportRowOutcome:
    """The outcome of one row: the changes of a previewed row, the problems and cells of a refused one."""

    line: int
    label: str
    action: ImportAction
    business_id: UUID | None = None
    changes: Sequence[FieldChange] = ()
    problems: tuple[FieldProblem, ...] = ()
    cells: Sequence[str] = ()
    is_nameless: bool = False
    """Whether a new or changed record of a preview has no name, so that it can't be searched for or screened."""


@dataclass(slots=True)
class ImportReport:
    """The outcomes of all rows: counts by action, all refused rows, and the first `shown` rows of each other action.

    `nameless` is the number of rows of a preview whose record would have no name, `nameless_lines` are the first of them.
    """

    shown: int
    nameless: int = 0
    nameless_lines: list[int] = field(default_factory=list)
    counts: Counter[ImportAction] = field(default_factory=Counter)
    rows: dict[ImportAction, list[ImportRowOutcome]] = field(default_factory=lambda: {action: [] for action in ImportAction})

    def take(self, outcome: ImportRowOutcome) -> None:
        """Add one outcome."""
        self.counts[outcome.action] += 1
        self.nameless += outcome.is_nameless
        if outcome.is_nameless and len(self.nameless_lines) < self.shown:
            self.nameless_lines.append(outcome.line)
        kept = self.rows[outcome.action]
        if outcome.action is ImportAction.REFUSED or len(kept) < self.shown:
            kept.append(outcome)

    def in_order(self) -> "ImportReport":
        """Sort the refused rows by line, because some are refused before earlier ones, and return the report."""
        self.rows[ImportAction.REFUSED].sort(key=lambda outcome: outcome.line)
        return self


async def preview_import(runtime: Runtime, organization_id: UUID, rows: Rows, shown: int, most: int | None = None) -> ImportReport:
    """Preview the rows. Raises `ValidationFailed` for a file with more than `most` rows."""
    imported, seen = ImportReport(shown), dict[object, int]()
    async for part in _read_batches(rows):
        if most is not None and imported.counts.total() + len(part) > most:
            raise ValidationFailed(Message("The file has more than {most:,} rows. Split it, or use the command line.", most=most))
        good = _drop_duplicates(part, seen, imported)
        foreseen = await preview_edits(runtime, organization_id, [row.edit for row in good])
        for row, outcome in zip(good, foreseen, strict=True):
            imported.take(_to_preview_outcome(row, outcome))
    return imported.in_order()


async def apply_import(
    runtime: Runtime,
    organization_id: UUID,
    rows: Rows,
    author: Author,
    *,
    shown: int = 0,
    on_progress: Callable[[int], None] | None = None,
) -> ImportReport:
    """Apply the rows. A refused row changes nothing. `on_progress` receives the number of rows done after each batch."""
    imported, seen = ImportReport(shown), dict[object, int]()
    async for part in _read_batches(rows):
        good = _drop_duplicates(part, seen, imported)
        for row, outcome in zip(good, await apply_edits(runtime, organization_id, [row.edit for row in good], author), strict=True):
            imported.take(_to_applied_outcome(row, outcome))
        if on_progress is not None:
            on_progress(imported.counts.total())
    return imported.in_order()


async def _read_batches(rows: Rows) -> AsyncIterator[list[RecordRow | InvalidRecordRow]]:
    """Read batches of rows in a thread."""
    while part := await asyncio.to_thread(lambda: list(islice(rows, BATCH_SIZE))):
        yield part


def _list_identifiers(edit: RecordEdit) -> Iterator[object]:
    """The identifiers of a row's record: its id, else its externalId, else its registration."""
    request = edit.request
    if edit.business_id is not None:
        yield edit.business_id
    elif request.external_id is not None:
        yield request.external_id
    elif (key := build_natural_key(request.jurisdiction, request.registration_number)) is not None:
        yield from ((key.jurisdiction, number) for number in key.numbers)


def _drop_duplicates(
    part: Sequence[RecordRow | InvalidRecordRow], seen: dict[object, int], imported: ImportReport
) -> list[RecordRow]:
    """The rows that can be applied; the others are refused. `seen` maps each identifier to the line of its first row.

    A second row of the same record is refused: it would silently overwrite the first.
    """
    good = []
    for row in part:
        if isinstance(row, InvalidRecordRow):
            imported.take(ImportRowOutcome(row.line, row.label, ImportAction.REFUSED, problems=row.problems, cells=row.cells))
            continue
        names = list(_list_identifiers(row.edit))
        earlier = next((seen[name] for name in names if name in seen), None)
        if earlier is not None:
            imported.take(_to_invalid_outcome(row, FieldProblem("", Message("is the same record as line {line}", line=earlier))))
        else:
            seen |= dict.fromkeys(names, row.line)
            good.append(row)
    return good


def _to_preview_outcome(row: RecordRow, outcome: PlannedEdit | ApiError) -> ImportRowOutcome:
    if isinstance(outcome, ApiError):
        return _to_refused_outcome(row, outcome)
    action = ImportAction.NEW if outcome.old is None else ImportAction.CHANGED if outcome.changes else ImportAction.UNCHANGED
    business_id = outcome.old.id if outcome.old is not None else None
    is_nameless = outcome.new.name is None and action is not ImportAction.UNCHANGED
    return ImportRowOutcome(row.line, row.label, action, business_id, outcome.changes, is_nameless=is_nameless)


def _to_applied_outcome(row: RecordRow, outcome: UpsertResult | ApiError) -> ImportRowOutcome:
    if isinstance(outcome, ApiError):
        return _to_refused_outcome(row, outcome)
    action = ImportAction.NEW if outcome.created else ImportAction.CHANGED if outcome.changed else ImportAction.UNCHANGED
    return ImportRowOutcome(row.line, row.label, action, outcome.record.id)


def _to_refused_outcome(row: RecordRow, error: ApiError) -> ImportRowOutcome:
    if isinstance(error, ValidationFailed) and error.details:
        return _to_invalid_outcome(row, *error.details)
    return _to_invalid_outcome(row, FieldProblem("", error.message))


def _to_invalid_outcome(row: RecordRow, *problems: FieldProblem) -> ImportRowOutcome:
    return ImportRowOutcome(row.line, row.label, ImportAction.REFUSED, problems=problems, cells=row.cells)
