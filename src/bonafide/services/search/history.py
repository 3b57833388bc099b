"""List, archive and reopen past searches, store the match that a person selects, and find the searches that need a review.

It reads and changes stored documents; it never runs a search.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from uuid import UUID

from bonafide.errors import ApiError, Conflict, NotFound, SearchNotFound
from bonafide.i18n.message import Message
from bonafide.model.accounts.organizations import Principal, Scope
from bonafide.model.base import StoredDocument
from bonafide.model.events.event import NewEvent
from bonafide.model.jurisdiction import Jurisdiction
from bonafide.model.records.business_record import Author, BusinessRecord
from bonafide.model.search.result import (
    CheckErrors,
    HistoryItem,
    MatchSelection,
    Pagination,
    SearchHistory,
    SearchResult,
    SearchStatus,
    SelectionStatus,
)
from bonafide.model.search.selection import MatchChoice
from bonafide.runtime import Runtime
from bonafide.services.events.recording import record_events
from bonafide.services.records.business_records import lock_record
from bonafide.services.results.match_selection import apply_choice, clear_choice, get_jurisdiction
from bonafide.services.results.record_comparison import build_match_updates, refresh_comparisons
from bonafide.services.risk.active_rules import get_active_rules
from bonafide.services.risk.record_rating import record_check
from bonafide.services.risk.result_rating import list_search_facts, rate_result
from bonafide.services.screening.open_hit_keys import build_stored_hits, count_open_hits
from bonafide.services.screening.record_hits import update_open_hits
from bonafide.services.search.execution import UNKNOWN_SEARCH, get_current_status, read_search
from bonafide.services.search.preparation import BY_SELECTION
from bonafide.services.search.search_events import build_selection_event, to_screening_document
from bonafide.services.search.selection_audit import SelectionAuthorship, audit_choice
from bonafide.services.search.selection_screening import screen_selected_match
from bonafide.store.database.engine import Connection
from bonafide.store.records import review_queue, searches
from bonafide.store.records.review_queue import ReviewQueue
from bonafide.store.records.searches import SearchPosition
from bonafide.store.work.pending_key import complete_key

MAX_COUNTED = 1000
"""Larger numbers are not counted exactly."""


@dataclass(frozen=True, slots=True)
class SearchListItem:
    """A search in the console's list, with the person, the result of match selection and the business's jurisdiction.

    `had_hits` is true if there were open sanctions hits when the lists were screened; `open_hits` are those that are open now.
    """

    item: HistoryItem
    searched_by: str
    selection: SelectionStatus | None
    jurisdiction: Jurisdiction | None
    had_hits: bool = False
    open_hits: int = 0


@dataclass(frozen=True, slots=True)
class SearchListPage:
    """A page of searches, newest first, and whether there are newer and older ones."""

    searches: tuple[SearchListItem, ...]
    has_newer: bool
    has_older: bool


@dataclass(frozen=True, slots=True)
class SearchCursor:
    """The position of a page: after this search or, with `is_newer`, before it."""

    search_id: UUID
    is_newer: bool = False


async def list_search_history(
    runtime: Runtime, organization_id: UUID, chosen: searches.HistoryFilter, limit: int, offset: int
) -> SearchHistory:
    """A page of the organization's searches, newest first."""
    async with runtime.store.read_lagging() as connection:
        page = await searches.list_history(connection, organization_id, chosen, limit, offset)
    has_more = offset + len(page.searches) < page.total
    return SearchHistory(
        searches=tuple(_to_history_item(runtime, row) for row in page.searches),
        pagination=Pagination(total=page.total, limit=limit, offset=offset, has_more=has_more),
    )


async def list_past_searches(
    runtime: Runtime, organization_id: UUID, chosen: searches.HistoryFilter, limit: int, cursor: SearchCursor | None = None
) -> SearchListPage:
    """A page for the console, by cursor. The total is not counted, because that takes longer than everything else.

    Without a cursor, or with one at an unknown search, the newest searches.
    """
    async with runtime.store.read_lagging() as connection:
        place = await searches.get_position(connection, organization_id, cursor.search_id) if cursor is not None else None
        if cursor is None or place is None:
            found = await searches.list_newest(connection, organization_id, chosen, limit)
        else:
            turn = searches.list_newer if cursor.is_newer else searches.list_older
            found = await turn(connection, organization_id, chosen, limit, place)
        stored = await searches.list_open_hits(connection, organization_id, found.searches)
        hits = await count_open_hits(connection, organization_id, stored, runtime.clock())
    past = tuple(
        SearchListItem(
            _to_history_item(runtime, row), row.searched_by, row.selection, row.jurisdiction, row.id in hits, hits.get(row.id, 0)
        )
        for row in found.searches
    )
    return SearchListPage(past, found.has_newer, found.has_older)


