"""Every statement of a request or a chore finds its rows through an index.

Asked of SQLite, whose plans do not depend on how full the tables are.
"""

from collections.abc import Awaitable, Callable
from dataclasses import fields
from datetime import timedelta
from functools import partial
from typing import Any
from uuid import uuid4

import pytest
from sqlalchemy import event
from sqlalchemy.ext.asyncio import AsyncConnection

from bonafide.model.base import StoredDocument
from bonafide.model.cases.case import CaseStatus
from bonafide.model.events.event import AlertStatus, EventSeverity, EventType
from bonafide.model.jurisdiction import Jurisdiction
from bonafide.model.lists.bulk_actions import BulkItemStatus
from bonafide.model.lists.saved_views import ListName
from bonafide.model.records.business_record import FeedPosition
from bonafide.model.screening.history import ScreeningOutcome
from bonafide.model.search.result import SearchStatus, SelectionStatus
from bonafide.model.verification.results import ResultStatus
from bonafide.model.webhooks import DeliveryStatus
from bonafide.store.cases import case_parts, case_queue
from bonafide.store.cases.case_queue import CaseOrder, QueuePart, QueuePosition
from bonafide.store.cases.cases import CaseFilter
from bonafide.store.database.engine import Store
from bonafide.store.database.tables import JobState, metadata
from bonafide.store.lists import bulk_actions, find, saved_views
from bonafide.store.overview.daily_counts import count_daily
from bonafide.store.overview.open_work import count_open_work
from bonafide.store.records import (
    businesses,
    dismissals,
    events,
    open_hits,
    registry_lookups,
    review_queue,
    screenings,
    searches,
    verifications,
)
from bonafide.store.records.businesses import RecordFilter
from bonafide.store.records.dismissals import DismissalFilter
from bonafide.store.records.events import EventFilter
from bonafide.store.records.registry_lookups import RegistrationKey
from bonafide.store.records.review_queue import ReviewQueue
from bonafide.store.records.screenings import ScreeningFilter, ScreeningPosition
from bonafide.store.records.searches import HistoryFilter, StoredSearch
from bonafide.store.records.verifications import VerificationFilter
from bonafide.store.tenants import api_keys
from bonafide.store.work import idempotency, jobs, webhook_deliveries
from bonafide.store.work.jobs import Job
from tests.support.store.query_plans import is_scan
from tests.support.store.rows import MINUTE, NOW, attempt, completed

pytestmark = pytest.mark.anyio


@pytest.mark.parametrize(
    ("table", "stored", "unread"),
    [
        ("searches", searches.StoredSearch, searches.UNREAD),
        ("verifications", verifications.StoredVerification, verifications.UNREAD),
        ("businesses", businesses.StoredBusiness, businesses.UNREAD),
        ("screenings", screenings.ScreeningRow, screenings.UNREAD),
        ("events", events.StoredEvent, events.UNREAD),
    ],
)
def test_each_column_is_read_or_left_out_on_purpose(table: str, stored: type[Any], unread: frozenset[str]) -> None:
    """What a list reads costs each of its rows. docs/howto/add-a-column.md says how to decide."""
    read = {field.name for field in fields(stored)}
    if stored is events.StoredEvent:
        read -= {"is_alert", "acknowledged_at", "acknowledged_by", "note"}  # of the table of alerts
    assert read.isdisjoint(unread)
    assert {column.name for column in metadata.tables[table].c} == read | unread, f"decide in store/records/{table}.py"


ORGANIZATION, ID = uuid4(), uuid4()
ENDPOINT = webhook_deliveries.EndpointReference(ORGANIZATION, ID)
JOB = Job(ORGANIZATION, ID, "search", "one", "{}", JobState.RUNNING, NOW, 1, 3, "worker", None, None)
REGISTRATION = RegistrationKey(Jurisdiction.ON, "1000017")
RESERVED = idempotency.ReservedKey(attempt(), ID)

