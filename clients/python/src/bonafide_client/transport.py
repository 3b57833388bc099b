"""Sends requests over HTTP, with retries, and turns responses into values or errors."""

import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, BinaryIO, TypeVar

import anyio
import httpx2

from bonafide_client.errors import ConnectionFailed, UnexpectedResponse, build_api_error
from bonafide_client.json_codec import decode_answer
from bonafide_client.requests import ApiRequest, FileUpload
from bonafide_client.retrying import RetryPolicy, RetryState
from bonafide_client.version import VERSION

T = TypeVar("T")
DEFAULT_TIMEOUT_S = 40.0
"""Longer than a search may take."""
_NOT_SENT = (httpx2.ConnectError, httpx2.ConnectTimeout, httpx2.PoolTimeout)
_FIRST_ERROR = 400


@dataclass(frozen=True, slots=True)
class ClientOptions:
    """How a client reaches the service."""

    base_url: str
    """The address of the service, with or without `/v1`: `https://bonafide.example`."""
    key: str = field(repr=False)
    """The API key."""
    language: str | None = None
    """The language of messages, `en` or `fr`; that of the organization without it."""
    timeout_s: float = DEFAULT_TIMEOUT_S
    """The longest time in seconds to connect, and to wait for data of a response."""
    retry: RetryPolicy = field(default_factory=RetryPolicy)

    def __post_init__(self) -> None:
        if not self.base_url.startswith(("http://", "https://")):
            raise ValueError(f"The address of the service begins with https:// or http://, not {self.base_url!r}.")

    def build_request(self, request: ApiRequest) -> dict[str, Any]:
        """The arguments of the HTTP client's `stream`."""
        headers = {"Authorization": f"Bearer {self.key}", "User-Agent": f"bonafide-client-python/{VERSION}"}
        if self.language is not None:
            headers["Accept-Language"] = self.language
        return {
            "method": request.method,
            "url": self.base_url.rstrip("/").removesuffix("/v1") + request.path,
            "params": request.build_params(),
            "headers": {**headers, **request.build_headers()},
            "content": request.build_content(),
            "timeout": self.timeout_s,
            # Some downloads redirect to a signed address. The key is not sent to another origin.
            "follow_redirects": True,
        }


class SyncTransport:
    """Sends requests and blocks until the response is there. Safe to use from several threads."""

    def __init__(self, options: ClientOptions, http: httpx2.Client | None = None) -> None:
        self._options = options
        self._http = http or httpx2.Client()
        self._owns_http = http is None

    def close(self) -> None:
        """Close the connections, unless the caller supplied the HTTP client."""
        if self._owns_http:
            self._http.close()

    def _send(self, request: ApiRequest, answer: type[T]) -> T:
        result: T = _read_answer(self._exchange(request), (answer,))
        return result

    def _send_for_any(self, request: ApiRequest, *answers: type[Any]) -> Any:
        return _read_answer(self._exchange(request), answers)

    def _send_for_nothing(self, request: ApiRequest) -> None:
        self._exchange(request)

    def _download(self, request: ApiRequest) -> bytes:
        return self._exchange(request).content

    def _save(self, request: ApiRequest, path: Path) -> None:
        """Download a file of any size. It has its name only when it is complete."""
        part = path.with_name(f"{path.name}.part")
        try:
            with part.open("wb") as sink:
                self._exchange(request, sink)
            part.replace(path)
        finally:
            part.unlink(missing_ok=True)

    def _exchange(self, request: ApiRequest, sink: BinaryIO | None = None) -> httpx2.Response:
        state = RetryState(self._options.retry, request)
        arguments = self._options.build_request(request)
        while True:
            try:
                response = self._attempt(arguments, request.upload, sink)
            except httpx2.RequestError as error:
                wait_s = state.decide_after_failure(was_sent=not isinstance(error, _NOT_SENT))
                if wait_s is None:
                    raise _build_connection_error(request, error) from error
            else:
                if response.status_code < _FIRST_ERROR:
                    return response
                wait_s = state.decide_after_response(response.status_code, response.headers.get("Retry-After"))
                if wait_s is None:
                    raise build_api_error(response.status_code, _read_json(response), response.headers)
            time.sleep(wait_s)

    def _attempt(self, arguments: dict[str, Any], upload: FileUpload | None, sink: BinaryIO | None) -> httpx2.Response:
        with open_form(upload) as form, self._http.stream(**arguments, **form) as response:
            if sink is None or response.status_code >= _FIRST_ERROR:
                response.read()
                return response
            sink.seek(0)
            sink.truncate()
            for chunk in response.iter_bytes():
                sink.write(chunk)
            return response


