"""Links that work once: whom they let in and how, and that nobody else gets anything by them."""

import asyncio

import pytest
from sqlalchemy import select

from bonafide.errors import Conflict, Forbidden, NotFound, SignInRefused, ValidationFailed
from bonafide.model.accounts.organizations import World
from bonafide.model.accounts.users import Role, SignedIn
from bonafide.model.records.business_record import Author
from bonafide.runtime import Runtime
from bonafide.services.accounts import members, one_time_links, sessions, sign_in
from bonafide.services.accounts.one_time_links import PasswordChoice
from bonafide.store.database.schema import account_tables
from tests.support.services.accounts import (
    ANN,
    BEN,
    CAT,
    OPERATOR,
    OTHER_PASSWORD,
    PASSWORD,
    VISITOR,
    claim,
    is_correct_password,
    known,
    organization_of,
    session_of,
    token_of,
    trail_of,
    with_settings,
)
from tests.support.services.runtimes import ManualClock

pytestmark = pytest.mark.anyio
OWNER = Author(ANN)


@pytest.fixture
async def north(installation: Runtime) -> SignedIn:
    """Ann, who owns north and has opened its live world."""
    return await session_of(installation, await known(installation))


async def invited(runtime: Runtime, north: SignedIn, email: str = BEN, role: Role = Role.ANALYST) -> str:
    """The token of an invitation."""
    return token_of(await one_time_links.invite(runtime, north.organization_id, email, role, OWNER))


async def resumed(runtime: Runtime, token: str) -> SignedIn:
    signed_in = await sessions.resume_session(runtime, token)
    assert signed_in is not None
    return signed_in


# ---------------------------------------------------------------------------------------------------------- invitations


async def test_whoever_is_new_chooses_a_password_and_joins(installation: Runtime, north: SignedIn) -> None:
    token = await invited(installation, north)
    opened = await one_time_links.open_link(installation, token)
    assert (opened.link.email, opened.link.role, opened.sets_password) == (BEN, Role.ANALYST, True)
    session = await one_time_links.set_password_with_link(installation, token, PasswordChoice(OTHER_PASSWORD, "Ben"), VISITOR)
    signed_in = await resumed(installation, session)
    assert (signed_in.user.email, signed_in.user.name, signed_in.organization_id) == (BEN, "Ben", north.organization_id)
    assert [(mine.world, mine.role) for mine in signed_in.memberships] == [
        (World.LIVE, Role.ANALYST),
        (World.SANDBOX, Role.ANALYST),
    ]
    assert await sign_in.sign_in(installation, claim(BEN, OTHER_PASSWORD), VISITOR) != ""


async def test_a_link_begins_with_the_service_s_own_address_and_is_kept_as_a_digest(installation: Runtime, north: SignedIn) -> None:
    public = with_settings(installation, public_url="https://bonafide.north.example")
    link = await one_time_links.invite(public, north.organization_id, BEN, Role.VIEWER, OWNER)
    assert link.startswith("https://bonafide.north.example/console/link?token=")
    async with installation.store.read() as connection:
        assert token_of(link) not in repr((await connection.execute(select(account_tables.links))).all())


async def test_a_link_works_once(installation: Runtime, north: SignedIn) -> None:
    token = await invited(installation, north)
    ends = await asyncio.gather(
        *(one_time_links.set_password_with_link(installation, token, PasswordChoice(OTHER_PASSWORD), VISITOR) for _ in range(3)),
        return_exceptions=True,
    )
    assert sorted(type(end).__name__ for end in ends) == ["NotFound", "NotFound", "str"]
    with pytest.raises(NotFound, match="already used"):
        await one_time_links.open_link(installation, token)


async def test_a_link_ends_after_a_week(installation: Runtime, north: SignedIn, clock: ManualClock) -> None:
    token = await invited(installation, north)
    clock.advance(days=7, seconds=-1)
    await one_time_links.open_link(installation, token)
    clock.advance(seconds=1)
    with pytest.raises(NotFound):
        await one_time_links.set_password_with_link(installation, token, PasswordChoice(OTHER_PASSWORD), VISITOR)
    assert await one_time_links.list_invitations(installation, north.organization_id) == []


@pytest.mark.parametrize("token", ["", "x", "\x00", "é", "\ud800", "A" * 43])
async def test_another_token_opens_nothing(installation: Runtime, north: SignedIn, token: str) -> None:
    await invited(installation, north)
    with pytest.raises(NotFound):
        await one_time_links.open_link(installation, token)


