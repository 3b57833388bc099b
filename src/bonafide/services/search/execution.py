"""Create, run, read and expire searches.

Two short transactions, one before the lookups and one after them; none is held while anything is looked up. What matches and how
well is `matching`'s business, what the document says is `assemble`'s.
"""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from time import perf_counter
from uuid import UUID

from bonafide.concurrency.deadline import NO_DEADLINE, Deadline
from bonafide.concurrency.executors import run_cpu_bound
from bonafide.errors import NotFound
from bonafide.matching.scoring.word_rarity import WordRarity
from bonafide.model.accounts.organizations import Principal, World
from bonafide.model.entry import SourceKind
from bonafide.model.query import ScreeningSubject, SearchRequest
from bonafide.model.search.result import CheckErrors, SearchResult, SearchStatus
from bonafide.observability.tracing import span
from bonafide.runtime import Runtime
from bonafide.services.indexing.word_rarity import get_loaded_rarity
from bonafide.services.jobs.queue import JobContext, enqueue_bounded
from bonafide.services.lookup.cross_source_links import add_linked_candidates, collect_links
from bonafide.services.lookup.source_lookup import (
    LookupOptions,
    SourceResult,
    compute_minimum_rough_score,
    ignore_progress,
    look_up_all,
)
from bonafide.services.records.business_records import record_system_fields
from bonafide.services.reports.report_pdf import add_report_urls
from bonafide.services.results.match_building import build_registry_matches
from bonafide.services.results.match_selection import get_jurisdiction
from bonafide.services.results.record_comparison import build_record_updates, compare_website, link_record
from bonafide.services.screening.dismissals import apply_dismissals_to_result
from bonafide.services.screening.subject_screening import classify_outcome, look_up_lists
from bonafide.services.search.preparation import BY_SEARCH, PreparedSearch, build_header, prepare_search, restore_prepared_search
from bonafide.services.search.result_building import (
    TIMEOUT_ERROR,
    CheckResults,
    build_loading_result,
    build_result,
    build_timeout_result,
    find_exclusion_reason,
)
from bonafide.services.search.website_analysis import WebsiteResult, analyse_website
from bonafide.store.records import searches
from bonafide.store.work import jobs

SEARCH_JOB = "search"
UNKNOWN = "there is no search with this id"
MAX_ATTEMPTS = 3
"""How often a queued search is taken up again when its worker dies."""
ASSEMBLY_RESERVE_S = 1.0
"""Before its deadline a search stops asking: for matching, assembling and storing."""

OnSearchProgress = Callable[[SourceResult | WebsiteResult], None]
"""Whoever follows a search: called, on the event loop, with what came of each source and of the web site as soon as it has."""


@dataclass(frozen=True, slots=True)
class SearchReply:
    """The stored document as it goes out; `build_loading_result` when the work is still to be done."""

    search_id: UUID
    body: str
    loading: bool


@dataclass(frozen=True, slots=True)
class SearchDetail:
    """A search as a person reads it: its result, whether it was put away, and which person has decided on its match, and when."""

    result: SearchResult
    archived: bool
    decided_by: str | None
    decided_at: datetime | None


# ------------------------------------------------------------------------------------------------------------ the verbs


async def create_search(
    runtime: Runtime, principal: Principal, request: SearchRequest, *, respond_async: bool, waited_s: float = 0.0
) -> SearchReply:
    """Run a search and store it; or, with `respond_async`, store it as loading and leave the work to a worker.

    `waited_s` is how long the request has waited already: its deadline counts from its arrival. A caller who goes away leaves a
    search that is finished within it and stored. Raises `NotFound` for a business reference that names none of the organization's
    records, and `ValidationFailed` for two that name different ones, or for a record without a name where the request has none.
    """
    if respond_async:
        return await _queue_search(runtime, await prepare_search(runtime, principal, request))
    search = await begin_search(runtime, principal, request, waited_s)
    return SearchReply(search.search_id, await run_search(runtime, search), loading=False)


async def begin_search(runtime: Runtime, principal: Principal, request: SearchRequest, waited_s: float = 0.0) -> PreparedSearch:
    """Store a search as loading, for the caller to run at once (`run_search`). Raises as `create_search` does."""
    search = await prepare_search(runtime, principal, request, waited_s)
    await searches.insert_loading(runtime.store, search.organization_id, _to_new_row(search))
    return search


