"""A verification: a claim compared with what the register states, field by field.

The document is stored once, and everything afterwards reads it. `matching/verification/claim_comparison` compares the fields;
`requests` has what a caller sends.
"""

from datetime import date
from enum import StrEnum
from typing import Literal, TypeAlias
from uuid import UUID

from bonafide.i18n.language import Language
from bonafide.i18n.message import Message
from bonafide.model.base import Document, Instant
from bonafide.model.jurisdiction import Jurisdiction
from bonafide.model.query import AddressInput
from bonafide.model.search.match import Score
from bonafide.model.verification.registry_report import RegistryReport


class VerificationState(StrEnum):
    """Where a verification stands; the first three are `pending` to whoever polls, the last two are final."""

    PENDING = "pending"
    """Queued."""
    PROCESSING = "processing"
    """A worker has it."""
    WAITING_FOR_REGISTRY = "waiting_for_registry"
    """The register is slow or has asked us to wait; it is asked again."""
    COMPLETED = "completed"
    FAILED = "failed"


class ClaimedPerson(Document):
    """A person that the business is said to have, and as what."""

    name: str
    roles: tuple[str, ...] = ()


class Subject(Document):
    """What is claimed of a business (`meta.submitted`): as it was sent, what was left out filled in from the stored record."""

    legal_name: str
    jurisdiction: Jurisdiction
    jurisdiction_label: str
    registration_number: str
    address: AddressInput | None = None
    people: tuple[ClaimedPerson, ...] = ()
    max_age: float | None = None
    """In hours, as it was sent."""


class Thresholds(Document):
    """From which score a field counts as matched; null for what was not to be compared."""

    legal_name: Score
    registration_number: Score
    address: Score | None
    people: Score | None


class CheckStatus(StrEnum):
    """What came of comparing one field. Only `mismatched` is a discrepancy; the last three mean that nothing was compared."""

    MATCHED = "matched"
    MISMATCHED = "mismatched"
    NOT_PROVIDED = "not_provided"
    """The caller says nothing of it."""
    NOT_PUBLISHED = "not_published"
    """The register says nothing of it, by the route by which it was looked at."""
    NOT_CHECKED = "not_checked"
    """There was no entry to compare with."""


class CheckedField(Document):
    """One field: the claim, what the register states, how alike they are, and why."""

    status: CheckStatus
    score: Score | None
    threshold: Score
    provided: str | None
    registry: str | None
    reason: Message


class CheckedAddressPart(Document):
    """One part of the address; compared only where it was sent."""

    status: CheckStatus
    score: Score | None
    provided: str | None
    registry: str | None
    reason: Message


class CheckedAddress(CheckedField):
    """The address as a whole, against that one of the register's that is most like it, and its parts by name."""

    fields: dict[str, CheckedAddressPart]


class RegistryPerson(Document):
    """A person as the register names them."""

    name: str
    roles: tuple[str, ...]


class CheckedPerson(Document):
    """One of the people claimed: the register's person who is most like them, where one is like enough to be shown."""

    name: str
    role: str | None
    """All the roles that were claimed, in one line."""
    status: CheckStatus
    score: Score | None
    threshold: Score
    reason: Message
    registry: RegistryPerson | None


class CheckedFields(Document):
    """`results.fields`; the address is null when none was sent, or it was not to be compared."""

    legal_name: CheckedField
    registration_number: CheckedField
    address: CheckedAddress | None


class ResultStatus(StrEnum):
    """What a verification came to."""

    VERIFIED = "verified"
    DISCREPANCIES = "discrepancies"
    NOT_FOUND = "not_found"
    """The register has no such number."""
    INACTIVE = "inactive"
    """Everything matches, and the business is not active."""


class SummarySource(StrEnum):
    """Who worded the summary."""

    RULES = "rules"
    MODEL = "model"
    """A language model has rephrased it, and nothing in it goes beyond what the rules said."""


class SummaryEvidence(Document):
    """On what a sentence rests: which register's statement, of which day, in which report."""

    source: str
    as_of: date | None
    report_id: UUID


class SummarySentence(Document):
    """One sentence of the summary as the rules word it, the field of the document that it is about, and on what it rests."""

    text: str
    field: str
    """A path in the document: `results.fields.legalName`, `registryData.status`."""
    evidence: SummaryEvidence | None


class Findings(Document):
    """What came of the comparison."""

    status: ResultStatus
    fields: CheckedFields
    people: tuple[CheckedPerson, ...]
    """Empty when none were sent, or they were not to be compared."""
    discrepancy_count: int
    """How many of name, number, address and people are mismatched."""


class Results(Findings):
    """What was found, and what that means in words."""

    analyst_summary: str
    summary_language: Language = Language.ENGLISH
    summary_source: SummarySource = SummarySource.RULES
    summary_model: str | None = None
    """The language model that rephrased it."""
    summary_sentences: tuple[SummarySentence, ...] = ()


class VerificationMeta(Document):
    """Who had what verified, when, and how strictly. `duration` is in whole milliseconds, waiting included."""

    verification_id: UUID
    external_id: str | None
    business_id: UUID | None
    verified_at: Instant
    verified_by: str
    duration: int
    submitted: Subject
    thresholds: Thresholds


class VerifyResponse(Document):
    """The answer of `POST /verify` and `GET /verify/{id}` when it is there."""

    meta: VerificationMeta
    results: Results
    registry_data: RegistryReport | None
    """What the register states; null when it has no such number."""


class VerificationPending(Document):
    """The answer while a verification is under way."""

    pending: Literal[True] = True
    status: Literal[VerificationState.PENDING, VerificationState.PROCESSING, VerificationState.WAITING_FOR_REGISTRY]
    report_fetch_id: UUID
    status_url: str


class VerificationFailed(Document):
    """The answer of a verification that could not be made, with a reason that a person can act on."""

    status: Literal[VerificationState.FAILED] = VerificationState.FAILED
    error: Message


VerificationDocument: TypeAlias = VerifyResponse | VerificationPending | VerificationFailed
"""What a verification has come to."""
