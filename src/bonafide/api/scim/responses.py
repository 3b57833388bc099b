"""Write responses of SCIM: resources with their version, pages, and the attributes that the request selects."""

from collections.abc import Callable, Sequence
from typing import Any, TypeVar
from uuid import UUID

from fastapi import Request
from scim2_models import Context, ListResponse, Resource, ResponseParameters, SearchRequest
from starlette.responses import Response

from bonafide.api.protocol.responses import NO_STORE
from bonafide.api.protocol.scim_errors import SCIM_MEDIA_TYPE
from bonafide.api.scim.requests import is_unchanged
from bonafide.api.scim.resources import DEFAULT_PAGE, MAX_PAGE
from bonafide.concurrency.executors import run_cpu_bound
from bonafide.runtime import Runtime

T = TypeVar("T")
R = TypeVar("R", bound=Resource[Any])
_CONVERTED_AT_ONCE = 20
"""About three milliseconds of work."""


def create_resource_response(
    resource: Resource[Any], context: Context, selection: ResponseParameters[Any] | None = None, status: int = 200
) -> Response:
    """A resource, with its address and version in the headers."""
    body = resource.model_dump_json(scim_ctx=context, response_parameters=selection)
    return Response(body, status, {**NO_STORE, **_describe(resource)}, SCIM_MEDIA_TYPE)


def create_read_response(request: Request, resource: Resource[Any], selection: ResponseParameters[Any]) -> Response:
    """A resource that was read, or 304 if the client has this version."""
    if resource.meta is not None and is_unchanged(request, resource.meta.version):
        return Response(status_code=304, headers={**NO_STORE, **_describe(resource)})
    return create_resource_response(resource, Context.RESOURCE_QUERY_RESPONSE, selection)


async def convert_all(runtime: Runtime, organization_id: UUID, items: Sequence[T], convert: Callable[[T], R | None]) -> list[R]:
    """The resources of the items, without those for which `convert` returns None.

    Conversion runs in the CPU thread, a few items at a time, so that other organizations' requests are served in between.
    """
    found: list[R] = []
    with runtime.compute_for(organization_id):
        for start in range(0, len(items), _CONVERTED_AT_ONCE):
            found += await run_cpu_bound(_convert, items[start : start + _CONVERTED_AT_ONCE], convert)
    return found


def _convert(items: Sequence[T], convert: Callable[[T], R | None]) -> list[R]:
    return [resource for item in items if (resource := convert(item)) is not None]


def create_page_response(
    model: type[Resource[Any]], page: Sequence[Resource[Any]], total: int, search: SearchRequest[Any]
) -> Response:
    """A page of resources; `total` is the number of all that match."""
    kind: Any = ListResponse.__class_getitem__(model)
    body = kind(
        total_results=total, start_index=search.start_index or 1, items_per_page=len(page), resources=list(page)
    ).model_dump_json(scim_ctx=Context.RESOURCE_QUERY_RESPONSE, response_parameters=search)
    return Response(body, 200, NO_STORE, SCIM_MEDIA_TYPE)


def create_empty_response() -> Response:
    """The response to a deletion."""
    return Response(status_code=204, headers=NO_STORE)


def get_page_size(search: SearchRequest[Any]) -> int:
    """How many resources a page has at most."""
    return min(search.count if search.count is not None else DEFAULT_PAGE, MAX_PAGE)


def _describe(resource: Resource[Any]) -> dict[str, str]:
    meta = resource.meta
    if meta is None:
        return {}
    headers = {"Location": meta.location, "ETag": meta.version}
    return {name: value for name, value in headers.items() if value is not None}
