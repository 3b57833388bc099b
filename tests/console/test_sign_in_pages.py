"""The way in: by password or through an identity provider, in whose cookie, to where; and the way out."""

from collections.abc import AsyncIterator
from dataclasses import replace
from typing import Any

import httpx2
import pytest
from pydantic import SecretStr

from bonafide.model.accounts.organizations import World
from bonafide.model.accounts.users import Role, UserRequest
from bonafide.runtime import Runtime, build_identity_provider_fetcher
from bonafide.services.accounts import members, one_time_links, sign_in
from tests.support.console.sessions import OPERATOR, anonymous_client, csrf_of, send, signed_in_client
from tests.support.servers.identity_provider import CLIENT_SECRET, running_provider
from tests.support.services.accounts import is_correct_password

pytestmark = pytest.mark.anyio
ANN, PASSWORD = "ann@north.example", "seventeen quiet otters"
PAGE = "/console/sign-in"
WRONG = "The email address or password is incorrect."


@pytest.fixture
def runtime(bare_runtime: Runtime) -> Runtime:
    return bare_runtime


@pytest.fixture
async def visitor(runtime: Runtime) -> AsyncIterator[httpx2.AsyncClient]:
    """A browser in which nobody is signed in, where Ann is known."""
    request = UserRequest(email=ANN, organization="north", role=Role.OWNER, world=World.SANDBOX)
    await members.create_user(runtime, request, OPERATOR, PASSWORD)
    async with anonymous_client(runtime) as client:
        yield client


def over(runtime: Runtime, **changes: Any) -> Runtime:
    return replace(runtime, settings=runtime.settings.model_copy(update=changes))


def session_cookies(answer: httpx2.Response) -> list[str]:
    return [cookie for cookie in answer.headers.get_list("set-cookie") if "bonafide_session" in cookie]


# ------------------------------------------------------------------------------------------------------------- password


async def test_the_right_password_opens_the_console(visitor: httpx2.AsyncClient) -> None:
    answer = await send(visitor, PAGE, email=ANN, password=PASSWORD)
    assert (answer.status_code, answer.headers["location"]) == (303, "/console")
    assert (await visitor.get("/console")).headers["location"] == "/console/overview"
    # Whoever is signed in has no use for the form.
    assert (await visitor.get(PAGE)).status_code == 303


async def test_the_cookie_is_out_of_reach_of_scripts_and_of_other_sites(visitor: httpx2.AsyncClient) -> None:
    (cookie,) = session_cookies(await send(visitor, PAGE, email=ANN, password=PASSWORD))
    name, *flags = cookie.lower().split("; ")
    assert name.startswith("bonafide_session=")
    assert {"httponly", "samesite=lax", "path=/", "max-age=604800"} == set(flags)


async def test_over_https_it_is_bound_to_this_very_host(runtime: Runtime, visitor: httpx2.AsyncClient) -> None:
    async with anonymous_client(over(runtime, public_url="https://bonafide.north.example")) as client:
        opened = await client.get(PAGE)
        assert opened.headers["set-cookie"].startswith("__Host-bonafide_visit=")
        (cookie,) = session_cookies(await send(client, PAGE, email=ANN, password=PASSWORD))
        assert cookie.startswith("__Host-bonafide_session=")
        assert "secure" in cookie.lower().split("; ")
        assert "domain=" not in cookie.lower()
        (gone,) = session_cookies(await send(client, "/console/profile", "/console/sign-out"))
        assert gone.startswith("__Host-bonafide_session=")
        assert "max-age=0" in gone.lower()


async def test_a_session_that_somebody_else_has_set_is_not_taken_over(visitor: httpx2.AsyncClient) -> None:
    visitor.cookies.set("bonafide_session", "fixed in advance")
    (cookie,) = session_cookies(await send(visitor, PAGE, email=ANN, password=PASSWORD))
    assert "fixed" not in cookie


@pytest.mark.parametrize(
    ("email", "password"), [(ANN, "a wrong one"), ("nobody@north.example", PASSWORD), ("", ""), ("nul\x00@north.example", PASSWORD)]
)
async def test_no_refusal_says_what_was_wrong(visitor: httpx2.AsyncClient, email: str, password: str) -> None:
    answer = await send(visitor, PAGE, email=email, password=password)
    assert answer.status_code == 403
    assert WRONG in answer.text
    assert session_cookies(answer) == []
    if password != "":
        assert password not in answer.text


