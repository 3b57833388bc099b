"""Serve the sandbox over HTTP: each publisher's files at `/{host}/{path}`, live registers and web sites.

Only URLs in the route table are served. Request paths are never joined to a folder. The server writes no files.
"""

import os
from collections.abc import Mapping
from email.utils import parsedate_to_datetime
from pathlib import Path
from urllib.parse import unquote

import anyio
from starlette.applications import Starlette
from starlette.datastructures import Headers
from starlette.requests import Request
from starlette.responses import FileResponse, PlainTextResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp

from bonafide.errors import ConfigurationError
from bonafide.i18n.message import Message
from bonafide_sandbox.protocols import ENDPOINTS, ProtocolEndpoint, ProtocolRequest
from bonafide_sandbox.publisher_faults import FaultRegistry
from bonafide_sandbox.sites.catalog import load_catalog
from bonafide_sandbox.sites.serving import create_response, is_site
from bonafide_sandbox.slow_registers import SlowRegisters
from bonafide_sandbox.world.directory import BusinessDirectory

MEDIA_TYPES = {
    ".csv": "text/csv",
    ".xml": "application/xml",
    ".xls": "application/vnd.ms-excel",
}
"""Media types by file extension. The system's table is not used because it differs between machines."""
OTHER_MEDIA_TYPE = "application/octet-stream"


def create_sandbox_app(
    folder: Path,
    routes: Mapping[str, str],
    faults: FaultRegistry | None = None,
    directory: BusinessDirectory | None = None,
    slow: SlowRegisters | None = None,
) -> ASGIApp:
    """Create a server for a world's files, given the path of each URL. With `directory`, live registers and sites are served too.

    With `slow`, registrations marked as slow in the sandbox data are refused at first. Without it, every register responds
    immediately.

    Raises `ConfigurationError` if a path is outside the folder. A missing file returns 404 when it is requested.
    """
    files = {_normalise_url(url): (url, _resolve_inside(folder, path)) for url, path in routes.items()}
    broken = faults if faults is not None else FaultRegistry()

    async def publish(request: Request) -> Response:
        query = f"?{request.url.query}" if request.url.query else ""
        url, file = files.get(request.scope["path"].removeprefix("/") + query, (None, None))
        if url is None or file is None:
            return await _answer_live(request, broken, directory, slow) if directory is not None else _create_not_found()
        media_type = MEDIA_TYPES.get(file.suffix, OTHER_MEDIA_TYPE)
        fault = broken.at(url)
        answer = await fault.answer(file, media_type) if fault is not None else None
        return answer if answer is not None else await _serve_file(request, file, media_type)

    return Starlette(routes=[Route("/{address:path}", publish, methods=["GET", "POST"])])


async def _answer_live(
    request: Request, broken: FaultRegistry, directory: BusinessDirectory, slow: SlowRegisters | None
) -> Response:
    """Return the response of the web site or live register at this URL, or the register's fault."""
    address = request.scope["path"].removeprefix("/")
    if is_site(address):
        return await anyio.to_thread.run_sync(create_response, load_catalog(directory.seed, directory.day), address)
    endpoint = max((known for known in ENDPOINTS if address.startswith(known.prefix)), key=_prefix_length, default=None)
    if endpoint is None:
        return _create_not_found()
    fault = broken.of(endpoint.source)
    answer = await fault.answer(Path(), OTHER_MEDIA_TYPE) if fault is not None else None
    if answer is not None:
        return answer
    headers = {name.lower(): value for name, value in request.headers.items()}
    path = address.removeprefix(endpoint.prefix)
    protocol_request = ProtocolRequest(request.method, path, dict(request.query_params), headers, await request.body())
    refusal = slow.refusal(endpoint, protocol_request) if slow is not None else None
    return refusal if refusal is not None else await anyio.to_thread.run_sync(endpoint.answer, protocol_request, directory)


def _prefix_length(endpoint: ProtocolEndpoint) -> int:
    return len(endpoint.prefix)


def _normalise_url(url: str) -> str:
    """Return `host/path?query` with the path percent-decoded."""
    path, mark, query = url.partition("://")[2].partition("?")
    return unquote(path) + mark + query


def _resolve_inside(folder: Path, path: str) -> Path:
    file = (folder / path).resolve()
    if not file.is_relative_to(folder.resolve()):
        raise ConfigurationError(Message.untranslated(f"{path} is not in the sandbox folder"))
    return file


async def _serve_file(request: Request, file: Path, media_type: str) -> Response:
    """Return the file, a range of it, or 304 if it has not changed."""
    try:
        stat = await anyio.Path(file).stat()
    except FileNotFoundError:
        return _create_not_found()
    response = FileResponse(file, media_type=media_type, stat_result=os.stat_result(stat))
    if _is_not_modified(request.headers, response.headers):
        kept = {name: response.headers[name] for name in ("etag", "last-modified")}
        return Response(status_code=304, headers=kept)
    return response


def _is_not_modified(request_headers: Headers, answer: Mapping[str, str]) -> bool:
    """Return whether the client's version is current: by ETag if sent, otherwise by date (RFC 9110, section 13.2.2)."""
    tags = request_headers.get("if-none-match")
    if tags is not None:
        return answer["etag"] in [tag.strip().removeprefix("W/") for tag in tags.split(",")] or tags.strip() == "*"
    since = request_headers.get("if-modified-since")
    try:
        return since is not None and parsedate_to_datetime(answer["last-modified"]) <= parsedate_to_datetime(since)
    except (TypeError, ValueError):
        return False


def _create_not_found() -> Response:
    return PlainTextResponse("The sandbox has no resource at this URL.\n", 404)
