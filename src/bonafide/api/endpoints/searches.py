"""Endpoints of searches: create, list, read, archive, select a match.

Every endpoint parses, calls one service and renders. `services/search` does the work.
"""

from typing import Annotated

from fastapi import APIRouter, Depends, Request
from pydantic import Field
from starlette.responses import Response

from bonafide.api.description.components import reference_parameter
from bonafide.api.description.operation import OperationResponse, OperationSpec, endpoint
from bonafide.api.endpoints.businesses import (
    DEFAULT_PAGE,
    MAX_OFFSET,
    MAX_PAGE,
    ErasureBody,
    build_author,
    describe_erasure,
)
from bonafide.api.protocol.dependencies import (
    RESPOND_ASYNC,
    Caller,
    ElapsedSeconds,
    PathId,
    RespondAsync,
    ResponseLanguage,
    ServedRuntime,
)
from bonafide.api.protocol.idempotency import respond_once
from bonafide.api.protocol.query_string import create_query_parser
from bonafide.api.protocol.request_body import create_body_parser
from bonafide.api.protocol.responses import create_document_response, create_stored_response
from bonafide.errors import Conflict, MatchNotFound, NotFound, SearchNotFound
from bonafide.model.accounts.organizations import Scope
from bonafide.model.base import Document
from bonafide.model.query import SearchRequest, Text
from bonafide.model.search.result import HistoryItem, SearchHistory, SearchResult
from bonafide.model.search.selection import MatchChoice, MatchSelectionOutcome, SearchUpdate
from bonafide.services.retention import erasure_requests
from bonafide.services.retention.erasure_requests import ErasableCheck
from bonafide.services.search import execution, history
from bonafide.store.records.searches import HistoryFilter

TAG = "Searches"
router = APIRouter(prefix="/v1")


class HistoryQuery(Document):
    """Which past searches to list."""

    limit: Annotated[int, Field(ge=1, le=MAX_PAGE, description="Maximum number of searches to return.", examples=[25])] = (
        DEFAULT_PAGE
    )
    offset: Annotated[int, Field(ge=0, le=MAX_OFFSET, description="Number of searches to skip, from the newest.", examples=[0])] = 0
    query: Annotated[
        Text | None, Field(description="Return only searches whose query contains this text.", examples=["bakery"])
    ] = None
    archived: Annotated[
        bool | None, Field(description="`true` for archived searches only, `false` for the others only.", examples=[False])
    ] = None


@endpoint(
    router,
    "POST",
    ("/search", "/searches"),
    OperationSpec(
        operation_id="createSearch",
        summary="Create a search",
        tag=TAG,
        scope=Scope.SEARCH_WRITE,
        further_scopes={
            "businessId": Scope.BUSINESSES_READ,
            "businessExternalId": Scope.BUSINESSES_READ,
            "sanctionsScreening": Scope.SANCTIONS_WRITE,
        },
        body=SearchRequest,
        body_example="search_request",
        parameters=(reference_parameter("Prefer"),),
        answers={
            200: OperationResponse("The search result", SearchResult, "search_result"),
            202: OperationResponse(
                "The search was accepted and will run", SearchResult, "search_loading", headers=("Preference-Applied", "Location")
            ),
        },
        errors=(NotFound,),
    ),
)
async def create_search(
    runtime: ServedRuntime,
    caller: Caller,
    language: ResponseLanguage,
    request: Annotated[SearchRequest, Depends(create_body_parser(SearchRequest))],
    respond_async: RespondAsync,
    elapsed_s: ElapsedSeconds,
) -> Response:
    """Search business registries and regulatory registries for a business, and store the result.

    One of `name`, `businessId` and `businessExternalId` is required. `meta.coverage` lists which sources were searched and which
    were unavailable; `errors` explains why. With `Prefer: respond-async` the response is 202 and the search runs in the background:
    read its result with `GET /v1/search/{id}`.
    """
    work = execution.create_search(runtime, caller, request, respond_async=respond_async, waited_s=elapsed_s())

    def respond(reply: execution.SearchReply) -> Response:
        if not reply.loading:
            return create_stored_response(SearchResult, reply.document, language)
        headers = {"Preference-Applied": RESPOND_ASYNC, "Location": f"{router.prefix}/search/{reply.search_id}"}
        return create_stored_response(SearchResult, reply.document, language, 202, headers)

    return await respond_once(work, respond)


