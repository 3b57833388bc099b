"""Export a filtered list as CSV or XLSX, streamed in batches.

An export is recorded in the audit log before its first byte. It has at most `MAX_EXPORT_ROWS` rows; the newest come first.
"""

from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import dataclass
from datetime import datetime, tzinfo
from enum import StrEnum
from uuid import UUID, uuid4

from pydantic import JsonValue

from bonafide.i18n.message import Message
from bonafide.model.lists.saved_views import ListName
from bonafide.model.records.business_record import Author, FieldChange
from bonafide.runtime import Runtime
from bonafide.services.lists.spreadsheet import XLSX, Cell, SpreadsheetWriter
from bonafide.services.records.csv_format import escape_formula, format_csv
from bonafide.store.tenants import audit_log

MAX_EXPORT_ROWS = 50_000
BATCH_ROWS = 500
_FIELD = "export"
"""The field of the audit log."""


class ExportForm(StrEnum):
    """The form of a file."""

    CSV = "csv"
    XLSX = "xlsx"

    @property
    def media_type(self) -> str:
        """The media type."""
        return XLSX if self is ExportForm.XLSX else "text/csv"


Row = Sequence[Cell]
Batches = Callable[[int], AsyncIterator[Sequence[Row]]]
"""Reads the rows of a list in batches of at most this size."""


@dataclass(frozen=True, slots=True)
class ListExport:
    """The columns of a list, and its rows."""

    columns: Sequence[Message]
    batches: Batches


@dataclass(frozen=True, slots=True)
class ExportStyle:
    """How a file is written: column names in the language of the person, days in the time zone, and the delimiter of CSV."""

    form: ExportForm
    title: str
    columns: Sequence[str]
    zone: tzinfo
    delimiter: str


async def record_export(
    runtime: Runtime, organization_id: UUID, name: ListName, query: str, form: ExportForm, author: Author
) -> None:
    """Record in the audit log who exports what."""
    async with runtime.store.write() as connection:
        ledger = await audit_log.lock_head(connection, organization_id)
        told: JsonValue = {"list": name.value, "filter": query, "format": form.value}
        change = FieldChange(_FIELD, None, told)
        entry = audit_log.AuditChange(uuid4(), ledger.next_instant(runtime.clock()), author, [change])
        await audit_log.record_change(connection, organization_id, ledger, entry)


async def write_export(export: ListExport, style: ExportStyle) -> AsyncIterator[bytes]:
    """The file, a piece for each batch."""
    batches = _limit_rows(export.batches(BATCH_ROWS))
    if style.form is ExportForm.XLSX:
        writer = SpreadsheetWriter(style.title, style.zone)
        yield writer.begin(style.columns)
        async for batch in batches:
            yield writer.write(batch)
        yield writer.finish()
        return
    yield format_csv([style.columns], style.delimiter, is_marked=True)
    async for batch in batches:
        yield format_csv(([_write_text(cell, style.zone) for cell in row] for row in batch), style.delimiter)


async def _limit_rows(batches: AsyncIterator[Sequence[Row]]) -> AsyncIterator[Sequence[Row]]:
    left = MAX_EXPORT_ROWS
    async for batch in batches:
        yield batch[:left]
        left -= len(batch)
        if left <= 0:
            return


def _write_text(cell: Cell, zone: tzinfo) -> str:
    if cell is None:
        return ""
    if isinstance(cell, bool):
        return "true" if cell else "false"
    if isinstance(cell, datetime):
        return cell.astimezone(zone).isoformat(sep=" ", timespec="minutes")
    return escape_formula(cell) if isinstance(cell, str) else str(cell)
