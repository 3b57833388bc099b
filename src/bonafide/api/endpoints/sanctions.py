"""Endpoints of sanctions screening and dismissals.

Every endpoint parses, calls one service and renders. `services/screening` does the work.
"""

from typing import Annotated

from fastapi import APIRouter, Depends, Request
from pydantic import Field
from starlette.responses import Response

from bonafide.api.description.operation import OperationResponse, OperationSpec, endpoint
from bonafide.api.endpoints.businesses import DEFAULT_PAGE, MAX_OFFSET, MAX_PAGE, AuditLogQuery, build_author
from bonafide.api.protocol.dependencies import Caller, PathId, ServedRuntime
from bonafide.api.protocol.query_string import create_query_parser
from bonafide.api.protocol.request_body import create_body_parser
from bonafide.api.protocol.responses import create_document_response, create_json_response
from bonafide.errors import NotFound, StaleWrite
from bonafide.model.accounts.organizations import Scope
from bonafide.model.base import Document
from bonafide.model.query import Text
from bonafide.model.records.business_record import AuditPage
from bonafide.model.screening.dismissals import Dismissal, DismissalPage, DismissalRequest
from bonafide.model.screening.requests import ScreeningAnswer, ScreeningRequest
from bonafide.services.screening import dismissals, standalone
from bonafide.store.records.dismissals import DismissalFilter

TAG = "Sanctions"
SCREENING_BODY_RULE = {"anyOf": [{"required": [field], "properties": {field: {"type": "string"}}} for field in ("query", "name")]}
router = APIRouter(prefix="/v1")


@endpoint(
    router,
    "POST",
    ("/sanctions",),
    OperationSpec(
        operation_id="screen",
        summary="Screen a name against sanctions lists",
        tag=TAG,
        scope=Scope.SANCTIONS_WRITE,
        body=ScreeningRequest,
        body_example="screening_request",
        body_rule=SCREENING_BODY_RULE,
        answers={200: OperationResponse("What the lists have", ScreeningAnswer, "screening")},
    ),
)
async def screen(
    runtime: ServedRuntime, caller: Caller, request: Annotated[ScreeningRequest, Depends(create_body_parser(ScreeningRequest))]
) -> Response:
    """Compare a name with every listed party, and say of each that comes near enough why.

    `lists` names each list that was screened, with its day and how many parties it has; a list that could not be screened is in
    `screening.listsNotScreened` and makes `errors.sanctionsScreening`: the answer is never silently without it. `source`
    `opensanctions` screens the collection of that name, where the operator has set it up. A hit that the organization has
    dismissed is there with `dismissed`. The answer is not stored.
    """
    return create_document_response(await standalone.create_screening(runtime, caller, request))


@endpoint(
    router,
    "POST",
    ("/sanctions/dismissals",),
    OperationSpec(
        operation_id="dismissHit",
        summary="Dismiss a hit",
        tag=TAG,
        scope=Scope.SANCTIONS_WRITE,
        body=DismissalRequest,
        body_example="dismissal_request",
        answers={201: OperationResponse("The dismissal", Dismissal, "dismissal")},
        errors=(NotFound, StaleWrite),
    ),
)
async def dismiss_hit(
    request: Request,
    runtime: ServedRuntime,
    caller: Caller,
    wanted: Annotated[DismissalRequest, Depends(create_body_parser(DismissalRequest))],
) -> Response:
    """Remember that a listed party is not the subject, with the reason.

    `subject` is what was screened (`entityType`, `countries` and `dateOfBirth` where they were given), `hit` the `source`,
    `entryId` and `digest` of the match. Every later screening of that subject, alone or in a search, shows the hit with
    `dismissed`. It is open again once `until` has come, the dismissal is revoked, or the list says anything else of the party;
    and it is open for a subject of whom more, less or something else is known. `STALE_WRITE` means that the party has changed
    since it was screened.
    """
    return create_json_response((await dismissals.dismiss(runtime, caller, wanted, build_author(request, caller))).to_json(), 201)


