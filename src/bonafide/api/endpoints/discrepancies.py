"""Endpoints of ownership discrepancies: compare with the register, list, read, decide.

Every endpoint parses, calls one service and renders. `services/ownership` does the work.
"""

from typing import Annotated, NamedTuple
from uuid import UUID

from fastapi import APIRouter, Depends, Request
from pydantic import Field
from starlette.responses import Response

from bonafide.api.description.components import reference_parameter
from bonafide.api.description.operation import OperationResponse, OperationSpec, endpoint
from bonafide.api.endpoints.businesses import DEFAULT_PAGE, MAX_OFFSET, MAX_PAGE, build_author
from bonafide.api.protocol.dependencies import Caller, PathId, ResponseLanguage, ServedRuntime, create_path_id_parser
from bonafide.api.protocol.idempotency import respond_once
from bonafide.api.protocol.query_string import create_query_parser
from bonafide.api.protocol.request_body import create_body_parser
from bonafide.api.protocol.responses import create_document_response
from bonafide.errors import Conflict, NotFound, StaleWrite
from bonafide.model.accounts.organizations import Scope
from bonafide.model.base import Document
from bonafide.model.ownership.discrepancies import (
    Discrepancy,
    DiscrepancyChange,
    DiscrepancyPage,
    DiscrepancyRequest,
    DiscrepancyStatus,
    OwnershipReview,
    ReviewOutcome,
)
from bonafide.services.ownership import discrepancies, reviews

TAG = "Ownership discrepancies"
router = APIRouter(prefix="/v1")
_parse_business_id, _parse_discrepancy_id = create_path_id_parser("id"), create_path_id_parser("discrepancyId")


class DiscrepancyPath(NamedTuple):
    """The IDs in the path of a discrepancy."""

    business_id: UUID
    discrepancy_id: UUID


async def _parse_discrepancy_path(request: Request) -> DiscrepancyPath:
    return DiscrepancyPath(await _parse_business_id(request), await _parse_discrepancy_id(request))


DiscrepancyIds = Annotated[DiscrepancyPath, Depends(_parse_discrepancy_path)]
ReviewId = Annotated[UUID, Depends(create_path_id_parser("reviewId"))]


@endpoint(
    router,
    "POST",
    ("/businesses/{id}/discrepancies",),
    OperationSpec(
        operation_id="openDiscrepancies",
        summary="Compare the declared owners with the register",
        tag=TAG,
        scope=Scope.BUSINESSES_WRITE,
        path_id="BusinessId",
        body=DiscrepancyRequest,
        body_example="discrepancy_request",
        answers={201: OperationResponse("The review and its discrepancies", ReviewOutcome, "review_outcome")},
        errors=(NotFound,),
    ),
)
async def open_discrepancies(
    request: Request,
    runtime: ServedRuntime,
    caller: Caller,
    language: ResponseLanguage,
    business_id: PathId,
    asked: Annotated[DiscrepancyRequest, Depends(create_body_parser(DiscrepancyRequest))],
) -> Response:
    """Compare the declared owners with the register of individuals with significant control, or record one discrepancy.

    Each side is sent, or taken from the ownership statement of its claimant on the day on which the register was consulted. Each
    difference is `missing_owner` (declared, not in the register), `extra_owner` (in the register, not declared), `contradicting` or
    `immaterial`, with the reason. What a side does not state never contradicts. A material discrepancy of a federal corporation
    (`jurisdiction` `FED`) of high risk has `dueAt`, 30 days after it was found. A difference of a person of whom an earlier review
    opened a discrepancy keeps it and its due date, and updates both sides, while it is open. A discrepancy that was reported or
    recorded by hand covers only differences of the same facts.
    """
    work = reviews.review_ownership(runtime, caller.organization_id, business_id, asked, build_author(request, caller))
    return await respond_once(work, lambda outcome: create_document_response(outcome, language, 201))


class DiscrepancyQuery(Document):
    """Which discrepancies of a business to list."""

    limit: Annotated[int, Field(ge=1, le=MAX_PAGE, description="Maximum number of discrepancies to return.", examples=[25])] = (
        DEFAULT_PAGE
    )
    offset: Annotated[
        int, Field(ge=0, le=MAX_OFFSET, description="Number of discrepancies to skip, from the newest.", examples=[0])
    ] = 0
    status: Annotated[
        DiscrepancyStatus | None, Field(description="Return only discrepancies with this status.", examples=["open"])
    ] = None


