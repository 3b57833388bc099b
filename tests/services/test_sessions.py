"""Sessions: resumed by their token alone, ended by people, by time, with the membership and with the user."""

from datetime import timedelta
from uuid import uuid4

import pytest
from sqlalchemy import select

from bonafide.errors import NotFound
from bonafide.model.accounts.organizations import Scope, World
from bonafide.model.accounts.users import NO_KEY, Permission, Role
from bonafide.runtime import Runtime
from bonafide.services.accounts import members, sessions
from bonafide.store.database.schema import account_tables
from tests.support.services.accounts import ANN, BEN, CAT, OPERATOR, known, organization_of, session_of
from tests.support.services.runtimes import ManualClock

pytestmark = pytest.mark.anyio


async def test_a_token_is_kept_only_as_a_digest(installation: Runtime) -> None:
    user = await known(installation)
    tokens = [await sessions.begin_session(installation, user.user.id) for _ in range(2)]
    assert len(set(tokens)) == 2
    assert all(len(token) >= 43 for token in tokens)
    async with installation.store.read() as connection:
        rows = repr((await connection.execute(select(account_tables.sessions))).all())
    assert not any(token in rows for token in tokens)


@pytest.mark.parametrize("token", ["", "x", "é" * 43, "\x00", "\ud800", "A" * 5000])
async def test_another_token_is_nobody_s(installation: Runtime, token: str) -> None:
    await session_of(installation, await known(installation))
    assert await sessions.resume_session(installation, token) is None


async def test_each_session_has_a_secret_for_its_forms_that_no_database_holds(installation: Runtime) -> None:
    user = await known(installation)
    first, second = await session_of(installation, user), await session_of(installation, user)
    assert first.csrf_secret != second.csrf_secret
    assert len(first.csrf_secret) == 32
    assert first.csrf_secret.hex() not in repr(first)


async def test_a_session_ends_when_nobody_has_used_it_for_long(installation: Runtime, clock: ManualClock) -> None:
    token = await sessions.begin_session(installation, (await known(installation)).user.id)
    clock.advance(hours=11, minutes=59)
    assert await sessions.resume_session(installation, token) is not None
    clock.advance(hours=11, minutes=59)
    assert await sessions.resume_session(installation, token) is not None
    clock.advance(hours=12)
    assert await sessions.resume_session(installation, token) is None


async def test_a_session_ends_after_a_week_however_often_it_is_used(installation: Runtime, clock: ManualClock) -> None:
    token = await sessions.begin_session(installation, (await known(installation)).user.id)
    for _ in range(15):
        clock.advance(hours=11)
        assert await sessions.resume_session(installation, token) is not None
    clock.advance(hours=3)
    assert await sessions.resume_session(installation, token) is None


async def test_when_somebody_was_seen_is_noted_to_the_minute(installation: Runtime, clock: ManualClock) -> None:
    token = await sessions.begin_session(installation, (await known(installation)).user.id)
    begun = clock.now
    for seconds, noted in ((59, 0), (1, 60), (30, 60), (31, 121)):
        clock.advance(seconds=seconds)
        signed_in = await sessions.resume_session(installation, token)
        assert signed_in is not None
        (session,) = await sessions.list_sessions(installation, signed_in)
        assert session.last_seen_at - begun == timedelta(seconds=noted)


async def test_a_disabled_user_s_sessions_end_at_once_and_do_not_come_back(installation: Runtime) -> None:
    await known(installation)
    ben = await known(installation, BEN, role=Role.VIEWER)
    token = await sessions.begin_session(installation, ben.user.id)
    await members.disable_user(installation, BEN, OPERATOR)
    assert await sessions.resume_session(installation, token) is None
    await members.enable_user(installation, BEN, OPERATOR)
    assert await sessions.resume_session(installation, token) is None


