"""Single sign-on against a provider that the test serves: who comes in, as whom, and that nothing forged does."""

from collections.abc import AsyncIterator
from dataclasses import replace
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
import structlog
from pydantic import SecretStr
from sqlalchemy import select

from bonafide.errors import NotFound, ServerBusy, SignInPaused, SignInRefused
from bonafide.model.accounts.organizations import World
from bonafide.model.accounts.users import Role, SignedIn
from bonafide.runtime import Runtime, build_identity_provider_fetcher
from bonafide.services.accounts import members, one_time_links, sessions, sign_in, single_sign_on
from bonafide.services.accounts.sign_in import FREE_SIGN_ONS
from bonafide.services.accounts.single_sign_on import SignOnCallback
from bonafide.store.database.schema import account_tables
from tests.support.servers.identity_provider import CLIENT_SECRET, LocalProvider, running_provider
from tests.support.services.accounts import (
    ANN,
    BEN,
    CAT,
    OPERATOR,
    PASSWORD,
    VISITOR,
    is_correct_password,
    known,
    organization_of,
    session_of,
    token_of,
    with_settings,
)
from tests.support.services.runtimes import ManualClock

pytestmark = pytest.mark.anyio
BROWSER = b"the secret of this browser"
NOBODY = "haven’t been invited yet"


@pytest.fixture
async def provider(clock: ManualClock) -> AsyncIterator[LocalProvider]:
    async with running_provider(clock) as running:
        yield running


@pytest.fixture
async def joined(installation: Runtime, provider: LocalProvider) -> AsyncIterator[Runtime]:
    """An installation that has the provider."""
    async for runtime in connected(installation, provider):
        yield runtime


async def connected(runtime: Runtime, provider: LocalProvider, **changes: Any) -> AsyncIterator[Runtime]:
    told = provider.settings | {"oidc_client_secret": SecretStr(CLIENT_SECRET)} | changes
    settings = with_settings(runtime, **told).settings
    door = build_identity_provider_fetcher(settings, runtime.clock)
    assert door is not None
    yield replace(runtime, settings=settings, identity_provider=door)
    await door.close()


async def sent_away(runtime: Runtime, link: str | None = None) -> dict[str, str]:
    """What the browser takes along to the provider."""
    address = await single_sign_on.begin_sign_on(runtime, BROWSER, VISITOR, link)
    return {name: values[0] for name, values in parse_qs(urlsplit(address).query).items()}


async def token(runtime: Runtime, provider: LocalProvider, link: str | None = None) -> str:
    """There and back again."""
    back = provider.sent_back(await sent_away(runtime, link))
    return await single_sign_on.finish_sign_on(runtime, SignOnCallback(back["state"], back["code"], BROWSER), VISITOR)


async def signed_on(runtime: Runtime, provider: LocalProvider, link: str | None = None) -> SignedIn:
    found = await sessions.resume_session(runtime, await token(runtime, provider, link))
    assert found is not None
    return found


async def refusal(runtime: Runtime, provider: LocalProvider) -> str:
    with pytest.raises(SignInRefused) as refused:
        await token(runtime, provider)
    return refused.value.message


# ----------------------------------------------------------------------------------------------------------- who comes


async def test_a_user_is_known_by_the_address_that_the_provider_vouches_for(joined: Runtime, provider: LocalProvider) -> None:
    await known(joined)
    signed_in = await signed_on(joined, provider)
    assert (signed_in.user.email, signed_in.membership.role) == (ANN, Role.OWNER)


async def test_from_then_on_the_address_means_nothing(joined: Runtime, provider: LocalProvider) -> None:
    ann = await known(joined)
    await signed_on(joined, provider)
    provider.person["email"] = "ann.northrup@elsewhere.example"
    assert (await signed_on(joined, provider)).user.id == ann.user.id
    # The address was given to somebody else.
    provider.person |= {"sub": "person-2", "email": ANN}
    assert "linked to another identity" in await refusal(joined, provider)
    await members.unbind_user(joined, ANN)
    assert (await signed_on(joined, provider)).user.id == ann.user.id


async def test_what_a_password_has_opened_is_closed_when_the_provider_comes_first(joined: Runtime, provider: LocalProvider) -> None:
    """Somebody may have set the password who only knew the address."""
    before = await session_of(joined, await known(joined))
    link = await one_time_links.create_password_link(joined, ANN, OPERATOR)
    await signed_on(joined, provider)
    assert not await is_correct_password(joined, ANN, PASSWORD)
    assert before.session_id not in {session.id for session in await sessions.list_sessions(joined, before)}
    with pytest.raises(NotFound):
        await one_time_links.open_link(joined, token_of(link))


