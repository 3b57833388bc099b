"""Limits the requests of one process: those in progress, of one caller and of all, and separately incoming bodies.

A request whose body arrives slowly uses a connection and little else, so it is not counted as in progress. When too many bodies
arrive at once, the oldest one ends: a sender of slow bodies loses its own, and everyone else's are received.
"""

import asyncio
import math
import random
from collections import Counter, OrderedDict
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress

from bonafide.concurrency.work_limiter import ShareExceeded, build_overload_error
from bonafide.errors import ServerBusy

MAX_CALLER_SHARE = 0.5
"""The share of the requests in progress that one organization, session or client address may have."""
MIN_RECEIVING_S = 1.0
"""How long a body may take in any case."""
GRACE_S = 5.0
"""How long a body may arrive slower than the minimum rate, from its start."""
RETRY_S = (1, 2, 3)
"""`Retry-After` of refused requests, chosen at random to spread the retries."""


class IncomingBody:
    """A body that is being received. Its deadline moves with the bytes received, up to its time limit."""

    def __init__(self, timeout_s: float, min_rate: float) -> None:
        self._began = asyncio.get_running_loop().time()
        self._timeout_s = timeout_s
        self._min_rate = min_rate
        self._received = 0
        self._waiting: asyncio.Timeout | None = None
        self.is_ended_early = False
        """Whether its sender, or all senders together, have too many bodies arriving."""

    @property
    def deadline(self) -> float:
        """The instant of the event loop's clock at which the next bytes are due."""
        if self.is_ended_early:
            return self._began + MIN_RECEIVING_S
        return self._began + min(self._timeout_s, GRACE_S + self._received / self._min_rate)

    def add(self, count: int) -> None:
        """Count received bytes."""
        self._received += count

    @contextmanager
    def watch(self, waiting: asyncio.Timeout) -> Iterator[None]:
        """Let `end_early` shorten this wait."""
        self._waiting = waiting
        try:
            yield
        finally:
            self._waiting = None

    def end_early(self) -> None:
        """Allow no more than the minimum duration."""
        self.is_ended_early = True
        if self._waiting is not None and not self._waiting.expired():
            self._waiting.reschedule(self.deadline)


class RequestAdmission:
    """The requests of one process. `on_refused` is called for each refusal with what was full."""

    def __init__(
        self,
        max_requests: int,
        max_incoming: int,
        max_incoming_by_sender: int,
        on_refused: Callable[[str], None] = lambda _: None,
    ) -> None:
        self._on_refused = on_refused
        self._max_requests = max_requests
        self._max_by_caller = math.ceil(max_requests * MAX_CALLER_SHARE)
        self._max_incoming = max_incoming
        self._max_incoming_by_sender = max_incoming_by_sender
        self._in_progress = 0
        self._by_caller: Counter[str] = Counter()
        self._incoming: OrderedDict[IncomingBody, None] = OrderedDict()
        """All bodies that are being received, the oldest first, without those that end early."""
        self._by_sender: dict[str, OrderedDict[IncomingBody, None]] = {}

    @property
    def in_progress(self) -> int:
        """How many requests are in progress."""
        return self._in_progress

    @property
    def incoming(self) -> int:
        """How many bodies are being received."""
        return len(self._incoming)

    @contextmanager
    def count_request(self) -> Iterator[None]:
        """Count a request as in progress. Raises `ServerBusy` at the limit."""
        if self._in_progress >= self._max_requests:
            raise self._refuse("requests")
        self._in_progress += 1
        try:
            yield
        finally:
            self._in_progress -= 1

    @contextmanager
    def count_caller(self, caller: str) -> Iterator[None]:
        """Count a request of this caller. Raises `ShareExceeded` beyond the caller's share."""
        if self._by_caller[caller] >= self._max_by_caller:
            raise self._refuse("requests", ShareExceeded)
        self._by_caller[caller] += 1
        try:
            yield
        finally:
            self._by_caller[caller] -= 1
            if self._by_caller[caller] == 0:
                del self._by_caller[caller]

    @contextmanager
    def count_incoming(self, body: IncomingBody, senders: Sequence[str]) -> Iterator[None]:
        """Count a request that is in progress, of callers named as its senders, as incoming instead, while its body is received.

        The oldest bodies of a sender, and of all, end early when there are too many. Raises `ServerBusy` if too many requests are
        in progress when the body is complete.
        """
        counted = [sender for sender in senders if self._by_caller[sender] > 0]
        self._add_incoming(body, senders)
        self._in_progress -= 1
        self._by_caller.subtract(counted)
        try:
            yield
        finally:
            self._in_progress += 1
            self._by_caller.update(counted)
            self._remove_incoming(body, senders)
        if self._in_progress > self._max_requests or any(self._by_caller[caller] > self._max_by_caller for caller in counted):
            raise self._refuse("requests")

    def _add_incoming(self, body: IncomingBody, senders: Sequence[str]) -> None:
        self._incoming[body] = None
        for sender in senders:
            mine = self._by_sender.setdefault(sender, OrderedDict())
            mine[body] = None
            if len(mine) > self._max_incoming_by_sender:
                self._end_oldest(mine)
        if len(self._incoming) > self._max_incoming:
            self._end_oldest(self._incoming)

    def _end_oldest(self, bodies: OrderedDict[IncomingBody, None]) -> None:
        oldest = next(iter(bodies))
        if not oldest.is_ended_early:
            self._on_refused("bodies")
        oldest.end_early()
        del bodies[oldest]
        self._incoming.pop(oldest, None)

    def _remove_incoming(self, body: IncomingBody, senders: Sequence[str]) -> None:
        self._incoming.pop(body, None)
        for sender in senders:
            mine = self._by_sender.get(sender)
            if mine is None:
                continue
            with suppress(KeyError):
                del mine[body]
            if not mine:
                del self._by_sender[sender]

    def _refuse(self, full: str, kind: type[ServerBusy] = ServerBusy) -> ServerBusy:
        self._on_refused(full)
        return build_overload_error(random.choice(RETRY_S), kind=kind)  # noqa: S311 - not a secret