async def test_a_removed_member_s_sessions_end_where_they_show_the_organization(installation: Runtime) -> None:
    await known(installation)
    ben = await known(installation, BEN, role=Role.VIEWER)
    await known(installation, BEN, organization="south", role=Role.ANALYST, world=World.SANDBOX, password=None)
    north = await sessions.begin_session(installation, ben.user.id)
    await members.remove_member(installation, (await organization_of(installation)).id, ben.user.id, OPERATOR)
    assert await sessions.resume_session(installation, north) is None
    token = await sessions.begin_session(installation, ben.user.id)
    signed_in = await sessions.resume_session(installation, token)
    assert signed_in is not None
    assert (signed_in.membership.organization, signed_in.membership.role) == ("south", Role.ANALYST)
    await known(installation, CAT, organization="south", world=World.SANDBOX)
    south = await organization_of(installation, "south", World.SANDBOX)
    await members.remove_member(installation, south.id, ben.user.id, OPERATOR)
    assert await sessions.resume_session(installation, token) is None


async def test_a_role_counts_from_the_next_request_on(installation: Runtime) -> None:
    await known(installation)
    ben = await known(installation, BEN, role=Role.OWNER)
    token = await sessions.begin_session(installation, ben.user.id)
    await members.change_role(installation, (await organization_of(installation)).id, ben.user.id, Role.VIEWER, OPERATOR)
    signed_in = await sessions.resume_session(installation, token)
    assert signed_in is not None
    assert [signed_in.may(permission) for permission in Permission] == [True, False, False]


async def test_who_is_signed_in_is_a_caller_without_a_key(installation: Runtime) -> None:
    signed_in = await session_of(installation, await known(installation))
    caller = signed_in.principal
    assert (caller.identity, caller.key_id, caller.organization_id) == (ANN, NO_KEY, signed_in.organization_id)
    assert caller.scopes == frozenset(Scope)


async def test_a_session_begins_in_the_live_world_and_shows_the_other_when_asked(installation: Runtime) -> None:
    ann = await known(installation)
    token = await sessions.begin_session(installation, ann.user.id)
    signed_in = await sessions.resume_session(installation, token)
    assert signed_in is not None
    assert [mine.world for mine in signed_in.memberships] == [World.LIVE, World.SANDBOX]
    assert signed_in.membership.world is World.LIVE
    await sessions.switch_organization(installation, signed_in, signed_in.memberships[1].organization_id)
    switched = await sessions.resume_session(installation, token)
    assert switched is not None
    assert switched.membership == signed_in.memberships[1]


async def test_nobody_switches_to_where_they_do_not_belong(installation: Runtime) -> None:
    signed_in = await session_of(installation, await known(installation))
    await known(installation, CAT, organization="south")
    for foreign in ((await organization_of(installation, "south")).id, uuid4()):
        with pytest.raises(NotFound):
            await sessions.switch_organization(installation, signed_in, foreign)


async def test_people_end_their_own_sessions_and_nobody_else_s(installation: Runtime) -> None:
    ann, cat = await known(installation), await known(installation, CAT, organization="south")
    here, there = await session_of(installation, ann), await session_of(installation, ann)
    foreign = await session_of(installation, cat)
    await sessions.end_session(installation, here, there.session_id)
    for gone in (there.session_id, foreign.session_id, uuid4()):
        with pytest.raises(NotFound):
            await sessions.end_session(installation, here, gone)
    await session_of(installation, ann)
    assert await sessions.end_other_sessions(installation, here) == 1
    await sessions.end_session(installation, here)
    assert await sessions.list_sessions(installation, here) == []
    assert len(await sessions.list_sessions(installation, foreign)) == 1


async def test_who_belongs_nowhere_begins_no_session(installation: Runtime) -> None:
    with pytest.raises(NotFound, match="doesn’t belong to an organization"):
        await sessions.begin_session(installation, uuid4())


async def test_what_a_browser_calls_itself_is_kept_in_part(installation: Runtime) -> None:
    ann = await known(installation)
    token = await sessions.begin_session(installation, ann.user.id, "x" * 5000)
    signed_in = await sessions.resume_session(installation, token)
    assert signed_in is not None
    (session,) = await sessions.list_sessions(installation, signed_in)
    assert session.browser == "x" * 300
    assert session.is_current
