"""Discrepancies between the declared owners of a business and the register of individuals with significant control.

For a federal corporation that is rated high risk, a material discrepancy must be resolved or reported within 30 days after it was
found (Proceeds of Crime (Money Laundering) and Terrorist Financing Regulations, since 2025-10-01). A review is one comparison, with
everything that it was made from; a discrepancy lives on until somebody resolves or reports it.
"""

from datetime import date, datetime, timedelta
from enum import StrEnum
from typing import Annotated, Self
from uuid import UUID

from pydantic import Field, model_validator

from bonafide.i18n.message import Message
from bonafide.model.base import Document, Instant, create_field_error
from bonafide.model.jurisdiction import Jurisdiction
from bonafide.model.ownership.owner_comparison import (
    MAX_OWNERS,
    AgreedOwner,
    DifferenceKind,
    OwnerDifference,
    StatedOwner,
    UncomparedOwner,
)
from bonafide.model.ownership.roll_up import ShareRange, describe_range
from bonafide.model.ownership.statement import PartyId
from bonafide.model.query import Text
from bonafide.model.records.business_input import NumberText, ProseText
from bonafide.model.records.documents import BusinessDocument
from bonafide.model.search.result import Pagination

TIME_TO_REPORT = timedelta(days=30)
"""From the day on which a material discrepancy was found until its report is due."""
MAX_EVIDENCE = 50
"""Documents of one review or decision."""
DocumentIds = Annotated[tuple[UUID, ...], Field(max_length=MAX_EVIDENCE, examples=[["2b5c8e1f-4a6d-4f3b-9c7e-8d1a2b3c4d5e"]])]
_BUSINESS_ID, _REVIEW_ID = "6f1c2a0e-8f5d-4c55-9d0a-2f6f4b8f3a11", "5d4c3b2a-1f0e-4d9c-8b7a-6f5e4d3c2b1a"
_DISCREPANCY_ID, _DOCUMENT_ID = "8a7b6c5d-4e3f-4a2b-9c1d-0e9f8a7b6c5d", "2b5c8e1f-4a6d-4f3b-9c7e-8d1a2b3c4d5e"


class RiskRating(StrEnum):
    """The risk of money laundering that the organization has rated the business with."""

    LOW = "low"
    MEDIUM = "medium"
    HIGH = "high"


class DiscrepancyStatus(StrEnum):
    """What became of a discrepancy."""

    OPEN = "open"
    RESOLVED = "resolved"
    """It doesn’t exist any more, or never did: the register or the declaration was corrected."""
    REPORTED = "reported"
    """It was reported to Corporations Canada, which acknowledged the report."""


# ------------------------------------------------------------------------------------------------------------- requests


class RegisterEntry(Document):
    """What the register states about the business."""

    name: Annotated[Text, Field(examples=["Corporations Canada, individuals with significant control"])] = (
        "Corporations Canada, individuals with significant control"
    )
    """Name of the register."""
    consulted_on: Annotated[date, Field(examples=["2026-11-20"])]
    """The day on which the register was consulted. Both sides are compared as they were on this day."""
    individuals: Annotated[tuple[StatedOwner, ...], Field(max_length=MAX_OWNERS)]
    """The individuals whom the register names. Empty if it names none."""


class DeclaredAddress(Document):
    """The declared address of an individual of the ownership statement."""

    party: Annotated[PartyId, Field(examples=["owner-1"])]
    """ID of the party in the ownership statement."""
    address: Annotated[Text, Field(examples=["100 King Street West, Toronto ON M5X 1A9"])]
    """Address in one line."""


class ComparisonRequest(Document):
    """A comparison of the declared owners with the register."""

    declared: Annotated[tuple[StatedOwner, ...], Field(max_length=MAX_OWNERS)] | None = None
    """The owners as declared. Without it, those of the ownership statement of the claimant `declared`, on the day on which the
    register was consulted."""
    declared_addresses: Annotated[tuple[DeclaredAddress, ...], Field(max_length=MAX_OWNERS)] = ()
    """Declared addresses of individuals of that statement, which has none itself."""
    registry: RegisterEntry | None = None
    """The register’s entry. Without it, the ownership statement of the claimant `registry`."""

    @model_validator(mode="after")
    def _has_addresses_once(self) -> Self:
        if self.declared is not None and self.declared_addresses:
            raise create_field_error("declaredAddresses", Message("can’t be given together with declared"))
        return self


