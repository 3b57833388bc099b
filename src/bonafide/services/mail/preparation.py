"""Prepare mail from the feeds of events: alerts, warnings to owners, and digests.

The mails of a span of events and the position behind it are stored in one transaction, so that no event is mailed twice and none is
left out, whichever process is killed. Without a mail server nothing is prepared.
"""

from collections.abc import Callable, Sequence
from datetime import datetime, timedelta

from bonafide.model.accounts.notifications import MailKind, MailRoles, NotificationSettings
from bonafide.model.accounts.users import Role
from bonafide.model.events.event import EventSeverity, EventType
from bonafide.model.mail import MailContent
from bonafide.runtime import Runtime
from bonafide.services.accounts.organizations import read_settings
from bonafide.store.database.engine import Connection
from bonafide.store.people import mail_recipients
from bonafide.store.people.mail_recipients import MailRecipient
from bonafide.store.records import events
from bonafide.store.records.events import EventFilter, EventSpan
from bonafide.store.work import mail_outbox, mail_positions
from bonafide.store.work.mail_outbox import NewMail
from bonafide.store.work.mail_positions import MailPosition

COLLECT_FOR = timedelta(minutes=1)
"""How long alerts are collected, from the first one on: a load of a source causes many events within seconds."""
MAX_ALERT_AGE = timedelta(days=3)
"""Older events are not sent as alerts, for example after a mail server was configured."""
MAX_DIGEST_AGE = timedelta(days=31)
"""Older events are in no digest."""
OWNER_WARNINGS = frozenset({EventType.WEBHOOK_FAILING, EventType.WEBHOOK_DISABLED})
"""Types that owners always receive, and that alerts leave out."""
_WARNING_FILTER = EventFilter(types=OWNER_WARNINGS)


async def prepare_alerts(runtime: Runtime) -> int:
    """Prepare the alerts and warnings of all organizations that are due; returns the number of mails."""
    if runtime.settings.smtp_url is None:
        return 0
    async with runtime.store.read() as connection:
        behind = await mail_positions.list_behind(connection)
    prepared, uneventful = 0, list[MailPosition]()
    for seen in behind:
        notifications = (await read_settings(runtime, seen.organization_id)).notifications
        wanted = await _find_wanted(runtime, seen, _build_alert_filter(notifications))
        if not wanted:
            uneventful.append(seen)
        elif not _is_collecting(min(at for _, at in wanted), runtime.clock()):
            prepared += await _store_alerts(runtime, seen, notifications, frozenset(kind for kind, _ in wanted))
    if uneventful:
        # May be lost with the machine: the events would be read again.
        async with runtime.store.write(durable=False) as connection:
            for seen in uneventful:
                await mail_positions.move_alert_position(connection, seen, seen.head)
    return prepared


def _build_alert_filter(notifications: NotificationSettings) -> EventFilter | None:
    """The events that are sent at once; None if there are none."""
    if notifications.immediate_min_severity is None:
        return None
    types = frozenset(notifications.types) if notifications.types else frozenset(EventType)
    return EventFilter(types=types - OWNER_WARNINGS, min_severity=notifications.immediate_min_severity)


def _build_digest_filter(notifications: NotificationSettings) -> EventFilter:
    """The events that a digest lists."""
    if notifications.types:
        return EventFilter(types=frozenset(notifications.types))
    return EventFilter(min_severity=EventSeverity.LOW)


async def _find_wanted(runtime: Runtime, seen: MailPosition, alerts: EventFilter | None) -> list[tuple[MailKind, datetime]]:
    """The kinds of mail for which there are new events, each with the time of the first one."""
    filters = [(MailKind.WARNING, _WARNING_FILTER), *([(MailKind.ALERT, alerts)] if alerts is not None else [])]
    found = []
    async with runtime.store.read() as connection:
        start = await _find_alert_start(connection, runtime, seen)
        for kind, chosen in filters:
            first = await events.list_after(connection, seen.organization_id, chosen, start, 1)
            found += [(kind, event.occurred_at) for event in first if event.sequence <= seen.head]
    return found


async def _find_alert_start(connection: Connection, runtime: Runtime, seen: MailPosition) -> int:
    too_old = await events.find_position_after(connection, seen.organization_id, runtime.clock() - MAX_ALERT_AGE)
    return max(seen.alert_position, too_old)


def _is_collecting(first: datetime, now: datetime) -> bool:
    """Whether more events may be added to a mail. An event is in the future after the clock was set back: it does not wait."""
    return timedelta() <= now - first < COLLECT_FOR


