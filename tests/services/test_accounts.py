from collections.abc import AsyncIterator
from dataclasses import replace
from datetime import timedelta
from typing import Any
from uuid import UUID, uuid4

import pytest
from pydantic import ValidationError
from sqlalchemy import text as sql

from bonafide.errors import Conflict, ExpiredApiKey, InvalidApiKey, NotFound, RevokedApiKey, ServerBusy, ValidationFailed
from bonafide.model.accounts.organizations import MAX_LIFETIME, ApiKey, KeyChange, KeyRequest, Principal, Scope, World
from bonafide.runtime import Runtime
from bonafide.services.accounts import api_access
from bonafide.store.database.engine import Store
from bonafide.store.tenants.api_keys import MAX_CACHED_KEYS, ApiKeyCache
from tests.support.databases import ON_SQLITE_ONLY

pytestmark = pytest.mark.anyio

DAY = timedelta(days=1)


@pytest.fixture
async def other_process(empty_runtime: Runtime, database_url: str) -> AsyncIterator[Runtime]:
    """The same database, opened by someone else: nothing is remembered in common."""
    store = Store.open(database_url)
    yield replace(empty_runtime, store=store, api_key_cache=ApiKeyCache())
    await store.close()


async def _create(runtime: Runtime, organization: str = "north", **request: Any) -> api_access.CreatedApiKey:
    return await api_access.create_key(runtime, KeyRequest(organization=organization, **request))


async def _listed(runtime: Runtime, key_id: UUID) -> ApiKey:
    return next(key for key in await api_access.list_keys(runtime) if key.id == key_id)


# ------------------------------------------------------------------------------------------------------------ creation


async def test_a_new_key_opens_the_door_of_its_organization(empty_runtime: Runtime) -> None:
    created = await _create(
        empty_runtime,
        owner="owner@north.example",
        scopes=(Scope.SEARCH_WRITE, Scope.SEARCH_READ),
        rate_limit=600,
        world=World.SANDBOX,
    )
    assert await api_access.authenticate(empty_runtime, created.text) == Principal(
        organization_id=created.key.organization_id,
        organization="north",
        world=World.SANDBOX,
        key_id=created.key.id,
        identity="owner@north.example",
        scopes=frozenset({Scope.SEARCH_READ, Scope.SEARCH_WRITE}),
        rate_limit=600,
    )


async def test_a_key_has_all_scopes_sixty_requests_and_no_expiry_unless_told_otherwise(empty_runtime: Runtime) -> None:
    key = (await _create(empty_runtime)).key
    assert (key.scopes, key.rate_limit, key.expires_at, key.world) == (tuple(Scope), 60, None, World.LIVE)


async def test_the_text_of_a_key_is_nowhere_but_in_the_answer(empty_runtime: Runtime) -> None:
    created = await _create(empty_runtime, label="first", owner="owner@north.example")
    assert created.text not in repr(created)
    async with empty_runtime.store.read() as connection:
        row = (await connection.execute(sql("SELECT * FROM api_keys"))).one()
    assert created.text[12:-4] not in repr(row)
    assert created.text[12:-4] not in (await _listed(empty_runtime, created.key.id)).to_json()


async def test_keys_of_one_name_share_the_organization_but_not_over_worlds(empty_runtime: Runtime) -> None:
    first, second = await _create(empty_runtime), await _create(empty_runtime)
    sandbox = await _create(empty_runtime, world=World.SANDBOX)
    south = await _create(empty_runtime, "south")
    assert first.key.organization_id == second.key.organization_id
    assert len({key.key.organization_id for key in (first, sandbox, south)}) == 3


@pytest.mark.parametrize(
    ("organization", "owner", "identity"),
    [
        ("north", "owner@north.example", "owner@north.example"),
        ("North & Sons, Inc.", None, "api@north-sons-inc.invalid"),
        ("Les Aliments Côté Ltée", None, "api@les-aliments-cote-ltee.invalid"),
        ("東京", None, "api@organization.invalid"),
        ("x" * 100, None, f"api@{'x' * 63}.invalid"),
    ],
)
async def test_what_a_key_does_is_marked_with_an_address(
    empty_runtime: Runtime, organization: str, owner: str | None, identity: str
) -> None:
    created = await _create(empty_runtime, organization, owner=owner)
    assert (await api_access.authenticate(empty_runtime, created.text)).identity == identity


