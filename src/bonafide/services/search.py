"""The search: from a request to one stored result document, and the document back again.

Two short transactions, one before the lookups and one after them; none is held while anything is looked up. What matches and how
well is `matching`'s business, what the document says is `assemble`'s.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta
from time import perf_counter
from uuid import UUID, uuid4

from bonafide.errors import NotFound
from bonafide.model.organization import Principal, World
from bonafide.model.query import Query, SearchParams, SearchRequest
from bonafide.model.result import CheckErrors, SearchResult, SearchStatus, Submitted
from bonafide.runtime import Runtime
from bonafide.services.documents import OUT_OF_TIME, Answers, Heading, concluded, loading, out_of_time, why_not_asked
from bonafide.services.lookup import look_up_all
from bonafide.services.rarity import loaded_rarity
from bonafide.store import jobs, searches

SEARCH_JOB = "search"
MAX_ATTEMPTS = 3
"""How often a queued search is taken up again when its worker dies."""


@dataclass(frozen=True, slots=True)
class SearchAnswer:
    """The stored document as it goes out; `loading` when the work is still to be done."""

    search_id: UUID
    body: str
    loading: bool


@dataclass(frozen=True, slots=True)
class Prepared:
    """A search ready to run: whose it is, in which world it looks, what it asks."""

    heading: Heading
    organization_id: UUID
    world: World
    query: Query

    @property
    def search_id(self) -> UUID:
        """The search's id."""
        return self.heading.search_id


# ------------------------------------------------------------------------------------------------------------ the verbs


async def create_search(runtime: Runtime, principal: Principal, request: SearchRequest, *, respond_async: bool) -> SearchAnswer:
    """Run a search and store it; or, with `respond_async`, store it as loading and leave the work to a worker.

    Raises `NotFound` for a business reference that names none of the organization's records.
    """
    search = prepare(runtime, principal, request)
    async with runtime.store.write() as connection:
        await searches.insert_loading(connection, search.organization_id, _row(runtime, search))
        if respond_async:
            job = jobs.NewJob(SEARCH_JOB, str(search.search_id), search.world, search.heading.searched_at, MAX_ATTEMPTS)
            await jobs.enqueue(connection, search.organization_id, job)
    if respond_async:
        return SearchAnswer(search.search_id, loading(search.heading).to_json(), loading=True)
    return SearchAnswer(search.search_id, await run_search(runtime, search), loading=False)


async def run_search(runtime: Runtime, search: Prepared) -> str:
    """Look everything up, store the result and return it; if the search is over by then, return what it ended as."""
    document = await perform(runtime, search)
    runtime.metrics.observe_search(document.meta.status)
    body = document.to_json()
    outcome = searches.Outcome(
        status=document.meta.status,
        document=body,
        errors=document.errors.to_json() if document.errors is not None else None,
        finished_at=runtime.clock(),
    )
    async with runtime.store.write() as connection:
        if await searches.finish(connection, search.organization_id, search.search_id, outcome):
            return body
    return await read_search(runtime, search.organization_id, search.search_id)


async def finish_queued(runtime: Runtime, organization_id: UUID, search_id: UUID, world: World) -> None:
    """Do the work of a search that was answered with 202, unless it is over already."""
    async with runtime.store.read() as connection:
        row = await searches.get(connection, organization_id, search_id)
    if row is not None and row.status is SearchStatus.LOADING and row.deadline_at > runtime.clock():
        heading = _heading(row)
        query = _query(row.query, heading.submitted.params)
        await run_search(runtime, Prepared(heading, organization_id, world, query))


async def read_search(runtime: Runtime, organization_id: UUID, search_id: UUID) -> str:
    """The stored document, byte for byte; for a search without one, what its state amounts to. Raises `NotFound`."""
    async with runtime.store.read() as connection:
        document = await searches.get_document(connection, organization_id, search_id)
        row = await searches.get(connection, organization_id, search_id) if document is None else None
    if document is not None:
        return document
    if row is None:
        raise NotFound("there is no search with this id")
    state = loading if status_now(row, runtime.clock()) is SearchStatus.LOADING else out_of_time
    return state(_heading(row)).to_json()


async def expire_overdue(runtime: Runtime) -> int:
    """End every search that its process left behind; returns how many."""
    errors = CheckErrors(general=OUT_OF_TIME).to_json()
    async with runtime.store.write() as connection:
        return len(await searches.expire_overdue(connection, runtime.clock(), errors))


def _row(runtime: Runtime, search: Prepared) -> searches.NewSearch:
    heading = search.heading
    return searches.NewSearch(
        id=heading.search_id,
        query=search.query.name,
        website=heading.submitted.website,
        request=heading.submitted.to_json(),
        searched_at=heading.searched_at,
        searched_by=heading.searched_by,
        deadline_at=heading.searched_at + timedelta(seconds=runtime.settings.search_deadline_s),
    )


def _heading(row: searches.StoredSearch) -> Heading:
    """The heading of a stored search, as it was when it was prepared."""
    return Heading(row.id, row.searched_at, row.searched_by, Submitted.model_validate_json(row.request))


def status_now(row: searches.StoredSearch, now: datetime) -> SearchStatus:
    """A search whose process died stays loading in the database until it is swept; nobody is to see it so past its deadline."""
    overdue = row.status is SearchStatus.LOADING and row.deadline_at <= now
    return SearchStatus.ERROR if overdue else row.status


async def perform(runtime: Runtime, search: Prepared) -> SearchResult:
    """Ask every source that the search wants, and fold what comes back into the document. Never raises for a source."""
    started = perf_counter()
    sources, params = runtime.sources.values(), search.heading.submitted.params
    asked = [source for source in sources if why_not_asked(source, params) is None]
    lookups = await look_up_all(runtime, search.world, search.query, asked)
    rarity = await loaded_rarity(runtime, search.world)
    answers = Answers(lookups, rarity, sources, runtime.clock().date(), lambda: round((perf_counter() - started) * 1000))
    return concluded(search.heading, search.query, answers)


# ------------------------------------------------------------------------------------------------------------ preparing


def prepare(runtime: Runtime, principal: Principal, request: SearchRequest) -> Prepared:
    """What a request means: defaults applied, references resolved. Raises `NotFound` for an unknown business record."""
    if request.business_id is not None or request.business_external_id is not None:
        # No endpoint of this release stores business records, so no reference can name one.
        raise NotFound("there is no business record with this id")
    assert request.name is not None  # noqa: S101 - the request's own validator has refused the other case
    params = _params(request)
    submitted = Submitted(name=request.name, website=request.website, params=params)
    heading = Heading(uuid4(), runtime.clock(), principal.identity, submitted)
    return Prepared(heading, principal.organization_id, principal.world, _query(request.name, params))


def _params(request: SearchRequest) -> SearchParams:
    given = {name: getattr(request, name) for name in SearchParams.model_fields if getattr(request, name) is not None}
    # A web site in the request asks for its analysis, unless the request says otherwise.
    return SearchParams.model_validate({"website_analysis": request.website is not None, **given})


def _query(name: str, params: SearchParams) -> Query:
    address = params.address.as_address() if params.address is not None else None
    return Query(name=name, registration_number=params.registration_number, address=address, limit=params.limit)
