"""Groups: their members, the roles that they give, and what remains when they change."""

import json
from typing import Any
from uuid import UUID

import httpx2
import pytest

from bonafide.model.accounts.users import Role
from bonafide.runtime import Runtime
from bonafide.services.provisioning import groups
from bonafide.store.people import users
from tests.support.api.provisioning import GROUPS, OWNER, USERS, describe_group, describe_user, patch
from tests.support.services.accounts import ANN, BEN, known, organization_of, trail_of

pytestmark = pytest.mark.anyio


async def create_user(client: httpx2.AsyncClient, login: str) -> str:
    user_id: str = (await client.post(USERS, json=describe_user(login))).json()["id"]
    return user_id


async def create_group(client: httpx2.AsyncClient, name: str, *members: str) -> dict[str, Any]:
    answer = await client.post(GROUPS, json=describe_group(name, *members))
    assert answer.status_code == 201, answer.text
    group: dict[str, Any] = answer.json()
    return group


async def role_of(runtime: Runtime, email: str) -> Role | None:
    north = await organization_of(runtime)
    async with runtime.store.read() as connection:
        found = await users.get_by_email(connection, email)
        assert found is not None
        return await users.get_role(connection, north.id, found.user.id)


async def test_a_group_with_the_name_of_a_role_gives_it(entra: httpx2.AsyncClient, runtime: Runtime) -> None:
    ben = await create_user(entra, "ben")
    group = await create_group(entra, "bonafide Analysts", ben)
    assert await role_of(runtime, BEN) is Role.ANALYST
    user = (await entra.get(f"{USERS}/{ben}")).json()
    assert [(each["value"], each["display"]) for each in user["groups"]] == [(group["id"], "bonafide Analysts")]
    await create_group(entra, "Owners", ben)
    assert await role_of(runtime, BEN) is Role.OWNER


async def test_an_owner_chooses_the_role_of_another_group(entra: httpx2.AsyncClient, runtime: Runtime) -> None:
    group = await create_group(entra, "Compliance", await create_user(entra, "ben"))
    assert await role_of(runtime, BEN) is Role.VIEWER
    north = await organization_of(runtime)
    await groups.set_group_role(runtime, north.id, UUID(group["id"]), Role.ANALYST, OWNER)
    assert await role_of(runtime, BEN) is Role.ANALYST
    await entra.patch(f"{GROUPS}/{group['id']}", json=patch({"op": "replace", "path": "displayName", "value": "Viewers"}))
    assert await role_of(runtime, BEN) is Role.ANALYST
    (summary,) = await groups.list_group_summaries(runtime, north.id)
    assert (summary.display_name, summary.role, summary.members) == ("Viewers", Role.ANALYST, 1)


@pytest.mark.parametrize(
    "leave",
    [
        {"op": "Remove", "path": "members", "value": [{"value": "BEN"}]},
        {"op": "remove", "path": 'members[value eq "BEN"]'},
        {"op": "replace", "path": "members", "value": []},
    ],
)
async def test_whoever_leaves_a_group_loses_its_role(leave: dict[str, Any], entra: httpx2.AsyncClient, runtime: Runtime) -> None:
    ben = await create_user(entra, "ben")
    group = await create_group(entra, "Analysts")
    path = f"{GROUPS}/{group['id']}"
    joined = await entra.patch(path, json=patch({"op": "Add", "path": "members", "value": [{"value": ben}]}))
    assert [member["value"] for member in joined.json()["members"]] == [ben]
    assert await role_of(runtime, BEN) is Role.ANALYST
    left = await entra.patch(path, json=json.loads(json.dumps(patch(leave)).replace("BEN", ben)))
    assert (left.status_code, left.json().get("members")) == (200, None)
    assert await role_of(runtime, BEN) is Role.VIEWER