async def _queue_search(runtime: Runtime, search: PreparedSearch) -> SearchReply:
    async with runtime.store.write() as connection:
        job = jobs.NewJob(
            SEARCH_JOB, str(search.search_id), JobContext.current(search.world).to_json(), search.heading.searched_at, MAX_ATTEMPTS
        )
        await enqueue_bounded(runtime, connection, search.organization_id, job)
        await searches.insert_loading(connection, search.organization_id, _to_new_row(search))
    return SearchReply(search.search_id, build_loading_result(search.heading).to_json(), loading=True)


async def run_search(runtime: Runtime, search: PreparedSearch, told: OnSearchProgress = ignore_progress) -> str:
    """Look everything up, store the result and return it; if the search is over by then, return what it ended as."""
    document = await _perform_within_deadline(runtime, search, told)
    _count_result(runtime, document)
    body = document.to_json()
    outcome = searches.SearchOutcome(
        status=document.meta.status,
        document=body,
        errors=document.errors.to_json() if document.errors is not None else None,
        finished_at=runtime.clock(),
        selection=document.match_selection.status if document.match_selection is not None else None,
        jurisdiction=get_jurisdiction(document),
    )
    if await _store_outcome(runtime, search, document, outcome):
        return body
    return await read_search(runtime, search.organization_id, search.search_id)


async def _store_outcome(runtime: Runtime, search: PreparedSearch, document: SearchResult, outcome: searches.SearchOutcome) -> bool:
    """Store how it ended, with what that tells of a stored record; False when it was over by then."""
    if search.record is None:
        return await searches.finish(runtime.store, search.organization_id, search.search_id, outcome)
    async with runtime.store.write() as connection:
        finished = await searches.finish(connection, search.organization_id, search.search_id, outcome)
        if finished:
            known = build_record_updates(document)
            await record_system_fields(connection, search.organization_id, search.record.id, known, BY_SEARCH, runtime.clock())
    return finished


def _count_result(runtime: Runtime, document: SearchResult) -> None:
    runtime.metrics.observe_search(document.meta.status)
    if document.sanctions is not None:
        error = document.errors.sanctions_screening if document.errors is not None else None
        runtime.metrics.count_screening(classify_outcome(document.sanctions, error))


async def run_queued_search(runtime: Runtime, organization_id: UUID, search_id: UUID, world: World) -> None:
    """Do the work of a search that was answered with 202, unless it is over already."""
    async with runtime.store.read() as connection:
        row = await searches.get(connection, organization_id, search_id)
    if row is not None and row.status is SearchStatus.LOADING and row.deadline_at > runtime.clock():
        await run_search(runtime, await restore_prepared_search(runtime, organization_id, world, row))


async def read_search(runtime: Runtime, organization_id: UUID, search_id: UUID) -> str:
    """The stored document, byte for byte; for a search without one, what its state amounts to. Raises `NotFound`."""
    known = await searches.get_document(runtime.store, organization_id, search_id)
    if known is not None:
        return known
    # The document may have come meanwhile: what tells the state is read together with it.
    async with runtime.store.read() as connection:
        document = await searches.get_document(connection, organization_id, search_id)
        row = await searches.get(connection, organization_id, search_id) if document is None else None
    if document is not None:
        return document
    if row is None:
        raise NotFound(UNKNOWN)
    return _build_state_document(runtime, row).to_json()


async def open_search(runtime: Runtime, organization_id: UUID, search_id: UUID) -> SearchDetail:
    """The same with what stands beside the document, for a person to read. Raises `NotFound`."""
    async with runtime.store.read() as connection:
        row = await searches.get(connection, organization_id, search_id)
        document = await searches.get_document(connection, organization_id, search_id) if row is not None else None
    if row is None:
        raise NotFound(UNKNOWN)
    result = SearchResult.model_validate_json(document) if document is not None else _build_state_document(runtime, row)
    return SearchDetail(result, row.archived, row.decided_by, row.decided_at)


def _build_state_document(runtime: Runtime, row: searches.StoredSearch) -> SearchResult:
    """What the state of a search without a document amounts to."""
    state = build_loading_result if get_current_status(row, runtime.clock()) is SearchStatus.LOADING else build_timeout_result
    return state(build_header(row))


async def expire_overdue(runtime: Runtime) -> int:
    """End every search that its process left behind; returns how many."""
    errors = CheckErrors(general=TIMEOUT_ERROR).to_json()
    async with runtime.store.write() as connection:
        return len(await searches.expire_overdue(connection, runtime.clock(), errors))


