"""The routes of the reconciliation service, each with the API key in a header, or in its path.

They are not part of the API's description, because the protocol defines them.
"""

import json
from collections.abc import Mapping
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Request
from starlette.responses import Response

from bonafide.api.protocol.concurrency_limits import hold_limited_slot
from bonafide.api.protocol.dependencies import ResponseLanguage, ServedRuntime
from bonafide.api.protocol.reconciliation_paths import KEY_PREFIX, PREFIX, SCOPE, check_path_key, find_path_key
from bonafide.api.protocol.responses import create_json_response, describe_language
from bonafide.api.reconciliation import documents
from bonafide.api.reconciliation.preview_page import HEADERS, write_preview
from bonafide.api.reconciliation.requests import (
    EXTEND,
    QUERIES,
    ExtensionQuery,
    ReconciliationQuery,
    parse_extension,
    parse_queries,
    read_parameters,
    to_candidate_query,
)
from bonafide.errors import MissingApiKey, ScopeMissing, ValidationFailed
from bonafide.i18n.language import Language
from bonafide.i18n.message import Message
from bonafide.model.accounts.organizations import Principal
from bonafide.model.query import MAX_NAME_CHARACTERS
from bonafide.runtime import Runtime
from bonafide.services.reconciliation.candidates import find_candidates, list_loaded_jurisdictions
from bonafide.services.reconciliation.registrations import RegistrationId, read_registration, read_registrations
from bonafide.services.search.prefill import prefill
from bonafide.web.request_context import get_request_context

DOCUMENTATION_PATH = "/docs/howto/openrefine"
MIN_TYPED = 2
"""Shorter prefixes match a large part of every register."""
SUGGESTIONS = 10
MAX_SKIPPED = 40
router = APIRouter()


async def _require_reconciler(request: Request) -> Principal:
    """The caller. Raises the error of its authentication, and `ScopeMissing` for a key that may do too little, or too much."""
    principal = get_request_context(request.scope).principal
    if SCOPE not in principal.scopes:
        raise ScopeMissing(Message("This API key lacks the scope `{scope}`, which the request requires.", scope=SCOPE.value))
    if find_path_key(request.scope) is not None:
        check_path_key(principal)
    return principal


Reconciler = Annotated[Principal, Depends(_require_reconciler)]
"""A parameter: the authenticated caller, who may use the service."""


@router.get(PREFIX, include_in_schema=False)
@router.post(PREFIX, include_in_schema=False)
@router.get(KEY_PREFIX, include_in_schema=False)
@router.post(KEY_PREFIX, include_in_schema=False)
async def reconcile(request: Request, runtime: ServedRuntime, language: ResponseLanguage) -> Response:
    """Return candidates for `queries`, values for `extend`, and without either of them the manifest."""
    if request.method == "POST":
        await _require_reconciler(request)  # before the body is read
    parameters = await read_parameters(request)
    if QUERIES in parameters:
        caller = await _require_reconciler(request)
        return _respond(await _find_candidates(runtime, caller, parse_queries(parameters[QUERIES]), language), language)
    if EXTEND in parameters:
        caller = await _require_reconciler(request)
        return _respond(await _extend(runtime, caller, parse_extension(parameters[EXTEND]), language), language)
    return _respond(await _describe_service(request, runtime, language), language)


async def _describe_service(request: Request, runtime: Runtime, language: Language) -> dict[str, Any]:
    """The manifest. A client without a key needs it to find out that it needs one; it names no loaded registers then."""
    key = find_path_key(request.scope)
    try:
        caller = await _require_reconciler(request)
    except MissingApiKey:
        jurisdictions = []
    else:
        jurisdictions = await list_loaded_jurisdictions(runtime, caller.world)
    base = runtime.settings.base_url
    address = f"{base}{PREFIX}" if key is None else f"{base}{KEY_PREFIX.format(key=key)}"
    documentation = f"{base}{DOCUMENTATION_PATH}"
    return documents.build_manifest(address, documentation, jurisdictions, language, is_key_in_path=key is not None)


