"""Store the files of an examiner's pack, and read them again, in parts: neither is ever in memory as a whole.

Each attempt to build a pack has a folder of its own, so that two attempts can't mix.
"""

import asyncio
import os
from collections.abc import AsyncIterator
from typing import IO
from uuid import UUID

from bonafide.model.packs.pack import ZIP, PackFormat, StoredPackFile
from bonafide.model.pdf_documents import PDF
from bonafide.runtime import Runtime
from bonafide.services.packs.archive import compute_digest

PACKS = "packs"
PART_BYTES = 8 * 1024**2
MEDIA_TYPES = {PackFormat.PDF: PDF, PackFormat.ZIP: ZIP}


def build_pack_folder(pack_id: UUID) -> str:
    """The folder of all files of a pack, with a slash at the end."""
    return f"{PACKS}/{pack_id}/"


def build_attempt_folder(pack_id: UUID, build_id: UUID) -> str:
    """The folder of the files of one attempt, with a slash at the end."""
    return f"{PACKS}/{pack_id}/{build_id}/"


async def store_file(
    runtime: Runtime, organization_id: UUID, folder: str, file_format: PackFormat, named: tuple[str, IO[bytes]]
) -> StoredPackFile:
    """Store a file that is read from its beginning; `named` has the name to save it under. Raises `ServerBusy`."""
    name, content = named
    size = content.seek(0, os.SEEK_END)
    digest = await asyncio.to_thread(compute_digest, content, size)
    content.seek(0)
    number = 0
    while part := await asyncio.to_thread(content.read, PART_BYTES):
        number += 1
        await runtime.files.put(organization_id, _build_part_name(folder, file_format, number), part, MEDIA_TYPES[file_format])
    return StoredPackFile(name=name, size=size, sha256=digest, part_size=PART_BYTES)


async def read_parts(
    runtime: Runtime, organization_id: UUID, folder: str, file_format: PackFormat, file: StoredPackFile
) -> AsyncIterator[bytes]:
    """The parts of a file, in order. Raises `NotFound` if the files have been deleted, and `ServerBusy`."""
    for number in range(1, -(-file.size // file.part_size) + 1):
        yield await runtime.files.get(organization_id, _build_part_name(folder, file_format, number))


def _build_part_name(folder: str, file_format: PackFormat, number: int) -> str:
    return f"{folder}{file_format}-{number}.part"
