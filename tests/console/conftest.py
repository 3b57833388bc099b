"""Who opens pages: people of an organization that only this test knows. A module's `runtime` says what the pages stand on."""

from collections.abc import AsyncIterator
from uuid import uuid4

import httpx2
import pytest

from bonafide.model.accounts.users import Role
from bonafide.runtime import Runtime
from tests.support.console.sessions import signed_in_client


@pytest.fixture
def organization() -> str:
    return f"n{uuid4().hex}"


@pytest.fixture
async def analyst(runtime: Runtime, organization: str) -> AsyncIterator[httpx2.AsyncClient]:
    async with await signed_in_client(runtime, Role.ANALYST, organization) as client:
        yield client


@pytest.fixture
async def viewer(runtime: Runtime, organization: str) -> AsyncIterator[httpx2.AsyncClient]:
    async with await signed_in_client(runtime, Role.VIEWER, organization) as client:
        yield client
