"""Which mails are prepared: for whom, about which events, when; once each, whatever happens."""

import asyncio
from datetime import UTC, datetime, timedelta

import pytest

from bonafide.model.accounts.notifications import MailKind, NotificationSettings
from bonafide.model.accounts.users import Role
from bonafide.model.events.event import EventSeverity, EventType
from bonafide.runtime import Runtime
from bonafide.services.accounts import members
from bonafide.services.mail.preparation import MAX_ALERT_AGE, prepare_alerts, prepare_digests
from tests.support.services.accounts import OPERATOR, with_settings
from tests.support.services.mail import member, notify, organization_id, outbox, record
from tests.support.services.runtimes import clock_of

pytestmark = pytest.mark.anyio
OWNER, ANALYST, VIEWER = "ann@north.example", "ben@north.example", "cat@north.example"
OTHER = "dan@south.example"


@pytest.fixture
async def mailing(installation: Runtime) -> Runtime:
    """North with a member of each role, south with an owner, and a mail server that nobody connects to."""
    await member(installation, OWNER, Role.OWNER)
    await member(installation, ANALYST, Role.ANALYST)
    await member(installation, VIEWER, Role.VIEWER)
    await member(installation, OTHER, Role.OWNER, "south")
    return with_settings(installation, smtp_url="smtp://mail.example", mail_from="alerts@service.example")


async def prepared(runtime: Runtime, name: str = "north") -> list[tuple[str | None, MailKind]]:
    found = await outbox(runtime, await organization_id(runtime, name))
    return [(mail.recipient, mail.kind) for mail in found]


async def test_alerts_are_collected_for_a_minute_into_one_mail_for_each_member(mailing: Runtime) -> None:
    north, clock = await organization_id(mailing), clock_of(mailing)
    await record(mailing, north)
    assert await prepare_alerts(mailing) == 0
    clock.advance(seconds=50)
    await record(mailing, north)
    assert await prepare_alerts(mailing) == 0
    clock.advance(seconds=10)
    assert await prepare_alerts(mailing) == 2
    assert await prepared(mailing) == [(OWNER, MailKind.ALERT), (ANALYST, MailKind.ALERT)]
    clock.advance(minutes=5)
    assert await prepare_alerts(mailing) == 0
    assert await prepared(mailing, "south") == []


async def test_events_below_the_severity_or_of_other_types_are_not_sent(mailing: Runtime) -> None:
    north, clock = await organization_id(mailing), clock_of(mailing)
    await notify(mailing, north, immediateMinSeverity="medium", types=["discrepancy.due"])
    await record(mailing, north, EventType.SCREENING_HIT_FOUND, EventSeverity.CRITICAL)
    await record(mailing, north, EventType.DISCREPANCY_DUE, EventSeverity.LOW)
    clock.advance(minutes=2)
    assert await prepare_alerts(mailing) == 0
    await record(mailing, north, EventType.DISCREPANCY_DUE, EventSeverity.MEDIUM)
    clock.advance(minutes=2)
    assert await prepare_alerts(mailing) == 2
    await notify(mailing, north, immediateMinSeverity=None)
    await record(mailing, north, EventType.DISCREPANCY_DUE, EventSeverity.CRITICAL)
    clock.advance(minutes=2)
    assert await prepare_alerts(mailing) == 0


async def test_the_settings_say_which_roles_receive_which_mail(mailing: Runtime) -> None:
    north, clock = await organization_id(mailing), clock_of(mailing)
    await notify(mailing, north, immediateRoles={"owners": False, "analysts": False, "viewers": True})
    await record(mailing, north)
    clock.advance(minutes=2)
    await prepare_alerts(mailing)
    assert await prepared(mailing) == [(VIEWER, MailKind.ALERT)]


async def test_warnings_about_webhook_endpoints_go_to_owners_always(mailing: Runtime) -> None:
    north, clock = await organization_id(mailing), clock_of(mailing)
    await notify(mailing, north, immediateMinSeverity=None, immediateRoles={"owners": False})
    await record(mailing, north, EventType.WEBHOOK_FAILING)
    clock.advance(minutes=2)
    await prepare_alerts(mailing)
    assert await prepared(mailing) == [(OWNER, MailKind.WARNING)]
    # They are no alerts besides.
    await notify(mailing, north, immediateMinSeverity="info", immediateRoles={"owners": True})
    await record(mailing, north, EventType.WEBHOOK_DISABLED)
    clock.advance(minutes=2)
    assert await prepare_alerts(mailing) == 1


async def test_disabled_members_receive_nothing(mailing: Runtime) -> None:
    north, clock = await organization_id(mailing), clock_of(mailing)
    await members.disable_user(mailing, ANALYST, OPERATOR)
    await record(mailing, north)
    clock.advance(minutes=2)
    await prepare_alerts(mailing)
    assert await prepared(mailing) == [(OWNER, MailKind.ALERT)]