async def test_a_bad_password_does_not_use_the_link_up(installation: Runtime, north: SignedIn) -> None:
    token = await invited(installation, north)
    for password in ("short", BEN, "north"):
        with pytest.raises(ValidationFailed):
            await one_time_links.set_password_with_link(installation, token, PasswordChoice(password), VISITOR)
    assert await one_time_links.set_password_with_link(installation, token, PasswordChoice(OTHER_PASSWORD), VISITOR) != ""


async def test_an_invitation_never_sets_the_password_of_somebody_who_is_known(installation: Runtime, north: SignedIn) -> None:
    """An owner who invites an address sees the link: it must not be a way into somebody else's account."""
    await known(installation, CAT, organization="south")
    token = await invited(installation, north, CAT)
    assert not (await one_time_links.open_link(installation, token)).sets_password
    with pytest.raises(Forbidden, match="already exists"):
        await one_time_links.set_password_with_link(installation, token, PasswordChoice(OTHER_PASSWORD), VISITOR)
    assert await is_correct_password(installation, CAT, PASSWORD)


async def test_nor_of_somebody_who_has_become_known_since(installation: Runtime, north: SignedIn) -> None:
    token = await invited(installation, north, CAT)
    assert (await one_time_links.open_link(installation, token)).sets_password
    await known(installation, CAT, organization="south")
    with pytest.raises(Forbidden):
        await one_time_links.set_password_with_link(installation, token, PasswordChoice(OTHER_PASSWORD), VISITOR)
    assert await is_correct_password(installation, CAT, PASSWORD)


async def test_who_is_known_joins_with_their_own_password(installation: Runtime, north: SignedIn) -> None:
    await known(installation, CAT, organization="south")
    token = await invited(installation, north, CAT, Role.VIEWER)
    with pytest.raises(SignInRefused):
        await one_time_links.accept_with_password(installation, token, OTHER_PASSWORD, VISITOR)
    signed_in = await resumed(installation, await one_time_links.accept_with_password(installation, token, PASSWORD, VISITOR))
    assert (signed_in.membership.organization, signed_in.membership.role) == ("north", Role.VIEWER)


async def test_who_is_signed_in_joins_by_agreeing(installation: Runtime, north: SignedIn) -> None:
    cat = await session_of(installation, await known(installation, CAT, organization="south"))
    token = await invited(installation, north, CAT)
    await one_time_links.accept_as_signed_in(installation, token, cat)
    organizations = {mine.organization for mine in (await members.find_user(installation, CAT)).memberships}
    assert organizations == {"north", "south"}


async def test_nobody_joins_by_the_link_of_another(installation: Runtime, north: SignedIn) -> None:
    cat = await session_of(installation, await known(installation, CAT, organization="south"))
    token = await invited(installation, north, BEN)
    with pytest.raises(Forbidden, match="for another user"):
        await one_time_links.accept_as_signed_in(installation, token, cat)
    # It was not used up by that.
    await one_time_links.open_link(installation, token)


async def test_a_disabled_user_does_not_come_back_by_an_invitation(installation: Runtime, north: SignedIn) -> None:
    await known(installation, CAT, organization="south", role=Role.VIEWER, world=World.SANDBOX)
    await known(installation, "dan@south.example", organization="south", world=World.SANDBOX)
    await members.disable_user(installation, CAT, OPERATOR)
    token = await invited(installation, north, CAT)
    with pytest.raises(Forbidden):
        await one_time_links.set_password_with_link(installation, token, PasswordChoice(OTHER_PASSWORD), VISITOR)
    with pytest.raises(SignInRefused):
        await one_time_links.accept_with_password(installation, token, PASSWORD, VISITOR)


async def test_a_member_is_not_invited_again(installation: Runtime, north: SignedIn) -> None:
    with pytest.raises(Conflict, match="already a member of the organization"):
        await one_time_links.invite(installation, north.organization_id, "ANN@north.example", Role.VIEWER, OWNER)


async def test_a_second_invitation_ends_the_first(installation: Runtime, north: SignedIn) -> None:
    first, second = await invited(installation, north), await invited(installation, north, role=Role.VIEWER)
    with pytest.raises(NotFound):
        await one_time_links.open_link(installation, first)
    assert (await one_time_links.open_link(installation, second)).link.role is Role.VIEWER
    assert len(await one_time_links.list_invitations(installation, north.organization_id)) == 1


