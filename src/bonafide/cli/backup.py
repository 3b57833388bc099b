"""`bonafide backup` and `bonafide restore`: everything that cannot be recreated, to a folder and back."""

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer
from rich.markup import escape

from bonafide.cli.command_runtime import load_settings
from bonafide.cli.loading import show_progress
from bonafide.cli.options import AsJson, DataDir, print_json
from bonafide.cli.output import err, out
from bonafide.cli.translation import localize
from bonafide.i18n.message import Message
from bonafide.model.backup import BackupManifest
from bonafide.observability import log
from bonafide.services.backup.creation import create_backup
from bonafide.services.backup.integrity_check import check_backup
from bonafide.services.backup.restoration import restore_backup as restored
from bonafide.store.database.clock import system_clock

MB = 1_000_000
_WRITTEN = Message("Backup of {time} UTC written: {rows:,} rows in {tables} tables, {files:,} files, {size:,.1f} MB.")
_CHECKED = Message("Backup of {time} UTC checked: {rows:,} rows in {tables} tables, {files:,} files, {size:,.1f} MB.")
_RESTORED = Message("Backup of {time} UTC restored: {rows:,} rows in {tables} tables, {files:,} files, {size:,.1f} MB.")


def backup(
    folder: Annotated[Path, typer.Argument(help=Message("A new folder for the backup, or with --check an existing backup."))],
    without_files: Annotated[bool, typer.Option("--without-files", help=Message("Exclude stored files, such as PDFs."))] = False,
    check: Annotated[bool, typer.Option("--check", help=Message("Check an existing backup and write nothing."))] = False,
    data_dir: DataDir = None,
    as_json: AsJson = False,
) -> None:
    """Back up the database, the stored files and the signing key while the service runs.

    The backup can be restored into SQLite or PostgreSQL. The exit status is 1 if the backup could not be written, or with --check
    if it is incomplete or damaged.
    """
    log.configure("ERROR")
    with show_progress("check" if check else "backup") as report:
        if check:
            manifest, problems = check_backup(folder, report)
        else:
            made = create_backup(load_settings(data_dir), folder, system_clock, report, with_files=not without_files)
            manifest, problems = made.manifest, list(made.problems)
    _print_backup(_CHECKED if check else _WRITTEN, folder, manifest, problems, (), as_json)
    if check and problems:
        raise typer.Exit(1)


def restore(
    folder: Annotated[Path, typer.Argument(help=Message("The folder of the backup."))],
    data_dir: DataDir = None,
    as_json: AsJson = False,
) -> None:
    """Restore a backup into an empty database. No service may be running on it.

    The database may be SQLite or PostgreSQL, and is upgraded to this release.
    """
    log.configure("ERROR")
    with show_progress("restore") as report:
        done = restored(load_settings(data_dir), folder, system_clock, report)
    _print_backup(_RESTORED, folder, done.manifest, done.problems, done.notes, as_json)


def _print_backup(
    summary: Message, folder: Path, manifest: BackupManifest, problems: Sequence[str], notes: Sequence[str], as_json: bool
) -> None:
    if as_json:
        print_json({**_to_json(manifest), "folder": str(folder), "problems": list(problems), "notes": list(notes)})
    else:
        message = summary.fill(
            rows=manifest.rows,
            tables=len(manifest.tables),
            files=manifest.files.files if manifest.files is not None else 0,
            size=manifest.size / MB,
            time=f"{manifest.taken_at:%Y-%m-%d %H:%M:%S}",
        )
        out.print(escape(localize(message)), highlight=False)
    for problem in problems:
        err.print(f"[yellow]{escape(localize(problem))}[/]", highlight=False, soft_wrap=True)
    for note in notes:
        err.print(escape(localize(note)), highlight=False, soft_wrap=True)


def _to_json(manifest: BackupManifest) -> dict[str, object]:
    return {
        "takenAt": manifest.model_dump(mode="json", by_alias=True)["takenAt"],
        "release": manifest.release,
        "revision": manifest.revision,
        "database": manifest.database,
        "rows": {table.name: table.rows for table in manifest.tables},
        "leftOut": list(manifest.left_out),
        "files": manifest.files.files if manifest.files is not None else None,
        "bytes": manifest.size,
    }
