"""The bench of webhooks delivers everything with real processes, and leaves no organization behind."""

import asyncio
from pathlib import Path

from bonafide.runtime import open_runtime
from bonafide.services.accounts.organizations import list_organizations
from bonafide.settings import Settings
from bonafide_bench.webhooks.measurement import WebhooksReport, run_webhooks_bench

DELIVERIES = 10


def test_it_measures_throughput_and_delays(tmp_path: Path) -> None:
    report, left = asyncio.run(measured(tmp_path))
    assert report.database == "sqlite"
    assert list(report.per_second) == [1, 2]
    assert min(report.per_second.values()) > 0
    assert [times.count for times in report.delays.values()] == [DELIVERIES, DELIVERIES]
    assert left == 0


async def measured(data_dir: Path) -> tuple[WebhooksReport, int]:
    async with open_runtime(Settings(data_dir=data_dir)) as runtime:
        report = await run_webhooks_bench(runtime, DELIVERIES, (1, 2), 50.0, lambda *_: None)
        return report, len(await list_organizations(runtime))
