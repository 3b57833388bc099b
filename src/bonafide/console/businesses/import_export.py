"""Import business records from a file, with a preview, and export them as CSV.

The uploaded file is stored for an hour, so that the confirmed file is the previewed one. The result appears at the same URL.
"""

import io

from fastapi import APIRouter, Request
from starlette.datastructures import FormData
from starlette.responses import Response, StreamingResponse

from bonafide.console.businesses.record_fields import get_field_label
from bonafide.console.businesses.records import ADDRESS
from bonafide.console.frame.console_request import Analyst, ServedRuntime, Viewer, build_author, get_console_request
from bonafide.console.frame.forms import UPLOAD_FORM, get_uploaded_file, read_form
from bonafide.console.frame.responses import build_attachment_headers, redirect, render_page
from bonafide.console.frame.route import ConsoleRoute
from bonafide.console.lists.definitions import BUSINESSES, build_record_filter
from bonafide.errors import ValidationFailed
from bonafide.i18n.language import Language
from bonafide.i18n.message import Message
from bonafide.runtime import Runtime
from bonafide.services.records import csv_format, csv_import, pending_imports
from bonafide.services.records.csv_format import READ_ONLY, WRITABLE
from bonafide.services.records.csv_import import ImportAction
from bonafide.services.records.csv_reader import RecordFile, read_records
from bonafide.services.records.pending_imports import build_import_result, format_refusals_file

MAX_SHOWN_ROWS = 20
"""Rows of each action that a page shows."""
MAX_ROWS = 5000
"""The row limit of imports in the console. The command line has none."""
NO_FILE = Message("Select a file.")
ACTION_COLOURS = {ImportAction.NEW: "note", ImportAction.CHANGED: "good", ImportAction.UNCHANGED: "", ImportAction.REFUSED: "bad"}
"""The colours of the actions, in display order."""
_CLEAR = "clearEmpty"
_DELIMITERS = {Language.ENGLISH: ",", Language.FRENCH: ";"}
"""The delimiters that spreadsheets expect in each language. Imports accept both."""
_MIB = 1024 * 1024
router = APIRouter(prefix=ADDRESS, include_in_schema=False, route_class=ConsoleRoute)


@router.get("/export")
async def export(request: Request, signed_in: Viewer, runtime: ServedRuntime) -> Response:
    """The records that match the filters, as CSV for spreadsheets, or as plain CSV with `?for=program`."""
    is_plain = request.query_params.get("for") == "program"
    delimiter = "," if is_plain else _choose_delimiter(request)
    layout = csv_format.CsvLayout(delimiter, is_marked=not is_plain)
    chosen = build_record_filter(BUSINESSES.parse(request.query_params, get_console_request(request).time_zone))
    pieces = csv_format.export_records(runtime, signed_in.organization_id, chosen, layout)
    return StreamingResponse(
        pieces, headers=build_attachment_headers(f"businesses-{runtime.clock():%Y-%m-%d}.csv"), media_type="text/csv"
    )


@router.get("/import")
async def choose_file(request: Request, signed_in: Analyst, runtime: ServedRuntime) -> Response:
    """The form for a file."""
    del signed_in
    return _render_upload_form(request, runtime)


@router.post("/import", dependencies=[UPLOAD_FORM])
async def send_file(request: Request, signed_in: Analyst, runtime: ServedRuntime) -> Response:
    """Store the file and redirect to its preview. Files without a valid header are rejected."""
    form = await read_form(request)
    clears = form.get(_CLEAR) == "true"
    try:
        content = await _read_upload(form)
        _parse_file(content, clears=clears)
    except ValidationFailed as refusal:
        return _render_upload_form(request, runtime, refusal)
    key = await pending_imports.store_import(runtime, signed_in.organization_id, content)
    return redirect(request, f"{ADDRESS}/import/{key}{'?clear=yes' if clears else ''}")


