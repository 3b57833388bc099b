"""Endpoints of monitoring: of one business record, and of all of the organization."""

from fastapi import APIRouter
from starlette.responses import Response

from bonafide.api.description.operation import OperationResponse, OperationSpec, endpoint
from bonafide.api.protocol.dependencies import Caller, PathId, ResponseLanguage, ServedRuntime
from bonafide.api.protocol.responses import create_document_response
from bonafide.errors import NotFound
from bonafide.model.accounts.organizations import Scope
from bonafide.model.monitoring.evaluations import MonitoringOverview, RecordMonitoringAnswer
from bonafide.services.monitoring import status

TAG = "Monitoring"
router = APIRouter(prefix="/v1")


@endpoint(
    router,
    "GET",
    ("/businesses/{id}/monitoring",),
    OperationSpec(
        operation_id="readBusinessMonitoring",
        summary="Get the monitoring of a business record",
        tag=TAG,
        scope=Scope.BUSINESSES_READ,
        path_id="BusinessId",
        answers={200: OperationResponse("The record's status and evaluations", RecordMonitoringAnswer, "business_monitoring")},
        errors=(NotFound,),
    ),
)
async def read_business_monitoring(
    runtime: ServedRuntime, caller: Caller, language: ResponseLanguage, business_id: PathId
) -> Response:
    """Return when the record was last evaluated against each source, and what that evaluation has found.

    A source against which the record could not be evaluated has the outcome `not_evaluated` with a reason; it never counts as no
    change. Every change that an evaluation finds is an event of the record (`GET /v1/events?businessId=`).
    """
    return create_document_response(await status.read_record_monitoring(runtime, caller.organization_id, business_id), language)


@endpoint(
    router,
    "GET",
    ("/monitoring",),
    OperationSpec(
        operation_id="readMonitoring",
        summary="Get the state of monitoring",
        tag=TAG,
        scope=Scope.BUSINESSES_READ,
        answers={200: OperationResponse("Records by status, and the sources", MonitoringOverview, "monitoring")},
    ),
)
async def read_monitoring(runtime: ServedRuntime, caller: Caller, language: ResponseLanguage) -> Response:
    """Return the number of monitored records by status, and the sources that they are evaluated against.

    `counts.neverEvaluated` should be 0 a few minutes after records begin to be monitored. A source with a `reason` holds
    evaluations up.
    """
    overview = await status.read_organization_overview(runtime, caller.organization_id, caller.world)
    return create_document_response(overview, language)
