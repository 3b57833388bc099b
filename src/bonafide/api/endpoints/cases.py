"""Endpoints of cases: the queue, one case, its notes and attachments, and decisions.

Every endpoint parses, calls one service and renders. `services/cases` does the work.
"""

from datetime import UTC, date, datetime, time, timedelta
from typing import Annotated
from uuid import UUID

from fastapi import APIRouter, Depends, Request
from pydantic import Field
from starlette.responses import Response

from bonafide.api.description.components import reference_parameter
from bonafide.api.description.operation import OperationResponse, OperationSpec, endpoint
from bonafide.api.endpoints.businesses import (
    DEFAULT_PAGE,
    EXAMPLE_CURSOR,
    MAX_PAGE,
    AuditLogQuery,
    ErasureBody,
    build_author,
    describe_erasure,
)
from bonafide.api.endpoints.documents import BINARY
from bonafide.api.protocol.dependencies import Caller, PathId, ResponseLanguage, ServedRuntime, create_path_id_parser
from bonafide.api.protocol.idempotency import respond_once
from bonafide.api.protocol.query_string import create_query_parser
from bonafide.api.protocol.request_body import create_body_parser
from bonafide.api.protocol.responses import create_document_response, create_file_response
from bonafide.api.protocol.upload_body import MULTIPART, UploadedFile, parse_upload
from bonafide.errors import Conflict, NotFound, StaleWrite
from bonafide.model.accounts.organizations import Scope
from bonafide.model.base import Document
from bonafide.model.cases.case import Case, CaseAttachment, CaseItemPage, CaseNote, CasePage, CaseStatus
from bonafide.model.cases.policy import CaseItemKind
from bonafide.model.cases.requests import CaseChange, CaseDecisionRequest, CaseNoteRequest
from bonafide.model.events.event import EXAMPLE_BUSINESS_ID
from bonafide.model.query import Text
from bonafide.model.records.business_record import AuditPage, FeedPosition
from bonafide.model.records.documents import DocumentUpload
from bonafide.services.cases import attachments, deciding, handling, reading
from bonafide.services.records import change_feed
from bonafide.services.records.uploads import UploadedDocument
from bonafide.services.retention import erasure_requests
from bonafide.services.retention.erasure_requests import ErasableCheck
from bonafide.store.cases.case_parts import ItemPosition
from bonafide.store.cases.cases import CaseFilter

TAG = "Cases"
NOBODY = "none"
"""The value of `assignee` for cases that nobody has taken."""
router = APIRouter(prefix="/v1")
AttachmentId = Annotated[UUID, Depends(create_path_id_parser("attachmentId"))]


class CaseQuery(Document):
    """Which cases to list, and from which position."""

    status: Annotated[CaseStatus | None, Field(description="Return only cases with this status.", examples=["open"])] = None
    assignee: Annotated[
        Text | None,
        Field(
            description="Return only cases of the member with this e-mail; `none` for cases that nobody has taken.",
            examples=["analyst@north.example"],
        ),
    ] = None
    kind: Annotated[
        CaseItemKind | None, Field(description="Return only cases with an item of this kind.", examples=["sanctions_hit"])
    ] = None
    business_id: Annotated[
        UUID | None,
        Field(
            description="Return only cases of this business record. Requires the scope `businesses:read`.",
            examples=[EXAMPLE_BUSINESS_ID],
        ),
    ] = None
    due: Annotated[
        date | None,
        Field(
            description="Return only cases that have not ended and are due on this day (UTC) or before.", examples=["2026-11-30"]
        ),
    ] = None
    cursor: Annotated[Text | None, Field(description="`cursor.next` of an earlier response.", examples=[EXAMPLE_CURSOR])] = None
    limit: Annotated[int, Field(ge=1, le=MAX_PAGE, description="Maximum number of cases to return.", examples=[25])] = DEFAULT_PAGE

    @property
    def start(self) -> FeedPosition:
        """The position to read from. Raises `ValidationFailed` for an invalid cursor."""
        return change_feed.decode_cursor(self.cursor) if self.cursor is not None else change_feed.START

    @property
    def chosen(self) -> CaseFilter:
        """The filters."""
        is_unassigned = self.assignee == NOBODY
        return CaseFilter(
            status=self.status,
            assignee=self.assignee.casefold() if self.assignee is not None and not is_unassigned else None,
            is_unassigned=is_unassigned,
            kind=self.kind,
            business_id=self.business_id,
            due_before=_find_next_midnight(self.due) if self.due is not None else None,
        )


