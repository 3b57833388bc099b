"""Send requests to a served application, in a closed loop or at a given rate.

At a given rate (open loop) a time is counted from the instant at which its request was due, so that a server which stalls can't
hide behind the requests that a waiting client does not send; and as those who send them know nothing of each other, each has a
connection of its own. It speaks no more HTTP than this project's servers: no chunks.
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
"""The status of a request that got no answer."""
RequestFactory = Callable[[int], bytes]
"""The bytes of the n-th request."""


@dataclass(slots=True)
class HttpLoadOutcome:
    """How requests ended: their times in nanoseconds, and how many had which status."""

    wall_ns: int = 0
    taken: list[int] = field(default_factory=list)
    statuses: Counter[int] = field(default_factory=Counter)

    @property
    def per_second(self) -> float:
        """Answers a second."""
        return len(self.taken) * _S / self.wall_ns


class HttpConnectionPool:
    """Connections to one server; one is opened when none is free, and each is used again if it is `kept`."""

    def __init__(self, host: str, port: int, *, kept: bool = True) -> None:
        self._address = (host, port)
        self._kept = kept
        self._free: list[tuple[asyncio.StreamReader, asyncio.StreamWriter]] = []

    async def open(self, count: int) -> None:
        """Have so many free, opened one after another: of many at once the process that wakes first would take all."""
        for _ in range(count):
            self._free.append(await asyncio.open_connection(*self._address))
            await asyncio.sleep(PAUSE_S)

    async def call(self, request: bytes) -> tuple[int, bytes]:
        """Send a request and read its answer: status and body. Raises `OSError` or `asyncio.IncompleteReadError`."""
        if self._free:
            try:
                return await self._on(*self._free.pop(), request)
            except (OSError, asyncio.IncompleteReadError) as error:
                if getattr(error, "partial", b"") != b"":
                    raise
                # It was idle for so long that the server has closed it meanwhile: the request has not been heard.
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
        """Let go of the free ones."""
        for _, writer in self._free:
            writer.close()
        self._free.clear()


def _parse_content_length(head: bytes) -> int:
    _, found, rest = head.lower().partition(b"\r\ncontent-length: ")
    return int(rest.partition(b"\r\n")[0]) if found else 0


async def run_closed_loop(to: HttpConnectionPool, make: RequestFactory, seconds: float, callers: int) -> HttpLoadOutcome:
    """Each of so many callers sends its next request when the last one is answered."""
    outcome, numbers = HttpLoadOutcome(), iter(range(1 << 62))
    with _measure_wall_time(outcome) as started:
        ends = started + int(seconds * _S)

        async def one_after_another() -> None:
            while perf_counter_ns() < ends:
                await _send_and_count(to, make(next(numbers)), perf_counter_ns(), outcome)

        await asyncio.gather(*(one_after_another() for _ in range(callers)))
    return outcome


async def run_open_loop(to: HttpConnectionPool, make: RequestFactory, seconds: float, rate: float) -> HttpLoadOutcome:
    """Requests fall due at random, `rate` a second in the mean, as those of many callers who know nothing of each other do."""
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
    outcome.taken.append(perf_counter_ns() - since)
