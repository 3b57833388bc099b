"""Parameters of endpoints besides body and query: the runtime, the id in the path, preferences of the caller."""

import re
from typing import Annotated, cast
from uuid import UUID

from fastapi import Depends, Request
from starlette.datastructures import Headers

from bonafide.errors import FieldProblem
from bonafide.model.pdf_documents import PDF
from bonafide.runtime import Runtime
from bonafide.web.request_context import get_request_context
from bonafide.web.validation_errors import create_validation_error

RESPOND_ASYNC = "respond-async"
_UUID = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.IGNORECASE)


async def _get_runtime(request: Request) -> Runtime:
    return cast("Runtime", request.app.state.runtime)


async def _parse_path_id(request: Request) -> UUID:
    text = request.path_params["id"]
    if _UUID.fullmatch(text) is None:
        raise create_validation_error([FieldProblem("id", "must be a UUID")])
    return UUID(text)


async def _read_respond_async(request: Request) -> bool:
    return prefers_async(request.headers)


async def _measure_wait(request: Request) -> float:
    return get_request_context(request.scope).age_s


def prefers_async(headers: Headers) -> bool:
    """Whether these headers ask for an answer before the work is done."""
    preferences = ",".join(headers.getlist("prefer")).split(",")
    return any(preference.partition(";")[0].strip().casefold() == RESPOND_ASYNC for preference in preferences)


ServedRuntime = Annotated[Runtime, Depends(_get_runtime)]
PathId = Annotated[UUID, Depends(_parse_path_id)]
"""The `{id}` of the path. Raises `ValidationFailed` for anything but a UUID."""
RespondAsync = Annotated[bool, Depends(_read_respond_async)]
"""Whether the caller prefers an answer before the work is done (RFC 7240, `Prefer: respond-async`)."""
WaitedSeconds = Annotated[float, Depends(_measure_wait)]
"""How long ago the request arrived."""


JSON_MEDIA_TYPE = "application/json"
_MEDIA_RANGE = re.compile(r"\s*([\w.+*-]+/[\w.+*-]+)\s*(?:;[^,]*?)??(?:;\s*q\s*=\s*([01](?:\.\d{0,3})?)\s*)?", re.ASCII)


def prefers_pdf(header: str) -> bool:
    """Whether the header names PDF and likes nothing better; a browser that takes anything is given JSON."""
    weights = {
        found[1].lower(): float(found[2] if found[2] is not None else 1)
        for found in map(_MEDIA_RANGE.fullmatch, header.split(","))
        if found
    }
    wanted = weights.get(PDF, 0.0)
    return wanted > 0 and wanted >= weights.get(JSON_MEDIA_TYPE, 0.0)


async def _read_prefers_pdf(request: Request) -> bool:
    return prefers_pdf(",".join(request.headers.getlist("accept")))


PrefersPdf = Annotated[bool, Depends(_read_prefers_pdf)]
"""A parameter: whether the answer is to be the file itself."""
