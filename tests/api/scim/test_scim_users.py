"""Users: who is created, found, changed, deactivated and removed, and what that means for memberships and sessions."""

from typing import Any
from uuid import UUID

import httpx2
import pytest

from bonafide.model.accounts.organizations import World
from bonafide.model.accounts.users import Role
from bonafide.runtime import Runtime
from bonafide.services.accounts import one_time_links, sessions
from bonafide.store.people import users
from tests.support.api.clients import NewClient
from tests.support.api.provisioning import GROUPS, OWNER, USERS, create_token, describe_group, describe_user, patch
from tests.support.services.accounts import ANN, BEN, known, organization_of, trail_of

pytestmark = pytest.mark.anyio
ABSENT = "00000000-0000-0000-0000-000000000000"
INACTIVE = patch({"op": "Replace", "path": "active", "value": "False"})


async def created(client: httpx2.AsyncClient, login: str, **others: Any) -> dict[str, Any]:
    answer = await client.post(USERS, json=describe_user(login, **others))
    assert answer.status_code == 201, answer.text
    user: dict[str, Any] = answer.json()
    return user


async def roles_of(runtime: Runtime, email: str) -> dict[tuple[str, str], Role]:
    """The roles of a user by organization and world."""
    async with runtime.store.read() as connection:
        found = await users.get_by_email(connection, email)
        assert found is not None
        mine = await users.list_memberships(connection, found.user.id)
    return {(each.organization, each.world.value): each.role for each in mine}


async def find(client: httpx2.AsyncClient, condition: str) -> list[str]:
    answer = await client.get(USERS, params={"filter": condition})
    assert answer.status_code == 200, answer.text
    return [user["userName"] for user in answer.json()["Resources"]]


async def test_a_created_user_is_a_member_of_the_organization_and_its_sandbox(entra: httpx2.AsyncClient, runtime: Runtime) -> None:
    user = await created(entra, "ben", externalId="b1", name={"givenName": "Ben", "familyName": "Roy"}, title="Clerk")
    assert (user["active"], user["externalId"], "title" in user) == (True, "b1", False)
    assert user["meta"]["location"].endswith(f"{USERS}/{user['id']}")
    assert await roles_of(runtime, BEN) == {("north", "live"): Role.VIEWER, ("north", "sandbox"): Role.VIEWER}
    async with runtime.store.read() as connection:
        stored = await users.get_by_email(connection, BEN)
    assert stored is not None
    assert (stored.user.name, stored.password_hash) == ("Ben Roy", None)


async def test_a_repeated_creation_conflicts_and_creates_nothing(entra: httpx2.AsyncClient) -> None:
    await created(entra, "ben")
    again = await entra.post(USERS, json=describe_user("BEN"))
    assert (again.status_code, again.json()["scimType"], again.json()["status"]) == (409, "uniqueness", "409")
    assert (await entra.get(USERS)).json()["totalResults"] == 1


async def test_members_who_were_not_provisioned_are_users_too(entra: httpx2.AsyncClient, runtime: Runtime) -> None:
    await known(runtime, ANN)
    assert await find(entra, 'userName eq "Ann@north.example"') == [ANN]
    taken = await entra.post(USERS, json=describe_user("ann"))
    assert taken.status_code == 409
    (ann,) = (await entra.get(USERS)).json()["Resources"]
    answer = await entra.patch(f"{USERS}/{ann['id']}", json=patch({"op": "add", "path": "externalId", "value": "a1"}))
    assert answer.json()["externalId"] == "a1"
    assert await roles_of(runtime, ANN) == {("north", "live"): Role.OWNER, ("north", "sandbox"): Role.OWNER}


@pytest.mark.parametrize(
    "condition",
    [
        'userName eq "BEN@north.example"',
        'externalId eq "b1"',
        'emails.value eq "ben@north.example"',
        'emails eq "ben@north.example"',
        'emails[type eq "work" and value eq "Ben@north.example"]',
        'emails[type eq "work"].value eq "ben@north.example"',
        'displayName co "oy"',
        'externalId eq "b1" and active eq true',
        'not (userName sw "cat")',
        'emails.value eq "ben@home.example"',
    ],
)
async def test_filters_find_a_user(condition: str, entra: httpx2.AsyncClient) -> None:
    await created(entra, "cat", externalId="B1", displayName="Cat")
    other = {"value": "ben@home.example", "type": "home"}
    emails = [*describe_user("ben")["emails"], other]
    await created(entra, "ben", externalId="b1", displayName="Ben Roy", emails=emails)
    assert await find(entra, condition) == ["ben@north.example"]
    body = (await entra.post(f"{USERS}/.search", json={"filter": condition})).json()
    assert body["totalResults"] == 1


