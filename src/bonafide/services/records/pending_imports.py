"""Uploaded import files and the results of imports, stored for a limited time.

The key of an import contains its expiry, an hour from its beginning. A job deletes the remaining files.
"""

import re
import secrets
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from uuid import UUID

from pydantic import Field

from bonafide.errors import FieldProblem, NotFound
from bonafide.i18n.message import Message
from bonafide.model.base import Document, StoredDocument
from bonafide.runtime import Runtime
from bonafide.services.jobs.queue import JobContext
from bonafide.services.records.csv_format import REFUSAL, escape_formula, format_csv, format_problems, unescape_formula
from bonafide.services.records.csv_import import ImportAction, ImportReport, ImportRowOutcome
from bonafide.store.work import jobs
from bonafide.store.work.jobs import NewJob


class ImportedRow(Document):
    """The outcome of one row; a refused one has no record."""

    line: int
    label: str
    action: ImportAction = Field(alias="fate")
    business_id: UUID | None
    problems: tuple[FieldProblem, ...]


class ImportResult(Document):
    """How many rows had each outcome, and the first of each."""

    counts: dict[ImportAction, int]
    rows: tuple[ImportedRow, ...]

    def rows_of_action(self, action: ImportAction) -> list[ImportedRow]:
        """The shown rows of one action."""
        return [row for row in self.rows if row.action == action]


def build_import_result(imported: ImportReport) -> ImportResult:
    """The result to store."""
    shown = (row for rows in imported.rows.values() for row in rows[: imported.shown])
    return ImportResult(
        counts={action: imported.counts[action] for action in ImportAction},
        rows=tuple(ImportedRow(**{name: getattr(row, name) for name in ImportedRow.model_fields}) for row in shown),
    )


def format_refusals_file(columns: Sequence[str], refused: Sequence[ImportRowOutcome], delimiter: str) -> bytes:
    """The refused rows as they were sent, each after its reasons, as CSV."""
    known = columns.index(REFUSAL) if REFUSAL in columns else None
    rows = [[REFUSAL, *_remove_cell(columns, known)]]
    for row in refused:
        # An earlier reason is replaced. A row that could not be parsed may have fewer cells than columns.
        cells = _remove_cell(row.cells, known) if len(row.cells) == len(columns) else row.cells
        rows.append([escape_formula(cell) for cell in (format_problems(row.problems), *map(unescape_formula, cells))])
    return format_csv(rows, delimiter, is_marked=True)


def _remove_cell(cells: Sequence[str], place: int | None) -> list[str]:
    return [cell for number, cell in enumerate(cells) if number != place]


FORGET_JOB = "forget-import"
RETENTION = timedelta(hours=1)
MAX_ATTEMPTS = 5
EXPIRED_MESSAGE = Message("This file is no longer available. Upload it again.")
_RANDOM_BYTES = 16
_KEY = re.compile(r"([0-9]{1,12})-[0-9a-f]{32}", re.ASCII)
_SENT, _RESULT, _REFUSED = "{}.csv", "{}.json", "{}-refused.csv"


async def store_import(runtime: Runtime, organization_id: UUID, content: bytes) -> str:
    """Store a file for the organization and return its key."""
    ends_at = runtime.clock() + RETENTION
    key = f"{int(ends_at.timestamp())}-{secrets.token_hex(_RANDOM_BYTES)}"
    async with runtime.store.write() as connection:
        job = NewJob(FORGET_JOB, key, JobContext.current().to_json(), ends_at, MAX_ATTEMPTS)
        await jobs.enqueue(connection, organization_id, job)
    await runtime.files.put(organization_id, _build_file_name(_SENT, key), content, "text/csv")
    return key


async def read_import(runtime: Runtime, organization_id: UUID, key: str) -> bytes:
    """The file. Raises `NotFound` for an unknown or expired key."""
    return await _read_kept_file(runtime, organization_id, _SENT, key)


async def store_import_result(
    runtime: Runtime, organization_id: UUID, key: str, result: ImportResult, refusals: bytes | None
) -> None:
    """Replace the stored file by the result of the import, with the refused rows if there are any.

    Of two concurrent imports the first result is kept: in the other most rows were unchanged.
    """
    if refusals is not None:
        await runtime.files.put_new(organization_id, _build_file_name(_REFUSED, key), refusals, "text/csv")
    await runtime.files.put_new(
        organization_id, _build_file_name(_RESULT, key), result.to_stored().to_text().encode(), "application/json"
    )
    await runtime.files.delete(organization_id, _build_file_name(_SENT, key))


async def read_import_result(runtime: Runtime, organization_id: UUID, key: str) -> ImportResult | None:
    """The result of the import; None for one that was not confirmed yet."""
    try:
        content = await _read_kept_file(runtime, organization_id, _RESULT, key)
    except NotFound:
        return None
    return StoredDocument.from_text(content.decode()).parse(ImportResult)


async def read_refusals(runtime: Runtime, organization_id: UUID, key: str) -> bytes:
    """The file of refused rows. Raises `NotFound`."""
    return await _read_kept_file(runtime, organization_id, _REFUSED, key)


async def delete_import(runtime: Runtime, organization_id: UUID, key: str) -> None:
    """Delete the stored files of an import, if any."""
    if _KEY.fullmatch(key) is not None:
        for form in (_SENT, _RESULT, _REFUSED):
            await runtime.files.delete(organization_id, _build_file_name(form, key))


async def _read_kept_file(runtime: Runtime, organization_id: UUID, form: str, key: str) -> bytes:
    found = _KEY.fullmatch(key)
    if found is None or datetime.fromtimestamp(int(found[1]), UTC) <= runtime.clock():
        raise NotFound(EXPIRED_MESSAGE)
    try:
        return await runtime.files.get(organization_id, _build_file_name(form, key))
    except NotFound:
        raise NotFound(EXPIRED_MESSAGE) from None


def _build_file_name(form: str, key: str) -> str:
    return f"imports/{form.format(key)}"
