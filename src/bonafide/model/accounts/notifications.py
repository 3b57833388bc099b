"""When an organization's members receive e-mail about its events."""

from datetime import UTC, datetime, time, timedelta
from enum import StrEnum
from typing import Annotated
from zoneinfo import ZoneInfo

from pydantic import Field

from bonafide.i18n.time_zone_names import UTC_NAME
from bonafide.model.accounts.time_zones import TimeZoneName
from bonafide.model.base import Document
from bonafide.model.events.event import EventSeverity, EventType

DIGEST_HOUR = 7
"""The hour of the day at which digests are sent, in the time zone of the organization."""
DIGEST_WEEKDAY = 0
"""The day on which weekly digests are sent: Monday."""


class DigestFrequency(StrEnum):
    """How often members receive a digest."""

    OFF = "off"
    DAILY = "daily"
    WEEKLY = "weekly"


class MailKind(StrEnum):
    """What a mail is about."""

    ALERT = "alert"
    """Events that are urgent enough to be sent at once."""
    DIGEST = "digest"
    """The events of a day or week."""
    WARNING = "warning"
    """A webhook endpoint that does not receive events. Owners always receive these."""


class MailRoles(Document):
    """The roles whose members receive a kind of mail. Each member can turn it off on the profile page."""

    owners: Annotated[bool, Field(examples=[True])] = True
    """Whether owners receive it."""
    analysts: Annotated[bool, Field(examples=[True])] = True
    """Whether analysts receive it."""
    viewers: Annotated[bool, Field(examples=[False])] = False
    """Whether viewers receive it."""


class NotificationSettings(Document):
    """E-mail about events. Nothing is sent unless the operator has configured a mail server."""

    digest: Annotated[DigestFrequency, Field(examples=["weekly"])] = DigestFrequency.OFF
    """How often members receive a digest: `off`, `daily` (at 7:00) or `weekly` (on Mondays at 7:00)."""
    immediate_min_severity: Annotated[EventSeverity | None, Field(examples=["high"])] = EventSeverity.HIGH
    """Lowest severity of events that are sent at once; null to send none."""
    types: Annotated[tuple[EventType, ...], Field(examples=[["screening.hit_found", "discrepancy.due"]])] = ()
    """Types of events that are sent. If empty, all types are sent at once from the lowest severity on, and digests list events of
    low severity and above."""
    time_zone: TimeZoneName = UTC_NAME
    """Time zone of the digests, and of the console for members who have not chosen their own, as in the IANA time zone database."""
    immediate_roles: MailRoles = MailRoles()
    """Roles whose members receive events at once."""
    digest_roles: MailRoles = MailRoles()
    """Roles whose members receive digests."""

    def find_last_digest_time(self, now: datetime) -> datetime | None:
        """The last instant at or before `now` at which a digest is due; None if digests are off."""
        if self.digest is DigestFrequency.OFF:
            return None
        zone = ZoneInfo(self.time_zone)
        day = now.astimezone(zone).date()
        if self.digest is DigestFrequency.WEEKLY:
            day -= timedelta(days=(day.weekday() - DIGEST_WEEKDAY) % 7)
        due = datetime.combine(day, time(DIGEST_HOUR), zone)
        if due > now:
            period = timedelta(days=1 if self.digest is DigestFrequency.DAILY else 7)
            due = datetime.combine(day - period, time(DIGEST_HOUR), zone)
        return due.astimezone(UTC)
