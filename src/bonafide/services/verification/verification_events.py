"""Events of verifications. Pure."""

from bonafide.model.events.event import (
    EventBusiness,
    EventSeverity,
    EventSource,
    EventSubject,
    EventSubjectKind,
    EventType,
    NewEvent,
)
from bonafide.model.events.event_data import VerificationCompletedData, VerificationFailedData
from bonafide.model.records.business_record import BusinessRecord
from bonafide.model.verification.results import ResultStatus, VerifyResponse
from bonafide.services.screening.hit_events import ScreeningDocument
from bonafide.services.verification.spec import Verification


def build_completion_event(verification: Verification, document: VerifyResponse, record: BusinessRecord | None) -> NewEvent:
    """The event of a completed verification. `record` is the business record that it refers to, if any."""
    results, report = document.results, document.registry_data
    return NewEvent(
        EventType.VERIFICATION_COMPLETED,
        _build_subject(verification),
        VerificationCompletedData(
            verification_id=verification.id,
            external_id=verification.spec.external_id,
            status=results.status,
            discrepancy_count=results.discrepancy_count,
            open_hits=document.sanctions.open_hits if document.sanctions is not None else None,
        ),
        business=EventBusiness.from_record(record) if record is not None else None,
        source=(
            EventSource(key=report.source, as_of=report.as_of, retrieved_at=report.retrieved_at) if report is not None else None
        ),
        resource=_build_path(verification),
        severity=EventSeverity.INFO if results.status is ResultStatus.VERIFIED else EventSeverity.MEDIUM,
    )


def build_failure_event(verification: Verification, record: BusinessRecord | None) -> NewEvent:
    """The event of a verification that could not be completed."""
    return NewEvent(
        EventType.VERIFICATION_FAILED,
        _build_subject(verification),
        VerificationFailedData(verification_id=verification.id, external_id=verification.spec.external_id),
        business=EventBusiness.from_record(record) if record is not None else None,
        resource=_build_path(verification),
    )


def to_screening_document(verification: Verification, document: VerifyResponse) -> ScreeningDocument | None:
    """The screening of a verification; None if no list was to be screened."""
    threshold = verification.spec.sanctions_threshold
    if document.sanctions is None or threshold is None:
        return None
    return ScreeningDocument(verification.id, _build_path(verification), document.sanctions, threshold)


def _build_subject(verification: Verification) -> EventSubject:
    claim = verification.spec.subject
    return EventSubject(
        kind=EventSubjectKind.VERIFICATION,
        id=verification.id,
        name=claim.legal_name,
        jurisdiction=claim.jurisdiction,
        registration_number=claim.registration_number,
    )


def _build_path(verification: Verification) -> str:
    return f"/v1/verify/{verification.id}"
