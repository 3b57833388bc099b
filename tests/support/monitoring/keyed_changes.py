"""Clients that change business records through the API until each change is acknowledged, whatever becomes of the service."""

import asyncio
import random
from collections import Counter
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

import httpx2

from tests.support.servers.service_processes import KEY_HEADER
from tests.support.waiting import TIMEOUT_S

CALLERS = 3
RETRY_AFTER_S = 0.05
WATCHED_ONE_IN = 4
"""Of this many changes, one is of what monitoring watches, so that the record is evaluated again."""


@dataclass
class ChangingClients:
    """Several callers with one API key. Each request has an idempotency key and is repeated until it is answered.

    Records are created in the order of `names`, as far as `wanted`; otherwise records that exist are changed.
    """

    url: str
    key: str
    names: Sequence[str]
    chance: random.Random
    wanted: int = 0
    acknowledged: Counter[tuple[str, str]] = field(default_factory=Counter)
    """The acknowledged requests by `externalId` and type of the event."""
    repeated: int = 0
    """Requests that were sent again."""
    _begun: int = 0
    _created: list[str] = field(default_factory=list)
    _ended: asyncio.Event = field(default_factory=asyncio.Event)

    @property
    def created(self) -> int:
        """The number of records whose creation is acknowledged."""
        return len(self._created)

    @asynccontextmanager
    async def changing(self) -> AsyncIterator[None]:
        """Change records while the block runs; then wait until all wanted records exist and every request is acknowledged."""
        async with (
            httpx2.AsyncClient(base_url=self.url, headers={KEY_HEADER: self.key}, timeout=TIMEOUT_S, trust_env=False) as client,
            asyncio.TaskGroup() as callers,
        ):
            for _ in range(CALLERS):
                callers.create_task(self._call(client))
            try:
                yield
            finally:
                self._ended.set()

    async def _call(self, client: httpx2.AsyncClient) -> None:
        while not self._ended.is_set() or self._begun < self.wanted:
            if self._begun < self.wanted:
                name = self.names[self._begun]
                self._begun += 1
                await self._send(client, name, {"name": name, "isMonitored": True})
                self._created.append(name)
            elif self._created:
                await self._send(client, self.chance.choice(self._created), self._draw_change())
            else:
                await asyncio.sleep(RETRY_AFTER_S)

    def _draw_change(self) -> dict[str, Any]:
        """A change that no other request makes."""
        text = f"{self.chance.getrandbits(64):016x}"
        return {"operatingNames": [text]} if self.chance.randrange(WATCHED_ONE_IN) == 0 else {"notes": text}

    async def _send(self, client: httpx2.AsyncClient, external_id: str, fields: dict[str, Any]) -> None:
        headers = {"Idempotency-Key": str(UUID(int=self.chance.getrandbits(128)))}
        while True:
            with suppress(httpx2.TransportError):
                answer = await client.post("/v1/businesses", json={"externalId": external_id, **fields}, headers=headers)
                if answer.is_success:
                    event_type = "business.created" if "isMonitored" in fields else "business.updated"
                    self.acknowledged[external_id, event_type] += 1
                    return
                # The service is busy, or an attempt before it was killed still holds the key.
                assert answer.status_code in {409, 503}, answer.text
            self.repeated += 1
            await asyncio.sleep(RETRY_AFTER_S)
