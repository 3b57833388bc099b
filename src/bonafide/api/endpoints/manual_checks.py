"""Endpoints of manual checks: list, create, read and cancel them, upload a page or extract, and record what was seen.

Every endpoint parses, calls one service and renders. `services/manual_checks` does the work.
"""

from typing import Annotated
from uuid import UUID

from fastapi import APIRouter, Depends, Request
from pydantic import Field
from starlette.responses import Response

from bonafide.api.description.components import reference_parameter
from bonafide.api.description.operation import OperationResponse, OperationSpec, endpoint
from bonafide.api.endpoints.businesses import DEFAULT_PAGE, EXAMPLE_CURSOR, MAX_PAGE, AuditLogQuery, build_author
from bonafide.api.endpoints.documents import BINARY
from bonafide.api.protocol.dependencies import Caller, PathId, ResponseLanguage, ServedRuntime, create_path_id_parser
from bonafide.api.protocol.idempotency import respond_once
from bonafide.api.protocol.query_string import create_query_parser
from bonafide.api.protocol.request_body import create_body_parser
from bonafide.api.protocol.responses import create_document_response, create_file_response
from bonafide.api.protocol.upload_body import MULTIPART, UploadedFile, parse_upload
from bonafide.errors import Conflict, NotFound
from bonafide.model.accounts.organizations import Scope
from bonafide.model.base import Document
from bonafide.model.events.event import EXAMPLE_BUSINESS_ID
from bonafide.model.manual_checks.manual_check import (
    ManualCheck,
    ManualCheckAttachment,
    ManualCheckPage,
    ManualCheckStatus,
)
from bonafide.model.manual_checks.requests import ManualCheckCancellation, ManualCheckRequest, ManualCheckResultRequest
from bonafide.model.query import Text
from bonafide.model.records.business_record import AuditPage, FeedPosition
from bonafide.model.records.documents import DocumentUpload
from bonafide.services.manual_checks import attachments, reading, recording, requests
from bonafide.services.records import change_feed
from bonafide.services.records.uploads import UploadedDocument
from bonafide.store.cases.manual_checks import ManualCheckFilter

TAG = "Manual checks"
router = APIRouter(prefix="/v1")
AttachmentId = Annotated[UUID, Depends(create_path_id_parser("attachmentId"))]


class ManualCheckQuery(Document):
    """Which manual checks to list, and from which position."""

    status: Annotated[
        ManualCheckStatus | None, Field(description="Return only manual checks with this status.", examples=["open"])
    ] = None
    business_id: Annotated[
        UUID | None,
        Field(
            description="Return only manual checks of this business record. Requires the scope `businesses:read`.",
            examples=[EXAMPLE_BUSINESS_ID],
        ),
    ] = None
    source: Annotated[Text | None, Field(description="Return only manual checks of this source.", examples=["nl"])] = None
    cursor: Annotated[Text | None, Field(description="`cursor.next` of an earlier response.", examples=[EXAMPLE_CURSOR])] = None
    limit: Annotated[int, Field(ge=1, le=MAX_PAGE, description="Maximum number of manual checks to return.", examples=[25])] = (
        DEFAULT_PAGE
    )

    @property
    def start(self) -> FeedPosition:
        """The position to read from. Raises `ValidationFailed` for an invalid cursor."""
        return change_feed.decode_cursor(self.cursor) if self.cursor is not None else change_feed.START

    @property
    def chosen(self) -> ManualCheckFilter:
        """The filters."""
        return ManualCheckFilter(self.status, self.business_id, self.source)


@endpoint(
    router,
    "GET",
    ("/manual-checks",),
    OperationSpec(
        operation_id="listManualChecks",
        summary="List manual checks as a change feed",
        tag=TAG,
        scope=Scope.CASES_READ,
        further_scopes={"businessId": Scope.BUSINESSES_READ},
        query=ManualCheckQuery,
        answers={200: OperationResponse("A page of the feed, oldest change first", ManualCheckPage, "manual_check_page")},
    ),
)
async def list_manual_checks(
    runtime: ServedRuntime,
    caller: Caller,
    language: ResponseLanguage,
    query: Annotated[ManualCheckQuery, Depends(create_query_parser(ManualCheckQuery))],
) -> Response:
    """List the registers that a person has to look at, or has looked at, in the order of the last change.

    Repeat the request with `cursor.next` until `pagination.hasMore` is false. Keep the last cursor and use it later to get what has
    changed since: no change is skipped.
    """
    if query.business_id is not None:
        caller.check_scope(Scope.BUSINESSES_READ, "businessId")
    page = await reading.list_manual_checks(runtime, caller.organization_id, query.chosen, query.start, query.limit)
    return create_document_response(page, language)