@pytest.mark.parametrize(
    "request_",
    [
        {"organization": ""},
        {"organization": "a\x00b"},
        {"owner": "nobody"},
        {"owner": "two words@north.example"},
        {"scopes": ()},
        {"scopes": ("search:delete",)},
        {"expires_in": timedelta(0)},
        {"expires_in": MAX_LIFETIME + DAY},
        {"rate_limit": 0},
        {"rate_limit": 2**31},
        {"color": "red"},
    ],
)
def test_a_request_for_a_key_is_checked(request_: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        KeyRequest.model_validate({"organization": "north", **request_})


def test_scopes_are_kept_once_each_and_in_one_order() -> None:
    asked = (Scope.VERIFY_READ, Scope.SEARCH_READ, Scope.VERIFY_READ)
    assert KeyRequest(organization="north", scopes=asked).scopes == (Scope.SEARCH_READ, Scope.VERIFY_READ)


# ------------------------------------------------------------------------------------------------------------ refusal


@pytest.mark.parametrize("text", ["", "nonsense", "bf_live_", "bf_live_" + "0" * 49, "é" * 57, "bf_live_\ud800"])
@ON_SQLITE_ONLY
async def test_what_is_no_key_is_refused_without_asking_the_database(empty_runtime: Runtime, text: str) -> None:
    store = Store.open("postgresql+psycopg://nobody@127.0.0.1:1/nothing")
    with pytest.raises(InvalidApiKey):
        await api_access.authenticate(replace(empty_runtime, store=store, api_key_cache=ApiKeyCache()), text)
    await store.close()


async def test_a_key_that_nobody_made_is_refused(empty_runtime: Runtime) -> None:
    with pytest.raises(InvalidApiKey):
        await api_access.authenticate(empty_runtime, api_access.generate_key(World.LIVE))


async def test_a_revoked_key_is_refused_at_once(empty_runtime: Runtime) -> None:
    created = await _create(empty_runtime)
    await api_access.authenticate(empty_runtime, created.text)
    revoked = await api_access.revoke_key(empty_runtime, created.key.id)
    assert revoked.revoked_at == empty_runtime.clock()
    with pytest.raises(RevokedApiKey):
        await api_access.authenticate(empty_runtime, created.text)


async def test_a_key_is_revoked_for_good_and_its_first_date_stays(empty_runtime: Runtime, clock: Any) -> None:
    created = await _create(empty_runtime)
    first = await api_access.revoke_key(empty_runtime, created.key.id)
    clock.advance(days=1)
    assert await api_access.revoke_key(empty_runtime, created.key.id) == first


async def test_a_key_that_another_process_revoked_is_refused_within_two_seconds(
    empty_runtime: Runtime, other_process: Runtime, clock: Any
) -> None:
    created = await _create(empty_runtime)
    await api_access.authenticate(empty_runtime, created.text)
    await api_access.revoke_key(other_process, created.key.id)
    clock.advance(seconds=1.999)
    await api_access.authenticate(empty_runtime, created.text)
    clock.advance(seconds=0.001)
    with pytest.raises(RevokedApiKey):
        await api_access.authenticate(empty_runtime, created.text)


async def test_a_key_expires_to_the_moment_even_when_it_is_remembered(empty_runtime: Runtime, clock: Any) -> None:
    created = await _create(empty_runtime, expires_in=timedelta(seconds=1))
    await api_access.authenticate(empty_runtime, created.text)
    clock.advance(seconds=0.999)
    await api_access.authenticate(empty_runtime, created.text)
    clock.advance(seconds=0.001)
    with pytest.raises(ExpiredApiKey):
        await api_access.authenticate(empty_runtime, created.text)


async def test_a_revoked_key_that_has_expired_too_is_revoked(empty_runtime: Runtime, clock: Any) -> None:
    created = await _create(empty_runtime, expires_in=DAY)
    await api_access.revoke_key(empty_runtime, created.key.id)
    clock.advance(days=2)
    with pytest.raises(RevokedApiKey):
        await api_access.authenticate(empty_runtime, created.text)


async def test_nobody_is_let_in_or_turned_away_while_the_database_is_away(empty_runtime: Runtime) -> None:
    store = Store.open("postgresql+psycopg://nobody@127.0.0.1:1/nothing")
    with pytest.raises(ServerBusy):
        await api_access.authenticate(replace(empty_runtime, store=store), api_access.generate_key(World.LIVE))
    await store.close()


# ------------------------------------------------------------------------------------------------------------ last used


async def test_a_key_s_last_use_is_noted_about_once_a_minute(empty_runtime: Runtime, clock: Any) -> None:
    created = await _create(empty_runtime)
    assert created.key.last_used_at is None
    first = clock()
    noted = []
    for _ in range(5):
        await api_access.authenticate(empty_runtime, created.text)
        noted.append((await _listed(empty_runtime, created.key.id)).last_used_at)
        clock.advance(seconds=20)
    assert noted == [first, first, first, first + timedelta(minutes=1), first + timedelta(minutes=1)]


@pytest.mark.slow
async def test_a_key_is_good_even_when_its_use_can_not_be_noted(empty_runtime: Runtime, other_process: Runtime) -> None:
    created = await _create(empty_runtime)
    async with empty_runtime.store.read() as connection:
        if connection.dialect.name != "sqlite":
            pytest.skip("only SQLite has one writer")
    async with other_process.store.write():
        principal = await api_access.authenticate(empty_runtime, created.text)
    assert principal.key_id == created.key.id
    assert (await _listed(empty_runtime, created.key.id)).last_used_at is None


# ------------------------------------------------------------------------------------------------------------ rotation


async def test_a_rotated_key_has_an_heir_and_works_until_the_overlap_ends(empty_runtime: Runtime, clock: Any) -> None:
    old = await _create(
        empty_runtime,
        label="integration",
        owner="owner@north.example",
        scopes=(Scope.SEARCH_READ,),
        rate_limit=7,
        expires_in=30 * DAY,
        world=World.SANDBOX,
    )
    clock.advance(days=10)
    new = await api_access.rotate_key(empty_runtime, old.key.id, timedelta(hours=1))
    inherited = {"label", "owner", "scopes", "rate_limit", "world", "organization_id"}
    assert new.key.model_dump(include=inherited) == old.key.model_dump(include=inherited)
    assert new.key.expires_at == clock() + 30 * DAY
    assert new.text.startswith("bf_test_")
    assert new.text != old.text
    clock.advance(minutes=59)
    await api_access.authenticate(empty_runtime, old.text)
    clock.advance(minutes=1)
    with pytest.raises(ExpiredApiKey):
        await api_access.authenticate(empty_runtime, old.text)
    await api_access.authenticate(empty_runtime, new.text)


async def test_the_heir_of_a_key_without_expiry_has_none_either(empty_runtime: Runtime) -> None:
    old = await _create(empty_runtime)
    assert (await api_access.rotate_key(empty_runtime, old.key.id)).key.expires_at is None
    assert (await _listed(empty_runtime, old.key.id)).expires_at == empty_runtime.clock() + DAY


async def test_an_overlap_never_prolongs_a_key(empty_runtime: Runtime) -> None:
    old = await _create(empty_runtime, expires_in=timedelta(hours=1))
    await api_access.rotate_key(empty_runtime, old.key.id, DAY)
    assert (await _listed(empty_runtime, old.key.id)).expires_at == old.key.expires_at


async def test_without_overlap_the_old_key_is_refused_at_once(empty_runtime: Runtime) -> None:
    old = await _create(empty_runtime)
    await api_access.authenticate(empty_runtime, old.text)
    await api_access.rotate_key(empty_runtime, old.key.id, timedelta(0))
    with pytest.raises(ExpiredApiKey):
        await api_access.authenticate(empty_runtime, old.text)


async def test_the_heir_s_lifetime_is_the_one_given_last_not_what_is_left(empty_runtime: Runtime, clock: Any) -> None:
    first = await _create(empty_runtime, expires_in=30 * DAY)
    await api_access.change_key(empty_runtime, first.key.id, KeyChange(expires_in=7 * DAY))
    second = await api_access.rotate_key(empty_runtime, first.key.id, timedelta(hours=1))
    third = await api_access.rotate_key(empty_runtime, first.key.id, timedelta(hours=1))
    assert second.key.expires_at == third.key.expires_at == clock() + 7 * DAY


async def test_a_dead_key_has_no_heir(empty_runtime: Runtime, clock: Any) -> None:
    revoked, expired = await _create(empty_runtime), await _create(empty_runtime, expires_in=DAY)
    await api_access.revoke_key(empty_runtime, revoked.key.id)
    clock.advance(days=1)
    for dead in (revoked, expired):
        with pytest.raises(Conflict):
            await api_access.rotate_key(empty_runtime, dead.key.id)
    assert len(await api_access.list_keys(empty_runtime)) == 2


# ------------------------------------------------------------------------------------------------------------ changes


async def test_a_new_limit_and_lifetime_apply_at_once(empty_runtime: Runtime, clock: Any) -> None:
    created = await _create(empty_runtime)
    await api_access.authenticate(empty_runtime, created.text)
    clock.advance(seconds=1)
    changed = await api_access.change_key(empty_runtime, created.key.id, KeyChange(expires_in=DAY, rate_limit=5))
    assert (changed.expires_at, changed.rate_limit) == (clock() + DAY, 5)
    assert (await api_access.authenticate(empty_runtime, created.text)).rate_limit == 5


async def test_what_is_not_given_stays(empty_runtime: Runtime) -> None:
    created = await _create(empty_runtime, expires_in=DAY, rate_limit=5)
    assert await api_access.change_key(empty_runtime, created.key.id, KeyChange()) == created.key


async def test_an_unknown_id_is_not_found(empty_runtime: Runtime) -> None:
    for change in (
        api_access.revoke_key(empty_runtime, uuid4()),
        api_access.rotate_key(empty_runtime, uuid4()),
        api_access.change_key(empty_runtime, uuid4(), KeyChange(rate_limit=1)),
    ):
        with pytest.raises(NotFound):
            await change


async def test_every_key_of_every_organization_is_listed(empty_runtime: Runtime) -> None:
    made = [await _create(empty_runtime, name) for name in ("south", "north", "south")]
    await api_access.revoke_key(empty_runtime, made[0].key.id)
    listed = await api_access.list_keys(empty_runtime)
    assert [key.organization for key in listed] == ["north", "south", "south"]
    assert {key.id for key in listed} == {created.key.id for created in made}


async def test_whoever_sits_at_the_machine_has_an_organization_of_their_own(empty_runtime: Runtime) -> None:
    first = await api_access.local_principal(empty_runtime, World.LIVE)
    again = await api_access.local_principal(empty_runtime, World.LIVE)
    sandbox = await api_access.local_principal(empty_runtime, World.SANDBOX)
    assert first == again
    assert first.organization_id != sandbox.organization_id
    assert (first.identity, first.scopes) == ("cli@local.invalid", frozenset(Scope))


# ------------------------------------------------------------------------------------------------------------ memory


async def test_no_more_keys_are_remembered_than_there_is_room_for(empty_runtime: Runtime) -> None:
    key, now, recent = (await _create(empty_runtime)).key, empty_runtime.clock(), ApiKeyCache()
    for number in range(MAX_CACHED_KEYS + 1):
        recent.remember(str(number), key, now)
    assert recent.find("0", now) is None
    assert recent.find("1", now) == recent.find(str(MAX_CACHED_KEYS), now) == key


async def test_a_clock_that_is_set_back_forgets(empty_runtime: Runtime) -> None:
    key, now, recent = (await _create(empty_runtime)).key, empty_runtime.clock(), ApiKeyCache()
    recent.remember("digest", key, now)
    assert recent.find("digest", now - timedelta(seconds=1)) is None


# ------------------------------------------------------------------------------------------------------------ durations


@pytest.mark.parametrize(
    ("text", "duration"),
    [
        ("30d", 30 * DAY),
        ("24h", DAY),
        ("15m", timedelta(minutes=15)),
        ("90s", timedelta(seconds=90)),
        (" 0s ", timedelta(0)),
        ("3650d", MAX_LIFETIME),
    ],
)
def test_a_duration_is_a_number_and_a_unit(text: str, duration: timedelta) -> None:
    assert api_access.parse_duration(text) == duration


@pytest.mark.parametrize("text", ["", "30", "d", "-1d", "1.5h", "1w", "1 d", "1d2h", "٣d", "1D"])
def test_anything_else_is_refused_with_an_example(text: str) -> None:
    with pytest.raises(ValidationFailed, match="for example 30d"):
        api_access.parse_duration(text)


@pytest.mark.parametrize("text", ["3651d", "999999999d"])
def test_a_duration_of_more_than_ten_years_is_refused(text: str) -> None:
    with pytest.raises(ValidationFailed, match="maximum is 3650d"):
        api_access.parse_duration(text)
