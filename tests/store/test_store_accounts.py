"""Users, memberships, sessions, links and attempts in the database: each reaches only their own, and what works once does so."""

import asyncio
from dataclasses import replace
from datetime import datetime, timedelta
from uuid import UUID, uuid4

import pytest

from bonafide.i18n.language import Language
from bonafide.model.accounts.users import Role, User
from bonafide.store.database.engine import Store
from bonafide.store.people import one_time_links, sign_ins, users
from bonafide.store.people.one_time_links import OneTimeLink
from bonafide.store.people.sign_ins import NewSession, SignInAttempts, SingleSignOn
from tests.support.store.rows import MINUTE, NOW, SECOND

pytestmark = pytest.mark.anyio
ISSUER = "https://login.example"


@pytest.fixture
async def ann(store: Store) -> User:
    return await added(store, "ann@north.example")


@pytest.fixture
async def cat(store: Store) -> User:
    return await added(store, "cat@south.example")


async def added(store: Store, email: str) -> User:
    async with store.write() as connection:
        user, _ = await users.get_or_create(connection, User(id=uuid4(), email=email), NOW)
    return user


def session(user: User, organization_id: UUID, digest: str, expires_at: datetime = NOW + timedelta(days=7)) -> NewSession:
    return NewSession(uuid4(), digest, user.id, organization_id, "Firefox", NOW, expires_at)


def link(organization_id: UUID | None, email: str = "ben@north.example", expires_at: datetime = NOW + MINUTE) -> OneTimeLink:
    role = Role.VIEWER if organization_id is not None else None
    return OneTimeLink(uuid4(), organization_id, email, role, "ann@north.example", NOW, expires_at)


# ---------------------------------------------------------------------------------------------------------------- users


async def test_an_address_belongs_to_one_user_however_many_make_it_at_once(store: Store) -> None:
    async def made() -> tuple[UUID, bool]:
        async with store.write() as connection:
            user, is_new = await users.get_or_create(connection, User(id=uuid4(), email="ann@north.example"), NOW)
        return user.id, is_new

    ends = await asyncio.gather(*(made() for _ in range(5)))
    assert len({user_id for user_id, _ in ends}) == 1
    assert [is_new for _, is_new in ends].count(True) == 1


async def test_a_user_comes_back_as_kept(store: Store, ann: User, cat: User) -> None:
    changed = ann.model_copy(update={"name": "Ann É", "language": Language.FRENCH, "shortcuts": False})
    async with store.write() as connection:
        await users.save_profile(connection, changed)
        await users.set_password_hash(connection, ann.id, "$argon2id$…")
        await users.set_disabled(connection, ann.id, NOW)
    async with store.read() as connection:
        found = await users.get_by_email(connection, ann.email)
        assert found == await users.get_by_id(connection, ann.id)
        assert found is not None
        assert (found.user, found.password_hash, found.disabled_at) == (changed, "$argon2id$…", NOW)
        assert [each.user.email for each in await users.list_all(connection)] == [ann.email, cat.email]
        assert await users.get_by_email(connection, "nobody@north.example") is None


async def test_an_identity_means_the_first_user_that_it_was_bound_to(store: Store, ann: User, cat: User) -> None:
    async with store.write() as connection:
        await users.bind_identity(connection, ISSUER, "one", ann.id, NOW)
        await users.bind_identity(connection, ISSUER, "one", cat.id, NOW)
        found = await users.get_by_identity(connection, ISSUER, "one")
        assert found is not None
        assert found.user == ann
        assert await users.get_by_identity(connection, "https://other.example", "one") is None
        assert await users.is_bound(connection, ISSUER, ann.id)
        assert not await users.is_bound(connection, ISSUER, cat.id)
        assert await users.unbind_identities(connection, ann.id) == 1
        assert await users.get_by_identity(connection, ISSUER, "one") is None


# ---------------------------------------------------------------------------------------------------------- memberships


async def test_a_membership_is_of_one_organization(store: Store, ann: User, north: UUID, south: UUID) -> None:
    async with store.write() as connection:
        assert await users.add_membership(connection, north, ann.id, Role.OWNER, NOW)
        assert not await users.add_membership(connection, north, ann.id, Role.VIEWER, NOW)
        assert await users.add_membership(connection, south, ann.id, Role.VIEWER, NOW)
        await users.set_role(connection, south, ann.id, Role.ANALYST)
        assert await users.get_role(connection, north, ann.id) is Role.OWNER
        assert await users.get_role(connection, south, ann.id) is Role.ANALYST
        await users.remove_membership(connection, south, ann.id)
        assert await users.get_role(connection, south, ann.id) is None
        assert [mine.organization for mine in await users.list_memberships(connection, ann.id)] == ["north"]


