"""Request batches and do them in this process, as workers do."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any
from uuid import UUID

from bonafide.app.worker import work_once
from bonafide.i18n.language import Language
from bonafide.model.accounts.organizations import Principal
from bonafide.model.batches.batch import Batch, BatchFormat, BatchKind, BatchMapping, BatchParameters
from bonafide.model.records.business_record import Author
from bonafide.runtime import Runtime
from bonafide.services.batches.requests import SubmittedBatch, create_batch, read_batch
from bonafide.services.batches.results import open_results

ANALYST = Author("analyst@north.example")
Rows = Sequence[Mapping[str, Any]]


def write_lines(folder: Path, rows: Rows) -> Path:
    """A file of JSON lines."""
    path = folder / "rows.jsonl"
    path.write_text("".join(f"{json.dumps(row)}\n" for row in rows), encoding="utf-8")
    return path


async def request_rows(
    runtime: Runtime,
    principal: Principal,
    kind: BatchKind,
    rows: Rows,
    parameters: BatchParameters = BatchParameters(),  # noqa: B008 - it is frozen
    language: Language = Language.ENGLISH,
) -> Batch:
    """Request a batch of rows."""
    path = write_lines(runtime.settings.data_dir, rows)
    submitted = SubmittedBatch(path, "rows.jsonl", kind, BatchFormat.JSONL, BatchMapping(), parameters)
    return await create_batch(runtime, principal, submitted, language, ANALYST)


async def work_all(runtime: Runtime, most: int = 10_000) -> None:
    """Do all jobs that are due."""
    for _ in range(most):
        if not await work_once(runtime, "worker"):
            return


async def run_rows(
    runtime: Runtime,
    principal: Principal,
    kind: BatchKind,
    rows: Rows,
    parameters: BatchParameters = BatchParameters(),  # noqa: B008
) -> tuple[Batch, list[dict[str, Any]]]:
    """A batch of rows that has ended, and its results."""
    created = await request_rows(runtime, principal, kind, rows, parameters)
    await work_all(runtime)
    batch = await read_batch(runtime, principal.organization_id, created.id)
    return batch, await read_results(runtime, principal, batch.id)


async def read_results(runtime: Runtime, principal: Principal, batch_id: UUID) -> list[dict[str, Any]]:
    """The results of a batch."""
    content = await download_results(runtime, principal, batch_id, BatchFormat.JSONL)
    return [json.loads(line) for line in content.splitlines()]


async def download_results(runtime: Runtime, principal: Principal, batch_id: UUID, file_format: BatchFormat) -> bytes:
    """The results of a batch as a file."""
    found = await open_results(runtime, principal, batch_id, file_format)
    return b"".join([part async for part in found.parts])
