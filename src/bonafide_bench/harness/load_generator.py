"""Send HTTP requests to a server, in a closed loop or at a given rate.

At a given rate (open loop), latency counts from the instant at which a request was due, which avoids coordinated omission when the
server stalls. Each request uses a connection of its own, as independent clients do. The client implements only the HTTP that this
project's servers use; chunked responses are not supported.
"""

import asyncio
import random
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from time import perf_counter_ns

SEED = 1867
END_OF_HEAD = b"\r\n\r\n"
_S = 1_000_000_000
PAUSE_S = 0.01
FAILED = 0
"""The status of a request without a response."""
ACCEPTED_STATUSES = range(200, 300)
REFUSED_STATUSES = frozenset({429, 503})
"""The statuses with which an overloaded service refuses a request without doing anything for it."""
RequestFactory = Callable[[int], bytes]
"""Builds the bytes of the n-th request."""


@dataclass(slots=True)
class HttpLoadOutcome:
    """The results of requests: latencies of the accepted ones in nanoseconds, and counts of all by status.

    A refusal is quick, so counting its latency would make an overloaded service look fast.
    """

    wall_ns: int = 0
    taken: list[int] = field(default_factory=list)
    statuses: Counter[int] = field(default_factory=Counter)

    @property
    def per_second(self) -> float:
        """Accepted requests per second."""
        return len(self.taken) * _S / self.wall_ns


class HttpConnectionPool:
    """Connections to one server, opened on demand and reused if they are `kept`."""

    def __init__(self, host: str, port: int, *, kept: bool = True) -> None:
        self._address = (host, port)
        self._kept = kept
        self._free: list[tuple[asyncio.StreamReader, asyncio.StreamWriter]] = []

    async def open(self, count: int) -> None:
        """Open `count` free connections one by one: if opened at once, the first process to wake up would accept all of them."""
        for _ in range(count):
            self._free.append(await asyncio.open_connection(*self._address))
            await asyncio.sleep(PAUSE_S)

    async def call(self, request: bytes) -> tuple[int, bytes]:
        """Send a request and return status and body. Raises `OSError` or `asyncio.IncompleteReadError`."""
        if self._free:
            try:
                return await self._on(*self._free.pop(), request)
            except (OSError, asyncio.IncompleteReadError) as error:
                if getattr(error, "partial", b"") != b"":
                    raise
                # The server has closed the idle connection and has not processed the request.
        return await self._on(*await asyncio.open_connection(*self._address), request)

    async def _on(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, request: bytes) -> tuple[int, bytes]:
        kept = False
        try:
            writer.write(request)
            head = await reader.readuntil(END_OF_HEAD)
            body = await reader.readexactly(_parse_content_length(head))
            kept = self._kept and b"\r\nconnection: close" not in head.lower()
        finally:
            if kept:
                self._free.append((reader, writer))
            else:
                writer.close()
        return int(head[9:12]), body

    def close(self) -> None:
        """Close the free connections."""
        for _, writer in self._free:
            writer.close()
        self._free.clear()


def _parse_content_length(head: bytes) -> int:
    _, found, rest = head.lower().partition(b"\r\ncontent-length: ")
    return int(rest.partition(b"\r\n")[0]) if found else 0


async def run_closed_loop(to: HttpConnectionPool, make: RequestFactory, seconds: float, callers: int) -> HttpLoadOutcome:
    """Run `callers` clients, each of which sends its next request when the previous one completes."""
    outcome, numbers = HttpLoadOutcome(), iter(range(1 << 62))
    with _measure_wall_time(outcome) as started:
        ends = started + int(seconds * _S)

        async def one_after_another() -> None:
            while perf_counter_ns() < ends:
                await _send_and_count(to, make(next(numbers)), perf_counter_ns(), outcome)

        await asyncio.gather(*(one_after_another() for _ in range(callers)))
    return outcome


async def run_open_loop(to: HttpConnectionPool, make: RequestFactory, seconds: float, rate: float) -> HttpLoadOutcome:
    """Send requests at random instants with a mean of `rate` per second (Poisson arrivals), as independent clients do."""
    chance = random.Random(SEED)  # noqa: S311 - a sample, not a secret
    outcome = HttpLoadOutcome()
    with _measure_wall_time(outcome) as started:
        due, number = started, 0
        async with asyncio.TaskGroup() as under_way:
            while due < started + seconds * _S:
                await asyncio.sleep(max(0.0, (due - perf_counter_ns()) / _S))
                under_way.create_task(_send_and_count(to, make(number), due, outcome))
                number += 1
                due += int(chance.expovariate(rate) * _S)
    return outcome


@contextmanager
def _measure_wall_time(outcome: HttpLoadOutcome) -> Iterator[int]:
    started = perf_counter_ns()
    yield started
    outcome.wall_ns = perf_counter_ns() - started


async def _send_and_count(to: HttpConnectionPool, request: bytes, since: int, outcome: HttpLoadOutcome) -> None:
    try:
        status, _ = await to.call(request)
    except (OSError, asyncio.IncompleteReadError):
        status = FAILED
    outcome.statuses[status] += 1
    if status in ACCEPTED_STATUSES:
        outcome.taken.append(perf_counter_ns() - since)
