"""A verification: a claim compared with what the register states, field by field.

The document is stored once, and everything afterwards reads it. `matching/verification/claim_comparison` compares the fields;
`requests` has what a caller sends.
"""

from datetime import date
from enum import StrEnum
from operator import not_
from typing import Annotated, Any, Literal, TypeAlias
from uuid import UUID

from pydantic import Field, model_validator

from bonafide.i18n.language import Language
from bonafide.i18n.message import Message
from bonafide.model.base import Document, Instant
from bonafide.model.entity import Address, NameHistoryItem
from bonafide.model.jurisdiction import Jurisdiction
from bonafide.model.manual_checks.manual_check import ManualCheckEvidence
from bonafide.model.query import AddressInput
from bonafide.model.search.match import Score, Screening
from bonafide.model.search.result import CheckErrors
from bonafide.model.verification.acceptance import AcceptedDiscrepancy
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
    """Full name."""
    roles: tuple[str, ...] = ()
    """Roles of the person."""


class Subject(Document):
    """What is claimed of a business (`meta.submitted`): as it was sent, what was left out filled in from the stored record."""

    legal_name: str
    """Claimed legal name."""
    jurisdiction: Jurisdiction
    """Jurisdiction code."""
    jurisdiction_label: str
    """Full name of the jurisdiction."""
    registration_number: str
    """Claimed registration number."""
    address: AddressInput | None = None
    """Claimed address."""
    people: tuple[ClaimedPerson, ...] = ()
    """Claimed people."""
    max_age: float | None = None
    """Maximum age of a stored registry report in hours, as requested."""


class Thresholds(Document):
    """From which score a field counts as matched; null for what was not to be compared."""

    legal_name: Score
    """Threshold of the legal name."""
    registration_number: Score
    """Threshold of the registration number."""
    address: Score | None
    """Threshold of the address; null if it is not compared."""
    people: Score | None
    """Threshold of people; null if they are not compared."""
    sanctions: Annotated[Score | None, Field(examples=[0.85], exclude_if=not_)] = None
    """Lowest score of a hit on a sanctions list; omitted if no list was to be screened."""


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
    """Outcome of the comparison."""
    score: Score | None
    """Score; null if the field was not compared."""
    threshold: Score
    """Lowest score at which the field counts as matched."""
    provided: str | None
    """Claimed value."""
    registry: str | None
    """Value in the registry."""
    reason: Message
    """Explanation of the outcome."""


class CheckedAddressPart(Document):
    """One part of the address; compared only where it was sent."""

    status: CheckStatus
    """Outcome of the comparison."""
    score: Score | None
    """Score; null if the part was not compared."""
    provided: str | None
    """Claimed value."""
    registry: str | None
    """Value in the registry."""
    reason: Message
    """Explanation of the outcome."""


class CheckedAddress(CheckedField):
    """The address as a whole, against that one of the register's that is most like it, and its parts by name."""

    fields: dict[str, CheckedAddressPart]
    """Parts of the address by name."""


class RegistryPerson(Document):
    """A person as the register names them."""

    name: str
    """Full name."""
    roles: tuple[str, ...]
    """Roles in the registry's own words."""


class CheckedPerson(Document):
    """A claimed person with the most similar person in the registry, or a person of the registry who was not claimed."""

    name: str
    """Claimed name; the name in the registry of a person who was not claimed."""
    provided: Annotated[str | None, Field(examples=["Jordan Sample"])]
    """Claimed name; null for a person of the registry who was not claimed."""
    role: str | None
    """Claimed roles in one line."""
    status: CheckStatus
    """Outcome of the comparison."""
    score: Score | None
    """Score; null if the person was not compared."""
    threshold: Score
    """Lowest score at which the person counts as matched."""
    reason: Message
    """Explanation of the outcome."""
    registry: RegistryPerson | None
    """The most similar person in the registry; null if none is similar enough."""

    @model_validator(mode="before")
    @classmethod
    def _with_provided(cls, data: Any) -> Any:
        # Earlier releases stored claimed people only.
        return {**data, "provided": data["name"]} if isinstance(data, dict) and "provided" not in data and "name" in data else data


class RegistryOnlyData(Document):
    """Addresses and names in the registry that were not claimed."""

    addresses: tuple[Address, ...] = ()
    """Addresses that differ from the claimed one, if addresses are compared."""
    names: tuple[NameHistoryItem, ...] = ()
    """Other current and former names that differ from the claimed name."""


