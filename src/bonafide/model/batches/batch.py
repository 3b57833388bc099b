"""A batch: the request, its state and its progress."""

from enum import StrEnum
from typing import Annotated
from uuid import UUID

from pydantic import Field, StringConstraints

from bonafide.i18n.language import Language
from bonafide.i18n.message import Message
from bonafide.model.base import Document, Instant
from bonafide.model.jurisdiction import Jurisdiction
from bonafide.model.query import JurisdictionName
from bonafide.model.records.business_record import Cursor, FeedPagination

EXAMPLE_BATCH_ID = "4b3f0f2e-3a41-4c58-8d0f-6f0e2f1c9a77"
MAX_SENT_ROWS = 1000
"""Rows of a JSON body; a file may have more."""
MAX_LIMIT = 10
MAX_CELL_CHARACTERS = 1000
CellText = Annotated[str, StringConstraints(strip_whitespace=True, max_length=MAX_CELL_CHARACTERS)]
MAX_COLUMN_CHARACTERS = 200
ColumnName = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=MAX_COLUMN_CHARACTERS)]


class BatchKind(StrEnum):
    """What is done with each row."""

    SEARCH = "search"
    VERIFY = "verify"
    SCREEN = "screen"


class BatchStatus(StrEnum):
    """How far a batch is."""

    QUEUED = "queued"
    RUNNING = "running"
    PAUSED = "paused"
    COMPLETED = "completed"
    FAILED = "failed"
    """The file can't be read, or the work was interrupted too often. Rows with errors do not fail a batch."""
    CANCELLED = "cancelled"


class BatchFormat(StrEnum):
    """The format of a file of rows, or of results."""

    JSONL = "jsonl"
    CSV = "csv"
    XLSX = "xlsx"
    PARQUET = "parquet"


class BatchAction(StrEnum):
    """What a person does with a batch that has not ended."""

    PAUSE = "pause"
    RESUME = "resume"
    CANCEL = "cancel"


class BatchMapping(Document):
    """The column of the file for each field. A field that is left out is found by the name of its column, if there is one."""

    name: Annotated[ColumnName | None, Field(examples=["Company"])] = None
    """Column of the name. Every kind needs it."""
    reference: Annotated[ColumnName | None, Field(examples=["Customer no."])] = None
    """Column of your own reference, which the results repeat."""
    entity_type: Annotated[ColumnName | None, Field(examples=["Type"])] = None
    """Screening: column of the type (`person`, `organization`, `vessel`, …)."""
    countries: Annotated[ColumnName | None, Field(examples=["Nationality"])] = None
    """Screening: column of the countries, as codes or names, separated by semicolons."""
    date_of_birth: Annotated[ColumnName | None, Field(examples=["Born"])] = None
    """Screening: column of the date of birth."""
    jurisdiction: Annotated[ColumnName | None, Field(examples=["Registered in"])] = None
    """Search and verification: column of the jurisdiction. A verification needs it."""
    registration_number: Annotated[ColumnName | None, Field(examples=["Corporation no."])] = None
    """Search and verification: column of the registration number. A verification needs it."""
    street: Annotated[ColumnName | None, Field(examples=["Street"])] = None
    """Search and verification: column of the street with its number."""
    unit: Annotated[ColumnName | None, Field(examples=["Unit"])] = None
    """Search and verification: column of the unit."""
    city: Annotated[ColumnName | None, Field(examples=["City"])] = None
    """Search and verification: column of the city."""
    province: Annotated[ColumnName | None, Field(examples=["Province"])] = None
    """Search and verification: column of the province or state."""
    postal_code: Annotated[ColumnName | None, Field(examples=["Postal code"])] = None
    """Search and verification: column of the postal code."""
    country: Annotated[ColumnName | None, Field(examples=["Country"])] = None
    """Search and verification: column of the country of the address."""
    people: Annotated[ColumnName | None, Field(examples=["Directors"])] = None
    """Verification: column of the names of people, separated by semicolons."""


