"""Honour `Idempotency-Key`: run a repeated POST once and replay its stored response.

The response is stored in the transaction of what the request changes (`respond_once`), so that a request whose process dies is
either replayed or has changed nothing. The response to a request that changes nothing is stored when it is sent, client errors
included. Server errors (500 and above) and errors of the API key (401, 403) are not stored, so that a retry can succeed; nor is
anything for a body that could not be read.
"""

import asyncio
import hashlib
import re
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import replace
from datetime import datetime, timedelta
from time import monotonic
from typing import TypeVar
from uuid import UUID

from fastapi import Request
from starlette.responses import Response

from bonafide.api.protocol.request_body import read_body
from bonafide.api.protocol.response_encryption import decrypt_response, encrypt_response
from bonafide.api.protocol.response_storage import Models, to_stored_response, write_again
from bonafide.api.protocol.responses import build_error_response
from bonafide.api.protocol.unknown_fields import WARNING
from bonafide.errors import ApiError, BonafideError, Conflict, ValidationFailed
from bonafide.i18n.message import Message
from bonafide.runtime import Runtime
from bonafide.store.database.commit_guard import get_commit_guard
from bonafide.store.work import idempotency
from bonafide.store.work.idempotency import (
    IdempotentRequest,
    ReplayedResponse,
    RequestInProgress,
    ReservedKey,
    ReusedKey,
    StoredResponse,
)
from bonafide.store.work.pending_key import IN_PROGRESS, PendingKey
from bonafide.web.request_context import Handler, get_request_context

BodyReader = Callable[[Request], Awaitable[bytes]]
"""Returns what the bodies of repeated requests have in common."""
IDEMPOTENCY_KEY = "Idempotency-Key"
POLL_S = 0.1
"""How often a repeated request checks whether the first one has finished."""
RESERVED_FOR = timedelta(seconds=5)
"""How long a key stays reserved without renewal. A request in progress renews it; after a crash it expires."""
RENEW_INTERVAL_S = 1.5
_USABLE = re.compile(r"[\x20-\x7e]{1,255}")
_NOT_STORED = frozenset({401, 403})
T = TypeVar("T")


async def respond_once(work: Awaitable[T], respond: Callable[[T], Response]) -> Response:
    """The response to the result of a service that changes something.

    With an idempotency key, the response is stored in the transaction of the change (`complete_key`), before it is returned.
    """
    pending = get_commit_guard()
    if not isinstance(pending, PendingKey):
        return respond(await work)
    stored: list[Response] = []

    def describe(result: T) -> StoredResponse:
        stored.append(respond(result))
        return to_stored_response(stored[-1])

    pending.describe = describe
    result = await work
    return stored[-1] if pending.is_completed else respond(result)


def honour_idempotency_key(handle: Handler, models: Models, read: BodyReader = read_body) -> Handler:
    """The handler, run once for each key. A request without the header runs it directly. It responds with these documents.

    `read` returns what the bodies of repeated requests have in common.
    """

    async def run_once(request: Request) -> Response:
        given = request.headers.getlist(IDEMPOTENCY_KEY)
        return await handle(request) if len(given) == 0 else await _run_once(request, given, handle, (models, read))

    return run_once


async def _run_once(request: Request, given: list[str], handle: Handler, bodies: tuple[Models, BodyReader]) -> Response:
    models, read = bodies
    runtime: Runtime = request.app.state.runtime
    principal = get_request_context(request.scope).principal
    attempt = IdempotentRequest(
        key_id=principal.key_id,
        idempotency_key=_validate_key(given),
        endpoint=f"POST {request.url.path}",
        body_sha256=hashlib.sha256(await read(request)).hexdigest(),
    )
    reserved = await _reserve(runtime, principal.organization_id, attempt)
    if isinstance(reserved, StoredResponse):
        stored = decrypt_response(runtime.signing_key, principal.organization_id, principal.key_id, reserved)
        return await write_again(request, principal.organization_id, stored, models)
    return await _run_and_store(request, principal.organization_id, reserved, lambda: _call_handler(request, handle))


def _validate_key(given: list[str]) -> str:
    if len(given) > 1 or _USABLE.fullmatch(given[0]) is None:
        raise ValidationFailed.of_field(IDEMPOTENCY_KEY, Message("must be 1 to 255 printable ASCII characters, and be sent once"))
    return given[0]


async def _reserve(runtime: Runtime, organization_id: UUID, attempt: IdempotentRequest) -> ReservedKey | StoredResponse:
    """Reserve the key for this request, or return the response of the request that used it before. Raises `Conflict`."""
    give_up_at = monotonic() + runtime.settings.search_deadline_s
    while True:
        now = runtime.clock()
        async with runtime.store.write() as connection:
            reservation = await idempotency.reserve(connection, organization_id, attempt, now, now + RESERVED_FOR)
        match reservation:
            case ReservedKey():
                return reservation
            case ReplayedResponse(response):
                return response
            case ReusedKey():
                raise Conflict(Message("This `Idempotency-Key` was used for a different request. Use a new key."))
            case RequestInProgress() if monotonic() > give_up_at:
                raise Conflict(IN_PROGRESS)
        await asyncio.sleep(POLL_S)


async def _run_and_store(
    request: Request, organization_id: UUID, reserved: ReservedKey, respond: Callable[[], Awaitable[Response]]
) -> Response:
    """Run the request and store its response unless that was stored with its effect, or release the key."""
    runtime: Runtime = request.app.state.runtime

    def compute_expiry() -> datetime:
        return runtime.clock() + timedelta(seconds=runtime.settings.idempotency_ttl_s)

    def finish(response: StoredResponse) -> StoredResponse:
        # The body is not parsed again for a repeated request, whose response has the same warning.
        context = get_request_context(request.scope)
        warning = context.headers.get(WARNING)
        warned = response if warning is None else replace(response, headers={**response.headers, WARNING: warning})
        return encrypt_response(runtime.signing_key, organization_id, context.principal.key_id, warned)

    pending = PendingKey(organization_id, reserved, compute_expiry, finish)
    renewal = asyncio.create_task(_renew_reservation_loop(runtime, organization_id, reserved))
    try:
        with pending.active():
            response = await respond()
    except Exception:
        await _release(runtime, organization_id, reserved)
        raise
    finally:
        renewal.cancel()
    if pending.is_completed:
        return response
    if response.status_code in _NOT_STORED:
        await _release(runtime, organization_id, reserved)
    else:
        async with runtime.store.write() as connection:
            await idempotency.complete(
                connection, organization_id, reserved, finish(to_stored_response(response)), compute_expiry()
            )
    return response


async def _release(runtime: Runtime, organization_id: UUID, reserved: ReservedKey) -> None:
    async with runtime.store.write() as connection:
        await idempotency.release(connection, organization_id, reserved, runtime.clock())


async def _renew_reservation_loop(runtime: Runtime, organization_id: UUID, reserved: ReservedKey) -> None:
    while True:
        await asyncio.sleep(RENEW_INTERVAL_S)
        with suppress(BonafideError):  # the database is unavailable: the next renewal retries, and the reservation outlasts two
            async with runtime.store.write() as connection:
                await idempotency.renew(connection, organization_id, reserved, runtime.clock() + RESERVED_FOR)


async def _call_handler(request: Request, handle: Handler) -> Response:
    """The response of the handler, including client errors. Raises what must not be stored."""
    try:
        return await handle(request)
    except ApiError as error:
        if error.status >= 500:  # noqa: PLR2004 - the first status of server errors
            raise
        return build_error_response(error, request.scope)
