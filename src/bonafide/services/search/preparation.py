"""Prepare a search: merge the request with the stored record and the defaults of the account.

The request takes precedence over the record, and the record over the defaults; nothing is written to the record.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import UUID, uuid4

from bonafide.errors import ScopeMissing, ValidationFailed
from bonafide.i18n.message import Message
from bonafide.matching.entries.query import Query
from bonafide.model.accounts.account_settings import AccountSettings, MatchSelectionSettings
from bonafide.model.accounts.organizations import Principal, Scope, World
from bonafide.model.invisible_characters import find_invisible_characters, remove_invisible_characters
from bonafide.model.query import AddressInput, SearchParams, SearchRequest, mask_credentials
from bonafide.model.records.business_record import Author, BusinessRecord
from bonafide.model.search.match import Baseline
from bonafide.model.search.result import Submitted
from bonafide.runtime import Runtime
from bonafide.services.accounts.organizations import read_settings
from bonafide.services.ownership.claims import JoinedStatements
from bonafide.services.ownership.statements import load_ownership
from bonafide.services.records.business_records import find_record
from bonafide.store.records.searches import StoredSearch

BY_SEARCH = Author("system:search")
"""The author of changes that a search makes to the system fields of its record."""
BY_SELECTION = Author("system:selection")


@dataclass(frozen=True, slots=True)
class PreparedSearch:
    """A search that is ready to run. `submitted` has the parameters with their defaults, `query` the name in its normal form.

    The search ends by `deadline_at`. `selection` has the thresholds of match selection; `record` is the stored record that
    the search refers to, if any.
    """

    search_id: UUID
    organization_id: UUID
    world: World
    searched_at: datetime
    searched_by: str
    deadline_at: datetime
    submitted: Submitted
    query: Query
    selection: MatchSelectionSettings
    record: BusinessRecord | None = None
    owned: JoinedStatements | None = None
    """What is stated about the owners of the record; None without a statement, and if no sanctions list is screened."""

    @property
    def baseline(self) -> Baseline:
        """The data that the matches of the search are compared with."""
        return Baseline.RECORD if self.record is not None else Baseline.QUERY


async def prepare_search(runtime: Runtime, principal: Principal, request: SearchRequest, waited_s: float = 0.0) -> PreparedSearch:
    """Merge a request with its record and the account's settings. Its deadline counts from its arrival, `waited_s` ago.

    Raises `NotFound` for an unknown record, `ValidationFailed` for references to two records and without a name, and `ScopeMissing`
    for a record, or a screening, that the key may not read or run.
    """
    record = None
    if request.business_id is not None or request.business_external_id is not None:
        principal.check_scope(Scope.BUSINESSES_READ, "businessId" if request.business_id is not None else "businessExternalId")
        record = await find_record(
            runtime, principal.organization_id, business_id=request.business_id, external_id=request.business_external_id
        )
    settings = await read_settings(runtime, principal.organization_id)
    _check_screening_scope(principal, request, settings)
    submitted = _build_submitted(request if record is None else _fill_from_record(request, record), record, settings)
    now = runtime.clock()
    return PreparedSearch(
        search_id=uuid4(),
        organization_id=principal.organization_id,
        world=principal.world,
        searched_at=now,
        searched_by=principal.identity,
        deadline_at=now + timedelta(seconds=runtime.settings.search_deadline_s - waited_s),
        submitted=submitted,
        query=_build_query(submitted),
        selection=settings.match_selection,
        record=record,
        owned=await _load_owners(runtime, principal.organization_id, submitted),
    )


def _check_screening_scope(principal: Principal, request: SearchRequest, settings: AccountSettings) -> None:
    """Raise `ScopeMissing` for a search that screens sanctions lists with a key that may not."""
    if request.sanctions_screening:
        principal.check_scope(Scope.SANCTIONS_WRITE, "sanctionsScreening")
    # A check that the account's settings enable must not be left out silently.
    if (
        request.sanctions_screening is None
        and settings.search.sanctions_screening
        and Scope.SANCTIONS_WRITE not in principal.scopes
    ):
        raise ScopeMissing(
            Message(
                "The account settings enable `sanctionsScreening`, which requires the scope `{scope}`. This API key lacks it. "
                "To search without screening, send `sanctionsScreening` as false.",
                scope=Scope.SANCTIONS_WRITE.value,
            )
        )


async def _load_owners(runtime: Runtime, organization_id: UUID, submitted: Submitted) -> JoinedStatements | None:
    if submitted.business_id is None or not submitted.params.sanctions_screening:
        return None
    return (await load_ownership(runtime, organization_id, submitted.business_id)).joined


async def restore_prepared_search(runtime: Runtime, organization_id: UUID, world: World, row: StoredSearch) -> PreparedSearch:
    """A queued search as it was prepared, with the current record and settings of match selection."""
    submitted = Submitted.model_validate_json(row.request)
    business_id = submitted.business_id
    record = await find_record(runtime, organization_id, business_id=business_id) if business_id is not None else None
    settings = await read_settings(runtime, organization_id)
    return PreparedSearch(
        search_id=row.id,
        organization_id=organization_id,
        world=world,
        searched_at=row.searched_at,
        searched_by=row.searched_by,
        deadline_at=row.deadline_at,
        submitted=submitted,
        query=_build_query(submitted),
        selection=settings.match_selection,
        record=record,
        owned=await _load_owners(runtime, organization_id, submitted),
    )


def _build_query(submitted: Submitted) -> Query:
    assert submitted.name is not None  # noqa: S101 - a request without a name has been rejected
    params = submitted.params
    address = params.address.as_address() if params.address is not None else None
    return Query(submitted.name, params.registration_number, address, params.jurisdictions, params.limit)


def _fill_from_record(request: SearchRequest, record: BusinessRecord) -> SearchRequest:
    """Fill omitted fields of the request from the record, except the jurisdiction, which would exclude other registers."""
    name = record.name if record.name is not None else next(iter(record.operating_names), None)
    address = AddressInput.model_validate(record.address.model_dump())
    known = {
        "name": name,
        "registration_number": record.registration_number,
        "address": address if not address.is_empty else None,
        "website": mask_credentials(record.website) if record.website is not None else None,
    }
    return request.model_copy(update={field: value for field, value in known.items() if getattr(request, field) is None})


def _build_submitted(request: SearchRequest, record: BusinessRecord | None, settings: AccountSettings) -> Submitted:
    if request.name is None:
        raise ValidationFailed.of_field("name", Message("is required, because the business record has no name"))
    params = _build_params(request, settings)
    return Submitted(
        name=remove_invisible_characters(request.name),
        website=request.website,
        business_id=record.id if record is not None else None,
        params=params,
        removed_characters=tuple(find_invisible_characters(request.name)),
    )


def _build_params(request: SearchRequest, settings: AccountSettings) -> SearchParams:
    defaults = settings.search.model_dump()
    # A web site is analysed unless the account's settings or the request disable it.
    defaults["website_analysis"] = settings.search.website_analysis and request.website is not None
    defaults["match_selection"] = settings.match_selection.enabled
    given = {name: value for name in SearchParams.model_fields if (value := getattr(request, name, None)) is not None}
    return SearchParams.model_validate({**defaults, **given})