class FoundDiscrepancy(Document):
    """A discrepancy that a person has found."""

    kind: Annotated[DifferenceKind, Field(examples=["extra_owner"])]
    """Class of the difference."""
    declared: StatedOwner | None = None
    """The owner as declared. Required unless `kind` is `extra_owner`."""
    registry: StatedOwner | None = None
    """The individual as in the register. Required unless `kind` is `missing_owner`."""
    reason: Annotated[ProseText, Field(examples=["The register names the owner’s spouse as a joint owner."])]
    """Why it is a discrepancy of this class."""

    @model_validator(mode="after")
    def _has_its_sides(self) -> Self:
        for field, owner, absent in (
            ("declared", self.declared, DifferenceKind.EXTRA_OWNER),
            ("registry", self.registry, DifferenceKind.MISSING_OWNER),
        ):
            if owner is None and self.kind is not absent:
                raise create_field_error(field, Message("is required for this kind"))
            if owner is not None and self.kind is absent:
                raise create_field_error(field, Message("must be absent for this kind"))
        return self


class DiscrepancyRequest(Document):
    """The body of `POST /businesses/{id}/discrepancies`: a comparison, or a discrepancy that a person has found."""

    risk_rating: RiskRating
    """How you have rated the risk of the business. A report is due only for a high risk."""
    found_at: Annotated[Instant | None, Field(examples=["2026-11-20T14:33:00.000Z"])] = None
    """When the discrepancy was found, if that was earlier than this request. The 30 days begin then."""
    comparison: ComparisonRequest | None = None
    """Compares both sides. Give either this or `discrepancy`."""
    discrepancy: FoundDiscrepancy | None = None
    """Records one discrepancy. Give either this or `comparison`."""
    document_ids: DocumentIds = ()
    """IDs of documents of the business that show what the register states."""
    note: Annotated[ProseText | None, Field(examples=["Register consulted through My ISED."])] = None
    """Your own note."""

    @model_validator(mode="after")
    def _is_one_of_two(self) -> Self:
        if (self.comparison is None) == (self.discrepancy is None):
            raise create_field_error("comparison", Message("give either comparison or discrepancy"))
        return self


class AcknowledgementInput(Document):
    """The acknowledgement of a report."""

    number: Annotated[NumberText, Field(examples=["BO-2026-004711"])]
    """Number that the register gave to the report."""
    document_id: Annotated[UUID, Field(examples=[_DOCUMENT_ID])]
    """ID of the document of the business that contains the acknowledgement."""
    received_at: Annotated[Instant, Field(examples=["2026-11-21T15:10:00.000Z"])]
    """When the acknowledgement was received."""


class DiscrepancyChange(Document):
    """The body of `PATCH /businesses/{id}/discrepancies/{discrepancyId}`."""

    status: Annotated[DiscrepancyStatus | None, Field(examples=["reported"])] = None
    """`resolved` needs a `resolution` or documents, `reported` an `acknowledgement`, and `open` reopens it with a `resolution`."""
    kind: Annotated[DifferenceKind | None, Field(examples=["contradicting"])] = None
    """Another class, with a `resolution` that says why. A class that is not material has no due date."""
    resolution: Annotated[ProseText | None, Field(examples=["The corporation has corrected its register."])] = None
    """What became of the discrepancy, or why it is changed."""
    document_ids: DocumentIds = ()
    """IDs of documents of the business that prove it."""
    acknowledgement: AcknowledgementInput | None = None
    """The acknowledgement of the report, for the status `reported`."""
    expected_updated_at: Annotated[Instant | None, Field(examples=["2026-11-20T14:33:00.125Z"])] = None
    """`updatedAt` of the discrepancy as it was read. If it has changed since, the error is `STALE_WRITE`."""

    @model_validator(mode="after")
    def _is_complete(self) -> Self:
        if self.status is None and self.kind is None:
            raise create_field_error("status", Message("give a status, a kind or both"))
        if self.resolution is None and (self.kind is not None or self.status is DiscrepancyStatus.OPEN):
            raise create_field_error("resolution", Message("is required: say why"))
        if self.status is DiscrepancyStatus.RESOLVED and self.resolution is None and not self.document_ids:
            raise create_field_error("resolution", Message("is required unless a document is given"))
        if (self.acknowledgement is not None) != (self.status is DiscrepancyStatus.REPORTED):
            raise create_field_error("acknowledgement", Message("is required for the status reported, and for no other"))
        if self.kind is not None and self.status not in {None, DiscrepancyStatus.OPEN}:
            raise create_field_error("kind", Message("can’t be changed together with a decision"))
        return self


