"""The audit log of a business record."""

from fastapi import APIRouter, Request
from starlette.responses import Response

from bonafide.console.businesses.record_fields import get_display_name, get_field_label
from bonafide.console.businesses.records import ADDRESS, RECORD_PATH
from bonafide.console.frame import code_labels
from bonafide.console.frame.dependencies import PathId, ServedRuntime, Viewer
from bonafide.console.frame.parameters import parse_offset
from bonafide.console.frame.responses import render_page
from bonafide.console.frame.route import ConsoleRoute
from bonafide.services.records import business_records, change_feed
from bonafide.services.records.audit_check import verify_audit_log

PAGE_SIZE = 50
router = APIRouter(prefix=ADDRESS, include_in_schema=False, route_class=ConsoleRoute)


@router.get(f"{RECORD_PATH}/audit")
async def read_audit_log(request: Request, signed_in: Viewer, runtime: ServedRuntime, business_id: PathId) -> Response:
    """The audit log, oldest entry first; `?check=yes` computes the hashes of the organization's whole audit log again."""
    organization_id = signed_in.organization_id
    record = await business_records.find_record(runtime, organization_id, business_id=business_id)
    trail = await change_feed.read_audit_log(runtime, organization_id, business_id, PAGE_SIZE, parse_offset(request))
    is_checked = request.query_params.get("check") == "yes"
    return render_page(
        request,
        "businesses/trail.html",
        record=record,
        trail=trail,
        check=await verify_audit_log(runtime, organization_id) if is_checked else None,
        label_of=get_field_label,
        name_of=get_display_name,
        words=code_labels,
    )
