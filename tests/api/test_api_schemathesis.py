"""The description held against the service, as a client would meet it: over HTTP, with valid requests and with broken ones."""

import asyncio
import threading
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from queue import Queue

import pytest
import schemathesis
import uvicorn
from hypothesis import HealthCheck, settings

from bonafide.api.app import create_app
from bonafide.model.organization import KeyRequest
from bonafide.runtime import open_runtime
from bonafide.services import accounts
from bonafide.settings import Settings

MAX_EXAMPLES = 40
"""For each operation; its description is small."""


@dataclass(frozen=True)
class ServedApp:
    """A running service and a key to it."""

    address: str
    key: str


@pytest.fixture(scope="module")
def served_app(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServedApp]:
    """The service over a new database, served by a thread of its own."""
    ready: Queue[ServedApp] = Queue()
    servers: list[uvicorn.Server] = []

    async def serve() -> None:
        folder: Path = tmp_path_factory.mktemp("served")
        async with open_runtime(Settings(data_dir=folder), sources={}) as runtime:
            key = await accounts.create_key(runtime, KeyRequest(organization="North", rate_limit=1_000_000))
            server = uvicorn.Server(uvicorn.Config(create_app(runtime), port=0, log_config=None, lifespan="off", ws="none"))
            servers.append(server)
            serving = asyncio.create_task(server.serve())
            while not server.started:  # noqa: ASYNC110 - uvicorn tells by a flag alone
                await asyncio.sleep(0.01)
            port = server.servers[0].sockets[0].getsockname()[1]
            ready.put(ServedApp(f"http://127.0.0.1:{port}", key.text))
            await serving

    thread = threading.Thread(target=asyncio.run, args=(serve(),))
    thread.start()
    yield ready.get(timeout=30)
    servers[0].should_exit = True
    thread.join(timeout=30)


@pytest.fixture(scope="module")
def description(served_app: ServedApp) -> schemathesis.BaseSchema:
    return schemathesis.openapi.from_url(f"{served_app.address}/openapi.json")


schema = schemathesis.pytest.from_fixture("description")


@pytest.mark.slow
@schema.parametrize()
@settings(max_examples=MAX_EXAMPLES, deadline=None, suppress_health_check=list(HealthCheck))
def test_the_service_answers_as_described(case: schemathesis.Case, served_app: ServedApp) -> None:
    case.call_and_validate(headers={"X-API-Key": served_app.key})
