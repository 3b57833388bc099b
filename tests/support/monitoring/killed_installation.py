"""A service, a worker and a receiver of webhooks as processes that are killed, and short ways to wait for what they do."""

import asyncio
from collections.abc import Callable
from contextlib import AbstractContextManager, ExitStack
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any
from uuid import UUID

import httpx2

from bonafide.model.accounts.organizations import World
from bonafide.runtime import Runtime
from bonafide.services.events.feed import read_events
from bonafide.services.monitoring.status import read_organization_overview
from bonafide.store.cases import case_positions
from bonafide.store.records.events import EventFilter
from tests.support.monitoring.event_feed import read_feed
from tests.support.servers.forked_services import forked
from tests.support.servers.ports import HOST, free_port
from tests.support.servers.service_processes import KEY_HEADER
from tests.support.services.monitoring import HIT_EVENTS
from tests.support.waiting import TIMEOUT_S
from tests.support.webhooks.journal_receiver import receiving_process
from tests.support.webhooks.killed_deliveries import build_environment, working

PARTS = ("worker", "service", "receiver")
MANY = 1000


@dataclass
class KilledInstallation:
    """A service, a worker and a receiver as processes, each of which is killed and started again at the same place."""

    runtime: Runtime
    database_url: str
    key: str
    journal: Path
    ports: tuple[int, int] = field(default_factory=lambda: (free_port(), free_port()))
    """Of the service and of the receiver."""
    _running: dict[str, ExitStack] = field(default_factory=dict)

    @property
    def url(self) -> str:
        """The address of the service."""
        return f"http://{HOST}:{self.ports[0]}"

    @property
    def receiver_url(self) -> str:
        """The address of the receiver."""
        return f"http://{HOST}:{self.ports[1]}/"

    def restart(self, part: str) -> None:
        """Kill a part if it runs, as `kill -9` does, and start it."""
        starts: dict[str, Callable[[], AbstractContextManager[object]]] = {
            "service": self._serve,
            "worker": lambda: working(self.runtime, self.database_url),
            "receiver": lambda: receiving_process(self.ports[1], self.journal),
        }
        self._running.pop(part, ExitStack()).close()
        self._running[part] = ExitStack()
        self._running[part].enter_context(starts[part]())

    def _serve(self) -> AbstractContextManager[object]:
        words, environment = ("serve", "--port", str(self.ports[0])), build_environment(self.runtime, self.database_url)
        return forked(self.runtime.settings.data_dir / "service.log", *words, **environment)

    def stop(self) -> None:
        """Kill all parts."""
        with ExitStack() as all_parts:
            for running in self._running.values():
                all_parts.push(running)

    def read_feed(self) -> list[dict[str, Any]]:
        """The events of the organization, as the API has them."""
        with httpx2.Client(base_url=f"{self.url}/v1", headers={KEY_HEADER: self.key}, timeout=TIMEOUT_S, trust_env=False) as caller:
            return read_feed(caller)


async def until_evaluated(runtime: Runtime, organization_id: UUID, sources: set[str], since: datetime) -> None:
    """Wait until all records are evaluated against loads of these sources that are newer than an instant."""
    async with asyncio.timeout(TIMEOUT_S):
        while True:
            overview = await read_organization_overview(runtime, organization_id, World.SANDBOX)
            states = [one for one in overview.sources if one.source in sources]
            if overview.queued == 0 and all(
                one.evaluated_at is not None and one.evaluated_at > since and not one.is_evaluating for one in states
            ):
                return
            await asyncio.sleep(0.1)


async def until_followed(runtime: Runtime) -> None:
    """Wait until the cases reflect all events."""
    async with asyncio.timeout(TIMEOUT_S):
        while True:
            async with runtime.store.read() as connection:
                if not await case_positions.list_behind(connection, 1):
                    return
            await asyncio.sleep(0.1)


async def count_alerts(runtime: Runtime, organization_id: UUID) -> int:
    """The number of hits that have been reported."""
    return len((await read_events(runtime, organization_id, EventFilter(HIT_EVENTS), MANY)).events)


async def until_alerts(runtime: Runtime, organization_id: UUID, count: int) -> None:
    """Wait until this many hits have been reported."""
    async with asyncio.timeout(TIMEOUT_S):
        while await count_alerts(runtime, organization_id) < count:  # noqa: ASYNC110 - another process records them
            await asyncio.sleep(0.005)
