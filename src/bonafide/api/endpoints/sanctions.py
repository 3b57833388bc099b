"""Endpoints of sanctions screening and dismissals.

Every endpoint parses, calls one service and renders. `services/screening` does the work.
"""

from typing import Annotated

from fastapi import APIRouter, Depends, Request
from pydantic import Field
from starlette.responses import Response

from bonafide.api.description.operation import OperationResponse, OperationSpec, endpoint
from bonafide.api.endpoints.businesses import DEFAULT_PAGE, MAX_OFFSET, MAX_PAGE, AuditLogQuery, build_author
from bonafide.api.protocol.dependencies import Caller, PathId, ResponseLanguage, ServedRuntime
from bonafide.api.protocol.idempotency import respond_once
from bonafide.api.protocol.query_string import create_query_parser
from bonafide.api.protocol.request_body import create_body_parser
from bonafide.api.protocol.responses import create_document_response
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
        answers={200: OperationResponse("The screening result", ScreeningAnswer, "screening")},
    ),
)
async def screen(
    runtime: ServedRuntime,
    caller: Caller,
    language: ResponseLanguage,
    request: Annotated[ScreeningRequest, Depends(create_body_parser(ScreeningRequest))],
) -> Response:
    """Compare a name with every listed party and explain each match above the threshold.

    `lists` names each screened list with its date and its number of parties. A list that could not be screened appears in
    `screening.listsNotScreened` and sets `errors.sanctionsScreening`. `source` `opensanctions` screens the OpenSanctions collection
    if it is configured. A match that the organization has dismissed has `dismissed`. The result is not stored.
    """
    return create_document_response(await standalone.create_screening(runtime, caller, request), language)


@endpoint(
    router,
    "POST",
    ("/sanctions/dismissals",),
    OperationSpec(
        operation_id="dismissHit",
        summary="Dismiss a sanctions hit",
        tag=TAG,
        scope=Scope.SANCTIONS_WRITE,
        further_scopes={"businessId": Scope.BUSINESSES_READ},
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
    language: ResponseLanguage,
    wanted: Annotated[DismissalRequest, Depends(create_body_parser(DismissalRequest))],
) -> Response:
    """Record that a listed party is not the subject, with the reason.

    `subject` is what was screened, with `entityType`, `countries` and `dateOfBirth` if they were given; `hit` is the `source`,
    `entryId` and `digest` of the match. Every later screening of the same subject, separately or in a search, returns the match
    with `dismissed`. The hit reopens at `until`, when the dismissal is revoked, or when the listing changes, and it stays open for
    a subject with different details. An active dismissal of the same hit is replaced; one with the same reason and end is returned
    as it is. `STALE_WRITE` means that the listing has changed since it was screened.
    """
    work = dismissals.dismiss(runtime, caller, wanted, build_author(request, caller))
    return await respond_once(work, lambda dismissal: create_document_response(dismissal, language, 201))


class DismissalQuery(Document):
    """Which dismissals to list."""

    limit: Annotated[int, Field(ge=1, le=MAX_PAGE, description="Maximum number of dismissals to return.", examples=[25])] = (
        DEFAULT_PAGE
    )
    offset: Annotated[
        int, Field(ge=0, le=MAX_OFFSET, description="Number of dismissals to skip, from the newest.", examples=[0])
    ] = 0
    active: Annotated[
        bool | None,
        Field(description="`true` for active dismissals only, `false` for revoked and expired ones only.", examples=[True]),
    ] = None
    source: Annotated[
        Text | None, Field(description="Return dismissals of this list only.", examples=["ca-sanctions-autonomous"])
    ] = None


@endpoint(
    router,
    "GET",
    ("/sanctions/dismissals",),
    OperationSpec(
        operation_id="listDismissals",
        summary="List dismissals",
        tag=TAG,
        scope=Scope.SANCTIONS_READ,
        query=DismissalQuery,
        answers={200: OperationResponse("A page of dismissals, newest first", DismissalPage, "dismissal_page")},
    ),
)
async def list_dismissals(
    runtime: ServedRuntime,
    caller: Caller,
    language: ResponseLanguage,
    query: Annotated[DismissalQuery, Depends(create_query_parser(DismissalQuery))],
) -> Response:
    """List the organization's dismissals, including revoked and expired ones: none is ever deleted."""
    chosen = DismissalFilter(query.active, query.source, runtime.clock())
    return create_document_response(
        await dismissals.list_dismissals(runtime, caller.organization_id, chosen, query.limit, query.offset), language
    )


@endpoint(
    router,
    "GET",
    ("/sanctions/dismissals/{id}",),
    OperationSpec(
        operation_id="readDismissal",
        summary="Get a dismissal",
        tag=TAG,
        scope=Scope.SANCTIONS_READ,
        path_id="DismissalId",
        answers={200: OperationResponse("The dismissal", Dismissal, "dismissal")},
        errors=(NotFound,),
    ),
)
async def read_dismissal(runtime: ServedRuntime, caller: Caller, language: ResponseLanguage, dismissal_id: PathId) -> Response:
    """Return a dismissal and its status."""
    return create_document_response(await dismissals.read_dismissal(runtime, caller.organization_id, dismissal_id), language)


class RevocationQuery(Document):
    """Why a dismissal is revoked."""

    reason: Annotated[
        Text | None,
        Field(description="The reason, recorded in the dismissal and its audit log.", examples=["Date of birth does not match"]),
    ] = None


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
        answers={200: OperationResponse("The revoked dismissal", Dismissal, "dismissal")},
        errors=(NotFound,),
    ),
)
async def revoke_dismissal(
    request: Request,
    runtime: ServedRuntime,
    caller: Caller,
    language: ResponseLanguage,
    dismissal_id: PathId,
    query: Annotated[RevocationQuery, Depends(create_query_parser(RevocationQuery))],
) -> Response:
    """Reopen the hit. The dismissal is kept, with who revoked it, when and why."""
    author = build_author(request, caller)
    return create_document_response(
        await dismissals.revoke(runtime, caller.organization_id, dismissal_id, query.reason, author), language
    )


@endpoint(
    router,
    "GET",
    ("/sanctions/dismissals/{id}/audit",),
    OperationSpec(
        operation_id="readDismissalTrail",
        summary="Get the audit log of a dismissal",
        tag=TAG,
        scope=Scope.SANCTIONS_READ,
        path_id="DismissalId",
        query=AuditLogQuery,
        answers={200: OperationResponse("A page of the audit log, oldest entry first", AuditPage, "audit_page")},
        errors=(NotFound,),
    ),
)
async def read_dismissal_audit_log(
    runtime: ServedRuntime,
    caller: Caller,
    language: ResponseLanguage,
    dismissal_id: PathId,
    query: Annotated[AuditLogQuery, Depends(create_query_parser(AuditLogQuery))],
) -> Response:
    """List when the dismissal was created and revoked, by whom and in which request."""
    page = await dismissals.read_dismissal_audit_log(runtime, caller.organization_id, dismissal_id, query.limit, query.offset)
    return create_document_response(page, language)