async def test_who_is_not_known_does_not_come_in(joined: Runtime, provider: LocalProvider) -> None:
    assert NOBODY in await refusal(joined, provider)
    assert await members.list_users(joined) == []


async def test_whoever_comes_may_be_let_in_as_what_the_operator_says(installation: Runtime, provider: LocalProvider) -> None:
    async for runtime in connected(installation, provider, oidc_organization="north", oidc_default_role="viewer"):
        first, second = [await signed_on(runtime, provider) for _ in range(2)]
        assert first.user == second.user
        assert (first.user.email, first.user.name) == (ANN, "Ann Northrup")
        assert (first.membership.organization, first.membership.world, first.membership.role) == ("north", World.LIVE, Role.VIEWER)


async def test_a_stranger_s_address_is_of_an_allowed_domain(installation: Runtime, provider: LocalProvider) -> None:
    changes = {"oidc_organization": "north", "oidc_default_role": "viewer"}
    async for runtime in connected(installation, provider, **changes, oidc_allowed_domains="a.example"):
        assert "of this domain" in await refusal(runtime, provider)
    async for runtime in connected(installation, provider, **changes, oidc_allowed_domains=" North.Example , a.example"):
        assert (await signed_on(runtime, provider)).user.email == ANN


async def test_an_address_that_nobody_vouches_for_is_none(joined: Runtime, provider: LocalProvider) -> None:
    await known(joined)
    provider.person["email_verified"] = False
    assert "hasn’t verified your email address" in await refusal(joined, provider)


async def test_a_disabled_user_does_not_come_in(joined: Runtime, provider: LocalProvider) -> None:
    await known(joined)
    await known(joined, BEN)
    await signed_on(joined, provider)
    await members.disable_user(joined, ANN, OPERATOR)
    assert "can’t sign in here" in await refusal(joined, provider)


async def test_who_belongs_nowhere_any_more_does_not_come_in(joined: Runtime, provider: LocalProvider) -> None:
    ann = await known(joined)
    await known(joined, BEN)
    await members.remove_member(joined, (await organization_of(joined)).id, ann.user.id, OPERATOR)
    assert "can’t sign in here" in await refusal(joined, provider)


# ---------------------------------------------------------------------------------------------------------------- links


async def invited(runtime: Runtime, email: str) -> str:
    ben = await session_of(runtime, await known(runtime, BEN))
    return token_of(await one_time_links.invite(runtime, ben.organization_id, email, Role.ANALYST, OPERATOR))


async def test_who_is_invited_joins_by_signing_on(joined: Runtime, provider: LocalProvider) -> None:
    link = await invited(joined, ANN)
    signed_in = await signed_on(joined, provider, link)
    assert (signed_in.user.email, signed_in.user.name, signed_in.membership.role) == (ANN, "Ann Northrup", Role.ANALYST)
    with pytest.raises(NotFound):
        await one_time_links.open_link(joined, link)


async def test_who_is_bound_already_joins_another_organization(joined: Runtime, provider: LocalProvider) -> None:
    await known(joined, organization="south")
    await signed_on(joined, provider)
    signed_in = await signed_on(joined, provider, await invited(joined, ANN))
    assert {mine.organization for mine in signed_in.memberships} == {"north", "south"}


async def test_an_invitation_of_another_address_lets_nobody_in(joined: Runtime, provider: LocalProvider) -> None:
    link = await invited(joined, CAT)
    with pytest.raises(SignInRefused, match=NOBODY):
        await token(joined, provider, link)
    await one_time_links.open_link(joined, link)


async def test_while_somebody_is_away_only_the_digest_of_the_link_is_kept(joined: Runtime, provider: LocalProvider) -> None:
    link = await invited(joined, ANN)
    asked = await sent_away(joined, link)
    async with joined.store.read() as connection:
        rows = repr((await connection.execute(select(account_tables.sign_ons))).all())
    assert not any(secret in rows for secret in (link, asked["state"], BROWSER.hex()))


# --------------------------------------------------------------------------------------------------------- what is asked


async def test_each_question_is_new_and_proves_later_who_asked(joined: Runtime, provider: LocalProvider) -> None:
    first, second = [await sent_away(joined) for _ in range(2)]
    assert not {first[name] for name in ("state", "nonce", "code_challenge")} & set(second.values())
    assert first["code_challenge_method"] == "S256"
    assert first["redirect_uri"] == f"{joined.settings.base_url}/console/sign-in/return"
    assert "code_verifier" not in first


