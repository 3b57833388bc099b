"""`bonafide bench webhooks`: deliveries per second of one worker process, and the delay from an event to its receiver.

Runs on the configured database with a temporary organization, which is deleted afterwards. The receiver is a process of its own on
this machine that responds at once; so is the worker. The delay is that from the commit of an event to the arrival of its delivery,
for events at a constant rate: alone, and while the same organization has endpoints that respond slowly. Nothing is asserted.
"""

import asyncio
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from uuid import UUID

import httpx2

from bonafide.errors import ConfigurationError
from bonafide.i18n.message import Message
from bonafide.model.events.event import EventSubject, EventSubjectKind, EventType, NewEvent
from bonafide.model.events.event_data import BusinessChangedData
from bonafide.model.records.business_record import Author
from bonafide.model.webhooks import NewWebhookEndpoint, WebhookEndpointChange
from bonafide.runtime import Runtime
from bonafide.services.events.recording import record_events
from bonafide.services.loading.refresh import Progress
from bonafide.services.webhooks.endpoints import change_endpoint, create_endpoint
from bonafide.store.records import events
from bonafide.store.records.events import EventFilter
from bonafide_bench.harness.search_requests import HOST
from bonafide_bench.harness.server_processes import serve_in_processes
from bonafide_bench.measurements.figures import LatencyFigures
from bonafide_bench.seeding.organization import create_bench_organization
from bonafide_bench.webhooks.receiver import ARRIVALS
from bonafide_bench.webhooks.worker_process import run_worker_process

BENCH = Author("system:bench")
RECEIVER = "bonafide_bench.webhooks.receiver:application"
EVENTS_AT_ONCE = 100
WARM_UP = 20
SLOW_ENDPOINTS = 5
POLL_S = 0.05
_NANOSECONDS = 1_000_000_000


@dataclass(frozen=True, slots=True)
class WebhooksReport:
    """One run: deliveries per second from a backlog by number of endpoints, and delays in milliseconds by circumstances."""

    database: str
    deliveries: int
    rate: float
    """Events per second while delays are measured."""
    per_second: dict[int, float]
    delays: dict[str, LatencyFigures]


@dataclass(frozen=True, slots=True)
class _Bench:
    """What the measurements share."""

    runtime: Runtime
    organization_id: UUID
    client: httpx2.AsyncClient
    address: str
    worker: asyncio.subprocess.Process

    async def add_endpoint(self, path: str, event_type: EventType) -> UUID:
        """Create an endpoint for events of one type."""
        request = NewWebhookEndpoint(url=self.address + path, types=(event_type,))
        return (await create_endpoint(self.runtime, self.organization_id, request, BENCH)).id

    async def disable(self, endpoint_ids: Sequence[UUID]) -> None:
        """Disable endpoints, so that later measurements do not reach them."""
        for endpoint_id in endpoint_ids:
            change = WebhookEndpointChange(enabled=False)
            await change_endpoint(self.runtime, self.organization_id, endpoint_id, change, BENCH)

    async def record(self, count: int, event_type: EventType) -> dict[str, float]:
        """Record events in one transaction; returns their IDs, and the time of the commit in seconds since 1970."""
        data = BusinessChangedData(changed_by=BENCH.actor, request_id=None, version=self.runtime.clock())
        subject = EventSubject(kind=EventSubjectKind.BUSINESS, name="Sandbox Bakery Inc.")
        async with self.runtime.store.write() as connection:
            new = [NewEvent(event_type, subject, data) for _ in range(count)]
            await record_events(connection, self.organization_id, new, self.runtime.clock())
            last = await events.get_last_position(connection, self.organization_id)
            stored = await events.list_after(connection, self.organization_id, EventFilter(), last - count, count)
        committed_at = time.time()
        return {str(event.id): committed_at for event in stored}

    async def collect(self, path: str, count: int) -> dict[str, float]:
        """Wait until this many events have arrived under a path; returns their IDs with the times of arrival.

        Raises `ConfigurationError` if the worker ends.
        """
        arrived: dict[str, float] = {}
        while len(arrived) < count:
            if self.worker.returncode is not None:
                raise ConfigurationError(Message.untranslated("the worker has stopped"))
            await asyncio.sleep(POLL_S)
            arrived |= (await self.client.get(f"{self.address}{ARRIVALS}{path}")).json()
        return arrived


