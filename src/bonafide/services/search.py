"""The search: from a request to one stored result document, and the document back again.

Two short transactions, one before the lookups and one after them; none is held while anything is looked up. What matches and how
well is `matching`'s business, what the document says is `assemble`'s.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from time import perf_counter
from uuid import UUID, uuid4

from bonafide.errors import NotFound, SourceErrorCode
from bonafide.log import get_logger
from bonafide.model.entry import SourceKind
from bonafide.model.match import BusinessMatch, RegulatoryMatch
from bonafide.model.organization import Principal, World
from bonafide.model.query import Query, SearchParams, SearchRequest
from bonafide.model.result import (
    REGULATORY_KEYS,
    CheckError,
    CheckErrors,
    Coverage,
    SearchMeta,
    SearchResult,
    SearchStatus,
    Submitted,
)
from bonafide.runtime import Runtime
from bonafide.services.assemble import check_error, coverage_row, looked_anywhere, not_requested_row
from bonafide.services.checks import registry_matches, regulatory_matches
from bonafide.services.lookup import Lookup, look_up_all
from bonafide.services.screening import Screened, screened
from bonafide.services.selection import initial_selection
from bonafide.sources.base import Source
from bonafide.store import jobs, searches

SEARCH_JOB = "search"
MAX_ATTEMPTS = 3
"""How often a queued search is taken up again when its worker dies."""
OUT_OF_TIME = CheckError(
    code=SourceErrorCode.TIMEOUT,
    message="The search was not finished within its deadline; nothing is known of any source. Search again.",
    retryable=True,
)
NO_WEBSITE_ANALYSIS = CheckError(
    code=SourceErrorCode.UNAVAILABLE,
    message="This release does not analyse web sites: nothing was fetched.",
    retryable=False,
)
_log = get_logger(__name__)


@dataclass(frozen=True, slots=True)
class SearchAnswer:
    """The stored document as it goes out; `loading` when the work is still to be done."""

    search_id: UUID
    body: str
    loading: bool


@dataclass(frozen=True, slots=True)
class Prepared:
    """A search ready to run: whose it is, what is asked, with which parameters."""

    search_id: UUID
    organization_id: UUID
    world: World
    searched_at: datetime
    searched_by: str
    query: Query
    submitted: Submitted


# ------------------------------------------------------------------------------------------------------------ the verbs


async def create_search(runtime: Runtime, principal: Principal, request: SearchRequest, *, respond_async: bool) -> SearchAnswer:
    """Run a search and store it; or, with `respond_async`, store it as loading and leave the work to a worker.

    Raises `NotFound` for a business reference that names none of the organization's records.
    """
    search = prepare(runtime, principal, request)
    async with runtime.store.write() as connection:
        await searches.insert_loading(connection, search.organization_id, _row(runtime, search))
        if respond_async:
            job = jobs.NewJob(SEARCH_JOB, str(search.search_id), search.world, search.searched_at, MAX_ATTEMPTS)
            await jobs.enqueue(connection, search.organization_id, job)
    if respond_async:
        return SearchAnswer(search.search_id, loading_document(search).to_json(), loading=True)
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
        await run_search(runtime, _prepared(row, world))


async def read_search(runtime: Runtime, organization_id: UUID, search_id: UUID) -> str:
    """The stored document, byte for byte; for a search without one, what its state amounts to. Raises `NotFound`."""
    async with runtime.store.read() as connection:
        document = await searches.get_document(connection, organization_id, search_id)
        row = await searches.get(connection, organization_id, search_id) if document is None else None
    if document is not None:
        return document
    if row is None:
        raise NotFound("there is no search with this id")
    search = _prepared(row, World.LIVE)
    return (
        loading_document(search) if status_now(row, runtime.clock()) is SearchStatus.LOADING else failed_document(search)
    ).to_json()


async def expire_overdue(runtime: Runtime) -> int:
    """End every search that its process left behind; returns how many."""
    errors = CheckErrors(general=OUT_OF_TIME).to_json()
    async with runtime.store.write() as connection:
        return len(await searches.expire_overdue(connection, runtime.clock(), errors))


def _row(runtime: Runtime, search: Prepared) -> searches.NewSearch:
    return searches.NewSearch(
        id=search.search_id,
        query=search.query.name,
        website=search.submitted.website,
        request=search.submitted.to_json(),
        searched_at=search.searched_at,
        searched_by=search.searched_by,
        deadline_at=search.searched_at + timedelta(seconds=runtime.settings.search_deadline_s),
    )


def _prepared(row: searches.StoredSearch, world: World) -> Prepared:
    """A stored search as it was when it was prepared."""
    submitted = Submitted.model_validate_json(row.request)
    return Prepared(
        search_id=row.id,
        organization_id=row.organization_id,
        world=world,
        searched_at=row.searched_at,
        searched_by=row.searched_by,
        query=_query(row.query, submitted.params),
        submitted=submitted,
    )


def status_now(row: searches.StoredSearch, now: datetime) -> SearchStatus:
    """A search whose process died stays loading in the database until it is swept; nobody is to see it so past its deadline."""
    overdue = row.status is SearchStatus.LOADING and row.deadline_at <= now
    return SearchStatus.ERROR if overdue else row.status


async def perform(runtime: Runtime, search: Prepared) -> SearchResult:
    """Ask every source that the search wants, and fold what comes back into the document. Never raises for a source."""
    started = perf_counter()
    params = search.submitted.params
    asked = [source for source in runtime.sources.values() if _why_not_asked(source, params) is None]
    lookups = await look_up_all(runtime, search.world, search.query, asked)
    found = _found(search, lookups)
    errors = _errors(params, found)
    meta = SearchMeta(
        search_id=search.search_id,
        searched_at=search.searched_at,
        searched_by=search.searched_by,
        submitted=search.submitted,
        status=_status(params, found, errors),
        duration=round((perf_counter() - started) * 1000),
        coverage=_coverage(runtime, params, found),
    )
    chosen = initial_selection(search.search_id, found.businesses) if params.match_selection else None
    return SearchResult(
        meta=meta,
        businesses=found.businesses if params.business_registry else None,
        regulatory=found.regulatory,
        sanctions=found.sanctions.screening if found.sanctions is not None else None,
        errors=errors if errors.any() else None,
        match_selection=chosen,
    )


# ------------------------------------------------------------------------------------------------------------ preparing


def prepare(runtime: Runtime, principal: Principal, request: SearchRequest) -> Prepared:
    """What a request means: defaults applied, references resolved. Raises `NotFound` for an unknown business record."""
    if request.business_id is not None or request.business_external_id is not None:
        # No endpoint of this release stores business records, so no reference can name one.
        raise NotFound("there is no business record with this id")
    assert request.name is not None  # noqa: S101 - the request's own validator has refused the other case
    params = _params(request)
    return Prepared(
        search_id=uuid4(),
        organization_id=principal.organization_id,
        world=principal.world,
        searched_at=runtime.clock(),
        searched_by=principal.identity,
        query=_query(request.name, params),
        submitted=Submitted(name=request.name, website=request.website, params=params),
    )


def _params(request: SearchRequest) -> SearchParams:
    given = {name: getattr(request, name) for name in SearchParams.model_fields if getattr(request, name) is not None}
    # A web site in the request asks for its analysis, unless the request says otherwise.
    return SearchParams.model_validate({"website_analysis": request.website is not None, **given})


def _query(name: str, params: SearchParams) -> Query:
    address = params.address.as_address() if params.address is not None else None
    return Query(name=name, registration_number=params.registration_number, address=address, limit=params.limit)


def loading_document(search: Prepared) -> SearchResult:
    """The document of a search that has not finished."""
    meta = SearchMeta(
        search_id=search.search_id,
        searched_at=search.searched_at,
        searched_by=search.searched_by,
        submitted=search.submitted,
        status=SearchStatus.LOADING,
        duration=0,
        coverage=(),
    )
    return SearchResult(meta=meta, businesses=None, regulatory=dict.fromkeys(REGULATORY_KEYS, ()), sanctions=None, errors=None)


def failed_document(search: Prepared) -> SearchResult:
    """The document of a search that nobody finished in time."""
    loading = loading_document(search)
    meta = loading.meta.model_copy(update={"status": SearchStatus.ERROR})
    return loading.model_copy(update={"meta": meta, "errors": CheckErrors(general=OUT_OF_TIME)})


# ------------------------------------------------------------------------------------------------------------ folding


@dataclass(frozen=True, slots=True)
class _Found:
    """What came back, by check."""

    by_kind: dict[SourceKind, list[Lookup]]
    businesses: tuple[BusinessMatch, ...]
    regulatory: dict[str, tuple[RegulatoryMatch, ...]]
    sanctions: Screened | None

    def matches(self, source: Source) -> int:
        """How many matches a source has in the document."""
        if source.metadata.kind is SourceKind.REGULATOR:
            return len(self.regulatory[source.key])
        if source.metadata.kind is SourceKind.REGISTRY:
            return sum(match.source == source.key for match in self.businesses)
        listed = self.sanctions.screening.matches if self.sanctions is not None else ()
        return sum(match.source == source.key for match in listed)


def _found(search: Prepared, lookups: Sequence[Lookup]) -> _Found:
    params, query = search.submitted.params, search.query
    by_kind = {kind: [lookup for lookup in lookups if lookup.source.metadata.kind is kind] for kind in SourceKind}
    regulatory: dict[str, tuple[RegulatoryMatch, ...]] = dict.fromkeys(REGULATORY_KEYS, ())
    for lookup in by_kind[SourceKind.REGULATOR]:
        regulatory[lookup.source.key] = regulatory_matches(query, lookup, params.regulatory_registry_threshold)
    lists = by_kind[SourceKind.SANCTIONS]
    return _Found(
        by_kind=by_kind,
        businesses=registry_matches(search.search_id, query, by_kind[SourceKind.REGISTRY]),
        regulatory=regulatory,
        sanctions=screened(query.name, lists, params.sanctions_threshold) if params.sanctions_screening else None,
    )


def _errors(params: SearchParams, found: _Found) -> CheckErrors:
    registers, regulators = found.by_kind[SourceKind.REGISTRY], found.by_kind[SourceKind.REGULATOR]
    return CheckErrors(
        business_registry=check_error("business register", registers) if params.business_registry else None,
        regulatory_registry=check_error("regulator's list", regulators) if params.regulatory_registry else None,
        sanctions_screening=found.sanctions.error if found.sanctions is not None else None,
        website_analysis=NO_WEBSITE_ANALYSIS if params.website_analysis else None,
    )


def _status(params: SearchParams, found: _Found, errors: CheckErrors) -> SearchStatus:
    """`error` when every requested check failed as a whole, with errors when some source did."""
    requested = [
        (params.business_registry, SourceKind.REGISTRY),
        (params.regulatory_registry, SourceKind.REGULATOR),
        (params.sanctions_screening, SourceKind.SANCTIONS),
    ]
    if not errors.any():
        return SearchStatus.COMPLETED
    looked = any(wanted and looked_anywhere(found.by_kind[kind]) for wanted, kind in requested)
    return SearchStatus.COMPLETED_WITH_ERRORS if looked else SearchStatus.ERROR


def _coverage(runtime: Runtime, params: SearchParams, found: _Found) -> tuple[Coverage, ...]:
    """One row for every source there is, asked or not."""
    today = runtime.clock().date()
    asked = {lookup.source.key: lookup for lookups in found.by_kind.values() for lookup in lookups}
    rows = []
    for source in runtime.sources.values():
        lookup = asked.get(source.key)
        if lookup is None:
            rows.append(not_requested_row(source, _why_not_asked(source, params) or ""))
        else:
            rows.append(coverage_row(lookup, found.matches(source), today))
    return tuple(rows)


def _why_not_asked(source: Source, params: SearchParams) -> str | None:
    """Why the request does not want a source; None when it does."""
    metadata = source.metadata
    if metadata.kind is SourceKind.REGULATOR:
        return None if params.regulatory_registry else "regulatoryRegistry is false"
    if metadata.kind is SourceKind.SANCTIONS:
        return None if params.sanctions_screening else "sanctionsScreening is false"
    if not params.business_registry:
        return "businessRegistry is false"
    if params.jurisdictions is not None and metadata.jurisdiction not in params.jurisdictions:
        return "not among the requested jurisdictions"
    return None