def _find_next_midnight(day: date) -> datetime:
    """The end of the day in UTC."""
    midnight = datetime.combine(day, time.min, UTC)
    return midnight + timedelta(days=1) if day < date.max else midnight


@endpoint(
    router,
    "GET",
    ("/cases",),
    OperationSpec(
        operation_id="listCases",
        summary="List cases as a change feed",
        tag=TAG,
        scope=Scope.CASES_READ,
        further_scopes={"businessId": Scope.BUSINESSES_READ},
        query=CaseQuery,
        answers={200: OperationResponse("A page of the feed, oldest change first", CasePage, "case_page")},
    ),
)
async def list_cases(
    runtime: ServedRuntime,
    caller: Caller,
    language: ResponseLanguage,
    query: Annotated[CaseQuery, Depends(create_query_parser(CaseQuery))],
) -> Response:
    """List what needs a person, gathered in one case for each business, in the order of the last change.

    Repeat the request with `cursor.next` until `pagination.hasMore` is false. Keep the last cursor and use it later to get what has
    changed since: no change is skipped. A case that changes between two pages appears again on a later page.
    """
    if query.business_id is not None:
        caller.check_scope(Scope.BUSINESSES_READ, "businessId")
    page = await reading.list_cases(runtime, caller.organization_id, query.chosen, query.start, query.limit)
    return create_document_response(page, language)


@endpoint(
    router,
    "GET",
    ("/cases/{id}",),
    OperationSpec(
        operation_id="readCase",
        summary="Get a case",
        tag=TAG,
        scope=Scope.CASES_READ,
        path_id="CaseId",
        answers={200: OperationResponse("The case", Case, "case")},
        errors=(NotFound,),
    ),
)
async def read_case(runtime: ServedRuntime, caller: Caller, language: ResponseLanguage, case_id: PathId) -> Response:
    """Return a case with its items (at most 100, open ones first), notes, attachments and decisions.

    An item is settled with its cause: a hit that is dismissed, a discrepancy that is resolved, an alert that is acknowledged. A
    case that nobody has taken ends when its last item is settled; one with an assignee waits for the decision.
    """
    return create_document_response(await reading.read_case(runtime, caller.organization_id, case_id), language)


class CaseItemQuery(Document):
    """From which position to list the items of a case."""

    cursor: Annotated[
        Text | None,
        Field(
            description="`cursor.next` of an earlier response, for newer items.",
            examples=[reading.encode_item_cursor(reading.FIRST_ITEM)],
        ),
    ] = None
    limit: Annotated[int, Field(ge=1, le=MAX_PAGE, description="Maximum number of items to return.", examples=[25])] = DEFAULT_PAGE

    @property
    def start(self) -> ItemPosition:
        """The position to read from. Raises `ValidationFailed` for an invalid cursor."""
        return reading.decode_item_cursor(self.cursor) if self.cursor is not None else reading.FIRST_ITEM


@endpoint(
    router,
    "GET",
    ("/cases/{id}/items",),
    OperationSpec(
        operation_id="listCaseItems",
        summary="List the items of a case",
        tag=TAG,
        scope=Scope.CASES_READ,
        path_id="CaseId",
        query=CaseItemQuery,
        answers={200: OperationResponse("A page of the items, oldest item first", CaseItemPage, "case_item_page")},
        errors=(NotFound,),
    ),
)
async def list_case_items(
    runtime: ServedRuntime,
    caller: Caller,
    language: ResponseLanguage,
    case_id: PathId,
    query: Annotated[CaseItemQuery, Depends(create_query_parser(CaseItemQuery))],
) -> Response:
    """List all items of a case, open or not. The case itself has the open ones, up to 100."""
    page = await reading.list_case_items(runtime, caller.organization_id, case_id, query.start, query.limit)
    return create_document_response(page, language)