async def test_members_and_owners_are_those_of_the_organization(
    store: Store, ann: User, cat: User, north: UUID, south: UUID
) -> None:
    async with store.write() as connection:
        await users.add_membership(connection, north, ann.id, Role.OWNER, NOW)
        await users.add_membership(connection, south, cat.id, Role.OWNER, NOW)
        await users.add_membership(connection, south, ann.id, Role.OWNER, NOW)
        await sign_ins.add_session(connection, session(ann, south, "a" * 64))
        in_north, in_south = [await users.list_members(connection, each) for each in (north, south)]
        assert [(member.user, member.last_seen_at) for member in in_north] == [(ann, None)]
        assert [(member.user, member.last_seen_at) for member in in_south] == [(ann, NOW), (cat, None)]
        await users.set_disabled(connection, cat.id, NOW)
        assert await users.list_owners(connection, south) == {ann.id}


# ------------------------------------------------------------------------------------------------------------- sessions


async def test_a_session_is_found_by_its_digest_alone(store: Store, ann: User, north: UUID) -> None:
    new = session(ann, north, "a" * 64)
    async with store.write() as connection:
        await sign_ins.add_session(connection, new)
        found = await sign_ins.get_session(connection, "a" * 64)
        assert found is not None
        assert (found[0].id, found[0].last_seen_at, found[1]) == (new.id, NOW, ann)
        assert await sign_ins.get_session(connection, "b" * 64) is None
    # In autocommit mode, as each page of the console reads them.
    assert await sign_ins.get_session(store, "a" * 64) == found
    assert await sign_ins.get_session(store, "b" * 64) is None
    async with store.write() as connection:
        await users.set_disabled(connection, ann.id, NOW)
        assert await sign_ins.get_session(connection, "a" * 64) is None
    assert await sign_ins.get_session(store, "a" * 64) is None


async def test_memberships_and_emails_are_the_same_in_a_transaction_and_without_one(
    store: Store, ann: User, cat: User, north: UUID, south: UUID
) -> None:
    async with store.write() as connection:
        for organization_id, user in ((south, ann), (north, ann), (north, cat)):
            await users.add_membership(connection, organization_id, user.id, Role.OWNER, NOW)
    async with store.read() as connection:
        for place in (connection, store):
            assert [mine.organization_id for mine in await users.list_memberships(place, ann.id)] == [north, south]
            assert await users.list_memberships(place, uuid4()) == []
            assert await users.list_emails(place, north, 2) == sorted((ann.email, cat.email))
            assert await users.list_emails(place, north, 1) == [min(ann.email, cat.email)]


async def test_use_is_noted_once_a_minute(store: Store, ann: User, north: UUID) -> None:
    new = session(ann, north, "a" * 64)
    async with store.write() as connection:
        await sign_ins.add_session(connection, new)
        assert not await sign_ins.touch_session(connection, new.id, NOW + MINUTE - SECOND)
        assert await sign_ins.touch_session(connection, new.id, NOW + MINUTE)
        assert not await sign_ins.touch_session(connection, new.id, NOW + MINUTE + SECOND)


async def test_sessions_are_ended_by_their_user_or_by_time(store: Store, ann: User, cat: User, north: UUID) -> None:
    mine = [session(ann, north, letter * 64) for letter in "abc"]
    over = session(cat, north, "d" * 64, NOW)
    async with store.write() as connection:
        for each in (*mine, over):
            await sign_ins.add_session(connection, each)
        assert not await sign_ins.end_session(connection, cat.id, mine[0].id)
        assert await sign_ins.end_session(connection, ann.id, mine[0].id)
        assert await sign_ins.end_sessions(connection, ann.id, but=mine[1].id) == 1
        assert [each.id for each in await sign_ins.list_sessions(connection, ann.id)] == [mine[1].id]
        assert await sign_ins.purge_sessions(connection, NOW) == 1
        assert await sign_ins.list_sessions(connection, cat.id) == []


