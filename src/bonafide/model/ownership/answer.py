"""The ownership of a business as it is sent: what everybody claims, and what it adds up to."""

from datetime import date
from typing import Annotated
from uuid import UUID

from pydantic import Field

from bonafide.model.base import Document, Instant
from bonafide.model.ownership.roll_up import BeneficialOwner, DeemedOwnership, ShareRange
from bonafide.model.ownership.statement import Claimant, OwnershipInterest, OwnershipParty


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
    parties: tuple[ClaimedParty, ...]
    """All parties."""
    interests: tuple[ClaimedInterest, ...]
    """All interests, those that have ended included."""
    beneficial_owners: tuple[BeneficialOwner, ...]
    """Ultimate owners that may reach 25 %, the largest first."""
    deemed_sanctioned: DeemedOwnership | None
    """Ownership by listed parties. Null if the parties were not screened, which never means that none is listed."""
    unknown_share: ShareRange
    """Share of the shares behind which no person and no government is identified."""
