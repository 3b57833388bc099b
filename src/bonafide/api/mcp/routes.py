"""The route of the MCP server: `POST /mcp`, streamable HTTP.

There are no sessions and no streams that the server opens (`GET` and `DELETE` are refused): each message is answered by itself.
"""

import asyncio
from importlib import import_module
from urllib.parse import urlsplit

from fastapi import APIRouter, Request
from starlette.responses import Response
from starlette.types import Message as ServerMessage
from starlette.types import Receive, Scope, Send

from bonafide.api.mcp.tools import ToolCaller
from bonafide.api.protocol.request_body import read_body
from bonafide.errors import Forbidden
from bonafide.i18n.message import Message
from bonafide.runtime import Runtime
from bonafide.web.request_context import get_request_context

PATH = "/mcp"
_SERVER_MODULE = "bonafide.api.mcp.protocol_server"
router = APIRouter()


@router.post(PATH, include_in_schema=False)
async def serve(request: Request) -> Response:
    """Answer a message of an MCP client with the rights of its API key."""
    context = get_request_context(request.scope)
    runtime: Runtime = request.app.state.runtime
    caller = ToolCaller(runtime, context.principal, context.language, context.request_id)
    _check_origin(request)
    return McpResponse(caller, await read_body(request))


class McpResponse(Response):
    """The response of the MCP server to a message that has been received."""

    def __init__(self, caller: ToolCaller, body: bytes) -> None:
        super().__init__()
        self._caller = caller
        self._message = body

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send the response."""
        server = await asyncio.to_thread(import_module, _SERVER_MODULE)
        await server.serve_request(self._caller, scope, _replay(self._message, receive), send)


def _replay(body: bytes, receive: Receive) -> Receive:
    """A function that returns the body, which has been received already, and then what the client sends next."""
    is_replayed = False

    async def receive_again() -> ServerMessage:
        nonlocal is_replayed
        if is_replayed:
            return await receive()
        is_replayed = True
        return {"type": "http.request", "body": body, "more_body": False}

    return receive_again


def _check_origin(request: Request) -> None:
    """Refuse pages of other sites (`Origin`), as the protocol requires. Programs send no origin."""
    origin = request.headers.get("origin")
    if origin is not None and urlsplit(origin).netloc != request.headers.get("host"):
        raise Forbidden(Message("Requests from pages of other sites are refused."))
