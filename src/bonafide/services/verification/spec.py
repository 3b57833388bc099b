"""Build the specification of a verification from the request, the stored record and the account settings.

The specification contains everything that the job needs, so that any worker can run it at any time.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from bonafide.errors import FieldProblem, ValidationFailed
from bonafide.i18n.language import Language
from bonafide.i18n.message import Message
from bonafide.matching.identifiers.number_matching import build_number_keys
from bonafide.model.accounts.account_settings import VerificationSettings
from bonafide.model.accounts.organizations import Principal, Scope, World
from bonafide.model.base import Document
from bonafide.model.query import AddressInput
from bonafide.model.records.business_record import BusinessRecord
from bonafide.model.verification.requests import IDENTITY, VerifyRequest
from bonafide.model.verification.results import ClaimedPerson, Subject
from bonafide.runtime import Runtime
from bonafide.services.accounts.organizations import read_settings
from bonafide.services.records import business_records
from bonafide.services.reports.business_reports import ReportSubject, get_max_age
from bonafide.sources.framework.live import RegistrationQuery
from bonafide.store.records import verifications

_FROM_RECORD = {"legal_name": "name", "jurisdiction": "jurisdiction", "registration_number": "registration_number"}


class VerificationRequester(Document):
    """Who requested a verification, in which request, and the language of the summary."""

    identity: str
    request_id: str | None
    language: Language = Language.ENGLISH


class VerificationSpec(Document):
    """The claim, the requester and the settings of a verification; stored with it."""

    subject: Subject
    settings: VerificationSettings
    world: World
    asked_by: VerificationRequester
    business_id: UUID | None
    external_id: str | None
    sanctions_threshold: float | None = None
    """Lowest score of a hit on a sanctions list; None if no list is screened."""


@dataclass(frozen=True, slots=True)
class Verification:
    """A specification with its id and times."""

    organization_id: UUID
    id: UUID
    spec: VerificationSpec
    created_at: datetime
    deadline_at: datetime

    @classmethod
    def from_row(cls, row: verifications.StoredVerification) -> "Verification":
        """Parse a stored verification."""
        return cls(row.organization_id, row.id, VerificationSpec.model_validate_json(row.request), row.created_at, row.deadline_at)

    @property
    def report_subject(self) -> ReportSubject:
        """The registration whose report is compared."""
        subject = self.spec.subject
        registration = RegistrationQuery(subject.jurisdiction, subject.registration_number)
        return ReportSubject(self.organization_id, self.spec.world, registration)

    def has_simulated_failure(self, runtime: Runtime) -> bool:
        """Whether the registration has a simulated failure in the sandbox, so that no earlier report is used."""
        subject = self.spec.subject
        return (
            self.spec.world is World.SANDBOX
            and runtime.failure_simulator.find_report_failure(subject.jurisdiction, subject.registration_number) is not None
        )

    def compute_report_cutoff(self, runtime: Runtime) -> datetime:
        """Return the instant from which on a report counts as recent."""
        if self.has_simulated_failure(runtime):
            return self.created_at
        return self.created_at - get_max_age(runtime, self.spec.subject.max_age)


async def prepare_verification(
    runtime: Runtime, principal: Principal, request: VerifyRequest, requester: VerificationRequester
) -> VerificationSpec:
    """Build the specification of a request, completed from the record and the account settings.

    Raises `NotFound` for an unknown record, `ValidationFailed` for an incomplete claim or a number without digits and letters, and
    `ScopeMissing` for a record without the scope to read it, or a screening without the scope to screen.
    """
    organization_id, record = principal.organization_id, None
    if request.sanctions_screening:
        principal.check_scope(Scope.SANCTIONS_WRITE, "sanctionsScreening")
    if request.refers_to_record:
        principal.check_scope(Scope.BUSINESSES_READ, "businessId" if request.business_id is not None else "businessExternalId")
        record = await business_records.find_record(
            runtime, organization_id, business_id=request.business_id, external_id=request.business_external_id
        )
    account = await read_settings(runtime, organization_id)
    settings = account.verification
    return VerificationSpec(
        subject=build_subject(request, record),
        settings=request.matching.over(settings) if request.matching is not None else settings,
        world=principal.world,
        asked_by=requester,
        business_id=record.id if record is not None else None,
        external_id=request.external_id,
        sanctions_threshold=account.search.sanctions_threshold if request.sanctions_screening else None,
    )


def build_subject(request: VerifyRequest, record: BusinessRecord | None) -> Subject:
    """The claim of a request, completed from a record. Raises `ValidationFailed` for an incomplete claim."""
    claim: dict[str, Any] = {name: _get_claimed_value(request, record, name) for name in IDENTITY}
    missing = [name for name, value in claim.items() if value is None]
    if missing:
        raise _build_refusal([(name, Message("is required, because the business record does not have it")) for name in missing])
    if not build_number_keys(claim["registration_number"]):
        raise _build_refusal([("registration_number", Message("must contain the digits or letters of a number"))])
    return Subject(
        **claim,
        jurisdiction_label=claim["jurisdiction"].label,
        address=request.address if request.address is not None else _get_address(record),
        people=_get_people(request, record),
        max_age=request.max_age,
    )


def _get_claimed_value(request: VerifyRequest, record: BusinessRecord | None, name: str) -> Any:
    sent = getattr(request, name)
    return getattr(record, _FROM_RECORD[name]) if sent is None and record is not None else sent


def _get_address(record: BusinessRecord | None) -> AddressInput | None:
    """The record's main address, or otherwise the first of the others; None without any."""
    if record is None:
        return None
    for address in (record.address, *record.addresses):
        stated = AddressInput(**{name: getattr(address, name) for name in AddressInput.model_fields})
        if not stated.is_empty:
            return stated
    return None


def _get_people(request: VerifyRequest, record: BusinessRecord | None) -> tuple[ClaimedPerson, ...]:
    if request.people is not None:
        return tuple(ClaimedPerson(name=person.name, roles=person.all_roles) for person in request.people)
    return tuple(ClaimedPerson(name=person.name, roles=person.roles) for person in record.people) if record is not None else ()


def _build_refusal(problems: Sequence[tuple[str, Message]]) -> ValidationFailed:
    return ValidationFailed.of_fields(
        [FieldProblem(VerifyRequest.model_fields[name].alias or name, message) for name, message in problems]
    )
