"""Write a backup of database, files and signing key while the service runs, and copy the files back into storage.

The rows are those of one instant. The files are copied after them, so that no row refers to a missing file; a file that is deleted
meanwhile is not an error. Indexes are not backed up, because they can be rebuilt.
"""

import asyncio
import hashlib
import hmac
import mimetypes
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar
from uuid import UUID

from bonafide import __version__
from bonafide.errors import ConfigurationError, NotFound
from bonafide.i18n.message import Message
from bonafide.model.backup import BackedUpFileList, BackedUpTable, BackupManifest, SigningKeyRecord
from bonafide.runtime import Clock, build_files, get_signing_key_path
from bonafide.services.backup.integrity_check import find_data_problems
from bonafide.services.loading.refresh import Progress
from bonafide.settings import Settings
from bonafide.store.backup.folder import (
    FILE_LIST,
    SIGNING_KEY,
    BackupLineWriter,
    BackupWriter,
    build_file_path,
    build_table_path,
    read_lines,
)
from bonafide.store.backup.snapshot import DatabaseSnapshot, open_snapshot
from bonafide.store.blobs.file_store import FileStore
from bonafide.store.database.engine import parse_database_url

_FINGERPRINT = b"bonafide: which signing key this is"
MAX_CONCURRENT_FILES = 8
"""How many files are read or written concurrently, and are in memory at once."""
UNKNOWN_TYPE = "application/octet-stream"
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class BackupSummary:
    """A backup that was written or checked: its manifest, and the problems of its data."""

    manifest: BackupManifest
    problems: Sequence[Message]


def create_backup(settings: Settings, root: Path, clock: Clock, on_progress: Progress, *, with_files: bool = True) -> BackupSummary:
    """Write a backup into a new folder. Blocks; a failure leaves the folder empty.

    Raises `ConfigurationError`, and `ServerBusy` if the file storage is unavailable.
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
    """A fingerprint that identifies a signing key without revealing it."""
    return hmac.new(key, _FINGERPRINT, hashlib.sha256).hexdigest()


async def export_files(files: FileStore, draft: BackupWriter, lines: BackupLineWriter, on_progress: Progress) -> int:
    """Copy every file into a backup and list them; returns the total size in bytes."""
    size = 0
    async for names in _batch_names(files.list_all()):
        contents = await asyncio.gather(*(_read_stored_file(files, *name) for name in names))
        rows = []
        for (organization_id, name), content in zip(names, contents, strict=True):
            if content is not None:
                kept = draft.write(build_file_path(str(organization_id), name), content)
                rows.append([str(organization_id), name, kept.size, kept.sha256])
                size += kept.size
        lines.write(rows)
        on_progress("files", lines.rows, None)
    return size


async def restore_files(files: FileStore, root: Path, on_progress: Progress) -> int:
    """Copy every file of a checked backup into the storage; returns how many. Equal files in the storage are kept.

    Raises `ConfigurationError` for a different file of the same name, and `ServerBusy`.
    """
    done = 0
    for rows in read_lines(root, FILE_LIST):
        for start in range(0, len(rows), MAX_CONCURRENT_FILES):
            some = rows[start : start + MAX_CONCURRENT_FILES]
            await asyncio.gather(*(_restore_file(files, root, UUID(owner), name, digest) for owner, name, _, digest in some))
            done += len(some)
            on_progress("files", done, None)
    return done


async def _batch_names(names: AsyncIterator[T]) -> AsyncIterator[list[T]]:
    some = []
    async for name in names:
        some.append(name)
        if len(some) == MAX_CONCURRENT_FILES:
            yield some
            some = []
    if some:
        yield some


async def _read_stored_file(files: FileStore, organization_id: UUID, name: str) -> bytes | None:
    try:
        return await files.get(organization_id, name)
    except NotFound:
        return None


async def _restore_file(files: FileStore, root: Path, organization_id: UUID, name: str, digest: str) -> None:
    existing = await _read_stored_file(files, organization_id, name)
    if existing is None:
        content = await asyncio.to_thread((root / build_file_path(str(organization_id), name)).read_bytes)
        type_, _ = mimetypes.guess_type(name)
        await files.put(organization_id, name, content, type_ if type_ is not None else UNKNOWN_TYPE)
    elif hashlib.sha256(existing).hexdigest() != digest:
        raise ConfigurationError(
            Message("The file storage has a different file at {path}, which is not overwritten.", path=f"{organization_id}/{name}")
        )
