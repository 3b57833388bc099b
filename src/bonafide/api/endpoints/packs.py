"""Endpoints of examiner's packs: request one, list them, read one with the signed URLs of its files.

Every endpoint parses, calls one service and renders. `services/packs` does the work.
"""

from typing import Annotated
from uuid import UUID

from fastapi import APIRouter, Depends, Request
from pydantic import Field
from starlette.responses import Response

from bonafide.api.description.operation import OperationResponse, OperationSpec, endpoint
from bonafide.api.endpoints.businesses import DEFAULT_PAGE, EXAMPLE_CURSOR, MAX_PAGE, build_author
from bonafide.api.protocol.dependencies import Caller, PathId, ResponseLanguage, ServedRuntime
from bonafide.api.protocol.idempotency import respond_once
from bonafide.api.protocol.query_string import create_query_parser
from bonafide.api.protocol.request_body import create_body_parser
from bonafide.api.protocol.responses import create_document_response
from bonafide.errors import Conflict, NotFound
from bonafide.model.accounts.organizations import Scope
from bonafide.model.base import Document
from bonafide.model.events.event import EXAMPLE_BUSINESS_ID
from bonafide.model.packs.pack import Pack, PackItem, PackPage, PackRequest
from bonafide.model.query import Text
from bonafide.services.packs import requests

TAG = "Examiner’s packs"
router = APIRouter(prefix="/v1")


class PackQuery(Document):
    """Which packs to list, and from which position."""

    business_id: Annotated[
        UUID | None,
        Field(
            description="Return only packs of this business record. Requires the scope `businesses:read`.",
            examples=[EXAMPLE_BUSINESS_ID],
        ),
    ] = None
    cursor: Annotated[
        Text | None, Field(description="`cursor.next` of an earlier response, for older packs.", examples=[EXAMPLE_CURSOR])
    ] = None
    limit: Annotated[int, Field(ge=1, le=MAX_PAGE, description="Maximum number of packs to return.", examples=[25])] = DEFAULT_PAGE


@endpoint(
    router,
    "POST",
    ("/packs",),
    OperationSpec(
        operation_id="createPack",
        summary="Request an examiner’s pack",
        tag=TAG,
        scope=Scope.REPORTS_WRITE,
        further_scopes=requests.SCOPES,
        body=PackRequest,
        body_example="pack_request",
        answers={202: OperationResponse("The pack, which a worker makes", PackItem, "pack_queued")},
        errors=(NotFound, Conflict),
    ),
)
async def create_pack(
    request: Request,
    runtime: ServedRuntime,
    caller: Caller,
    language: ResponseLanguage,
    wanted: Annotated[PackRequest, Depends(create_body_parser(PackRequest))],
) -> Response:
    """Request everything that is stored about a business, or that happened in a period, as one PDF and one ZIP.

    A pack has all checks, decisions and evidence, who did what and when, and the audit log with its verification. It is made in the
    background: read it until `status` is `ready`, or wait for the event `pack.ready`. The language of the PDF is that of the
    response. The API key needs the scopes to read everything that a pack has. `bonafide audit verify --pack` verifies the ZIP.
    `CONFLICT` means that as many packs are being made as may be.
    """
    requests.check_scopes(caller)
    work = requests.request_pack(runtime, caller, wanted, language, build_author(request, caller))
    return await respond_once(work, lambda accepted: create_document_response(accepted, language, 202))


@endpoint(
    router,
    "GET",
    ("/packs",),
    OperationSpec(
        operation_id="listPacks",
        summary="List examiner’s packs",
        tag=TAG,
        scope=Scope.REPORTS_READ,
        further_scopes={"businessId": Scope.BUSINESSES_READ},
        query=PackQuery,
        answers={200: OperationResponse("A page of packs, newest first", PackPage, "pack_page")},
    ),
)
async def list_packs(
    runtime: ServedRuntime,
    caller: Caller,
    language: ResponseLanguage,
    query: Annotated[PackQuery, Depends(create_query_parser(PackQuery))],
) -> Response:
    """List the packs of the organization, newest first. Packs whose files have been deleted stay in the list."""
    if query.business_id is not None:
        caller.check_scope(Scope.BUSINESSES_READ, "businessId")
    page = await requests.list_packs(runtime, caller.organization_id, query.business_id, query.limit, query.cursor)
    return create_document_response(page, language)


@endpoint(
    router,
    "GET",
    ("/packs/{id}",),
    OperationSpec(
        operation_id="readPack",
        summary="Get an examiner’s pack",
        tag=TAG,
        scope=Scope.REPORTS_READ,
        further_scopes=requests.SCOPES,
        path_id="PackId",
        answers={200: OperationResponse("The pack", Pack, "pack")},
        errors=(NotFound,),
    ),
)
async def read_pack(runtime: ServedRuntime, caller: Caller, language: ResponseLanguage, pack_id: PathId) -> Response:
    """Return a pack, with new signed URLs of its PDF and its ZIP once it is ready.

    The URLs need no API key and expire within minutes. The files are deleted at `expiresAt`.
    """
    requests.check_scopes(caller)
    return create_document_response(await requests.read_pack(runtime, caller.organization_id, pack_id), language)
