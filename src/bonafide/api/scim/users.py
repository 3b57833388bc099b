"""SCIM endpoints of users: list, create, read, replace, change and remove. `services/provisioning/users` does the work."""

from typing import Annotated

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
from bonafide.api.scim.resources import USERS, ScimUserRequest, to_person_attributes, to_scim_user
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
from bonafide.model.accounts.provisioning import PersonAttributes
from bonafide.runtime import Runtime
from bonafide.services.provisioning import users
from bonafide.store.people.provisioned_users import ProvisionedUser, UserCondition

MAX_CANDIDATES = 1000
"""People that a filter is evaluated on. A filter that names a user, an identifier or an email needs few."""
router = APIRouter(prefix=SCIM_PREFIX, include_in_schema=False)
UserSearch = Annotated[SearchRequest[ScimUserRequest], Depends(create_search_parser(ScimUserRequest))]


@router.get(USERS)
async def list_users(runtime: ServedRuntime, caller: Provisioner, search: UserSearch) -> Response:
    """A page of the users, or of those that match the filter."""
    return await _search(runtime, caller, search)


@router.post(f"{USERS}/.search")
async def search_users(request: Request, runtime: ServedRuntime, caller: Provisioner) -> Response:
    """The same with the parameters in the body."""
    return await _search(runtime, caller, await read_search(request, ScimUserRequest))


async def _search(runtime: Runtime, caller: Principal, search: SearchRequest[ScimUserRequest]) -> Response:
    base_url, size, start = runtime.settings.base_url, get_page_size(search), search.start_index_0 or 0
    condition = search.filter
    if condition is None:
        found = await users.list_users(runtime, caller.organization_id, UserCondition(), size, start)
        page = await convert_all(runtime, caller.organization_id, found.users, lambda each: to_scim_user(each, base_url))
        return create_page_response(ScimUserRequest, page, found.total, search)
    needed = _build_condition(find_equalities(condition.ast))
    candidates = await users.list_users(runtime, caller.organization_id, needed, MAX_CANDIDATES, 0)
    if candidates.total > MAX_CANDIDATES:
        message = Message("The filter selects too many resources. Filter by `userName`, `externalId` or `emails`.")
        raise ScimRefused(message, "tooMany")

    def match(person: ProvisionedUser) -> ScimUserRequest | None:
        resource = to_scim_user(person, base_url)
        return resource if condition.match(resource) else None

    matches = await convert_all(runtime, caller.organization_id, candidates.users, match)
    return create_page_response(ScimUserRequest, matches[start : start + size], len(matches), search)


@router.post(USERS)
async def create_user(request: Request, runtime: ServedRuntime, caller: Provisioner, selection: UserSearch) -> Response:
    """Create a user."""
    sent = await read_resource(request, ScimUserRequest, Context.RESOURCE_CREATION_REQUEST)
    author = build_provisioner_author(request, caller)
    created = await users.create_user(runtime, caller.organization_id, to_person_attributes(sent), author)
    resource = to_scim_user(created, runtime.settings.base_url)
    return create_resource_response(resource, Context.RESOURCE_CREATION_RESPONSE, selection, 201)


@router.get(f"{USERS}/{{id}}")
async def read_user(
    request: Request, runtime: ServedRuntime, caller: Provisioner, user_id: ResourceId, selection: UserSearch
) -> Response:
    """One user."""
    found = await users.read_user(runtime, caller.organization_id, user_id)
    return create_read_response(request, to_scim_user(found, runtime.settings.base_url), selection)


@router.put(f"{USERS}/{{id}}")
async def replace_user(
    request: Request, runtime: ServedRuntime, caller: Provisioner, user_id: ResourceId, selection: UserSearch
) -> Response:
    """Replace the attributes of a user. `active` remains as it is if the request does not have it."""
    sent = await read_resource(request, ScimUserRequest, Context.RESOURCE_REPLACEMENT_REQUEST)

    def replace(old: ProvisionedUser) -> PersonAttributes:
        check_version(request, to_scim_user(old, runtime.settings.base_url))
        return to_person_attributes(sent, active=old.attributes.active)

    author = build_provisioner_author(request, caller)
    changed = await users.change_user(runtime, caller.organization_id, user_id, replace, author)
    resource = to_scim_user(changed, runtime.settings.base_url)
    return create_resource_response(resource, Context.RESOURCE_REPLACEMENT_RESPONSE, selection)


@router.patch(f"{USERS}/{{id}}")
async def change_user(
    request: Request, runtime: ServedRuntime, caller: Provisioner, user_id: ResourceId, selection: UserSearch
) -> Response:
    """Change attributes of a user."""
    patch = await read_resource(request, PatchOp[ScimUserRequest], Context.RESOURCE_PATCH_REQUEST)

    def change(old: ProvisionedUser) -> PersonAttributes:
        current = to_scim_user(old, runtime.settings.base_url)
        check_version(request, current)
        return to_person_attributes(apply_patch(patch, current), active=old.attributes.active)

    author = build_provisioner_author(request, caller)
    changed = await users.change_user(runtime, caller.organization_id, user_id, change, author)
    resource = to_scim_user(changed, runtime.settings.base_url)
    return create_resource_response(resource, Context.RESOURCE_PATCH_RESPONSE, selection)


@router.delete(f"{USERS}/{{id}}")
async def remove_user(request: Request, runtime: ServedRuntime, caller: Provisioner, user_id: ResourceId) -> Response:
    """Remove a user from the organization."""

    def check(old: ProvisionedUser) -> None:
        check_version(request, to_scim_user(old, runtime.settings.base_url))

    await users.remove_user(runtime, caller.organization_id, user_id, build_provisioner_author(request, caller), check)
    return create_empty_response()


def _build_condition(equalities: dict[str, str]) -> UserCondition:
    return UserCondition(
        user_name=equalities.get("username"),
        external_id=equalities.get("externalid"),
        email=equalities.get("emails.value", equalities.get("emails")),
    )