@endpoint(
    router,
    "POST",
    ("/manual-checks",),
    OperationSpec(
        operation_id="createManualCheck",
        summary="Create a manual check",
        tag=TAG,
        scope=Scope.CASES_WRITE,
        further_scopes={
            "businessId": Scope.BUSINESSES_READ,
            "searchId": Scope.SEARCH_READ,
            "verificationId": Scope.VERIFY_READ,
        },
        body=ManualCheckRequest,
        body_example="manual_check_request",
        answers={
            200: OperationResponse("A manual check that is open already", ManualCheck, "manual_check"),
            201: OperationResponse("The new manual check", ManualCheck, "manual_check"),
        },
        errors=(NotFound,),
    ),
)
async def create_manual_check(
    request: Request,
    runtime: ServedRuntime,
    caller: Caller,
    language: ResponseLanguage,
    body: Annotated[ManualCheckRequest, Depends(create_body_parser(ManualCheckRequest))],
) -> Response:
    """Create the task to look at a register, for a business record, a search or a verification.

    The register is that of the jurisdiction, unless `source` is given. Searches and verifications of a business record create the
    check themselves if no program can query its register; those without a record do not. There is one open manual check of a
    business record and source, or of a search or verification without a record: if there is one, it is returned.
    """
    work = requests.create_manual_check(runtime, caller, body, build_author(request, caller))
    return await respond_once(work, lambda done: create_document_response(done.check, language, 201 if done.created else 200))


@endpoint(
    router,
    "GET",
    ("/manual-checks/{id}",),
    OperationSpec(
        operation_id="readManualCheck",
        summary="Get a manual check",
        tag=TAG,
        scope=Scope.CASES_READ,
        path_id="ManualCheckId",
        answers={200: OperationResponse("The manual check", ManualCheck, "manual_check_done")},
        errors=(NotFound,),
    ),
)
async def read_manual_check(runtime: ServedRuntime, caller: Caller, language: ResponseLanguage, check_id: PathId) -> Response:
    """Return a manual check: the page of the register, what to look for, and what was seen there."""
    return create_document_response(await reading.read_manual_check(runtime, caller.organization_id, check_id), language)


@endpoint(
    router,
    "POST",
    ("/manual-checks/{id}/attachments",),
    OperationSpec(
        operation_id="addManualCheckAttachment",
        summary="Attach a page or an extract to a manual check",
        tag=TAG,
        scope=Scope.CASES_WRITE,
        path_id="ManualCheckId",
        body=DocumentUpload,
        body_example="document_upload",
        body_media_types={MULTIPART: "A PDF, PNG or JPEG file with its name."},
        answers={201: OperationResponse("The attachment", ManualCheckAttachment, "manual_check_attachment")},
        errors=(NotFound,),
    ),
)
async def add_manual_check_attachment(
    request: Request,
    runtime: ServedRuntime,
    caller: Caller,
    language: ResponseLanguage,
    check_id: PathId,
    file: Annotated[UploadedFile, Depends(parse_upload)],
) -> Response:
    """Attach a PDF, PNG or JPEG file, as the part `file` of a form (`multipart/form-data`), or in base64 within JSON.

    The type is found from the content. The body is limited as every body (1 MiB by default). Send the ID of the attachment with the
    result. Attachments are never changed or deleted; the audit log has the SHA-256 digest.
    """
    sent = UploadedDocument(file.name, file.content, file.field)
    work = attachments.add_check_file(runtime, caller.organization_id, check_id, sent, build_author(request, caller))
    return await respond_once(work, lambda added: create_document_response(added, language, 201))


