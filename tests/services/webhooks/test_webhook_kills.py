"""Workers and receivers are killed at random moments: each event is delivered at least once, and none is invented."""

import asyncio
import random
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from uuid import UUID

import pytest
from sqlalchemy import update

from bonafide.model.webhooks import DeliveryStatus
from bonafide.runtime import Runtime
from bonafide.services.webhooks.deliveries import list_deliveries
from bonafide.store.database.webhook_tables import OPEN_DELIVERY, webhook_deliveries, webhook_endpoints
from tests.support.servers.ports import free_port
from tests.support.servers.service_processes import command
from tests.support.services.runtimes import principal_of
from tests.support.waiting import TIMEOUT_S
from tests.support.webhooks.delivering import add_endpoint, record, with_loopback
from tests.support.webhooks.journal_receiver import HOST, receiving_process

pytestmark = pytest.mark.anyio
EVENTS = 40
"""Events that are recorded before each kill."""


@pytest.mark.parametrize(("kills", "seed"), [pytest.param(1, 1, id="few"), pytest.param(30, 2, id="many", marks=pytest.mark.slow)])
async def test_each_event_is_delivered_whatever_is_killed(
    empty_runtime: Runtime, database_url: str, tmp_path: Path, kills: int, seed: int
) -> None:
    # The worker process has the time of the machine, so this process has it too.
    runtime = with_loopback(replace(empty_runtime, clock=lambda: datetime.now(UTC)))
    chance, journal, port = random.Random(seed), tmp_path / "journal", free_port()  # noqa: S311 - the same moments each time
    organization = (await principal_of(runtime, "north")).organization_id
    endpoint = await add_endpoint(runtime, organization, f"http://{HOST}:{port}/")
    expected: list[str] = []
    with ExitStack() as receivers, ExitStack() as workers:
        receivers.enter_context(receiving_process(port, journal))
        workers.enter_context(working(runtime, database_url))
        for place in range(kills):
            before = count_lines(journal)
            expected += await record(runtime, organization, EVENTS)
            await make_all_due(runtime)
            await until_lines(journal, before + chance.randrange(1, EVENTS))
            if place % 2 == 0:
                workers.close()
                workers.enter_context(working(runtime, database_url))
            else:
                receivers.close()
                receivers.enter_context(receiving_process(port, journal))
        await until_delivered(runtime, organization, endpoint.id)

    assert set(journal.read_text().split()) == set(expected)
    page = await list_deliveries(runtime, organization, endpoint.id, None, 2 * len(expected))
    assert [str(delivery.event_id) for delivery in page.deliveries] == expected


@contextmanager
def working(runtime: Runtime, database_url: str) -> Iterator[None]:
    """A worker process on the database of the runtime, which is killed when the block ends."""
    environment = {
        "BONAFIDE_DATA_DIR": str(runtime.settings.data_dir),
        "BONAFIDE_DATABASE_URL": database_url,
        "BONAFIDE_SIGNING_KEY": runtime.signing_key.decode(),
        "BONAFIDE_ALLOW_PRIVATE_TARGETS": HOST,
        "BONAFIDE_RENEW": "off",
    }
    with command("worker", **environment):
        yield


def count_lines(journal: Path) -> int:
    return journal.read_text().count("\n") if journal.exists() else 0


async def until_lines(journal: Path, count: int) -> None:
    async with asyncio.timeout(TIMEOUT_S):
        while count_lines(journal) < count:  # noqa: ASYNC110 - another process writes it
            await asyncio.sleep(0.005)


async def make_all_due(runtime: Runtime) -> None:
    """Let the time until the next attempt of each failed delivery pass, and the lease of a worker that was killed."""
    now = runtime.clock()
    async with runtime.store.write() as connection:
        await connection.execute(update(webhook_deliveries).where(OPEN_DELIVERY).values(next_attempt_at=now))
        await connection.execute(update(webhook_endpoints).values(due_at=now, leased_until=now))


async def until_delivered(runtime: Runtime, organization_id: UUID, endpoint_id: UUID) -> None:
    async with asyncio.timeout(TIMEOUT_S):
        for status in (DeliveryStatus.PENDING, DeliveryStatus.FAILED):
            while (await list_deliveries(runtime, organization_id, endpoint_id, status, 1)).deliveries:
                await make_all_due(runtime)
                await asyncio.sleep(0.5)