async def test_who_is_refused_types_the_address_only_once(visitor: httpx2.AsyncClient) -> None:
    answer = await send(visitor, PAGE, email='ann"><b>@north.example', password="wrong", next="/console/keys")
    assert 'value="ann&#34;&gt;&lt;b&gt;@north.example"' in answer.text
    assert 'name="next" value="/console/keys"' in answer.text


async def test_guessing_is_paused_and_the_page_says_for_how_long(visitor: httpx2.AsyncClient) -> None:
    for _ in range(5):
        await send(visitor, PAGE, email=ANN, password="wrong")
    answer = await send(visitor, PAGE, email=ANN, password=PASSWORD)
    assert answer.status_code == 429
    assert 0 < int(answer.headers["retry-after"]) <= 15
    assert f"Try again in {answer.headers['retry-after']} seconds." in answer.text
    assert session_cookies(answer) == []


@pytest.mark.slow
async def test_a_known_browser_signs_in_while_others_fail_on_purpose(runtime: Runtime, visitor: httpx2.AsyncClient) -> None:
    visitor.headers["x-forwarded-for"] = "192.0.2.7"
    answer = await send(visitor, PAGE, email=ANN, password=PASSWORD)
    (cookie,) = [cookie for cookie in answer.headers.get_list("set-cookie") if "bonafide_device" in cookie]
    assert "HttpOnly" in cookie
    assert "samesite=lax" in cookie.lower()
    assert ANN not in cookie
    await send(visitor, "/console/profile", "/console/sign-out")
    async with anonymous_client(runtime) as attacker:
        for number in range(sign_in.FREE_BY_EMAIL):
            attacker.headers["x-forwarded-for"] = "192.0.2.7" if number < sign_in.FREE_BY_PAIR else f"198.51.100.{number}"
            assert (await send(attacker, PAGE, email=ANN, password="wrong")).status_code == 403
        for address in ("192.0.2.7", "203.0.113.1"):
            attacker.headers["x-forwarded-for"] = address
            assert (await send(attacker, PAGE, email=ANN, password=PASSWORD)).status_code == 429
    answer = await send(visitor, PAGE, email=ANN, password=PASSWORD)
    assert (answer.status_code, len(session_cookies(answer))) == (303, 1)


async def test_who_fails_on_purpose_keeps_nobody_signed_out(runtime: Runtime, visitor: httpx2.AsyncClient) -> None:
    async with anonymous_client(runtime) as attacker:
        attacker.headers["x-forwarded-for"] = "198.51.100.9"
        answers = [await send(attacker, PAGE, email=ANN, password="wrong") for _ in range(sign_in.FREE_BY_PAIR + 1)]
    assert answers[-1].status_code == 429
    answer = await send(visitor, PAGE, email=ANN, password=PASSWORD)
    assert (answer.status_code, len(session_cookies(answer))) == (303, 1)


async def test_a_refusal_is_said_in_the_reader_s_language(visitor: httpx2.AsyncClient) -> None:
    visitor.headers["accept-language"] = "fr-CA"
    answer = await send(visitor, PAGE, email=ANN, password="wrong")
    assert "L’adresse de courriel ou le mot de passe est incorrect." in answer.text


@pytest.mark.parametrize("headers", [{"origin": "https://evil.example"}, {"sec-fetch-site": "cross-site"}])
async def test_nobody_is_signed_in_by_another_site(visitor: httpx2.AsyncClient, headers: dict[str, str]) -> None:
    data = {"csrf": csrf_of(await visitor.get(PAGE)), "email": ANN, "password": PASSWORD}
    answer = await visitor.post(PAGE, data=data, headers=headers)
    assert (answer.status_code, session_cookies(answer)) == (403, [])


async def test_nor_without_having_opened_the_page_in_this_browser(runtime: Runtime, visitor: httpx2.AsyncClient) -> None:
    async with anonymous_client(runtime) as another:
        token = csrf_of(await another.get(PAGE))
    for data in ({}, {"csrf": token}):
        answer = await visitor.post(PAGE, data={**data, "email": ANN, "password": PASSWORD})
        assert (answer.status_code, session_cookies(answer)) == (403, [])


# ------------------------------------------------------------------------------------------------------------- where to


