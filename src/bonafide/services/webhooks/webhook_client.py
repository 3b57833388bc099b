"""Send one delivery over HTTP: to addresses that the guard permits, without redirects, within a time limit."""

import asyncio
import ssl
import unicodedata
from collections.abc import Callable, Mapping
from contextlib import aclosing, suppress
from dataclasses import dataclass
from datetime import datetime
from http import HTTPStatus
from time import perf_counter

import httpcore2
import httpx2

from bonafide.errors import AddressRefused
from bonafide.model.webhooks import DeliveryAttempt, DeliveryError
from bonafide.net.address_guard import GuardedTransport, Resolver, resolve_with_system
from bonafide.net.private_targets import PrivateTargets
from bonafide.settings import Settings

TIMEOUT_S = 15.0
"""The time for one attempt, from the resolution of the name to the status of the response."""
MAX_READ_BYTES = 4 * 1024
MAX_RESPONSE_CHARACTERS = 256
MAX_CONNECTIONS = 896
"""As many as deliveries can be under way in a process (`delivery_loop`)."""
KEEPALIVE_S = 20.0


@dataclass(frozen=True, slots=True)
class WebhookRequest:
    """What is sent to a receiver."""

    url: str
    headers: Mapping[str, str]
    body: bytes


class WebhookClient:
    """Sends deliveries. `resolve` and `sockets` replace the system's; the guard applies in any case."""

    def __init__(
        self,
        settings: Settings,
        clock: Callable[[], datetime],
        *,
        timeout_s: float = TIMEOUT_S,
        resolve: Resolver = resolve_with_system,
        sockets: httpcore2.AsyncNetworkBackend | None = None,
    ) -> None:
        self._clock = clock
        self._timeout_s = timeout_s
        self._user_agent = settings.user_agent
        self._transport = GuardedTransport(
            resolve=resolve,
            sockets=sockets,
            max_connections=MAX_CONNECTIONS,
            keepalive_s=KEEPALIVE_S,
            exemptions=PrivateTargets.parse(settings.allow_private_targets),
        )

    async def close(self) -> None:
        """Close all connections."""
        await self._transport.aclose()

    async def send(self, request: WebhookRequest) -> DeliveryAttempt:
        """Send a delivery and return the attempt. Never raises: an error is part of the attempt."""
        at, began = self._clock(), perf_counter()
        status, start, error = None, None, None
        try:
            async with asyncio.timeout(self._timeout_s):
                response = await self._transport.handle_async_request(self._build_request(request))
                status = response.status_code
                try:
                    start = await _read_start(response)
                finally:
                    await response.aclose()
        except TimeoutError:
            error = DeliveryError.TIMEOUT
        except AddressRefused:
            error = DeliveryError.ADDRESS_REFUSED
        except (httpx2.HTTPError, httpx2.InvalidURL, OSError, UnicodeError) as caught:
            error = _to_delivery_error(caught)
        if status is not None:
            # The status decides, even if the body is not complete.
            is_confirmed = HTTPStatus.OK <= status < HTTPStatus.MULTIPLE_CHOICES
            error = None if is_confirmed else DeliveryError.UNEXPECTED_STATUS
        duration_ms = round((perf_counter() - began) * 1000)
        return DeliveryAttempt(at=at, status=status, duration_ms=duration_ms, error=error, response_start=start)

    def _build_request(self, request: WebhookRequest) -> httpx2.Request:
        headers = {
            "User-Agent": self._user_agent,
            "Content-Type": "application/json",
            "Accept": "*/*",
            "Accept-Encoding": "identity",
            **request.headers,
        }
        timeout = httpx2.Timeout(self._timeout_s).as_dict()
        return httpx2.Request("POST", request.url, headers=headers, content=request.body, extensions={"timeout": timeout})


async def _read_start(response: httpx2.Response) -> str | None:
    """The first characters of a response, on one line; None without any. Whatever interrupts it ends it."""
    read = bytearray()
    with suppress(httpx2.HTTPError):
        async with aclosing(response.aiter_raw()) as chunks:
            async for chunk in chunks:
                read += chunk
                if len(read) >= MAX_READ_BYTES:
                    break
    text = bytes(read[:MAX_READ_BYTES]).decode("utf-8", errors="replace")
    visible = "".join(" " if unicodedata.category(one).startswith(("C", "Z")) else one for one in text)
    return " ".join(visible.split())[:MAX_RESPONSE_CHARACTERS] or None


def _to_delivery_error(error: BaseException) -> DeliveryError:
    if isinstance(error, httpx2.TimeoutException):
        return DeliveryError.TIMEOUT
    cause: BaseException | None = error
    while cause is not None:
        if isinstance(cause, ssl.SSLError):
            return DeliveryError.TLS_FAILED
        cause = cause.__cause__ if cause.__cause__ is not None else cause.__context__
    return DeliveryError.CONNECTION_FAILED
