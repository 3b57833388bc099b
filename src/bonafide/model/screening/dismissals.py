"""A dismissed hit of a screening: an organization's decision that a listed party is not the subject that was screened.

It holds for this subject and this party, both exactly as they were when somebody decided. Where it is applied is the services'
business.
"""

from datetime import datetime
from enum import StrEnum
from uuid import UUID

from pydantic import Field

from bonafide.i18n.message import Message
from bonafide.model.base import Document, Instant
from bonafide.model.entry import EntityKind
from bonafide.model.query import NameText, ScreeningSubject, Text
from bonafide.model.records.business_input import ProseText
from bonafide.model.screening.requests import BirthDate, Countries
from bonafide.model.search.match import Dismissed, Score
from bonafide.model.search.result import Pagination


class DismissedSubject(Document):
    """Who was screened, with all that the screening was told of them: of whom more or less is known is another subject."""

    name: NameText
    entity_type: EntityKind | None = None
    countries: Countries | None = None
    date_of_birth: BirthDate | None = None

    def subject(self) -> ScreeningSubject:
        """The same as it is screened."""
        countries = tuple(self.countries) if self.countries is not None else ()
        return ScreeningSubject(self.name, self.entity_type, countries, self.date_of_birth)


class DismissedHit(Document):
    """Which listed party it is, by what its match says: `source`, `entryId` and the `digest` of what was seen of it."""

    source: Text
    entry_id: Text
    digest: Text


class DismissalRequest(Document):
    """The body of `POST /sanctions/dismissals`. With `businessId` it holds only where that stored business is screened."""

    subject: DismissedSubject
    hit: DismissedHit
    reason: ProseText
    until: Instant | None = Field(None, description="From when on the hit is open again; without it, once the listed party changes")
    business_id: UUID | None = None


class ListedParty(DismissedHit):
    """The listed party as it was when it was dismissed."""

    name: str
    matched_name: str
    score: Score
    entity_type: EntityKind


class Revocation(Document):
    """By whom, when and why a dismissal was ended."""

    by: str
    at: Instant
    reason: Message | None


class DismissalStatus(StrEnum):
    """Whether a dismissal holds: as long as it is active, unless the listed party has changed."""

    ACTIVE = "active"
    EXPIRED = "expired"
    REVOKED = "revoked"


class DismissalRecord(Document):
    """A dismissal as it is kept."""

    id: UUID
    subject: DismissedSubject
    hit: ListedParty
    business_id: UUID | None
    reason: str
    until: Instant | None
    dismissed_by: str
    dismissed_at: Instant
    revoked: Revocation | None = None

    def status_at(self, now: datetime) -> DismissalStatus:
        """Whether it holds at this instant."""
        if self.revoked is not None:
            return DismissalStatus.REVOKED
        return DismissalStatus.EXPIRED if self.until is not None and self.until <= now else DismissalStatus.ACTIVE

    def note(self) -> Dismissed:
        """What a match says of it."""
        return Dismissed(dismissal_id=self.id, by=self.dismissed_by, at=self.dismissed_at, reason=self.reason, until=self.until)


class Dismissal(DismissalRecord):
    """A dismissal as it is sent."""

    status: DismissalStatus


class DismissalPage(Document):
    """A page of dismissals, newest first."""

    dismissals: tuple[Dismissal, ...]
    pagination: Pagination
