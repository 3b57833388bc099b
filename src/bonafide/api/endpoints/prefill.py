"""Endpoint that suggests businesses while a person types.

It parses the query, calls the service and renders the result. The index ranks the businesses.
"""

from typing import Annotated

from fastapi import APIRouter, Depends
from pydantic import Field
from starlette.responses import Response

from bonafide.api.description.operation import OperationResponse, OperationSpec, endpoint
from bonafide.api.protocol.dependencies import Caller, ResponseLanguage, ServedRuntime
from bonafide.api.protocol.query_string import create_query_parser
from bonafide.api.protocol.responses import create_document_response
from bonafide.model.accounts.organizations import Scope
from bonafide.model.base import Document
from bonafide.model.query import MAX_NAME_CHARACTERS, MAX_RESULTS, JurisdictionName, Text
from bonafide.model.search.result import Prefill
from bonafide.services.search import prefill as service

MIN_CHARACTERS = 2
"""Minimum length of a name. Shorter prefixes match a large part of every register."""
DEFAULT_CANDIDATES = 10
TAG = "Pre-fill"
router = APIRouter(prefix="/v1")


class PrefillQuery(Document):
    """What has been typed so far."""

    query: Annotated[
        Text,
        Field(
            min_length=MIN_CHARACTERS,
            max_length=MAX_NAME_CHARACTERS,
            description="The beginning of a business name, or of its words.",
            examples=["sandbox ba"],
        ),
    ]
    jurisdiction: Annotated[
        JurisdictionName | None,
        Field(description="Return businesses of this jurisdiction only, given as a code or full name.", examples=["ON"]),
    ] = None
    limit: Annotated[int, Field(ge=1, le=MAX_RESULTS, description="Maximum number of candidates to return.", examples=[10])] = (
        DEFAULT_CANDIDATES
    )


@endpoint(
    router,
    "GET",
    ("/prefill",),
    OperationSpec(
        operation_id="prefill",
        summary="Suggest businesses while a name is typed",
        tag=TAG,
        scope=Scope.SEARCH_READ,
        query=PrefillQuery,
        answers={200: OperationResponse("The candidates, best first", Prefill, "prefill")},
    ),
)
async def prefill(
    runtime: ServedRuntime,
    caller: Caller,
    language: ResponseLanguage,
    query: Annotated[PrefillQuery, Depends(create_query_parser(PrefillQuery))],
) -> Response:
    """Suggest registered businesses whose name starts with the query. Nothing is stored, and no live source is queried."""
    return create_document_response(await service.prefill(runtime, caller, query.query, query.jurisdiction, query.limit), language)
