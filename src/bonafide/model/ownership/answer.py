"""The ownership of a business as it is sent: what everybody claims, and what it adds up to."""

from datetime import date
from enum import StrEnum
from typing import Annotated
from uuid import UUID

from pydantic import Field

from bonafide.i18n.message import Message
from bonafide.model.base import Document, Instant
from bonafide.model.ownership.roll_up import BeneficialOwner, DeemedOwnership, ShareRange
from bonafide.model.ownership.statement import Claimant, OwnershipInterest, OwnershipParty
from bonafide.model.search.match import ScreenedSubject


class RecordedStatement(Document):
    """A statement without its parties and interests."""

    claimed_by: Claimant
    """Who says so."""
    as_of: Annotated[date, Field(examples=["2026-11-01"])]
    """The day on which the statement is true."""
    declared_by: Annotated[str | None, Field(examples=["Jean Tremblay, director"])] = None
    """The person who made the statement, or the name of the register or document."""
    recorded_at: Instant
    """When the statement was recorded."""
    recorded_by: Annotated[str, Field(examples=["compliance@north.example"])]
    """Who recorded it."""


class LeiLookupStatus(StrEnum):
    """Whether the relationships of the Global LEI index state something about a business."""

    STATED = "stated"
    """They do: the claimant `lei` has a statement."""
    NOTHING_REPORTED = "nothing_reported"
    """The entity has an LEI, but neither a parent nor a reporting exception."""
    UNKNOWN_LEI = "unknown_lei"
    """No LEI of the business is known."""
    RECORDED = "recorded"
    """A recorded statement of the claimant `lei` takes precedence."""
    NOT_LOADED = "not_loaded"
    """The relationships are not loaded, so that nothing is known."""
    FAILED = "failed"
    """The relationships could not be read, so that nothing is known."""


class LeiLookup(Document):
    """How the business was looked up in the relationships of the Global LEI index."""

    status: Annotated[LeiLookupStatus, Field(examples=["stated"])]
    """Outcome of the lookup."""
    lei: Annotated[str | None, Field(examples=["529900T8BM49AURSDO55"])]
    """LEI of the business; null if it is not known."""
    source: Annotated[str, Field(examples=["gleifRelationships"])]
    """Key of the source."""
    as_of: Annotated[date | None, Field(examples=["2026-11-20"])]
    """Date of the loaded data; null without."""
    note: Annotated[Message, Field(examples=["The index states who controls the entity."])]
    """Explanation of the status."""


class ClaimedParty(OwnershipParty):
    """A party, and who names it."""

    claimed_by: tuple[Claimant, ...]
    """Who names the party. Its details are those of the first."""


class ClaimedInterest(OwnershipInterest):
    """An interest, and who claims it."""

    claimed_by: Claimant
    """Who claims the interest."""


class OwnershipAnswer(Document):
    """The answer of `GET` and `PUT /businesses/{id}/ownership`."""

    business_id: Annotated[UUID, Field(examples=["6f1c2a0e-8f5d-4c55-9d0a-2f6f4b8f3a11"])]
    """ID of the business record."""
    party: Annotated[str | None, Field(examples=["business"])]
    """ID of the party that is the business. Null without a statement."""
    as_of: Annotated[date, Field(examples=["2026-11-23"])]
    """The day on which the interests are in force that add up."""
    statements: tuple[RecordedStatement, ...]
    """The statements, one for each claimant."""
    lei_lookup: LeiLookup
    """How the business was looked up in the Global LEI index, whose relationships are the statement of the claimant `lei`."""
    parties: tuple[ClaimedParty, ...]
    """All parties."""
    interests: tuple[ClaimedInterest, ...]
    """All interests, those that have ended included."""
    beneficial_owners: tuple[BeneficialOwner, ...]
    """Ultimate owners that may reach 25 %, the largest first."""
    screened_parties: tuple[ScreenedSubject, ...]
    """The parties that have an interest in the business, as they were screened at this request, the strongest chain first. A party
    with an open hit counts as listed until every hit is dismissed; one that was not screened may be listed."""
    deemed_sanctioned: DeemedOwnership | None
    """Ownership by listed parties. Null if no party was screened, which never means that none is listed."""
    deemed_sanctioned_reason: Annotated[Message | None, Field(examples=["2 parties could not be screened and may be listed."])]
    """Why `deemedSanctioned` is null or incomplete; null if all named parties were screened."""
    unknown_share: ShareRange
    """Share of the shares behind which no person and no government is identified."""