class AsyncTransport:
    """Sends requests from an event loop of asyncio or Trio."""

    def __init__(self, options: ClientOptions, http: httpx2.AsyncClient | None = None) -> None:
        self._options = options
        self._http = http or httpx2.AsyncClient()
        self._owns_http = http is None

    async def close(self) -> None:
        """Close the connections, unless the caller supplied the HTTP client."""
        if self._owns_http:
            await self._http.aclose()

    async def _send(self, request: ApiRequest, answer: type[T]) -> T:
        result: T = _read_answer(await self._exchange(request), (answer,))
        return result

    async def _send_for_any(self, request: ApiRequest, *answers: type[Any]) -> Any:
        return _read_answer(await self._exchange(request), answers)

    async def _send_for_nothing(self, request: ApiRequest) -> None:
        await self._exchange(request)

    async def _download(self, request: ApiRequest) -> bytes:
        return (await self._exchange(request)).content

    async def _save(self, request: ApiRequest, path: Path) -> None:
        """Download a file of any size. It has its name only when it is complete."""
        part = path.with_name(f"{path.name}.part")
        try:
            with part.open("wb") as sink:
                await self._exchange(request, sink)
            part.replace(path)
        finally:
            part.unlink(missing_ok=True)

    async def _exchange(self, request: ApiRequest, sink: BinaryIO | None = None) -> httpx2.Response:
        state = RetryState(self._options.retry, request)
        arguments = self._options.build_request(request)
        while True:
            try:
                response = await self._attempt(arguments, request.upload, sink)
            except httpx2.RequestError as error:
                wait_s = state.decide_after_failure(was_sent=not isinstance(error, _NOT_SENT))
                if wait_s is None:
                    raise _build_connection_error(request, error) from error
            else:
                if response.status_code < _FIRST_ERROR:
                    return response
                wait_s = state.decide_after_response(response.status_code, response.headers.get("Retry-After"))
                if wait_s is None:
                    raise build_api_error(response.status_code, _read_json(response), response.headers)
            await anyio.sleep(wait_s)

    async def _attempt(self, arguments: dict[str, Any], upload: FileUpload | None, sink: BinaryIO | None) -> httpx2.Response:
        with open_form(upload) as form:
            async with self._http.stream(**arguments, **form) as response:
                if sink is None or response.status_code >= _FIRST_ERROR:
                    await response.aread()
                    return response
                sink.seek(0)
                sink.truncate()
                async for chunk in response.aiter_bytes():
                    sink.write(chunk)
                return response


@contextmanager
def open_form(upload: FileUpload | None) -> Iterator[dict[str, Any]]:
    """The arguments of the HTTP client's `stream` for a form; none without one."""
    if upload is None:
        yield {}
        return
    with upload.path.open("rb") as file:
        yield {"files": {"file": (upload.path.name, file)}, "data": dict(upload.fields)}


def _build_connection_error(request: ApiRequest, error: httpx2.RequestError) -> ConnectionFailed:
    return ConnectionFailed(f"{request.method} {request.path}: {type(error).__name__}: {error}")


def _read_answer(response: httpx2.Response, answers: tuple[type[Any], ...]) -> Any:
    body = _read_json(response)
    if not isinstance(body, Mapping):
        raise UnexpectedResponse(f"{response.request.url.path} did not respond with a JSON object (status {response.status_code}).")
    return decode_answer(answers, body)


def _read_json(response: httpx2.Response) -> Any:
    """The decoded body; None if it is not JSON."""
    try:
        return response.json()
    except ValueError:
        return None
