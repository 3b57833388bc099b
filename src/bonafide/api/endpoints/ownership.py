"""Endpoints of the ownership of a business: record what a claimant says, read what everybody says and what it adds up to.

Every endpoint parses, calls one service and renders. `services/ownership` does the work.
"""

from typing import Annotated

from fastapi import APIRouter, Depends, Request
from starlette.responses import Response

from bonafide.api.description.operation import OperationResponse, OperationSpec, endpoint
from bonafide.api.endpoints.businesses import build_author
from bonafide.api.protocol.dependencies import Caller, PathId, ResponseLanguage, ServedRuntime
from bonafide.api.protocol.request_body import create_body_parser
from bonafide.api.protocol.responses import create_document_response
from bonafide.errors import NotFound
from bonafide.model.accounts.organizations import Scope
from bonafide.model.ownership.answer import OwnershipAnswer
from bonafide.model.ownership.statement import OwnershipStatement
from bonafide.services.ownership import statements

TAG = "Ownership"
router = APIRouter(prefix="/v1")


@endpoint(
    router,
    "PUT",
    ("/businesses/{id}/ownership",),
    OperationSpec(
        operation_id="putOwnership",
        summary="Record who owns and controls a business",
        tag=TAG,
        scope=Scope.BUSINESSES_WRITE,
        path_id="BusinessId",
        body=OwnershipStatement,
        body_example="ownership_statement",
        answers={200: OperationResponse("The ownership of the business", OwnershipAnswer, "ownership")},
        errors=(NotFound,),
    ),
)
async def put_ownership(
    request: Request,
    runtime: ServedRuntime,
    caller: Caller,
    language: ResponseLanguage,
    business_id: PathId,
    statement: Annotated[OwnershipStatement, Depends(create_body_parser(OwnershipStatement))],
) -> Response:
    """Replace what one claimant says about the owners of the business, up to the persons behind it.

    `parties` contains the business itself, with its `businessId`, and `interests` are direct. A share is a fraction, exact or as
    the band that the source gives; leave out what the source does not state. The statements of other claimants stay as they are. A
    statement without parties withdraws the claimant's statement. Every change is recorded in the record's audit log.
    """
    author = build_author(request, caller)
    done = await statements.replace_statement(runtime, caller.organization_id, business_id, statement, author)
    return create_document_response(done, language)


@endpoint(
    router,
    "GET",
    ("/businesses/{id}/ownership",),
    OperationSpec(
        operation_id="readOwnership",
        summary="Get who owns and controls a business",
        tag=TAG,
        scope=Scope.BUSINESSES_READ,
        path_id="BusinessId",
        answers={200: OperationResponse("The ownership of the business", OwnershipAnswer, "ownership")},
        errors=(NotFound,),
    ),
)
async def read_ownership(runtime: ServedRuntime, caller: Caller, language: ResponseLanguage, business_id: PathId) -> Response:
    """Return what every claimant says, and what it adds up to today: beneficial owners at 25 % and the unknown share.

    Shares multiply along a chain and add up over chains; a cycle is the limit of its series. Bands give every share a lower and an
    upper bound, and a party is listed where the upper bound reaches 25 %. Contradicting claims are never added up: the bounds cover
    all of them.
    """
    return create_document_response(await statements.read_ownership(runtime, caller.organization_id, business_id), language)
