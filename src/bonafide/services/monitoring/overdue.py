"""Report records whose evaluation or verification is overdue, once each.

An evaluation is overdue a day after it was queued, a query of a register or a website when it has not succeeded for twice its
interval, and a verification when it is older than the policy of the record allows.
"""

from datetime import datetime, timedelta
from uuid import UUID

from bonafide.errors import NotFound
from bonafide.model.events.event import EventBusiness, EventSubject, EventSubjectKind, EventType, NewEvent
from bonafide.model.events.event_data import EvaluationOverdueData
from bonafide.model.monitoring.policy import MonitoringKind, MonitoringPolicy
from bonafide.model.records.business_record import BusinessRecord
from bonafide.runtime import Runtime
from bonafide.services.accounts.organizations import read_settings
from bonafide.services.events.recording import record_events
from bonafide.services.records.business_records import lock_record
from bonafide.services.records.watching import NEVER, overrides_verification_age
from bonafide.store.database.engine import Connection
from bonafide.store.monitoring import monitored_records, queries, targets
from bonafide.store.monitoring.monitored_records import VerificationDate
from bonafide.store.monitoring.queries import MonitoredQuery

LONGEST_WAIT = timedelta(days=1)
"""After which a queued evaluation is overdue."""
REPORT_LIMIT = 100
"""Records of an organization that one pass reports; the next pass reports the rest."""


async def report_overdue(runtime: Runtime) -> int:
    """Report the overdue records of all organizations; returns how many."""
    async with runtime.store.read() as connection:
        monitoring = await monitored_records.list_organizations(connection)
    return sum([await _report_organization(runtime, organization_id) for organization_id in monitoring])


async def _report_organization(runtime: Runtime, organization_id: UUID) -> int:
    policy, now = (await read_settings(runtime, organization_id)).monitoring, runtime.clock()
    days = policy.verification_max_age_days
    is_age_watched = policy.watches(MonitoringKind.VERIFICATION_AGE)
    before = now - timedelta(days=days) if is_age_watched and days is not None else None
    async with runtime.store.read() as connection:
        late = await targets.list_late(connection, organization_id, now - LONGEST_WAIT, REPORT_LIMIT)
        unanswered = await queries.list_overdue_records(connection, organization_id, now, REPORT_LIMIT)
        unverified = await monitored_records.list_unverified(connection, organization_id, now, before, REPORT_LIMIT)
    wanted = dict.fromkeys([*late, *unanswered, *unverified])
    return sum([await _report_record(runtime, organization_id, business_id, policy) for business_id in wanted])


async def _report_record(runtime: Runtime, organization_id: UUID, business_id: UUID, policy: MonitoringPolicy) -> bool:
    """Report a record if it is overdue and has not been reported."""
    async with runtime.store.write() as connection:
        try:
            record = await lock_record(connection, organization_id, business_id)
        except NotFound:
            return False
        row = await monitored_records.get(connection, organization_id, business_id)
        if row is None or row.overdue_since is not None:
            return False
        now, own = runtime.clock(), record.monitoring.apply_to(policy)
        waiting_since = await targets.get_oldest(connection, organization_id, business_id)
        unanswered = await queries.find_overdue(connection, organization_id, business_id, now)
        event = _build_event(record, own, waiting_since, unanswered, now)
        if event is None:
            return False
        await monitored_records.set_overdue(connection, organization_id, business_id, now)
        await record_events(connection, organization_id, [event], now, own.min_severity)
    return True


async def is_still_overdue(
    connection: Connection, organization_id: UUID, record: BusinessRecord, policy: MonitoringPolicy, now: datetime
) -> bool:
    """Whether a record that was reported as overdue is overdue by now, for this reason or another."""
    due_at = compute_verification_due(record, policy)
    if due_at is not None and due_at <= now:
        return True
    waiting_since = await targets.get_oldest(connection, organization_id, record.id)
    if waiting_since is not None and waiting_since <= now - LONGEST_WAIT:
        return True
    return await queries.find_overdue(connection, organization_id, record.id, now) is not None


def compute_verification_due(record: BusinessRecord, policy: MonitoringPolicy) -> datetime | None:
    """When the record is to be verified again by the policy that applies to it; None for never."""
    days = policy.verification_max_age_days
    if not policy.watches(MonitoringKind.VERIFICATION_AGE) or days is None:
        return None
    return (record.last_verified_at or record.created_at) + timedelta(days=days)


def apply_verification_policy(record: BusinessRecord, policy: MonitoringPolicy) -> VerificationDate:
    """When the record was verified, and by settings of its own is to be verified again; `policy` is what applies to it."""
    verified_at = record.last_verified_at or record.created_at
    if not overrides_verification_age(record):
        return VerificationDate(verified_at, None)
    due_at = compute_verification_due(record, policy)
    return VerificationDate(verified_at, due_at if due_at is not None else NEVER)


def _build_event(
    record: BusinessRecord,
    policy: MonitoringPolicy,
    waiting_since: datetime | None,
    unanswered: MonitoredQuery | None,
    now: datetime,
) -> NewEvent | None:
    """The event of an overdue record; None if it is not overdue.

    A queued evaluation comes before a query without an answer, and this before a verification.
    """
    due_at = compute_verification_due(record, policy)
    if policy.enabled and waiting_since is not None and waiting_since <= now - LONGEST_WAIT:
        data = EvaluationOverdueData(kind=None, due_at=waiting_since + LONGEST_WAIT, last_at=None)
    elif unanswered is not None and policy.watches(unanswered.kind):
        data = EvaluationOverdueData(kind=unanswered.kind, due_at=unanswered.overdue_at, last_at=unanswered.queried_at)
    elif due_at is not None and due_at <= now:
        data = EvaluationOverdueData(kind=MonitoringKind.VERIFICATION_AGE, due_at=due_at, last_at=record.last_verified_at)
    else:
        return None
    return NewEvent(
        EventType.MONITORING_EVALUATION_OVERDUE,
        EventSubject(
            kind=EventSubjectKind.BUSINESS,
            id=record.id,
            name=record.name,
            jurisdiction=record.jurisdiction,
            registration_number=record.registration_number,
        ),
        data,
        business=EventBusiness.from_record(record),
        resource=f"/v1/businesses/{record.id}/monitoring",
    )