class DismissalQuery(Document):
    """Which dismissals to list."""

    limit: Annotated[int, Field(ge=1, le=MAX_PAGE, description="How many to list")] = DEFAULT_PAGE
    offset: Annotated[int, Field(ge=0, le=MAX_OFFSET, description="How many to pass over, from the newest")] = 0
    active: Annotated[bool | None, Field(description="Only those that hold, or only those that were revoked or have ended")] = None
    source: Annotated[Text | None, Field(description="Only those of this list")] = None


@endpoint(
    router,
    "GET",
    ("/sanctions/dismissals",),
    OperationSpec(
        operation_id="listDismissals",
        summary="List dismissed hits",
        tag=TAG,
        scope=Scope.SANCTIONS_READ,
        query=DismissalQuery,
        answers={200: OperationResponse("A page of dismissals, newest first", DismissalPage, "dismissal_page")},
    ),
)
async def list_dismissals(
    runtime: ServedRuntime, caller: Caller, query: Annotated[DismissalQuery, Depends(create_query_parser(DismissalQuery))]
) -> Response:
    """The organization's dismissals, those that were revoked or have ended among them: none is ever deleted."""
    chosen = DismissalFilter(query.active, query.source, runtime.clock())
    return create_document_response(
        await dismissals.list_dismissals(runtime, caller.organization_id, chosen, query.limit, query.offset)
    )


@endpoint(
    router,
    "GET",
    ("/sanctions/dismissals/{id}",),
    OperationSpec(
        operation_id="readDismissal",
        summary="Get a dismissed hit",
        tag=TAG,
        scope=Scope.SANCTIONS_READ,
        path_id="DismissalId",
        answers={200: OperationResponse("The dismissal", Dismissal, "dismissal")},
        errors=(NotFound,),
    ),
)
async def read_dismissal(runtime: ServedRuntime, caller: Caller, dismissal_id: PathId) -> Response:
    """One dismissal, and whether it holds."""
    return create_document_response(await dismissals.read_dismissal(runtime, caller.organization_id, dismissal_id))


class RevocationQuery(Document):
    """Why a dismissal is revoked."""

    reason: Annotated[Text | None, Field(description="Why; it stands in the dismissal and its trail")] = None


@endpoint(
    router,
    "DELETE",
    ("/sanctions/dismissals/{id}",),
    OperationSpec(
        operation_id="revokeDismissal",
        summary="Revoke a dismissal",
        tag=TAG,
        scope=Scope.SANCTIONS_WRITE,
        path_id="DismissalId",
        query=RevocationQuery,
        answers={200: OperationResponse("The dismissal as it is now", Dismissal, "dismissal")},
        errors=(NotFound,),
    ),
)
async def revoke_dismissal(
    request: Request,
    runtime: ServedRuntime,
    caller: Caller,
    dismissal_id: PathId,
    query: Annotated[RevocationQuery, Depends(create_query_parser(RevocationQuery))],
) -> Response:
    """Open the hit again from now on. The dismissal stays, with who revoked it, when and why."""
    author = build_author(request, caller)
    return create_document_response(await dismissals.revoke(runtime, caller.organization_id, dismissal_id, query.reason, author))


@endpoint(
    router,
    "GET",
    ("/sanctions/dismissals/{id}/audit",),
    OperationSpec(
        operation_id="readDismissalTrail",
        summary="Get what became of a dismissal",
        tag=TAG,
        scope=Scope.SANCTIONS_READ,
        path_id="DismissalId",
        query=AuditLogQuery,
        answers={200: OperationResponse("A stretch of the trail, oldest first", AuditPage, "audit_page")},
        errors=(NotFound,),
    ),
)
async def read_dismissal_audit_log(
    runtime: ServedRuntime,
    caller: Caller,
    dismissal_id: PathId,
    query: Annotated[AuditLogQuery, Depends(create_query_parser(AuditLogQuery))],
) -> Response:
    """That it was made and that it was revoked: by whom, when, in which request."""
    page = await dismissals.read_dismissal_audit_log(runtime, caller.organization_id, dismissal_id, query.limit, query.offset)
    return create_document_response(page)
