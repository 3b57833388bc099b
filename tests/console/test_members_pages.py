"""Members and profile: what owners do about others and users about themselves, and what nobody may."""

import re
from collections.abc import AsyncIterator
from uuid import UUID, uuid4

import httpx2
import pytest

from bonafide.console.accounts.profile import describe_browser
from bonafide.model.accounts.organizations import World
from bonafide.model.accounts.users import Role, UserRequest
from bonafide.runtime import Runtime
from bonafide.services.accounts import members
from tests.support.console.sessions import OPERATOR, anonymous_client, send, signed_in_client
from tests.support.services.accounts import is_correct_password

pytestmark = pytest.mark.anyio
OWNER, ANALYST, CAT = "owner@north.example", "analyst@north.example", "cat@south.example"
PASSWORD, OTHER_PASSWORD = "seventeen quiet otters", "lantern gravel tuba"
PAGE, PROFILE = "/console/members", "/console/profile"
LINK = re.compile(r'id="link" value="([^"]+)"')


@pytest.fixture
def runtime(bare_runtime: Runtime) -> Runtime:
    return bare_runtime


@pytest.fixture
async def owner(runtime: Runtime) -> AsyncIterator[httpx2.AsyncClient]:
    async with await signed_in_client(runtime) as client:
        yield client


@pytest.fixture
async def analyst(runtime: Runtime, owner: httpx2.AsyncClient) -> AsyncIterator[httpx2.AsyncClient]:
    async with await signed_in_client(runtime, Role.ANALYST) as client:
        yield client


@pytest.fixture
async def cat(runtime: Runtime) -> AsyncIterator[httpx2.AsyncClient]:
    """The owner of another organization."""
    async with await signed_in_client(runtime, organization="south", email=CAT) as client:
        yield client


async def id_of(runtime: Runtime, email: str) -> UUID:
    return (await members.find_user(runtime, email)).user.id


async def role_of(runtime: Runtime, email: str) -> Role | None:
    places = (await members.find_user(runtime, email)).memberships
    return next((mine.role for mine in places if mine.organization == "north"), None)


async def invited(owner: httpx2.AsyncClient, email: str, role: Role = Role.VIEWER) -> str:
    """The address that the owner hands over."""
    answer = await send(owner, PAGE, f"{PAGE}/invite", email=email, role=role)
    found = LINK.search(answer.text)
    assert found is not None
    return found[1]


def token_of(link: str) -> str:
    return link.partition("token=")[2]


# ---------------------------------------------------------------------------------------------------------- invitations


async def test_an_owner_invites_and_hands_the_link_over(runtime: Runtime, owner: httpx2.AsyncClient) -> None:
    link = await invited(owner, "Ben@North.example", Role.ANALYST)
    shown = await owner.get(PAGE)
    assert "ben@north.example" in shown.text
    # It is shown once.
    assert token_of(link) not in shown.text
    async with anonymous_client(runtime) as browser:
        opened = await browser.get(link)
        assert "Join north" in opened.text
        assert f"{OWNER} invited you" in opened.text
        answer = await send(browser, link, "/console/link", token=token_of(link), password=OTHER_PASSWORD, name="Ben")
        assert answer.headers["location"] == "/console"
        assert "ben@north.example" in (await browser.get(PROFILE)).text
    assert await role_of(runtime, "ben@north.example") is Role.ANALYST


@pytest.mark.parametrize("email", ["", "nobody", "a b@c.example", "nul\x00@c.example"])
async def test_an_address_that_is_none_is_refused_at_its_field(owner: httpx2.AsyncClient, email: str) -> None:
    answer = await send(owner, PAGE, f"{PAGE}/invite", email=email, role="viewer")
    assert answer.status_code == 422
    assert 'id="field-email-problem"' in answer.text


async def test_a_role_that_is_none_makes_no_invitation(owner: httpx2.AsyncClient) -> None:
    answer = await send(owner, PAGE, f"{PAGE}/invite", email="ben@north.example", role="king")
    assert answer.status_code == 422
    assert "No pending invitations" in answer.text


