"""Pages of batches: the list with a form for a file, the preview with the columns, progress, errors and downloads.

The uploaded file is stored for a day, so that the confirmed file is the previewed one.
"""

import asyncio
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager, closing, suppress
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from urllib.parse import urlencode
from uuid import UUID

from fastapi import APIRouter, Request
from pydantic import ValidationError
from starlette.datastructures import FormData, UploadFile
from starlette.responses import Response, StreamingResponse

from bonafide.console.batches.labels import ACTIONS, FIELDS, KINDS, STATUS
from bonafide.console.frame.console_request import Analyst, PathId, ServedRuntime, Viewer, build_author, get_console_request
from bonafide.console.frame.forms import UPLOAD_FORM, get_file_name, get_uploaded_file, parse_number, read_form
from bonafide.console.frame.responses import build_attachment_headers, is_partial_request, redirect, render_fragment, render_page
from bonafide.console.frame.route import ConsoleRoute
from bonafide.errors import BatchFileInvalid, Conflict, NotFound, ValidationFailed
from bonafide.i18n.message import Message
from bonafide.model.accounts.users import SignedIn
from bonafide.model.batches.batch import BatchAction, BatchFormat, BatchKind, BatchMapping, BatchParameters, BatchStatus
from bonafide.model.batches.rows import FIELDS as KIND_FIELDS
from bonafide.model.batches.rows import REQUIRED
from bonafide.runtime import Runtime
from bonafide.services.batches import requests, results
from bonafide.services.batches.column_mapping import list_mapped, resolve_mapping, suggest_mapping
from bonafide.services.batches.requests import PendingUpload, SubmittedBatch
from bonafide.services.batches.row_files import RawRow, guess_format
from bonafide.services.batches.row_process import open_sent_rows
from bonafide.services.batches.storage import copy_upload

ADDRESS = "/console/batches"
PREVIEW_PATH, BATCH_PATH = "/preview/{id}", "/{id}"
PAGE_SIZE = 25
PREVIEW_ROWS = 5
MAX_SHOWN_ERRORS = 25
MAX_SHOWN_COLUMNS = 12
NO_FILE = Message("Select a file.")
UNKNOWN_KIND = Message("Choose what is to be done.")
UNKNOWN_ENDING = Message("The name of the file must end in .csv, .xlsx, .jsonl or .parquet.")
UNKNOWN_UPLOAD = Message("The uploaded file is no longer stored. Upload it again.")
_COPIED_BYTES = 1024**2
_SIZE_DIGITS = 12
_POSSIBLE = {
    BatchStatus.QUEUED: (BatchAction.PAUSE, BatchAction.CANCEL),
    BatchStatus.RUNNING: (BatchAction.PAUSE, BatchAction.CANCEL),
    BatchStatus.PAUSED: (BatchAction.RESUME, BatchAction.CANCEL),
}
"""The actions on a batch by its status."""
router = APIRouter(prefix=ADDRESS, include_in_schema=False, route_class=ConsoleRoute)


@dataclass(frozen=True, slots=True)
class UploadState:
    """An uploaded file as the address of its preview names it."""

    upload: PendingUpload
    kind: BatchKind
    format: BatchFormat
    name: str

    @property
    def address(self) -> str:
        """The address of the preview."""
        state = {"kind": self.kind.value, "format": self.format.value, "size": self.upload.size, "name": self.name}
        return f"{ADDRESS}/preview/{self.upload.id}?{urlencode(state)}"


@dataclass(frozen=True, slots=True)
class _FilePreview:
    """The columns of a file, its first rows, and the columns that fields were found in."""

    columns: tuple[str, ...]
    rows: Sequence[RawRow]
    mapping: BatchMapping


@router.get("")
async def list_batches(request: Request, signed_in: Viewer, runtime: ServedRuntime) -> Response:
    """A page of the batches, newest first, with the form for a file. Raises `ValidationFailed` for an invalid cursor."""
    return await _render_list(request, signed_in, runtime)


@router.post("", dependencies=[UPLOAD_FORM])
async def send_file(request: Request, signed_in: Analyst, runtime: ServedRuntime) -> Response:
    """Store the file and redirect to its preview. A file that can't be read is rejected."""
    form = await read_form(request)
    file, kind = get_uploaded_file(form, "file"), _parse_kind(str(form.get("kind", "")))
    problems: dict[str, Message] = {}
    if file is None:
        problems["file"] = NO_FILE
    if kind is None:
        problems["kind"] = UNKNOWN_KIND
    if file is None or kind is None:
        return await _render_list(request, signed_in, runtime, problems)
    name = get_file_name(file, "rows.csv")
    file_format = guess_format(name)
    if file_format is None:
        return await _render_list(request, signed_in, runtime, {"file": UNKNOWN_ENDING})
    with TemporaryDirectory(prefix="bonafide-batch-") as folder:
        path = Path(folder) / "rows"
        await asyncio.to_thread(_copy, file, path)
        try:
            await asyncio.to_thread(_preview, path, file_format, kind)
        except BatchFileInvalid as error:
            return await _render_list(request, signed_in, runtime, {"file": error.message})
        upload = await requests.store_pending_upload(runtime, signed_in.organization_id, path)
    return redirect(request, UploadState(upload, kind, file_format, name).address)