SCREENED = ScreeningPosition(NOW, ID)
EVERY_SCREENING_FILTER = ScreeningFilter("a", ScreeningOutcome.HITS, None, NOW - MINUTE, NOW + MINUTE)
PLACE = searches.SearchPosition(NOW, ID)
SEARCH = StoredSearch(
    organization_id=ORGANIZATION,
    id=ID,
    query="a",
    website=None,
    request="{}",
    status=SearchStatus.COMPLETED,
    archived=False,
    searched_at=NOW,
    searched_by="ann",
    deadline_at=NOW,
    finished_at=NOW,
    errors=None,
    selection=None,
    jurisdiction=None,
)
EVERY_FILTER = HistoryFilter(
    "a", archived=False, status=SearchStatus.COMPLETED, jurisdiction=Jurisdiction.ON, since=NOW - MINUTE, until=NOW + MINUTE
)
QUEUE_STATEMENTS: dict[str, Callable[..., Awaitable[object]]] = {
    "count": lambda connection, queue: review_queue.count_waiting(connection, ORGANIZATION, queue, 100),
    "count before": lambda connection, queue: review_queue.count_before(connection, ORGANIZATION, queue, PLACE),
    "first": lambda connection, queue: review_queue.find_first_from(connection, ORGANIZATION, queue),
    "first from": lambda connection, queue: review_queue.find_first_from(connection, ORGANIZATION, queue, PLACE),
    "next": lambda connection, queue: review_queue.find_next(connection, ORGANIZATION, queue, PLACE),
    "last": lambda connection, queue: review_queue.find_previous(connection, ORGANIZATION, queue, PLACE),
}
CASES = {
    "undecided cases": CaseFilter(is_undecided=True),
    "cases": CaseFilter(),
    "decided cases": CaseFilter(CaseStatus.DECIDED),
}


def create_queue_reading(chosen: CaseFilter, order: CaseOrder) -> Callable[[AsyncConnection], Awaitable[object]]:
    """Read a part of the queue of cases."""
    part = QueuePart(QueuePosition(NOW, 7), 25)
    return lambda connection: case_queue.list_queue(connection, ORGANIZATION, chosen, order, part)


