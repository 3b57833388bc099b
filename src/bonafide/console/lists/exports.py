"""Export a filtered list as CSV or XLSX."""

from fastapi import APIRouter, Request
from starlette.responses import Response, StreamingResponse

from bonafide.console.frame.console_request import ServedRuntime, Viewer, build_author, get_console_request
from bonafide.console.frame.forms import parse_choice
from bonafide.console.frame.responses import build_attachment_headers
from bonafide.console.frame.route import ConsoleRoute
from bonafide.console.lists.definitions import DEFINITIONS
from bonafide.console.lists.export_rows import ExportSource, build_export
from bonafide.errors import NotFound
from bonafide.i18n.catalog import translate
from bonafide.i18n.language import Language
from bonafide.model.lists.saved_views import ListName
from bonafide.services.lists.exports import ExportForm, ExportStyle, record_export, write_export

DELIMITERS = {Language.ENGLISH: ",", Language.FRENCH: ";"}
"""The delimiters that spreadsheets expect in each language."""
router = APIRouter(prefix="/console/exports", include_in_schema=False, route_class=ConsoleRoute)


@router.get("/{file_name}")
async def export_list(request: Request, signed_in: Viewer, runtime: ServedRuntime, file_name: str) -> Response:
    """The list `<list>.csv` or `<list>.xlsx` with the filter of the query. Raises `NotFound` for any other."""
    text, _, ending = file_name.rpartition(".")
    name, form = parse_choice(ListName, text), parse_choice(ExportForm, ending)
    if name is None or form is None or name not in DEFINITIONS:
        raise NotFound
    visit = get_console_request(request)
    chosen = DEFINITIONS[name].parse(request.query_params, visit.time_zone)
    export = build_export(ExportSource(runtime, signed_in.organization_id, chosen, visit.language))
    author = build_author(request, signed_in)
    await record_export(runtime, signed_in.organization_id, name, chosen.query, form, author)
    style = ExportStyle(
        form=form,
        title=translate(DEFINITIONS[name].label, visit.language),
        columns=[translate(column, visit.language) for column in export.columns],
        zone=visit.time_zone,
        delimiter=DELIMITERS[visit.language],
    )
    day = runtime.clock().astimezone(visit.time_zone).date()
    headers = build_attachment_headers(f"{name}-{day.isoformat()}.{form}")
    return StreamingResponse(write_export(export, style), headers=headers, media_type=form.media_type)
