"""Endpoints of searches: create, list, read, archive, select a match.

Every endpoint parses, calls one service and renders. `services/search` does the work.
"""

from typing import Annotated

from fastapi import APIRouter, Depends
from pydantic import Field
from starlette.responses import Response

from bonafide.api.description.components import reference_parameter
from bonafide.api.description.operation import OperationResponse, OperationSpec, endpoint
from bonafide.api.endpoints.businesses import DEFAULT_PAGE, MAX_OFFSET, MAX_PAGE
from bonafide.api.protocol.dependencies import RESPOND_ASYNC, Caller, PathId, RespondAsync, ServedRuntime, WaitedSeconds
from bonafide.api.protocol.query_string import create_query_parser
from bonafide.api.protocol.request_body import create_body_parser
from bonafide.api.protocol.responses import create_document_response, create_json_response
from bonafide.errors import Conflict, MatchNotFound, NotFound, SearchNotFound
from bonafide.model.accounts.organizations import Scope
from bonafide.model.base import Document
from bonafide.model.query import SearchRequest, Text
from bonafide.model.search.result import HistoryItem, SearchHistory, SearchResult
from bonafide.model.search.selection import MatchChoice, MatchSelectionOutcome, SearchUpdate
from bonafide.services.search import execution, history
from bonafide.store.records.searches import HistoryFilter

TAG = "Searches"
SEARCH_BODY_RULE = {
    "anyOf": [
        {"required": [field], "properties": {field: {"type": "string"}}} for field in ("name", "businessId", "businessExternalId")
    ]
}
router = APIRouter(prefix="/v1")


class HistoryQuery(Document):
    """Which past searches to list."""

    limit: Annotated[int, Field(ge=1, le=MAX_PAGE, description="How many to list")] = DEFAULT_PAGE
    offset: Annotated[int, Field(ge=0, le=MAX_OFFSET, description="How many to pass over, from the newest")] = 0
    query: Annotated[Text | None, Field(description="Only searches whose query contains this text")] = None
    archived: Annotated[bool | None, Field(description="Only archived searches, or only the others")] = None


@endpoint(
    router,
    "POST",
    ("/search", "/searches"),
    OperationSpec(
        operation_id="createSearch",
        summary="Create a search",
        tag=TAG,
        scope=Scope.SEARCH_WRITE,
        body=SearchRequest,
        body_example="search_request",
        body_rule=SEARCH_BODY_RULE,
        parameters=(reference_parameter("Prefer"),),
        answers={
            200: OperationResponse("The result", SearchResult, "search_result"),
            202: OperationResponse(
                "The search will run", SearchResult, "search_loading", headers=("Preference-Applied", "Location")
            ),
        },
        errors=(NotFound,),
    ),
)
async def create_search(
    runtime: ServedRuntime,
    caller: Caller,
    request: Annotated[SearchRequest, Depends(create_body_parser(SearchRequest))],
    respond_async: RespondAsync,
    waited_s: WaitedSeconds,
) -> Response:
    """Look a business up in the registers and in the lists of regulators, and store what was found.

    `meta.coverage` says which sources were asked and which could not be; `errors` says why. With `Prefer: respond-async` the answer
    is 202 and the search runs afterwards: read it with `GET /v1/search/{id}`.
    """
    answer = await execution.create_search(runtime, caller, request, respond_async=respond_async, waited_s=waited_s)
    if not answer.loading:
        return create_json_response(answer.document.body)
    return create_json_response(
        answer.document.body, 202, {"Preference-Applied": RESPOND_ASYNC, "Location": f"{router.prefix}/search/{answer.search_id}"}
    )


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
        answers={200: OperationResponse("A page of the history, newest first", SearchHistory, "search_history")},
    ),
)
async def list_searches(
    runtime: ServedRuntime, caller: Caller, query: Annotated[HistoryQuery, Depends(create_query_parser(HistoryQuery))]
) -> Response:
    """The organization's searches, newest first."""
    chosen = HistoryFilter(query=query.query, archived=query.archived)
    return create_document_response(
        await history.list_search_history(runtime, caller.organization_id, chosen, query.limit, query.offset)
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
async def read_search(runtime: ServedRuntime, caller: Caller, search_id: PathId) -> Response:
    """The stored result of a search, as it was answered. Nothing is looked up again."""
    return create_json_response((await execution.read_search(runtime, caller.organization_id, search_id)).body)


@endpoint(
    router,
    "PATCH",
    ("/search/{id}", "/searches/{id}"),
    OperationSpec(
        operation_id="updateSearch",
        summary="Archive a search",
        tag=TAG,
        scope=Scope.SEARCH_WRITE,
        body=SearchUpdate,
        body_example="search_update",
        answers={200: OperationResponse("The search as the history lists it now", HistoryItem, "history_item")},
        errors=(NotFound,),
    ),
)
async def update_search(
    runtime: ServedRuntime,
    caller: Caller,
    search_id: PathId,
    update: Annotated[SearchUpdate, Depends(create_body_parser(SearchUpdate))],
) -> Response:
    """Put a search away, or take it out again. Its result stays as it is."""
    return create_document_response(
        await history.archive_search(runtime, caller.organization_id, search_id, archived=update.archived)
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
        answers={200: OperationResponse("The selection as it stands now", MatchSelectionOutcome, "match_selection")},
        errors=(MatchNotFound, SearchNotFound, Conflict),
    ),
)
async def select_match(
    runtime: ServedRuntime,
    caller: Caller,
    search_id: PathId,
    choice: Annotated[MatchChoice, Depends(create_body_parser(MatchChoice))],
) -> Response:
    """Choose one of the search's matches, or say that none is to be used. A later choice replaces an earlier one."""
    selection = await history.choose_match(runtime, caller.organization_id, search_id, choice, caller.identity)
    return create_document_response(MatchSelectionOutcome.of(selection))