async def test_who_was_on_the_way_somewhere_gets_there(visitor: httpx2.AsyncClient) -> None:
    sent = await visitor.get("/console/keys?offset=20")
    assert sent.headers["location"] == f"{PAGE}?next=%2Fconsole%2Fkeys%3Foffset%3D20"
    answer = await send(visitor, sent.headers["location"], PAGE, email=ANN, password=PASSWORD, next="/console/keys?offset=20")
    assert answer.headers["location"] == "/console/keys?offset=20"


@pytest.mark.parametrize(
    "wanted",
    [
        "https://evil.example",
        "//evil.example",
        "/\\evil.example",
        "/console/\\evil.example",
        "/console.evil.example",
        "/consolex",
        "javascript:alert(1)",
        " /console",
        "/console/x\r\nset-cookie: a=b",
        "/console/\x00",
        "/v1/search",
        "",
    ],
)
async def test_nobody_is_led_anywhere_else(visitor: httpx2.AsyncClient, wanted: str) -> None:
    shown = await visitor.get(PAGE, params={"next": wanted})
    assert 'name="next" value="/console">' in shown.text
    assert (await send(visitor, PAGE, "/console/language", language="fr", next=wanted)).headers["location"] == "/console"
    answer = await send(visitor, PAGE, email=ANN, password=PASSWORD, next=wanted)
    assert answer.headers["location"] == "/console"
    assert (await visitor.get(PAGE, params={"next": wanted})).headers["location"] == "/console"


async def test_the_language_is_chosen_before_anybody_signs_in(visitor: httpx2.AsyncClient) -> None:
    await send(visitor, PAGE, "/console/language", language="fr", next=PAGE)
    assert '<html lang="fr">' in (await visitor.get(PAGE)).text
    await send(visitor, PAGE, "/console/language", language="klingon", next=PAGE)
    assert '<html lang="fr">' in (await visitor.get(PAGE)).text


# -------------------------------------------------------------------------------------------------------------- the end


async def test_who_signs_out_is_out_even_for_whoever_has_kept_the_cookie(runtime: Runtime, visitor: httpx2.AsyncClient) -> None:
    async with await signed_in_client(runtime) as client:
        kept = client.cookies["bonafide_session"]
        answer = await send(client, "/console/profile", "/console/sign-out")
        assert answer.headers["location"] == PAGE
        visitor.cookies.set("bonafide_session", kept)
        assert (await visitor.get("/console")).headers["location"].startswith(PAGE)


async def test_signing_out_takes_a_form_of_ours(runtime: Runtime) -> None:
    async with await signed_in_client(runtime) as client:
        assert (await client.get("/console/sign-out")).status_code in {404, 405}
        assert (await client.post("/console/sign-out", data={})).status_code == 403
        assert (await client.get("/console/profile")).status_code == 200


# ------------------------------------------------------------------------------------------------------- single sign-on


@pytest.fixture
async def joined(runtime: Runtime) -> AsyncIterator[Runtime]:
    """With a provider that knows Ann."""
    async with running_provider(runtime.clock) as provider:
        changed = over(runtime, **provider.settings | {"oidc_client_secret": SecretStr(CLIENT_SECRET)})
        door = build_identity_provider_fetcher(changed.settings, runtime.clock)
        assert door is not None
        yield replace(changed, identity_provider=door)
        await door.close()


async def followed(client: httpx2.AsyncClient, address: str) -> httpx2.Response:
    """As a browser goes: to the provider, over real HTTP, and back to us."""
    sent = await client.get(address)
    assert sent.status_code == 303
    async with httpx2.AsyncClient() as outside:
        back = await outside.get(sent.headers["location"])
    return await client.get(back.headers["location"])


async def test_a_person_comes_in_through_the_provider(joined: Runtime, visitor: httpx2.AsyncClient) -> None:
    async with anonymous_client(joined) as client:
        opened = await client.get(PAGE)
        assert "Sign in with North ID" in opened.text
        answer = await followed(client, "/console/sign-in/with")
        assert (answer.status_code, answer.headers["location"]) == (303, "/console")
        assert ANN in (await client.get("/console/profile")).text


async def test_an_invitation_goes_along_to_the_provider(joined: Runtime) -> None:
    async with await signed_in_client(joined) as owner:
        invited = await send(owner, "/console/members", "/console/members/invite", email=ANN, role="viewer")
    link = invited.text.partition('id="link" value="')[2].partition('"')[0]
    async with anonymous_client(joined) as client:
        opened = await client.get(link)
        address = opened.text.partition('class="button wide" href="')[2].partition('"')[0]
        assert (await followed(client, address)).headers["location"] == "/console"
        assert "Viewer" in (await client.get("/console/profile")).text