async def _store_alerts(
    runtime: Runtime, seen: MailPosition, notifications: NotificationSettings, kinds: frozenset[MailKind]
) -> int:
    """Store the mails, and move the position; returns 0 if another worker has."""
    alerts = _build_alert_filter(notifications)
    async with runtime.store.write() as connection:
        if not await mail_positions.move_alert_position(connection, seen, seen.head):
            return 0
        span = EventSpan(await _find_alert_start(connection, runtime, seen), seen.head)
        recipients = await mail_recipients.list_recipients(connection, seen.organization_id)
        mails = list[NewMail]()
        if MailKind.WARNING in kinds:
            owners = [one for one in recipients if one.role is Role.OWNER]
            mails += _build_mails(owners, MailKind.WARNING, span, _build_content(_WARNING_FILTER))
        if MailKind.ALERT in kinds and alerts is not None:
            chosen = [one for one in recipients if wants_mail(one, MailKind.ALERT, notifications)]
            mails += _build_mails(chosen, MailKind.ALERT, span, _build_content(alerts))
        await mail_outbox.add(connection, seen.organization_id, mails, runtime.clock())
    return len(mails)


async def prepare_digests(runtime: Runtime) -> int:
    """Prepare the digests of all organizations that are due; returns the number of mails."""
    if runtime.settings.smtp_url is None:
        return 0
    async with runtime.store.read() as connection:
        behind = await mail_positions.list_behind_digest(connection)
    now, prepared = runtime.clock(), 0
    moved = list[tuple[MailPosition, int, datetime | None]]()
    for seen in behind:
        notifications = (await read_settings(runtime, seen.organization_id)).notifications
        due = notifications.find_last_digest_time(now)
        if due is None:
            moved.append((seen, seen.head, None))
        elif seen.digested_at is None:
            # Digests were turned on: the first one is sent at the next time that is due.
            moved.append((seen, seen.digest_position, now))
        elif seen.digested_at < due:
            prepared += await _store_digest(runtime, seen, notifications, due)
    if moved:
        async with runtime.store.write(durable=False) as connection:
            for seen, position, digested_at in moved:
                await mail_positions.move_digest_position(connection, seen, position, digested_at)
    return prepared


async def _store_digest(runtime: Runtime, seen: MailPosition, notifications: NotificationSettings, due: datetime) -> int:
    """Store the digests of the events up to `due`, and move the position; returns 0 if there are none, or another worker has."""
    chosen, organization_id = _build_digest_filter(notifications), seen.organization_id
    async with runtime.store.read() as connection:
        too_old = await events.find_position_after(connection, organization_id, due - MAX_DIGEST_AGE)
        last = await events.find_position_after(connection, organization_id, due)
        span = EventSpan(max(seen.digest_position, too_old), max(seen.digest_position, last))
        first = await events.list_after(connection, organization_id, chosen, span.after, 1)
    content = _build_content(chosen, seen.digested_at, due)
    async with runtime.store.write() as connection:
        if not await mail_positions.move_digest_position(connection, seen, span.until, due):
            return 0
        if not first or first[0].sequence > span.until:
            return 0
        recipients = await mail_recipients.list_recipients(connection, organization_id)
        wanting = [one for one in recipients if wants_mail(one, MailKind.DIGEST, notifications)]
        mails = _build_mails(wanting, MailKind.DIGEST, span, content)
        await mail_outbox.add(connection, organization_id, mails, runtime.clock())
    return len(mails)


def wants_mail(recipient: MailRecipient, kind: MailKind, notifications: NotificationSettings) -> bool:
    """Whether the member receives mails of this kind, by the settings of the organization and their own choice."""
    match kind:
        case MailKind.WARNING:
            return recipient.role is Role.OWNER
        case MailKind.ALERT:
            return recipient.mail_alerts and _INCLUDES[recipient.role](notifications.immediate_roles)
        case MailKind.DIGEST:
            return recipient.mail_digest and _INCLUDES[recipient.role](notifications.digest_roles)


_INCLUDES: dict[Role, Callable[[MailRoles], bool]] = {
    Role.OWNER: lambda roles: roles.owners,
    Role.ANALYST: lambda roles: roles.analysts,
    Role.VIEWER: lambda roles: roles.viewers,
}


def _build_mails(recipients: Sequence[MailRecipient], kind: MailKind, span: EventSpan, content: str) -> list[NewMail]:
    return [NewMail(one.user_id, kind, span.after, span.until, content) for one in recipients]


def _build_content(chosen: EventFilter, period_from: datetime | None = None, period_until: datetime | None = None) -> str:
    types = tuple(sorted(chosen.types)) if chosen.types is not None else None
    content = MailContent(types=types, min_severity=chosen.min_severity, period_from=period_from, period_until=period_until)
    return content.to_json()


def parse_content(content: str) -> tuple[MailContent, EventFilter]:
    """The stored content of a mail, and the filter that chooses its events."""
    parsed = MailContent.model_validate_json(content)
    types = frozenset(parsed.types) if parsed.types is not None else None
    return parsed, EventFilter(types=types, min_severity=parsed.min_severity)
