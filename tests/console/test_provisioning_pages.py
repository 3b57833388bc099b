"""Provisioning: owners create and revoke tokens, and choose the roles of groups; nobody else sees the page."""

import re
from collections.abc import AsyncIterator

import httpx2
import pytest

from bonafide.model.accounts.organizations import World
from bonafide.model.accounts.provisioning import GroupAttributes
from bonafide.model.accounts.users import Role
from bonafide.runtime import Runtime
from bonafide.services.accounts import members
from bonafide.services.accounts.organizations import find_organization
from bonafide.services.provisioning import groups, tokens
from tests.support.console.sessions import OPERATOR, send, signed_in_client

pytestmark = pytest.mark.anyio
PAGE = "/console/settings/provisioning"
SECRET = re.compile(r'id="secret"[^>]*>([^<]+)<')


@pytest.fixture
def runtime(bare_runtime: Runtime) -> Runtime:
    return bare_runtime


@pytest.fixture
async def owner(runtime: Runtime) -> AsyncIterator[httpx2.AsyncClient]:
    async with await signed_in_client(runtime) as client:
        yield client


async def test_a_token_is_shown_once_and_revoked(owner: httpx2.AsyncClient, runtime: Runtime) -> None:
    created = await send(owner, PAGE, f"{PAGE}/tokens", label="Entra <ID>", lifetimeDays="0")
    found = SECRET.search(created.text)
    assert (created.status_code, found is not None) == (201, True)
    assert found is not None
    principal = await tokens.authenticate(runtime, found[1])
    page = (await owner.get(PAGE)).text
    assert found[1] not in page
    assert "Entra &lt;ID&gt;" in page
    revoked = await send(owner, PAGE, f"{PAGE}/tokens/{principal.key_id}/revoke")
    assert revoked.headers["location"] == PAGE
    (token,) = await tokens.list_tokens(runtime, principal.organization_id)
    assert token.revoked_at is not None
    assert "Entra" not in (await owner.get(PAGE)).text


async def test_a_token_needs_a_name(owner: httpx2.AsyncClient) -> None:
    answer = await send(owner, PAGE, f"{PAGE}/tokens", label=" ", lifetimeDays="90")
    assert (answer.status_code, "field-label-problem" in answer.text) == (422, True)


async def test_an_owner_chooses_the_role_of_a_group(owner: httpx2.AsyncClient, runtime: Runtime) -> None:
    north = await find_organization(runtime, "north", World.SANDBOX)
    group = await groups.create_group(runtime, north.id, GroupAttributes(display_name="Compliance"), OPERATOR)
    for chosen, expected in (("analyst", Role.ANALYST), ("", None)):
        answer = await send(owner, PAGE, f"{PAGE}/groups/{group.id}", role=chosen)
        assert answer.status_code == 303
        assert (await groups.read_group(runtime, north.id, group.id)).role is expected


async def test_the_last_owner_is_not_demoted(owner: httpx2.AsyncClient, runtime: Runtime) -> None:
    north = await find_organization(runtime, "north", World.SANDBOX)
    (mine,) = await members.list_members(runtime, north.id)
    attributes = GroupAttributes(display_name="Compliance", members=frozenset({mine.user.id}))
    group = await groups.create_group(runtime, north.id, attributes, OPERATOR)
    answer = await send(owner, PAGE, f"{PAGE}/groups/{group.id}", role="analyst")
    assert (answer.status_code, "needs an owner" in answer.text) == (409, True)
    assert (await groups.read_group(runtime, north.id, group.id)).role is None


async def test_only_owners_see_the_page(owner: httpx2.AsyncClient, runtime: Runtime) -> None:
    assert PAGE in (await owner.get("/console/settings")).text
    async with await signed_in_client(runtime, Role.ANALYST) as analyst:
        assert (await analyst.get(PAGE)).status_code == 403
