"""Endpoints of documents that are kept with a business record: upload, list, download.

Every endpoint parses, calls one service and renders. `services/records/documents` does the work.
"""

from typing import Annotated
from uuid import UUID

from fastapi import APIRouter, Depends, Request
from starlette.responses import Response

from bonafide.api.description.components import reference_parameter
from bonafide.api.description.operation import OperationResponse, OperationSpec, endpoint
from bonafide.api.endpoints.businesses import build_author
from bonafide.api.protocol.dependencies import Caller, PathId, ResponseLanguage, ServedRuntime, create_path_id_parser
from bonafide.api.protocol.idempotency import respond_once
from bonafide.api.protocol.request_body import create_body_parser
from bonafide.api.protocol.responses import create_document_response, create_file_response
from bonafide.errors import NotFound
from bonafide.model.accounts.organizations import Scope
from bonafide.model.records.documents import BusinessDocument, BusinessDocumentList, DocumentUpload
from bonafide.services.records import documents
from bonafide.services.records.uploads import UploadedDocument

TAG = "Documents"
BINARY = "application/octet-stream"
router = APIRouter(prefix="/v1")
DocumentId = Annotated[UUID, Depends(create_path_id_parser("documentId"))]


@endpoint(
    router,
    "POST",
    ("/businesses/{id}/documents",),
    OperationSpec(
        operation_id="addDocument",
        summary="Upload a document",
        tag=TAG,
        scope=Scope.BUSINESSES_WRITE,
        path_id="BusinessId",
        body=DocumentUpload,
        body_example="document_upload",
        answers={201: OperationResponse("The stored document", BusinessDocument, "document")},
        errors=(NotFound,),
    ),
)
async def add_document(
    request: Request,
    runtime: ServedRuntime,
    caller: Caller,
    language: ResponseLanguage,
    business_id: PathId,
    upload: Annotated[DocumentUpload, Depends(create_body_parser(DocumentUpload))],
) -> Response:
    """Store a PDF, PNG or JPEG file with a business record. It is never changed or deleted.

    `content` is base64, and the body is limited as every body (1 MiB by default); larger files, up to 10 MiB, can be uploaded in
    the console. The type is found from the content. The upload is recorded in the record's audit log with the SHA-256 digest.
    """
    author = build_author(request, caller)
    sent = UploadedDocument(upload.name, upload.decode())
    work = documents.add_document(runtime, caller.organization_id, business_id, sent, author)
    return await respond_once(work, lambda document: create_document_response(document, language, 201))


@endpoint(
    router,
    "GET",
    ("/businesses/{id}/documents",),
    OperationSpec(
        operation_id="listDocuments",
        summary="List the documents of a business",
        tag=TAG,
        scope=Scope.BUSINESSES_READ,
        path_id="BusinessId",
        answers={200: OperationResponse("The documents", BusinessDocumentList, "document_list")},
        errors=(NotFound,),
    ),
)
async def list_documents(runtime: ServedRuntime, caller: Caller, language: ResponseLanguage, business_id: PathId) -> Response:
    """List the documents of a business record with their digests, newest first."""
    return create_document_response(await documents.list_documents(runtime, caller.organization_id, business_id), language)


@endpoint(
    router,
    "GET",
    ("/businesses/{id}/documents/{documentId}",),
    OperationSpec(
        operation_id="readDocument",
        summary="Download a document",
        tag=TAG,
        scope=Scope.BUSINESSES_READ,
        path_id="BusinessId",
        parameters=(reference_parameter("DocumentId"),),
        answers={200: OperationResponse("The content of the file", media_type=BINARY, headers=("Repr-Digest",))},
        errors=(NotFound,),
    ),
)
async def read_document(runtime: ServedRuntime, caller: Caller, business_id: PathId, document_id: DocumentId) -> Response:
    """Return the file as it was uploaded. `Repr-Digest` is its SHA-256."""
    found, content = await documents.read_document(runtime, caller.organization_id, business_id, document_id)
    # Never displayed inline: it comes from somebody else.
    name = f"document-{document_id}.{found.media_type.extension}"
    return create_file_response(content, BINARY, name, sha256=found.sha256)