async def run_webhooks_bench(
    runtime: Runtime, deliveries: int, endpoints: Sequence[int], rate: float, progress: Progress
) -> WebhooksReport:
    """Measure with this number of deliveries in each measurement, for each number of endpoints, and delays at this rate."""
    runtime = replace(runtime, settings=runtime.settings.model_copy(update={"allow_private_targets": HOST}))
    with TemporaryDirectory(prefix="bench-webhooks-") as logs:
        async with (
            create_bench_organization(runtime, "webhooks") as (organization_id, _),
            serve_in_processes(RECEIVER, 1, {}, Path(logs) / "receiver") as receiver,
            run_worker_process(runtime, Path(logs) / "worker") as worker,
            httpx2.AsyncClient(trust_env=False) as client,
        ):
            bench = _Bench(runtime, organization_id, client, f"http://{HOST}:{receiver.port}", worker)
            await _warm_up(bench)
            per_second = {}
            for place, count in enumerate(endpoints):
                progress("throughput", place, len(endpoints))
                per_second[count] = await _measure_throughput(bench, deliveries, count)
            delays = {"alone": await _measure_delay(bench, deliveries, rate, "/alone")}
            progress("delays", 1, 2)
            slow = [await bench.add_endpoint(f"/slow/{place}", EventType.BUSINESS_CREATED) for place in range(SLOW_ENDPOINTS)]
            delays[f"beside {SLOW_ENDPOINTS} slow receivers"] = await _measure_delay(bench, deliveries, rate, "/beside")
            await bench.disable(slow)
            progress("delays", 2, 2)
    return WebhooksReport(runtime.store.dialect, deliveries, rate, per_second, delays)


async def _warm_up(bench: _Bench) -> None:
    """Wait until the worker delivers."""
    endpoint = await bench.add_endpoint("/warm-up", EventType.BUSINESS_ARCHIVED)
    await bench.record(WARM_UP, EventType.BUSINESS_ARCHIVED)
    await bench.collect("/warm-up", WARM_UP)
    await bench.disable([endpoint])


async def _measure_throughput(bench: _Bench, deliveries: int, endpoints: int) -> float:
    """Deliveries per second, from the first arrival to the last, of events that were recorded at once."""
    added = [await bench.add_endpoint(f"/{endpoints}/{place}", EventType.BUSINESS_UPDATED) for place in range(endpoints)]
    each = max(deliveries // endpoints, 1)
    for start in range(0, each, EVENTS_AT_ONCE):
        await bench.record(min(EVENTS_AT_ONCE, each - start), EventType.BUSINESS_UPDATED)
    found = await asyncio.gather(*(bench.collect(f"/{endpoints}/{place}", each) for place in range(endpoints)))
    times = [at for arrived in found for at in arrived.values()]
    await bench.disable(added)
    return len(times) / max(max(times) - min(times), POLL_S)


async def _measure_delay(bench: _Bench, count: int, rate: float, path: str) -> LatencyFigures:
    """The delays of events at a constant rate."""
    endpoint = await bench.add_endpoint(path, EventType.BUSINESS_CREATED)
    committed: dict[str, float] = {}
    began, pause = time.monotonic(), 1 / rate
    for place in range(count):
        await asyncio.sleep(max(began + place * pause - time.monotonic(), 0))
        committed |= await bench.record(1, EventType.BUSINESS_CREATED)
    arrived = await bench.collect(path, count)
    await bench.disable([endpoint])
    return LatencyFigures.of([round(max(arrived[one] - at, 0) * _NANOSECONDS) for one, at in committed.items()])
