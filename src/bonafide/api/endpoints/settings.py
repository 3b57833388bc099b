"""Endpoints of account settings: read, change, audit log.

The scopes are those of business records: settings, like records, belong to the organization and affect its other keys. A key that
can only search or verify (the most common kind) must not be able to lower the thresholds of all checks.
"""

from typing import Annotated

from fastapi import APIRouter, Depends, Request
from starlette.responses import Response

from bonafide.api.description.operation import OperationResponse, OperationSpec, endpoint
from bonafide.api.endpoints.businesses import AuditLogQuery, build_author
from bonafide.api.protocol.dependencies import Caller, ResponseLanguage, ServedRuntime
from bonafide.api.protocol.query_string import create_query_parser
from bonafide.api.protocol.request_body import create_body_parser
from bonafide.api.protocol.responses import create_document_response
from bonafide.model.accounts.account_settings import AccountSettings, SettingsChange
from bonafide.model.accounts.organizations import Scope
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
        answers={200: OperationResponse("All settings, including defaults", AccountSettings, "account_settings")},
    ),
)
async def read_settings(runtime: ServedRuntime, caller: Caller, language: ResponseLanguage) -> Response:
    """Return the settings that apply to the organization's searches and verifications unless a request overrides them."""
    return create_document_response(await organizations.read_settings(runtime, caller.organization_id), language)


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
        answers={200: OperationResponse("The updated settings", AccountSettings, "account_settings")},
    ),
)
async def change_settings(
    request: Request,
    runtime: ServedRuntime,
    caller: Caller,
    language: ResponseLanguage,
    change: Annotated[SettingsChange, Depends(create_body_parser(SettingsChange))],
) -> Response:
    """Change the settings that are sent and keep the others. Changes apply to new searches and verifications."""
    author = build_author(request, caller)
    return create_document_response(await organizations.change_settings(runtime, caller.organization_id, change, author), language)


@endpoint(
    router,
    "GET",
    ("/settings/audit",),
    OperationSpec(
        operation_id="readSettingsTrail",
        summary="Get the audit log of the account settings",
        tag=TAG,
        scope=Scope.BUSINESSES_READ,
        query=AuditLogQuery,
        answers={200: OperationResponse("A page of the audit log, oldest entry first", AuditPage, "audit_page")},
    ),
)
async def read_settings_audit_log(
    runtime: ServedRuntime,
    caller: Caller,
    language: ResponseLanguage,
    query: Annotated[AuditLogQuery, Depends(create_query_parser(AuditLogQuery))],
) -> Response:
    """List every change of every setting: who made it, when, in which request, and the old and new values."""
    page = await organizations.read_settings_audit_log(runtime, caller.organization_id, query.limit, query.offset)
    return create_document_response(page, language)
