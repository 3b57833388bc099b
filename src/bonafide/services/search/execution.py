"""Create, run, read and expire searches.

A search stores its row in one short transaction before the lookups and its result in another one after them. A search of a stored
record also updates the record in the second one. No transaction is open during a lookup.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from bonafide.concurrency.deadline import Deadline
from bonafide.concurrency.executors import run_cpu_bound
from bonafide.errors import NotFound
from bonafide.i18n.message import Message
from bonafide.model.accounts.organizations import Principal, World
from bonafide.model.base import StoredDocument
from bonafide.model.query import SearchRequest
from bonafide.model.records.business_record import BusinessRecord
from bonafide.model.search.result import CheckErrors, SearchMeta, SearchResult, SearchStatus, Submitted
from bonafide.runtime import Runtime
from bonafide.services.events.recording import plan_events, record_events
from bonafide.services.jobs.queue import JobContext, check_backlog
from bonafide.services.lookup.source_result import ignore_progress
from bonafide.services.records.business_records import load_record
from bonafide.services.reports.signed_urls import renew_signed_urls
from bonafide.services.results.match_selection import get_jurisdiction
from bonafide.services.results.record_comparison import build_record_updates
from bonafide.services.risk.active_rules import get_active_rules
from bonafide.services.risk.record_rating import CheckFacts, record_check
from bonafide.services.risk.result_rating import list_search_facts, rate_result, read_ownership_facts
from bonafide.services.screening.open_hit_keys import build_stored_hits
from bonafide.services.screening.record_hits import update_open_hits
from bonafide.services.screening.subject_screening import classify_outcome
from bonafide.services.search.checks import OnSearchProgress, perform_search
from bonafide.services.search.preparation import BY_SEARCH, PreparedSearch, prepare_search, restore_prepared_search
from bonafide.services.search.result_building import TIMEOUT_ERROR, build_meta, build_unfinished_result, find_warnings
from bonafide.services.search.search_events import build_completion_event, to_screening_document
from bonafide.services.search.unsearched_registers import find_needed_check, open_needed_check
from bonafide.store.database.engine import Connection
from bonafide.store.records import searches
from bonafide.store.work import jobs
from bonafide.store.work.pending_key import bind_key, complete_key, is_key_pending, resume_bound

SEARCH_JOB = "search"
UNKNOWN_SEARCH = Message("We couldn’t find that search.")
MAX_ATTEMPTS = 3
"""Attempts of a queued search whose worker dies."""
ASSEMBLY_RESERVE_S = 1.0
"""Seconds before its deadline at which a search stops waiting for sources, to match, build and store the result."""


@dataclass(frozen=True, slots=True)
class SearchReply:
    """The stored document; its status is `loading` until the search has run."""

    search_id: UUID
    document: StoredDocument
    loading: bool


@dataclass(frozen=True, slots=True)
class SearchDetail:
    """A search as a person reads it: its result, whether it is archived, and who selected its match, and when."""

    result: SearchResult
    archived: bool
    decided_by: str | None
    decided_at: datetime | None


# ------------------------------------------------------------------------------------------------------------ create and run


async def create_search(
    runtime: Runtime, principal: Principal, request: SearchRequest, *, respond_async: bool, waited_s: float = 0.0
) -> SearchReply:
    """Run a search and store it; with `respond_async`, store it as loading for a worker to run.

    The deadline counts from the arrival of the request, `waited_s` ago. A search whose caller disconnects is still finished and
    stored. A repeated request whose first attempt was interrupted continues the search of that attempt. Raises `NotFound` for an
    unknown business reference, and `ValidationFailed` for references to different records and for a request without a name, unless
    its record has one.
    """
    interrupted = resume_bound()
    if interrupted is not None:
        await resume_search(runtime, principal.organization_id, interrupted, principal.world)
        return SearchReply(interrupted, await read_search(runtime, principal.organization_id, interrupted), loading=False)
    if respond_async:
        await check_backlog(runtime, principal.organization_id, SEARCH_JOB)
        return await _queue_search(runtime, await prepare_search(runtime, principal, request))
    search = await begin_search(runtime, principal, request, waited_s)
    return SearchReply(search.search_id, await run_search(runtime, search), loading=False)


async def begin_search(runtime: Runtime, principal: Principal, request: SearchRequest, waited_s: float = 0.0) -> PreparedSearch:
    """Store a search as loading, for the caller to run at once (`run_search`). Raises as `create_search` does."""
    search = await prepare_search(runtime, principal, request, waited_s)
    if is_key_pending():
        async with runtime.store.write() as connection:
            await searches.insert_loading(connection, search.organization_id, _to_new_row(search))
            await bind_key(connection, search.search_id)
    else:
        await searches.insert_loading(runtime.store, search.organization_id, _to_new_row(search))
    return search


async def _queue_search(runtime: Runtime, search: PreparedSearch) -> SearchReply:
    document = build_unfinished_result(build_meta(search, SearchStatus.LOADING)).to_stored()
    reply = SearchReply(search.search_id, document, loading=True)
    async with runtime.store.write() as connection:
        job = jobs.NewJob(
            SEARCH_JOB, str(search.search_id), JobContext.current(search.world).to_json(), search.searched_at, MAX_ATTEMPTS
        )
        await jobs.enqueue(connection, search.organization_id, job)
        await searches.insert_loading(connection, search.organization_id, _to_new_row(search))
        await complete_key(connection, reply)
    return reply


async def run_search(runtime: Runtime, search: PreparedSearch, on_progress: OnSearchProgress = ignore_progress) -> StoredDocument:
    """Run a search, store its result and return it; if the search has ended in the meantime, return the stored result."""
    document = await _perform_within_deadline(runtime, search, on_progress)
    document, checks = await _rate(runtime, search, document)
    _count_result(runtime, document)
    stored, hits = document.to_stored(), build_stored_hits(document)
    outcome = searches.SearchOutcome(
        status=document.meta.status,
        document=stored.body,
        messages=stored.messages,
        errors=document.errors.to_stored().to_text() if document.errors is not None else None,
        finished_at=runtime.clock(),
        selection=document.match_selection.status if document.match_selection is not None else None,
        jurisdiction=get_jurisdiction(document),
        open_hits=hits.open_hits,
        hit_keys=hits.hit_keys,
    )
    if await _store_outcome(runtime, search, document, outcome, checks):
        return stored
    return await read_search(runtime, search.organization_id, search.search_id)


async def _rate(runtime: Runtime, search: PreparedSearch, document: SearchResult) -> tuple[SearchResult, Sequence[CheckFacts]]:
    """The document with its risk rating, and the facts for the record of the search; without active rules, none of both."""
    rules, record = await get_active_rules(runtime.store, search.organization_id), search.record
    if rules is None:
        return document, ()
    industry = record.naics_code if record is not None else None
    rated = await run_cpu_bound(rate_result, rules, document, industry)
    if record is None:
        return rated, ()
    checks = await run_cpu_bound(list_search_facts, document, industry)
    # Without a screening, the ownership of the record has not been read.
    if checks and document.sanctions is not None:
        checks = [*checks, *await read_ownership_facts(search.owned, search.searched_at.date())]
    return rated, checks


async def _store_outcome(
    runtime: Runtime,
    search: PreparedSearch,
    document: SearchResult,
    outcome: searches.SearchOutcome,
    checks: Sequence[CheckFacts],
) -> bool:
    """Store the outcome with its event, and update the search's record; False when the search had ended already."""
    organization_id, record = search.organization_id, search.record
    if record is None:
        planned = plan_events(runtime.store, organization_id, [build_completion_event(document, None)], runtime.clock())
        return await searches.finish_with(runtime.store, organization_id, search.search_id, outcome, planned)
    needed = await find_needed_check(runtime, organization_id, record, document)
    async with runtime.store.write() as connection:
        if not await searches.finish(connection, organization_id, search.search_id, outcome):
            return False
        known = build_record_updates(document)
        record, rated = await record_check(connection, organization_id, record.id, known, checks, BY_SEARCH, runtime.clock())
        new = [build_completion_event(document, record), *rated]
        screened = to_screening_document(document)
        if screened is not None:
            new += await update_open_hits(connection, organization_id, record, screened)
        if needed is not None:
            new += await open_needed_check(connection, organization_id, needed, runtime.clock())
        await record_events(connection, organization_id, new, runtime.clock())
    return True


