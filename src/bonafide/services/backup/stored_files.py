"""Copy the stored files of all organizations into a backup, and back into storage.

A file that is deleted meanwhile is not an error. No file is overwritten.
"""

import asyncio
import hashlib
import mimetypes
from collections.abc import AsyncIterator
from pathlib import Path
from typing import TypeVar
from uuid import UUID

from bonafide.errors import ConfigurationError, NotFound
from bonafide.services.loading.refresh import Progress
from bonafide.store.backup.folder import FILE_LIST, BackupLineWriter, BackupWriter, build_file_path, read_lines
from bonafide.store.blobs.file_store import FileStore

MAX_CONCURRENT_FILES = 8
"""Files on their way: a bucket takes milliseconds for each, however small; and so many are in memory."""
UNKNOWN_TYPE = "application/octet-stream"
T = TypeVar("T")


async def export_files(files: FileStore, draft: BackupWriter, lines: BackupLineWriter, on_progress: Progress) -> int:
    """Copy every file into a backup, and list them; returns the bytes of all."""
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
    """Copy every file of a checked backup into the storage; returns how many. One that is there already may stay.

    Raises `ConfigurationError` where another of the same name is in its place, and `ServerBusy`.
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
    there = await _read_stored_file(files, organization_id, name)
    if there is None:
        content = await asyncio.to_thread((root / build_file_path(str(organization_id), name)).read_bytes)
        type_, _ = mimetypes.guess_type(name)
        await files.put(organization_id, name, content, type_ if type_ is not None else UNKNOWN_TYPE)
    elif hashlib.sha256(there).hexdigest() != digest:
        raise ConfigurationError(f"the file storage has another file at {organization_id}/{name}: it is not written over")
