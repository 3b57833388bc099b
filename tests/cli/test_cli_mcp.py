"""`bonafide mcp`: the tools of a key over standard input and output, from local data and from a service."""

import os
import sys
from pathlib import Path

import httpx2
import pytest
from mcp import StdioServerParameters
from mcp.client.client import Client
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.exceptions import MCPError
from typing_extensions import override

from bonafide.app.application import create_app
from bonafide.cli.serving.mcp_forwarding import ForwardingRefused, ServiceClient, create_forwarding_server, forward_stdio
from bonafide.model.accounts.organizations import KeyRequest, Scope, World
from bonafide.runtime import open_runtime
from bonafide.services.accounts import api_access
from bonafide.settings import Settings
from tests.support.api.clients import BASE
from tests.support.cli_commands import Command
from tests.support.servers.asgi_server import served
from tests.support.servers.ports import HOST, free_port

REQUEST = KeyRequest(organization="North", scopes=(Scope.EVENTS_READ,), world=World.SANDBOX)


@pytest.mark.slow
@pytest.mark.anyio
async def test_the_tools_are_those_of_the_key(tmp_path: Path) -> None:
    async with open_runtime(Settings(data_dir=tmp_path)) as runtime:
        key = (await api_access.create_key(runtime, REQUEST)).text
    environment = {"BONAFIDE_API_KEY": key, "PYTHONPATH": os.environ.get("PYTHONPATH", "")}
    arguments = ["-m", "bonafide", "mcp", "--data-dir", str(tmp_path)]
    async with Client(StdioServerParameters(command=sys.executable, args=arguments, env=environment)) as client:
        tools = (await client.list_tools()).tools
        answer = (await client.call_tool("list_events", {})).structured_content
    assert [tool.name for tool in tools] == ["list_events"]
    assert answer["result"]["hasMore"] is False


class InterruptedTransport(httpx2.ASGITransport):
    """The transport to a service that can't be reached while `is_down`."""

    is_down = False

    @override
    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        if self.is_down:
            raise httpx2.ConnectError("connection refused")
        return await super().handle_async_request(request)


@pytest.mark.anyio
async def test_calls_are_passed_on_to_a_service(tmp_path: Path) -> None:
    async with open_runtime(Settings(data_dir=tmp_path)) as runtime:
        key = (await api_access.create_key(runtime, REQUEST)).text
        transport = InterruptedTransport(create_app(runtime))
        async with (
            ServiceClient(transport=transport, headers={"Authorization": f"Bearer {key}"}) as http,
            Client(streamable_http_client(f"{BASE}/mcp", http_client=http), cache=None) as service,
            Client(create_forwarding_server(service)) as client,
        ):
            tools = (await client.list_tools()).tools
            refused = await client.call_tool("get_coverage", {})
            transport.is_down = True
            with pytest.raises(MCPError, match="connection refused"):
                await client.call_tool("list_events", {})
            transport.is_down = False
            answer = await client.call_tool("list_events", {})
            http.headers["Authorization"] = "Bearer bf_test_revoked"
            with pytest.raises(MCPError, match="401"):
                await client.call_tool("list_events", {})
    assert [tool.name for tool in tools] == ["list_events"]
    assert refused.is_error
    assert not answer.is_error


@pytest.mark.anyio
async def test_a_service_that_refuses_the_key_is_named_at_the_start(tmp_path: Path) -> None:
    async with open_runtime(Settings(data_dir=tmp_path)) as runtime, served(create_app(runtime)) as address:
        for path, reason in (("/mcp", "401"), ("/nowhere/mcp", "404")):
            with pytest.raises(ForwardingRefused, match=reason):
                await forward_stdio(f"{address}{path}", "bf_test_wrong")


def test_a_service_that_is_down_is_named_at_the_start(bonafide: Command) -> None:
    ended = bonafide("mcp", "--url", f"http://{HOST}:{free_port()}", "--key", "bf_test_x")
    assert ended.status == 1
    assert "can’t be reached" in ended.said


def test_an_address_needs_a_key(bonafide: Command) -> None:
    assert "BONAFIDE_API_KEY" in bonafide("mcp", "--url", "https://bonafide.example").said
    assert "https://" in bonafide("mcp", "--url", "bonafide.example", "--key", "bf_test_x").said