async def _find_candidates(
    runtime: Runtime, caller: Principal, queries: Mapping[str, ReconciliationQuery], language: Language
) -> dict[str, Any]:
    asked = {key: to_candidate_query(query) for key, query in queries.items()}
    async with hold_limited_slot(runtime, caller.organization_id):
        found = await find_candidates(runtime, caller, {key: query for key, (query, _) in asked.items()})
    return {key: documents.write_result(found[key], warnings, language) for key, (_, warnings) in asked.items()}


async def _extend(runtime: Runtime, caller: Principal, query: ExtensionQuery, language: Language) -> dict[str, Any]:
    async with hold_limited_slot(runtime, caller.organization_id):
        found = await read_registrations(runtime, caller.world, query.ids)
    return documents.write_values(query, found, language)


@router.get(f"{PREFIX}/suggest/entity", include_in_schema=False)
@router.get(f"{KEY_PREFIX}/suggest/entity", include_in_schema=False)
async def suggest_entities(request: Request, runtime: ServedRuntime, caller: Reconciler, language: ResponseLanguage) -> Response:
    """Suggest registrations for a typed name, or the one whose ID was typed."""
    parameters = await read_parameters(request)
    prefix = parameters.get("prefix", "").strip()[:MAX_NAME_CHARACTERS]
    identifier = RegistrationId.parse(prefix)
    if identifier is not None:
        found = await read_registration(runtime, caller.world, identifier)
        if found is not None:
            known = {"id": str(identifier), "name": found.entry.legal_name}
            return _respond({"result": [known]}, language)
    if len(prefix) < MIN_TYPED:
        return _respond({"result": []}, language)
    skipped = _read_number(parameters, "cursor", MAX_SKIPPED) or 0
    suggested = await prefill(runtime, caller, prefix, None, skipped + SUGGESTIONS)
    return _respond(documents.write_suggestions(suggested.candidates[skipped:], language), language)


@router.get(f"{PREFIX}/suggest/type", include_in_schema=False)
@router.get(f"{KEY_PREFIX}/suggest/type", include_in_schema=False)
async def suggest_types(request: Request, _: Reconciler, language: ResponseLanguage) -> Response:
    """Suggest types of registrations."""
    parameters = await read_parameters(request)
    return _respond(documents.write_types(parameters.get("prefix", ""), language), language)


@router.get(f"{PREFIX}/suggest/property", include_in_schema=False)
@router.get(f"{KEY_PREFIX}/suggest/property", include_in_schema=False)
async def suggest_properties(request: Request, _: Reconciler, language: ResponseLanguage) -> Response:
    """Suggest properties that a query may have."""
    parameters = await read_parameters(request)
    return _respond(documents.write_properties(parameters.get("prefix", ""), language), language)


@router.get(f"{PREFIX}/properties", include_in_schema=False)
@router.get(f"{KEY_PREFIX}/properties", include_in_schema=False)
async def propose_properties(request: Request, _: Reconciler, language: ResponseLanguage) -> Response:
    """List the properties that a table can be extended with."""
    parameters = await read_parameters(request)
    limit = _read_number(parameters, "limit", None)
    return _respond(documents.write_proposals(parameters.get("type", ""), limit, language), language)


@router.get(f"{PREFIX}/preview", include_in_schema=False)
@router.get(f"{KEY_PREFIX}/preview", include_in_schema=False)
async def preview(request: Request, runtime: ServedRuntime, caller: Reconciler, language: ResponseLanguage) -> Response:
    """Return a small page about a registration, for a frame."""
    parameters = await read_parameters(request)
    identifier = RegistrationId.parse(parameters.get("id", ""))
    found = await read_registration(runtime, caller.world, identifier) if identifier is not None else None
    page = write_preview(identifier, found, language)
    headers = {**HEADERS, **describe_language(language), "Cache-Control": "no-store"}
    return Response(page, 200 if found is not None else 404, headers, "text/html")


def _read_number(parameters: Mapping[str, str], name: str, maximum: int | None) -> int | None:
    text = parameters.get(name)
    if text is None:
        return None
    if not (text.isascii() and text.isdigit() and len(text) <= 6) or (maximum is not None and int(text) > maximum):  # noqa: PLR2004
        raise ValidationFailed.of_field(name, Message("must be a whole number, counted from 0"))
    return int(text)


def _respond(document: Mapping[str, Any], language: Language) -> Response:
    return create_json_response(json.dumps(document, ensure_ascii=False), 200, describe_language(language))
