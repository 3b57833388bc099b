"""Mail about events: its stored content, its draft, its final text, and the log of attempts."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from bonafide.i18n.language import Language
from bonafide.i18n.message import Message
from bonafide.model.accounts.branding import Branding
from bonafide.model.accounts.notifications import MailKind
from bonafide.model.base import Document, Instant
from bonafide.model.events.event import Event, EventSeverity, EventType


class MailContent(Document):
    """How the events of a mail are chosen, and the period of a digest. Stored with the mail."""

    types: tuple[EventType, ...] | None = None
    min_severity: EventSeverity | None = None
    period_from: Instant | None = None
    period_until: Instant | None = None


class MailLogEntry(Document):
    """One attempt to send a mail."""

    at: Instant
    """When it ended."""
    result: str
    """`accepted`, `deferred` or `refused`."""
    code: int | None
    """SMTP code; null if the server sent none."""
    problem: str
    """Response of the server, or what failed."""


class OptOut(StrEnum):
    """What a member turns off with the link of a mail."""

    ALERTS = "alerts"
    DIGEST = "digest"


@dataclass(frozen=True, slots=True)
class MailDraft:
    """The content of a mail: the most severe events of a span, and the number of all by severity."""

    kind: MailKind
    language: Language
    organization: str
    branding: Branding
    events: tuple[Event, ...]
    counts: Mapping[EventSeverity, int]
    sources: Mapping[str, Message]
    """The titles of the sources of the events, by key."""
    base_url: str
    unsubscribe_url: str | None
    """The address with which this member turns off mails of this kind; None for warnings."""
    period_from: datetime | None = None
    period_until: datetime | None = None

    @property
    def total(self) -> int:
        """The number of events."""
        return sum(self.counts.values())


@dataclass(frozen=True, slots=True)
class ComposedMail:
    """A mail in the language of its recipient. The subject has no control characters."""

    subject: str
    text: str
    html: str