# ---------------------------------------------------------------------------------------------------------------- links


async def test_a_link_is_used_once(store: Store, north: UUID) -> None:
    new = link(north)
    async with store.write() as connection:
        await one_time_links.add(connection, "a" * 64, new)
        assert await one_time_links.get_by_digest(connection, "a" * 64) == new

    async def used() -> bool:
        async with store.write() as connection:
            return await one_time_links.use(connection, new.id, NOW)

    assert sorted(await asyncio.gather(*(used() for _ in range(4)))) == [False, False, False, True]
    async with store.read() as connection:
        assert await one_time_links.get_by_digest(connection, "a" * 64) == replace(new, used_at=NOW)


async def test_a_link_that_is_over_or_revoked_is_not_used(store: Store, north: UUID, south: UUID) -> None:
    over, revoked = link(north, expires_at=NOW), link(north)
    async with store.write() as connection:
        await one_time_links.add(connection, "a" * 64, over)
        await one_time_links.add(connection, "b" * 64, revoked)
        assert await one_time_links.revoke(connection, south, revoked.id, NOW) is None
        assert await one_time_links.revoke(connection, north, revoked.id, NOW) == replace(revoked, revoked_at=NOW)
        assert await one_time_links.revoke(connection, north, revoked.id, NOW) is None
        assert not await one_time_links.use(connection, over.id, NOW)
        assert not await one_time_links.use(connection, revoked.id, NOW)


async def test_open_invitations_are_those_of_the_organization(store: Store, north: UUID, south: UUID) -> None:
    mine, foreign, password = link(north), link(south), link(None)
    async with store.write() as connection:
        for digest, each in zip("abc", (mine, foreign, password), strict=True):
            await one_time_links.add(connection, digest * 64, each)
        assert await one_time_links.list_open(connection, north, NOW) == [mine]
        await one_time_links.revoke_invitations(connection, north, mine.email, NOW)
        assert await one_time_links.list_open(connection, north, NOW) == []
        assert await one_time_links.list_open(connection, south, NOW) == [foreign]
        await one_time_links.revoke_password_links(connection, password.email, NOW)
        assert not await one_time_links.use(connection, password.id, NOW)
        assert await one_time_links.use(connection, foreign.id, NOW)


async def test_links_that_ended_long_ago_are_deleted(store: Store, north: UUID) -> None:
    over, open_one = link(north, expires_at=NOW), link(north)
    async with store.write() as connection:
        await one_time_links.add(connection, "a" * 64, over)
        await one_time_links.add(connection, "b" * 64, open_one)
        assert await one_time_links.purge(connection, NOW + SECOND) == 1
        assert await one_time_links.list_open(connection, north, NOW) == [open_one]


# -------------------------------------------------------------------------------------------- attempts and single sign-on


async def test_attempts_are_counted_by_subject_and_forgotten_in_time(store: Store) -> None:
    async with store.write() as connection:
        assert await sign_ins.lock_attempts(connection, ["b", "a"], NOW) == {
            "a": SignInAttempts(0, NOW),
            "b": SignInAttempts(0, NOW),
        }
        failed = SignInAttempts(3, NOW + SECOND, NOW + MINUTE)
        await sign_ins.save_attempts(connection, "a", failed)
        assert await sign_ins.lock_attempts(connection, ["a", "b"], NOW + MINUTE) == {"a": failed, "b": SignInAttempts(0, NOW)}
        await sign_ins.remove_attempts(connection, "b")
        assert await sign_ins.purge_attempts(connection, NOW + SECOND) == 0
        assert await sign_ins.purge_attempts(connection, NOW + MINUTE) == 1


async def test_a_sign_on_comes_back_once_and_in_time(store: Store) -> None:
    one, late = [SingleSignOn(letter * 64, "f" * 64, "nonce", "verifier", None, NOW + MINUTE) for letter in "ab"]
    async with store.write() as connection:
        for each in (one, late):
            await sign_ins.add_sign_on(connection, each)
        assert await sign_ins.take_sign_on(connection, one.state, NOW) == one
        assert await sign_ins.take_sign_on(connection, one.state, NOW) is None
        assert await sign_ins.take_sign_on(connection, late.state, NOW + MINUTE) is None
        assert await sign_ins.purge_sign_ons(connection, NOW + MINUTE) == 1
