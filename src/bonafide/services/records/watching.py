"""Note what is watched of a monitored record, in the transaction that changes the record, and queue its evaluation."""

from datetime import UTC, datetime, timedelta
from uuid import UUID

from bonafide.model.records.business_record import BusinessRecord
from bonafide.services.jobs.queue import JobContext
from bonafide.store.database.engine import Connection
from bonafide.store.monitoring import monitored_records, targets
from bonafide.store.monitoring.monitored_records import VerificationDate
from bonafide.store.work import jobs

EVALUATION_JOB = "monitoring.evaluate"
"""Evaluates the queued records of an organization. One job of an organization is live at a time."""
EVALUATION_KEY = "records"
MAX_ATTEMPTS = 5
NEVER = datetime(5000, 1, 1, tzinfo=UTC)
"""When a verification is due whose age is not watched."""
_WATCHED = (
    "name",
    "operating_names",
    "people",
    "jurisdiction",
    "registration_number",
    "registrations",
    "business_number",
    "website",
    "monitoring",
)
"""The fields of a record that its evaluation depends on."""


def is_watched(record: BusinessRecord) -> bool:
    """Whether a record is monitored by its own switches."""
    return record.is_monitored and not record.is_archived and record.monitoring.enabled is not False


async def update_watch(
    connection: Connection, organization_id: UUID, old: BusinessRecord | None, new: BusinessRecord, now: datetime
) -> None:
    """Begin, change or end the monitoring of a record that is changed in this transaction."""
    was_watched = old is not None and is_watched(old)
    if not is_watched(new):
        if was_watched:
            await monitored_records.unwatch(connection, organization_id, new.id)
        return
    if old is None or not was_watched or any(getattr(old, field) != getattr(new, field) for field in _WATCHED):
        await monitored_records.watch(connection, organization_id, new.id, now, compute_verification_date(new))
        await queue_evaluation(connection, organization_id, new.id, now)
    elif old.last_verified_at != new.last_verified_at:
        await monitored_records.set_verified(connection, organization_id, new.id, compute_verification_date(new))
        if overrides_verification_age(new):
            # The next verification is due by the organization's policy too, which the evaluation applies.
            await queue_evaluation(connection, organization_id, new.id, now)


def overrides_verification_age(record: BusinessRecord) -> bool:
    """Whether the record has settings of its own about the age of its verification."""
    own = record.monitoring
    return own.kinds.verification_age is not None or own.verification_max_age_days is not None


def compute_verification_date(record: BusinessRecord) -> VerificationDate:
    """When the record was verified and, by a limit of its own, is to be verified again."""
    verified_at, days = record.last_verified_at or record.created_at, record.monitoring.verification_max_age_days
    if record.monitoring.kinds.verification_age is False:
        return VerificationDate(verified_at, NEVER)
    return VerificationDate(verified_at, verified_at + timedelta(days=days) if days is not None else None)


async def note_change(connection: Connection, organization_id: UUID, business_id: UUID, now: datetime) -> None:
    """Queue the evaluation of a record if it is monitored: something that is watched of it has changed, such as its owners."""
    if await monitored_records.mark_changed(connection, organization_id, business_id, now):
        await queue_evaluation(connection, organization_id, business_id, now)


async def queue_evaluation(connection: Connection, organization_id: UUID, business_id: UUID, now: datetime) -> None:
    """Queue the evaluation of a monitored record, and a job for it."""
    await targets.queue(connection, organization_id, [business_id], targets.NO_RUN, now)
    await enqueue_evaluation(connection, organization_id, now)


async def enqueue_evaluation(connection: Connection, organization_id: UUID, now: datetime) -> None:
    """Enqueue the job that evaluates the queued records of an organization, unless it is live already."""
    job = jobs.NewJob(EVALUATION_JOB, EVALUATION_KEY, JobContext.current().to_json(), now, MAX_ATTEMPTS)
    await jobs.enqueue(connection, organization_id, job)