# ------------------------------------------------------------------------------------------------------------- documents


class Acknowledgement(AcknowledgementInput):
    """The acknowledgement of a report, and who recorded it."""

    recorded_at: Instant
    """When it was recorded."""
    recorded_by: Annotated[str, Field(examples=["analyst@north.example"])]
    """Who recorded it."""


class DiscrepancyDecision(Document):
    """One decision about a discrepancy."""

    at: Instant
    """When it was made."""
    by: Annotated[str, Field(examples=["analyst@north.example"])]
    """Who made it."""
    status: DiscrepancyStatus
    """Status since then."""
    kind: DifferenceKind
    """Class since then."""
    resolution: Annotated[str | None, Field(examples=["The corporation has corrected its register."])]
    """What became of the discrepancy, or why it was changed."""
    document_ids: DocumentIds
    """IDs of the documents that prove it."""
    acknowledgement: Acknowledgement | None = None
    """The acknowledgement of the report, if the decision is to report. It stays here when the discrepancy is reopened."""


class DiscrepancyRecord(Document):
    """A discrepancy as it is stored."""

    id: Annotated[UUID, Field(examples=[_DISCREPANCY_ID])]
    """ID of the discrepancy."""
    business_id: Annotated[UUID, Field(examples=[_BUSINESS_ID])]
    """ID of the business record."""
    review_id: Annotated[UUID, Field(examples=[_REVIEW_ID])]
    """ID of the review that found it first."""
    kind: DifferenceKind
    """Class of the difference."""
    found_kind: DifferenceKind
    """Class that the last comparison gave, or the person who found it. `kind` differs if somebody has changed it since."""
    declared: StatedOwner | None
    """The owner as declared. Null if the declaration doesn’t name the individual."""
    registry: StatedOwner | None
    """The individual as in the register. Null if the register doesn’t name the owner."""
    reason: Annotated[Message, Field(examples=["The register names no such individual."])]
    """Why the difference has its class."""
    is_by_hand: bool = False
    """Whether a person recorded it without a comparison. If not, a comparison that finds it again updates both sides and the
    reason while it is open."""
    is_reportable: bool
    """Whether the business was a federal corporation of high risk."""
    opened_at: Instant
    """When the discrepancy was found, at the earliest. The 30 days begin then."""
    opened_by: Annotated[str, Field(examples=["analyst@north.example"])]
    """Who recorded it."""
    due_at: Annotated[Instant | None, Field(examples=["2026-12-20T14:33:00.125Z"])]
    """When it must be resolved or reported. Null if no report is due: it is immaterial, the corporation isn’t federal, or its risk
    isn’t high."""
    status: DiscrepancyStatus
    """What became of it."""
    resolution: Annotated[str | None, Field(examples=["The corporation has corrected its register."])]
    """What became of it, in words. Null while it is open."""
    acknowledgement: Acknowledgement | None
    """The acknowledgement of the report while the status is `reported`."""
    decisions: tuple[DiscrepancyDecision, ...]
    """Every decision, oldest first."""
    updated_at: Instant
    """When the discrepancy last changed."""

    def compute_due_at(self, kind: DifferenceKind) -> datetime | None:
        """The due date of this discrepancy as one of a class."""
        return self.opened_at + TIME_TO_REPORT if self.is_reportable and kind.is_material else None

    def is_overdue(self, now: datetime) -> bool:
        """Whether it is open and was due before an instant."""
        return self.status is DiscrepancyStatus.OPEN and self.due_at is not None and self.due_at <= now


class Discrepancy(DiscrepancyRecord):
    """A discrepancy as it is sent."""

    overdue: bool
    """Whether it is open and its due date has passed."""


