"""The history of the settings of an organization: every change from its audit log, newest first."""

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from fastapi import APIRouter, Request
from starlette.responses import Response

from bonafide.console.frame.console_request import Owner, ServedRuntime
from bonafide.console.frame.forms import parse_offset
from bonafide.console.frame.responses import render_page
from bonafide.console.frame.route import ConsoleRoute
from bonafide.console.organization.settings import NAMES, SETTINGS
from bonafide.model.records.business_record import AuditEntry
from bonafide.model.search.result import Pagination
from bonafide.runtime import Runtime
from bonafide.services.accounts import organizations

PAGE_SIZE = 50
HISTORY = f"{SETTINGS}/history"
router = APIRouter(include_in_schema=False, route_class=ConsoleRoute)


@dataclass(frozen=True, slots=True)
class SettingsHistory:
    """A page of changes, newest first."""

    entries: Sequence[AuditEntry]
    pagination: Pagination


@router.get(HISTORY)
async def read_history(request: Request, signed_in: Owner, runtime: ServedRuntime) -> Response:
    """A page of the changes; `?offset=` newer ones are skipped."""
    history = await _read_newest(runtime, signed_in.organization_id, parse_offset(request))
    return render_page(request, "settings/history.html", history=history, names=NAMES, address=HISTORY)


async def _read_newest(runtime: Runtime, organization_id: UUID, skipped: int) -> SettingsHistory:
    """The changes before the `skipped` newest ones. The audit log is listed oldest first, so its end is read."""
    total = (await organizations.read_settings_audit_log(runtime, organization_id, 1, 0)).pagination.total
    end = max(total - skipped, 0)
    start = max(end - PAGE_SIZE, 0)
    found = await organizations.read_settings_audit_log(runtime, organization_id, end - start, start) if end else None
    pagination = Pagination(total=total, limit=PAGE_SIZE, offset=skipped, has_more=start > 0)
    return SettingsHistory(tuple(reversed(found.entries)) if found is not None else (), pagination)
