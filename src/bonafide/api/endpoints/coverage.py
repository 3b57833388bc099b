"""Endpoint of coverage: jurisdictions and sources, their age and their gaps."""

from fastapi import APIRouter
from starlette.responses import Response

from bonafide.api.description.operation import OperationResponse, OperationSpec, endpoint
from bonafide.api.protocol.dependencies import Caller, ResponseLanguage, ServedRuntime
from bonafide.api.protocol.responses import create_document_response
from bonafide.model.accounts.organizations import Scope
from bonafide.services.catalog import coverage as service
from bonafide.services.catalog.coverage import CoverageOverview

TAG = "Coverage"
router = APIRouter(prefix="/v1")


@endpoint(
    router,
    "GET",
    ("/coverage",),
    OperationSpec(
        operation_id="readCoverage",
        summary="Get source coverage",
        tag=TAG,
        scope=Scope.SEARCH_READ,
        answers={200: OperationResponse("The current state of every jurisdiction and source", CoverageOverview, "coverage")},
    ),
)
async def read_coverage(runtime: ServedRuntime, caller: Caller, language: ResponseLanguage) -> Response:
    """List every jurisdiction and every source with its route, the age of its data, its licence and its gaps.

    For a source that cannot be queried automatically, `note` explains why and `page` is where a person can search it.
    """
    return create_document_response(await service.read_coverage(runtime, caller.world), language)