@endpoint(
    router,
    "PATCH",
    ("/cases/{id}",),
    OperationSpec(
        operation_id="changeCase",
        summary="Assign or change a case",
        tag=TAG,
        scope=Scope.CASES_WRITE,
        path_id="CaseId",
        body=CaseChange,
        body_example="case_change",
        answers={200: OperationResponse("The changed case", Case, "case")},
        errors=(NotFound, Conflict, StaleWrite),
    ),
)
async def change_case(
    request: Request,
    runtime: ServedRuntime,
    caller: Caller,
    language: ResponseLanguage,
    case_id: PathId,
    change: Annotated[CaseChange, Depends(create_body_parser(CaseChange))],
) -> Response:
    """Give a case to a member, or change its priority, due date or status. Fields that are not sent stay as they are.

    `CONFLICT` means that the case has ended; the message says who has decided what.
    """
    changed = await handling.change_case(runtime, caller.organization_id, case_id, change, build_author(request, caller))
    return create_document_response(changed, language)


@endpoint(
    router,
    "POST",
    ("/cases/{id}/notes",),
    OperationSpec(
        operation_id="addCaseNote",
        summary="Add a note to a case",
        tag=TAG,
        scope=Scope.CASES_WRITE,
        path_id="CaseId",
        body=CaseNoteRequest,
        body_example="case_note_request",
        answers={201: OperationResponse("The note", CaseNote, "case_note")},
        errors=(NotFound,),
    ),
)
async def add_case_note(
    request: Request,
    runtime: ServedRuntime,
    caller: Caller,
    language: ResponseLanguage,
    case_id: PathId,
    note: Annotated[CaseNoteRequest, Depends(create_body_parser(CaseNoteRequest))],
) -> Response:
    """Add a note, also to a case that has ended. Notes are never changed or deleted."""
    work = handling.add_note(runtime, caller.organization_id, case_id, note, build_author(request, caller))
    return await respond_once(work, lambda added: create_document_response(added, language, 201))


@endpoint(
    router,
    "POST",
    ("/cases/{id}/attachments",),
    OperationSpec(
        operation_id="addCaseAttachment",
        summary="Attach a file to a case",
        tag=TAG,
        scope=Scope.CASES_WRITE,
        path_id="CaseId",
        body=DocumentUpload,
        body_example="document_upload",
        body_media_types={MULTIPART: "A PDF, PNG or JPEG file with its name."},
        answers={201: OperationResponse("The attachment", CaseAttachment, "case_attachment")},
        errors=(NotFound,),
    ),
)
async def add_case_attachment(
    request: Request,
    runtime: ServedRuntime,
    caller: Caller,
    language: ResponseLanguage,
    case_id: PathId,
    file: Annotated[UploadedFile, Depends(parse_upload)],
) -> Response:
    """Attach a PDF, PNG or JPEG file, as the part `file` of a form (`multipart/form-data`), or in base64 within JSON.

    The type is found from the content. The body is limited as every body (1 MiB by default). Attachments are never changed or
    deleted; the audit log has the SHA-256 digest.
    """
    sent = UploadedDocument(file.name, file.content, file.field)
    work = attachments.add_attachment(runtime, caller.organization_id, case_id, sent, build_author(request, caller))
    return await respond_once(work, lambda added: create_document_response(added, language, 201))


