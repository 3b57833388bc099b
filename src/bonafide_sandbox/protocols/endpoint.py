"""A live register of the sandbox: its addresses and the function that handles a request."""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from starlette.responses import Response

from bonafide.model.jurisdiction import Jurisdiction
from bonafide_sandbox.world.directory import BusinessDirectory


@dataclass(frozen=True, slots=True)
class ProtocolRequest:
    """A request as a register sees it: what follows the endpoint's prefix in the path, the query's pairs, headers, body."""

    method: str
    path: str
    params: Mapping[str, str]
    """Where a name stands twice, the last."""
    headers: Mapping[str, str]
    """By name in lower case."""
    body: bytes


@dataclass(frozen=True, slots=True)
class ProtocolEndpoint:
    """Addresses that begin with `prefix` (`host/path`), and whose they are."""

    source: str
    """The key of the source that is asked here: a fault put on the source breaks all its endpoints."""
    prefix: str
    answer: Callable[[ProtocolRequest, BusinessDirectory], Response]
    """Runs in a thread."""
    parse_report_request: Callable[[ProtocolRequest], tuple[Jurisdiction, str] | None] | None = None
    """Of which registration a request wants the report; None for any other request. Without one nothing here is ever slow."""


def create_json_response(content: Any, status: int = 200, media_type: str = "application/json") -> Response:
    """An answer in JSON."""
    return Response(json.dumps(content, ensure_ascii=False), status, media_type=media_type)