STATEMENTS: dict[str, Callable[[AsyncConnection], Awaitable[object]]] = {
    "key by digest": lambda connection: api_keys.get_by_digest(connection, "digest"),
    "touch": lambda connection: api_keys.touch(connection, ORGANIZATION, ID, NOW),
    "search": lambda connection: searches.get(connection, ORGANIZATION, ID),
    "document": lambda connection: searches.get_document(connection, ORGANIZATION, ID),
    "finish": lambda connection: searches.finish(connection, ORGANIZATION, ID, completed()),
    "event": lambda connection: events.get(connection, ORGANIZATION, ID),
    "events": lambda connection: events.list_after(connection, ORGANIZATION, EventFilter(), 7, 25),
    "events of types": lambda connection: events.list_after(connection, ORGANIZATION, EventFilter(frozenset(EventType)), 7, 25),
    "events of a business": lambda connection: events.list_after(connection, ORGANIZATION, EventFilter(business_id=ID), 7, 25),
    "events since": lambda connection: events.find_position_after(connection, ORGANIZATION, NOW),
    "newest events": lambda connection: events.list_before(connection, ORGANIZATION, EventFilter(), None, 25),
    "older events": lambda connection: events.list_before(connection, ORGANIZATION, EventFilter(), 7, 25),
    "older events of a type": lambda connection: events.list_before(
        connection, ORGANIZATION, EventFilter(frozenset({EventType.REPORT_READY})), 7, 25
    ),
    "older severe events": lambda connection: events.list_before(
        connection, ORGANIZATION, EventFilter(min_severity=EventSeverity.HIGH), 7, 25
    ),
    "older severe events of a business": lambda connection: events.list_before(
        connection, ORGANIZATION, EventFilter(business_id=ID, min_severity=EventSeverity.HIGH), 7, 25
    ),
    "last event": lambda connection: events.get_last_position(connection, ORGANIZATION),
    "events to deliver": lambda connection: webhook_deliveries.list_event_keys(connection, ORGANIZATION, 7, 500),
    "endpoints": lambda connection: webhook_deliveries.get_endpoints(connection, [ENDPOINT]),
    "leased endpoint": lambda connection: webhook_deliveries.get_leased(connection, ENDPOINT, "worker"),
    "due deliveries": lambda connection: webhook_deliveries.list_due(connection, ENDPOINT, NOW, 100),
    "release an endpoint": lambda connection: webhook_deliveries.release_endpoint(connection, ENDPOINT, "worker", NOW),
    "deliveries": lambda connection: webhook_deliveries.list_after(connection, ORGANIZATION, ID, None, 7, 25),
    "older failed deliveries": lambda connection: webhook_deliveries.list_before(
        connection, ORGANIZATION, ID, DeliveryStatus.FAILED, 7, 25
    ),
    "purge deliveries": lambda connection: webhook_deliveries.purge_finished(connection, NOW, 1000),
    "history": lambda connection: searches.list_history(connection, ORGANIZATION, HistoryFilter(), 25, 0),
    "filtered history": lambda connection: searches.list_history(
        connection, ORGANIZATION, HistoryFilter("a", archived=True), 25, 50
    ),
    "history by outcome": lambda connection: searches.list_history(
        connection, ORGANIZATION, HistoryFilter(status=SearchStatus.ERROR, selection=SelectionStatus.SELECTED), 25, 50
    ),
    "newest": lambda connection: searches.list_newest(connection, ORGANIZATION, EVERY_FILTER, 25),
    "older": lambda connection: searches.list_older(connection, ORGANIZATION, EVERY_FILTER, 25, PLACE),
    "newer": lambda connection: searches.list_newer(connection, ORGANIZATION, EVERY_FILTER, 25, PLACE),
    "place in a queue": lambda connection: searches.get_position(connection, ORGANIZATION, ID),
    **{f"{queue}: {name}": partial(ask, queue=queue) for queue in ReviewQueue for name, ask in QUEUE_STATEMENTS.items()},
    "screening": lambda connection: screenings.get_document(connection, ORGANIZATION, ID),
    "screenings": lambda connection: screenings.list_older(connection, ORGANIZATION, EVERY_SCREENING_FILTER, 25, SCREENED),
    "screenings of a business": lambda connection: screenings.list_older(
        connection, ORGANIZATION, ScreeningFilter(business_id=ID), 25, SCREENED
    ),
    "overdue searches": lambda connection: searches.expire_overdue(connection, NOW, "{}"),
    "complete a reservation": lambda connection: idempotency.complete(
        connection, ORGANIZATION, RESERVED, idempotency.StoredResponse(200, {}, b""), NOW
    ),
    "purge reservations": lambda connection: idempotency.purge_expired(connection, NOW),
    "claim": lambda connection: jobs.claim(connection, "worker", NOW, MINUTE, ["search", "verify"]),
    "next due job": lambda connection: connection.execute(jobs.build_next_due_query(["search", "verify"]), {"until": NOW}),
    "heartbeat": lambda connection: jobs.heartbeat(connection, JOB, NOW, MINUTE),
    "bury": lambda connection: jobs.dead_letter_exhausted(connection, NOW),
    "verification": lambda connection: verifications.get(connection, ORGANIZATION, ID),
    "verifications": lambda connection: verifications.list_older(connection, ORGANIZATION, 25),
    "older verifications": lambda connection: verifications.list_older(
        connection, ORGANIZATION, 25, VerificationFilter("a", outcome=ResultStatus.VERIFIED), FeedPosition(NOW, ID)
    ),
    "searches of a person": lambda connection: searches.list_newest(connection, ORGANIZATION, HistoryFilter(searched_by="ann"), 25),
    "searches with open hits": lambda connection: searches.list_newest(
        connection, ORGANIZATION, HistoryFilter(archived=False, has_open_hits=True), 25
    ),
    "open hits of a page": lambda connection: searches.list_open_hits(connection, ORGANIZATION, [SEARCH]),
    "screenings of a person": lambda connection: screenings.list_older(
        connection, ORGANIZATION, ScreeningFilter(screened_by="ann"), 25, SCREENED
    ),
    "dismissals": lambda connection: dismissals.list_older(
        connection, ORGANIZATION, DismissalFilter(active=True, source="un", now=NOW, text="a"), 25, FeedPosition(NOW, ID)
    ),
    "dismissals of subjects": lambda connection: dismissals.list_for_subjects(connection, ORGANIZATION, ["a"], NOW),
    "records": lambda connection: businesses.list_page(
        connection, ORGANIZATION, RecordFilter("a", archived=False, jurisdiction=Jurisdiction.ON), 25, FeedPosition(NOW, ID)
    ),
    "found searches": lambda connection: find.find_searches(connection, ORGANIZATION, "a", 5),
    "found verifications": lambda connection: find.find_verifications(connection, ORGANIZATION, "a", 5),
    "saved views": lambda connection: saved_views.list_for_user(connection, ORGANIZATION, ListName.SEARCHES, ID),
    "purge bulk actions": lambda connection: bulk_actions.purge_finished(connection, NOW, 20),
    "items of a bulk action": lambda connection: bulk_actions.list_items(connection, ORGANIZATION, ID, 20, BulkItemStatus.QUEUED),
    "complete a verification": lambda connection: verifications.complete(
        connection, ORGANIZATION, ID, verifications.CompletedVerification(StoredDocument("{}"), ResultStatus.VERIFIED), NOW
    ),
    "overdue verifications": lambda connection: verifications.list_overdue(connection, NOW, 100),
    "expired dismissals": lambda connection: dismissals.list_due_expiries(connection, NOW, 100),
    "open work": lambda connection: count_open_work(connection, ORGANIZATION, "ann@north.example", 100),
    **{
        f"{name} in the order {order}": create_queue_reading(chosen, order) for name, chosen in CASES.items() for order in CaseOrder
    },
    "open items of a case": lambda connection: case_parts.count_open_items(connection, ORGANIZATION, [ID]),
    "open alerts": lambda connection: events.list_before(connection, ORGANIZATION, EventFilter(alerts=AlertStatus.OPEN), 7, 25),
    "daily counts": lambda connection: count_daily(connection, ORGANIZATION, [NOW - MINUTE, NOW, NOW + MINUTE]),
    "open hits": lambda connection: open_hits.list_hits(connection, ORGANIZATION, ID),
    "fetch": lambda connection: registry_lookups.get_lock(connection, ORGANIZATION, REGISTRATION),
    "end a fetch": lambda connection: registry_lookups.complete_lookup(connection, ORGANIZATION, REGISTRATION, ID, NOW, None),
    "purge fetches": lambda connection: registry_lookups.purge_locks(connection, NOW),
    "purge jobs": lambda connection: jobs.purge_finished(connection, NOW - timedelta(days=7)),
}


