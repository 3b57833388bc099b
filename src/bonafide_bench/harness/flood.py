"""Flood a server as one hostile organization does: slow bodies, searches without a pause, large bodies, queued searches.

`python -m bonafide_bench.harness.flood` runs as a process of its own, so that it does not delay the client whose latencies are
measured. It reads its orders as one line of JSON from standard input, floods until standard input ends, and writes its figures as
one line of JSON.
"""

import asyncio
import json
import os
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import asdict, dataclass, field
from typing import Any

from bonafide_bench.harness.load_generator import FAILED, HttpConnectionPool
from bonafide_bench.harness.search_requests import build_request

NICE = 19
"""The client of an attack runs on other machines: here it leaves the processors to the server."""
DRIP_S = 1.0
"""Between two bytes of a slow body."""
SLOW_BODY_BYTES = 10_000
LARGE_BODY_BYTES = 1_000_000
READY = b"ready\n"


@dataclass(frozen=True, slots=True)
class FloodOrder:
    """What to flood with: names to search for, and how many connections of each kind."""

    host: str
    port: int
    key: str
    names: list[str]
    slow: int = 300
    searchers: int = 32
    large: int = 2
    queued: int = 2


@dataclass(slots=True)
class FloodFigures:
    """How many requests of each kind were sent, by the status of their response; 0 is no response."""

    slow: dict[int, int] = field(default_factory=dict)
    searches: dict[int, int] = field(default_factory=dict)
    large: dict[int, int] = field(default_factory=dict)
    queued: dict[int, int] = field(default_factory=dict)

    def add(self, more: "FloodFigures") -> None:
        """Add the figures of another flood."""
        kinds = ((self.slow, more.slow), (self.searches, more.searches), (self.large, more.large), (self.queued, more.queued))
        for counts, others in kinds:
            for status, count in others.items():
                counts[status] = counts.get(status, 0) + count


@asynccontextmanager
async def run_flood(order: FloodOrder) -> AsyncIterator[asyncio.Future[FloodFigures]]:
    """Flood while the block runs; afterwards the yielded future has the figures."""
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "bonafide_bench.harness.flood"),
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        limit=LARGE_BODY_BYTES,
    )
    figures: asyncio.Future[FloodFigures] = asyncio.get_running_loop().create_future()
    assert process.stdin is not None  # noqa: S101 - both are pipes
    assert process.stdout is not None  # noqa: S101
    try:
        process.stdin.write(json.dumps(asdict(order)).encode() + b"\n")
        await process.stdin.drain()
        await process.stdout.readuntil(READY)
        yield figures
        process.stdin.close()
        written = json.loads(await process.stdout.read())
        figures.set_result(FloodFigures(**{kind: _parse_statuses(counts) for kind, counts in written.items()}))
    finally:
        if process.returncode is None:
            with suppress(ProcessLookupError):
                process.kill()
        await process.wait()


def _parse_statuses(counts: dict[str, int]) -> dict[int, int]:
    return {int(status): count for status, count in counts.items()}


async def _flood(order: FloodOrder, stopped: asyncio.Event) -> FloodFigures:
    """Flood until the event is set."""
    figures = FloodFigures()
    to = HttpConnectionPool(order.host, order.port)

    def search(number: int) -> bytes:
        return build_request("POST", "/v1/search", order.key, {"name": order.names[number % len(order.names)]})

    # More jurisdictions than there are: the service must parse it all to refuse it.
    jurisdictions = ["ON"] * (LARGE_BODY_BYTES // len('"ON", '))
    large = build_request("POST", "/v1/search", order.key, {"name": "Large", "jurisdictions": jurisdictions})

    def queue(number: int) -> bytes:
        body = {"name": order.names[number % len(order.names)]}
        return build_request("POST", "/v1/search", order.key, body, "Prefer: respond-async")

    kinds = ((search, order.searchers, figures.searches), (lambda _: large, order.large, figures.large))
    tasks = [
        *(_repeat(to, make, counts, start) for make, count, counts in kinds for start in range(count)),
        *(_repeat(to, queue, figures.queued, start) for start in range(order.queued)),
        *(_drip(order, figures.slow) for _ in range(order.slow)),
    ]
    running = [asyncio.create_task(task) for task in tasks]
    sys.stdout.buffer.write(READY)
    sys.stdout.flush()
    await stopped.wait()
    for task in running:
        task.cancel()
    await asyncio.gather(*running, return_exceptions=True)
    to.close()
    return figures


async def _repeat(to: HttpConnectionPool, make: Callable[[int], bytes], counts: dict[int, int], start: int) -> None:
    """Send one request after another, without a pause, whatever the responses are."""
    number = start * 1000
    while True:
        number += 1
        try:
            status, _ = await to.call(make(number))
        except (OSError, asyncio.IncompleteReadError):
            status = FAILED
        counts[status] = counts.get(status, 0) + 1
        await asyncio.sleep(0)


async def _drip(order: FloodOrder, counts: dict[int, int]) -> None:
    """Send one body after another, a byte at a time."""
    head = build_request("POST", "/v1/search", order.key, {"name": "x" * SLOW_BODY_BYTES}).partition(b"\r\n\r\n")[0] + b"\r\n\r\n"
    while True:
        status = FAILED
        with suppress(OSError):
            reader, writer = await asyncio.open_connection(order.host, order.port)
            writer.write(head)
            responded = asyncio.create_task(reader.read())
            while not responded.done():
                writer.write(b"{")
                await asyncio.wait([responded], timeout=DRIP_S)
            with suppress(OSError, ValueError):
                status = int(responded.result()[9:12])
            writer.close()
        counts[status] = counts.get(status, 0) + 1
        await asyncio.sleep(DRIP_S if status == FAILED else 0)


async def _main() -> None:
    os.nice(NICE)
    reader = asyncio.StreamReader(limit=LARGE_BODY_BYTES)
    await asyncio.get_running_loop().connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), sys.stdin)
    order = FloodOrder(**json.loads(await reader.readline()))
    stopped = asyncio.Event()

    async def watch() -> None:
        await reader.read()
        stopped.set()

    watching = asyncio.create_task(watch())
    figures: dict[str, Any] = asdict(await _flood(order, stopped))
    await watching
    sys.stdout.write(json.dumps(figures) + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    asyncio.run(_main())