@endpoint(
    router,
    "GET",
    ("/search/history", "/searches"),
    OperationSpec(
        operation_id="listSearches",
        summary="List past searches",
        tag=TAG,
        scope=Scope.SEARCH_READ,
        query=HistoryQuery,
        answers={200: OperationResponse("A page of the search history, newest first", SearchHistory, "search_history")},
    ),
)
async def list_searches(
    runtime: ServedRuntime,
    caller: Caller,
    language: ResponseLanguage,
    query: Annotated[HistoryQuery, Depends(create_query_parser(HistoryQuery))],
) -> Response:
    """List the organization's searches, newest first."""
    chosen = HistoryFilter(query=query.query, archived=query.archived)
    return create_document_response(
        await history.list_search_history(runtime, caller.organization_id, chosen, query.limit, query.offset), language
    )


@endpoint(
    router,
    "GET",
    ("/search/{id}", "/searches/{id}"),
    OperationSpec(
        operation_id="readSearch",
        summary="Get a search result",
        tag=TAG,
        scope=Scope.SEARCH_READ,
        answers={200: OperationResponse("The stored result", SearchResult, "search_result")},
        errors=(NotFound,),
    ),
)
async def read_search(runtime: ServedRuntime, caller: Caller, language: ResponseLanguage, search_id: PathId) -> Response:
    """Return the stored result of a search. The search is not run again.

    Only `reportUrl` and `reportUrlExpiresAt` are new: each response has signed URLs that work.
    """
    document = await execution.read_search_with_reports(runtime, caller.organization_id, search_id)
    return create_stored_response(SearchResult, document, language)


@endpoint(
    router,
    "PATCH",
    ("/search/{id}", "/searches/{id}"),
    OperationSpec(
        operation_id="updateSearch",
        summary="Archive or restore a search",
        tag=TAG,
        scope=Scope.SEARCH_WRITE,
        body=SearchUpdate,
        body_example="search_update",
        answers={200: OperationResponse("The search as listed in the history", HistoryItem, "history_item")},
        errors=(NotFound,),
    ),
)
async def update_search(
    runtime: ServedRuntime,
    caller: Caller,
    language: ResponseLanguage,
    search_id: PathId,
    update: Annotated[SearchUpdate, Depends(create_body_parser(SearchUpdate))],
) -> Response:
    """Archive a search, or restore an archived one. Its result is unchanged."""
    return create_document_response(
        await history.archive_search(runtime, caller.organization_id, search_id, archived=update.archived), language
    )


@endpoint(
    router,
    "POST",
    ("/search/{id}/selection", "/searches/{id}/selection"),
    OperationSpec(
        operation_id="selectMatch",
        summary="Resolve a search's match",
        tag=TAG,
        scope=Scope.SEARCH_WRITE,
        body=MatchChoice,
        body_example="match_choice",
        answers={200: OperationResponse("The new selection", MatchSelectionOutcome, "match_selection")},
        errors=(MatchNotFound, SearchNotFound, Conflict),
    ),
)
async def select_match(
    request: Request,
    runtime: ServedRuntime,
    caller: Caller,
    language: ResponseLanguage,
    search_id: PathId,
    choice: Annotated[MatchChoice, Depends(create_body_parser(MatchChoice))],
) -> Response:
    """Select one of the search's matches, or record that none applies. A later selection replaces an earlier one.

    The search of a business record is compared with the record again, which also requires the scope `businesses:read`. A search
    that is still running or has failed returns 409 with its status.
    """
    work = history.choose_match(runtime, caller.organization_id, search_id, choice, build_author(request, caller), caller)
    return await respond_once(work, lambda selection: create_document_response(MatchSelectionOutcome.of(selection), language))


@endpoint(router, "POST", ("/search/{id}/erase",), describe_erasure("eraseSearch", "Erase a search", TAG, "SearchId"))
async def erase_search(
    request: Request,
    runtime: ServedRuntime,
    caller: Caller,
    language: ResponseLanguage,
    search_id: PathId,
    erasure: ErasureBody,
) -> Response:
    """Erase a search with its result and its PDFs. This can't be undone.

    The search is unknown at once. A worker then erases its events and the content of its entries in the audit log, which can still
    be verified. Examiner's packs that may contain it are deleted. Its business record and cases are kept. `CONFLICT` means
    that a legal hold is in place, on the organization or on its business record.
    """
    check, author = (ErasableCheck.SEARCH, search_id), build_author(request, caller)
    work = erasure_requests.erase_check(runtime, caller.organization_id, check, erasure, author)
    return await respond_once(work, lambda accepted: create_document_response(accepted, language, 202))