@endpoint(
    router,
    "GET",
    ("/cases/{id}/attachments/{attachmentId}",),
    OperationSpec(
        operation_id="readCaseAttachment",
        summary="Download an attachment of a case",
        tag=TAG,
        scope=Scope.CASES_READ,
        path_id="CaseId",
        parameters=(reference_parameter("AttachmentId"),),
        answers={200: OperationResponse("The content of the file", media_type=BINARY, headers=("Repr-Digest",))},
        errors=(NotFound,),
    ),
)
async def read_case_attachment(runtime: ServedRuntime, caller: Caller, case_id: PathId, attachment_id: AttachmentId) -> Response:
    """Return the file as it was attached. `Repr-Digest` is its SHA-256."""
    found, content = await attachments.read_attachment(runtime, caller.organization_id, case_id, attachment_id)
    # Never displayed inline: it comes from somebody else.
    name = f"attachment-{attachment_id}.{found.media_type.extension}"
    return create_file_response(content, BINARY, name, sha256=found.sha256)


@endpoint(
    router,
    "POST",
    ("/cases/{id}/decision",),
    OperationSpec(
        operation_id="decideCase",
        summary="Decide about a case",
        tag=TAG,
        scope=Scope.CASES_WRITE,
        path_id="CaseId",
        body=CaseDecisionRequest,
        body_example="case_decision_request",
        answers={200: OperationResponse("The case after the decision", Case, "case_decided")},
        errors=(NotFound, Conflict, StaleWrite),
    ),
)
async def decide_case(
    request: Request,
    runtime: ServedRuntime,
    caller: Caller,
    language: ResponseLanguage,
    case_id: PathId,
    decision: Annotated[CaseDecisionRequest, Depends(create_body_parser(CaseDecisionRequest))],
) -> Response:
    """Approve or reject, which ends the case and covers its open items; request information (`waiting`); or escalate.

    To escalate raises the priority and takes the case from its assignee. A case with open hits can't be approved. If the settings
    require a second review of the decision, the case is `in_second_review` until another person sends `reviews` with
    `pendingDecisionId`: the same decision ends the case, any other one returns it. A new item returns it too. `CONFLICT` means that
    somebody has decided already; the message says who, what and when.
    """
    work = deciding.decide_case(runtime, caller.organization_id, case_id, decision, build_author(request, caller))
    return await respond_once(work, lambda decided: create_document_response(decided, language))


@endpoint(
    router,
    "GET",
    ("/cases/{id}/audit",),
    OperationSpec(
        operation_id="readCaseTrail",
        summary="Get the audit log of a case",
        tag=TAG,
        scope=Scope.CASES_READ,
        path_id="CaseId",
        query=AuditLogQuery,
        answers={200: OperationResponse("A page of the audit log, oldest entry first", AuditPage, "audit_page")},
        errors=(NotFound,),
    ),
)
async def read_case_audit_log(
    runtime: ServedRuntime,
    caller: Caller,
    language: ResponseLanguage,
    case_id: PathId,
    query: Annotated[AuditLogQuery, Depends(create_query_parser(AuditLogQuery))],
) -> Response:
    """List every change of a case: who made it, when, in which request, and the old and new values."""
    page = await reading.read_case_audit_log(runtime, caller.organization_id, case_id, query.limit, query.offset)
    return create_document_response(page, language)


@endpoint(router, "POST", ("/cases/{id}/erase",), describe_erasure("eraseCase", "Erase a case", TAG, "CaseId"))
async def erase_case(
    request: Request,
    runtime: ServedRuntime,
    caller: Caller,
    language: ResponseLanguage,
    case_id: PathId,
    erasure: ErasureBody,
) -> Response:
    """Erase a case with its items, notes, files and decisions. This can't be undone.

    The case is unknown at once. A worker then erases its events and the content of its entries in the audit log, which can still be
    verified. Examiner's packs that may contain it are deleted. What the case was about is kept. `CONFLICT` means that a legal
    hold is in place, on the organization or on its business record.
    """
    check, author = (ErasableCheck.CASE, case_id), build_author(request, caller)
    work = erasure_requests.erase_check(runtime, caller.organization_id, check, erasure, author)
    return await respond_once(work, lambda accepted: create_document_response(accepted, language, 202))
