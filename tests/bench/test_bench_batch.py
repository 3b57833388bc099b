"""The bench of batches measures each kind, and searches beside each."""

from pathlib import Path

import pytest

from bonafide.runtime import open_runtime
from bonafide.settings import Settings
from bonafide_bench.batches.measurement import run_batch_bench
from tests.support.loaded_sandbox import copy_sandbox

pytestmark = pytest.mark.anyio


async def test_every_kind_is_measured(sandbox_data: Path, tmp_path: Path) -> None:
    copy_sandbox(sandbox_data / "index", tmp_path / "index")
    async with open_runtime(Settings(data_dir=tmp_path)) as runtime:
        report = await run_batch_bench(runtime, 50, 5)
    assert [figures.kind for figures in report.kinds] == ["search", "verify", "screen"]
    assert all(figures.per_second > 0 and figures.bytes_per_row > 0 for figures in report.kinds)
    besides = ["nothing else", "a batch (search)", "a batch (verify)", "a batch (screen)"]
    assert [(latency.beside, latency.searches) for latency in report.searches] == [(beside, 5) for beside in besides]
    assert report.searches[0].rows == 0
    assert report.entries > 1000
