"""Read requests of SCIM: the token's organization, IDs, bodies, query parameters, filters, and conditions on the version."""

import json
import re
from collections.abc import Awaitable, Callable
from functools import partial
from typing import Annotated, Any, TypeVar
from uuid import UUID

from fastapi import Depends, Request
from pydantic import ValidationError
from scim2_models import Context, Error, PatchOp, Resource, SCIMException, ScimObject, SearchRequest
from scim2_models.path import AttrPath, CompareOperator, Comparison, FilterNode, LogicalExpr, LogicalOperator, ValuePath

from bonafide.api.protocol.scim_errors import SCIM_MEDIA_TYPE, ScimRefused
from bonafide.api.scim.resources import POLICY
from bonafide.concurrency.executors import run_cpu_bound
from bonafide.errors import InvalidJson, NotFound, StaleWrite, UnsupportedMediaType
from bonafide.i18n.message import Message
from bonafide.model.accounts.organizations import Principal
from bonafide.model.records.business_record import Author
from bonafide.runtime import Runtime
from bonafide.strict_json import parse_request_json
from bonafide.web.body_stream import BodyLimits, receive_body
from bonafide.web.request_context import get_request_context

S = TypeVar("S", bound=ScimObject)
R = TypeVar("R", bound=Resource[Any])
MEDIA_TYPES = frozenset({SCIM_MEDIA_TYPE, "application/json"})
MAX_VALUES = 20_000
"""More commas are refused before the body is parsed, as those of the API are."""
MAX_FILTER_CHARACTERS = 1000
_PARAMETERS = ("filter", "startIndex", "count", "attributes", "excludedAttributes")

_SELECTED_VALUE = re.compile(r'\[([^\]"]*"[^"]*"[^\]"]*)\]\.(\w+\s+\w\w\s+"(?:[^"\\]|\\.)*")')
"""`emails[type eq "work"].value eq "…"`, as Microsoft Entra ID writes it; the standard has it in the brackets."""


async def _parse_id(request: Request) -> UUID:
    try:
        return UUID(request.path_params["id"])
    except ValueError:
        raise NotFound from None


async def _get_provisioner(request: Request) -> Principal:
    return get_request_context(request.scope).principal


ResourceId = Annotated[UUID, Depends(_parse_id)]
"""The `{id}` of the path. Raises `NotFound` for anything but a UUID."""
Provisioner = Annotated[Principal, Depends(_get_provisioner)]
"""The organization whose token the request carries. Raises the error that authentication ended with."""


def build_provisioner_author(request: Request, caller: Principal) -> Author:
    """The author of the request's changes in the audit log: the token, by its last characters."""
    return Author(caller.identity, get_request_context(request.scope).request_id)


async def read_resource(request: Request, model: type[S], context: Context) -> S:
    """The body as this model. Raises `ScimRefused`, `InvalidJson`, `BodyTooLarge`, `BodyTooSlow` and `UnsupportedMediaType`."""
    body = _separate_selected_values(await _read_json(request))
    parse = partial(validate, lambda: model.model_validate(body, scim_ctx=context, scim_policy=POLICY))
    runtime: Runtime = request.app.state.runtime
    with runtime.compute_for(get_request_context(request.scope).principal.organization_id):
        return await run_cpu_bound(parse)


def _separate_selected_values(body: dict[str, Any]) -> dict[str, Any]:
    """The body with an operation of its own for each key of a value that selects, as in `{"emails[type eq …].value": …}`.

    Microsoft Entra ID writes such keys. The standard has them as paths of operations only.
    """
    name = next((name for name in body if name.casefold() == "operations"), None)
    if name is None or not isinstance(body[name], list):
        return body
    separated = []
    for operation in body[name]:
        value = operation.get("value") if isinstance(operation, dict) and "path" not in operation else None
        if not isinstance(value, dict) or all("[" not in key for key in value):
            separated.append(operation)
            continue
        others = {key: each for key, each in value.items() if "[" not in key}
        separated += [{**operation, "value": others}] if others else []
        separated += [{**operation, "path": key, "value": each} for key, each in value.items() if key not in others]
    return {**body, name: separated}


def validate(parse: Callable[[], S]) -> S:
    """The parsed value. Raises `ScimRefused` with the first problem."""
    try:
        return parse()
    except ValidationError as error:
        first = Error.from_validation_error(error.errors(include_url=False, include_input=False)[0])
        raise ScimRefused(Message.untranslated(first.detail or str(error.title)), first.scim_type, first.status or 400) from None


