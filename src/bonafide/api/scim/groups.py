"""SCIM endpoints of groups: list, create, read, replace, change and remove. `services/provisioning/groups` does the work."""

from typing import Annotated
from uuid import UUID

from fastapi import APIRouter, Depends, Request
from scim2_models import Context, PatchOp, SearchRequest
from starlette.responses import Response

from bonafide.api.protocol.dependencies import ServedRuntime
from bonafide.api.protocol.scim_errors import SCIM_PREFIX, ScimRefused
from bonafide.api.scim.requests import (
    Provisioner,
    ResourceId,
    apply_patch,
    build_provisioner_author,
    check_version,
    create_search_parser,
    find_equalities,
    read_resource,
    read_search,
)
from bonafide.api.scim.resources import GROUPS, ScimGroup, to_group_attributes, to_scim_group
from bonafide.api.scim.responses import (
    convert_all,
    create_empty_response,
    create_page_response,
    create_read_response,
    create_resource_response,
    get_page_size,
)
from bonafide.i18n.message import Message
from bonafide.model.accounts.organizations import Principal
from bonafide.model.accounts.provisioning import GroupAttributes
from bonafide.runtime import Runtime
from bonafide.services.provisioning import groups
from bonafide.store.people.provisioned_groups import GroupCondition, ProvisionedGroup

MAX_CANDIDATES = 500
"""Groups that a filter is evaluated on."""
MEMBERS = "members"
router = APIRouter(prefix=SCIM_PREFIX, include_in_schema=False)
GroupSearch = Annotated[SearchRequest[ScimGroup], Depends(create_search_parser(ScimGroup))]


@router.get(GROUPS)
async def list_groups(runtime: ServedRuntime, caller: Provisioner, search: GroupSearch) -> Response:
    """A page of the groups, or of those that match the filter."""
    return await _search(runtime, caller, search)


@router.post(f"{GROUPS}/.search")
async def search_groups(request: Request, runtime: ServedRuntime, caller: Provisioner) -> Response:
    """The same with the parameters in the body."""
    return await _search(runtime, caller, await read_search(request, ScimGroup))


async def _search(runtime: Runtime, caller: Principal, search: SearchRequest[ScimGroup]) -> Response:
    base_url, size, start = runtime.settings.base_url, get_page_size(search), search.start_index_0 or 0
    condition, with_members = search.filter, _needs_members(search)
    if condition is None:
        found = await groups.list_groups(runtime, caller.organization_id, GroupCondition(), size, start, with_members=with_members)
        page = await convert_all(runtime, caller.organization_id, found.groups, lambda each: to_scim_group(each, base_url))
        return create_page_response(ScimGroup, page, found.total, search)
    needed, with_members = _build_condition(find_equalities(condition.ast)), with_members or MEMBERS in condition.casefold()
    candidates = await groups.list_groups(runtime, caller.organization_id, needed, MAX_CANDIDATES, 0, with_members=with_members)
    if candidates.total > MAX_CANDIDATES:
        raise ScimRefused(Message("The filter selects too many resources. Filter by `displayName` or `externalId`."), "tooMany")

    def match(group: ProvisionedGroup) -> ScimGroup | None:
        resource = to_scim_group(group, base_url)
        return resource if condition.match(resource) else None

    matches = await convert_all(runtime, caller.organization_id, candidates.groups, match)
    return create_page_response(ScimGroup, matches[start : start + size], len(matches), search)


@router.post(GROUPS)
async def create_group(request: Request, runtime: ServedRuntime, caller: Provisioner, selection: GroupSearch) -> Response:
    """Create a group."""
    sent = await read_resource(request, ScimGroup, Context.RESOURCE_CREATION_REQUEST)
    author = build_provisioner_author(request, caller)
    created = await groups.create_group(runtime, caller.organization_id, to_group_attributes(sent), author)
    resource = to_scim_group(created, runtime.settings.base_url)
    return create_resource_response(resource, Context.RESOURCE_CREATION_RESPONSE, selection, 201)


@router.get(f"{GROUPS}/{{id}}")
async def read_group(
    request: Request, runtime: ServedRuntime, caller: Provisioner, group_id: ResourceId, selection: GroupSearch
) -> Response:
    """One group."""
    found = await groups.read_group(runtime, caller.organization_id, group_id)
    return create_read_response(request, to_scim_group(found, runtime.settings.base_url), selection)


@router.put(f"{GROUPS}/{{id}}")
async def replace_group(
    request: Request, runtime: ServedRuntime, caller: Provisioner, group_id: ResourceId, selection: GroupSearch
) -> Response:
    """Replace the attributes and the members of a group."""
    sent = await read_resource(request, ScimGroup, Context.RESOURCE_REPLACEMENT_REQUEST)

    def replace(old: ProvisionedGroup) -> GroupAttributes:
        check_version(request, to_scim_group(old, runtime.settings.base_url))
        return to_group_attributes(sent)

    author = build_provisioner_author(request, caller)
    changed = await groups.change_group(runtime, caller.organization_id, group_id, replace, author)
    resource = to_scim_group(changed, runtime.settings.base_url)
    return create_resource_response(resource, Context.RESOURCE_REPLACEMENT_RESPONSE, selection)


@router.patch(f"{GROUPS}/{{id}}")
async def change_group(
    request: Request, runtime: ServedRuntime, caller: Provisioner, group_id: ResourceId, selection: GroupSearch
) -> Response:
    """Change attributes of a group, add members or remove them."""
    patch = await read_resource(request, PatchOp[ScimGroup], Context.RESOURCE_PATCH_REQUEST)

    def change(old: ProvisionedGroup) -> GroupAttributes:
        current = to_scim_group(old, runtime.settings.base_url)
        check_version(request, current)
        return to_group_attributes(apply_patch(patch, current))

    author = build_provisioner_author(request, caller)
    changed = await groups.change_group(runtime, caller.organization_id, group_id, change, author)
    resource = to_scim_group(changed, runtime.settings.base_url)
    return create_resource_response(resource, Context.RESOURCE_PATCH_RESPONSE, selection)


@router.delete(f"{GROUPS}/{{id}}")
async def remove_group(request: Request, runtime: ServedRuntime, caller: Provisioner, group_id: ResourceId) -> Response:
    """Remove a group. Its members remain users."""

    def check(old: ProvisionedGroup) -> None:
        check_version(request, to_scim_group(old, runtime.settings.base_url))

    await groups.remove_group(runtime, caller.organization_id, group_id, build_provisioner_author(request, caller), check)
    return create_empty_response()


def _needs_members(search: SearchRequest[ScimGroup]) -> bool:
    """Whether the response has the members, which may be many."""
    included, excluded = search.attributes, search.excluded_attributes
    if included:
        return any(str(path).casefold().startswith(MEMBERS) for path in included)
    return not any(str(path).casefold() == MEMBERS for path in excluded or ())


def _build_condition(equalities: dict[str, str]) -> GroupCondition:
    member = equalities.get("members.value", equalities.get(MEMBERS))
    return GroupCondition(
        display_name=equalities.get("displayname"),
        external_id=equalities.get("externalid"),
        member=_parse_member(member) if member is not None else None,
    )


def _parse_member(text: str) -> UUID:
    """The ID of a member; one that nobody has for a text that is none."""
    try:
        return UUID(text)
    except ValueError:
        return UUID(int=0)
