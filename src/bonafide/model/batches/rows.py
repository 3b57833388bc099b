"""The rows of a batch: what is read from a file, and what comes of each."""

from dataclasses import dataclass, field
from enum import StrEnum

from bonafide.i18n.message import Message
from bonafide.model.batches.batch import BatchKind

NAME, REFERENCE = "name", "reference"
_ADDRESS = ("street", "unit", "city", "province", "postalCode", "country")
FIELDS: dict[BatchKind, tuple[str, ...]] = {
    BatchKind.SCREEN: (NAME, REFERENCE, "entityType", "countries", "dateOfBirth"),
    BatchKind.SEARCH: (NAME, REFERENCE, "jurisdiction", "registrationNumber", *_ADDRESS),
    BatchKind.VERIFY: (NAME, REFERENCE, "jurisdiction", "registrationNumber", *_ADDRESS, "people"),
}
"""The fields of the rows of each kind, by their names in a mapping."""
REQUIRED: dict[BatchKind, tuple[str, ...]] = {
    BatchKind.SCREEN: (NAME,),
    BatchKind.SEARCH: (NAME,),
    BatchKind.VERIFY: (NAME, "jurisdiction", "registrationNumber"),
}
"""The fields without which no row can be done."""


class BatchRowStatus(StrEnum):
    """What came of a row."""

    MATCH = "match"
    """Search, screening: at least one match reaches the threshold."""
    CLEAR = "clear"
    """Screening: every list was screened, and none has a match."""
    NO_MATCH = "no_match"
    """Search: every register that a batch can search was searched, and none has a match."""
    INCOMPLETE = "incomplete"
    """There is no match, and a source could not be checked."""
    VERIFIED = "verified"
    DISCREPANCIES = "discrepancies"
    NOT_FOUND = "not_found"
    """Verification: the register does not have the number."""
    INACTIVE = "inactive"
    """Verification: everything matches, and the business is not active."""
    NOT_CHECKED = "not_checked"
    """Verification: the data of the register is not loaded, or is incomplete and does not have the number."""
    ERROR = "error"
    """The row was not done."""


@dataclass(frozen=True, slots=True)
class BatchInputRow:
    """A row as it was read: its number from 1, its line, the text of each mapped field, and why it can't be read, if it can't."""

    row: int
    line: int
    values: dict[str, str]
    problem: Message | None = None


@dataclass(frozen=True, slots=True)
class BatchMatch:
    """An entry of a register or a listed party that a row may mean. Reasons are in the language of the batch."""

    score: float
    name: str
    matched_name: str | None
    source: str
    entry_id: str | None
    entity_type: str | None
    jurisdiction: str | None
    registration_number: str | None
    status: str | None
    as_of: str | None
    reasons: list[str]


@dataclass(frozen=True, slots=True)
class BatchCheck:
    """A field of a verification: the outcome, the score, both values and the reason."""

    field: str
    status: str
    score: float | None
    provided: str | None
    registry: str | None
    reason: str


@dataclass(slots=True)
class BatchResultRow:
    """What came of a row. `checked` counts the sources it was compared with; `not_checked` has the keys of the others."""

    row: int
    line: int
    reference: str | None
    name: str
    status: BatchRowStatus
    score: float | None = None
    total_matches: int = 0
    matches: list[BatchMatch] = field(default_factory=list)
    checks: list[BatchCheck] = field(default_factory=list)
    checked: int = 0
    not_checked: list[str] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)
    error: str | None = None
