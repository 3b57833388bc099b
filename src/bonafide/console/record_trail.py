"""What became of a business record, change by change, and whether the organization's trail is whole."""

from fastapi import APIRouter, Request
from starlette.responses import Response

from bonafide.console import words
from bonafide.console.access import PathId, ServedRuntime, Viewer
from bonafide.console.businesses import ADDRESS, ONE
from bonafide.console.lists import offset_of
from bonafide.console.page import page
from bonafide.console.record_fields import label_of, name_of
from bonafide.console.route import ConsoleRoute
from bonafide.services import businesses, feed
from bonafide.services.audit import verify_trail

PAGE = 50
router = APIRouter(prefix=ADDRESS, include_in_schema=False, route_class=ConsoleRoute)


@router.get(f"{ONE}/audit")
async def read_trail(request: Request, signed_in: Viewer, runtime: ServedRuntime, business_id: PathId) -> Response:
    """The trail, oldest first; with `?check=yes` the hashes of the organization's whole trail are computed again."""
    organization_id = signed_in.organization_id
    record = await businesses.find(runtime, organization_id, business_id=business_id)
    trail = await feed.read_trail(runtime, organization_id, business_id, PAGE, offset_of(request))
    is_checked = request.query_params.get("check") == "yes"
    return page(
        request,
        "businesses/trail.html",
        record=record,
        trail=trail,
        check=await verify_trail(runtime, organization_id) if is_checked else None,
        label_of=label_of,
        name_of=name_of,
        words=words,
    )
