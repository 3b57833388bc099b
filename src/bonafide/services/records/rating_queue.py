"""Queue the rating of business records, in the transaction of a change that affects it without being a check of its own.

A change of ownership and a dismissal are such changes. Each cause has a job of its own, so that one that is queued while an earlier
job runs is not lost. Without active risk rules nothing is queued.
"""

from datetime import datetime
from uuid import UUID, uuid4

from bonafide.services.jobs.queue import JobContext
from bonafide.store.database.engine import Connection
from bonafide.store.risk import risk_rules
from bonafide.store.work import jobs

RATING_JOB = "risk.rate"
"""Rates a record again, or selects the records with hits to be rated again."""
MAX_ATTEMPTS = 5
_RECORD, _HITS = "record", "hits"


async def queue_rating(connection: Connection, organization_id: UUID, business_id: UUID, now: datetime) -> None:
    """Queue the rating of a record."""
    if await risk_rules.get_active_document(connection, organization_id) is not None:
        await _enqueue(connection, organization_id, f"{_RECORD}/{business_id}", now)


async def queue_ratings_of_dismissal(
    connection: Connection, organization_id: UUID, business_id: UUID | None, now: datetime
) -> None:
    """Queue the rating of the record that a dismissal is limited to, or else of every record with hits."""
    if business_id is not None:
        await queue_rating(connection, organization_id, business_id, now)
    elif await risk_rules.get_active_document(connection, organization_id) is not None:
        await queue_selection(connection, organization_id, None, now)


async def queue_selection(connection: Connection, organization_id: UUID, after: UUID | None, now: datetime) -> None:
    """Queue the selection of records with hits, in the order of their IDs, after this one."""
    await _enqueue(connection, organization_id, f"{_HITS}/{after if after is not None else ''}", now)


def parse_rated_record(key: str) -> UUID | None:
    """The record of a job; None for a job that selects records."""
    kind, value, _ = key.split("/")
    return UUID(value) if kind == _RECORD else None


def parse_selection_start(key: str) -> UUID | None:
    """The record after which a job selects records; None for the first ones."""
    value = key.split("/")[1]
    return UUID(value) if value else None


async def _enqueue(connection: Connection, organization_id: UUID, name: str, now: datetime) -> None:
    job = jobs.NewJob(RATING_JOB, f"{name}/{uuid4().hex}", JobContext.current().to_json(), now, MAX_ATTEMPTS)
    await jobs.enqueue(connection, organization_id, job)