def apply_patch(patch: PatchOp[R], resource: R) -> R:
    """The resource after the operations; it is changed in place. Raises `ScimRefused`."""
    try:
        patch.patch(resource, scim_policy=POLICY)
    except SCIMException as error:
        raise ScimRefused(Message.untranslated(error.detail), error.scim_type or None, error.status) from None
    return resource


async def _read_json(request: Request) -> dict[str, Any]:
    media_type = request.headers.get("content-type", "").partition(";")[0].strip().casefold()
    if media_type not in MEDIA_TYPES:
        raise UnsupportedMediaType.of_header("Content-Type", Message("The body must be `application/scim+json`."))
    settings = request.app.state.runtime.settings
    limits = BodyLimits(settings.max_body_bytes, settings.body_timeout_s, settings.min_body_rate)
    async with receive_body(request, limits, [get_request_context(request.scope).sender]) as chunks:
        content = b"".join([chunk async for chunk in chunks])
    if content.count(b",") >= MAX_VALUES:
        raise ScimRefused(Message("The body has more than {limit} values, counted by its commas.", limit=MAX_VALUES), None, 413)
    try:
        body = parse_request_json(content.decode("utf-8"))
    except (UnicodeDecodeError, RecursionError, json.JSONDecodeError):
        raise InvalidJson from None
    if not isinstance(body, dict):
        raise InvalidJson
    return body


def create_search_parser(model: type[R]) -> Callable[[Request], Awaitable[SearchRequest[R]]]:
    """A dependency: the query parameters of a request for resources of this model. Raises `ScimRefused`."""

    async def parse(request: Request) -> SearchRequest[R]:
        return _parse_search({name: value for name, value in request.query_params.items() if name in _PARAMETERS}, model)

    return parse


async def read_search(request: Request, model: type[R]) -> SearchRequest[R]:
    """The parameters of a search in the body. Raises as `read_resource`."""
    return _parse_search(await _read_json(request), model)


def _parse_search(sent: dict[str, Any], model: type[R]) -> SearchRequest[R]:
    text = sent.get("filter")
    if isinstance(text, str):
        if len(text) > MAX_FILTER_CHARACTERS:
            raise ScimRefused(Message("The filter is too long."), "invalidFilter")
        sent = {**sent, "filter": _SELECTED_VALUE.sub(r"[(\1) and \2]", text)}
    kind: Any = SearchRequest.__class_getitem__(model)
    found: SearchRequest[R] = validate(lambda: kind.model_validate(sent, scim_policy=POLICY))
    return found


def find_equalities(node: FilterNode) -> dict[str, str]:
    """The attributes that every match has exactly, with their values: `userName`, `emails.value`, in lower case as keys.

    They select candidates from the database; the filter itself decides.
    """
    if isinstance(node, LogicalExpr) and node.op == LogicalOperator.and_:
        return {name: value for term in reversed(node.terms) for name, value in find_equalities(term).items()}
    if isinstance(node, Comparison) and node.op == CompareOperator.eq and isinstance(node.value, str):
        return {_name(node.attr_path): node.value}
    if isinstance(node, ValuePath):
        inner = find_equalities(node.val_filter)
        return {f"{_name(node.attr_path)}.{name}": value for name, value in inner.items()}
    return {}


def _name(path: AttrPath) -> str:
    return f"{path.attr}.{path.sub_attr}".casefold() if path.sub_attr is not None else path.attr.casefold()


def check_version(request: Request, resource: Resource[Any]) -> None:
    """Raises `StaleWrite` unless `If-Match` names the version of the resource, or is missing."""
    header = request.headers.get("if-match")
    if header is not None and not _names_version(header, resource.meta.version if resource.meta is not None else None):
        raise StaleWrite(Message("The resource has changed since you read it."))


def is_unchanged(request: Request, version: str | None) -> bool:
    """Whether `If-None-Match` names this version."""
    header = request.headers.get("if-none-match")
    return header is not None and _names_version(header, version)


def _names_version(header: str, version: str | None) -> bool:
    tags = {tag.strip().removeprefix("W/") for tag in header.split(",")}
    return "*" in tags or (version is not None and version.removeprefix("W/") in tags)