class CheckedFields(Document):
    """`results.fields`; the address is null when none was sent, or it was not to be compared."""

    legal_name: CheckedField
    """Comparison of the legal name."""
    registration_number: CheckedField
    """Comparison of the registration number."""
    address: CheckedAddress | None
    """Comparison of the address; null if it was not compared."""


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
    """Key of the source."""
    as_of: date | None
    """Date of the source's data."""
    report_id: UUID
    """ID of the registry report."""


class SummarySentence(Document):
    """One sentence of the summary as the rules word it, the field of the document that it is about, and on what it rests."""

    text: str
    """The sentence."""
    field: str
    """Path of the field that the sentence is about: `results.fields.legalName`, `registryData.status`."""
    evidence: SummaryEvidence | None
    """Evidence of the sentence."""


class Findings(Document):
    """What came of the comparison."""

    status: ResultStatus
    """Outcome of the verification."""
    fields: CheckedFields
    """Compared fields."""
    people: tuple[CheckedPerson, ...]
    """Claimed people, then people of the registry who were not claimed, with the status `not_provided`; empty if people are not
    compared."""
    discrepancy_count: int
    """Number of discrepancies among name, number, address and people."""
    registry_only: RegistryOnlyData = RegistryOnlyData()
    """Addresses and names in the registry that were not claimed."""
    not_provided_count: Annotated[int, Field(examples=[2])] = 0
    """Number of people, addresses and names in the registry that were not claimed."""
    counts_not_provided: bool = False
    """Whether `discrepancyCount` includes `notProvidedCount`, as the settings of the verification say."""


class Results(Findings):
    """What was found, and what that means in words."""

    analyst_summary: str
    """Summary for an analyst."""
    summary_language: Language = Language.ENGLISH
    """Language of the summary."""
    summary_source: SummarySource = SummarySource.RULES
    """Whether rules or a language model worded the summary."""
    summary_model: Annotated[str | None, Field(examples=["local-model"])] = None
    """Language model that rephrased the summary."""
    summary_sentences: tuple[SummarySentence, ...] = ()
    """The sentences of the summary with their evidence."""


class VerificationMeta(Document):
    """Who had what verified, when, and how strictly. `duration` is in whole milliseconds, waiting included."""

    verification_id: UUID
    """ID of the verification."""
    external_id: str | None
    """Your own reference from the request."""
    business_id: Annotated[UUID | None, Field(examples=["6f1c2a0e-8f5d-4c55-9d0a-2f6f4b8f3a11"])]
    """ID of the stored business record, if the request referred to one."""
    verified_at: Instant
    """When the verification finished."""
    verified_by: str
    """Who requested the verification."""
    duration: int
    """Duration in milliseconds, including waiting."""
    submitted: Subject
    """The claimed data."""
    thresholds: Thresholds
    """Thresholds that applied."""


class VerifyResponse(Document):
    """The answer of `POST /verify` and `GET /verify/{id}` when it is there."""

    meta: VerificationMeta
    """Details of the verification."""
    results: Results
    """Outcome of the verification."""
    registry_data: RegistryReport | None
    """The registry's data; null if the registry has no such number."""
    sanctions: Annotated[Screening | None, Field(exclude_if=not_)] = None
    """Sanctions screening of the claimed name, with each further party in `subjects`; omitted if it was not requested. It does not
    affect `results.status`."""
    manual_check: Annotated[ManualCheckEvidence | None, Field(exclude_if=not_)] = None
    """The manual check of which the verification uses the result, because no program could query the register; omitted if a program
    could."""
    accepted_discrepancies: Annotated[tuple[AcceptedDiscrepancy, ...], Field(exclude_if=not_)] = ()
    """Discrepancies that a person has accepted, with the reason; omitted without any. They change nothing in `results`."""
    errors: Annotated[CheckErrors | None, Field(exclude_if=not_)] = None
    """Why the sanctions screening is incomplete; omitted if it is complete or was not requested."""


class VerificationPending(Document):
    """The answer while a verification is under way."""

    pending: Literal[True] = True
    """Always true: keep polling."""
    status: Literal[VerificationState.PENDING, VerificationState.PROCESSING, VerificationState.WAITING_FOR_REGISTRY]
    """Progress of the verification."""
    report_fetch_id: UUID
    """ID to poll with."""
    status_url: str
    """Path to poll."""


class VerificationFailed(Document):
    """The answer of a verification that could not be made, with a reason that a person can act on."""

    status: Literal[VerificationState.FAILED] = VerificationState.FAILED
    """Always `failed`."""
    error: Message
    """Why the verification failed and what you can do."""


VerificationDocument: TypeAlias = VerifyResponse | VerificationPending | VerificationFailed
"""What a verification has come to."""