class DiscrepancyPage(Document):
    """A page of the discrepancies of a business, newest first."""

    discrepancies: tuple[Discrepancy, ...]
    """Discrepancies, newest first."""
    pagination: Pagination
    """Position of the page."""


class ReviewedSide(Document):
    """One side of a comparison: where it comes from, and the individuals."""

    name: Annotated[str | None, Field(examples=["Jean Tremblay, director"])]
    """The person who made the declaration, or the name of the register. Null if it isn’t stated."""
    as_of: Annotated[date, Field(examples=["2026-11-20"])]
    """The day on which the statement is true."""
    owners: tuple[StatedOwner, ...]
    """The individuals."""
    below_threshold: tuple[StatedOwner, ...] = ()
    """Individuals with less than 25 %. They are only compared with individuals whom the other side states with more."""
    uncompared: tuple[UncomparedOwner, ...]
    """Owners that can’t be compared with individuals. Somebody may be behind them."""
    unknown_share: ShareRange | None
    """Share of the shares behind which nobody is identified. Null if the side isn’t an ownership statement."""

    @property
    def is_complete(self) -> bool:
        """Whether the side leaves nobody out of a comparison."""
        return not self.uncompared and self.describe_unknown_share() is None

    def describe_unknown_share(self) -> Message | None:
        """A sentence about the share behind which nobody is identified; None if there is none, or if the side doesn't state it."""
        if self.unknown_share is None or self.unknown_share.max == 0:
            return None
        return Message("Nobody is identified behind {share} of the shares.", share=describe_range(self.unknown_share))


class ReviewedDifference(OwnerDifference):
    """A difference, and the discrepancy that it is."""

    discrepancy_id: Annotated[UUID, Field(examples=[_DISCREPANCY_ID])]
    """ID of the discrepancy."""
    is_new: bool
    """Whether this review opened the discrepancy. If not, an earlier one did, and its clock goes on."""


class OwnershipReview(Document):
    """One review: what was compared, and what was found. It never changes."""

    id: Annotated[UUID, Field(examples=[_REVIEW_ID])]
    """ID of the review."""
    business_id: Annotated[UUID, Field(examples=[_BUSINESS_ID])]
    """ID of the business record."""
    business_name: Annotated[str | None, Field(examples=["Sandbox Bakery Inc."])]
    """Name of the business."""
    jurisdiction: Annotated[Jurisdiction | None, Field(examples=["FED"])]
    """Jurisdiction of the business record."""
    registration_number: Annotated[str | None, Field(examples=["1000017"])]
    """Registration number of the business record."""
    risk_rating: RiskRating
    """How the organization had rated the risk."""
    is_reportable: bool
    """Whether a report is due for material discrepancies: the record is of a federal corporation (`FED`), and the risk is high."""
    reviewed_at: Instant
    """When the review was made."""
    reviewed_by: Annotated[str, Field(examples=["analyst@north.example"])]
    """Who made it."""
    declared: ReviewedSide | None
    """The declaration. Null if a person recorded a discrepancy without a comparison."""
    registry: ReviewedSide | None
    """The register’s entry. Null if a person recorded a discrepancy without a comparison."""
    differences: tuple[ReviewedDifference, ...]
    """Differences, material ones first."""
    agreed: tuple[AgreedOwner, ...]
    """Individuals without a difference."""
    gone: Annotated[tuple[UUID, ...], Field(examples=[[_DISCREPANCY_ID]])]
    """IDs of open discrepancies that this comparison doesn’t find any more. They stay open until somebody decides."""
    documents: tuple[BusinessDocument, ...]
    """Evidence."""
    note: Annotated[str | None, Field(examples=["Register consulted through My ISED."])]
    """The reviewer’s note."""

    @property
    def is_complete(self) -> bool:
        """Whether all owners could be compared, so that the sides agree if there is no difference."""
        return all(side is None or side.is_complete for side in (self.declared, self.registry))


class ReviewOutcome(Document):
    """The answer of `POST /businesses/{id}/discrepancies`."""

    review: OwnershipReview
    """The review."""
    discrepancies: tuple[Discrepancy, ...]
    """The discrepancies of its differences, in their order, those of earlier reviews included."""
