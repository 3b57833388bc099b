"""A server that is killed in the middle of requests with idempotency keys, and clients that repeat them until they are answered."""

import asyncio
import random
import sqlite3
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from threading import Lock
from typing import Any
from uuid import uuid4

import httpx2
from sqlalchemy import URL, make_url

from bonafide.model.accounts.organizations import KeyRequest, World
from bonafide.runtime import open_runtime
from bonafide.services.accounts.api_access import create_key
from bonafide.settings import Settings
from tests.support.fleet.processes import wait_for
from tests.support.servers.forked_services import Forked, forked
from tests.support.servers.ports import HOST, free_port
from tests.support.servers.postgres import as_psycopg
from tests.support.waiting import TIMEOUT_S

CALLERS = 6
MOST_ANSWERS = 6
"""Of a server before it is killed."""


@dataclass(frozen=True)
class KeyedRequest:
    """A request whose effect is found again by its key."""

    path: str
    key: str = field(default_factory=lambda: uuid4().hex)
    is_async: bool = False

    @property
    def body(self) -> dict[str, Any]:
        """What is sent; the key is the name in it."""
        if self.path == "/v1/verify":
            return {"legalName": f"Numbered {self.key}", "jurisdiction": "BC", "registrationNumber": "BC1234567"}
        return {"name": f"Numbered {self.key}"}

    @property
    def headers(self) -> dict[str, str]:
        """Its headers."""
        return {"Idempotency-Key": self.key, **({"Prefer": "respond-async"} if self.is_async else {})}


def draw_request() -> KeyedRequest:
    """A request of any kind."""
    path = random.choice(["/v1/businesses", "/v1/search", "/v1/search", "/v1/verify"])  # noqa: S311 - a sample
    return KeyedRequest(path, is_async=path == "/v1/search" and random.random() < 0.5)  # noqa: S311 - a sample


def is_to_be_repeated(answer: httpx2.Response) -> bool:
    """Whether the machine is busy, or an earlier attempt holds the key."""
    return answer.status_code == 503 or (answer.status_code == 409 and "still in progress" in answer.text)


@dataclass
class KilledServer:
    """`bonafide serve` on a database, started again and again."""

    folder: Path
    database: URL
    api_key: str
    answered: dict[KeyedRequest, httpx2.Response] = field(default_factory=dict)
    unanswered: list[KeyedRequest] = field(default_factory=list)
    repeated: int = 0
    """How many requests a server did not answer, and were sent again."""
    _lock: Lock = field(default_factory=Lock)

    @classmethod
    def on(cls, folder: Path, database_url: str) -> "KilledServer":
        """A server on an empty database, with a key."""

        async def make_key() -> str:
            settings = Settings(data_dir=folder, database_url=database_url)
            async with open_runtime(settings) as runtime:
                wanted = KeyRequest(organization="North", rate_limit=1_000_000, world=World.SANDBOX)
                return (await create_key(runtime, wanted)).text

        return cls(folder, make_url(database_url), asyncio.run(make_key()))

    @contextmanager
    def running(self) -> Iterator[tuple[Forked, httpx2.Client]]:
        """The server, ready; killed at the end."""
        port = free_port()
        environment = {
            "BONAFIDE_DATABASE_URL": self.database.render_as_string(hide_password=False),
            "BONAFIDE_MAX_QUEUED_JOBS": "100000",
            "BONAFIDE_RENEW": "off",
        }
        words = ("serve", "--port", str(port), "--data-dir", self.folder)
        root, headers = f"http://{HOST}:{port}", {"X-API-Key": self.api_key}
        with (
            forked(self.folder / "log", *words, **environment) as process,
            httpx2.Client(base_url=root, headers=headers, timeout=TIMEOUT_S, trust_env=False) as client,
        ):
            wait_for("the server", lambda: self._is_ready(process, client))
            yield process, client

    @staticmethod
    def _is_ready(process: Forked, client: httpx2.Client) -> bool:
        assert process.process.is_alive(), process.written()[-4000:]
        try:
            return client.get("/readyz").is_success
        except httpx2.TransportError:
            return False

    def kill_in_the_middle(self) -> None:
        """Start it, send it requests without a pause from several callers, and kill it after some answers."""
        goal = len(self.answered) + random.randrange(MOST_ANSWERS)  # noqa: S311 - any moment
        with self.running() as (process, client), ThreadPoolExecutor(CALLERS) as callers:
            calling = [callers.submit(self._call_until_killed, client) for _ in range(CALLERS)]
            try:
                wait_for("answers", lambda: len(self.answered) > goal)
            finally:
                process.kill()
            for one in calling:
                one.result()

    def _call_until_killed(self, client: httpx2.Client) -> None:
        is_alive = True
        while is_alive:
            with self._lock:
                is_repeated = bool(self.unanswered) and random.random() < 0.5  # noqa: S311 - a sample
                request = self.unanswered.pop(0) if is_repeated else draw_request()
                self.repeated += is_repeated
            is_alive = self._send(client, request)

    def answer_all(self) -> None:
        """Start it, and repeat every request that was not answered."""
        with self.running() as (_, client), ThreadPoolExecutor(CALLERS) as callers:
            while self.unanswered:
                waiting, self.unanswered = self.unanswered, []
                self.repeated += len(waiting)
                assert all(callers.map(lambda request: self._send(client, request), waiting))

    def compare(self, count: int) -> None:
        """Start it, and repeat the newest requests that were answered: the answer is the same to the byte."""
        with self.running() as (_, client):
            for request, answer in list(self.answered.items())[-count:]:
                while is_to_be_repeated(again := self._post(client, request)):
                    pass
                assert (again.status_code, again.content) == (answer.status_code, answer.content), request
                assert again.headers["Idempotent-Replayed"] == "true"

    def _send(self, client: httpx2.Client, request: KeyedRequest) -> bool:
        """Whether the server is alive. A request without a response is sent again later."""
        try:
            answer = self._post(client, request)
        except httpx2.TransportError:
            answer = None
        if answer is None or is_to_be_repeated(answer):
            with self._lock:
                self.unanswered.append(request)
            return answer is not None
        assert answer.is_success, answer.text
        with self._lock:
            self.answered[request] = answer
        return True

    @staticmethod
    def _post(client: httpx2.Client, request: KeyedRequest) -> httpx2.Response:
        return client.post(request.path, json=request.body, headers=request.headers)

    def count_effects(self) -> Counter[str]:
        """How often each key's work was done, by the rows that the database has."""
        found: Counter[str] = Counter()
        for statement in (
            "SELECT document FROM businesses",
            "SELECT request FROM searches",
            "SELECT request FROM verifications",
        ):
            for (text,) in self.rows(statement):
                found[text.split("Numbered ", 1)[1][:32]] += 1
        return found

    def rows(self, statement: str) -> list[tuple[Any, ...]]:
        """What the database itself says."""
        if self.database.get_backend_name() == "postgresql":
            with as_psycopg(self.database) as connection:
                return connection.execute(statement.encode()).fetchall()
        with closing(sqlite3.connect(str(self.database.database), timeout=TIMEOUT_S)) as connection:
            return connection.execute(statement).fetchall()

    def execute(self, *statements: str) -> None:
        """Change the database from outside."""
        if self.database.get_backend_name() == "postgresql":
            with as_psycopg(self.database) as connection:
                for statement in statements:
                    connection.execute(statement.encode())
            return
        with closing(sqlite3.connect(str(self.database.database), timeout=TIMEOUT_S)) as connection:
            for statement in statements:
                connection.execute(statement)
            connection.commit()
