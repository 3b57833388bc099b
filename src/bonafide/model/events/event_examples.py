"""An example of each type of event, about made-up businesses."""

from collections.abc import Mapping
from datetime import UTC, date, datetime, timedelta
from uuid import UUID

from bonafide.errors import SourceErrorCode
from bonafide.model.batches.batch import EXAMPLE_BATCH_ID, BatchKind
from bonafide.model.cases.case import EXAMPLE_CASE_ID, CaseOutcome
from bonafide.model.cases.policy import CaseItemKind, CasePriority
from bonafide.model.entity import StatusCode
from bonafide.model.entry import SourceKind
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
from bonafide.model.loading import LoadProblem
from bonafide.model.manual_checks.manual_check import EXAMPLE_CHECK_ID, ManualCheckOrigin
from bonafide.model.monitoring.policy import MonitoringKind
from bonafide.model.monitoring.website_snapshots import WebsiteChangeKind
from bonafide.model.ownership.discrepancies import DiscrepancyStatus
from bonafide.model.ownership.owner_comparison import DifferenceKind
from bonafide.model.ownership.statement import Claimant
from bonafide.model.search.match import SubjectRole
from bonafide.model.search.result import SearchStatus, SelectionStatus
from bonafide.model.search.website import WebsiteStatus
from bonafide.model.verification.results import ResultStatus
from bonafide.model.webhooks import DeliveryError, DisabledReason

EXAMPLE_SEQUENCE = 1841
EXAMPLE_TIME = datetime(2026, 11, 20, 14, 33, 0, 125_000, UTC)
_LATER = datetime(2026, 12, 20, 14, 33, 0, 125_000, UTC)
_EARLIER = datetime(2026, 11, 18, 14, 30, 0, 125_000, UTC)
_LAST_YEAR = datetime(2025, 11, 20, 14, 33, 0, 125_000, UTC)
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
_CASE_ID = UUID(EXAMPLE_CASE_ID)
_MANUAL_CHECK_ID = UUID(EXAMPLE_CHECK_ID)
_ERASURE_ID = UUID("2b1d9c5e-7a2f-4c3d-8e6b-1f0a9d8c7b6e")
_BATCH_ID = UUID(EXAMPLE_BATCH_ID)
_PACK_ID = UUID("0c9d8e7f-6a5b-4c3d-9e2f-1a0b9c8d7e6f")
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
_LICENCE = EventSubject(
    kind=EventSubjectKind.LICENCE, name=_NAME, registration_number="CRSA1174932", source="agcoCannabis", entry_id="CRSA1174932"
)
_REGULATOR = EventSource(key="agcoCannabis", as_of=date(2026, 11, 20), retrieved_at=EXAMPLE_TIME)
_CASE = EventSubject(kind=EventSubjectKind.CASE, id=_CASE_ID, name=_NAME)
_CASE_PATH = f"/v1/cases/{_CASE_ID}"
_MANUAL_CHECK = EventSubject(
    kind=EventSubjectKind.MANUAL_CHECK,
    id=_MANUAL_CHECK_ID,
    name=_NAME,
    jurisdiction=Jurisdiction.ON,
    registration_number=_NUMBER,
    source="on",
)
_MANUAL_CHECK_PATH = f"/v1/manual-checks/{_MANUAL_CHECK_ID}"
_DISCREPANCY = EventSubject(kind=EventSubjectKind.DISCREPANCY, id=_DISCREPANCY_ID)
_REGISTER = EventSource(key="on", as_of=date(2026, 11, 20), retrieved_at=EXAMPLE_TIME)
_LISTED = EventSource(key=_LIST, as_of=date(2026, 11, 20), retrieved_at=EXAMPLE_TIME)
_SCREENED = event_data.ScreenedPartyData(name="Northgate Shipping Ltd.", role=SubjectRole.DIRECTOR)
_SEARCH_PATH = f"/v1/search/{_SEARCH_ID}"
_VERIFICATION_PATH = f"/v1/verify/{_VERIFICATION_ID}"
_BUSINESS_PATH = f"/v1/businesses/{_BUSINESS_ID}"
_SCREENING_PATH = f"/v1/sanctions/{_SCREENING_ID}"
_DISCREPANCY_PATH = f"{_BUSINESS_PATH}/discrepancies/{_DISCREPANCY_ID}"
_LIST_SOURCE = EventSubject(
    kind=EventSubjectKind.SOURCE,
    name="Consolidated Canadian Autonomous Sanctions List",
    jurisdiction=Jurisdiction.FED,
    source=_LIST,
)
_OLD_LIST = EventSource(key=_LIST, as_of=date(2026, 11, 10), retrieved_at=datetime(2026, 11, 10, 5, 2, 0, 0, UTC))
_COVERAGE_PATH = "/v1/coverage"
_CHANGED = event_data.BusinessChangedData(
    changed_by=_ANALYST, request_id="7d0f3b52-5b0e-4c57-9b3c-1a2f0e6d9c44", version=EXAMPLE_TIME
)