@pytest.mark.parametrize("name", STATEMENTS)
async def test_rows_are_found_in_order_through_an_index(sqlite_store: Store, name: str) -> None:
    plan = await explain(sqlite_store, STATEMENTS[name])
    assert plan
    assert not [step for step in plan if "TEMP B-TREE" in step or is_scan(step)]


@pytest.mark.parametrize("lowest", [EventSeverity.LOW, EventSeverity.MEDIUM, EventSeverity.HIGH, EventSeverity.CRITICAL])
async def test_events_of_a_severity_have_an_index_of_their_own(sqlite_store: Store, lowest: EventSeverity) -> None:
    chosen = EventFilter(min_severity=lowest)
    plan = await explain(sqlite_store, lambda connection: events.list_before(connection, ORGANIZATION, chosen, None, 25))
    assert f"ix_events_at_least_{lowest} " in plan[0]


async def explain(store: Store, run: Callable[[AsyncConnection], Awaitable[object]]) -> list[str]:
    """The steps of the plans of all statements that a function executes."""
    executed: list[tuple[str, Any]] = []
    async with store.write() as connection:

        @event.listens_for(connection.sync_connection, "before_cursor_execute")
        def _note(*details: Any) -> None:
            executed.append((details[2], details[3]))

        await run(connection)
        return [
            row.detail
            for statement, parameters in list(executed)
            for row in await connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {statement}", parameters)
        ]