@router.get(PREVIEW_PATH)
async def preview(request: Request, signed_in: Analyst, runtime: ServedRuntime, upload_id: PathId) -> Response:
    """The first rows of an uploaded file, and a column for each field. Raises `NotFound`."""
    state = _read_state(request, upload_id)
    async with _read_upload(runtime, signed_in.organization_id, state) as path:
        found = await asyncio.to_thread(_preview, path, state.format, state.kind)
    return _render_preview(request, state, found, list_mapped(found.mapping))


@router.post(PREVIEW_PATH)
async def confirm(request: Request, signed_in: Analyst, runtime: ServedRuntime, upload_id: PathId) -> Response:
    """Request the batch of an uploaded file. Raises `NotFound`."""
    state, form = _read_state(request, upload_id), await read_form(request)
    chosen = {field: text for field in KIND_FIELDS[state.kind] if (text := str(form.get(field, "")))}
    async with _read_upload(runtime, signed_in.organization_id, state) as path:
        found = await asyncio.to_thread(_preview, path, state.format, state.kind)
        try:
            parameters = _parse_parameters(form)
            mapping = resolve_mapping(state.kind, found.columns, BatchMapping.model_validate(chosen), is_complete=True)
            submitted = SubmittedBatch(path, state.name, state.kind, state.format, mapping, parameters)
            requester = get_console_request(request).language, build_author(request, signed_in)
            batch = await requests.begin_batch(runtime, signed_in.principal, submitted, state.upload, requester)
        except ValidationFailed as refusal:
            problems = {problem.path.removeprefix("mapping."): problem.message for problem in refusal.details}
            return _render_preview(request, state, found, chosen, problems)
        except Conflict as refusal:
            return _render_preview(request, state, found, chosen, {"": refusal.message})
    return redirect(request, f"{ADDRESS}/{batch.id}")


@router.get(BATCH_PATH)
async def show_batch(request: Request, signed_in: Viewer, runtime: ServedRuntime, batch_id: PathId) -> Response:
    """The progress of a batch, which the page polls; its first rows with errors, and its downloads. Raises `NotFound`."""
    batch = await requests.read_batch(runtime, signed_in.organization_id, batch_id)
    progress: dict[str, Any] = {
        "batch": batch,
        "labels": STATUS,
        "actions": [(action.value, ACTIONS[action]) for action in _POSSIBLE.get(batch.status, ())],
        "is_waiting": batch.finished_at is None,
    }
    if is_partial_request(request):
        if batch.finished_at is not None:
            return Response(status_code=204, headers={"HX-Refresh": "true"})
        return render_fragment(request, "batches/batch.html", "progress", **progress)
    is_deleted = batch.finished_at is not None and batch.results_expire_at is None
    errors = None
    if batch.failed and not is_deleted:
        errors = await results.list_errors(runtime, signed_in.principal, batch_id, MAX_SHOWN_ERRORS)
    return render_page(
        request,
        "batches/batch.html",
        kinds=KINDS,
        field_labels=FIELDS,
        mapped=list_mapped(batch.mapping),
        formats=[one.value for one in BatchFormat] if batch.results_expire_at is not None else [],
        errors=errors,
        is_deleted=is_deleted,
        sources={key: source.metadata for key, source in runtime.sources.items()},
        **progress,
    )


@router.get(BATCH_PATH + "/results.{format}")
async def download_results(request: Request, signed_in: Viewer, runtime: ServedRuntime, batch_id: PathId) -> Response:
    """The results in a format. Raises `NotFound`, and `Conflict` before the end and after they have been deleted."""
    try:
        file_format = BatchFormat(str(request.path_params["format"]))
    except ValueError:
        raise NotFound(requests.UNKNOWN_BATCH) from None
    found = await results.open_results(runtime, signed_in.principal, batch_id, file_format)
    return StreamingResponse(found.parts, headers=build_attachment_headers(found.name), media_type=found.media_type)


