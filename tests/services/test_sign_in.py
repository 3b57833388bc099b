"""Signing in with a password and changing it; that whoever guesses learns nothing."""

import pytest
import structlog

from bonafide.errors import Forbidden, NotFound, SignInPaused, SignInRefused, ValidationFailed
from bonafide.i18n.language import Language
from bonafide.model.accounts.users import Role, UserProfile
from bonafide.runtime import Runtime
from bonafide.services.accounts import members, one_time_links, sessions, sign_in
from bonafide.store.people import users
from tests.support.services.accounts import (
    ANN,
    BEN,
    OTHER_PASSWORD,
    PASSWORD,
    VISITOR,
    claim,
    is_correct_password,
    known,
    organization_of,
    session_of,
    with_settings,
)
from tests.support.services.accounts import OPERATOR as AUTHOR
from tests.support.services.runtimes import ManualClock

pytestmark = pytest.mark.anyio


async def kept_hash(runtime: Runtime, email: str = ANN) -> str | None:
    async with runtime.store.read() as connection:
        found = await users.get_by_email(connection, email)
    assert found is not None
    return found.password_hash


async def refusal(runtime: Runtime, email: str, password: str) -> str:
    with pytest.raises(SignInRefused) as refused:
        await sign_in.sign_in(runtime, claim(email, password), VISITOR)
    return refused.value.message


async def test_the_right_password_begins_a_session(installation: Runtime) -> None:
    await known(installation)
    token = await sign_in.sign_in(installation, claim(), VISITOR)
    signed_in = await sessions.resume_session(installation, token)
    assert signed_in is not None
    assert (signed_in.user.email, signed_in.membership.role) == (ANN, Role.OWNER)
    (session,) = await sessions.list_sessions(installation, signed_in)
    assert session.browser == VISITOR.browser


async def test_an_address_is_the_same_however_it_is_spelt(installation: Runtime) -> None:
    await known(installation, "Ann@North.example")
    assert await sign_in.sign_in(installation, claim(" aNN@nORTH.example "), VISITOR) != ""


async def test_no_refusal_says_what_was_wrong(installation: Runtime) -> None:
    await known(installation)
    await known(installation, BEN, role=Role.VIEWER)
    await known(installation, "dee@north.example", role=Role.VIEWER, password=None)
    await members.disable_user(installation, BEN, AUTHOR)
    tried = [
        (ANN, "wrong"),
        (ANN, ""),
        ("nobody@north.example", PASSWORD),
        (BEN, PASSWORD),
        ("dee@north.example", PASSWORD),
        ("dee@north.example", ""),
        ("", ""),
        ("not an address", PASSWORD),
        ("nul\x00@north.example", PASSWORD),
        (f"{'x' * 5000}@north.example", PASSWORD),
    ]
    assert {await refusal(installation, email, password) for email, password in tried} == {SignInRefused.__doc__}


async def test_the_log_says_neither_address_nor_password_nor_token(installation: Runtime) -> None:
    user = await known(installation)
    with structlog.testing.capture_logs() as told:
        token = await sign_in.sign_in(installation, claim(), VISITOR)
        await refusal(installation, ANN, OTHER_PASSWORD)
        await refusal(installation, "nobody@north.example", OTHER_PASSWORD)
    assert [(line["event"], line["user"]) for line in told] == [
        ("session.started", str(user.user.id)),
        ("sign_in.failed", str(user.user.id)),
        ("sign_in.failed", None),
    ]
    for secret in (ANN, "nobody", PASSWORD, OTHER_PASSWORD, token, VISITOR.client):
        assert secret not in repr(told)


async def test_what_holds_a_password_does_not_show_it(installation: Runtime) -> None:
    await known(installation)
    assert PASSWORD not in repr(claim())
    assert "argon2" not in repr(await sign_in.verify_login(with_settings(installation, password_passes=2), claim(), VISITOR))


async def test_where_passwords_are_turned_off_none_opens(installation: Runtime) -> None:
    await known(installation)
    with pytest.raises(Forbidden, match="disabled"):
        await sign_in.sign_in(with_settings(installation, password_sign_in=False), claim(), VISITOR)


async def test_a_member_of_nothing_does_not_come_in(installation: Runtime) -> None:
    await known(installation)
    ben = await known(installation, BEN, role=Role.VIEWER)
    north = await organization_of(installation)
    await members.remove_member(installation, north.id, ben.user.id, AUTHOR)
    with pytest.raises(SignInRefused, match="doesn’t belong to an organization"):
        await sign_in.sign_in(installation, claim(BEN), VISITOR)


async def test_a_hash_made_with_other_parameters_is_made_anew_when_its_password_is_typed(installation: Runtime) -> None:
    await known(installation)
    before = await kept_hash(installation)
    await sign_in.sign_in(installation, claim(), VISITOR)
    assert await kept_hash(installation) == before
    dearer = with_settings(installation, password_passes=2)
    await refusal(dearer, ANN, OTHER_PASSWORD)
    assert await kept_hash(dearer) == before
    await sign_in.sign_in(dearer, claim(), VISITOR)
    renewed = await kept_hash(dearer)
    assert renewed is not None
    assert "t=2" in renewed
    assert await sign_in.sign_in(dearer, claim(), VISITOR) != ""