def _count_result(runtime: Runtime, document: SearchResult) -> None:
    runtime.metrics.observe_search(document.meta.status)
    if document.sanctions is not None:
        error = document.errors.sanctions_screening if document.errors is not None else None
        runtime.metrics.count_screening(classify_outcome(document.sanctions, error))


async def resume_search(runtime: Runtime, organization_id: UUID, search_id: UUID, world: World) -> None:
    """Run a search that was stored as loading, unless it has ended already: a queued one, or an interrupted one."""
    async with runtime.store.read() as connection:
        row = await searches.get(connection, organization_id, search_id)
    if row is not None and row.status is SearchStatus.LOADING and row.deadline_at > runtime.clock():
        await run_search(runtime, await restore_prepared_search(runtime, organization_id, world, row))


async def read_search(runtime: Runtime, organization_id: UUID, search_id: UUID) -> StoredDocument:
    """The stored document; for a search without one, a document of its status. Raises `NotFound`."""
    known = await searches.get_document(runtime.store, organization_id, search_id)
    if known is not None:
        return known
    # The document may have been stored in the meantime: status and document are read together.
    async with runtime.store.read() as connection:
        document = await searches.get_document(connection, organization_id, search_id)
        row = await searches.get(connection, organization_id, search_id) if document is None else None
    if document is not None:
        return document
    if row is None:
        raise NotFound(UNKNOWN_SEARCH)
    return _build_state_document(runtime, row).to_stored()


