"""Endpoints of account settings: read, change, audit log.

The scopes are those of business records: like these, settings are what an organization keeps here, and what its other keys work
with. A key that only searches or verifies (the kind that is handed out most) must not loosen the thresholds of everybody's checks.
"""

from typing import Annotated

from fastapi import APIRouter, Depends, Request
from starlette.responses import Response

from bonafide.api.description.operation import OperationResponse, OperationSpec, endpoint
from bonafide.api.endpoints.businesses import AuditLogQuery, build_author
from bonafide.api.protocol.dependencies import Caller, ServedRuntime
from bonafide.api.protocol.query_string import create_query_parser
from bonafide.api.protocol.request_body import create_body_parser
from bonafide.api.protocol.responses import create_document_response
from bonafide.model.accounts.organizations import AccountSettings, Scope, SettingsChange
from bonafide.model.records.business_record import AuditPage
from bonafide.services.accounts import organizations

TAG = "Account settings"
router = APIRouter(prefix="/v1")


@endpoint(
    router,
    "GET",
    ("/settings",),
    OperationSpec(
        operation_id="readSettings",
        summary="Get the account settings",
        tag=TAG,
        scope=Scope.BUSINESSES_READ,
        answers={200: OperationResponse("All settings, defaults filled in", AccountSettings, "account_settings")},
    ),
)
async def read_settings(runtime: ServedRuntime, caller: Caller) -> Response:
    """What searches and verifications of the organization do where a request does not say."""
    return create_document_response(await organizations.read_settings(runtime, caller.organization_id))


@endpoint(
    router,
    "PUT",
    ("/settings",),
    OperationSpec(
        operation_id="changeSettings",
        summary="Change account settings",
        tag=TAG,
        scope=Scope.BUSINESSES_WRITE,
        body=SettingsChange,
        body_example="settings_change",
        answers={200: OperationResponse("All settings as they are now", AccountSettings, "account_settings")},
    ),
)
async def change_settings(
    request: Request,
    runtime: ServedRuntime,
    caller: Caller,
    change: Annotated[SettingsChange, Depends(create_body_parser(SettingsChange))],
) -> Response:
    """Set what is sent and leave the rest as it is. It holds for every search and verification that begins afterwards."""
    author = build_author(request, caller)
    return create_document_response(await organizations.change_settings(runtime, caller.organization_id, change, author))


@endpoint(
    router,
    "GET",
    ("/settings/audit",),
    OperationSpec(
        operation_id="readSettingsTrail",
        summary="Get what became of the account settings",
        tag=TAG,
        scope=Scope.BUSINESSES_READ,
        query=AuditLogQuery,
        answers={200: OperationResponse("A stretch of the trail, oldest first", AuditPage, "audit_page")},
    ),
)
async def read_settings_audit_log(
    runtime: ServedRuntime, caller: Caller, query: Annotated[AuditLogQuery, Depends(create_query_parser(AuditLogQuery))]
) -> Response:
    """Every change of every setting: who made it, when, in which request, from what to what."""
    page = await organizations.read_settings_audit_log(runtime, caller.organization_id, query.limit, query.offset)
    return create_document_response(page)