@router.post(BATCH_PATH + "/{action}")
async def change_batch(request: Request, signed_in: Analyst, runtime: ServedRuntime, batch_id: PathId) -> Response:
    """Pause, resume or cancel a batch; one that has ended stays as it is. Raises `NotFound`."""
    try:
        action = BatchAction(str(request.path_params["action"]))
    except ValueError:
        raise NotFound(requests.UNKNOWN_BATCH) from None
    author = build_author(request, signed_in)
    with suppress(Conflict):  # it has ended in the meantime, and the page says so
        await requests.change_batch(runtime, signed_in.principal, batch_id, action, author)
    return redirect(request, f"{ADDRESS}/{batch_id}")


# ------------------------------------------------------------------------------------------------------------ files


def _copy(file: UploadFile, path: Path) -> None:
    with path.open("wb") as copy:
        file.file.seek(0)
        while piece := file.file.read(_COPIED_BYTES):
            copy.write(piece)


def _preview(path: Path, file_format: BatchFormat, kind: BatchKind) -> _FilePreview:
    """Read the beginning of a file. Blocks. Raises `BatchFileInvalid`."""
    with closing(open_sent_rows(path, file_format, PREVIEW_ROWS)) as file:
        return _FilePreview(file.columns, list(file.rows), suggest_mapping(kind, file.columns))


@asynccontextmanager
async def _read_upload(runtime: Runtime, organization_id: UUID, state: UploadState) -> AsyncIterator[Path]:
    """A copy of an uploaded file on the local disk. Raises `NotFound` if it is no longer stored."""
    with TemporaryDirectory(prefix="bonafide-batch-") as folder:
        path = Path(folder) / "rows"
        try:
            await copy_upload(runtime, organization_id, state.upload.id, state.upload.size, path)
        except NotFound:
            raise NotFound(UNKNOWN_UPLOAD) from None
        yield path


def _read_state(request: Request, upload_id: UUID) -> UploadState:
    """The uploaded file that an address names. Raises `NotFound` for a changed address."""
    query, runtime = request.query_params, request.app.state.runtime
    kind, size = _parse_kind(query.get("kind", "")), parse_number(query.get("size", ""), _SIZE_DIGITS)
    if kind is None or not size or size > runtime.settings.batch_max_bytes:
        raise NotFound(UNKNOWN_UPLOAD)
    try:
        file_format = BatchFormat(query.get("format", ""))
    except ValueError:
        raise NotFound(UNKNOWN_UPLOAD) from None
    return UploadState(PendingUpload(upload_id, size), kind, file_format, query.get("name", "")[:200] or "rows")


def _parse_kind(text: str) -> BatchKind | None:
    return next((kind for kind in BatchKind if kind.value == text), None)


def _parse_parameters(form: FormData) -> BatchParameters:
    """The parameters of a form, where a threshold is a percentage. Raises `ValidationFailed`."""
    percent, limit = (parse_number(str(form.get(name, "")), 3) for name in ("threshold", "limit"))
    try:
        return BatchParameters(threshold=(percent if percent is not None else -1) / 100, limit=limit if limit is not None else 0)
    except ValidationError as error:
        field = str(error.errors()[0]["loc"][0])
        problem = Message("Enter a number from 50 to 100.") if field == "threshold" else Message("Enter a number from 1 to 10.")
        raise ValidationFailed.of_field(field, problem) from None


# ------------------------------------------------------------------------------------------------------------ rendering


def _render_preview(
    request: Request,
    state: UploadState,
    found: _FilePreview,
    chosen: Mapping[str, str],
    problems: Mapping[str, Message] | None = None,
) -> Response:
    return render_page(
        request,
        "batches/preview.html",
        422 if problems else 200,
        state=state,
        kind=KINDS[state.kind],
        columns=found.columns[:MAX_SHOWN_COLUMNS],
        more_columns=max(len(found.columns) - MAX_SHOWN_COLUMNS, 0),
        options=[("", "—"), *((name, name) for name in found.columns if name)],
        rows=found.rows,
        fields=[(field, FIELDS[field], field in REQUIRED[state.kind]) for field in KIND_FIELDS[state.kind]],
        chosen=chosen,
        problems=problems if problems is not None else {},
    )


async def _render_list(
    request: Request, signed_in: SignedIn, runtime: Runtime, problems: Mapping[str, Message] | None = None
) -> Response:
    cursor = request.query_params.get("cursor") if problems is None else None
    page = await requests.list_batches(runtime, signed_in.organization_id, PAGE_SIZE, cursor)
    return render_page(
        request,
        "batches/list.html",
        422 if problems else 200,
        page=page,
        kinds=KINDS,
        labels=STATUS,
        problems=problems if problems is not None else {},
        is_first=cursor is None,
        max_mib=runtime.settings.max_form_bytes // 1024**2,
        keep_days=runtime.settings.batch_keep_days,
    )
