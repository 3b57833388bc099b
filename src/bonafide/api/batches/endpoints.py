"""Endpoints of batches: request, list, read, pause, resume and cancel them, and download their results.

Every endpoint parses, calls one service and renders. `services/batches` does the work.
"""

from collections.abc import Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from types import MappingProxyType
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Request
from pydantic import Field
from starlette.responses import Response

from bonafide.api.batches.batch_body import FORM_FIELDS, parse_batch, read_batch_form
from bonafide.api.description.operation import BINARY_FILE, TEXT_FILE, OperationResponse, OperationSpec, endpoint
from bonafide.api.endpoints.businesses import DEFAULT_PAGE, EXAMPLE_CURSOR, MAX_PAGE, build_author
from bonafide.api.protocol.dependencies import Caller, PathId, ResponseLanguage, ServedRuntime
from bonafide.api.protocol.file_form import FileForm
from bonafide.api.protocol.idempotency import respond_once
from bonafide.api.protocol.query_string import create_query_parser
from bonafide.api.protocol.request_body import create_body_parser
from bonafide.api.protocol.responses import create_document_response, create_unsized_stream_response
from bonafide.api.protocol.upload_body import MULTIPART
from bonafide.errors import Conflict, NotFound
from bonafide.model.accounts.organizations import Scope
from bonafide.model.base import Document
from bonafide.model.batches.batch import (
    Batch,
    BatchChange,
    BatchErrorPage,
    BatchFormat,
    BatchMapping,
    BatchPage,
    BatchRequest,
)
from bonafide.model.query import Text
from bonafide.services.batches import requests, results
from bonafide.services.batches.requests import SubmittedBatch
from bonafide.services.batches.result_files import MEDIA_TYPES

TAG = "Batches"
RESULT_SCHEMAS: Mapping[BatchFormat, Mapping[str, Any]] = MappingProxyType({
    BatchFormat.JSONL: TEXT_FILE,
    BatchFormat.CSV: TEXT_FILE,
    BatchFormat.XLSX: BINARY_FILE,
    BatchFormat.PARQUET: BINARY_FILE,
})  # fmt: skip
"""The schemas of the files of results."""
router = APIRouter(prefix="/v1")


class BatchQuery(Document):
    """From which position to list, and how much."""

    cursor: Annotated[Text | None, Field(description="`cursor.next` of an earlier response.", examples=[EXAMPLE_CURSOR])] = None
    limit: Annotated[int, Field(ge=1, le=MAX_PAGE, description="Maximum number of items to return.", examples=[25])] = DEFAULT_PAGE


class BatchResultQuery(Document):
    """In which format results are returned."""

    format: Annotated[
        BatchFormat,
        Field(
            description="`jsonl` and `parquet` have every match of a row; `csv` and `xlsx` have one line for each row, with its "
            "best match.",
            examples=["csv"],
        ),
    ] = BatchFormat.JSONL


@endpoint(
    router,
    "POST",
    ("/batches",),
    OperationSpec(
        operation_id="createBatch",
        summary="Request a batch",
        tag=TAG,
        scope=Scope.BATCHES_WRITE,
        further_scopes={kind.value: scope for kind, scope in requests.WRITE_SCOPES.items()},
        body=BatchRequest,
        body_example="batch_request",
        body_media_types={MULTIPART: "JSON lines, CSV with a header, XLSX or Parquet."},
        form_fields=FORM_FIELDS,
        answers={202: OperationResponse("The batch, which workers do", Batch, "batch_queued", headers=("Location",))},
        errors=(Conflict,),
    ),
)
async def create_batch(
    request: Request,
    runtime: ServedRuntime,
    caller: Caller,
    language: ResponseLanguage,
    sent: Annotated[BatchRequest | FileForm, Depends(parse_batch)],
) -> Response:
    """Search, verify or screen the rows of a file in the background.

    Send up to 1,000 rows as JSON, or a form with a file of up to a million. Every row needs a name; a verification also needs a
    jurisdiction and a registration number. Rows are compared with loaded data only: live registers are not queried. Nothing is
    stored about business records, and dismissals do not apply. Batches of an organization are done one after the other. Read the
    batch until `status` is `completed`, or wait for the event `batch.completed`. A row with an error does not affect the others.
    `CONFLICT` means that as many batches have not ended as may be.
    """
    author = build_author(request, caller)

    def respond(batch: Batch) -> Response:
        return create_document_response(batch, language, 202, {"Location": f"{router.prefix}/batches/{batch.id}"})

    if isinstance(sent, FileForm):
        try:
            submitted = read_batch_form(sent)
            return await respond_once(requests.create_batch(runtime, caller, submitted, language, author), respond)
        finally:
            sent.close()
    with TemporaryDirectory(prefix="bonafide-rows-") as folder:
        path = Path(folder) / "rows"
        requests.write_sent_rows(sent.rows, path)
        submitted = SubmittedBatch(path, None, sent.kind, BatchFormat.JSONL, BatchMapping(), sent.parameters)
        return await respond_once(requests.create_batch(runtime, caller, submitted, language, author), respond)