async def test_a_member_is_not_invited_again(owner: httpx2.AsyncClient, analyst: httpx2.AsyncClient) -> None:
    answer = await send(owner, PAGE, f"{PAGE}/invite", email=ANALYST, role="viewer")
    assert answer.status_code == 409
    assert "This person is already a member of the organization." in answer.text


async def test_a_revoked_invitation_lets_nobody_in(runtime: Runtime, owner: httpx2.AsyncClient, cat: httpx2.AsyncClient) -> None:
    link = await invited(owner, "ben@north.example")
    found = re.search(r"/console/members/invitations/[0-9a-f-]+/revoke", (await owner.get(PAGE)).text)
    assert found is not None
    # Another organization's owner does not reach it.
    assert (await send(cat, PAGE, found[0])).status_code == 404
    assert (await send(owner, PAGE, found[0])).headers["location"] == PAGE
    async with anonymous_client(runtime) as browser:
        assert (await browser.get(link)).status_code == 404


async def test_who_is_known_proves_it_and_joins(runtime: Runtime, owner: httpx2.AsyncClient) -> None:
    request = UserRequest(email=CAT, organization="south", role=Role.OWNER, world=World.SANDBOX)
    await members.create_user(runtime, request, OPERATOR, PASSWORD)
    link = await invited(owner, CAT)
    token = token_of(link)
    async with anonymous_client(runtime) as browser:
        assert "You already have an account" in (await browser.get(link)).text
        wrong = await send(browser, link, "/console/link", token=token, password=OTHER_PASSWORD)
        assert wrong.status_code == 403
        assert 'id="field-password-problem"' in wrong.text
        answer = await send(browser, link, "/console/link", token=token, password=PASSWORD)
        assert answer.status_code == 303
    assert await role_of(runtime, CAT) is Role.VIEWER
    assert await is_correct_password(runtime, CAT, PASSWORD)


async def test_who_is_signed_in_only_agrees(runtime: Runtime, owner: httpx2.AsyncClient, cat: httpx2.AsyncClient) -> None:
    link = await invited(owner, CAT)
    assert 'type="password"' not in (await cat.get(link)).text
    assert (await send(cat, link, "/console/link", token=token_of(link))).headers["location"] == "/console"
    assert "north" in (await cat.get(PROFILE)).text
    assert await role_of(runtime, CAT) is Role.VIEWER


async def test_who_is_signed_in_as_another_is_asked_to_sign_out(owner: httpx2.AsyncClient, cat: httpx2.AsyncClient) -> None:
    link = await invited(owner, "ben@north.example")
    assert f"You’re signed in as {CAT}." in (await cat.get(link)).text
    assert (await send(cat, link, "/console/link", token=token_of(link))).status_code == 403


# -------------------------------------------------------------------------------------------------------------- members


async def test_an_owner_changes_a_role_and_removes_a_member(
    runtime: Runtime, owner: httpx2.AsyncClient, analyst: httpx2.AsyncClient
) -> None:
    member = await id_of(runtime, ANALYST)
    assert (await send(owner, PAGE, f"{PAGE}/{member}/role", role="viewer")).headers["location"] == PAGE
    assert await role_of(runtime, ANALYST) is Role.VIEWER
    assert (await analyst.get("/console/search")).status_code == 403
    assert (await send(owner, PAGE, f"{PAGE}/{member}/role", role="king")).headers["location"] == PAGE
    assert await role_of(runtime, ANALYST) is Role.VIEWER
    assert (await send(owner, PAGE, f"{PAGE}/{member}/remove")).headers["location"] == PAGE
    assert await role_of(runtime, ANALYST) is None
    assert (await analyst.get("/console")).headers["location"].startswith("/console/sign-in")


async def test_the_last_owner_stays_and_is_told_why(runtime: Runtime, owner: httpx2.AsyncClient) -> None:
    member = await id_of(runtime, OWNER)
    for action, fields in (("role", {"role": "viewer"}), ("remove", {})):
        answer = await send(owner, PAGE, f"{PAGE}/{member}/{action}", **fields)
        assert answer.status_code == 409
        assert "An organization needs an owner." in answer.text
    assert await role_of(runtime, OWNER) is Role.OWNER


