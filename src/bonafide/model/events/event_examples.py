"""An example of each type of event, about made-up businesses."""

from collections.abc import Mapping
from datetime import UTC, date, datetime
from uuid import UUID

from bonafide.model.events import event_data
from bonafide.model.events.event import (
    EXAMPLE_BUSINESS_ID,
    EventBusiness,
    EventChange,
    EventSeverity,
    EventSource,
    EventSubject,
    EventSubjectKind,
    EventType,
    NewEvent,
)
from bonafide.model.jurisdiction import Jurisdiction
from bonafide.model.ownership.discrepancies import DiscrepancyStatus
from bonafide.model.ownership.owner_comparison import DifferenceKind
from bonafide.model.ownership.statement import Claimant
from bonafide.model.search.match import SubjectRole
from bonafide.model.search.result import SearchStatus, SelectionStatus
from bonafide.model.verification.results import ResultStatus

EXAMPLE_SEQUENCE = 1841
EXAMPLE_TIME = datetime(2026, 11, 20, 14, 33, 0, 125_000, UTC)
_LATER = datetime(2026, 12, 20, 14, 33, 0, 125_000, UTC)
_ANALYST = "analyst@north.example"
_NAME = "Sandbox Bakery Inc."
_NUMBER = "1000017"
_LIST = "ca-sanctions-autonomous"
_BUSINESS_ID = UUID(EXAMPLE_BUSINESS_ID)
_SEARCH_ID = UUID("0a9b7e54-3f1c-4f0e-8a57-5d2f6f4b8f33")
_MATCH_ID = UUID("2b1c7c1e-0f1d-4a57-8a57-5d2f6f4b8f33")
_VERIFICATION_ID = UUID("3c1f6d0b-7f5e-4a8e-9b58-0b8f2f6f1c22")
_SCREENING_ID = UUID("7e2f9c1b-3a4d-4e5f-8a6b-0c1d2e3f4a5b")
_PREVIOUS_ID = UUID("1d2c3b4a-5e6f-4a7b-8c9d-0e1f2a3b4c5d")
_DISMISSAL_ID = UUID("9c8b7a6d-5e4f-4d3c-8b2a-1f0e9d8c7b6a")
_DISCREPANCY_ID = UUID("8a7b6c5d-4e3f-4a2b-9c1d-0e9f8a7b6c5d")
_REVIEW_ID = UUID("5d4c3b2a-1f0e-4d9c-8b7a-6f5e4d3c2b1a")
_REPORT_ID = UUID("a1b2c3d4-e5f6-4a7b-8c9d-0a1b2c3d4e5f")
_BUSINESS = EventBusiness(id=_BUSINESS_ID, external_id="crm-1042", name=_NAME)
_RECORD = EventSubject(kind=EventSubjectKind.BUSINESS, id=_BUSINESS_ID, name=_NAME)
_SEARCH = EventSubject(kind=EventSubjectKind.SEARCH, id=_SEARCH_ID, name=_NAME)
_VERIFICATION = EventSubject(
    kind=EventSubjectKind.VERIFICATION,
    id=_VERIFICATION_ID,
    name=_NAME,
    jurisdiction=Jurisdiction.ON,
    registration_number=_NUMBER,
)
_ENTRY = EventSubject(kind=EventSubjectKind.REGISTRY_ENTRY, name=_NAME, jurisdiction=Jurisdiction.ON, registration_number=_NUMBER)
_PARTY = EventSubject(kind=EventSubjectKind.LISTED_PARTY, name="Northgate Shipping Limited", source=_LIST, entry_id="BY-1-12")
_DISCREPANCY = EventSubject(kind=EventSubjectKind.DISCREPANCY, id=_DISCREPANCY_ID)
_REGISTER = EventSource(key="on", as_of=date(2026, 11, 20), retrieved_at=EXAMPLE_TIME)
_LISTED = EventSource(key=_LIST, as_of=date(2026, 11, 20), retrieved_at=EXAMPLE_TIME)
_SCREENED = event_data.ScreenedPartyData(name="Northgate Shipping Ltd.", role=SubjectRole.DIRECTOR)
_SEARCH_PATH = f"/v1/search/{_SEARCH_ID}"
_VERIFICATION_PATH = f"/v1/verify/{_VERIFICATION_ID}"
_BUSINESS_PATH = f"/v1/businesses/{_BUSINESS_ID}"
_SCREENING_PATH = f"/v1/sanctions/{_SCREENING_ID}"
_DISCREPANCY_PATH = f"{_BUSINESS_PATH}/discrepancies/{_DISCREPANCY_ID}"
_CHANGED = event_data.BusinessChangedData(
    changed_by=_ANALYST, request_id="7d0f3b52-5b0e-4c57-9b3c-1a2f0e6d9c44", version=EXAMPLE_TIME
)

