"""The wire side of coverage: what can be looked at, and what nobody can."""

from fastapi import APIRouter
from starlette.responses import Response

from bonafide.api.answers import document_answer
from bonafide.api.auth import Caller
from bonafide.api.operation import Answer, Operation, endpoint
from bonafide.api.parameters import ServedRuntime
from bonafide.model.accounts.organizations import Scope
from bonafide.services import coverage as service
from bonafide.services.coverage import CoverageOverview

TAG = "Coverage"
router = APIRouter(prefix="/v1")


@endpoint(
    router,
    "GET",
    ("/coverage",),
    Operation(
        operation_id="readCoverage",
        summary="See what can be looked at",
        tag=TAG,
        scope=Scope.SEARCH_READ,
        answers={200: Answer("Every jurisdiction and source as they stand", CoverageOverview, "coverage")},
    ),
)
async def read_coverage(runtime: ServedRuntime, caller: Caller) -> Response:
    """Each jurisdiction and each source: its route, the age of its data, its licence and its gaps.

    Where no program can look, it says why, and where a person can.
    """
    return document_answer(await service.coverage(runtime, caller.world))
