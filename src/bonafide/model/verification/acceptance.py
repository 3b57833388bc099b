"""Accepted discrepancies: a person has decided that a difference between the claim and the register is explained.

The stored result of the verification stays as it is.
"""

from typing import Annotated
from uuid import UUID

from pydantic import Field

from bonafide.i18n.message import Message
from bonafide.model.base import Document, Instant
from bonafide.model.query import Text
from bonafide.model.records.business_input import ProseText

EXAMPLE_ACCEPTANCE_ID = "7a9c1e3f-5b7d-4f2a-8c6e-0d1f2a3b4c5d"


class AcceptanceRequest(Document):
    """The body of `POST /verify/{id}/discrepancies/{field}/accept`."""

    reason_code: Annotated[Text, Field(examples=["discrepancy_explained"])]
    """Code of a reason in the settings of the organization that a decision to approve may have."""
    note: Annotated[ProseText | None, Field(examples=["The secretary was appointed last week; see the notice of change."])] = None
    """Note about the decision."""


class AcceptanceRevocation(Document):
    """The body of `POST /verify/{id}/discrepancies/{field}/revoke`."""

    note: Annotated[ProseText | None, Field(examples=["The notice is of another business."])] = None
    """Why the discrepancy is no longer accepted."""


class AcceptedDiscrepancy(Document):
    """The decision of a person to accept a discrepancy of a verification."""

    id: Annotated[UUID, Field(examples=[EXAMPLE_ACCEPTANCE_ID])]
    """ID of the decision."""
    field: Annotated[str, Field(examples=["people.1"])]
    """The compared field: `legalName`, `registrationNumber`, `address`, `people.0` for the first person of `results.people`,
    `registryOnly` for what only the register states, or `status` for a business that is not active."""
    reason_code: Annotated[str, Field(examples=["discrepancy_explained"])]
    """Code of the reason."""
    reason_title: Annotated[Message, Field(examples=["Discrepancy explained by evidence"])]
    """What the code meant at that time."""
    note: Annotated[str | None, Field(examples=["The secretary was appointed last week; see the notice of change."])]
    """Note of that person."""
    accepted_at: Instant
    """When it was accepted."""
    accepted_by: Annotated[str, Field(examples=["analyst@north.example"])]
    """Who accepted it."""
    revoked_at: Annotated[Instant | None, Field(examples=[None])] = None
    """When the decision was revoked; null while it holds."""
    revoked_by: Annotated[str | None, Field(examples=[None])] = None
    """Who revoked it; null while it holds."""
    revocation_note: Annotated[str | None, Field(examples=[None])] = None
    """Why it was revoked; null while it holds, and without a reason."""


class VerificationDiscrepancy(Document):
    """One discrepancy of a verification, and the decisions about it."""

    field: Annotated[str, Field(examples=["people.1"])]
    """The compared field, as `acceptedDiscrepancies` names it."""
    accepted: AcceptedDiscrepancy | None
    """The decision to accept it; null while it is open."""
    history: tuple[AcceptedDiscrepancy, ...]
    """Decisions that were revoked, oldest first."""


class VerificationDiscrepancyList(Document):
    """The answer of `GET /verify/{id}/discrepancies`."""

    verification_id: Annotated[UUID, Field(examples=["3c1f6d0b-7f5e-4a8e-9b58-0b8f2f6f1c22"])]
    """ID of the verification."""
    open_count: Annotated[int, Field(examples=[1])]
    """Number of discrepancies that nobody has accepted."""
    discrepancies: tuple[VerificationDiscrepancy, ...]
    """Each discrepancy."""
