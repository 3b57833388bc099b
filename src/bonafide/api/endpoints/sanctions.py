"""Endpoints of sanctions screenings and dismissals.

Every endpoint parses, calls one service and renders. `services/screening` does the work.
"""

from typing import Annotated
from uuid import UUID

from fastapi import APIRouter, Depends, Request
from pydantic import Field
from starlette.responses import Response

from bonafide.api.description.operation import OperationResponse, OperationSpec, endpoint
from bonafide.api.endpoints.businesses import (
    DEFAULT_PAGE,
    EXAMPLE_CURSOR,
    MAX_OFFSET,
    MAX_PAGE,
    AuditLogQuery,
    ErasureBody,
    Since,
    build_author,
    describe_erasure,
)
from bonafide.api.protocol.dependencies import Caller, PathId, ResponseLanguage, ServedRuntime
from bonafide.api.protocol.idempotency import respond_once
from bonafide.api.protocol.query_string import create_query_parser
from bonafide.api.protocol.request_body import create_body_parser
from bonafide.api.protocol.responses import create_document_response, create_stored_response
from bonafide.errors import NotFound, StaleWrite
from bonafide.model.accounts.organizations import Scope
from bonafide.model.base import Document
from bonafide.model.query import Text
from bonafide.model.records.business_record import AuditPage
from bonafide.model.screening.dismissals import Dismissal, DismissalPage, DismissalRequest
from bonafide.model.screening.history import ScreeningOutcome, ScreeningPage
from bonafide.model.screening.requests import ScreeningAnswer, ScreeningRequest
from bonafide.services.retention import erasure_requests
from bonafide.services.retention.erasure_requests import ErasableCheck
from bonafide.services.screening import dismissals, history
from bonafide.store.records.dismissals import DismissalFilter
from bonafide.store.records.screenings import ScreeningFilter

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
        further_scopes={"businessId": Scope.BUSINESSES_READ},
        body=ScreeningRequest,
        body_example="screening_request",
        answers={200: OperationResponse("The screening result", ScreeningAnswer, "screening")},
        errors=(NotFound,),
    ),
)
async def screen(
    runtime: ServedRuntime,
    caller: Caller,
    language: ResponseLanguage,
    request: Annotated[ScreeningRequest, Depends(create_body_parser(ScreeningRequest))],
) -> Response:
    """Compare a name with every listed party and explain each match above the threshold. The result is stored.

    `lists` names each screened list with its date, its load (`generation`) and its number of parties. A list that could not be
    screened appears in `screening.listsNotScreened` and sets `errors.sanctionsScreening`. `source` `opensanctions` screens the
    OpenSanctions collection if it is configured. A match that the organization has dismissed has `dismissed`.
    """
    work = history.create_screening(runtime, caller, request)
    return await respond_once(work, lambda answer: create_document_response(answer, language))


class ScreeningQuery(Document):
    """Which stored screenings to list."""

    limit: Annotated[int, Field(ge=1, le=MAX_PAGE, description="Maximum number of screenings to return.", examples=[25])] = (
        DEFAULT_PAGE
    )
    cursor: Annotated[
        Text | None, Field(description="`cursor.next` of an earlier response, for older screenings.", examples=[EXAMPLE_CURSOR])
    ] = None
    query: Annotated[
        Text | None, Field(description="Return only screenings of names that contain this text.", examples=["shipping"])
    ] = None
    outcome: Annotated[
        ScreeningOutcome | None,
        Field(description="Return only screenings with this outcome when they ran.", examples=["hits"]),
    ] = None
    business_id: Annotated[
        UUID | None,
        Field(
            description="Return only screenings of this business record. Requires the scope `businesses:read`.",
            examples=["6f1c2a0e-8f5d-4c55-9d0a-2f6f4b8f3a11"],
        ),
    ] = None
    since: Annotated[
        Since | None, Field(description="Return only screenings from this time on.", examples=["2026-11-01T00:00:00Z"])
    ] = None


