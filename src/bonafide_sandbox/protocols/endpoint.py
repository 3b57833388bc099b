"""A live register of the sandbox: its URL prefix and its request handler."""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from starlette.responses import Response

from bonafide.model.jurisdiction import Jurisdiction
from bonafide_sandbox.world.directory import BusinessDirectory


@dataclass(frozen=True, slots=True)
class ProtocolRequest:
    """A request as a register receives it: the path after the endpoint's prefix, query parameters, headers and body."""

    method: str
    path: str
    params: Mapping[str, str]
    """For a repeated parameter, the last value."""
    headers: Mapping[str, str]
    """Names are in lower case."""
    body: bytes


@dataclass(frozen=True, slots=True)
class ProtocolEndpoint:
    """The URLs that start with `prefix` (`host/path`), and the source that they belong to."""

    source: str
    """The key of the source that queries this endpoint. A fault set for the source applies to all its endpoints."""
    prefix: str
    answer: Callable[[ProtocolRequest, BusinessDirectory], Response]
    """Runs in a worker thread."""
    parse_report_request: Callable[[ProtocolRequest], tuple[Jurisdiction, str] | None] | None = None
    """Returns the registration whose report is requested, or None for other requests. If None, the endpoint is never slow."""


def create_json_response(content: Any, status: int = 200, media_type: str = "application/json") -> Response:
    """Create a JSON response."""
    return Response(json.dumps(content, ensure_ascii=False), status, media_type=media_type)
