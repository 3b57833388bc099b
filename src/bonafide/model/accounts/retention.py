"""How long an organization keeps its records."""

from collections.abc import Iterator
from enum import StrEnum
from typing import Annotated
from uuid import UUID

from pydantic import Field

from bonafide.model.base import Document, Instant
from bonafide.model.query import Text

MAX_RETENTION_DAYS = 36_500
RECORD_KEEPING_DAYS = 1827
"""Five years, for which reporting entities must keep most records under the regulations that FINTRAC administers."""
RetentionDays = Annotated[int, Field(ge=1, le=MAX_RETENTION_DAYS)]
"""Days after which a record is deleted."""


class RetentionKind(StrEnum):
    """A kind of records. The values are the names of the fields of `RetentionPolicy`."""

    SEARCHES = "searches"
    VERIFICATIONS = "verifications"
    SCREENINGS = "screenings"
    REPORTS = "reports"
    EVENTS = "events"
    ATTACHMENTS = "attachments"
    CASES = "cases"


class RetentionPolicy(Document):
    """Days after which records of each kind are deleted; null keeps them."""

    searches: Annotated[RetentionDays | None, Field(examples=[1827])] = None
    """Days after which a search is deleted; null to keep searches. It counts from the start of the search."""
    verifications: Annotated[RetentionDays | None, Field(examples=[1827])] = None
    """Days after which a verification is deleted; null to keep verifications. It counts from the request."""
    screenings: Annotated[RetentionDays | None, Field(examples=[1827])] = None
    """Days after which a screening without a search is deleted; null to keep screenings."""
    reports: Annotated[RetentionDays | None, Field(examples=[1827])] = None
    """Days after which a business report is deleted, with the responses of the register; null to keep reports."""
    events: Annotated[RetentionDays | None, Field(examples=[1827])] = None
    """Days after which an event is deleted; null to keep events. Open alerts are kept."""
    attachments: Annotated[RetentionDays | None, Field(examples=[1827])] = None
    """Days after which a file that was attached to a case or a business record is deleted; null to keep them. Files of open cases
    are kept."""
    cases: Annotated[RetentionDays | None, Field(examples=[1827])] = None
    """Days after which a case is deleted, with its notes, files and decisions; null to keep cases. It counts from the decision."""

    def get_days(self, kind: RetentionKind) -> int | None:
        """The days of a kind; None if it is kept."""
        days: int | None = getattr(self, kind.value)
        return days

    def list_limited(self) -> Iterator[tuple[RetentionKind, int]]:
        """The kinds that are deleted at some time, each with its days."""
        for kind in RetentionKind:
            days = self.get_days(kind)
            if days is not None:
                yield kind, days


class ErasureRequest(Document):
    """The body of `POST /businesses/{id}/erase`, and of the operations that erase a single check."""

    reason: Annotated[Text, Field(examples=["Request of 2026-11-20, file 2026-118"])]
    """Why the data is erased. It is kept in the audit log, so do not name a person or the business in it."""


class ErasureAccepted(Document):
    """The answer of an erasure: the business record, or the check, is erased, and a worker erases the rest."""

    erasure_id: Annotated[UUID, Field(examples=["2b1d9c5e-7a2f-4c3d-8e6b-1f0a9d8c7b6e"])]
    """ID of the erasure, which the audit log and the event `data.erased` have."""
    requested_at: Instant
    """When the erasure was requested."""


class LegalHoldChange(Document):
    """The body of `PUT /businesses/{id}/legal-hold`."""

    held: bool
    """Whether the record is held: `true` sets the hold, `false` lifts it."""
    reason: Annotated[Text, Field(examples=["Court file CV-26-00118"])]
    """Why the hold is set or lifted. It is kept in the audit log of the record."""


class LegalHold(Document):
    """Whether a business record is held, so that no policy and no erasure deletes anything of it."""

    business_id: Annotated[UUID, Field(examples=["6f1c2a0e-8f5d-4c55-9d0a-2f6f4b8f3a11"])]
    """ID of the business record."""
    held: bool
    """Whether the record is held."""
    reason: Annotated[str | None, Field(examples=["Court file CV-26-00118"])] = None
    """Why the record is held; null if it is not held."""
    set_at: Instant | None = None
    """When the hold was set; null if the record is not held."""
    set_by: Annotated[str | None, Field(examples=["ann@north.example"])] = None
    """Who set the hold; null if the record is not held."""
