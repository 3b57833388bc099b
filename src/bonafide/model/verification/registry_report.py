"""A register's report of one registration: everything it publishes, from where, how old, and the raw answers it was made from."""

from datetime import date
from typing import Annotated
from uuid import UUID

from pydantic import Field

from bonafide.i18n.message import Message
from bonafide.model.base import Document, Instant
from bonafide.model.entity import Address, EntityTypeCode, Person, RegistrationNumber, StatusCode
from bonafide.model.jurisdiction import Jurisdiction
from bonafide.model.loading import LoadedFile, Route
from bonafide.model.query import JurisdictionName, Text
from bonafide.model.search.match import BusinessReport

MAX_AGE_H = 24 * 366


class ReportRequest(Document):
    """The body of `POST /business-reports`. `maxAge` is in hours: an older report that is kept counts as too old."""

    jurisdiction: JurisdictionName
    """Jurisdiction, as a code or full name."""
    registration_number: Text
    """Registration number."""
    max_age: Annotated[float, Field(ge=0, le=MAX_AGE_H, allow_inf_nan=False)] | None = None
    """Maximum age of a stored report in hours. With 0, the register is queried now; if it can't be, `notes` says so."""


class Evidence(Document):
    """One raw answer, kept as it came: what was asked, what came back, and where to get it."""

    evidence_url: str
    """Path of the raw response in this service; it needs an API key."""
    url: str
    """URL that was queried, or the file that the data was loaded from."""
    status: Annotated[int | None, Field(examples=[200])]
    """HTTP status; null for loaded data."""
    content_type: str
    """Media type."""
    size: int
    """Size in bytes."""
    sha256: str
    """SHA-256 digest of the content."""
    retrieved_at: Instant
    """When the response was received."""


class RegistryReport(Document):
    """The answer of `POST /business-reports`: one registration as its register states it."""

    report_id: UUID
    """ID of the report."""
    search_id: UUID
    """Same as `reportId`: the parameter of `GET /business-reports/document`."""
    jurisdiction: Jurisdiction
    """Jurisdiction code."""
    jurisdiction_label: str
    """Full name of the jurisdiction."""
    registration_number: str
    """Registration number as requested."""
    legal_name: str
    """Legal name."""
    alternate_names: Annotated[tuple[str, ...], Field(examples=[["King Street Bakery"]])]
    """Other current names."""
    registration_numbers: tuple[RegistrationNumber, ...]
    """Registration numbers of the business."""
    entity_type: str | None
    """Entity type in the registry's own words."""
    entity_type_code: Annotated[EntityTypeCode | None, Field(examples=["corporation"])]
    """Common code of the entity type."""
    status: str | None
    """Status in the registry's own words."""
    status_code: StatusCode
    """Common code of the status."""
    incorporation_date: date | None
    """Date of incorporation."""
    addresses: tuple[Address, ...]
    """Addresses of the business."""
    people: tuple[Person, ...]
    """Directors, officers and other people."""
    home_jurisdiction: Annotated[str | None, Field(examples=["FED"])]
    """Where a business from another jurisdiction was formed."""
    home_number: Annotated[str | None, Field(examples=["998877-1"])]
    """Its registration number in that jurisdiction."""
    business_report: BusinessReport
    """The registry's profile of the business."""
    source: str
    """Key of the source."""
    source_url: str | None
    """The registry's page for the business."""
    route: Route
    """How the registry was searched."""
    as_of: date | None
    """Date of the registry's data."""
    retrieved_at: Instant
    """When the registry, or its file, was retrieved."""
    obtained_at: Instant
    """When the report was created."""
    cached: bool
    """Whether the report was created for an earlier request."""
    evidence: tuple[Evidence, ...]
    """Raw responses behind the report."""
    source_files: tuple[LoadedFile, ...]
    """Files behind loaded data; empty for a live response."""
    notes: tuple[Message, ...]
    """Limitations: what could not be queried, the age of the data, and what it does not contain."""