async def archive_search(runtime: Runtime, organization_id: UUID, search_id: UUID, *, archived: bool) -> HistoryItem:
    """Archive a search, or restore it. Raises `NotFound`."""
    async with runtime.store.write() as connection:
        await searches.set_archived(connection, organization_id, search_id, archived=archived)
        row = await searches.get(connection, organization_id, search_id)
    if row is None:
        raise NotFound(UNKNOWN_SEARCH)
    return _to_history_item(runtime, row)


async def archive_searches(runtime: Runtime, organization_id: UUID, search_ids: Iterable[UUID], *, archived: bool) -> int:
    """Archive several searches, or restore them, all or none; returns how many. Raises `NotFound`."""
    done = 0
    async with runtime.store.write() as connection:
        for search_id in search_ids:
            if not await searches.set_archived(connection, organization_id, search_id, archived=archived):
                raise NotFound(UNKNOWN_SEARCH)
            done += 1
    return done


async def choose_match(
    runtime: Runtime,
    organization_id: UUID,
    search_id: UUID,
    choice: MatchChoice,
    author: Author | None = None,
    caller: Principal | None = None,
) -> MatchSelection:
    """Store a person's choice in the document, and who made it. Raises `SearchNotFound`, `MatchNotFound`, `Conflict`.

    The choice of an author is recorded in the audit log with its note.

    If the search screened sanctions lists, the names and people of the chosen match are screened.

    `Conflict` also means that the search has no result to select from: it is still running, or it failed. The search of a stored
    record is compared with the record again: raises `ScopeMissing` unless the key of the caller may read records.
    """
    decided_at = runtime.clock()
    # Before the transaction, which must be short.
    screened = await screen_selected_match(runtime, organization_id, search_id, choice)

    def change(document: SearchResult) -> SearchResult:
        if caller is not None and document.meta.submitted.business_id is not None:
            caller.check_scope(Scope.BUSINESSES_READ, "businessId")
        chosen = apply_choice(document, choice)
        if screened is None or chosen.sanctions is None:
            return chosen
        return chosen.model_copy(update={"sanctions": screened.apply(chosen.sanctions)})

    made = SelectionAuthorship(author, decided_at, choice.note)
    return await _change_selection(runtime, organization_id, search_id, change, made)


async def reopen_selection(
    runtime: Runtime, organization_id: UUID, search_id: UUID, status: SelectionStatus, author: Author | None = None
) -> MatchSelection:
    """Revert a person's choice to `status`, so that the search can be reviewed again. Raises `SearchNotFound`, `Conflict`."""
    made = SelectionAuthorship(author, runtime.clock(), is_choice=False)
    return await _change_selection(runtime, organization_id, search_id, lambda document: clear_choice(document, status), made)


async def _change_selection(
    runtime: Runtime,
    organization_id: UUID,
    search_id: UUID,
    change: Callable[[SearchResult], SearchResult],
    made: SelectionAuthorship,
) -> MatchSelection:
    """Read and write the document in one transaction that locks its row. The later of two concurrent choices wins."""
    async with runtime.store.write() as connection:
        stored = await searches.lock_document(connection, organization_id, search_id)
        if stored is None:
            raise _explain_missing_document(runtime, await searches.get(connection, organization_id, search_id))
        old = stored.parse(SearchResult)
        changed, record, rated = await _refresh_comparison(runtime, connection, organization_id, change(old))
        selection = changed.match_selection
        assert selection is not None  # noqa: S101 - every change sets it
        assert old.match_selection is not None  # noqa: S101 - every change refuses a search without it
        hits = build_stored_hits(changed)
        decision = searches.SelectionDecision(
            selection.status, *made.decided, get_jurisdiction(changed), hits.open_hits, hits.hit_keys
        )
        await searches.replace_document(connection, organization_id, search_id, changed.to_stored(), decision)
        await complete_key(connection, selection)
        event = build_selection_event(old.match_selection, changed, made.decided[0], record)
        new = [*([event] if event is not None else []), *rated]
        screened = to_screening_document(changed)
        if record is not None and screened is not None and changed.sanctions != old.sanctions:
            new += await update_open_hits(connection, organization_id, record, screened)
        await audit_choice(connection, organization_id, search_id, (old.match_selection, selection), made)
        await record_events(connection, organization_id, new, runtime.clock())
    return selection


