"""Pages of business records: list, read, create, edit, archive, audit log.

A record that another user changed in the meantime is not overwritten: the page shows both versions.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from fastapi import APIRouter, Request
from starlette.responses import Response

from bonafide.console.businesses.record_fields import (
    GROUPS,
    REPEATED,
    build_field_anchor,
    build_field_values,
    get_audit_path,
    get_display_name,
    get_field_label,
    list_used_fields,
)
from bonafide.console.businesses.record_form import RecordForm, build_record_form, parse_record_form
from bonafide.console.businesses.record_list import VERIFICATION_COLOURS
from bonafide.console.businesses.record_profile import SHARED, read_record_profile
from bonafide.console.cases import labels as case_labels
from bonafide.console.cases.timeline_page import build_timeline
from bonafide.console.events import labels as event_labels
from bonafide.console.events.event_view import SHOWN_LINES
from bonafide.console.frame.console_request import Analyst, PathId, ServedRuntime, Viewer, build_author, get_console_request
from bonafide.console.frame.forms import list_problems, parse_offset, read_form
from bonafide.console.frame.responses import redirect, render_page
from bonafide.console.frame.route import ConsoleRoute
from bonafide.console.lists.definitions import VERIFICATION_WORDS
from bonafide.console.monitoring import labels as monitoring_labels
from bonafide.console.monitoring.record_section import build_monitoring_section
from bonafide.console.risk.rating_section import build_rating_context
from bonafide.console.sources.canada_map import build_canada_map
from bonafide.errors import ApiError, Conflict, StaleWrite, ValidationFailed
from bonafide.i18n.message import Message
from bonafide.model.jurisdiction import Jurisdiction
from bonafide.model.records.business_input import BusinessUpsert
from bonafide.model.records.business_record import BusinessRecord, CallerFields, FieldChange, list_changes
from bonafide.model.records.connections import AddressLevel, ConnectionCheckStatus, ConnectionKind
from bonafide.services.lookup import connections
from bonafide.services.monitoring.status import read_record_monitoring
from bonafide.services.records import business_records, change_feed
from bonafide.services.records.audit_check import verify_audit_log
from bonafide.services.records.business_records import PlannedEdit, RecordEdit
from bonafide.services.retention.legal_holds import read_hold

ADDRESS = "/console/businesses"
RECORD_PATH = "/{id}"
"""The path of a record, below `ADDRESS`."""
TIMELINE_ENTRIES = 6
"""Entries of the timeline on the page of a record."""
_CONNECTION_TITLES = {
    (ConnectionKind.DIRECTOR, None): Message("Person of the same name"),
    (ConnectionKind.ADDRESS, AddressLevel.UNIT): Message("Same unit"),
    (ConnectionKind.ADDRESS, AddressLevel.BUILDING): Message("Same building"),
    (ConnectionKind.PHONE, None): Message("Same phone number"),
    (ConnectionKind.WEBSITE, None): Message("Same website"),
}
_SWITCHES = {"archived": "isArchived", "monitored": "isMonitored"}
_YES_OR_NO = {"yes": True, "no": False}
router = APIRouter(prefix=ADDRESS, include_in_schema=False, route_class=ConsoleRoute)
AUDIT_PAGE_SIZE = 50


@dataclass(frozen=True, slots=True)
class _FormRefusal:
    """Why a form was not saved: an error, an existing record, or the differences from the stored record."""

    status: int
    refusal: ApiError | None = None
    existing: BusinessRecord | None = None
    differing: Sequence[FieldChange] | None = None


_SAVED = _FormRefusal(200)
# ------------------------------------------------------------------------------------------------------------- reading


@router.get(f"{RECORD_PATH}/connections")
async def read_connections(request: Request, signed_in: Viewer, runtime: ServedRuntime, business_id: PathId) -> Response:
    """What the record shares with other records and with entries of registers."""
    organization_id = signed_in.organization_id
    record = await business_records.find_record(runtime, organization_id, business_id=business_id)
    found = await connections.read_connections(runtime, organization_id, signed_in.membership.world, business_id)
    return render_page(
        request,
        "businesses/connections.html",
        record=record,
        name_of=get_display_name,
        found=found,
        titles=_CONNECTION_TITLES,
        titles_of_sources={source.key: source.metadata.title for source in runtime.sources.values()},
        not_searched=[row for row in found.coverage if row.status is not ConnectionCheckStatus.SEARCHED],
        is_searched=any(row.status is ConnectionCheckStatus.SEARCHED for row in found.coverage),
    )


@router.get("/new")
async def new_business(request: Request, signed_in: Analyst) -> Response:
    """An empty form, or one prefilled from the query parameters."""
    del signed_in
    form = build_record_form(None)
    given = {name: request.query_params[name] for name in form.texts if name in request.query_params}
    return _render_form(request, replace(form, texts={**form.texts, **given}), None)


@router.get(RECORD_PATH)
async def read_business(request: Request, signed_in: Viewer, runtime: ServedRuntime, business_id: PathId) -> Response:
    """One record: its values with their authors and dates, its latest checks, its monitoring, and its last events."""
    organization_id = signed_in.organization_id
    record = await business_records.find_record(runtime, organization_id, business_id=business_id)
    values = build_field_values(record)
    return render_page(
        request,
        "businesses/record.html",
        record=record,
        values=values,
        filled={name for name, value in values.items() if value not in (None, [])},
        changes=await change_feed.read_last_changes(runtime, organization_id, business_id),
        groups=GROUPS,
        repeated=REPEATED,
        profile=await read_record_profile(runtime, organization_id, record),
        shared=SHARED,
        map=build_canada_map(),
        timeline=await build_timeline(runtime, organization_id, business_id, TIMELINE_ENTRIES),
        timeline_labels=case_labels,
        monitoring=build_monitoring_section(record, await read_record_monitoring(runtime, organization_id, business_id)),
        monitoring_labels=monitoring_labels,
        hold=await read_hold(runtime, organization_id, business_id),
        sources={source.key: source.metadata for source in runtime.sources.values()},
        labels=event_labels,
        shown_lines=SHOWN_LINES,
        **await build_rating_context(runtime, organization_id, record.risk, get_console_request(request).language),
        verification=(VERIFICATION_WORDS, VERIFICATION_COLOURS),
        name_of=get_display_name,
        path_of=get_audit_path,
        columns_of=list_used_fields,
    )


@router.get(f"{RECORD_PATH}/edit")
async def edit_page(request: Request, signed_in: Analyst, runtime: ServedRuntime, business_id: PathId) -> Response:
    """The record's form."""
    record = await business_records.find_record(runtime, signed_in.organization_id, business_id=business_id)
    return _render_form(request, build_record_form(record), record)