async def read_search_with_reports(runtime: Runtime, organization_id: UUID, search_id: UUID) -> StoredDocument:
    """The same for a caller, with new signed URLs of the business reports. Raises `NotFound`."""
    return renew_signed_urls(runtime, organization_id, await read_search(runtime, organization_id, search_id))


async def open_search(runtime: Runtime, organization_id: UUID, search_id: UUID) -> SearchDetail:
    """The result of a search with its state, for a person to read. Raises `NotFound`."""
    async with runtime.store.read() as connection:
        row = await searches.get(connection, organization_id, search_id)
        document = await searches.get_document(connection, organization_id, search_id) if row is not None else None
    if row is None:
        raise NotFound(UNKNOWN_SEARCH)
    result = document.parse(SearchResult) if document is not None else _build_state_document(runtime, row)
    return SearchDetail(result, row.archived, row.decided_by, row.decided_at)


def _build_state_document(runtime: Runtime, row: searches.StoredSearch) -> SearchResult:
    """The document of a search without a stored one: it is loading, or its deadline has passed."""
    is_loading = get_current_status(row, runtime.clock()) is SearchStatus.LOADING
    submitted = Submitted.model_validate_json(row.request)
    meta = SearchMeta(
        search_id=row.id,
        searched_at=row.searched_at,
        searched_by=row.searched_by,
        submitted=submitted,
        status=SearchStatus.LOADING if is_loading else SearchStatus.ERROR,
        duration=0,
        coverage=(),
        warnings=tuple(find_warnings(submitted)),
    )
    return build_unfinished_result(meta)


async def expire_overdue(runtime: Runtime) -> int:
    """Fail every overdue search, whose process has died; returns how many."""
    if not await searches.is_any_overdue(runtime.store, runtime.clock()):
        return 0
    errors = CheckErrors(general=TIMEOUT_ERROR).to_stored().to_text()
    async with runtime.store.write() as connection:
        expired = await searches.expire_overdue(connection, runtime.clock(), errors)
        # In the order of their organizations, so that two workers do not deadlock.
        for row in sorted(expired, key=lambda row: (row.organization_id, row.searched_at)):
            result = _build_state_document(runtime, row)
            record = await _find_record(connection, row.organization_id, result.meta.submitted.business_id)
            await record_events(connection, row.organization_id, [build_completion_event(result, record)], runtime.clock())
    return len(expired)


async def _find_record(connection: Connection, organization_id: UUID, business_id: UUID | None) -> BusinessRecord | None:
    if business_id is None:
        return None
    try:
        return await load_record(connection, organization_id, business_id, None)
    except NotFound:
        return None  # the record was erased while the search ran


def _to_new_row(search: PreparedSearch) -> searches.NewSearch:
    return searches.NewSearch(
        id=search.search_id,
        query=search.query.name,
        website=search.submitted.website,
        request=search.submitted.to_json(),
        searched_at=search.searched_at,
        searched_by=search.searched_by,
        deadline_at=search.deadline_at,
        business_id=search.submitted.business_id,
    )


def get_current_status(row: searches.StoredSearch, now: datetime) -> SearchStatus:
    """The status of a search. An overdue search is an error, although its row is loading until it is expired."""
    overdue = row.status is SearchStatus.LOADING and row.deadline_at <= now
    return SearchStatus.ERROR if overdue else row.status


async def _perform_within_deadline(runtime: Runtime, search: PreparedSearch, on_progress: OnSearchProgress) -> SearchResult:
    """The result; after the deadline, a document with a timeout error. Shortly before it, sources without a result fail."""
    deadline = Deadline.after((search.deadline_at - runtime.clock()).total_seconds())
    try:
        async with deadline.timeout():
            return await perform_search(runtime, search, on_progress, deadline.less(ASSEMBLY_RESERVE_S))
    except TimeoutError:
        return build_unfinished_result(build_meta(search, SearchStatus.ERROR))
