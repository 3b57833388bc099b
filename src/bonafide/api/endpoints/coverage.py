"""Endpoint of coverage: jurisdictions and sources, their age and their gaps."""

from fastapi import APIRouter
from starlette.responses import Response

from bonafide.api.description.operation import OperationResponse, OperationSpec, endpoint
from bonafide.api.protocol.dependencies import Caller, ServedRuntime
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
        summary="See what can be looked at",
        tag=TAG,
        scope=Scope.SEARCH_READ,
        answers={200: OperationResponse("Every jurisdiction and source as they stand", CoverageOverview, "coverage")},
    ),
)
async def read_coverage(runtime: ServedRuntime, caller: Caller) -> Response:
    """Each jurisdiction and each source: its route, the age of its data, its licence and its gaps.

    Where no program can look, it says why, and where a person can.
    """
    return create_document_response(await service.read_coverage(runtime, caller.world))
