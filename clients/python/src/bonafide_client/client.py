"""The clients: one that blocks, and one for event loops."""

from types import TracebackType
from typing import Self

import httpx2

from bonafide_client.files import AsyncFiles, Files
from bonafide_client.operations import AsyncOperations, Operations
from bonafide_client.retrying import RetryPolicy
from bonafide_client.transport import DEFAULT_TIMEOUT_S, ClientOptions
from bonafide_client.waiting import AsyncWaiting, Waiting


class BonafideClient(Waiting, Files, Operations):
    """Calls the API and blocks until the response is there. Safe to use from several threads.

    The methods are named as the operations of the reference: `create_search` is `createSearch`. Bodies are models or mappings with
    the names of the API.

        with BonafideClient("http://127.0.0.1:8080", os.environ["KEY"]) as client:
            result = client.create_search(SearchRequest(name="Sandbox Bakery"))
    """

    def __init__(
        self,
        base_url: str,
        key: str,
        *,
        language: str | None = None,
        timeout_s: float = DEFAULT_TIMEOUT_S,
        retry: RetryPolicy | None = None,
        http: httpx2.Client | None = None,
    ) -> None:
        """`timeout_s` limits each wait for data. `http` replaces the HTTP client, for a proxy for example; the caller closes it."""
        super().__init__(ClientOptions(base_url, key, language, timeout_s, retry or RetryPolicy()), http)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, error_type: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.close()


class AsyncBonafideClient(AsyncWaiting, AsyncFiles, AsyncOperations):
    """As `BonafideClient`, with methods to await.

    For example:

        async with AsyncBonafideClient("http://127.0.0.1:8080", os.environ["KEY"]) as client:
            result = await client.create_search(SearchRequest(name="Sandbox Bakery"))
    """

    def __init__(
        self,
        base_url: str,
        key: str,
        *,
        language: str | None = None,
        timeout_s: float = DEFAULT_TIMEOUT_S,
        retry: RetryPolicy | None = None,
        http: httpx2.AsyncClient | None = None,
    ) -> None:
        """`timeout_s` limits each wait for data. `http` replaces the HTTP client, for a proxy for example; the caller closes it."""
        super().__init__(ClientOptions(base_url, key, language, timeout_s, retry or RetryPolicy()), http)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, error_type: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        await self.close()