@endpoint(
    router,
    "GET",
    ("/batches",),
    OperationSpec(
        operation_id="listBatches",
        summary="List batches",
        tag=TAG,
        scope=Scope.BATCHES_READ,
        query=BatchQuery,
        answers={200: OperationResponse("A page of batches, newest first", BatchPage, "batch_page")},
    ),
)
async def list_batches(
    runtime: ServedRuntime,
    caller: Caller,
    language: ResponseLanguage,
    query: Annotated[BatchQuery, Depends(create_query_parser(BatchQuery))],
) -> Response:
    """List the batches of the organization, newest first. Batches whose results have been deleted stay in the list."""
    page = await requests.list_batches(runtime, caller.organization_id, query.limit, query.cursor)
    return create_document_response(page, language)


@endpoint(
    router,
    "GET",
    ("/batches/{id}",),
    OperationSpec(
        operation_id="readBatch",
        summary="Get a batch",
        tag=TAG,
        scope=Scope.BATCHES_READ,
        path_id="BatchId",
        answers={200: OperationResponse("The batch", Batch, "batch")},
        errors=(NotFound,),
    ),
)
async def read_batch(runtime: ServedRuntime, caller: Caller, language: ResponseLanguage, batch_id: PathId) -> Response:
    """Return a batch with its progress: rows, rows that are done, rows with errors, the rate and the estimated end."""
    return create_document_response(await requests.read_batch(runtime, caller.organization_id, batch_id), language)


@endpoint(
    router,
    "PATCH",
    ("/batches/{id}",),
    OperationSpec(
        operation_id="updateBatch",
        summary="Pause, resume or cancel a batch",
        tag=TAG,
        scope=Scope.BATCHES_WRITE,
        path_id="BatchId",
        body=BatchChange,
        body_example="batch_change",
        answers={200: OperationResponse("The batch", Batch, "batch")},
        errors=(NotFound, Conflict),
    ),
)
async def update_batch(
    request: Request,
    runtime: ServedRuntime,
    caller: Caller,
    language: ResponseLanguage,
    batch_id: PathId,
    change: Annotated[BatchChange, Depends(create_body_parser(BatchChange))],
) -> Response:
    """Pause, resume or cancel a batch that has not ended.

    Rows that are being worked on are completed. A resumed batch waits until no other batch of the organization runs. The results of
    a cancelled batch have the rows that were done. An action without an effect, and the cancellation of a batch that has ended,
    change nothing. `CONFLICT` means that the batch has ended and can't be paused or resumed.
    """
    changed = await requests.change_batch(runtime, caller, batch_id, change.action, build_author(request, caller))
    return create_document_response(changed, language)


@endpoint(
    router,
    "GET",
    ("/batches/{id}/results",),
    OperationSpec(
        operation_id="readBatchResults",
        summary="Download the results of a batch",
        tag=TAG,
        scope=Scope.BATCHES_READ,
        further_scopes={kind.value: scope for kind, scope in requests.READ_SCOPES.items()},
        path_id="BatchId",
        query=BatchResultQuery,
        answers={
            200: OperationResponse(
                "The results in the format that `format` names",
                media_type=MEDIA_TYPES[BatchFormat.JSONL],
                further_media_types={MEDIA_TYPES[one]: schema for one, schema in RESULT_SCHEMAS.items()},
            )
        },
        errors=(NotFound, Conflict),
    ),
)
async def read_batch_results(
    runtime: ServedRuntime,
    caller: Caller,
    batch_id: PathId,
    query: Annotated[BatchResultQuery, Depends(create_query_parser(BatchResultQuery))],
) -> Response:
    """Return the results of a batch that has ended, with one row for each row of the file, in its order.

    A row has `row` and `line`, your `reference`, `status`, the best `score`, the matches with their reasons, `checked` (the number
    of sources that it was compared with) and `notChecked` (the keys of the others). No cell of CSV or XLSX is a formula.
    `CONFLICT` means that the batch has not ended, or that its results have been deleted.
    """
    found = await results.open_results(runtime, caller, batch_id, query.format)
    return create_unsized_stream_response(found.parts, found.media_type, found.name)


@endpoint(
    router,
    "GET",
    ("/batches/{id}/errors",),
    OperationSpec(
        operation_id="listBatchErrors",
        summary="List the rows of a batch with errors",
        tag=TAG,
        scope=Scope.BATCHES_READ,
        further_scopes={kind.value: scope for kind, scope in requests.READ_SCOPES.items()},
        path_id="BatchId",
        query=BatchQuery,
        answers={200: OperationResponse("A page of rows with errors", BatchErrorPage, "batch_error_page")},
        errors=(NotFound, Conflict),
    ),
)
async def list_batch_errors(
    runtime: ServedRuntime,
    caller: Caller,
    language: ResponseLanguage,
    batch_id: PathId,
    query: Annotated[BatchQuery, Depends(create_query_parser(BatchQuery))],
) -> Response:
    """List the rows that were not done, with their lines and the reasons, in the order of the file.

    While the batch runs, the list has those of the rows done so far. `CONFLICT` means that the results have been deleted.
    """
    page = await results.list_errors(runtime, caller, batch_id, query.limit, query.cursor)
    return create_document_response(page, language)