async def test_what_was_proven_counts_no_more_once_the_password_has_changed(installation: Runtime, clock: ManualClock) -> None:
    await known(installation)
    proven = await sign_in.verify_login(installation, claim(), VISITOR)
    await sign_in.set_password(installation, ANN, OTHER_PASSWORD)
    with pytest.raises(SignInRefused):
        async with installation.store.write() as connection:
            await sign_in.establish_login(connection, proven, clock.now)


# ------------------------------------------------------------------------------------------------------------- changing


async def test_a_changed_password_ends_every_other_session(installation: Runtime) -> None:
    user = await known(installation)
    here, there = await session_of(installation, user), await session_of(installation, user)
    await sign_in.change_password(installation, here, PASSWORD, OTHER_PASSWORD, VISITOR)
    assert [session.id for session in await sessions.list_sessions(installation, here)] == [here.session_id]
    assert there.session_id != here.session_id
    await refusal(installation, ANN, PASSWORD)
    assert await sign_in.sign_in(installation, claim(ANN, OTHER_PASSWORD), VISITOR) != ""


async def test_a_changed_password_ends_links_that_would_set_another(installation: Runtime) -> None:
    user = await known(installation)
    link = await one_time_links.create_password_link(installation, ANN, AUTHOR)
    await sign_in.change_password(installation, await session_of(installation, user), PASSWORD, OTHER_PASSWORD, VISITOR)
    with pytest.raises(NotFound):
        await one_time_links.open_link(installation, link.partition("token=")[2])


@pytest.mark.parametrize(
    ("old", "new", "field"),
    [("wrong", OTHER_PASSWORD, "old"), ("", OTHER_PASSWORD, "old"), (PASSWORD, "short", "password"), (PASSWORD, ANN, "password")],
)
async def test_a_refused_change_names_the_field_and_changes_nothing(installation: Runtime, old: str, new: str, field: str) -> None:
    signed_in = await session_of(installation, await known(installation))
    with pytest.raises(ValidationFailed) as refused:
        await sign_in.change_password(installation, signed_in, old, new, VISITOR)
    assert [problem.path for problem in refused.value.details] == [field]
    assert await is_correct_password(installation, ANN, PASSWORD)


async def test_guessing_at_the_old_password_is_paused_too(installation: Runtime) -> None:
    signed_in = await session_of(installation, await known(installation))
    for _ in range(5):
        with pytest.raises(ValidationFailed):
            await sign_in.change_password(installation, signed_in, "wrong", OTHER_PASSWORD, VISITOR)
    with pytest.raises(SignInPaused):
        await sign_in.change_password(installation, signed_in, PASSWORD, OTHER_PASSWORD, VISITOR)


async def test_the_operator_sets_a_password_and_ends_what_the_old_one_opened(installation: Runtime) -> None:
    signed_in = await session_of(installation, await known(installation))
    await sign_in.set_password(installation, ANN, OTHER_PASSWORD)
    assert await sessions.list_sessions(installation, signed_in) == []
    assert await is_correct_password(installation, "Ann@North.Example", OTHER_PASSWORD)
    assert not await is_correct_password(installation, "nobody@north.example", OTHER_PASSWORD)
    with pytest.raises(NotFound):
        await sign_in.set_password(installation, "nobody@north.example", OTHER_PASSWORD)


# -------------------------------------------------------------------------------------------------------------- profile


async def test_what_users_say_of_themselves_is_kept(installation: Runtime) -> None:
    user = await known(installation)
    profile = UserProfile(name="Ann Northrup", language=Language.FRENCH, shortcuts=False)
    await sign_in.save_profile(installation, await session_of(installation, user), profile)
    signed_in = await session_of(installation, user)
    assert (signed_in.user.name, signed_in.language, signed_in.user.shortcuts) == ("Ann Northrup", Language.FRENCH, False)
    assert signed_in.user.email == ANN


async def test_only_who_could_sign_in_with_a_password_has_one(installation: Runtime) -> None:
    ann, ben = await known(installation), await known(installation, BEN, role=Role.VIEWER, password=None)
    with_one, without = await session_of(installation, ann), await session_of(installation, ben)
    assert await sign_in.has_password(installation, with_one)
    assert not await sign_in.has_password(installation, without)
    assert not await sign_in.has_password(with_settings(installation, password_sign_in=False), with_one)


async def test_sweeping_keeps_what_still_goes_on(installation: Runtime, clock: ManualClock) -> None:
    signed_in = await session_of(installation, await known(installation))
    async with installation.store.write() as connection:
        await sign_in.purge_expired_sign_ins(connection, clock.now)
    assert len(await sessions.list_sessions(installation, signed_in)) == 1
    clock.advance(days=7)
    async with installation.store.write() as connection:
        await sign_in.purge_expired_sign_ins(connection, clock.now)
    clock.advance(days=-7)
    assert await sessions.list_sessions(installation, signed_in) == []
