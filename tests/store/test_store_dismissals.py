"""Dismissed hits on both databases: found by their subject, ended and never deleted, and nobody else's."""

from dataclasses import replace
from datetime import timedelta
from uuid import UUID, uuid4

import pytest

from bonafide.store.database.engine import Store
from bonafide.store.records import businesses, dismissals
from bonafide.store.records.businesses import StoredBusiness
from bonafide.store.records.dismissals import DismissalFilter, DismissedParty, NewDismissal
from tests.support.store.rows import MINUTE, NOW, SECOND

pytestmark = pytest.mark.anyio
PARTY = DismissedParty(subject="a" * 64, source="ca-sanctions-autonomous", entry_id="1-2-3", business_id=None)
ALL = DismissalFilter(active=None, source=None, now=NOW)


def dismissal(
    document: str, party: DismissedParty = PARTY, *, after: timedelta = timedelta(), lasts: timedelta | None = None
) -> NewDismissal:
    at = NOW + after
    return NewDismissal(uuid4(), party, at, at + lasts if lasts is not None else None, document)


async def keep(store: Store, organization: UUID, *new: NewDismissal) -> None:
    async with store.write() as connection:
        for one in new:
            await dismissals.add(connection, organization, one)


async def held(store: Store, organization: UUID, business_id: UUID | None = None, *, now: timedelta = timedelta()) -> list[str]:
    async with store.read() as connection:
        return await dismissals.list_for_subject(connection, organization, PARTY.subject, business_id, NOW + now)


async def test_what_holds_for_a_subject_comes_newest_first(store: Store, north: UUID) -> None:
    other = replace(PARTY, subject="b" * 64)
    await keep(store, north, dismissal("old"), dismissal("new", after=SECOND), dismissal("another's", other))
    assert await held(store, north) == ["new", "old"]


async def test_nobody_sees_the_dismissals_of_another_organization(store: Store, north: UUID, south: UUID) -> None:
    mine = dismissal("north's")
    await keep(store, north, mine)
    assert await held(store, south) == []
    async with store.write() as connection:
        assert await dismissals.get(connection, south, mine.id) is None
        assert await dismissals.list_for_party(connection, south, PARTY) == []
        assert await dismissals.list_page(connection, south, ALL, 10, 0) == ([], 0)
        await dismissals.revoke(connection, south, mine.id, "south's", NOW)
    assert await held(store, north) == ["north's"]


async def test_one_that_has_ended_holds_no_more(store: Store, north: UUID) -> None:
    await keep(store, north, dismissal("a minute", lasts=MINUTE))
    assert await held(store, north, now=MINUTE - SECOND) == ["a minute"]
    assert await held(store, north, now=MINUTE) == []


async def test_one_that_is_revoked_holds_no_more_and_stays(store: Store, north: UUID) -> None:
    mine = dismissal("made")
    await keep(store, north, mine)
    async with store.write() as connection:
        await dismissals.revoke(connection, north, mine.id, "revoked", NOW + SECOND)
    assert await held(store, north) == []
    async with store.read() as connection:
        assert await dismissals.get(connection, north, mine.id) == "revoked"
        assert await dismissals.list_for_party(connection, north, PARTY) == []


async def test_one_for_a_stored_business_holds_for_that_alone(store: Store, north: UUID) -> None:
    business, other = uuid4(), uuid4()
    async with store.write() as connection:
        for record in (business, other):
            await businesses.add(connection, north, StoredBusiness(record, None, False, False, NOW, "{}"))  # noqa: FBT003 - a row
    theirs = replace(PARTY, business_id=business)
    await keep(store, north, dismissal("anyone's"), dismissal("theirs", theirs, after=SECOND))
    assert await held(store, north) == ["anyone's"]
    assert await held(store, north, business) == ["theirs", "anyone's"]
    assert await held(store, north, other) == ["anyone's"]
    async with store.read() as connection:
        assert await dismissals.list_for_party(connection, north, theirs) == ["theirs"]
        assert await dismissals.list_for_party(connection, north, PARTY) == ["anyone's"]
        assert await dismissals.list_for_party(connection, north, replace(PARTY, entry_id="4")) == []


async def test_a_page_is_newest_first_and_may_be_of_one_list_or_of_what_holds(store: Store, north: UUID) -> None:
    un = replace(PARTY, source="un-sanctions-consolidated")
    revoked = dismissal("revoked", after=3 * SECOND)
    await keep(store, north, dismissal("first"), dismissal("un", un, after=SECOND), dismissal("ended", lasts=SECOND), revoked)
    now = NOW + MINUTE

    async def listed(
        *, active: bool | None = None, source: str | None = None, limit: int = 10, offset: int = 0
    ) -> tuple[set[str], int]:
        async with store.read() as connection:
            found, total = await dismissals.list_page(connection, north, DismissalFilter(active, source, now), limit, offset)
        return set(found), total

    async with store.write() as connection:
        await dismissals.revoke(connection, north, revoked.id, "revoked", now)
    assert await listed() == ({"first", "un", "ended", "revoked"}, 4)
    assert await listed(active=True) == ({"first", "un"}, 2)
    assert await listed(active=False) == ({"ended", "revoked"}, 2)
    assert await listed(source=un.source) == ({"un"}, 1)
    assert await listed(limit=1) == ({"revoked"}, 4)
    assert await listed(limit=1, offset=1) == ({"un"}, 4)
    assert await listed(offset=9) == (set(), 4)
