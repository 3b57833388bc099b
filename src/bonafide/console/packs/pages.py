"""Pages of examiner's packs: the list with a form for a business or a period, and the downloads."""

from collections.abc import Mapping
from datetime import date, timedelta
from functools import partial
from uuid import UUID

from fastapi import APIRouter, Request
from starlette.responses import Response, StreamingResponse

from bonafide.console.frame.console_request import Analyst, PathId, ServedRuntime, Viewer, build_author, get_console_request
from bonafide.console.frame.forms import list_problems, parse_day, parse_uuid, read_form, to_midnight
from bonafide.console.frame.responses import build_attachment_headers, redirect, render_page
from bonafide.console.frame.route import ConsoleRoute
from bonafide.errors import Conflict, NotFound, ValidationFailed
from bonafide.i18n.message import Message
from bonafide.model.accounts.users import SignedIn
from bonafide.model.packs.pack import PackFormat, PackItem, PackRequest, PackStatus
from bonafide.runtime import Runtime
from bonafide.services.packs import requests
from bonafide.services.packs.pack_files import MEDIA_TYPES
from bonafide.services.records.business_records import find_record
from bonafide.web.templates import write_day

ADDRESS = "/console/packs"
PACK_PATH = "/{id}"
PAGE_SIZE = 25
STATUS = {
    PackStatus.QUEUED: (Message("Queued"), ""),
    PackStatus.BUILDING: (Message("In progress"), ""),
    PackStatus.READY: (Message("Ready"), "good"),
    PackStatus.FAILED: (Message("Failed"), "bad"),
    PackStatus.EXPIRED: (Message("Deleted"), ""),
}
"""The label and the colour of each status."""
INVALID_DAY = Message("Enter a date as YYYY-MM-DD.")
_TICK = timedelta(microseconds=1)
ENDS_TOO_EARLY = Message("must not be before the first day")
router = APIRouter(prefix=ADDRESS, include_in_schema=False, route_class=ConsoleRoute)


@router.get("")
async def list_packs(request: Request, signed_in: Viewer, runtime: ServedRuntime) -> Response:
    """A page of the packs, newest first: all, or those of one record (`?business=…`).

    Raises `ValidationFailed` for an invalid cursor, and `NotFound` for an unknown record.
    """
    return await _render_list(request, signed_in, runtime, parse_uuid(request.query_params.get("business", "")))


@router.post("")
async def request_pack(request: Request, signed_in: Analyst, runtime: ServedRuntime) -> Response:
    """Request a pack of a business, or of a period of whole days in the time zone of the page."""
    form = await read_form(request)
    values = {name: str(form.get(name, "")) for name in ("first", "last", "business")}
    business_id = parse_uuid(values["business"])
    wanted, problems = _parse_period(request, values) if business_id is None else (PackRequest(business_id=business_id), {})
    if wanted is None:
        return await _render_list(request, signed_in, runtime, None, values, problems)
    language, author = get_console_request(request).language, build_author(request, signed_in)
    try:
        await requests.request_pack(runtime, signed_in.principal, wanted, language, author)
    except ValidationFailed as refusal:
        return await _render_list(request, signed_in, runtime, None, values, {"last": list_problems(refusal)["to"]})
    except Conflict as refusal:
        return await _render_list(request, signed_in, runtime, business_id, values, {"": refusal.message})
    return redirect(request, _build_address(business_id))


def _parse_period(request: Request, values: Mapping[str, str]) -> tuple[PackRequest | None, dict[str, Message]]:
    """The request for a period, or None with the problem of each field. Both days are inclusive."""
    first, last = parse_day(values["first"]), parse_day(values["last"])
    problems = {name: INVALID_DAY for name, day in (("first", first), ("last", last)) if day is None or day == date.max}
    if problems or first is None or last is None:
        return None, problems
    if last < first:
        return None, {"last": ENDS_TOO_EARLY}
    zone = get_console_request(request).time_zone
    return PackRequest(from_=to_midnight(first, zone), to=to_midnight(last + timedelta(days=1), zone)), {}


async def _render_list(
    request: Request,
    signed_in: SignedIn,
    runtime: Runtime,
    business_id: UUID | None,
    values: Mapping[str, str] | None = None,
    problems: Mapping[str, Message] | None = None,
) -> Response:
    organization_id = signed_in.organization_id
    record = await find_record(runtime, organization_id, business_id=business_id) if business_id is not None else None
    cursor = request.query_params.get("cursor")
    page = await requests.list_packs(runtime, organization_id, business_id, PAGE_SIZE, cursor)
    today = runtime.clock().astimezone(get_console_request(request).time_zone).date()
    return render_page(
        request,
        "packs/list.html",
        422 if problems else 200,
        page=page,
        record=record,
        name=requests.get_display_name(record) if record is not None else "",
        labels=STATUS,
        values=values if values is not None else {"first": today.replace(day=1).isoformat(), "last": today.isoformat()},
        problems=problems if problems is not None else {},
        address=_build_address(business_id),
        is_first=cursor is None,
        is_waiting=any(pack.status in {PackStatus.QUEUED, PackStatus.BUILDING} for pack in page.packs),
        days_of=partial(_describe_days, request),
        keep_days=runtime.settings.pack_keep_days,
    )


def _describe_days(request: Request, pack: PackItem) -> tuple[str, str]:
    """The first and the last day of the period of a pack, in the time zone and the language of the page."""
    visit = get_console_request(request)
    ends = (pack.from_, pack.to - _TICK if pack.to is not None else None)
    first, last = (write_day(end.astimezone(visit.time_zone).date(), visit.language) if end is not None else "" for end in ends)
    return first, last


def _build_address(business_id: UUID | None) -> str:
    return f"{ADDRESS}?business={business_id}" if business_id is not None else ADDRESS


@router.get(f"{PACK_PATH}/pack.pdf")
async def download_pdf(signed_in: Viewer, runtime: ServedRuntime, pack_id: PathId) -> Response:
    """The PDF of a ready pack."""
    return await _download(runtime, signed_in, pack_id, PackFormat.PDF)


@router.get(f"{PACK_PATH}/pack.zip")
async def download_zip(signed_in: Viewer, runtime: ServedRuntime, pack_id: PathId) -> Response:
    """The ZIP of a ready pack."""
    return await _download(runtime, signed_in, pack_id, PackFormat.ZIP)


async def _download(runtime: Runtime, signed_in: SignedIn, pack_id: UUID, file_format: PackFormat) -> Response:
    """A file, which is sent a part at a time. Raises `NotFound` unless the pack is ready."""
    try:
        found = await requests.open_download(runtime, signed_in.organization_id, pack_id, file_format)
    except Conflict as refusal:
        raise NotFound(refusal.message) from refusal
    headers = {**build_attachment_headers(found.file.name), "Content-Length": str(found.file.size)}
    return StreamingResponse(found.parts, headers=headers, media_type=MEDIA_TYPES[file_format])