@endpoint(
    router,
    "GET",
    ("/businesses/{id}/discrepancies",),
    OperationSpec(
        operation_id="listDiscrepancies",
        summary="List the ownership discrepancies of a business",
        tag=TAG,
        scope=Scope.BUSINESSES_READ,
        path_id="BusinessId",
        query=DiscrepancyQuery,
        answers={200: OperationResponse("A page of discrepancies, newest first", DiscrepancyPage, "discrepancy_page")},
        errors=(NotFound,),
    ),
)
async def list_discrepancies(
    runtime: ServedRuntime,
    caller: Caller,
    language: ResponseLanguage,
    business_id: PathId,
    query: Annotated[DiscrepancyQuery, Depends(create_query_parser(DiscrepancyQuery))],
) -> Response:
    """List the discrepancies of a business record, newest first, including resolved and reported ones."""
    page = await discrepancies.list_discrepancies(
        runtime, caller.organization_id, business_id, query.status, query.limit, query.offset
    )
    return create_document_response(page, language)


@endpoint(
    router,
    "GET",
    ("/businesses/{id}/discrepancies/{discrepancyId}",),
    OperationSpec(
        operation_id="readDiscrepancy",
        summary="Get an ownership discrepancy",
        tag=TAG,
        scope=Scope.BUSINESSES_READ,
        path_id="BusinessId",
        parameters=(reference_parameter("DiscrepancyId"),),
        answers={200: OperationResponse("The discrepancy", Discrepancy, "discrepancy")},
        errors=(NotFound,),
    ),
)
async def read_discrepancy(runtime: ServedRuntime, caller: Caller, language: ResponseLanguage, path: DiscrepancyIds) -> Response:
    """Return one discrepancy with every decision about it."""
    found = await discrepancies.read_discrepancy(runtime, caller.organization_id, path.business_id, path.discrepancy_id)
    return create_document_response(found, language)


@endpoint(
    router,
    "PATCH",
    ("/businesses/{id}/discrepancies/{discrepancyId}",),
    OperationSpec(
        operation_id="changeDiscrepancy",
        summary="Resolve or report an ownership discrepancy",
        tag=TAG,
        scope=Scope.BUSINESSES_WRITE,
        path_id="BusinessId",
        parameters=(reference_parameter("DiscrepancyId"),),
        body=DiscrepancyChange,
        body_example="discrepancy_change",
        answers={200: OperationResponse("The changed discrepancy", Discrepancy, "discrepancy")},
        errors=(NotFound, Conflict, StaleWrite),
    ),
)
async def change_discrepancy(
    request: Request,
    runtime: ServedRuntime,
    caller: Caller,
    language: ResponseLanguage,
    path: DiscrepancyIds,
    change: Annotated[DiscrepancyChange, Depends(create_body_parser(DiscrepancyChange))],
) -> Response:
    """Resolve a discrepancy, record its report with the acknowledgement, change its class, or reopen it.

    `CONFLICT` means that somebody has decided already; the message says who, what and when. Reopening keeps the due date,
    and the acknowledgement of a report stays in `decisions`.
    """
    author = build_author(request, caller)
    changed = await discrepancies.change_discrepancy(
        runtime, caller.organization_id, path.business_id, path.discrepancy_id, change, author
    )
    return create_document_response(changed, language)


@endpoint(
    router,
    "GET",
    ("/businesses/{id}/ownership-reviews/{reviewId}",),
    OperationSpec(
        operation_id="readOwnershipReview",
        summary="Get an ownership review",
        tag=TAG,
        scope=Scope.BUSINESSES_READ,
        path_id="BusinessId",
        parameters=(reference_parameter("ReviewId"),),
        answers={200: OperationResponse("The review", OwnershipReview, "ownership_review")},
        errors=(NotFound,),
    ),
)
async def read_ownership_review(
    runtime: ServedRuntime, caller: Caller, language: ResponseLanguage, business_id: PathId, review_id: ReviewId
) -> Response:
    """Return what a review compared and found: both sides, the differences, and the evidence with its digests."""
    review = await reviews.read_review(runtime, caller.organization_id, business_id, review_id)
    return create_document_response(review, language)
