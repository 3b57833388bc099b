"""A dismissed hit of a screening: an organization's decision that a listed party is not the subject that was screened.

It holds for this subject and this party, both exactly as they were when somebody decided. Where it is applied is the services'
business.
"""

from datetime import datetime
from enum import StrEnum
from typing import Annotated
from uuid import UUID

from pydantic import AfterValidator, Field

from bonafide.i18n.message import Message
from bonafide.model.base import Document, Instant
from bonafide.model.entry import EntityKind
from bonafide.model.invisible_characters import remove_invisible_characters
from bonafide.model.query import ScreenedNameText, ScreeningSubject, Text
from bonafide.model.records.business_input import ProseText
from bonafide.model.screening.requests import BirthDate, Countries
from bonafide.model.search.match import Dismissed, Score
from bonafide.model.search.result import Pagination


class DismissedSubject(Document):
    """Who was screened, with all that the screening was told of them: of whom more or less is known is another subject."""

    name: Annotated[ScreenedNameText, AfterValidator(remove_invisible_characters)]
    """Name that was screened; invisible characters are removed, as in a screening."""
    entity_type: EntityKind | None = None
    """Entity type, if it was given."""
    countries: Countries | None = None
    """Countries as ISO 3166-1 alpha-2 codes, if they were given."""
    date_of_birth: Annotated[BirthDate | None, Field(examples=["1971-04"])] = None
    """Date of birth, if it was given."""

    def subject(self) -> ScreeningSubject:
        """The same as it is screened."""
        countries = tuple(self.countries) if self.countries is not None else ()
        return ScreeningSubject(self.name, self.entity_type, countries, self.date_of_birth)


class DismissedHit(Document):
    """Which listed party it is, by what its match says: `source`, `entryId` and the `digest` of what was seen of it."""

    source: Text
    """Key of the list."""
    entry_id: Text
    """ID of the listed party in its list."""
    digest: Text
    """Digest of the listing as it was screened."""


class DismissalRequest(Document):
    """The body of `POST /sanctions/dismissals`. With `businessId` it holds only where that stored business is screened."""

    subject: DismissedSubject
    """What was screened."""
    hit: DismissedHit
    """The listed party that is not the subject."""
    reason: ProseText
    """Why the hit is dismissed."""
    until: Instant | None = None
    """When the hit reopens. Without it, the hit reopens when the listing changes."""
    business_id: Annotated[UUID | None, Field(examples=["6f1c2a0e-8f5d-4c55-9d0a-2f6f4b8f3a11"])] = None
    """ID of a stored business record, which requires the scope `businesses:read`. With it, the dismissal applies only to screenings
    of that record."""


class ListedParty(DismissedHit):
    """The listed party as it was when it was dismissed."""

    name: str
    """Main name of the listed party."""
    matched_name: str
    """The party's name that matched best."""
    score: Score
    """Score of the match."""
    entity_type: EntityKind
    """Type of the listed party."""


class Revocation(Document):
    """By whom, when and why a dismissal was ended."""

    by: Annotated[str, Field(examples=["analyst@north.example"])]
    """Who revoked the dismissal."""
    at: Annotated[Instant, Field(examples=["2026-11-21T10:02:00.000Z"])]
    """When it was revoked."""
    reason: Annotated[Message | None, Field(examples=["New information about the owner"])]
    """Why it was revoked."""


class DismissalStatus(StrEnum):
    """Whether a dismissal holds: as long as it is active, unless the listed party has changed."""

    ACTIVE = "active"
    EXPIRED = "expired"
    REVOKED = "revoked"


class DismissalRecord(Document):
    """A dismissal as it is kept."""

    id: UUID
    """ID of the dismissal."""
    subject: DismissedSubject
    """What was screened."""
    hit: ListedParty
    """The dismissed listed party."""
    business_id: Annotated[UUID | None, Field(examples=["6f1c2a0e-8f5d-4c55-9d0a-2f6f4b8f3a11"])]
    """ID of the business record to which the dismissal is limited."""
    reason: str
    """Why the hit was dismissed."""
    until: Instant | None
    """When the hit reopens; null for a dismissal without an end date."""
    dismissed_by: str
    """Who dismissed the hit."""
    dismissed_at: Instant
    """When the hit was dismissed."""
    revoked: Revocation | None = None
    """The revocation, if there is one."""

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
    """Status of the dismissal."""


class DismissalPage(Document):
    """A page of dismissals, newest first."""

    dismissals: tuple[Dismissal, ...]
    """Dismissals, newest first."""
    pagination: Pagination
    """Position of the page."""