@endpoint(
    router,
    "GET",
    ("/sanctions",),
    OperationSpec(
        operation_id="listScreenings",
        summary="List past screenings",
        tag=TAG,
        scope=Scope.SANCTIONS_READ,
        further_scopes={"businessId": Scope.BUSINESSES_READ},
        query=ScreeningQuery,
        answers={200: OperationResponse("A page of screenings, newest first", ScreeningPage, "screening_page")},
    ),
)
async def list_screenings(
    runtime: ServedRuntime,
    caller: Caller,
    language: ResponseLanguage,
    query: Annotated[ScreeningQuery, Depends(create_query_parser(ScreeningQuery))],
) -> Response:
    """List the organization's standalone screenings, newest first.

    Repeat the request with `cursor.next` until `pagination.hasMore` is false. `outcome` is that of the time of the screening:
    `hits` if there was an open hit, `incomplete` if a subject or a list could not be screened, otherwise `clear`.
    """
    if query.business_id is not None:
        caller.check_scope(Scope.BUSINESSES_READ, "businessId")
    chosen = ScreeningFilter(query.query, query.outcome, query.business_id, query.since)
    page = await history.list_screenings(runtime, caller.organization_id, chosen, query.limit, query.cursor)
    return create_document_response(page, language)


@endpoint(
    router,
    "POST",
    ("/sanctions/{id}/rescreen",),
    OperationSpec(
        operation_id="repeatScreening",
        summary="Repeat a screening",
        tag=TAG,
        scope=Scope.SANCTIONS_WRITE,
        path_id="ScreeningId",
        answers={200: OperationResponse("The new screening, with its changes", ScreeningAnswer, "screening")},
        errors=(NotFound,),
    ),
)
async def repeat_screening(runtime: ServedRuntime, caller: Caller, language: ResponseLanguage, screening_id: PathId) -> Response:
    """Screen the same subject against the lists as they are now, and store the result as a new screening.

    `changes` lists the hits that are new, gone or changed since the screening that is repeated, and what could not be compared. The
    screening of a business record also requires the scope `businesses:read`.
    """
    work = history.repeat_screening(runtime, caller, screening_id)
    return await respond_once(work, lambda answer: create_document_response(answer, language))


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


# Behind the other paths below `/sanctions`, which an id would match.
@endpoint(
    router,
    "GET",
    ("/sanctions/{id}",),
    OperationSpec(
        operation_id="readScreening",
        summary="Get a screening",
        tag=TAG,
        scope=Scope.SANCTIONS_READ,
        path_id="ScreeningId",
        answers={200: OperationResponse("The stored screening", ScreeningAnswer, "screening")},
        errors=(NotFound,),
    ),
)
async def read_screening(runtime: ServedRuntime, caller: Caller, language: ResponseLanguage, screening_id: PathId) -> Response:
    """Return a stored screening as it was. No list is screened again, and later dismissals do not change it."""
    document = await history.read_screening(runtime, caller.organization_id, screening_id)
    return create_stored_response(ScreeningAnswer, document, language)


@endpoint(router, "POST", ("/sanctions/{id}/erase",), describe_erasure("eraseScreening", "Erase a screening", TAG, "ScreeningId"))
async def erase_screening(
    request: Request,
    runtime: ServedRuntime,
    caller: Caller,
    language: ResponseLanguage,
    screening_id: PathId,
    erasure: ErasureBody,
) -> Response:
    """Erase a screening with its result and its PDFs. This can't be undone.

    The screening is unknown at once. A worker then erases its events and the content of its entries in the audit log, which can
    still be verified. Examiner's packs that may contain it are deleted. Dismissals, its business record and cases are kept.
    `CONFLICT` means that a legal hold is in place, on the organization or on its business record.
    """
    check, author = (ErasableCheck.SCREENING, screening_id), build_author(request, caller)
    work = erasure_requests.erase_check(runtime, caller.organization_id, check, erasure, author)
    return await respond_once(work, lambda accepted: create_document_response(accepted, language, 202))
