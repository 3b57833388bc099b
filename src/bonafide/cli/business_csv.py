"""Business records from and to CSV, for `bonafide businesses`: the same columns and the same rules as in the console."""

import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from bonafide.cli.command_runtime import build_operator_author, open_command_runtime
from bonafide.cli.loading import show_progress
from bonafide.errors import FieldProblem
from bonafide.model.accounts.organizations import World
from bonafide.services.accounts.organizations import find_organization
from bonafide.services.records.csv_export import CsvLayout, export_records
from bonafide.services.records.csv_import import ImportAction, ImportReport, apply_import, preview_import
from bonafide.services.records.csv_reader import read_records
from bonafide.services.records.pending_imports import format_refusals_file
from bonafide.store.records.business_lists import RecordFilter

STANDARD_STREAM = Path("-")
_NAMES = {
    ImportAction.NEW: "created",
    ImportAction.CHANGED: "changed",
    ImportAction.UNCHANGED: "unchanged",
    ImportAction.REFUSED: "refused",
}


@dataclass(frozen=True, slots=True)
class RecordsLocation:
    """Whose records, and where they are kept."""

    organization: str
    world: World
    data_dir: Path | None


@dataclass(frozen=True, slots=True)
class CsvImportOptions:
    """A file to bring in. `refused` is where the refused rows are written, if anywhere; a dry run changes nothing."""

    source: Path
    clear_empty: bool
    dry_run: bool
    refused: Path | None


async def import_csv(target: RecordsLocation, order: CsvImportOptions) -> ImportReport:
    """Bring the file in, or foresee what would become of it. Raises `ValidationFailed` for one without a usable header."""
    async with open_command_runtime(target.data_dir) as runtime:
        organization = await find_organization(runtime, target.organization, target.world)
        with open_source(order.source) as stream, show_progress("import") as told:
            file = read_records(stream, clear_empty=order.clear_empty)
            if order.dry_run:
                imported = await preview_import(runtime, organization.id, file.rows, shown=0)
            else:
                author = build_operator_author()
                imported = await apply_import(
                    runtime, organization.id, file.rows, author, on_progress=lambda done: told("records", done, None)
                )
    refused = imported.rows[ImportAction.REFUSED]
    if order.refused is not None and refused:
        order.refused.write_bytes(format_refusals_file(file.columns, refused, ","))
    return imported


def count_outcomes(imported: ImportReport) -> dict[str, int]:
    """How many rows had each action, as the command calls it."""
    return {name: imported.counts[action] for action, name in _NAMES.items()}


def list_refusals(imported: ImportReport) -> list[dict[str, object]]:
    """The refused rows with their lines and reasons."""
    return [{"line": row.line, "reason": _format_problems(row.problems)} for row in imported.rows[ImportAction.REFUSED]]


async def export_csv(target: RecordsLocation, destination: Path, chosen: RecordFilter, layout: CsvLayout) -> None:
    """Write the records to a file or to standard output."""
    async with open_command_runtime(target.data_dir) as runtime:
        organization = await find_organization(runtime, target.organization, target.world)
        with _open_destination(destination) as stream:
            async for piece in export_records(runtime, organization.id, chosen, layout):
                stream.write(piece)


@contextmanager
def open_source(source: Path) -> Iterator[BinaryIO]:
    """The file, or standard input."""
    if source == STANDARD_STREAM:
        yield sys.stdin.buffer
        return
    with source.open("rb") as stream:
        yield stream


@contextmanager
def _open_destination(destination: Path) -> Iterator[BinaryIO]:
    if destination == STANDARD_STREAM:
        yield sys.stdout.buffer
        sys.stdout.buffer.flush()
        return
    with destination.open("wb") as stream:
        yield stream


def _format_problems(problems: Sequence[FieldProblem]) -> str:
    return "; ".join(f"{problem.path}: {problem.message}" if problem.path else problem.message for problem in problems)
