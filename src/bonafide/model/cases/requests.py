"""The bodies of requests about cases."""

from typing import Annotated, Self
from uuid import UUID

from pydantic import Field, model_validator

from bonafide.i18n.message import Message
from bonafide.model.accounts.organizations import Email
from bonafide.model.base import Document, Instant, create_field_error
from bonafide.model.cases.case import EXAMPLE_DECISION_ID, CaseStatus
from bonafide.model.cases.policy import CaseDecisionKind, CasePriority
from bonafide.model.query import Text
from bonafide.model.records.business_input import ProseText


class CaseChange(Document):
    """The body of `PATCH /cases/{id}`: what is sent is set, what is not stays as it is."""

    assignee: Annotated[Email | None, Field(examples=["analyst@north.example"])] = None
    """E-mail of the member who is to work on the case; null for nobody."""
    priority: Annotated[CasePriority, Field(examples=["high"])] = CasePriority.NORMAL
    """Priority of the case."""
    due_at: Annotated[Instant | None, Field(examples=["2026-11-30T17:00:00.000Z"])] = None
    """When the case is due; null for no due date."""
    status: Annotated[CaseStatus, Field(examples=["open"])] = CaseStatus.OPEN
    """`open` or `waiting`. The other statuses follow from decisions."""
    expected_updated_at: Annotated[Instant | None, Field(examples=["2026-11-20T14:33:00.125Z"])] = None
    """`updatedAt` of the case that you read. If the case has changed since, the error is `STALE_WRITE`."""

    @model_validator(mode="after")
    def _check(self) -> Self:
        if self.status not in {CaseStatus.OPEN, CaseStatus.WAITING}:
            raise create_field_error("status", Message("must be `open` or `waiting`"))
        return self


class CaseNoteRequest(Document):
    """The body of `POST /cases/{id}/notes`."""

    text: Annotated[ProseText, Field(examples=["Asked the client for the director’s date of birth."])]
    """Text of the note."""


class CaseDecisionRequest(Document):
    """The body of `POST /cases/{id}/decision`."""

    decision: Annotated[CaseDecisionKind, Field(examples=["approve"])]
    """What is decided."""
    reason_code: Annotated[Text, Field(examples=["false_positive"])]
    """Code of a reason in the settings of the organization."""
    note: Annotated[ProseText | None, Field(examples=["Another date of birth, see the attachment."])] = None
    """Note about the decision."""
    reviews: Annotated[UUID | None, Field(examples=[EXAMPLE_DECISION_ID])] = None
    """ID of the decision of another person (`pendingDecisionId`) that you confirm, with the same decision, or return, with any
    other. Required while the case is in second review."""
    expected_updated_at: Annotated[Instant | None, Field(examples=["2026-11-20T14:33:00.125Z"])] = None
    """`updatedAt` of the case that you read. If the case has changed since, the error is `STALE_WRITE`."""
