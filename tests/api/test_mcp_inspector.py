"""The MCP Inspector, a client that others maintain, uses the MCP server over HTTP and over standard input and output."""

import asyncio
import json
import os
import sys
from pathlib import Path
from typing import Any

import pytest
from fastapi import FastAPI

from bonafide.app.application import create_app
from bonafide.model.accounts.organizations import World
from bonafide.runtime import Runtime
from tests.support.api.clients import NewKey
from tests.support.node.packages import install_packages
from tests.support.servers.asgi_server import served
from tests.support.waiting import TIMEOUT_S

pytestmark = [pytest.mark.anyio, pytest.mark.slow]
TOOLS = 8


@pytest.fixture
def app(sandbox_runtime: Runtime) -> FastAPI:
    return create_app(sandbox_runtime)


@pytest.fixture(scope="session")
def inspector() -> Path:
    return install_packages("inspector") / ".bin" / "mcp-inspector"


async def inspect(inspector: Path, *arguments: str) -> dict[str, Any]:
    """What the inspector prints about one request."""
    process = await asyncio.create_subprocess_exec(
        "node", str(inspector), "--cli", *arguments, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE
    )
    out, err = await asyncio.wait_for(process.communicate(), TIMEOUT_S)
    assert process.returncode == 0, err.decode()[-2000:]
    printed: dict[str, Any] = json.loads(out)
    return printed


async def test_the_inspector_calls_tools_over_http(app: FastAPI, new_key: NewKey, inspector: Path) -> None:
    key = await new_key(world=World.SANDBOX)
    async with served(app) as address:
        server = [f"{address}/mcp", "--transport", "http", "--header", f"Authorization: Bearer {key}"]
        tools = (await inspect(inspector, *server, "--method", "tools/list"))["tools"]
        call = ["--method", "tools/call", "--tool-name", "search_business", "--tool-arg", "name=Sandbox Bakery Inc."]
        found = await inspect(inspector, *server, *call)
    assert len(tools) == TOOLS
    assert found["structuredContent"]["result"]["businesses"][0]["legalName"] == "Sandbox Bakery Inc."


async def test_the_inspector_calls_tools_of_the_command(inspector: Path, tmp_path: Path) -> None:
    # The inspector passes only some variables of its environment on.
    environment = ["env", f"PYTHONPATH={os.environ.get('PYTHONPATH', '')}"]
    server = [*environment, sys.executable, "-m", "bonafide", "mcp", "--sandbox", "--data-dir", str(tmp_path)]
    tools = (await inspect(inspector, *server, "--method", "tools/list"))["tools"]
    call = ["--method", "tools/call", "--tool-name", "get_coverage", "--tool-arg", "jurisdiction=ON"]
    answer = (await inspect(inspector, *server, *call))["structuredContent"]
    assert len(tools) == TOOLS
    assert answer["isComplete"] is False
    assert "on" in {what for item in answer["couldNotCheck"] for what in item["what"]}
