"""What endpoints take from a request besides its body and its query: the runtime, the id in the path, the preference."""

import re
from typing import Annotated, cast
from uuid import UUID

from fastapi import Depends, Request
from starlette.datastructures import Headers

from bonafide.errors import FieldProblem
from bonafide.runtime import Runtime
from bonafide.web.exchange import exchange_of
from bonafide.web.problems import refused

RESPOND_ASYNC = "respond-async"
_UUID = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.IGNORECASE)


async def _runtime(request: Request) -> Runtime:
    return cast("Runtime", request.app.state.runtime)


async def _id_in_path(request: Request) -> UUID:
    text = request.path_params["id"]
    if _UUID.fullmatch(text) is None:
        raise refused([FieldProblem("id", "must be a UUID")])
    return UUID(text)


async def _respond_async(request: Request) -> bool:
    return prefers_async(request.headers)


async def _waited_s(request: Request) -> float:
    return exchange_of(request.scope).age_s


def prefers_async(headers: Headers) -> bool:
    """Whether these headers ask for an answer before the work is done."""
    preferences = ",".join(headers.getlist("prefer")).split(",")
    return any(preference.partition(";")[0].strip().casefold() == RESPOND_ASYNC for preference in preferences)


ServedRuntime = Annotated[Runtime, Depends(_runtime)]
PathId = Annotated[UUID, Depends(_id_in_path)]
"""The `{id}` of the path. Raises `ValidationFailed` for anything but a UUID."""
RespondAsync = Annotated[bool, Depends(_respond_async)]
"""Whether the caller prefers an answer before the work is done (RFC 7240, `Prefer: respond-async`)."""
WaitedSeconds = Annotated[float, Depends(_waited_s)]
"""How long ago the request arrived."""
