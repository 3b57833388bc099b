"""Prepare a search: merge the request with the stored record and the defaults of the account.

What is sent counts more than the record, and the record more than the defaults; nothing is written to the record.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import UUID, uuid4

from bonafide.errors import FieldProblem, ValidationFailed
from bonafide.model.accounts.organizations import AccountSettings, MatchSelectionSettings, Principal, World
from bonafide.model.query import AddressInput, Query, SearchParams, SearchRequest
from bonafide.model.records.business_record import Author, BusinessRecord
from bonafide.model.search.result import Submitted
from bonafide.runtime import Runtime
from bonafide.services.accounts.organization_settings import read_settings
from bonafide.services.records.business_records import load_record
from bonafide.services.search.result_building import SearchHeader
from bonafide.store.records.searches import StoredSearch

BY_SEARCH = Author("system:search")
"""Who changes the system fields of a record that was searched."""
BY_SELECTION = Author("system:selection")


@dataclass(frozen=True, slots=True)
class PreparedSearch:
    """A search ready to run: whose it is, in which world it looks, what it asks, of which record, and how a match is selected."""

    heading: SearchHeader
    deadline_at: datetime
    """When whoever asked gives up."""
    organization_id: UUID
    world: World
    query: Query
    selection: MatchSelectionSettings
    record: BusinessRecord | None = None

    @property
    def search_id(self) -> UUID:
        """The search's id."""
        return self.heading.search_id


async def prepare_search(runtime: Runtime, principal: Principal, request: SearchRequest, waited_s: float = 0.0) -> PreparedSearch:
    """Read a request with its record and the account's settings; its deadline began when it arrived, `waited_s` ago.

    Raises `NotFound` for an unknown record, and `ValidationFailed` for references to two records and where nothing gives a name.
    """
    record = await _find_referenced_record(runtime, principal.organization_id, request)
    settings = await read_settings(runtime, principal.organization_id)
    hydrated = request if record is None else _fill_from_record(request, record)
    now, left = runtime.clock(), timedelta(seconds=runtime.settings.search_deadline_s - waited_s)
    heading = SearchHeader(uuid4(), now, principal.identity, _build_submitted(hydrated, record, settings))
    return _build_prepared_search(_SearchContext(principal.organization_id, principal.world, heading, now + left), settings, record)


async def restore_prepared_search(runtime: Runtime, organization_id: UUID, world: World, row: StoredSearch) -> PreparedSearch:
    """A queued search as it was prepared, with its record and the selection's settings as they are now."""
    heading = build_header(row)
    business_id = heading.submitted.business_id
    record = await _find_record(runtime, organization_id, business_id, None) if business_id is not None else None
    settings = await read_settings(runtime, organization_id)
    return _build_prepared_search(_SearchContext(organization_id, world, heading, row.deadline_at), settings, record)


def build_header(row: StoredSearch) -> SearchHeader:
    """The heading of a stored search, as it was when it was prepared."""
    return SearchHeader(row.id, row.searched_at, row.searched_by, Submitted.model_validate_json(row.request))


@dataclass(frozen=True, slots=True)
class _SearchContext:
    organization_id: UUID
    world: World
    heading: SearchHeader
    deadline_at: datetime


def _build_prepared_search(wanted: _SearchContext, settings: AccountSettings, record: BusinessRecord | None) -> PreparedSearch:
    submitted = wanted.heading.submitted
    assert submitted.name is not None  # noqa: S101 - a request without a name has been refused
    params = submitted.params
    address = params.address.as_address() if params.address is not None else None
    query = Query(submitted.name, params.registration_number, address, params.jurisdictions, params.limit)
    return PreparedSearch(
        wanted.heading, wanted.deadline_at, wanted.organization_id, wanted.world, query, settings.match_selection, record
    )


async def _find_referenced_record(runtime: Runtime, organization_id: UUID, request: SearchRequest) -> BusinessRecord | None:
    if request.business_id is None and request.business_external_id is None:
        return None
    return await _find_record(runtime, organization_id, request.business_id, request.business_external_id)


async def _find_record(
    runtime: Runtime, organization_id: UUID, business_id: UUID | None, external_id: str | None
) -> BusinessRecord:
    async with runtime.store.read() as connection:
        return await load_record(connection, organization_id, business_id, external_id)


def _fill_from_record(request: SearchRequest, record: BusinessRecord) -> SearchRequest:
    """The request, with what it does not say from the record. Its register is not among that: it would hide what others have."""
    name = record.name if record.name is not None else next(iter(record.operating_names), None)
    address = AddressInput.model_validate(record.address.model_dump())
    known = {
        "name": name,
        "registration_number": record.registration_number,
        "address": address if address != AddressInput() else None,
        "website": record.website,
    }
    return request.model_copy(update={field: value for field, value in known.items() if getattr(request, field) is None})


def _build_submitted(request: SearchRequest, record: BusinessRecord | None, settings: AccountSettings) -> Submitted:
    if request.name is None:
        problem = FieldProblem("name", "is required: the business record has no name")
        raise ValidationFailed(f"The request is not valid: {problem.path}: {problem.message}", details=[problem])
    params = _build_params(request, settings)
    return Submitted(
        name=request.name, website=request.website, business_id=record.id if record is not None else None, params=params
    )


def _build_params(request: SearchRequest, settings: AccountSettings) -> SearchParams:
    defaults = settings.search.model_dump()
    # A web site asks for its analysis, unless the account's settings or the request say otherwise.
    defaults["website_analysis"] = settings.search.website_analysis and request.website is not None
    defaults["match_selection"] = settings.match_selection.enabled
    given = {name: getattr(request, name) for name in SearchParams.model_fields if getattr(request, name) is not None}
    return SearchParams.model_validate({**defaults, **given})
