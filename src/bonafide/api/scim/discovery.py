"""SCIM endpoints that describe the service: its configuration, resource types and schemas. They need a token like the others."""

from functools import lru_cache
from typing import Any

from fastapi import APIRouter
from scim2_models import Context, ListResponse, Meta, Resource, ResourceType, Schema, ScimProvider
from starlette.responses import Response

from bonafide.api.protocol.dependencies import ServedRuntime
from bonafide.api.protocol.responses import NO_STORE
from bonafide.api.protocol.scim_errors import SCIM_MEDIA_TYPE, SCIM_PREFIX, ScimRefused
from bonafide.api.scim.requests import Provisioner
from bonafide.api.scim.resources import create_provider
from bonafide.errors import NotFound
from bonafide.i18n.message import Message

router = APIRouter(prefix=SCIM_PREFIX, include_in_schema=False)


@router.get("/ServiceProviderConfig")
async def read_configuration(runtime: ServedRuntime, caller: Provisioner) -> Response:  # noqa: ARG001 - authenticates
    """What the service supports."""
    config = _get_provider(runtime.settings.base_url).config
    if config is None:
        raise NotFound
    return _create_response(config)


@router.get("/ResourceTypes")
async def list_resource_types(runtime: ServedRuntime, caller: Provisioner) -> Response:  # noqa: ARG001 - authenticates
    """The types of resources."""
    types = _get_provider(runtime.settings.base_url).resource_types
    return _create_response(
        ListResponse[ResourceType](total_results=len(types), items_per_page=len(types), start_index=1, resources=list(types))
    )


@router.get("/ResourceTypes/{name}")
async def read_resource_type(runtime: ServedRuntime, caller: Provisioner, name: str) -> Response:  # noqa: ARG001 - authenticates
    """One type of resources."""
    types = _get_provider(runtime.settings.base_url).resource_types
    return _create_response(_find({str(each.id): each for each in types}, name))


@router.get("/Schemas")
async def list_schemas(runtime: ServedRuntime, caller: Provisioner) -> Response:  # noqa: ARG001 - authenticates
    """The schemas of the resources."""
    schemas = _list_schemas(runtime.settings.base_url)
    return _create_response(
        ListResponse[Schema](total_results=len(schemas), items_per_page=len(schemas), start_index=1, resources=list(schemas))
    )


@router.get("/Schemas/{name}")
async def read_schema(runtime: ServedRuntime, caller: Provisioner, name: str) -> Response:  # noqa: ARG001 - authenticates
    """One schema."""
    return _create_response(_find({str(each.id): each for each in _list_schemas(runtime.settings.base_url)}, name))


@router.post("/.search")
async def search_everything(caller: Provisioner) -> Response:  # noqa: ARG001 - authenticates
    """Searching users and groups at once is not supported."""
    raise ScimRefused(Message("Search users and groups separately."), None, 501)


def _find(resources: dict[str, Any], name: str) -> Resource[Any]:
    found: Resource[Any] | None = resources.get(name)
    if found is None:
        raise NotFound
    return found


@lru_cache(maxsize=1)
def _get_provider(base_url: str) -> ScimProvider:
    return create_provider(base_url)


@lru_cache(maxsize=1)
def _list_schemas(base_url: str) -> tuple[Schema, ...]:
    schemas = _get_provider(base_url).schemas
    names = {"User": "User", "Group": "Group"}
    return tuple(
        schema.model_copy(
            update={
                "name": names.get(str(schema.id).rpartition(":")[2], schema.name),
                "meta": Meta(resource_type="Schema", location=f"{base_url}{SCIM_PREFIX}/Schemas/{schema.id}"),
            }
        )
        for schema in schemas
    )


def _create_response(document: Any) -> Response:
    return Response(document.model_dump_json(scim_ctx=Context.RESOURCE_QUERY_RESPONSE), 200, NO_STORE, SCIM_MEDIA_TYPE)
