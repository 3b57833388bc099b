"""Actions on many business records at once, and what became of each record."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from uuid import UUID

from bonafide.i18n.language import Language
from bonafide.i18n.message import Message

MAX_BULK_RECORDS = 1000
"""The largest number of records of one action."""


class BulkActionKind(StrEnum):
    """What is done with each record."""

    VERIFY = "verify"
    SCREEN = "screen"
    ARCHIVE = "archive"
    RESTORE = "restore"
    MONITOR = "monitor"
    STOP_MONITORING = "stop_monitoring"


class BulkItemStatus(StrEnum):
    """What became of one record."""

    QUEUED = "queued"
    DONE = "done"
    UNCHANGED = "unchanged"
    """The record was as requested already."""
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class BulkAction:
    """An action that a person has requested. `language` is that of the summaries of verifications."""

    id: UUID
    kind: BulkActionKind
    requested_by: str
    request_id: str | None
    language: Language
    created_at: datetime
    finished_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class BulkItem:
    """One record of an action. `result_id` is the verification or the screening, `reason` why nothing was done."""

    position: int
    business_id: UUID
    status: BulkItemStatus = BulkItemStatus.QUEUED
    reason: Message | None = None
    result_id: UUID | None = None
