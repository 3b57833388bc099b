"""Identity providers of two organizations, `north` and `south`, in one installation."""

import httpx2
import pytest

from bonafide.runtime import Runtime
from tests.support.api.clients import NewClient
from tests.support.api.provisioning import create_token


@pytest.fixture
async def entra(runtime: Runtime, new_client: NewClient) -> httpx2.AsyncClient:
    """The identity provider of `north`."""
    return await new_client(await create_token(runtime))


@pytest.fixture
async def okta(runtime: Runtime, new_client: NewClient) -> httpx2.AsyncClient:
    """The identity provider of `south`."""
    return await new_client(await create_token(runtime, "south"))