@router.get("/import/{key}")
async def preview(request: Request, signed_in: Analyst, runtime: ServedRuntime, key: str) -> Response:
    """The preview of a stored file; after the import, its result. Raises `NotFound`."""
    organization_id, clears = signed_in.organization_id, _read_clear_option(request)
    done = await pending_imports.read_import_result(runtime, organization_id, key)
    if done is not None:
        return render_page(
            request,
            "businesses/imported.html",
            result=done,
            key=key,
            fates=ACTION_COLOURS,
            shown=MAX_SHOWN_ROWS,
            label_of=get_field_label,
        )
    file = _parse_file(await pending_imports.read_import(runtime, organization_id, key), clears=clears)
    try:
        planned = await csv_import.preview_import(runtime, organization_id, file.rows, MAX_SHOWN_ROWS, MAX_ROWS)
    except ValidationFailed as refusal:
        await pending_imports.delete_import(runtime, organization_id, key)
        return _render_upload_form(request, runtime, refusal)
    return render_page(
        request,
        "businesses/preview.html",
        columns=[(name, name in WRITABLE) for name in file.columns],
        imported=planned,
        key=key,
        clears=clears,
        fates=ACTION_COLOURS,
        shown=MAX_SHOWN_ROWS,
        label_of=get_field_label,
    )


@router.post("/import/{key}")
async def confirm(request: Request, signed_in: Analyst, runtime: ServedRuntime, key: str) -> Response:
    """Import the previewed file. If that was done before, only show the result. Raises `NotFound`."""
    form, organization_id, address = await read_form(request), signed_in.organization_id, f"{ADDRESS}/import/{key}"
    if await pending_imports.read_import_result(runtime, organization_id, key) is not None:
        return redirect(request, address)
    file = _parse_file(await pending_imports.read_import(runtime, organization_id, key), clears=form.get(_CLEAR) == "true")
    author = build_author(request, signed_in)
    done = await csv_import.apply_import(runtime, organization_id, file.rows, author, shown=MAX_SHOWN_ROWS)
    refused = done.rows[ImportAction.REFUSED]
    refusals = format_refusals_file(file.columns, refused, _choose_delimiter(request)) if refused else None
    await pending_imports.store_import_result(runtime, organization_id, key, build_import_result(done), refusals)
    return redirect(request, address)


@router.post("/import/{key}/cancel")
async def cancel(request: Request, signed_in: Analyst, runtime: ServedRuntime, key: str) -> Response:
    """Delete the stored file without importing it."""
    await pending_imports.delete_import(runtime, signed_in.organization_id, key)
    return redirect(request, f"{ADDRESS}/import")


@router.get("/import/{key}/refused")
async def refused_rows(request: Request, signed_in: Analyst, runtime: ServedRuntime, key: str) -> Response:
    """The rejected rows with their reasons, as CSV. Raises `NotFound`."""
    organization_id = signed_in.organization_id
    if await pending_imports.read_import_result(runtime, organization_id, key) is not None:
        content = await pending_imports.read_refusals(runtime, organization_id, key)
    else:
        file = _parse_file(await pending_imports.read_import(runtime, organization_id, key), clears=_read_clear_option(request))
        planned = await csv_import.preview_import(runtime, organization_id, file.rows, 0, MAX_ROWS)
        content = format_refusals_file(file.columns, planned.rows[ImportAction.REFUSED], _choose_delimiter(request))
    return Response(content, headers=build_attachment_headers("refused-rows.csv"), media_type="text/csv")


def _read_clear_option(request: Request) -> bool:
    """Whether empty cells clear their fields, from the URL of a preview."""
    return request.query_params.get("clear") == "yes"


def _choose_delimiter(request: Request) -> str:
    return _DELIMITERS[get_console_request(request).language]


async def _read_upload(form: FormData) -> bytes:
    file = get_uploaded_file(form, "file")
    if file is None:
        raise ValidationFailed(NO_FILE)
    return await file.read()


def _parse_file(content: bytes, *, clears: bool) -> RecordFile:
    return read_records(io.BytesIO(content), clear_empty=clears)


def _render_upload_form(request: Request, runtime: Runtime, refusal: ValidationFailed | None = None) -> Response:
    return render_page(
        request,
        "businesses/import.html",
        200 if refusal is None else 422,
        columns=WRITABLE,
        ignored=READ_ONLY,
        refusal=refusal,
        max_rows=MAX_ROWS,
        max_mib=runtime.settings.max_form_bytes // _MIB,
        label_of=get_field_label,
    )
