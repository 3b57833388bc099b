"""The outbox of mail and the positions in the feeds, on both databases."""

from datetime import timedelta
from uuid import UUID, uuid4

import pytest

from bonafide.model.accounts.notifications import MailKind
from bonafide.model.accounts.users import Role, User
from bonafide.store.database.engine import Store
from bonafide.store.database.tables import MailState
from bonafide.store.people import mail_recipients, users
from bonafide.store.work import mail_outbox, mail_positions
from bonafide.store.work.mail_outbox import NewMail, OutgoingMail
from bonafide.store.work.mail_positions import MailPosition
from tests.support.store.rows import MINUTE, NOW

pytestmark = pytest.mark.anyio
LEASE = timedelta(seconds=90)


async def member(store: Store, organization: UUID, email: str) -> UUID:
    async with store.write() as connection:
        user, _ = await users.get_or_create(connection, User(id=uuid4(), email=email), NOW)
        await users.add_membership(connection, organization, user.id, Role.ANALYST, NOW)
    return user.id


async def add(store: Store, organization: UUID, user: UUID, count: int = 1) -> None:
    async with store.write() as connection:
        await mail_outbox.add(connection, organization, [NewMail(user, MailKind.ALERT, 0, 1, "{}")] * count, NOW)


async def claim(store: Store, worker: str, after: timedelta = timedelta(), limit: int = 10, share: int = 4) -> list[OutgoingMail]:
    async with store.write() as connection:
        return await mail_outbox.claim(connection, worker, NOW + after, LEASE, limit, share)


async def test_a_claimed_mail_is_not_claimed_again_before_its_lease_ends(store: Store, north: UUID) -> None:
    await add(store, north, await member(store, north, "ann@north.example"), 3)
    first = await claim(store, "one", limit=2)
    second = await claim(store, "two")
    assert (len(first), len(second), await claim(store, "three")) == (2, 1, [])
    assert {mail.attempts for mail in (*first, *second)} == {1}
    again = await claim(store, "three", LEASE)
    assert ({mail.id for mail in again}, {mail.attempts for mail in again}) == ({mail.id for mail in (*first, *second)}, {2})
    async with store.write() as connection:
        # The first worker comes too late.
        assert not await mail_outbox.finish(connection, first[0], MailState.SENT, NOW, "[]")
        assert await mail_outbox.finish(connection, again[0], MailState.SENT, NOW, "[]")
        assert not await mail_outbox.defer(connection, again[0], NOW, "[]")
    assert await mail_outbox.is_any_due(store, NOW + 2 * LEASE)


async def test_one_organization_takes_a_part_of_a_batch(store: Store, north: UUID, south: UUID) -> None:
    await add(store, north, await member(store, north, "ann@north.example"), 20)
    await add(store, south, await member(store, south, "sue@south.example"), 2)
    claimed = await claim(store, "one", limit=5, share=4)
    assert sorted(mail.organization_id == north for mail in claimed) == [False, False, True, True, True]


async def test_a_released_mail_keeps_its_attempts_and_a_finished_one_is_purged(store: Store, north: UUID, south: UUID) -> None:
    await add(store, north, await member(store, north, "ann@north.example"))
    (mail,) = await claim(store, "one")
    async with store.write() as connection:
        assert await mail_outbox.release(connection, mail, NOW)
    (mail,) = await claim(store, "two")
    assert mail.attempts == 1
    async with store.write() as connection:
        assert await mail_outbox.finish(connection, mail, MailState.SENT, NOW, '[{"at":"now"}]')
        assert await mail_outbox.find_oldest_pending(connection) is None
        assert [(one.state, one.log) for one in await mail_outbox.list_recent(connection, north, 10)] == [
            (MailState.SENT, '[{"at":"now"}]')
        ]
        assert await mail_outbox.list_recent(connection, south, 10) == []
        assert await mail_outbox.purge_finished(connection, NOW) == 0
        assert await mail_outbox.purge_finished(connection, NOW + MINUTE) == 1


async def test_a_position_moves_only_from_the_value_that_was_read(store: Store, north: UUID) -> None:
    unseen = MailPosition(north, head=9, alert_position=0, digest_position=0, digested_at=None)
    seen = MailPosition(north, head=9, alert_position=5, digest_position=0, digested_at=None)
    async with store.write() as connection:
        assert await mail_positions.move_alert_position(connection, unseen, 5)
        assert not await mail_positions.move_alert_position(connection, unseen, 6)
        assert await mail_positions.move_alert_position(connection, seen, 9)
        assert await mail_positions.move_digest_position(connection, unseen, 3, NOW)
        assert not await mail_positions.move_digest_position(connection, unseen, 4, NOW)
        moved = MailPosition(north, head=9, alert_position=9, digest_position=3, digested_at=NOW)
        assert await mail_positions.move_digest_position(connection, moved, 3, NOW + MINUTE)
        assert not await mail_positions.move_digest_position(connection, moved, 9, None)


async def test_the_choice_of_a_member_concerns_one_organization(store: Store, north: UUID, south: UUID) -> None:
    user = await member(store, north, "ann@north.example")
    await member(store, south, "ann@north.example")
    other = await member(store, north, "ben@north.example")
    async with store.write() as connection:
        assert await mail_recipients.save_choice(connection, north, user, alerts=False)
        assert not await mail_recipients.save_choice(connection, north, uuid4(), alerts=False)
        found = [
            await mail_recipients.get_recipient(connection, organization, member_id)
            for organization, member_id in ((north, user), (south, user), (north, other))
        ]
        assert [(one.mail_alerts, one.mail_digest) for one in found if one is not None] == [
            (False, True),
            (True, True),
            (True, True),
        ]
        assert [one.email for one in await mail_recipients.list_recipients(connection, north)] == [
            "ann@north.example",
            "ben@north.example",
        ]
