"""Pass the calls of an MCP client on standard input on to the MCP server of a service."""

from contextlib import AsyncExitStack
from typing import Any

import httpx2
from mcp.client.client import Client
from mcp.client.streamable_http import streamable_http_client
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel.server import Server
from mcp.server.stdio import stdio_server
from mcp.shared.exceptions import MCPError
from mcp_types import (
    INTERNAL_ERROR,
    CallToolRequestParams,
    CallToolResult,
    ErrorData,
    JSONRPCError,
    ListToolsResult,
    PaginatedRequestParams,
)
from typing_extensions import override

from bonafide.api.mcp.protocol_server import build_protocol_server
from bonafide.cli.translation import localize
from bonafide.errors import BonafideError
from bonafide.i18n.message import Message

TIMEOUT_S = 60.0
"""The longest answer takes less: a search ends by its deadline, and `verify_business` does not wait longer for a register."""


class ForwardingRefused(BonafideError):
    """The service can't be reached when the command starts, or refuses its key."""

    default_message = Message("The service refuses the request.")


class ServiceClient(httpx2.AsyncClient):
    """The HTTP client of one service. A request that fails is answered with an error of the protocol, so that only its call fails.

    The client of the SDK ends with the first connection that breaks, and does not pass on what a service says.
    """

    failure: Message | None = None
    """Why the latest request failed; None if it succeeded."""

    @override
    async def send(self, request: httpx2.Request, **options: Any) -> httpx2.Response:
        """The response to a request. Raises nothing if there is none."""
        try:
            response = await super().send(request, **options)
            # The service answers with one JSON document, never with a stream.
            await response.aread()
        except httpx2.RequestError as error:
            reason = Message("The service can’t be reached ({problem}).", problem=str(error) or type(error).__name__)
            return self._fail(request, httpx2.codes.BAD_GATEWAY, reason)
        if request.method == "POST" and response.is_error:
            return self._fail(request, response.status_code, describe_refusal(response))
        self.failure = None
        return response

    def _fail(self, request: httpx2.Request, status: int, reason: Message) -> httpx2.Response:
        self.failure = reason
        error = JSONRPCError(jsonrpc="2.0", id=None, error=ErrorData(code=INTERNAL_ERROR, message=localize(reason)))
        return httpx2.Response(status, json=error.model_dump(mode="json"), request=request)


def describe_refusal(response: httpx2.Response) -> Message:
    """The status of an error response, with the sentence of the service if it has one."""
    try:
        sentence = str(response.json()["error"])
    except (ValueError, KeyError, TypeError):
        sentence = response.reason_phrase
    return Message("The service responds {status}: {problem}", status=response.status_code, problem=sentence)


async def forward_stdio(address: str, key: str) -> None:
    """Answer requests on standard input with the answers of the service at this address, until the input ends.

    Raises `ForwardingRefused`.
    """
    async with ServiceClient(headers={"Authorization": f"Bearer {key}"}, timeout=TIMEOUT_S) as http, AsyncExitStack() as stack:
        try:
            client = await stack.enter_async_context(Client(streamable_http_client(address, http_client=http), cache=None))
        except (MCPError, ExceptionGroup) as error:
            not_a_service = Message("There is no bonafide service at {url}.", url=address)
            raise ForwardingRefused(http.failure if http.failure is not None else not_a_service) from error
        received, sent = await stack.enter_async_context(stdio_server())
        server = create_forwarding_server(client)
        await server.run(received, sent, server.create_initialization_options())


def create_forwarding_server(client: Client) -> Server[Any]:
    """A server whose tools are those that the client's server offers."""

    async def answer_list(_: ServerRequestContext[Any], __: PaginatedRequestParams | None) -> ListToolsResult:
        return await client.list_tools()

    async def answer_call(_: ServerRequestContext[Any], params: CallToolRequestParams) -> CallToolResult:
        return await client.call_tool(params.name, params.arguments)

    return build_protocol_server(answer_list, answer_call)