def _explain_missing_document(runtime: Runtime, row: searches.StoredSearch | None) -> ApiError:
    """Why a search has no document to change."""
    if row is None:
        return SearchNotFound()
    status = get_current_status(row, runtime.clock())
    if status is SearchStatus.LOADING:
        return Conflict(
            Message(
                "The search is still running (`meta.status` is `{status}`). Select a match after it has finished.", status=status
            )
        )
    return Conflict(Message("The search has no result (`meta.status` is `{status}`). Search again.", status=status))


async def _refresh_comparison(
    runtime: Runtime, connection: Connection, organization_id: UUID, document: SearchResult
) -> tuple[SearchResult, BusinessRecord | None, list[NewEvent]]:
    """The document compared with the selected match and rated, and its record, which is updated if this is its last search.

    Also returns the events of the record's rating.
    """
    business_id = document.meta.submitted.business_id
    if business_id is None:
        rules = await get_active_rules(connection, organization_id)
        return rate_result(rules, refresh_comparisons(document, None), None), None, []
    record = await lock_record(connection, organization_id, business_id)
    rules = await get_active_rules(connection, organization_id)
    compared = rate_result(rules, refresh_comparisons(document, record), record.naics_code)
    rated: list[NewEvent] = []
    if record.last_search_job_id == document.meta.search_id:
        known, checks = build_match_updates(compared), list_search_facts(compared, record.naics_code)
        record, rated = await record_check(connection, organization_id, record.id, known, checks, BY_SELECTION, runtime.clock())
    return compared, record, rated


def _to_history_item(runtime: Runtime, row: searches.StoredSearch) -> HistoryItem:
    return HistoryItem(
        id=row.id,
        query=row.query,
        website=row.website,
        timestamp=row.searched_at,
        status=get_current_status(row, runtime.clock()),
        archived=row.archived,
        errors=StoredDocument.from_text(row.errors).parse(CheckErrors) if row.errors is not None else None,
    )


@dataclass(frozen=True, slots=True)
class ReviewItem:
    """The next search to review: its document, how many are before it in the queue, and its neighbours, if any."""

    search_id: UUID
    document: SearchResult
    before: int
    previous_id: UUID | None
    next_id: UUID | None


async def count_waiting(runtime: Runtime, organization_id: UUID) -> dict[ReviewQueue, int]:
    """How many searches are in each queue; `MAX_COUNTED` means so many or more."""
    async with runtime.store.read_lagging() as connection:
        return {queue: await review_queue.count_waiting(connection, organization_id, queue, MAX_COUNTED) for queue in ReviewQueue}


async def find_review_item(
    runtime: Runtime, organization_id: UUID, queue: ReviewQueue, search_id: UUID | None = None
) -> ReviewItem | None:
    """The given search or, if it is not in the queue, the next one, or otherwise the first; None if the queue is empty.

    Raises `NotFound` for a search that is not the organization's.
    """
    async with runtime.store.read() as connection:
        place = await _find_position(connection, organization_id, queue, search_id)
        if place is None:
            return None
        previous_id = await review_queue.find_previous(connection, organization_id, queue, place)
        next_id = await review_queue.find_next(connection, organization_id, queue, place)
        before = await review_queue.count_before(connection, organization_id, queue, place)
    document = await read_search(runtime, organization_id, place.id)
    return ReviewItem(place.id, document.parse(SearchResult), before, previous_id, next_id)


async def read_decided_search(runtime: Runtime, organization_id: UUID, search_id: UUID) -> searches.StoredSearch | None:
    """The search after a decision; None if it is not the organization's."""
    async with runtime.store.read() as connection:
        return await searches.get(connection, organization_id, search_id)


async def _find_position(
    connection: Connection, organization_id: UUID, queue: ReviewQueue, search_id: UUID | None
) -> SearchPosition | None:
    if search_id is None:
        return await review_queue.find_first_from(connection, organization_id, queue)
    named = await searches.get_position(connection, organization_id, search_id)
    if named is None:
        raise NotFound(UNKNOWN_SEARCH)
    place = await review_queue.find_first_from(connection, organization_id, queue, named)
    return place if place is not None else await review_queue.find_first_from(connection, organization_id, queue)