@pytest.mark.parametrize("condition", ["userName", 'userName is "ben"', 'shoeSize eq "9"', 'active gt "x"'])
async def test_a_filter_that_means_nothing_is_refused(condition: str, entra: httpx2.AsyncClient) -> None:
    answer = await entra.get(USERS, params={"filter": condition})
    assert (answer.status_code, answer.json()["scimType"]) == (400, "invalidFilter")


async def test_users_are_listed_in_pages(entra: httpx2.AsyncClient) -> None:
    for name in ("ann", "ben", "cat"):
        await created(entra, name)
    first = (await entra.get(USERS, params={"count": "2"})).json()
    second = (await entra.get(USERS, params={"count": "2", "startIndex": "3"})).json()
    assert (first["totalResults"], first["itemsPerPage"], second["itemsPerPage"]) == (3, 2, 1)
    assert len({user["id"] for page in (first, second) for user in page["Resources"]}) == 3
    assert (await entra.get(USERS, params={"count": "0"})).json()["totalResults"] == 3


async def test_deactivation_ends_membership_sessions_and_invitations_at_once(entra: httpx2.AsyncClient, runtime: Runtime) -> None:
    user = await created(entra, "ben")
    north = await organization_of(runtime)
    token = await sessions.begin_session(runtime, UUID(user["id"]))
    assert await sessions.resume_session(runtime, token) is not None
    answer = await entra.patch(f"{USERS}/{user['id']}", json=INACTIVE)
    assert (answer.status_code, answer.json()["active"]) == (200, False)
    assert await sessions.resume_session(runtime, token) is None
    assert await roles_of(runtime, BEN) == {}
    assert await find(entra, 'userName eq "ben@north.example"') == [BEN]
    await one_time_links.invite(runtime, north.id, BEN, Role.OWNER, OWNER)
    await entra.delete(f"{USERS}/{user['id']}")
    assert await one_time_links.list_invitations(runtime, north.id) == []
    changed = [new for _, field, _, new in await trail_of(runtime, north.id) if field == "member"]
    assert changed == [{"email": BEN, "role": "viewer"}, None]


async def test_a_reactivated_user_is_a_member_again(entra: httpx2.AsyncClient, runtime: Runtime) -> None:
    user = await created(entra, "ben", active=False)
    assert await roles_of(runtime, BEN) == {}
    answer = await entra.patch(f"{USERS}/{user['id']}", json=patch({"op": "replace", "value": {"active": True}}))
    assert answer.json()["active"] is True
    assert set(await roles_of(runtime, BEN)) == {("north", "live"), ("north", "sandbox")}


async def test_a_user_of_two_organizations_keeps_the_other(
    entra: httpx2.AsyncClient, okta: httpx2.AsyncClient, runtime: Runtime
) -> None:
    user = await created(entra, "ben")
    same = await created(okta, "ben", displayName="Benjamin")
    assert same["id"] == user["id"]
    assert "displayName" not in (await entra.get(f"{USERS}/{user['id']}")).json()
    north, south = await organization_of(runtime), await organization_of(runtime, "south")
    here, there = [await begin_in(runtime, UUID(user["id"]), each.id) for each in (north, south)]
    assert (await entra.delete(f"{USERS}/{user['id']}")).status_code == 204
    assert await sessions.resume_session(runtime, here) is None
    kept = await sessions.resume_session(runtime, there)
    assert kept is not None
    assert {each.organization for each in kept.memberships} == {"south"}
    assert (await entra.get(f"{USERS}/{user['id']}")).status_code == 404
    assert (await okta.get(f"{USERS}/{user['id']}")).json()["active"] is True


async def begin_in(runtime: Runtime, user_id: UUID, organization_id: UUID) -> str:
    async with runtime.store.write() as connection:
        return await sessions.insert_session(connection, runtime, user_id, None, organization_id)