# ------------------------------------------------------------------------------------------------------------- writing


@router.post("/new")
async def create_business(request: Request, signed_in: Analyst, runtime: ServedRuntime) -> Response:
    """Create the record, unless one with its identifiers exists."""
    sent = parse_record_form(await read_form(request))
    if sent.request is None:
        return _render_form(request, sent.form, None, _FormRefusal(422))
    organization_id = signed_in.organization_id
    (planned,) = await business_records.preview_edits(runtime, organization_id, [RecordEdit(sent.request)])
    if isinstance(planned, PlannedEdit) and planned.old is not None:
        return _render_form(request, sent.form, None, _FormRefusal(409, existing=planned.old))
    try:
        created = await business_records.upsert(runtime, organization_id, sent.request, build_author(request, signed_in))
    except (Conflict, ValidationFailed) as refusal:
        return _render_refusal(request, sent.form, None, refusal)
    return redirect(request, f"{ADDRESS}/{created.record.id}")


@router.post(f"{RECORD_PATH}/edit")
async def edit_business(request: Request, signed_in: Analyst, runtime: ServedRuntime, business_id: PathId) -> Response:
    """Save the form, unless the record has changed since the form was opened."""
    organization_id = signed_in.organization_id
    record = await business_records.find_record(runtime, organization_id, business_id=business_id)
    sent = parse_record_form(await read_form(request))
    if sent.request is None:
        return _render_form(request, sent.form, record, _FormRefusal(422))
    try:
        await business_records.edit(runtime, organization_id, business_id, sent.request, build_author(request, signed_in))
    except StaleWrite:
        return _render_conflict(
            request, sent.form, sent.request, await business_records.find_record(runtime, organization_id, business_id=business_id)
        )
    except (Conflict, ValidationFailed) as refusal:
        return _render_refusal(request, sent.form, record, refusal)
    return redirect(request, f"{ADDRESS}/{business_id}")


@router.post(f"{RECORD_PATH}/switch")
async def switch_flag(request: Request, signed_in: Analyst, runtime: ServedRuntime, business_id: PathId) -> Response:
    """Set or clear the flags `archived` and `monitored`. Raises `NotFound`."""
    form = await read_form(request)
    values = {name: form[field] == "yes" for field, name in _SWITCHES.items() if form.get(field) in _YES_OR_NO}
    change = BusinessUpsert.model_validate(values)
    await business_records.edit(runtime, signed_in.organization_id, business_id, change, build_author(request, signed_in))
    section = "#monitoring" if "isMonitored" in values else ""
    return redirect(request, f"{ADDRESS}/{business_id}{section}")


def _render_conflict(request: Request, form: RecordForm, edit: BusinessUpsert, stored: BusinessRecord) -> Response:
    """Show both versions by field. Saving again overwrites the stored record with the form."""
    differing = list_changes(stored, stored.model_copy(update=edit.apply_to(stored)), CallerFields)
    renewed = replace(form, version=build_record_form(stored).version)
    return _render_form(request, renewed, stored, _FormRefusal(409, differing=differing))


def _render_refusal(request: Request, form: RecordForm, record: BusinessRecord | None, refusal: ApiError) -> Response:
    problems = list_problems(refusal)
    return _render_form(
        request, replace(form, problems=problems), record, _FormRefusal(422 if problems else refusal.status, refusal)
    )


def _render_form(request: Request, form: RecordForm, record: BusinessRecord | None, unsaved: _FormRefusal = _SAVED) -> Response:
    return render_page(
        request,
        "businesses/edit.html",
        unsaved.status,
        form=form,
        record=record,
        refusal=unsaved.refusal,
        existing=unsaved.existing,
        differing=unsaved.differing,
        groups=GROUPS,
        repeated=REPEATED,
        jurisdictions=[code.value for code in Jurisdiction],
        monitoring_labels=monitoring_labels,
        label_of=get_field_label,
        anchor_of=build_field_anchor,
        name_of=get_display_name,
    )


@router.get(f"{RECORD_PATH}/audit")
async def read_audit_log(request: Request, signed_in: Viewer, runtime: ServedRuntime, business_id: PathId) -> Response:
    """The audit log, oldest entry first; `?check=yes` verifies the hashes of the organization's audit log."""
    organization_id = signed_in.organization_id
    record = await business_records.find_record(runtime, organization_id, business_id=business_id)
    trail = await change_feed.read_audit_log(runtime, organization_id, business_id, AUDIT_PAGE_SIZE, parse_offset(request))
    is_checked = request.query_params.get("check") == "yes"
    return render_page(
        request,
        "businesses/trail.html",
        record=record,
        trail=trail,
        check=await verify_audit_log(runtime, organization_id) if is_checked else None,
        label_of=get_field_label,
        name_of=get_display_name,
    )