async def test_another_organization_s_people_can_not_be_told_from_nobody(
    runtime: Runtime, owner: httpx2.AsyncClient, cat: httpx2.AsyncClient
) -> None:
    assert CAT not in (await owner.get(PAGE)).text
    foreign = await id_of(runtime, CAT)
    for member in (foreign, uuid4(), "x"):
        for action in ("role", "remove"):
            assert (await send(owner, PAGE, f"{PAGE}/{member}/{action}", role="viewer")).status_code == 404
    assert len((await members.find_user(runtime, CAT)).memberships) == 1


@pytest.mark.parametrize("path", ["invite", "{id}/role", "{id}/remove", "invitations/{id}/revoke"])
async def test_only_owners_manage_members(runtime: Runtime, analyst: httpx2.AsyncClient, path: str) -> None:
    assert (await analyst.get(PAGE)).status_code == 403
    assert PAGE not in (await analyst.get(PROFILE)).text
    member = await id_of(runtime, OWNER)
    answer = await send(analyst, PROFILE, f"{PAGE}/{path.format(id=member)}", email="x@y.example", role="owner")
    assert answer.status_code == 403
    assert await role_of(runtime, OWNER) is Role.OWNER


async def test_an_owner_who_leaves_is_shown_what_is_left(runtime: Runtime, owner: httpx2.AsyncClient) -> None:
    async with await signed_in_client(runtime, Role.OWNER, email="second@north.example"):
        leaving = await id_of(runtime, OWNER)
        assert (await send(owner, PAGE, f"{PAGE}/{leaving}/remove")).headers["location"] == "/console"
    assert (await owner.get("/console")).headers["location"].startswith("/console/sign-in")


async def test_names_stay_text(runtime: Runtime, owner: httpx2.AsyncClient) -> None:
    await send(owner, PROFILE, name="<script>alert(1)</script>")
    assert "<script>alert" not in (await owner.get(PAGE)).text
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in (await owner.get(PAGE)).text


# -------------------------------------------------------------------------------------------------------- organizations


async def test_people_switch_between_their_own_organizations_alone(runtime: Runtime, cat: httpx2.AsyncClient) -> None:
    async with await signed_in_client(runtime, world=World.LIVE, organization="west") as client:
        places = {mine.world: mine.organization_id for mine in (await members.find_user(runtime, "owner@west.example")).memberships}
        shown = await client.get(PROFILE)
        assert f'value="{places[World.LIVE]}" aria-pressed="true"' in shown.text
        assert (await send(client, PROFILE, "/console/organization", organization=places[World.SANDBOX])).status_code == 303
        assert f'value="{places[World.SANDBOX]}" aria-pressed="true"' in (await client.get(PROFILE)).text
        foreign = (await members.find_user(runtime, CAT)).memberships[0].organization_id
        for wanted in (foreign, uuid4(), "x", ""):
            assert (await send(client, PROFILE, "/console/organization", organization=wanted)).status_code == 404
        assert f'value="{places[World.SANDBOX]}" aria-pressed="true"' in (await client.get(PROFILE)).text


# -------------------------------------------------------------------------------------------------------------- profile


async def test_users_choose_their_name_language_and_whether_keys_work(runtime: Runtime, analyst: httpx2.AsyncClient) -> None:
    saved = await send(analyst, PROFILE, name="Zoé", language="fr")
    assert saved.headers["location"] == f"{PROFILE}?done=saved"
    shown = await analyst.get(saved.headers["location"])
    assert '<html lang="fr">' in shown.text
    assert "Modifications enregistrées." in shown.text
    assert 'value="Zoé"' in shown.text
    user = (await members.find_user(runtime, ANALYST)).user
    assert (user.name, user.language, user.shortcuts) == ("Zoé", "fr", False)


@pytest.mark.parametrize(("field", "value"), [("name", "x" * 501), ("name", "nul\x00"), ("language", "klingon")])
async def test_what_can_not_be_kept_is_refused(analyst: httpx2.AsyncClient, field: str, value: str) -> None:
    answer = await send(analyst, PROFILE, **{field: value})
    assert answer.status_code == 422


