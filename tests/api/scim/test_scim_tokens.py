"""Provisioning tokens: only they open `/scim/v2`, they open nothing else, and a revoked one is refused at once."""

from uuid import UUID

import httpx2
import pytest

from bonafide.model.accounts.provisioning import ProvisioningTokenRequest
from bonafide.runtime import Runtime
from bonafide.services.provisioning import tokens
from bonafide.store.tenants import provisioning_tokens
from tests.support.api.clients import ManualClock, NewClient
from tests.support.api.provisioning import GROUPS, OWNER, USERS, create_token
from tests.support.services.accounts import organization_of, trail_of

pytestmark = pytest.mark.anyio
PATHS = (
    USERS,
    GROUPS,
    "/scim/v2/ServiceProviderConfig",
    "/scim/v2/ResourceTypes",
    "/scim/v2/ResourceTypes/User",
    "/scim/v2/Schemas",
    "/scim/v2/Schemas/urn:ietf:params:scim:schemas:core:2.0:Group",
)


@pytest.mark.parametrize("path", PATHS)
async def test_nothing_is_read_without_a_token(
    path: str, anonymous: httpx2.AsyncClient, north: httpx2.AsyncClient, entra: httpx2.AsyncClient
) -> None:
    for client in (anonymous, north):
        answer = await client.get(path)
        assert (answer.status_code, answer.headers["www-authenticate"]) == (401, "Bearer")
        assert answer.json()["schemas"] == ["urn:ietf:params:scim:api:messages:2.0:Error"]
    answer = await entra.get(path)
    assert (answer.status_code, answer.headers["content-type"]) == (200, "application/scim+json")
    assert "x-ratelimit-remaining" in answer.headers


async def test_a_token_is_no_api_key(entra: httpx2.AsyncClient) -> None:
    answer = await entra.get("/v1/coverage")
    assert (answer.status_code, answer.json()["code"]) == (401, "INVALID_API_KEY")


async def test_a_revoked_token_is_refused_at_once(entra: httpx2.AsyncClient, runtime: Runtime) -> None:
    assert (await entra.get(USERS)).status_code == 200
    north = await organization_of(runtime)
    (token,) = await tokens.list_tokens(runtime, north.id)
    assert token.last_used_at == runtime.clock()
    revoked = await tokens.revoke_token(runtime, north.id, token.id, OWNER)
    assert revoked.revoked_at is not None
    assert await tokens.revoke_token(runtime, north.id, token.id, OWNER) == revoked
    refused = await entra.get(USERS)
    assert (refused.status_code, refused.json()["detail"]) == (401, "This provisioning token was revoked.")
    trail = await trail_of(runtime, north.id)
    assert [(actor, field) for actor, field, *_ in trail] == [(OWNER.actor, tokens.TOKEN)] * 2


async def test_a_token_expires(runtime: Runtime, clock: ManualClock, new_client: NewClient) -> None:
    await create_token(runtime)
    north = await organization_of(runtime)
    request = ProvisioningTokenRequest.model_validate({"label": "Okta", "expiresIn": "PT1H"})
    client = await new_client((await tokens.create_token(runtime, north.id, request, OWNER)).text)
    assert (await client.get(USERS)).status_code == 200
    clock.move(hours=1)
    assert (await client.get(USERS)).status_code == 401


async def test_only_a_digest_is_stored(runtime: Runtime) -> None:
    text = await create_token(runtime)
    async with runtime.store.read() as connection:
        found = await provisioning_tokens.list_tokens(connection, (await organization_of(runtime)).id)
        assert await provisioning_tokens.get_by_id(connection, UUID(int=0)) is None
    assert text.startswith(tokens.PREFIX)
    assert text not in str(found)
    assert [(token.prefix, token.last4) for token in found] == [(text[:12], text[-4:])]
