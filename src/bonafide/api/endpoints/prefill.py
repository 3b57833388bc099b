"""Endpoint that suggests businesses while a person types.

It parses, calls the service and renders; which businesses come up is the index's business.
"""

from typing import Annotated

from fastapi import APIRouter, Depends
from pydantic import Field
from starlette.responses import Response

from bonafide.api.description.operation import OperationResponse, OperationSpec, endpoint
from bonafide.api.protocol.dependencies import Caller, ServedRuntime
from bonafide.api.protocol.query_string import create_query_parser
from bonafide.api.protocol.responses import create_document_response
from bonafide.model.accounts.organizations import Scope
from bonafide.model.base import Document
from bonafide.model.jurisdiction import Jurisdiction
from bonafide.model.query import MAX_NAME_CHARACTERS, MAX_RESULTS, Text
from bonafide.model.search.result import Prefill
from bonafide.services.search import prefill as service

MIN_CHARACTERS = 2
"""Of a name; fewer begin a good part of every register."""
DEFAULT_CANDIDATES = 10
TAG = "Pre-fill"
router = APIRouter(prefix="/v1")


class PrefillQuery(Document):
    """What was typed so far."""

    query: Annotated[
        Text,
        Field(min_length=MIN_CHARACTERS, max_length=MAX_NAME_CHARACTERS, description="The beginning of a name, or of its words"),
    ]
    jurisdiction: Annotated[Jurisdiction | None, Field(description="Only this register")] = None
    limit: Annotated[int, Field(ge=1, le=MAX_RESULTS, description="How many candidates to offer")] = DEFAULT_CANDIDATES


@endpoint(
    router,
    "GET",
    ("/prefill",),
    OperationSpec(
        operation_id="prefill",
        summary="Offer businesses for what was typed",
        tag=TAG,
        scope=Scope.SEARCH_READ,
        query=PrefillQuery,
        answers={200: OperationResponse("The candidates, best first", Prefill, "prefill")},
    ),
)
async def prefill(
    runtime: ServedRuntime, caller: Caller, query: Annotated[PrefillQuery, Depends(create_query_parser(PrefillQuery))]
) -> Response:
    """Registered businesses whose name starts as typed. Nothing is stored, and no register is called."""
    return create_document_response(await service.prefill(runtime, caller, query.query, query.jurisdiction, query.limit))