async def test_a_password_is_changed_by_whoever_knows_the_old_one(runtime: Runtime) -> None:
    request = UserRequest(email=CAT, organization="south", role=Role.VIEWER, world=World.SANDBOX)
    await members.create_user(runtime, request, OPERATOR, PASSWORD)
    async with anonymous_client(runtime) as here, anonymous_client(runtime) as there:
        for browser in (here, there):
            await send(browser, "/console/sign-in", email=CAT, password=PASSWORD)
        wrong = await send(here, PROFILE, f"{PROFILE}/password", old=OTHER_PASSWORD, password=OTHER_PASSWORD)
        assert wrong.status_code == 422
        assert 'id="field-old-problem"' in wrong.text
        short = await send(here, PROFILE, f"{PROFILE}/password", old=PASSWORD, password="short")
        assert 'id="field-password-problem"' in short.text
        changed = await send(here, PROFILE, f"{PROFILE}/password", old=PASSWORD, password=OTHER_PASSWORD)
        assert changed.headers["location"] == f"{PROFILE}?done=password"
        assert (await here.get(PROFILE)).status_code == 200
        assert (await there.get(PROFILE)).status_code == 303
    assert await is_correct_password(runtime, CAT, OTHER_PASSWORD)


async def test_guessing_at_the_old_password_is_paused(runtime: Runtime) -> None:
    request = UserRequest(email=CAT, organization="south", role=Role.VIEWER, world=World.SANDBOX)
    await members.create_user(runtime, request, OPERATOR, PASSWORD)
    async with anonymous_client(runtime) as browser:
        await send(browser, "/console/sign-in", email=CAT, password=PASSWORD)
        answers = [await send(browser, PROFILE, f"{PROFILE}/password", old="wrong", password=OTHER_PASSWORD) for _ in range(6)]
    assert [answer.status_code for answer in answers] == [422] * 5 + [429]
    assert "Try again in" in answers[-1].text


async def test_who_has_no_password_has_none_to_change(analyst: httpx2.AsyncClient) -> None:
    assert 'type="password"' not in (await analyst.get(PROFILE)).text


async def test_people_see_and_end_their_sessions(runtime: Runtime, analyst: httpx2.AsyncClient, cat: httpx2.AsyncClient) -> None:
    shown = await analyst.get(PROFILE)
    (own,) = re.findall(r"/console/profile/sessions/([0-9a-f-]{36})/end", shown.text)
    assert "This session" in shown.text
    for foreign in (own, str(uuid4()), "x"):
        assert (await send(cat, PROFILE, f"{PROFILE}/sessions/{foreign}/end")).status_code == 404
    ended = await send(analyst, PROFILE, f"{PROFILE}/sessions/{own}/end")
    assert ended.headers["location"] == "/console/sign-in"
    assert (await analyst.get(PROFILE)).status_code == 303


async def test_every_other_session_ends_at_once(runtime: Runtime) -> None:
    request = UserRequest(email=CAT, organization="south", role=Role.VIEWER, world=World.SANDBOX)
    await members.create_user(runtime, request, OPERATOR, PASSWORD)
    async with anonymous_client(runtime) as here, anonymous_client(runtime) as there:
        for browser in (here, there):
            await send(browser, "/console/sign-in", email=CAT, password=PASSWORD)
        assert "Sign out other sessions" in (await here.get(PROFILE)).text
        await send(here, PROFILE, f"{PROFILE}/sessions/end-others")
        assert (await there.get(PROFILE)).status_code == 303
        assert "Sign out other sessions" not in (await here.get(PROFILE)).text


@pytest.mark.parametrize(
    ("browser", "words"),
    [
        ("Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0", "Firefox, Linux"),
        ("Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/150 Safari/537.36 Edg/150", "Edge, Windows"),
        ("Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) AppleWebKit/605 Version/19 Safari/604", "Safari, iPhone"),
        ("Mozilla/5.0 (Linux; Android 16) AppleWebKit/537.36 Chrome/150 Mobile Safari/537.36", "Chrome, Android"),
        ("curl/8", None),
        ("", None),
        (None, None),
    ],
)
def test_a_browser_is_called_as_people_call_it(browser: str | None, words: str | None) -> None:
    assert describe_browser(browser) == words