_CHANGELOG_PATH = "/changelog"


def _build_condition(
    problem: LoadProblem | None, error_code: SourceErrorCode | None, *, age_days: int, max_age_days: int
) -> event_data.SourceConditionData:
    return event_data.SourceConditionData(
        kind=SourceKind.SANCTIONS,
        jurisdiction=Jurisdiction.FED,
        problem=problem,
        error_code=error_code,
        is_stale=age_days > max_age_days,
        age_days=age_days,
        max_age_days=max_age_days,
    )


_ENDPOINT_ID = UUID("5f0d8f6e-2b7c-4d0a-9c55-3f4e8a1b2c3d")
_ENDPOINT = EventSubject(kind=EventSubjectKind.WEBHOOK_ENDPOINT, id=_ENDPOINT_ID, name="Case management")
_ENDPOINT_PATH = f"/v1/webhook-endpoints/{_ENDPOINT_ID}"

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
            EventType.ACCEPTANCE_CREATED,
            _VERIFICATION,
            event_data.DiscrepancyAcceptedData(
                verification_id=_VERIFICATION_ID,
                field="legalName",
                reason_code="discrepancy_explained",
                open_count=0,
                changed_by=_ANALYST,
            ),
            business=_BUSINESS,
            resource=_VERIFICATION_PATH,
        ),
        NewEvent(
            EventType.ACCEPTANCE_REVOKED,
            _VERIFICATION,
            event_data.AcceptanceRevokedData(
                verification_id=_VERIFICATION_ID, field="legalName", open_count=1, changed_by=_ANALYST
            ),
            business=_BUSINESS,
            resource=_VERIFICATION_PATH,
        ),
        NewEvent(
            EventType.MANUAL_CHECK_OPENED,
            _MANUAL_CHECK,
            event_data.ManualCheckOpenedData(
                manual_check_id=_MANUAL_CHECK_ID,
                search_id=None,
                verification_id=_VERIFICATION_ID,
                origin=ManualCheckOrigin.VERIFICATION,
                due_at=_LATER,
                changed_by=_ANALYST,
            ),
            business=_BUSINESS,
            resource=_MANUAL_CHECK_PATH,
        ),
        NewEvent(
            EventType.MANUAL_CHECK_COMPLETED,
            _MANUAL_CHECK,
            event_data.ManualCheckCompletedData(
                manual_check_id=_MANUAL_CHECK_ID,
                search_id=None,
                verification_id=_VERIFICATION_ID,
                found=True,
                status_code=StatusCode.ACTIVE,
                report_id=_REPORT_ID,
                retrieved_at=_EARLIER,
                expires_at=_LATER,
                changed_by=_ANALYST,
            ),
            business=_BUSINESS,
            resource=_MANUAL_CHECK_PATH,
        ),
        NewEvent(
            EventType.MANUAL_CHECK_CANCELLED,
            _MANUAL_CHECK,
            event_data.ManualCheckCancelledData(
                manual_check_id=_MANUAL_CHECK_ID, search_id=None, verification_id=_VERIFICATION_ID, changed_by=_ANALYST
            ),
            business=_BUSINESS,
            resource=_MANUAL_CHECK_PATH,
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
                previous_screening_id=None,
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
            EventType.DISMISSAL_EXPIRED,
            _PARTY,
            event_data.DismissalExpiredData(
                dismissal_id=_DISMISSAL_ID, subject="Northgate Shipping Ltd.", dismissed_by=_ANALYST, until=EXAMPLE_TIME
            ),
            business=_BUSINESS,
            resource=f"/v1/sanctions/dismissals/{_DISMISSAL_ID}",
        ),
        NewEvent(
            EventType.DISMISSAL_REVOKED,
            _PARTY,
            event_data.DismissalRevokedData(
                dismissal_id=_DISMISSAL_ID, subject="Northgate Shipping Ltd.", dismissed_by=_ANALYST, revoked_by=_ANALYST
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
            EventType.CASE_OPENED,
            _CASE,
            event_data.CaseOpenedData(
                case_id=_CASE_ID, number=42, kinds=(CaseItemKind.SANCTIONS_HIT,), priority=CasePriority.HIGH, due_at=_LATER
            ),
            business=_BUSINESS,
            resource=_CASE_PATH,
        ),
        NewEvent(
            EventType.CASE_ASSIGNED,
            _CASE,
            event_data.CaseAssignedData(case_id=_CASE_ID, number=42, assignee=_ANALYST, changed_by=_ANALYST),
            business=_BUSINESS,
            changes=(EventChange(field="assignee", from_=None, to=_ANALYST),),
            resource=_CASE_PATH,
        ),
        NewEvent(
            EventType.CASE_DECIDED,
            _CASE,
            event_data.CaseDecidedData(
                case_id=_CASE_ID,
                number=42,
                outcome=CaseOutcome.APPROVED,
                reason_code="false_positive",
                decided_by=(_ANALYST, "owner@north.example"),
            ),
            business=_BUSINESS,
            changes=(EventChange(field="status", from_="in_second_review", to="decided"),),
            resource=_CASE_PATH,
        ),
        NewEvent(
            EventType.CASE_DUE,
            _CASE,
            event_data.CaseDueData(case_id=_CASE_ID, number=42, due_at=_EARLIER, priority=CasePriority.HIGH, assignee=_ANALYST),
            business=_BUSINESS,
            resource=_CASE_PATH,
        ),
        NewEvent(
            EventType.RISK_BAND_CHANGED,
            _RECORD,
            event_data.RiskBandChangedData(
                band="high",
                previous_band="low",
                points=110,
                version=3,
                previous_version=3,
                is_complete=True,
                rule_ids=("sanctions-hit", "business-new"),
            ),
            business=_BUSINESS,
            changes=(
                EventChange(field="risk.band", from_="low", to="high"),
                EventChange(field="risk.points", from_=10, to=110),
            ),
            resource=f"/v1/businesses/{EXAMPLE_BUSINESS_ID}",
            severity=EventSeverity.HIGH,
        ),
        NewEvent(
            EventType.REPORT_READY,
            _ENTRY,
            event_data.ReportReadyData(report_id=_REPORT_ID),
            source=_REGISTER,
            resource=f"/v1/business-reports/{_REPORT_ID}",
        ),
        NewEvent(
            EventType.PACK_READY,
            EventSubject(kind=EventSubjectKind.PACK, id=_PACK_ID, name=_NAME),
            event_data.PackReadyData(
                pack_id=_PACK_ID,
                from_=None,
                to=None,
                sha256="9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
                size=48213,
            ),
            business=_BUSINESS,
            resource=f"/v1/packs/{_PACK_ID}",
        ),
        NewEvent(
            EventType.BATCH_COMPLETED,
            EventSubject(kind=EventSubjectKind.BATCH, id=_BATCH_ID, name="customers.csv"),
            event_data.BatchCompletedData(batch_id=_BATCH_ID, batch_kind=BatchKind.SCREEN, rows=200_000, failed=12),
            resource=f"/v1/batches/{_BATCH_ID}",
        ),
        NewEvent(
            EventType.BATCH_FAILED,
            EventSubject(kind=EventSubjectKind.BATCH, id=_BATCH_ID, name="customers.csv"),
            event_data.BatchFailedData(batch_id=_BATCH_ID, batch_kind=BatchKind.SCREEN, done=0, problem="The file has no rows."),
            resource=f"/v1/batches/{_BATCH_ID}",
        ),
        NewEvent(
            EventType.REGISTRY_STATUS_CHANGED,
            _ENTRY,
            event_data.RegistryEntryData(
                entry_id=_NUMBER, status_code=StatusCode.DISSOLVED, previous_status_code=StatusCode.ACTIVE
            ),
            business=_BUSINESS,
            changes=(EventChange(field="status", from_="Active", to="Dissolved"),),
            source=_REGISTER,
            resource=_BUSINESS_PATH,
        ),
        NewEvent(
            EventType.REGISTRY_NAME_CHANGED,
            _ENTRY,
            event_data.RegistryEntryData(entry_id=_NUMBER, status_code=StatusCode.ACTIVE, previous_status_code=None),
            business=_BUSINESS,
            changes=(EventChange(field="legalName", from_="Sandbox Bakery Inc.", to="Sandbox Bakeries Inc."),),
            source=_REGISTER,
            resource=_BUSINESS_PATH,
        ),
        NewEvent(
            EventType.REGISTRY_ADDRESS_CHANGED,
            _ENTRY,
            event_data.RegistryEntryData(entry_id=_NUMBER, status_code=StatusCode.ACTIVE, previous_status_code=None),
            business=_BUSINESS,
            changes=(
                EventChange(
                    field="addresses", from_=["100 King St W, Toronto, ON, M5X 1A9"], to=["2 Queen St E, Toronto, ON, M5C 3G7"]
                ),
            ),
            source=_REGISTER,
            resource=_BUSINESS_PATH,
        ),
        NewEvent(
            EventType.REGISTRY_PEOPLE_CHANGED,
            _ENTRY,
            event_data.RegistryEntryData(entry_id=_NUMBER, status_code=StatusCode.ACTIVE, previous_status_code=None),
            business=_BUSINESS,
            changes=(EventChange(field="people", from_=["Margaret Okafor-Lindqvist"], to=["Jordan Sample"]),),
            source=_REGISTER,
            resource=_BUSINESS_PATH,
        ),
        NewEvent(
            EventType.REGISTRY_ENTRY_GONE,
            _ENTRY,
            event_data.RegistryEntryData(entry_id=_NUMBER, status_code=StatusCode.UNKNOWN, previous_status_code=StatusCode.ACTIVE),
            business=_BUSINESS,
            changes=(EventChange(field="status", from_="Active", to=None),),
            source=_REGISTER,
            resource=_BUSINESS_PATH,
        ),
        NewEvent(
            EventType.LICENCE_GRANTED,
            _LICENCE,
            event_data.LicenceData(
                entry_id="CRSA1174932", status="Authorized to Open", status_code=StatusCode.ACTIVE, previous_status_code=None
            ),
            business=_BUSINESS,
            changes=(EventChange(field="status", from_=None, to="Authorized to Open"),),
            source=_REGULATOR,
            resource=_BUSINESS_PATH,
        ),
        NewEvent(
            EventType.LICENCE_CHANGED,
            _LICENCE,
            event_data.LicenceData(
                entry_id="CRSA1174932", status="Authorized to Open", status_code=StatusCode.ACTIVE, previous_status_code=None
            ),
            business=_BUSINESS,
            changes=(EventChange(field="legalName", from_="Sandbox Bakery Inc.", to="Sandbox Bakeries Inc."),),
            source=_REGULATOR,
            resource=_BUSINESS_PATH,
        ),
        NewEvent(
            EventType.LICENCE_LAPSED,
            _LICENCE,
            event_data.LicenceData(
                entry_id="CRSA1174932", status=None, status_code=StatusCode.UNKNOWN, previous_status_code=StatusCode.ACTIVE
            ),
            business=_BUSINESS,
            changes=(EventChange(field="status", from_="Authorized to Open", to=None),),
            source=_REGULATOR,
            resource=_BUSINESS_PATH,
        ),
        NewEvent(
            EventType.WEBSITE_CHANGED,
            EventSubject(kind=EventSubjectKind.WEBSITE, name="bakery.sandbox.example"),
            event_data.WebsiteChangedData(
                url="https://bakery.sandbox.example",
                kinds=(WebsiteChangeKind.OWNER_CHANGED, WebsiteChangeKind.NAME_CHANGED),
                status=WebsiteStatus.SUCCESS,
                failing_since=None,
                is_name_of_record=False,
            ),
            business=_BUSINESS,
            changes=(
                EventChange(field="domainCreatedOn", from_="2004-06-12", to="2026-11-02"),
                EventChange(field="legalName", from_="Sandbox Bakery Inc.", to="Northgate Shipping Limited"),
            ),
            source=EventSource(key="website", as_of=None, retrieved_at=EXAMPLE_TIME),
            resource=f"{_BUSINESS_PATH}/monitoring",
            severity=EventSeverity.HIGH,
        ),
        NewEvent(
            EventType.MONITORING_EVALUATION_OVERDUE,
            _RECORD,
            event_data.EvaluationOverdueData(kind=MonitoringKind.VERIFICATION_AGE, due_at=EXAMPLE_TIME, last_at=_LAST_YEAR),
            business=_BUSINESS,
            resource=f"{_BUSINESS_PATH}/monitoring",
        ),
        NewEvent(
            EventType.WEBHOOK_TEST,
            _ENDPOINT,
            event_data.WebhookTestData(endpoint_id=_ENDPOINT_ID, requested_by=_ANALYST),
            resource=_ENDPOINT_PATH,
        ),
        NewEvent(
            EventType.WEBHOOK_FAILING,
            _ENDPOINT,
            event_data.WebhookFailingData(
                endpoint_id=_ENDPOINT_ID,
                failing_since=_EARLIER,
                disabled_at=_EARLIER + timedelta(days=4),
                last_error=DeliveryError.UNEXPECTED_STATUS,
                last_status=503,
            ),
            resource=_ENDPOINT_PATH,
        ),
        NewEvent(
            EventType.WEBHOOK_DISABLED,
            _ENDPOINT,
            event_data.WebhookDisabledData(endpoint_id=_ENDPOINT_ID, reason=DisabledReason.FAILING, failing_since=_EARLIER),
            resource=_ENDPOINT_PATH,
        ),
        NewEvent(
            EventType.SOURCE_FAILED,
            _LIST_SOURCE,
            _build_condition(LoadProblem.FAILED, SourceErrorCode.TIMEOUT, age_days=2, max_age_days=7),
            changes=(EventChange(field="problem", from_=None, to="failed"),),
            source=_LISTED,
            resource=_COVERAGE_PATH,
        ),
        NewEvent(
            EventType.SOURCE_STALE,
            _LIST_SOURCE,
            _build_condition(LoadProblem.FAILED, None, age_days=10, max_age_days=7),
            changes=(EventChange(field="isStale", from_=False, to=True),),
            source=_OLD_LIST,
            resource=_COVERAGE_PATH,
        ),
        NewEvent(
            EventType.SOURCE_DRIFTED,
            _LIST_SOURCE,
            _build_condition(LoadProblem.DRIFTED, None, age_days=1, max_age_days=7),
            changes=(EventChange(field="problem", from_=None, to="drifted"),),
            source=_LISTED,
            resource=_COVERAGE_PATH,
        ),
        NewEvent(
            EventType.SOURCE_RECOVERED,
            _LIST_SOURCE,
            _build_condition(None, None, age_days=0, max_age_days=7),
            changes=(EventChange(field="problem", from_="failed", to=None), EventChange(field="isStale", from_=True, to=False)),
            source=_LISTED,
            resource=_COVERAGE_PATH,
        ),
        NewEvent(
            EventType.CHANGELOG_BREAKING,
            EventSubject(kind=EventSubjectKind.CHANGELOG_ENTRY),
            event_data.ChangelogEntryData(
                entry_id="9b74c9897bac770ffc029102a200c5de3b1f0d9c8e7a6b5c4d3e2f1a0b9c8d7e",
                released_on=date(2026, 12, 1),
                operations=("POST /v1/example name",),
                deprecated_on=None,
                sunset_on=None,
            ),
            resource=_CHANGELOG_PATH,
        ),
        NewEvent(
            EventType.CHANGELOG_DEPRECATED,
            EventSubject(kind=EventSubjectKind.CHANGELOG_ENTRY),
            event_data.ChangelogEntryData(
                entry_id="3c9d4f2b1a0e8f7d6c5b4a392817f6e5d4c3b2a190f8e7d6c5b4a3928170f6e5",
                released_on=date(2026, 12, 1),
                operations=("GET /v1/example",),
                deprecated_on=date(2026, 12, 1),
                sunset_on=date(2027, 6, 1),
            ),
            resource=_CHANGELOG_PATH,
        ),
        NewEvent(
            EventType.DATA_ERASED,
            EventSubject(kind=EventSubjectKind.ERASURE, id=_ERASURE_ID),
            event_data.DataErasedData(erasure_id=_ERASURE_ID, requested_at=_EARLIER, requested_by=_ANALYST),
        ),
    )
}
"""One event of each type, as it would be recorded."""