EVENT_EXAMPLES: Mapping[EventType, NewEvent] = {
    example.type: example
    for example in (
        NewEvent(
            EventType.SEARCH_COMPLETED,
            _SEARCH,
            event_data.SearchCompletedData(
                search_id=_SEARCH_ID,
                status=SearchStatus.COMPLETED,
                matches=1,
                selection=SelectionStatus.AUTO_SELECTED,
                selected_match_id=_MATCH_ID,
                open_hits=0,
            ),
            business=_BUSINESS,
            resource=_SEARCH_PATH,
        ),
        NewEvent(
            EventType.SEARCH_MATCH_SELECTED,
            _SEARCH,
            event_data.MatchSelectedData(
                search_id=_SEARCH_ID,
                selection=SelectionStatus.SELECTED,
                selected_match_id=_MATCH_ID,
                selected_by=_ANALYST,
                open_hits=0,
            ),
            business=_BUSINESS,
            changes=(
                EventChange(field="matchSelection.status", from_="needs_review", to="selected"),
                EventChange(field="matchSelection.selectedMatchId", from_=None, to=str(_MATCH_ID)),
            ),
            resource=_SEARCH_PATH,
        ),
        NewEvent(
            EventType.VERIFICATION_COMPLETED,
            _VERIFICATION,
            event_data.VerificationCompletedData(
                verification_id=_VERIFICATION_ID,
                external_id="case-77",
                status=ResultStatus.DISCREPANCIES,
                discrepancy_count=1,
                open_hits=None,
            ),
            business=_BUSINESS,
            source=_REGISTER,
            resource=_VERIFICATION_PATH,
            severity=EventSeverity.MEDIUM,
        ),
        NewEvent(
            EventType.VERIFICATION_FAILED,
            _VERIFICATION,
            event_data.VerificationFailedData(verification_id=_VERIFICATION_ID, external_id="case-77"),
            business=_BUSINESS,
            resource=_VERIFICATION_PATH,
        ),
        NewEvent(
            EventType.BUSINESS_CREATED,
            _RECORD,
            _CHANGED,
            business=_BUSINESS,
            changes=(
                EventChange(field="externalId", from_=None, to="crm-1042"),
                EventChange(field="name", from_=None, to=_NAME),
            ),
            resource=_BUSINESS_PATH,
        ),
        NewEvent(
            EventType.BUSINESS_UPDATED,
            _RECORD,
            _CHANGED,
            business=_BUSINESS,
            changes=(EventChange(field="address.city", from_="Toronto", to="Hamilton"),),
            resource=_BUSINESS_PATH,
        ),
        NewEvent(
            EventType.BUSINESS_ARCHIVED,
            _RECORD,
            _CHANGED,
            business=_BUSINESS,
            changes=(EventChange(field="isArchived", from_=False, to=True),),
            resource=_BUSINESS_PATH,
        ),
        NewEvent(
            EventType.SCREENING_HIT_FOUND,
            _PARTY,
            event_data.ScreeningHitData(
                screening_id=_SCREENING_ID,
                previous_screening_id=_PREVIOUS_ID,
                screened=_SCREENED,
                score=0.97,
                previous_score=None,
            ),
            business=_BUSINESS,
            source=_LISTED,
            resource=_SCREENING_PATH,
        ),
        NewEvent(
            EventType.SCREENING_HIT_CHANGED,
            _PARTY,
            event_data.ScreeningHitData(
                screening_id=_SCREENING_ID,
                previous_screening_id=_PREVIOUS_ID,
                screened=_SCREENED,
                score=0.97,
                previous_score=0.93,
            ),
            business=_BUSINESS,
            changes=(EventChange(field="score", from_=0.93, to=0.97),),
            source=_LISTED,
            resource=_SCREENING_PATH,
        ),
        NewEvent(
            EventType.SCREENING_HIT_CLEARED,
            _PARTY,
            event_data.ScreeningHitData(
                screening_id=_SCREENING_ID,
                previous_screening_id=_PREVIOUS_ID,
                screened=_SCREENED,
                score=None,
                previous_score=0.97,
            ),
            business=_BUSINESS,
            source=_LISTED,
            resource=_SCREENING_PATH,
        ),
        NewEvent(
            EventType.DISMISSAL_CREATED,
            _PARTY,
            event_data.DismissalCreatedData(
                dismissal_id=_DISMISSAL_ID, subject="Northgate Shipping Ltd.", dismissed_by=_ANALYST, until=_LATER
            ),
            business=_BUSINESS,
            resource=f"/v1/sanctions/dismissals/{_DISMISSAL_ID}",
        ),
        NewEvent(
            EventType.OWNERSHIP_CHANGED,
            EventSubject(kind=EventSubjectKind.OWNERSHIP, id=_BUSINESS_ID, name=_NAME),
            event_data.OwnershipChangedData(
                claimed_by=Claimant.DECLARED,
                changed_fields=("asOf", "parties", "interests"),
                parties=3,
                interests=2,
                is_withdrawn=False,
                changed_by=_ANALYST,
            ),
            business=_BUSINESS,
            changes=(EventChange(field="asOf", from_="2025-11-01", to="2026-11-01"),),
            resource=f"{_BUSINESS_PATH}/ownership",
        ),
        NewEvent(
            EventType.DISCREPANCY_OPENED,
            _DISCREPANCY,
            event_data.DiscrepancyOpenedData(
                discrepancy_id=_DISCREPANCY_ID,
                review_id=_REVIEW_ID,
                kind=DifferenceKind.MISSING_OWNER,
                is_reportable=True,
                due_at=_LATER,
                changed_by=_ANALYST,
            ),
            business=_BUSINESS,
            changes=(EventChange(field="status", from_=None, to="open"),),
            resource=_DISCREPANCY_PATH,
            severity=EventSeverity.HIGH,
        ),
        NewEvent(
            EventType.DISCREPANCY_DUE,
            _DISCREPANCY,
            event_data.DiscrepancyDueData(
                discrepancy_id=_DISCREPANCY_ID, kind=DifferenceKind.MISSING_OWNER, due_at=_LATER, overdue=False
            ),
            business=_BUSINESS,
            resource=_DISCREPANCY_PATH,
        ),
        NewEvent(
            EventType.DISCREPANCY_RESOLVED,
            _DISCREPANCY,
            event_data.DiscrepancyResolvedData(
                discrepancy_id=_DISCREPANCY_ID,
                kind=DifferenceKind.MISSING_OWNER,
                status=DiscrepancyStatus.RESOLVED,
                changed_by=_ANALYST,
            ),
            business=_BUSINESS,
            changes=(EventChange(field="status", from_="open", to="resolved"),),
            resource=_DISCREPANCY_PATH,
        ),
        NewEvent(
            EventType.REPORT_READY,
            _ENTRY,
            event_data.ReportReadyData(report_id=_REPORT_ID),
            source=_REGISTER,
            resource=f"/v1/business-reports/{_REPORT_ID}",
        ),
    )
}
"""One event of each type, as it would be recorded."""
