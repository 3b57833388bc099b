"""Store what was sent as a batch, and read it again, in parts: it is never in memory as a whole."""

import asyncio
from pathlib import Path
from uuid import UUID

from bonafide.runtime import Runtime
from bonafide.services.batches.partition_files import BINARY, PART_BYTES, build_upload_name


async def store_upload(runtime: Runtime, organization_id: UUID, batch_id: UUID, path: Path) -> int:
    """Store a file, and return its size in bytes. Raises `ServerBusy`."""
    size = number = 0
    with path.open("rb") as content:
        while part := await asyncio.to_thread(content.read, PART_BYTES):
            await runtime.files.put(organization_id, build_upload_name(batch_id, number), part, BINARY)
            size, number = size + len(part), number + 1
    return size


async def copy_upload(runtime: Runtime, organization_id: UUID, batch_id: UUID, size: int, path: Path) -> None:
    """Write a stored file of this size to a local path. Raises `NotFound` and `ServerBusy`."""
    with path.open("wb") as copy:
        for number in range(-(-size // PART_BYTES)):
            part = await runtime.files.get(organization_id, build_upload_name(batch_id, number))
            await asyncio.to_thread(copy.write, part)
