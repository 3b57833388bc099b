"""What the kinds of repeated queries have in common: the request to a handler, its answer, and its failure."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Protocol
from uuid import UUID

from bonafide.i18n.message import Message
from bonafide.model.accounts.organizations import Organization
from bonafide.model.events.event import NewEvent
from bonafide.model.monitoring.policy import MonitoringPolicy
from bonafide.model.records.business_record import BusinessRecord
from bonafide.runtime import Runtime
from bonafide.store.database.engine import Connection
from bonafide.store.monitoring.queries import MonitoredQuery


@dataclass(frozen=True, slots=True)
class QueryRequest:
    """A claimed query, and the organization that monitors the record."""

    organization: Organization
    query: MonitoredQuery


@dataclass(frozen=True, slots=True)
class StoredQuery:
    """The state with which an answer is compared, as it is in the transaction that stores the answer.

    The caller holds the record's lock and the row of the query.
    """

    organization_id: UUID
    record: BusinessRecord
    policy: MonitoringPolicy
    query: MonitoredQuery
    now: datetime


@dataclass(frozen=True, slots=True)
class QueryOutcome:
    """What an answer has changed, what the next one is compared with, and when the query is repeated.

    `problem` is the reason why the answer could not be compared, None if it was. With one, the record is not evaluated, as after a
    failure.
    """

    events: Sequence[NewEvent]
    interval: timedelta
    as_of: date | None
    snapshot: str | None = None
    problem: Message | None = None


class QueryAnswer(Protocol):
    """The answer to a query."""

    @property
    def requests(self) -> int:
        """The number of requests that were sent, which count towards the rate of the source."""

    async def store(self, connection: Connection, stored: StoredQuery) -> QueryOutcome:
        """Compare the answer with the stored state, in the transaction that records the events."""


class QueryHandler(Protocol):
    """Sends the queries of one kind."""

    async def __call__(self, runtime: Runtime, request: QueryRequest) -> QueryAnswer:
        """Send a query, outside of any transaction. Raises `QueryFailed`."""


class QueryFailed(Exception):
    """A query failed. It is repeated after `retry_after`, or else after a pause that grows with each failure in a row.

    `source_pause` is how long no other query is sent to the source, and `requests` the number of requests that were sent.
    """

    def __init__(
        self,
        problem: Message,
        *,
        retry_after: timedelta | None = None,
        source_pause: timedelta | None = None,
        requests: int = 1,
    ) -> None:
        super().__init__(problem)
        self.problem = problem
        self.retry_after = retry_after
        self.source_pause = source_pause
        self.requests = requests
