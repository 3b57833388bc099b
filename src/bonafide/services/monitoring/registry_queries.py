"""Queries of registers that are not loaded, and the comparison of their responses with the stored entries."""

from dataclasses import dataclass
from datetime import timedelta

from bonafide.errors import InvalidInput, SourceAuthFailed, SourceError, SourceRateLimited, SourceTimeout, SourceUnavailable
from bonafide.i18n.message import Message
from bonafide.model.entry import RegistryEntry
from bonafide.model.events.event import EventSource, NewEvent
from bonafide.model.monitoring.entry_snapshots import EntrySnapshot
from bonafide.runtime import Runtime
from bonafide.services.lookup.live_query import LiveQueryFailed, LiveResponse
from bonafide.services.lookup.registration_lookup import query_register, simulate_failure
from bonafide.services.monitoring.entry_evaluation import align_with_origin, parse_snapshot
from bonafide.services.monitoring.entry_events import ComparedEntry, build_registry_events
from bonafide.services.monitoring.query_handling import QueryFailed, QueryOutcome, QueryRequest, StoredQuery
from bonafide.services.monitoring.query_planning import find_query_blocker, get_register_interval
from bonafide.sources.framework.discovery import Source
from bonafide.sources.framework.live import RegistrationQuery
from bonafide.store.database.engine import Connection
from bonafide.store.monitoring import monitored_records
from bonafide.store.monitoring.monitored_records import MonitoredEntry

SOURCE_PAUSE = timedelta(minutes=1)
"""How long a register that does not respond is not queried, unless it states a longer time."""
_OF_THE_SOURCE = (SourceRateLimited, SourceTimeout, SourceUnavailable, SourceAuthFailed)
"""Failures that the next query would have too."""


@dataclass(frozen=True, slots=True)
class RegisterAnswer:
    """The response of a register about one number, to be compared with the entry as it was before."""

    source: Source
    interval: timedelta
    response: LiveResponse[RegistryEntry | None]

    @property
    def requests(self) -> int:
        """The number of requests that were sent."""
        return len(self.response.answers)

    async def store(self, connection: Connection, stored: StoredQuery) -> QueryOutcome:
        """Store the entry, and return the events of what has changed. The first response is a beginning, not a change."""
        query, response = stored.query, self.response
        known = await monitored_records.list_entries(connection, stored.organization_id, stored.record.id)
        row = next((one for one in known if (one.source, one.number) == (query.source, query.target)), None)
        after = EntrySnapshot.from_registry_entry(response.value) if response.value is not None else None
        before = parse_snapshot(row)
        if row is not None and row.content_hash is not None:
            before = align_with_origin(before, after)
        as_of = response.responded_at.date()
        origin = EventSource(key=query.source, as_of=as_of, retrieved_at=response.responded_at)
        events: list[NewEvent] = []
        if before is not None:
            events += build_registry_events(ComparedEntry(origin, before, after), stored.record)
        snapshot = after.to_json() if after is not None else None
        entry = MonitoredEntry(query.source, query.target, None, snapshot, as_of, response.responded_at)
        await monitored_records.put_entry(connection, stored.organization_id, stored.record.id, entry)
        return QueryOutcome(events, self.interval, as_of, problem=self._explain_missing(query.target) if not events else None)

    def _explain_missing(self, number: str) -> Message | None:
        """Why there is nothing to compare; None if the register has an entry."""
        if self.response.value is not None:
            return None
        title = self.source.metadata.title
        return Message("{source} has no registration with the number {number}.", source=title, number=number)


async def query_monitored_register(runtime: Runtime, request: QueryRequest) -> RegisterAnswer:
    """Query the register for the number of the query. Raises `QueryFailed`: nothing is known about the entry then."""
    world, query, interval = request.organization.world, request.query, get_register_interval(runtime.settings)
    source = runtime.sources.get(query.source)
    if source is None or source.metadata.jurisdiction is None:
        raise QueryFailed(Message("The source does not exist any more."), retry_after=interval, requests=0)
    blocker = find_query_blocker(runtime, world, source)
    if blocker is not None:
        raise QueryFailed(blocker, retry_after=interval, requests=0)
    registration = RegistrationQuery(source.metadata.jurisdiction, query.target)
    try:
        simulate_failure(runtime, world, registration)
        response = await query_register(runtime, world, source, registration)
    except LiveQueryFailed as failure:
        raise _build_failure(failure.error, len(failure.answers), interval) from failure
    except SourceError as error:
        raise QueryFailed(error.message) from error
    return RegisterAnswer(source, interval, response)


def _build_failure(error: SourceError, answers: int, interval: timedelta) -> QueryFailed:
    if isinstance(error, InvalidInput):
        return QueryFailed(error.message, retry_after=interval, requests=answers)
    pause = None
    if isinstance(error, _OF_THE_SOURCE):
        stated = timedelta(seconds=error.retry_after_s) if error.retry_after_s is not None else SOURCE_PAUSE
        pause = max(stated, SOURCE_PAUSE) if not isinstance(error, SourceRateLimited) else stated
    return QueryFailed(error.message, source_pause=pause, requests=answers + 1)