@endpoint(
    router,
    "GET",
    ("/manual-checks/{id}/attachments/{attachmentId}",),
    OperationSpec(
        operation_id="readManualCheckAttachment",
        summary="Download an attachment of a manual check",
        tag=TAG,
        scope=Scope.CASES_READ,
        path_id="ManualCheckId",
        parameters=(reference_parameter("AttachmentId"),),
        answers={200: OperationResponse("The content of the file", media_type=BINARY, headers=("Repr-Digest",))},
        errors=(NotFound,),
    ),
)
async def read_manual_check_attachment(
    runtime: ServedRuntime, caller: Caller, check_id: PathId, attachment_id: AttachmentId
) -> Response:
    """Return the file as it was attached. `Repr-Digest` is its SHA-256."""
    found, content = await attachments.read_check_file(runtime, caller.organization_id, check_id, attachment_id)
    # Never displayed inline: it comes from somebody else.
    name = f"attachment-{attachment_id}.{found.media_type.extension}"
    return create_file_response(content, BINARY, name, sha256=found.sha256)


@endpoint(
    router,
    "POST",
    ("/manual-checks/{id}/cancel",),
    OperationSpec(
        operation_id="cancelManualCheck",
        summary="Cancel a manual check",
        tag=TAG,
        scope=Scope.CASES_WRITE,
        path_id="ManualCheckId",
        body=ManualCheckCancellation,
        body_example="manual_check_cancellation",
        answers={200: OperationResponse("The cancelled manual check", ManualCheck, "manual_check_cancelled")},
        errors=(NotFound, Conflict),
    ),
)
async def cancel_manual_check(
    request: Request,
    runtime: ServedRuntime,
    caller: Caller,
    language: ResponseLanguage,
    check_id: PathId,
    body: Annotated[ManualCheckCancellation, Depends(create_body_parser(ManualCheckCancellation))],
) -> Response:
    """Cancel an open manual check. `CONFLICT` means that it is not open; the message says who has done what."""
    work = requests.cancel_manual_check(runtime, caller.organization_id, check_id, body, build_author(request, caller))
    return await respond_once(work, lambda done: create_document_response(done, language))


@endpoint(
    router,
    "POST",
    ("/manual-checks/{id}/result",),
    OperationSpec(
        operation_id="recordManualCheckResult",
        summary="Record the result of a manual check",
        tag=TAG,
        scope=Scope.CASES_WRITE,
        path_id="ManualCheckId",
        body=ManualCheckResultRequest,
        body_example="manual_check_result_request",
        answers={200: OperationResponse("The manual check with its result", ManualCheck, "manual_check_done")},
        errors=(NotFound, Conflict),
    ),
)
async def record_manual_check_result(
    request: Request,
    runtime: ServedRuntime,
    caller: Caller,
    language: ResponseLanguage,
    check_id: PathId,
    result: Annotated[ManualCheckResultRequest, Depends(create_body_parser(ManualCheckResultRequest))],
) -> Response:
    """Record what you have seen in the register. Verifications of the registration then use it, and searches of the record.

    A business that was found becomes a business report with the route `manual`, whose evidence is the attachment. `found` false
    states that the register did not have the business when you looked. The result is used until `expiresAt`. To correct a result,
    create another manual check: the newest result counts. `CONFLICT` means that the check has a result; the message says whose.
    """
    work = recording.record_result(runtime, caller.organization_id, check_id, result, build_author(request, caller))
    return await respond_once(work, lambda done: create_document_response(done, language))


@endpoint(
    router,
    "GET",
    ("/manual-checks/{id}/audit",),
    OperationSpec(
        operation_id="readManualCheckTrail",
        summary="Get the audit log of a manual check",
        tag=TAG,
        scope=Scope.CASES_READ,
        path_id="ManualCheckId",
        query=AuditLogQuery,
        answers={200: OperationResponse("A page of the audit log, oldest entry first", AuditPage, "audit_page")},
        errors=(NotFound,),
    ),
)
async def read_manual_check_audit_log(
    runtime: ServedRuntime,
    caller: Caller,
    language: ResponseLanguage,
    check_id: PathId,
    query: Annotated[AuditLogQuery, Depends(create_query_parser(AuditLogQuery))],
) -> Response:
    """List every change of a manual check: who made it, when, in which request, and the old and new values."""
    page = await reading.read_check_audit_log(runtime, caller.organization_id, check_id, query.limit, query.offset)
    return create_document_response(page, language)
