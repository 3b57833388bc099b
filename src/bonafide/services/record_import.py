"""A file of business records brought in: first what each row would do, then, when somebody has said so, done.

Both read the file the same way. What is foreseen holds for the records as they are at that moment; what was done is counted anew.
"""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from itertools import islice
from uuid import UUID

from bonafide.errors import ApiError, FieldProblem, ValidationFailed
from bonafide.model.records.business_record import Author, FieldChange
from bonafide.runtime import Runtime
from bonafide.services.businesses import Edit, Foreseen, Upserted, apply_all, foresee_all, natural_key
from bonafide.services.record_file import BadRow, RecordRow

AT_ONCE = 100
"""Rows in one transaction: the organization's other writers wait for all of them."""
Rows = Iterator[RecordRow | BadRow]
Told = Callable[[int], None]


class Fate(StrEnum):
    """What becomes of a row."""

    NEW = "new"
    CHANGED = "changed"
    UNCHANGED = "unchanged"
    REFUSED = "refused"


@dataclass(frozen=True, slots=True)
class RowOutcome:
    """What becomes of one row: the changes of a foreseen one, the problems and the cells of a refused one."""

    line: int
    label: str
    fate: Fate
    business_id: UUID | None = None
    changes: Sequence[FieldChange] = ()
    problems: tuple[FieldProblem, ...] = ()
    cells: Sequence[str] = ()


@dataclass(slots=True)
class Imported:
    """What became of the rows: how many of each fate, the refused ones, and the first `shown` of each other fate."""

    shown: int
    counts: Counter[Fate] = field(default_factory=Counter)
    rows: dict[Fate, list[RowOutcome]] = field(default_factory=lambda: {fate: [] for fate in Fate})

    def take(self, outcome: RowOutcome) -> None:
        """Count one more."""
        self.counts[outcome.fate] += 1
        kept = self.rows[outcome.fate]
        if outcome.fate is Fate.REFUSED or len(kept) < self.shown:
            kept.append(outcome)

    def in_order(self) -> "Imported":
        """The same with its refused rows in the order of the file, for some are known to be wrong before those above them."""
        self.rows[Fate.REFUSED].sort(key=lambda outcome: outcome.line)
        return self


async def preview_import(runtime: Runtime, organization_id: UUID, rows: Rows, shown: int, most: int | None = None) -> Imported:
    """What the rows would do. Raises `ValidationFailed` for a file of more than `most` rows."""
    imported, claims = Imported(shown), _Claims()
    async for part in _parts(rows):
        if most is not None and imported.counts.total() + len(part) > most:
            raise ValidationFailed(f"The file has more than {most:,} rows. Split it, or use the command line.")
        good = _unclaimed(part, claims, imported)
        foreseen = await foresee_all(runtime, organization_id, [row.edit for row in good])
        for row, outcome in zip(good, foreseen, strict=True):
            imported.take(_foreseen(row, outcome))
    return imported.in_order()


async def apply_import(
    runtime: Runtime, organization_id: UUID, rows: Rows, author: Author, *, shown: int = 0, told: Told | None = None
) -> Imported:
    """Do it: a row that is refused changes nothing, and the others stand. `told` hears after each part how many are done."""
    imported, claims = Imported(shown), _Claims()
    async for part in _parts(rows):
        good = _unclaimed(part, claims, imported)
        for row, outcome in zip(good, await apply_all(runtime, organization_id, [row.edit for row in good], author), strict=True):
            imported.take(_done(row, outcome))
        if told is not None:
            told(imported.counts.total())
    return imported.in_order()


async def _parts(rows: Rows) -> AsyncIterator[list[RecordRow | BadRow]]:
    """Some at a time, read beside whoever else is served."""
    while part := await asyncio.to_thread(lambda: list(islice(rows, AT_ONCE))):
        yield part


class _Claims:
    """Which records the rows so far speak of: a second row of one record is a mistake that would go unnoticed."""

    def __init__(self) -> None:
        self._lines: dict[object, int] = {}

    def claim(self, row: RecordRow) -> int | None:
        """The line of an earlier row with the same id, externalId or registration, of which the first given counts."""
        names = list(_names(row.edit))
        earlier = next((self._lines[name] for name in names if name in self._lines), None)
        if earlier is None:
            self._lines |= dict.fromkeys(names, row.line)
        return earlier


def _names(edit: Edit) -> Iterator[object]:
    request = edit.request
    if edit.business_id is not None:
        yield edit.business_id
    elif request.external_id is not None:
        yield request.external_id
    elif (key := natural_key(request.jurisdiction, request.registration_number)) is not None:
        yield from ((key.jurisdiction, number) for number in key.numbers)


def _unclaimed(part: Sequence[RecordRow | BadRow], claims: _Claims, imported: Imported) -> list[RecordRow]:
    """The rows that can be asked about; the others are refused."""
    good = []
    for row in part:
        if isinstance(row, BadRow):
            imported.take(RowOutcome(row.line, row.label, Fate.REFUSED, problems=row.problems, cells=row.cells))
        elif (earlier := claims.claim(row)) is not None:
            imported.take(_refused(row, FieldProblem("", f"is the record of line {earlier}")))
        else:
            good.append(row)
    return good


def _foreseen(row: RecordRow, outcome: Foreseen | ApiError) -> RowOutcome:
    if isinstance(outcome, ApiError):
        return _refusal(row, outcome)
    fate = Fate.NEW if outcome.old is None else Fate.CHANGED if outcome.changes else Fate.UNCHANGED
    return RowOutcome(row.line, row.label, fate, outcome.old.id if outcome.old is not None else None, outcome.changes)


def _done(row: RecordRow, outcome: Upserted | ApiError) -> RowOutcome:
    if isinstance(outcome, ApiError):
        return _refusal(row, outcome)
    fate = Fate.NEW if outcome.created else Fate.CHANGED if outcome.changed else Fate.UNCHANGED
    return RowOutcome(row.line, row.label, fate, outcome.record.id)


def _refusal(row: RecordRow, error: ApiError) -> RowOutcome:
    if isinstance(error, ValidationFailed) and error.details:
        return _refused(row, *error.details)
    return _refused(row, FieldProblem("", error.message))


def _refused(row: RecordRow, *problems: FieldProblem) -> RowOutcome:
    return RowOutcome(row.line, row.label, Fate.REFUSED, problems=problems, cells=row.cells)
