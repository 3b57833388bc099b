"""The data of a printed examiner's pack: its scope, the state of the audit log, and an entry for each check and decision.

Keys of labels, such as `screeningOutcome.clear`, are those of `templates/labels*.yml`.
"""

from datetime import date
from typing import ClassVar
from uuid import UUID

from bonafide.i18n.message import Message
from bonafide.model.base import Document, Instant
from bonafide.model.packs.manifest import PackedFile
from bonafide.model.packs.pack import PackAudit
from bonafide.pdf.print_models import PrintedDocument


class PrintedPackDetail(Document):
    """A labelled value: a text, the key of a label, a day, an instant, or several of them."""

    label: str
    """The key of the label."""
    text: Message | None = None
    code: str | None = None
    """The key of a label."""
    on: date | None = None
    at: Instant | None = None


class PrintedPackItem(Document):
    """A check, a decision or a change: when, by whom, about what, with which outcome, and the files that have all of it."""

    at: Instant
    by: str | None
    """Null for what the service did by itself."""
    title: Message
    outcome: str | None
    """The key of a label."""
    details: tuple[PrintedPackDetail, ...] = ()
    files: tuple[PackedFile, ...] = ()


class PrintedPackSection(Document):
    """The items of one kind, oldest first."""

    title: str
    """The key of a label."""
    count: int
    """The number of all items of this kind."""
    items: tuple[PrintedPackItem, ...]
    """The first of them in a large pack, otherwise all."""


class PrintedAuditEntry(Document):
    """An entry of the audit log."""

    id: int
    at: Instant
    actor: str
    field: str
    hash: str


class PrintedPack(PrintedDocument):
    """The data of a pack. If it is not detailed, each item is a row of a table, without details and digests."""

    template: ClassVar[str] = "pack"
    organization: str
    name: str | None
    """The name of the business; null for a period."""
    business_id: UUID | None
    period_from: Instant | None
    period_to: Instant | None
    """The end of the period, exclusive."""
    period_last: Instant | None
    """The last instant of the period."""
    requested_at: Instant
    requested_by: str
    version: str
    """Version of the software that made the pack."""
    is_detailed: bool
    sections: tuple[PrintedPackSection, ...]
    """Those with items."""
    audit: PackAudit
    entries: tuple[PrintedAuditEntry, ...]
    """The first entries of the audit log that concern the pack."""
    files: tuple[PackedFile, ...]
    """The files that belong to no item."""