async def test_okta_repeats_what_is_read_only(entra: httpx2.AsyncClient, runtime: Runtime) -> None:
    ben, cat = await create_user(entra, "ben"), await create_user(entra, "cat")
    group = await create_group(entra, "Analysts", ben)
    name = {"op": "replace", "value": {"id": group["id"], "displayName": "Risk analysts"}}
    join = {"op": "add", "path": "members", "value": [{"value": each, "display": "Somebody"} for each in (ben, cat)]}
    changed = await entra.patch(f"{GROUPS}/{group['id']}", json=patch(name, join))
    assert changed.status_code == 200, changed.text
    assert (changed.json()["displayName"], {each["value"] for each in changed.json()["members"]}) == ("Risk analysts", {ben, cat})
    assert await role_of(runtime, "cat@north.example") is Role.ANALYST


async def test_a_removed_group_gives_nothing_any_more(entra: httpx2.AsyncClient, runtime: Runtime) -> None:
    group = await create_group(entra, "Analysts", await create_user(entra, "ben"))
    assert (await entra.delete(f"{GROUPS}/{group['id']}")).status_code == 204
    assert await role_of(runtime, BEN) is Role.VIEWER
    assert (await entra.get(f"{GROUPS}/{group['id']}")).status_code == 404


async def test_the_last_owner_is_not_demoted(entra: httpx2.AsyncClient, runtime: Runtime) -> None:
    ann = await known(runtime, ANN)
    refused = await entra.post(GROUPS, json=describe_group("Analysts", str(ann.user.id)))
    assert refused.status_code == 409
    assert (await entra.get(GROUPS)).json()["totalResults"] == 0
    await create_group(entra, "Owners", await create_user(entra, "ben"))
    await create_group(entra, "Analysts", str(ann.user.id))
    assert (await role_of(runtime, ANN), await role_of(runtime, BEN)) == (Role.ANALYST, Role.OWNER)


async def test_an_inactive_member_gets_the_role_with_the_membership(entra: httpx2.AsyncClient, runtime: Runtime) -> None:
    ben = (await entra.post(USERS, json=describe_user("ben", active=False))).json()["id"]
    await create_group(entra, "Analysts", ben)
    assert await role_of(runtime, BEN) is None
    await entra.patch(f"{USERS}/{ben}", json=patch({"op": "replace", "path": "active", "value": True}))
    assert await role_of(runtime, BEN) is Role.ANALYST


async def test_groups_are_found(entra: httpx2.AsyncClient) -> None:
    ben = await create_user(entra, "ben")
    await create_group(entra, "Auditors")
    await create_group(entra, "Compliance", ben)
    for condition in ('displayName eq "compliance"', f'members.value eq "{ben}"', f'members[value eq "{ben}"]'):
        params = {"filter": condition, "excludedAttributes": "members"}
        (found,) = (await entra.get(GROUPS, params=params)).json()["Resources"]
        assert (found["displayName"], "members" in found) == ("Compliance", False), condition
    assert (await entra.get(GROUPS, params={"count": "1"})).json()["itemsPerPage"] == 1


async def test_a_name_is_that_of_one_group(entra: httpx2.AsyncClient) -> None:
    await create_group(entra, "Compliance")
    again = await entra.post(GROUPS, json=describe_group("COMPLIANCE"))
    assert (again.status_code, again.json()["scimType"]) == (409, "uniqueness")


async def test_every_change_is_audited(entra: httpx2.AsyncClient, runtime: Runtime) -> None:
    ben = await create_user(entra, "ben")
    group = await create_group(entra, "Analysts", ben)
    await entra.delete(f"{GROUPS}/{group['id']}")
    await entra.delete(f"{USERS}/{ben}")
    trail = await trail_of(runtime, (await organization_of(runtime)).id)
    assert [field for _, field, *_ in trail] == [
        "provisioningToken",
        "provisionedUser",
        "member",
        "provisionedGroup",
        "provisionedGroupMembers",
        "member",
        "provisionedGroup",
        "member",
        "member",
        "provisionedUser",
    ]