class BatchParameters(Document):
    """How the rows are compared."""

    threshold: Annotated[float, Field(ge=0.5, le=1, examples=[0.85])] = 0.85
    """Lowest score of a match. Screening reports matches from 0.7."""
    limit: Annotated[int, Field(ge=1, le=MAX_LIMIT, examples=[3])] = 3
    """Maximum number of matches in the results of a row."""
    jurisdictions: Annotated[
        Annotated[tuple[JurisdictionName, ...], Field(min_length=1, max_length=len(Jurisdiction))] | None,
        Field(examples=[["ON", "FED"]]),
    ] = None
    """Search: registers to search for rows without a jurisdiction; all without it."""


class BatchRow(Document):
    """One row. Values are texts, as the cells of a file are."""

    name: Annotated[CellText, Field(examples=["Sandbox Bakery Inc."])] = ""
    """Name to search for, to verify or to screen."""
    reference: Annotated[CellText | None, Field(examples=["crm-1042"])] = None
    """Your own reference, which the results repeat."""
    entity_type: Annotated[CellText | None, Field(examples=["organization"])] = None
    """Screening: type of the party."""
    countries: Annotated[CellText | None, Field(examples=["CA; IR"])] = None
    """Screening: countries, as codes or names, separated by semicolons."""
    date_of_birth: Annotated[CellText | None, Field(examples=["1971-04"])] = None
    """Screening: date of birth as `YYYY`, `YYYY-MM` or `YYYY-MM-DD`."""
    jurisdiction: Annotated[CellText | None, Field(examples=["ON"])] = None
    """Search and verification: jurisdiction, as a code or full name."""
    registration_number: Annotated[CellText | None, Field(examples=["1000017"])] = None
    """Search and verification: registration number."""
    street: Annotated[CellText | None, Field(examples=["100 King Street West"])] = None
    """Search and verification: street with its number."""
    unit: Annotated[CellText | None, Field(examples=["200"])] = None
    """Search and verification: unit."""
    city: Annotated[CellText | None, Field(examples=["Toronto"])] = None
    """Search and verification: city."""
    province: Annotated[CellText | None, Field(examples=["ON"])] = None
    """Search and verification: province or state."""
    postal_code: Annotated[CellText | None, Field(examples=["M5X 1A9"])] = None
    """Search and verification: postal code."""
    country: Annotated[CellText | None, Field(examples=["Canada"])] = None
    """Search and verification: country of the address."""
    people: Annotated[CellText | None, Field(examples=["Jordan Sample; Robin Placeholder"])] = None
    """Verification: names of people, separated by semicolons."""


class BatchRequest(Document):
    """The body of `POST /batches` with the rows themselves."""

    kind: Annotated[BatchKind, Field(examples=["screen"])]
    """What is done with each row."""
    rows: Annotated[tuple[BatchRow, ...], Field(min_length=1, max_length=MAX_SENT_ROWS)]
    """Rows. Send a file for more than 1,000."""
    parameters: BatchParameters = BatchParameters()
    """How the rows are compared."""


class BatchForm(Document):
    """The parts of the form of `POST /batches` besides the file."""

    kind: BatchKind
    """What is done with each row."""
    format: BatchFormat | None = None
    """Format of the file; that of its name without it."""
    mapping: BatchMapping = BatchMapping()
    """Column of each field."""
    parameters: BatchParameters = BatchParameters()
    """How the rows are compared."""


class BatchChange(Document):
    """The body of `PATCH /batches/{id}`."""

    action: Annotated[BatchAction, Field(examples=["pause"])]
    """`pause` stops after the rows that are being worked on, `resume` continues, and `cancel` ends the batch."""


class BatchCoverage(Document):
    """A source that rows were compared with, or could not be."""

    source: Annotated[str, Field(examples=["ca-sanctions-autonomous"])]
    """Key of the source."""
    checked: Annotated[int, Field(examples=[200000])]
    """Rows that were compared with it."""
    not_checked: Annotated[int, Field(examples=[0])]
    """Rows that could not be compared with it, or did not need it."""
    as_of: Annotated[str | None, Field(examples=["2026-11-20"])]
    """Date of its oldest data that was used; null if none was."""
    reason: Annotated[Message | None, Field(examples=[None])]
    """Why rows could not be compared with it; null if all were."""