async def test_the_email_of_a_shared_user_cannot_be_changed(
    entra: httpx2.AsyncClient, okta: httpx2.AsyncClient, runtime: Runtime
) -> None:
    user = await created(entra, "ben")
    renamed = describe_user("benjamin")
    assert (await entra.put(f"{USERS}/{user['id']}", json=renamed)).status_code == 200
    assert await roles_of(runtime, "benjamin@north.example") != {}
    await created(okta, "benjamin")
    refused = await entra.put(f"{USERS}/{user['id']}", json=describe_user("ben"))
    assert (refused.status_code, "scimType" in refused.json()) == (409, False)


async def test_a_changed_email_leaves_no_way_to_sign_in_as_before(entra: httpx2.AsyncClient, runtime: Runtime) -> None:
    """Otherwise a person could wait with a password for the address of another, whom somebody will provision."""
    await known(runtime, ANN)
    ben = await known(runtime, BEN, role=Role.ANALYST)
    token = await sessions.begin_session(runtime, ben.user.id)
    answer = await entra.put(f"{USERS}/{ben.user.id}", json=describe_user("victim"))
    assert answer.status_code == 200
    assert await sessions.resume_session(runtime, token) is None
    async with runtime.store.read() as connection:
        found = await users.get_by_email(connection, "victim@north.example")
    assert found is not None
    assert (found.user.id, found.password_hash) == (ben.user.id, None)


@pytest.mark.parametrize("method", ["PATCH", "DELETE"])
async def test_the_last_owner_stays(method: str, entra: httpx2.AsyncClient, runtime: Runtime) -> None:
    ann = await known(runtime, ANN)
    path = f"{USERS}/{ann.user.id}"
    refused = await entra.request(method, path, json=INACTIVE)
    assert (refused.status_code, refused.headers["content-type"]) == (409, "application/scim+json")
    assert (await entra.get(path)).json()["active"] is True
    assert (await roles_of(runtime, ANN))["north", "live"] is Role.OWNER


async def test_roles_that_the_identity_provider_assigns(entra: httpx2.AsyncClient, runtime: Runtime) -> None:
    user = await created(entra, "ben", roles=[{"value": "Analyst", "primary": True}, {"value": "janitor"}])
    assert (await roles_of(runtime, BEN))["north", "live"] is Role.ANALYST
    await entra.patch(f"{USERS}/{user['id']}", json=patch({"op": "remove", "path": "roles"}))
    assert (await roles_of(runtime, BEN))["north", "live"] is Role.VIEWER


async def test_one_organization_sees_nothing_of_another(
    entra: httpx2.AsyncClient, okta: httpx2.AsyncClient, runtime: Runtime
) -> None:
    user = await created(entra, "ben", externalId="b1")
    path = f"{USERS}/{user['id']}"
    assert (await okta.get(USERS)).json()["totalResults"] == 0
    assert await find(okta, 'externalId eq "b1"') == []
    for answer in (
        await okta.get(path),
        await okta.put(path, json=describe_user("mallory")),
        await okta.patch(path, json=INACTIVE),
        await okta.delete(path),
    ):
        assert (answer.status_code, answer.json()["status"]) == (404, "404")
    stranger = await okta.post(GROUPS, json=describe_group("Owners", user["id"]))
    assert (stranger.status_code, stranger.json()["scimType"]) == (400, "invalidValue")
    assert (await entra.get(path)).json() == user
    assert (await roles_of(runtime, BEN)).keys() == {("north", "live"), ("north", "sandbox")}


async def test_versions(entra: httpx2.AsyncClient) -> None:
    user = await created(entra, "ben")
    path, version = f"{USERS}/{user['id']}", user["meta"]["version"]
    unchanged = await entra.get(path, headers={"If-None-Match": version})
    assert (unchanged.status_code, unchanged.headers["etag"], unchanged.content) == (304, version, b"")
    change = patch({"op": "add", "path": "displayName", "value": "Ben"})
    changed = await entra.patch(path, json=change, headers={"If-Match": version})
    assert changed.json()["meta"]["version"] == changed.headers["etag"] != version
    stale = await entra.delete(path, headers={"If-Match": version})
    assert (stale.status_code, stale.json()["status"]) == (412, "412")
    assert (await entra.delete(path, headers={"If-Match": changed.headers["etag"]})).status_code == 204