async def test_owners_see_and_revoke_their_own_invitations_alone(installation: Runtime, north: SignedIn) -> None:
    cat = await session_of(installation, await known(installation, CAT, organization="south"))
    token = await invited(installation, north)
    (invitation,) = await one_time_links.list_invitations(installation, north.organization_id)
    assert await one_time_links.list_invitations(installation, cat.organization_id) == []
    with pytest.raises(NotFound):
        await one_time_links.revoke_invitation(installation, cat.organization_id, invitation.id, OWNER)
    await one_time_links.revoke_invitation(installation, north.organization_id, invitation.id, OWNER)
    with pytest.raises(NotFound):
        await one_time_links.revoke_invitation(installation, north.organization_id, invitation.id, OWNER)
    with pytest.raises(NotFound):
        await one_time_links.set_password_with_link(installation, token, PasswordChoice(OTHER_PASSWORD), VISITOR)


async def test_what_becomes_of_an_invitation_stands_in_the_trail_without_its_token(installation: Runtime, north: SignedIn) -> None:
    revoked = await invited(installation, north, CAT, Role.VIEWER)
    (invitation,) = await one_time_links.list_invitations(installation, north.organization_id)
    await one_time_links.revoke_invitation(installation, north.organization_id, invitation.id, OWNER)
    token = await invited(installation, north)
    await one_time_links.set_password_with_link(installation, token, PasswordChoice(OTHER_PASSWORD), VISITOR)

    def state(email: str, role: str, state: str) -> dict[str, str]:
        return {"email": email, "role": role, "state": state}

    trail = await trail_of(installation, (await organization_of(installation)).id)
    assert trail[1:] == [
        (ANN, "invitation", None, state(CAT, "viewer", "open")),
        (ANN, "invitation", state(CAT, "viewer", "open"), state(CAT, "viewer", "revoked")),
        (ANN, "invitation", None, state(BEN, "analyst", "open")),
        (BEN, "member", None, {"email": BEN, "role": "analyst"}),
        (BEN, "invitation", state(BEN, "analyst", "open"), state(BEN, "analyst", "accepted")),
    ]
    assert not any(secret in repr(trail) for secret in (revoked, token, OTHER_PASSWORD))


# -------------------------------------------------------------------------------------------------- links for a password


async def test_the_operator_s_link_sets_a_password_and_ends_what_the_old_one_opened(installation: Runtime, north: SignedIn) -> None:
    token = token_of(await one_time_links.create_password_link(installation, "Ann@north.example", OPERATOR))
    opened = await one_time_links.open_link(installation, token)
    assert (opened.organization, opened.sets_password) == (None, True)
    session = await one_time_links.set_password_with_link(installation, token, PasswordChoice(OTHER_PASSWORD, "Ann"), VISITOR)
    assert await sessions.list_sessions(installation, await resumed(installation, session)) != []
    assert north.session_id not in {seen.id for seen in await sessions.list_sessions(installation, north)}
    assert await is_correct_password(installation, ANN, OTHER_PASSWORD)


async def test_a_new_link_for_a_password_ends_the_one_before(installation: Runtime, north: SignedIn) -> None:
    first, second = [token_of(await one_time_links.create_password_link(installation, ANN, OPERATOR)) for _ in range(2)]
    with pytest.raises(NotFound):
        await one_time_links.open_link(installation, first)
    await one_time_links.set_password_with_link(installation, second, PasswordChoice(OTHER_PASSWORD), VISITOR)


async def test_there_is_no_link_for_who_is_unknown_or_disabled(installation: Runtime, north: SignedIn) -> None:
    await known(installation, BEN, role=Role.VIEWER)
    await members.disable_user(installation, BEN, OPERATOR)
    with pytest.raises(Conflict, match="Enable the user first"):
        await one_time_links.create_password_link(installation, BEN, OPERATOR)
    with pytest.raises(NotFound):
        await one_time_links.create_password_link(installation, "nobody@north.example", OPERATOR)


async def test_a_link_for_a_password_joins_nobody(installation: Runtime, north: SignedIn) -> None:
    token = token_of(await one_time_links.create_password_link(installation, ANN, OPERATOR))
    with pytest.raises(Forbidden):
        await one_time_links.accept_as_signed_in(installation, token, north)


async def test_where_passwords_are_turned_off_no_link_sets_one(installation: Runtime, north: SignedIn) -> None:
    token = await invited(installation, north)
    with pytest.raises(Forbidden, match="disabled"):
        await one_time_links.set_password_with_link(
            with_settings(installation, password_sign_in=False), token, PasswordChoice(OTHER_PASSWORD), VISITOR
        )


async def test_who_has_a_name_keeps_it(installation: Runtime, north: SignedIn) -> None:
    for name in ("Ann", "Somebody Else"):
        token = token_of(await one_time_links.create_password_link(installation, ANN, OPERATOR))
        await one_time_links.set_password_with_link(installation, token, PasswordChoice(OTHER_PASSWORD, name), VISITOR)
    assert (await members.find_user(installation, ANN)).user.name == "Ann"