def _to_new_row(search: PreparedSearch) -> searches.NewSearch:
    heading = search.heading
    return searches.NewSearch(
        id=heading.search_id,
        query=search.query.name,
        website=heading.submitted.website,
        request=heading.submitted.to_json(),
        searched_at=heading.searched_at,
        searched_by=heading.searched_by,
        deadline_at=search.deadline_at,
    )


def get_current_status(row: searches.StoredSearch, now: datetime) -> SearchStatus:
    """A search whose process died stays loading in the database until it is swept; nobody is to see it so past its deadline."""
    overdue = row.status is SearchStatus.LOADING and row.deadline_at <= now
    return SearchStatus.ERROR if overdue else row.status


async def _perform_within_deadline(runtime: Runtime, search: PreparedSearch, told: OnSearchProgress) -> SearchResult:
    """The document; past the deadline one that says so. What had not answered shortly before is an error in it by itself."""
    deadline = Deadline.after((search.deadline_at - runtime.clock()).total_seconds())
    try:
        async with asyncio.timeout(deadline.remaining_s):
            return await perform_search(runtime, search, told, deadline.less(ASSEMBLY_RESERVE_S))
    except TimeoutError:
        return build_timeout_result(search.heading)


async def perform_search(
    runtime: Runtime, search: PreparedSearch, told: OnSearchProgress = ignore_progress, deadline: Deadline = NO_DEADLINE
) -> SearchResult:
    """Ask every source that the search wants, and fold what comes back into the document. Never raises for a source.

    What has not answered by the deadline is an error of its check.
    """
    with span("search"):
        return await _perform_checks(runtime, search, told, deadline)


async def _perform_checks(runtime: Runtime, search: PreparedSearch, told: OnSearchProgress, deadline: Deadline) -> SearchResult:
    started = perf_counter()
    sources, params = runtime.sources.values(), search.heading.submitted.params
    asked = [source for source in sources if find_exclusion_reason(source, params) is None]
    lists = [source for source in asked if source.metadata.kind is SourceKind.SANCTIONS]
    subject = ScreeningSubject(search.query.name)
    async with asyncio.TaskGroup() as together:
        site = together.create_task(_check_website(runtime, search, told, deadline))
        others = [source for source in asked if source not in lists]
        terms = LookupOptions(
            compute_minimum_rough_score(search.query, params.regulatory_registry_threshold), search.organization_id, deadline
        )
        with span("check registers and regulators"):
            lookups = await look_up_all(runtime, search.world, search.query, others, told, terms)
        with span("check sanctions"):
            listed = await look_up_lists(runtime, search.world, subject, params.sanctions_threshold, lists)
        for lookup in listed:
            told(lookup)
        lookups += listed
    rarity = await get_loaded_rarity(runtime, search.world)
    document = await run_cpu_bound(_build_document, runtime, search, _CollectedResults(lookups, rarity, site.result(), started))
    decided = await apply_dismissals_to_result(runtime, search.organization_id, document, subject)
    linked = link_record(decided, search.record) if search.record is not None else compare_website(decided)
    return add_report_urls(runtime, search.organization_id, linked)


@dataclass(frozen=True, slots=True)
class _CollectedResults:
    """What all sources and the web site have answered, and when they were first asked, by `perf_counter`."""

    lookups: Sequence[SourceResult]
    rarity: WordRarity
    site: WebsiteResult | None
    asked_at: float


def _build_document(runtime: Runtime, search: PreparedSearch, replies: _CollectedResults) -> SearchResult:
    """The document, in which candidates have become matches."""
    registers = [lookup for lookup in replies.lookups if lookup.source.metadata.kind is SourceKind.REGISTRY]
    businesses = build_registry_matches(search.search_id, search.query, registers, replies.rarity)
    answers = CheckResults(
        lookups=add_linked_candidates(runtime, search.world, replies.lookups, collect_links(businesses)),
        businesses=businesses,
        rarity=replies.rarity,
        sources=runtime.sources.values(),
        today=runtime.clock().date(),
        elapsed_ms=lambda: round((perf_counter() - replies.asked_at) * 1000),
        website=replies.site,
    )
    return build_result(search.heading, search.query, answers, search.selection)


async def _check_website(
    runtime: Runtime, search: PreparedSearch, told: OnSearchProgress, deadline: Deadline
) -> WebsiteResult | None:
    """The analysis of the web site, while the sources are asked; None when none is wanted."""
    submitted = search.heading.submitted
    if not submitted.params.website_analysis:
        return None
    with span("check website"):
        analysed = await analyse_website(runtime, search.world, submitted.website, deadline)
    told(analysed)
    return analysed
