"""The files of an index are verified after the start, and what is damaged is refused and reported."""

import pytest

from bonafide.errors import SegmentCorrupt
from bonafide.model.accounts.organizations import World
from bonafide.runtime import Runtime
from bonafide.server.health import HealthStatus
from bonafide.services.indexing.index_verification import open_all_generations, verify_all_generations, verify_indexes
from bonafide.services.operations.readiness import CHECKS

pytestmark = pytest.mark.anyio
KEY = "on"


def damage(runtime: Runtime) -> None:
    payload = next((runtime.generations[World.SANDBOX].root / KEY / "segments").glob("*/payload.bin"))
    content = bytearray(payload.read_bytes())
    content[len(content) // 2] ^= 1
    payload.write_bytes(content)


@pytest.mark.slow
async def test_a_damaged_file_is_found_after_the_start_and_its_index_refused(own_runtime: Runtime) -> None:
    damage(own_runtime)
    generations = own_runtime.generations[World.SANDBOX]
    open_all_generations(own_runtime)
    assert generations.is_open(KEY)
    await verify_all_generations(own_runtime)
    with pytest.raises(SegmentCorrupt, match="checksum"):
        generations.current(KEY)
    assert b'bonafide_index_damaged_total{source="on",world="sandbox"} 1.0' in own_runtime.metrics.exposition()
    found = await CHECKS["indexes"](own_runtime)
    assert found.status is HealthStatus.DEGRADED
    assert "on (sandbox)" in (found.note or "")
    assert generations.current("qc") is not None


async def test_sound_indexes_stay_in_use(runtime: Runtime) -> None:
    open_all_generations(runtime)
    before = runtime.generations[World.SANDBOX].current(KEY)
    async with verify_indexes(runtime) as task:
        await task
    assert before is not None
    assert runtime.generations[World.SANDBOX].current(KEY) is before
    assert b"bonafide_index_damaged_total{" not in runtime.metrics.exposition()
