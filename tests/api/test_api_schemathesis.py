"""The description held against the service, as a client would meet it: over HTTP, with valid requests and with broken ones."""

import asyncio
import sys
from pathlib import Path

import pytest
from fastapi import FastAPI

from bonafide.app.application import create_app
from bonafide.model.accounts.organizations import World
from bonafide.runtime import Runtime
from bonafide.settings import Settings
from tests.support.api.clients import HIGH_LIMIT, NewKey
from tests.support.sampling import WHOLE
from tests.support.servers.asgi_server import served
from tests.support.waiting import LOOKUP_S

pytestmark = [pytest.mark.anyio, pytest.mark.slow]
EXAMPLES = "10" if WHOLE else "3"
"""For each operation; the description is small."""
CONFIGURATION = """
[checks.negative_data_rejection]
# What schemathesis expects, and 413: a body may be refused before its shape is looked at.
expected-statuses = [400, 401, 403, 404, 405, 406, 409, 413, 415, 422, 428, 429, "5xx"]
"""


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    """A service that does not mind being called a thousand times without a key."""
    return Settings(data_dir=tmp_path, lookup_timeout_s=LOOKUP_S, search_deadline_s=2 * LOOKUP_S, anonymous_rate_limit=HIGH_LIMIT)


@pytest.fixture
def app(sandbox_runtime: Runtime) -> FastAPI:
    return create_app(sandbox_runtime)


async def test_the_service_answers_as_it_is_described(app: FastAPI, new_key: NewKey, tmp_path: Path, database_url: str) -> None:
    # One way of giving the key on each database: what follows the key is the same.
    header = "Authorization: Bearer " if database_url.startswith("sqlite") else "X-API-Key: "
    (tmp_path / "schemathesis.toml").write_text(CONFIGURATION, encoding="utf-8")
    async with served(app) as address:
        checking = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "schemathesis.cli", "run", f"{address}/openapi.json"),
            *(
                "--header",
                f"{header}{await new_key(world=World.SANDBOX)}",
                "--max-examples",
                EXAMPLES,
                "--generation-database",
                "none",
            ),
            # By the contract some requests are refused that a schema can't refuse: a match of another search is 400.
            *("--exclude-checks", "positive_data_acceptance"),
            cwd=tmp_path,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.STDOUT,
        )
        output, _ = await checking.communicate()
    assert checking.returncode == 0, output.decode()
