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
from bonafide.model.query import Text
from bonafide.model.search.match import BusinessReport

MAX_AGE_H = 24 * 366


class ReportRequest(Document):
    """The body of `POST /business-reports`. `maxAge` is in hours: an older report that is kept counts as too old."""

    jurisdiction: Jurisdiction
    registration_number: Text
    max_age: Annotated[float, Field(ge=0, le=MAX_AGE_H, allow_inf_nan=False)] | None = None


class Evidence(Document):
    """One raw answer, kept as it came: what was asked, what came back, and where to get it."""

    evidence_url: str
    """A path of this service; it needs a key of the organization."""
    url: str
    """What was asked; for loaded data the file that it was loaded from."""
    status: int | None
    """The HTTP status; null for what was read from loaded data."""
    content_type: str
    size: int
    """Bytes."""
    sha256: str
    retrieved_at: Instant


class RegistryReport(Document):
    """The answer of `POST /business-reports`: one registration as its register states it."""

    report_id: UUID
    search_id: UUID
    """The same id, under the name by which `GET /business-reports/document` asks for it."""
    jurisdiction: Jurisdiction
    jurisdiction_label: str
    registration_number: str
    """As it was asked for."""
    legal_name: str
    alternate_names: tuple[str, ...]
    registration_numbers: tuple[RegistrationNumber, ...]
    entity_type: str | None
    entity_type_code: EntityTypeCode | None
    status: str | None
    status_code: StatusCode
    incorporation_date: date | None
    addresses: tuple[Address, ...]
    people: tuple[Person, ...]
    home_jurisdiction: str | None
    home_number: str | None
    business_report: BusinessReport
    source: str
    source_url: str | None
    route: Route
    as_of: date | None
    """The day to which the register's data holds."""
    retrieved_at: Instant
    """When the register, or the file of it, was fetched."""
    obtained_at: Instant
    """When this report was made."""
    cached: bool
    """Whether it was made for an earlier request."""
    evidence: tuple[Evidence, ...]
    source_files: tuple[LoadedFile, ...]
    """What the loaded data was made from; empty for a live answer."""
    notes: tuple[Message, ...]
    """What a reader must know: what could not be asked, how old the data is, what it does not hold."""
