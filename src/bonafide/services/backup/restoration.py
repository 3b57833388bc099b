"""Restore a backup into an empty database.

The backup is checked before anything is written. The database is written last and in one transaction, so that a failed restore can
be repeated. Nothing is overwritten.
"""

import asyncio
import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from bonafide.errors import BackupDamaged, ConfigurationError
from bonafide.i18n.message import Message
from bonafide.model.backup import BackupManifest
from bonafide.runtime import Clock, build_files, get_signing_key_path
from bonafide.services.backup.creation import compute_key_fingerprint, restore_files
from bonafide.services.backup.integrity_check import check_backup, find_audit_problems
from bonafide.services.loading.refresh import Progress
from bonafide.settings import Settings
from bonafide.store.backup.folder import SIGNING_KEY, build_table_path, read_lines
from bonafide.store.backup.restore_rows import DatabaseRestore, check_empty, open_restore
from bonafide.store.database.engine import parse_database_url


@dataclass(frozen=True, slots=True)
class RestoreResult:
    """What was restored, the problems that the data already had in the backup, and the remaining steps."""

    manifest: BackupManifest
    problems: Sequence[Message]
    notes: Sequence[Message]


def restore_backup(settings: Settings, root: Path, clock: Clock, on_progress: Progress) -> RestoreResult:
    """Restore everything in a backup. Blocks.

    Raises `BackupDamaged`, `ConfigurationError` for a database, key or file storage that is not empty, and `ServerBusy`.
    """
    manifest, problems = check_backup(root, on_progress)
    url = parse_database_url(settings.dsn)
    settings.data_dir.mkdir(parents=True, exist_ok=True)
    if url.get_backend_name() == "sqlite":
        Path(str(url.database)).parent.mkdir(parents=True, exist_ok=True)
    check_empty(url)
    notes = _restore_key(settings, root, manifest)
    if manifest.files is not None:
        asyncio.run(restore_files(build_files(settings), root, on_progress))
    with open_restore(url) as database:
        database.begin_at(manifest.revision)
        for table in manifest.tables:
            rows = read_lines(root, build_table_path(table.name))
            database.load(table, rows, lambda done, of=table: on_progress(of.name, done, of.rows))  # type: ignore[misc]
        database.finish(clock())
        _check_rows(database, manifest, problems)
    if manifest.files is None:
        notes.append(Message("The backup contains no stored files. They must be in the storage of `BONAFIDE_FILES_URL`."))
    return RestoreResult(manifest, problems, notes)


def _check_rows(database: DatabaseRestore, manifest: BackupManifest, problems: Sequence[Message]) -> None:
    for table in manifest.tables:
        if (count := database.count(table.name)) != table.rows:
            message = Message(
                "{table} has {found:,} rows after the restore, expected {expected:,}. Nothing was restored.",
                table=table.name,
                found=count,
                expected=table.rows,
            )
            raise BackupDamaged(message)
    new = [problem for problem in find_audit_problems(database.list_audit_entries(), manifest.trails) if problem not in problems]
    if new:
        raise BackupDamaged(Message("New problem after the restore: {problem}. Nothing was restored.", problem=new[0]))


def _restore_key(settings: Settings, root: Path, manifest: BackupManifest) -> list[Message]:
    """Restore the signing key; returns notes for the operator."""
    note = manifest.signing_key
    if note is None:
        return []
    if settings.signing_key is not None:
        mine = compute_key_fingerprint(settings.signing_key.get_secret_value().encode())
        other = Message("`BONAFIDE_SIGNING_KEY` differs from the key of the backup. Existing signed URLs no longer work.")
        return [other] if mine != note.fingerprint else []
    path = get_signing_key_path(settings)
    if note.kept is None:
        return [Message("The signing key was a setting and is not in the backup. Set `BONAFIDE_SIGNING_KEY` to the same key.")]
    try:
        file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        if compute_key_fingerprint(path.read_bytes()) == note.fingerprint:
            return []
        raise ConfigurationError(
            Message("{path} differs from the signing key of the backup. Move it away first.", path=str(path))
        ) from None
    with os.fdopen(file, "wb") as kept:
        kept.write((root / SIGNING_KEY).read_bytes())
        kept.flush()
        os.fsync(file)
    return []
