"""`bonafide backup` and `bonafide restore`: everything that can't be made again, into a folder and back."""

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer
from rich.markup import escape

from bonafide.cli.command_runtime import load_settings
from bonafide.cli.loading import show_progress
from bonafide.cli.options import AsJson, DataDir, print_json
from bonafide.cli.output import err, out
from bonafide.model.backup import BackupManifest
from bonafide.observability import log
from bonafide.services.backup.creation import create_backup
from bonafide.services.backup.integrity_check import check_backup
from bonafide.services.backup.restoration import restore_backup as restored
from bonafide.store.database.clock import system_clock

MB = 1_000_000


def backup(
    folder: Annotated[Path, typer.Argument(help="A new folder for the backup, or with --check that of one.")],
    without_files: Annotated[bool, typer.Option("--without-files", help="Leave out the stored files, such as PDFs.")] = False,
    check: Annotated[bool, typer.Option("--check", help="Write nothing; read a backup, and say whether it is whole.")] = False,
    data_dir: DataDir = None,
    as_json: AsJson = False,
) -> None:
    """Back up the database, the stored files and the signing key, while the service runs.

    The folder can be restored into SQLite and PostgreSQL. Exit status 1 when it could not be written, or with --check when it or
    the data in it are not whole.
    """
    log.configure("ERROR")
    with show_progress("check" if check else "backup") as told:
        if check:
            manifest, problems = check_backup(folder, told)
        else:
            made = create_backup(load_settings(data_dir), folder, system_clock, told, with_files=not without_files)
            manifest, problems = made.manifest, list(made.problems)
    _print_backup("is whole" if check else "was written", folder, manifest, problems, (), as_json)
    if check and problems:
        raise typer.Exit(1)


def restore(
    folder: Annotated[Path, typer.Argument(help="The folder of a backup.")],
    data_dir: DataDir = None,
    as_json: AsJson = False,
) -> None:
    """Restore a backup into an empty database, SQLite's or PostgreSQL's, and bring it up to date. No service may run on it."""
    log.configure("ERROR")
    with show_progress("restore") as told:
        done = restored(load_settings(data_dir), folder, system_clock, told)
    _print_backup("was restored", folder, done.manifest, done.problems, done.notes, as_json)


def _print_backup(
    what: str, folder: Path, manifest: BackupManifest, problems: Sequence[str], notes: Sequence[str], as_json: bool
) -> None:
    if as_json:
        print_json({**_to_json(manifest), "folder": str(folder), "problems": list(problems), "notes": list(notes)})
    else:
        files = f"{manifest.files.files:,} files" if manifest.files is not None else "no files"
        held = f"{manifest.rows:,} rows of {len(manifest.tables)} tables, {files}, {manifest.size / MB:,.1f} MB"
        out.print(escape(f"The backup {what}: {held}, as of {manifest.taken_at:%Y-%m-%d %H:%M:%S} UTC."), highlight=False)
    for problem in problems:
        err.print(f"[yellow]{escape(problem)}[/]", highlight=False, soft_wrap=True)
    for note in notes:
        err.print(escape(note), highlight=False, soft_wrap=True)


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