@pytest.mark.parametrize(
    ("body", "kind"),
    [
        ({"schemas": ["urn:ietf:params:scim:schemas:core:2.0:User"]}, "invalidValue"),
        (describe_user("ben", userName="ben", emails=[]), "invalidValue"),
        (describe_user("ben", emails=[{"value": "no address"}]), "invalidValue"),
        (describe_user("ben", active="perhaps"), "invalidValue"),
        (describe_user("ben", userName="x" * 501), "invalidValue"),
    ],
)
async def test_what_cannot_be_a_user_is_refused(body: dict[str, Any], kind: str, entra: httpx2.AsyncClient) -> None:
    answer = await entra.post(USERS, json=body)
    assert (answer.status_code, answer.json()["scimType"]) == (400, kind), answer.text


async def test_what_a_client_sends_that_is_no_request(entra: httpx2.AsyncClient) -> None:
    broken = await entra.post(USERS, content=b"{", headers={"Content-Type": "application/scim+json"})
    assert (broken.status_code, broken.json()["scimType"]) == (400, "invalidSyntax")
    text = await entra.post(USERS, content=b"{}", headers={"Content-Type": "text/plain"})
    assert text.status_code == 415
    assert (await entra.get(f"{USERS}/{ABSENT}")).status_code == 404
    assert (await entra.get(f"{USERS}/ben")).status_code == 404
    assert (await entra.get("/scim/v2/Nothing")).json()["schemas"] == ["urn:ietf:params:scim:api:messages:2.0:Error"]
    assert (await entra.post("/scim/v2/.search", json={})).status_code == 501


async def test_operations_as_identity_providers_write_them(entra: httpx2.AsyncClient, runtime: Runtime) -> None:
    """Entra ID selects values that don't exist yet; Okta repeats what is read-only."""
    user = await created(entra, "ben", emails=[])
    path = f"{USERS}/{user['id']}"
    work = {"op": "Add", "path": 'emails[type eq "work"].value', "value": "ben.roy@north.example"}
    name = {"op": "Replace", "path": "name.givenName", "value": "Ben"}
    unknown = {"op": "Add", "path": "urn:ietf:params:scim:schemas:extension:enterprise:2.0:User:department", "value": "Risk"}
    changed = (await entra.patch(path, json=patch(work, name, unknown))).json()
    assert [email["value"] for email in changed["emails"]][-1] == "ben.roy@north.example"
    assert changed["name"] == {"givenName": "Ben"}
    assigned = {"op": "Add", "path": 'roles[primary eq "True"].value', "value": "analyst"}
    assert (await entra.patch(path, json=patch(assigned))).json()["roles"] == [{"primary": True, "value": "analyst"}]
    dotted = {"op": "Replace", "value": {"name.familyName": "Roy", 'emails[type eq "work"].value': "roy@north.example"}}
    changed = (await entra.patch(path, json=patch(dotted))).json()
    assert (changed["name"]["familyName"], changed["emails"][-1]["value"]) == ("Roy", "roy@north.example")
    whole = {"op": "replace", "value": {"id": user["id"], "active": False}}
    assert (await entra.patch(path, json=patch(whole))).json()["active"] is False
    assert await roles_of(runtime, "roy@north.example") == {}


async def test_a_user_as_identity_providers_create_them(entra: httpx2.AsyncClient) -> None:
    """With read-only attributes, extensions and a password, all of which are ignored."""
    department = {"urn:ietf:params:scim:schemas:extension:enterprise:2.0:User": {"department": "Risk"}}
    user = await created(entra, "ben", meta={"resourceType": "User"}, groups=[], roles=[], password="1mz050nq", **department)
    assert user.keys() == {"schemas", "id", "userName", "active", "emails", "meta"}


async def test_the_sandbox_has_tokens_of_its_own(runtime: Runtime, new_client: NewClient) -> None:
    client = await new_client(await create_token(runtime, "north", World.SANDBOX))
    await created(client, "ben")
    assert await roles_of(runtime, BEN) == {("north", "sandbox"): Role.VIEWER}
