"""Deliveries while workers and receivers are killed: workers to kill, and short ways to wait for what the others have left."""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from uuid import UUID

from sqlalchemy import update

from bonafide.model.webhooks import DeliveryStatus
from bonafide.runtime import Runtime
from bonafide.services.webhooks.deliveries import list_deliveries
from bonafide.store.database.schema.webhook_tables import OPEN_DELIVERY, webhook_deliveries, webhook_endpoints
from tests.support.log_watch import check_text
from tests.support.servers.forked_services import forked
from tests.support.servers.ports import HOST
from tests.support.waiting import TIMEOUT_S


def build_environment(runtime: Runtime, database_url: str) -> dict[str, str]:
    """The settings of processes on the database of a runtime, which may deliver to this machine."""
    return {
        "BONAFIDE_DATA_DIR": str(runtime.settings.data_dir),
        "BONAFIDE_DATABASE_URL": database_url,
        "BONAFIDE_SIGNING_KEY": runtime.signing_key.decode(),
        "BONAFIDE_ALLOW_PRIVATE_TARGETS": HOST,
        "BONAFIDE_RENEW": "off",
    }


@contextmanager
def working(runtime: Runtime, database_url: str) -> Iterator[None]:
    """A worker process on the database of the runtime, which is killed when the block ends."""
    log = runtime.settings.data_dir / "worker.log"
    with forked(log, "worker", **build_environment(runtime, database_url)):
        yield
    check_text(log.read_text(encoding="utf-8", errors="replace"))


def count_lines(journal: Path) -> int:
    """The number of deliveries that have arrived."""
    return journal.read_text().count("\n") if journal.exists() else 0


async def until_lines(journal: Path, count: int) -> None:
    """Wait until this many deliveries have arrived."""
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
    """Wait until all deliveries to an endpoint are done."""
    async with asyncio.timeout(TIMEOUT_S):
        for status in (DeliveryStatus.PENDING, DeliveryStatus.FAILED):
            while (await list_deliveries(runtime, organization_id, endpoint_id, status, 1)).deliveries:
                await make_all_due(runtime)
                await asyncio.sleep(0.5)