async def test_who_refuses_there_is_back_at_the_form(joined: Runtime) -> None:
    async with anonymous_client(joined) as client:
        for query in ("error=access_denied&state=x", "", "code=x&state=%00", "code=x"):
            answer = await client.get(f"/console/sign-in/return?{query}")
            assert answer.status_code == 403
            assert "Start again." in answer.text
            assert session_cookies(answer) == []


async def test_where_passwords_are_turned_off_there_is_no_field_for_one(joined: Runtime, visitor: httpx2.AsyncClient) -> None:
    async with anonymous_client(over(joined, password_sign_in=False)) as client:
        opened = await client.get(PAGE)
        assert 'type="password"' not in opened.text
        answer = await client.post(PAGE, data={"csrf": csrf_of(opened), "email": ANN, "password": PASSWORD})
        assert (answer.status_code, session_cookies(answer)) == (403, [])


async def test_without_a_provider_nobody_is_sent_to_one(visitor: httpx2.AsyncClient) -> None:
    assert "sign-in/with" not in (await visitor.get(PAGE)).text
    assert (await visitor.get("/console/sign-in/with")).status_code == 404


# ---------------------------------------------------------------------------------------------------------------- links


async def link_for(runtime: Runtime, email: str = ANN) -> str:
    return await one_time_links.create_password_link(runtime, email, OPERATOR)


async def test_a_link_for_a_password_sets_it_and_opens_the_console(runtime: Runtime, visitor: httpx2.AsyncClient) -> None:
    link = await link_for(runtime)
    opened = await visitor.get(link)
    assert "Choose a password" in opened.text
    token = link.partition("token=")[2]
    bad = await send(visitor, link, "/console/link", token=token, password="short", name="Ann")
    assert bad.status_code == 400
    assert "at least 12 characters." in bad.text
    assert 'value="Ann"' in bad.text
    answer = await send(visitor, link, "/console/link", token=token, password="lantern gravel tuba", name="Ann")
    assert (answer.status_code, answer.headers["location"]) == (303, "/console")
    assert len(session_cookies(answer)) == 1
    assert await is_correct_password(runtime, ANN, "lantern gravel tuba")
    over_again = await visitor.get(link)
    assert over_again.status_code == 404
    assert "was already used" in over_again.text


async def test_a_browser_has_one_session_at_a_time(runtime: Runtime, visitor: httpx2.AsyncClient) -> None:
    async with await signed_in_client(runtime, Role.VIEWER) as client:
        before = client.cookies["bonafide_session"]
        link = await link_for(runtime)
        token = link.partition("token=")[2]
        await send(client, link, "/console/link", token=token, password="lantern gravel tuba", name="Ann")
        assert ANN in (await client.get("/console/profile")).text
    visitor.cookies.set("bonafide_session", before)
    assert (await visitor.get("/console/profile")).status_code == 303


@pytest.mark.parametrize("name", ["x" * 501, "Ann\x00"])
async def test_what_is_no_name_is_refused_at_its_field(runtime: Runtime, visitor: httpx2.AsyncClient, name: str) -> None:
    link = await link_for(runtime)
    token = link.partition("token=")[2]
    answer = await send(visitor, link, "/console/link", token=token, password="lantern gravel tuba", name=name)
    assert answer.status_code == 400
    assert 'id="field-name-problem"' in answer.text
    assert (await visitor.get(link)).status_code == 200


@pytest.mark.parametrize("query", ["", "?token=", "?token=x", "?token=%00", "?token=%ff"])
async def test_a_link_that_is_none_is_a_page_that_says_so(visitor: httpx2.AsyncClient, query: str) -> None:
    answer = await visitor.get(f"/console/link{query}")
    assert answer.status_code == 404
    assert "Ask for a new one." in answer.text


async def test_a_link_is_not_used_by_another_site(runtime: Runtime, visitor: httpx2.AsyncClient) -> None:
    link = await link_for(runtime)
    token = link.partition("token=")[2]
    data = {"csrf": csrf_of(await visitor.get(link)), "token": token, "password": "lantern gravel tuba"}
    answer = await visitor.post("/console/link", data=data, headers={"origin": "https://evil.example"})
    assert answer.status_code == 403
    assert await is_correct_password(runtime, ANN, PASSWORD)
