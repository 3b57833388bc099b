"""Write a backup of database, files and signing key while the service runs.

The rows are those of one instant; the files are copied after them, so that no row refers to a missing file. Indexes are not backed
up: they can be built again.
"""

import asyncio
import hashlib
import hmac
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from bonafide import __version__
from bonafide.model.backup import BackedUpFileList, BackedUpTable, BackupManifest, SigningKeyRecord
from bonafide.runtime import Clock, build_files, get_signing_key_path
from bonafide.services.backup.integrity_check import find_data_problems
from bonafide.services.backup.stored_files import export_files
from bonafide.services.loading.refresh import Progress
from bonafide.settings import Settings
from bonafide.store.backup.folder import FILE_LIST, SIGNING_KEY, BackupWriter, build_table_path
from bonafide.store.backup.snapshot import DatabaseSnapshot, open_snapshot
from bonafide.store.database.engine import parse_database_url

_FINGERPRINT = b"bonafide: which signing key this is"


@dataclass(frozen=True, slots=True)
class BackupSummary:
    """A backup that was written or checked: what it says of itself, and what is wrong with the data in it."""

    manifest: BackupManifest
    problems: Sequence[str]


def create_backup(settings: Settings, root: Path, clock: Clock, on_progress: Progress, *, with_files: bool = True) -> BackupSummary:
    """Write a backup into a new folder. Blocks; a failure leaves the folder empty.

    Raises `ConfigurationError`, and `ServerBusy` when the file storage is away.
    """
    draft = BackupWriter(root)
    try:
        with open_snapshot(parse_database_url(settings.dsn)) as state:
            taken_at = clock()
            tables = _copy_rows(state, draft, on_progress)
            manifest = BackupManifest(
                release=__version__,
                revision=state.revision,
                taken_at=taken_at,
                database=state.database,
                tables=tables,
                left_out=state.left_out,
                trails=state.list_audit_heads(),
                files=None,
                signing_key=None,
            )
        files = _copy_files(settings, draft, on_progress) if with_files else None
        manifest = manifest.model_copy(update={"files": files, "signing_key": _copy_key(settings, draft)})
        problems = find_data_problems(root, manifest, on_progress)
        draft.finish(manifest)
    except BaseException:
        draft.discard()
        raise
    return BackupSummary(manifest, problems)


def _copy_rows(state: DatabaseSnapshot, draft: BackupWriter, on_progress: Progress) -> tuple[BackedUpTable, ...]:
    described = []
    for table in state.tables:
        with draft.lines(build_table_path(table.name)) as lines:
            for rows in state.rows(table):
                lines.write(rows)
                on_progress(table.name, lines.rows, None)
        facts = lines.described
        columns = state.columns(table)
        described.append(BackedUpTable(name=table.name, columns=columns, rows=lines.rows, size=facts.size, sha256=facts.sha256))
    return tuple(described)


def _copy_files(settings: Settings, draft: BackupWriter, on_progress: Progress) -> BackedUpFileList:
    with draft.lines(FILE_LIST) as lines:
        size = asyncio.run(export_files(build_files(settings), draft, lines, on_progress))
    return BackedUpFileList(files=lines.rows, bytes=size, size=lines.described.size, sha256=lines.described.sha256)


def _copy_key(settings: Settings, draft: BackupWriter) -> SigningKeyRecord | None:
    if settings.signing_key is not None:
        return SigningKeyRecord(fingerprint=compute_key_fingerprint(settings.signing_key.get_secret_value().encode()), kept=None)
    try:
        key = get_signing_key_path(settings).read_bytes()
    except FileNotFoundError:
        return None
    return SigningKeyRecord(fingerprint=compute_key_fingerprint(key), kept=draft.write(SIGNING_KEY, key))


def compute_key_fingerprint(key: bytes) -> str:
    """What tells one signing key from another, and of which the key can't be made."""
    return hmac.new(key, _FINGERPRINT, hashlib.sha256).hexdigest()
