"""Endpoints of the ownership of a business: record what a claimant says, read what everybody says and what it adds up to.

Every endpoint parses, calls one service and renders. `services/screening/owner_screening` does the work.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Request
from pydantic import Field
from starlette.responses import Response

from bonafide.api.description.operation import BINARY_FILE, TEXT_FILE, OperationResponse, OperationSpec, endpoint
from bonafide.api.endpoints.businesses import build_author
from bonafide.api.protocol.dependencies import Caller, PathId, ResponseLanguage, ServedRuntime
from bonafide.api.protocol.query_string import create_query_parser
from bonafide.api.protocol.request_body import FileBody, create_file_body_parser
from bonafide.api.protocol.responses import create_document_response, create_file_response, describe_language
from bonafide.errors import NotFound
from bonafide.model.accounts.organizations import Scope
from bonafide.model.base import Document
from bonafide.model.ownership.answer import OwnershipAnswer
from bonafide.model.ownership.file_format import OwnershipFileOptions, OwnershipFormat
from bonafide.model.ownership.statement import OwnershipStatement
from bonafide.services.ownership import export, importing
from bonafide.services.ownership.formats.bods_statements import BODS_MEDIA_TYPE
from bonafide.services.ownership.formats.csv_interests import CSV_MEDIA_TYPE
from bonafide.services.screening import owner_screening

TAG = "Ownership"
FILES = {
    BODS_MEDIA_TYPE: "Statements of the Beneficial Ownership Data Standard 0.4 in UTF-8: a JSON array, or one statement per line",
    CSV_MEDIA_TYPE: "A row for each interest, in UTF-8, with the columns of both parties",
}
"""The files that can be sent instead of a document, by their media types."""
EXPORT_SCHEMAS: Mapping[OwnershipFormat, Mapping[str, Any]] = MappingProxyType(
    {
        OwnershipFormat.BODS: {"type": "array", "items": {"type": "object"}},
        OwnershipFormat.FTM: TEXT_FILE,
        OwnershipFormat.CSV: TEXT_FILE,
        OwnershipFormat.PARQUET: BINARY_FILE,
        OwnershipFormat.SVG: TEXT_FILE,
    }
)
"""The schemas of the files that can be returned instead of a document."""
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
        body_media_types=FILES,
        query=OwnershipFileOptions,
        answers={200: OperationResponse("The ownership of the business", OwnershipAnswer, "ownership")},
        errors=(NotFound,),
    ),
)
async def put_ownership(  # noqa: PLR0913, PLR0917 - what is sent, and how it is read
    request: Request,
    runtime: ServedRuntime,
    caller: Caller,
    language: ResponseLanguage,
    business_id: PathId,
    sent: Annotated[OwnershipStatement | FileBody, Depends(create_file_body_parser(OwnershipStatement, FILES))],
    options: Annotated[OwnershipFileOptions, Depends(create_query_parser(OwnershipFileOptions))],
) -> Response:
    """Replace what one claimant says about the owners of the business, up to the persons behind it.

    `parties` contains the business itself, with its `businessId`, and `interests` are direct. A share is a fraction, exact or as
    the band that the source gives; leave out what the source does not state. The statements of other claimants stay as they are. A
    statement without parties withdraws the claimant's statement. Every change is recorded in the record's audit log.

    With `Content-Type: application/vnd.bods+json` the body has statements of the Beneficial Ownership Data Standard 0.4: an array,
    or one statement per line. The latest statement of each record counts. With `Content-Type: text/csv` it has a row for each
    interest: `owner`, `ownerKind`, `owned` (empty for the business itself), `kind`, `share` in percent, and further columns.
    Problems of a file name the index of the statement, or the line and the column.
    """
    upload = sent if isinstance(sent, OwnershipStatement) else importing.OwnershipUpload(sent.media_type, sent.content)
    statement = await importing.read_statement(runtime, caller.organization_id, business_id, upload, options)
    author, is_screened = build_author(request, caller), Scope.SANCTIONS_READ in caller.scopes
    done = await owner_screening.record_ownership(
        runtime, caller.organization_id, business_id, statement, author, is_screened=is_screened
    )
    return create_document_response(done, language)


class OwnershipQuery(Document):
    """In which format the ownership of a business is returned."""

    format: Annotated[
        OwnershipFormat,
        Field(
            description="`json`, or a file: `bods` has statements of the Beneficial Ownership Data Standard 0.4, `ftm` "
            "FollowTheMoney entities; `csv` and `parquet` have a row for each interest with the columns of both parties; `svg` is "
            "a diagram in the language of the request.",
            examples=["json"],
        ),
    ] = OwnershipFormat.JSON


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
        query=OwnershipQuery,
        answers={
            200: OperationResponse(
                "The ownership of the business, or the file that `format` names",
                OwnershipAnswer,
                "ownership",
                further_media_types={
                    export.FILE_TYPES[file_format].media_type: schema for file_format, schema in EXPORT_SCHEMAS.items()
                },
            )
        },
        errors=(NotFound,),
    ),
)
async def read_ownership(
    runtime: ServedRuntime,
    caller: Caller,
    language: ResponseLanguage,
    business_id: PathId,
    query: Annotated[OwnershipQuery, Depends(create_query_parser(OwnershipQuery))],
) -> Response:
    """Return what every claimant says, and what it adds up to today: beneficial owners at 25 % and the unknown share.

    Shares multiply along a chain and add up over chains; a cycle is the limit of its series. Bands give every share a lower and an
    upper bound, and a party is listed where the upper bound reaches 25 %. Contradicting claims are never added up: the bounds cover
    all of them.

    The owners are screened with each request: `deemedSanctioned` says whether parties with open hits own or control half of the
    business. A party that could not be screened is never clear. Without the scope `sanctions:read`, nobody is screened, and
    `deemedSanctioned` is null. The files of other formats have the parties and interests of all claimants. `format=svg` draws the
    interests that are in force, in one colour and with a description for screen readers. Of more than 200 parties it draws those on
    the way from owners who may reach 25 %, and states how many are left out.
    """
    is_screened = Scope.SANCTIONS_READ in caller.scopes
    found = await owner_screening.read_ownership(runtime, caller.organization_id, business_id, is_screened=is_screened)
    if query.format is OwnershipFormat.JSON:
        return create_document_response(found, language)
    options = export.ExportOptions(caller.organization, language)
    file = await export.write_ownership(runtime, caller.organization_id, found, query.format, options)
    response = create_file_response(file.content, file.media_type, file.name, inline=query.format is OwnershipFormat.SVG)
    response.headers.update(describe_language(language))
    return response
