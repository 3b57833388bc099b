"""The wire side of account settings: read, change, and what became of them.

The scopes are those of business records: like these, settings are what an organization keeps here, and what its other keys work
with. A key that only searches or verifies (the kind that is handed out most) must not loosen the thresholds of everybody's checks.
"""

from typing import Annotated

from fastapi import APIRouter, Depends, Request
from starlette.responses import Response

from bonafide.api.answers import document_answer
from bonafide.api.auth import Caller
from bonafide.api.body import body_of
from bonafide.api.businesses import TrailQuery, author_of
from bonafide.api.operation import Answer, Operation, endpoint
from bonafide.api.parameters import ServedRuntime
from bonafide.api.query import query_of
from bonafide.model.records.business_record import AuditPage
from bonafide.model.accounts.organizations import AccountSettings, Scope, SettingsChange
from bonafide.services import account_settings

TAG = "Account settings"
router = APIRouter(prefix="/v1")


@endpoint(
    router,
    "GET",
    ("/settings",),
    Operation(
        operation_id="readSettings",
        summary="Get the account settings",
        tag=TAG,
        scope=Scope.BUSINESSES_READ,
        answers={200: Answer("All settings, defaults filled in", AccountSettings, "account_settings")},
    ),
)
async def read_settings(runtime: ServedRuntime, caller: Caller) -> Response:
    """What searches and verifications of the organization do where a request does not say."""
    return document_answer(await account_settings.settings_of(runtime, caller.organization_id))


@endpoint(
    router,
    "PUT",
    ("/settings",),
    Operation(
        operation_id="changeSettings",
        summary="Change account settings",
        tag=TAG,
        scope=Scope.BUSINESSES_WRITE,
        body=SettingsChange,
        body_example="settings_change",
        answers={200: Answer("All settings as they are now", AccountSettings, "account_settings")},
    ),
)
async def change_settings(
    request: Request,
    runtime: ServedRuntime,
    caller: Caller,
    change: Annotated[SettingsChange, Depends(body_of(SettingsChange))],
) -> Response:
    """Set what is sent and leave the rest as it is. It holds for every search and verification that begins afterwards."""
    author = author_of(request, caller)
    return document_answer(await account_settings.change_settings(runtime, caller.organization_id, change, author))


@endpoint(
    router,
    "GET",
    ("/settings/audit",),
    Operation(
        operation_id="readSettingsTrail",
        summary="Get what became of the account settings",
        tag=TAG,
        scope=Scope.BUSINESSES_READ,
        query=TrailQuery,
        answers={200: Answer("A stretch of the trail, oldest first", AuditPage, "audit_page")},
    ),
)
async def read_settings_trail(
    runtime: ServedRuntime, caller: Caller, query: Annotated[TrailQuery, Depends(query_of(TrailQuery))]
) -> Response:
    """Every change of every setting: who made it, when, in which request, from what to what."""
    page = await account_settings.read_settings_trail(runtime, caller.organization_id, query.limit, query.offset)
    return document_answer(page)