async def test_without_a_mail_server_nothing_is_prepared_and_old_events_are_not_sent_later(mailing: Runtime) -> None:
    north, clock = await organization_id(mailing), clock_of(mailing)
    bare = with_settings(mailing, smtp_url=None)
    await record(mailing, north)
    clock.advance(minutes=2)
    assert (await prepare_alerts(bare), await prepare_digests(bare)) == (0, 0)
    clock.now += MAX_ALERT_AGE
    assert await prepare_alerts(mailing) == 0
    await record(mailing, north)
    clock.advance(minutes=2)
    assert await prepare_alerts(mailing) == 2


async def test_two_workers_prepare_a_mail_once(mailing: Runtime) -> None:
    north, clock = await organization_id(mailing), clock_of(mailing)
    await notify(mailing, north, digest="daily")
    await record(mailing, north)
    await prepare_digests(mailing)
    clock.advance(days=1)
    counts = await asyncio.gather(*(prepare_alerts(mailing) for _ in range(3)))
    digests = await asyncio.gather(*(prepare_digests(mailing) for _ in range(3)))
    assert (sorted(counts), sorted(digests)) == ([0, 0, 2], [0, 0, 2])
    assert len(await prepared(mailing)) == 4


async def test_a_clock_that_was_set_back_delays_no_alert(mailing: Runtime) -> None:
    north, clock = await organization_id(mailing), clock_of(mailing)
    await record(mailing, north)
    clock.advance(hours=-5)
    assert await prepare_alerts(mailing) == 2


@pytest.mark.parametrize(
    ("frequency", "zone", "now", "due"),
    [
        ("daily", "UTC", "2026-11-20T07:00:00Z", "2026-11-20T07:00:00Z"),
        ("daily", "UTC", "2026-11-20T06:59:59Z", "2026-11-19T07:00:00Z"),
        ("daily", "America/Toronto", "2026-11-20T11:59:59Z", "2026-11-19T12:00:00Z"),
        ("daily", "America/Toronto", "2026-11-20T12:00:00Z", "2026-11-20T12:00:00Z"),
        # Daylight saving time ends on the first of November.
        ("daily", "America/Toronto", "2026-11-01T11:30:00Z", "2026-10-31T11:00:00Z"),
        ("daily", "America/Toronto", "2026-11-01T12:00:00Z", "2026-11-01T12:00:00Z"),
        ("weekly", "America/St_Johns", "2026-11-23T10:30:00Z", "2026-11-23T10:30:00Z"),
        ("weekly", "America/St_Johns", "2026-11-23T10:29:00Z", "2026-11-16T10:30:00Z"),
        ("weekly", "UTC", "2026-11-22T23:00:00Z", "2026-11-16T07:00:00Z"),
    ],
)
def test_digests_are_due_at_seven_in_the_time_zone_of_the_organization(frequency: str, zone: str, now: str, due: str) -> None:
    settings = NotificationSettings.model_validate({"digest": frequency, "timeZone": zone})
    assert settings.find_last_digest_time(datetime.fromisoformat(now)) == datetime.fromisoformat(due).astimezone(UTC)


async def test_a_daily_digest_lists_what_happened_since_the_last_one(mailing: Runtime) -> None:
    north, clock = await organization_id(mailing), clock_of(mailing)
    await notify(mailing, north, digest="daily", immediateMinSeverity=None, timeZone="America/Toronto")
    clock.now = datetime(2026, 11, 20, 15, 0, tzinfo=UTC)
    await record(mailing, north, severity=EventSeverity.LOW)
    assert await prepare_digests(mailing) == 0
    clock.now = datetime(2026, 11, 21, 11, 59, tzinfo=UTC)
    assert await prepare_digests(mailing) == 0
    clock.now = datetime(2026, 11, 21, 12, 5, tzinfo=UTC)
    # After seven o'clock: for the next digest.
    await record(mailing, north, severity=EventSeverity.LOW)
    assert await prepare_digests(mailing) == 2
    assert await prepare_digests(mailing) == 0
    clock.advance(days=1)
    assert await prepare_digests(mailing) == 2
    clock.advance(days=1)
    assert await prepare_digests(mailing) == 0


async def test_a_digest_without_events_of_interest_is_not_sent(mailing: Runtime) -> None:
    north, clock = await organization_id(mailing), clock_of(mailing)
    await notify(mailing, north, digest="daily")
    await record(mailing, north, severity=EventSeverity.INFO)
    assert await prepare_digests(mailing) == 0
    clock.advance(days=1)
    assert await prepare_digests(mailing) == 0
    assert await prepared(mailing) == []


async def test_a_digest_begins_when_digests_are_turned_on(mailing: Runtime) -> None:
    north, clock = await organization_id(mailing), clock_of(mailing)
    await record(mailing, north, severity=EventSeverity.LOW)
    assert await prepare_digests(mailing) == 0
    clock.advance(days=2)
    await notify(mailing, north, digest="weekly")
    assert await prepare_digests(mailing) == 0
    clock.advance(days=8)
    assert await prepare_digests(mailing) == 0
    await record(mailing, north, severity=EventSeverity.LOW)
    assert await prepare_digests(mailing) == 0
    clock.advance(days=7)
    assert await prepare_digests(mailing) == 2
    assert {mail.kind for mail in await outbox(mailing, north)} == {MailKind.DIGEST}
    assert all(clock.now - mail.prepared_at < timedelta(seconds=1) for mail in await outbox(mailing, north))