async def test_what_came_back_once_does_not_come_back_again(joined: Runtime, provider: LocalProvider) -> None:
    await known(joined)
    asked = await sent_away(joined)
    for expected in (None, "Start again"):
        back = provider.sent_back(asked)
        returned = SignOnCallback(back["state"], back["code"], BROWSER)
        if expected is None:
            await single_sign_on.finish_sign_on(joined, returned, VISITOR)
        else:
            with pytest.raises(SignInRefused, match=expected):
                await single_sign_on.finish_sign_on(joined, returned, VISITOR)


async def test_it_comes_back_to_the_browser_that_was_sent(joined: Runtime, provider: LocalProvider) -> None:
    """Else somebody could be signed in, by a link, as another."""
    await known(joined)
    back = provider.sent_back(await sent_away(joined))
    for secret in (b"another browser", BROWSER):
        with pytest.raises(SignInRefused, match="another browser"):
            await single_sign_on.finish_sign_on(joined, SignOnCallback(back["state"], back["code"], secret), VISITOR)


@pytest.mark.parametrize("state", ["", "x", "\x00", "é"])
async def test_what_nobody_was_sent_with_does_not_come_back(joined: Runtime, provider: LocalProvider, state: str) -> None:
    await sent_away(joined)
    with pytest.raises(SignInRefused):
        await single_sign_on.finish_sign_on(joined, SignOnCallback(state, "x", BROWSER), VISITOR)
    assert "/token" not in provider.asked


async def test_it_comes_back_within_ten_minutes(joined: Runtime, provider: LocalProvider, clock: ManualClock) -> None:
    await known(joined)
    back = provider.sent_back(await sent_away(joined))
    clock.advance(minutes=10)
    with pytest.raises(SignInRefused, match="took too long"):
        await single_sign_on.finish_sign_on(joined, SignOnCallback(back["state"], back["code"], BROWSER), VISITOR)


async def test_who_begins_too_many_is_paused_before_anybody_is_asked(joined: Runtime, provider: LocalProvider) -> None:
    for _ in range(FREE_SIGN_ONS):
        await sign_in.count_sign_on(joined, VISITOR.client)
    with pytest.raises(SignInPaused):
        await sent_away(joined)
    assert provider.asked == []


async def test_who_came_back_does_not_count(joined: Runtime, provider: LocalProvider) -> None:
    await known(joined)
    for _ in range(FREE_SIGN_ONS - 1):
        await sign_in.count_sign_on(joined, VISITOR.client)
    for _ in range(3):
        await signed_on(joined, provider)


# ---------------------------------------------------------------------------------------------------------- what is wrong


async def test_what_proves_nothing_lets_nobody_in(joined: Runtime, provider: LocalProvider) -> None:
    await known(joined)
    provider.changes = {"nonce": "another nonce"}
    assert "Single sign-on failed" in await refusal(joined, provider)


async def test_a_wrong_code_is_refused_and_the_log_says_nothing_secret(joined: Runtime, provider: LocalProvider) -> None:
    asked = await sent_away(joined)
    with structlog.testing.capture_logs() as told, pytest.raises(SignInRefused):
        await single_sign_on.finish_sign_on(joined, SignOnCallback(asked["state"], "a stolen code", BROWSER), VISITOR)
    assert [line["event"] for line in told] == ["sign_on.failed"]
    assert not any(secret in repr(told) for secret in (CLIENT_SECRET, "a stolen code", asked["state"], asked["nonce"]))


async def test_a_provider_that_spells_itself_in_another_way_is_not_asked_further(joined: Runtime, provider: LocalProvider) -> None:
    provider.metadata = {"issuer": "https://evil.example"}
    with pytest.raises(ServerBusy, match="temporarily unavailable"):
        await sent_away(joined)
    assert provider.asked == ["/.well-known/openid-configuration"]


async def test_nothing_private_is_asked_but_the_provider_that_is_named(installation: Runtime, provider: LocalProvider) -> None:
    async for runtime in connected(installation, provider, oidc_private_address=None):
        with pytest.raises(ServerBusy):
            await sent_away(runtime)
    assert provider.asked == []


async def test_where_there_is_no_provider_nobody_is_sent_to_one(installation: Runtime) -> None:
    with pytest.raises(NotFound):
        await sent_away(installation)