class Batch(Document):
    """A batch."""

    id: Annotated[UUID, Field(examples=[EXAMPLE_BATCH_ID])]
    """ID of the batch."""
    kind: Annotated[BatchKind, Field(examples=["screen"])]
    """What is done with each row."""
    status: Annotated[BatchStatus, Field(examples=["running"])]
    """How far it is."""
    format: Annotated[BatchFormat, Field(examples=["csv"])]
    """Format of the rows that were sent."""
    file_name: Annotated[str | None, Field(examples=["customers.csv"])]
    """Name of the file; null if the rows were sent as JSON."""
    mapping: BatchMapping
    """Column of each field that the file has."""
    parameters: BatchParameters
    """How the rows are compared."""
    language: Annotated[Language, Field(examples=["en"])]
    """Language of the reasons in the results: that of the request."""
    rows: Annotated[int | None, Field(examples=[200000])]
    """Number of rows; null until the file has been read."""
    done: Annotated[int, Field(examples=[81500])]
    """Rows that are done, including those with errors."""
    failed: Annotated[int, Field(examples=[12])]
    """Rows with errors."""
    rate_per_second: Annotated[float | None, Field(examples=[1840.5])]
    """Rows per second over the last minute; null unless it is running."""
    estimated_end_at: Annotated[Instant | None, Field(examples=["2026-11-20T14:34:05.000Z"])]
    """When it will end at this rate; null unless it is running."""
    created_at: Instant
    """When it was requested."""
    created_by: Annotated[str, Field(examples=["analyst@north.example"])]
    """Who requested it."""
    started_at: Annotated[Instant | None, Field(examples=["2026-11-20T14:33:01.000Z"])]
    """When its first row was begun; null until then."""
    finished_at: Annotated[Instant | None, Field(examples=[None])]
    """When it ended; null until then."""
    results_expire_at: Annotated[Instant | None, Field(examples=[None])]
    """When its rows and results are deleted; null until it has ended, and after they have been deleted."""
    coverage: tuple[BatchCoverage, ...]
    """Sources that the rows done so far were compared with, or could not be."""
    problem: Annotated[Message | None, Field(examples=[None])]
    """Why it failed; null otherwise."""


class BatchPage(Document):
    """A page of batches, newest first."""

    batches: tuple[Batch, ...]
    """Batches, newest first."""
    cursor: Cursor
    """Position of the next page, which has older batches."""
    pagination: FeedPagination
    """Size of the page."""


class BatchRowError(Document):
    """A row that was not done."""

    row: Annotated[int, Field(examples=[17])]
    """Number of the row, from 1."""
    line: Annotated[int, Field(examples=[18])]
    """Line of the file on which it begins; of a workbook or of Parquet, its row."""
    reference: Annotated[str | None, Field(examples=["crm-1042"])]
    """Your own reference."""
    name: Annotated[str | None, Field(examples=["Sandbox Bakery Inc."])]
    """Name of the row, if it could be read."""
    reason: Annotated[str, Field(examples=["registrationNumber: is required"])]
    """What is wrong with it, in the language of the batch."""


class BatchErrorPage(Document):
    """A page of the rows with errors, in the order of the file."""

    errors: tuple[BatchRowError, ...]
    """Rows with errors."""
    cursor: Cursor
    """Position of the next page."""
    pagination: FeedPagination
    """Size of the page."""


class BatchContent(Document):
    """What is stored of a batch besides its columns."""

    file_name: str | None
    mapping: BatchMapping
    parameters: BatchParameters
    language: Language
    size: int
    """Bytes of what was sent."""
    part_size: int
    """Bytes of the parts in which it is stored."""
    request_id: str | None
    coverage: tuple[BatchCoverage, ...] = ()
