"""The search: from a request to one stored result document, and the document back again.

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
from bonafide.errors import NotFound
from bonafide.matching.scoring.word_rarity import WordRarity
from bonafide.model.entry import SourceKind
from bonafide.model.accounts.organizations import Principal, World
from bonafide.model.query import ScreeningSubject, SearchRequest
from bonafide.model.search.result import CheckErrors, SearchResult, SearchStatus
from bonafide.runtime import Runtime
from bonafide.services.businesses import record_system_fields
from bonafide.services.checks import registry_matches
from bonafide.services.comparison import learned, with_record, with_website_compared
from bonafide.services.dismissals import with_dismissals_in
from bonafide.services.documents import OUT_OF_TIME, Answers, concluded, loading, out_of_time, why_not_asked
from bonafide.services.errand import Errand
from bonafide.services.joins import joins_of, with_joined
from bonafide.services.lookup import Lookup, Terms, look_up_all, nobody, worth_reading
from bonafide.services.preparing import BY_SEARCH, Prepared, heading_of, prepare, prepared_again
from bonafide.services.printing import with_report_addresses
from bonafide.services.queueing import enqueue_bounded
from bonafide.services.rarity import loaded_rarity
from bonafide.services.screening import look_up_lists, outcome_of
from bonafide.services.selection import jurisdiction_of
from bonafide.services.websites import Analysed, analyse
from bonafide.store.work import jobs
from bonafide.store.records import searches
from bonafide.concurrency.executors import run_cpu_bound
from bonafide.observability.tracing import span

SEARCH_JOB = "search"
UNKNOWN = "there is no search with this id"
MAX_ATTEMPTS = 3
"""How often a queued search is taken up again when its worker dies."""
FOR_THE_REST_S = 1.0
"""Before its deadline a search stops asking: for matching, assembling and storing."""

Told = Callable[[Lookup | Analysed], None]
"""Whoever follows a search: called, on the event loop, with what came of each source and of the web site as soon as it has."""


@dataclass(frozen=True, slots=True)
class SearchAnswer:
    """The stored document as it goes out; `loading` when the work is still to be done."""

    search_id: UUID
    body: str
    loading: bool


@dataclass(frozen=True, slots=True)
class OpenedSearch:
    """A search as a person reads it: its result, whether it was put away, and which person has decided on its match, and when."""

    result: SearchResult
    archived: bool
    decided_by: str | None
    decided_at: datetime | None


# ------------------------------------------------------------------------------------------------------------ the verbs


async def create_search(
    runtime: Runtime, principal: Principal, request: SearchRequest, *, respond_async: bool, waited_s: float = 0.0
) -> SearchAnswer:
    """Run a search and store it; or, with `respond_async`, store it as loading and leave the work to a worker.

    `waited_s` is how long the request has waited already: its deadline counts from its arrival. A caller who goes away leaves a
    search that is finished within it and stored. Raises `NotFound` for a business reference that names none of the organization's
    records, and `ValidationFailed` for two that name different ones, or for a record without a name where the request has none.
    """
    if respond_async:
        return await _queue_search(runtime, await prepare(runtime, principal, request))
    search = await begin_search(runtime, principal, request, waited_s)
    return SearchAnswer(search.search_id, await run_search(runtime, search), loading=False)


async def begin_search(runtime: Runtime, principal: Principal, request: SearchRequest, waited_s: float = 0.0) -> Prepared:
    """Store a search as loading, for the caller to run at once (`run_search`). Raises as `create_search` does."""
    search = await prepare(runtime, principal, request, waited_s)
    await searches.insert_loading_autocommit(runtime.store, search.organization_id, _row(search))
    return search


async def _queue_search(runtime: Runtime, search: Prepared) -> SearchAnswer:
    async with runtime.store.write() as connection:
        job = jobs.NewJob(
            SEARCH_JOB, str(search.search_id), Errand.now(search.world).to_json(), search.heading.searched_at, MAX_ATTEMPTS
        )
        await enqueue_bounded(runtime, connection, search.organization_id, job)
        await searches.insert_loading(connection, search.organization_id, _row(search))
    return SearchAnswer(search.search_id, loading(search.heading).to_json(), loading=True)


async def run_search(runtime: Runtime, search: Prepared, told: Told = nobody) -> str:
    """Look everything up, store the result and return it; if the search is over by then, return what it ended as."""
    document = await _performed_in_time(runtime, search, told)
    _count(runtime, document)
    body = document.to_json()
    outcome = searches.SearchOutcome(
        status=document.meta.status,
        document=body,
        errors=document.errors.to_json() if document.errors is not None else None,
        finished_at=runtime.clock(),
        selection=document.match_selection.status if document.match_selection is not None else None,
        jurisdiction=jurisdiction_of(document),
    )
    if await _finished(runtime, search, document, outcome):
        return body
    return await read_search(runtime, search.organization_id, search.search_id)


async def _finished(runtime: Runtime, search: Prepared, document: SearchResult, outcome: searches.SearchOutcome) -> bool:
    """Store how it ended, with what that tells of a stored record; False when it was over by then."""
    if search.record is None:
        return await searches.finish_autocommit(runtime.store, search.organization_id, search.search_id, outcome)
    async with runtime.store.write() as connection:
        finished = await searches.finish(connection, search.organization_id, search.search_id, outcome)
        if finished:
            known = learned(document)
            await record_system_fields(connection, search.organization_id, search.record.id, known, BY_SEARCH, runtime.clock())
    return finished


def _count(runtime: Runtime, document: SearchResult) -> None:
    runtime.metrics.observe_search(document.meta.status)
    if document.sanctions is not None:
        error = document.errors.sanctions_screening if document.errors is not None else None
        runtime.metrics.count_screening(outcome_of(document.sanctions, error))


async def finish_queued(runtime: Runtime, organization_id: UUID, search_id: UUID, world: World) -> None:
    """Do the work of a search that was answered with 202, unless it is over already."""
    async with runtime.store.read() as connection:
        row = await searches.get(connection, organization_id, search_id)
    if row is not None and row.status is SearchStatus.LOADING and row.deadline_at > runtime.clock():
        await run_search(runtime, await prepared_again(runtime, organization_id, world, row))


async def read_search(runtime: Runtime, organization_id: UUID, search_id: UUID) -> str:
    """The stored document, byte for byte; for a search without one, what its state amounts to. Raises `NotFound`."""
    known = await searches.get_document_autocommit(runtime.store, organization_id, search_id)
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
    return _state_of(runtime, row).to_json()


async def open_search(runtime: Runtime, organization_id: UUID, search_id: UUID) -> OpenedSearch:
    """The same with what stands beside the document, for a person to read. Raises `NotFound`."""
    async with runtime.store.read() as connection:
        row = await searches.get(connection, organization_id, search_id)
        document = await searches.get_document(connection, organization_id, search_id) if row is not None else None
    if row is None:
        raise NotFound(UNKNOWN)
    result = SearchResult.model_validate_json(document) if document is not None else _state_of(runtime, row)
    return OpenedSearch(result, row.archived, row.decided_by, row.decided_at)


def _state_of(runtime: Runtime, row: searches.StoredSearch) -> SearchResult:
    """What the state of a search without a document amounts to."""
    state = loading if status_now(row, runtime.clock()) is SearchStatus.LOADING else out_of_time
    return state(heading_of(row))


async def expire_overdue(runtime: Runtime) -> int:
    """End every search that its process left behind; returns how many."""
    errors = CheckErrors(general=OUT_OF_TIME).to_json()
    async with runtime.store.write() as connection:
        return len(await searches.expire_overdue(connection, runtime.clock(), errors))


def _row(search: Prepared) -> searches.NewSearch:
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


def status_now(row: searches.StoredSearch, now: datetime) -> SearchStatus:
    """A search whose process died stays loading in the database until it is swept; nobody is to see it so past its deadline."""
    overdue = row.status is SearchStatus.LOADING and row.deadline_at <= now
    return SearchStatus.ERROR if overdue else row.status


async def _performed_in_time(runtime: Runtime, search: Prepared, told: Told) -> SearchResult:
    """The document; past the deadline one that says so. What had not answered shortly before is an error in it by itself."""
    deadline = Deadline.after((search.deadline_at - runtime.clock()).total_seconds())
    try:
        async with asyncio.timeout(deadline.remaining_s):
            return await perform(runtime, search, told, deadline.less(FOR_THE_REST_S))
    except TimeoutError:
        return out_of_time(search.heading)


async def perform(runtime: Runtime, search: Prepared, told: Told = nobody, deadline: Deadline = NO_DEADLINE) -> SearchResult:
    """Ask every source that the search wants, and fold what comes back into the document. Never raises for a source.

    What has not answered by the deadline is an error of its check.
    """
    with span("search"):
        return await _performed(runtime, search, told, deadline)


async def _performed(runtime: Runtime, search: Prepared, told: Told, deadline: Deadline) -> SearchResult:
    started = perf_counter()
    sources, params = runtime.sources.values(), search.heading.submitted.params
    asked = [source for source in sources if why_not_asked(source, params) is None]
    lists = [source for source in asked if source.metadata.kind is SourceKind.SANCTIONS]
    subject = ScreeningSubject(search.query.name)
    async with asyncio.TaskGroup() as together:
        site = together.create_task(_site(runtime, search, told, deadline))
        others = [source for source in asked if source not in lists]
        terms = Terms(worth_reading(search.query, params.regulatory_registry_threshold), search.organization_id, deadline)
        with span("check registers and regulators"):
            lookups = await look_up_all(runtime, search.world, search.query, others, told, terms)
        with span("check sanctions"):
            listed = await look_up_lists(runtime, search.world, subject, params.sanctions_threshold, lists)
        for lookup in listed:
            told(lookup)
        lookups += listed
    rarity = await loaded_rarity(runtime, search.world)
    document = await run_cpu_bound(_concluded, runtime, search, _Replies(lookups, rarity, site.result(), started))
    decided = await with_dismissals_in(runtime, search.organization_id, document, subject)
    linked = with_record(decided, search.record) if search.record is not None else with_website_compared(decided)
    return with_report_addresses(runtime, search.organization_id, linked)


@dataclass(frozen=True, slots=True)
class _Replies:
    """What all sources and the web site have answered, and when they were first asked, by `perf_counter`."""

    lookups: Sequence[Lookup]
    rarity: WordRarity
    site: Analysed | None
    asked_at: float


def _concluded(runtime: Runtime, search: Prepared, replies: _Replies) -> SearchResult:
    """The document, in which candidates have become matches."""
    registers = [lookup for lookup in replies.lookups if lookup.source.metadata.kind is SourceKind.REGISTRY]
    businesses = registry_matches(search.search_id, search.query, registers, replies.rarity)
    answers = Answers(
        lookups=with_joined(runtime, search.world, replies.lookups, joins_of(businesses)),
        businesses=businesses,
        rarity=replies.rarity,
        sources=runtime.sources.values(),
        today=runtime.clock().date(),
        elapsed_ms=lambda: round((perf_counter() - replies.asked_at) * 1000),
        website=replies.site,
    )
    return concluded(search.heading, search.query, answers, search.selection)


async def _site(runtime: Runtime, search: Prepared, told: Told, deadline: Deadline) -> Analysed | None:
    """The analysis of the web site, while the sources are asked; None when none is wanted."""
    submitted = search.heading.submitted
    if not submitted.params.website_analysis:
        return None
    with span("check website"):
        analysed = await analyse(runtime, search.world, submitted.website, deadline)
    told(analysed)
    return analysed
