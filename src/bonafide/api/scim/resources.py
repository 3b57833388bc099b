"""The resources as SCIM describes them, with the attributes that this service keeps, and their conversion.

`/Schemas` publishes these classes, so it lists what is supported and nothing else. In the published schema of users, `active` and
`emails` are required, because they can't be unassigned; `ScimUserRequest` accepts requests that omit them.
"""

from hashlib import sha256
from typing import Annotated, Any
from uuid import UUID

from pydantic import Field, ValidationError
from scim2_models import (
    URN,
    AuthenticationScheme,
    Bulk,
    CaseExact,
    ChangePassword,
    ComplexAttribute,
    Context,
    ETag,
    ExtensibleStringEnum,
    Filter,
    Group,
    Meta,
    Mutability,
    Pagination,
    Patch,
    Reference,
    Required,
    Resource,
    ResourceType,
    ScimPolicy,
    ScimProvider,
    ServiceProviderConfig,
    Sort,
    Uniqueness,
    User,
)

from bonafide.api.protocol.scim_errors import SCIM_PREFIX, ScimRefused
from bonafide.i18n.message import Message
from bonafide.model.accounts.provisioning import GroupAttributes, PersonAttributes
from bonafide.store.people.provisioned_groups import ProvisionedGroup
from bonafide.store.people.provisioned_users import ProvisionedUser

MAX_PAGE = 100
DEFAULT_PAGE = 100
USERS, GROUPS = "/Users", "/Groups"
POLICY = ScimPolicy(
    unknown=ScimPolicy.Unknown.ignore,
    remove_value_as_filter=ScimPolicy.RemoveValue.apply,
    unmatched_path_filter=ScimPolicy.UnmatchedPathFilter.create,
)
"""Identity providers send attributes that this service does not keep, and Microsoft Entra ID departs from the standard in how it
removes values and sets those that don't exist yet."""


class ScimName(ComplexAttribute):
    """The name of a user."""

    formatted: str | None = None
    """The full name, formatted for display."""
    family_name: str | None = None
    """The family name."""
    given_name: str | None = None
    """The given name."""


class ScimEmail(ComplexAttribute):
    """An email address of a user."""

    class Type(ExtensibleStringEnum):
        """What an address is for."""

        work = "work"
        home = "home"
        other = "other"

    value: Annotated[str | None, Required.true] = None
    """The email address."""
    display: str | None = None
    """A name for display."""
    type: Type | None = None
    """What the address is for, such as `work`."""
    primary: bool | None = None
    """Whether this is the preferred address, with which the user signs in."""


class ScimRole(ComplexAttribute):
    """A role that the identity provider assigns to a user directly."""

    class Value(ExtensibleStringEnum):
        """The roles of this service."""

        owner = "owner"
        analyst = "analyst"
        viewer = "viewer"

    value: Value | None = None
    """`owner`, `analyst` or `viewer`. Other values give no role."""
    display: str | None = None
    """A name for display."""
    type: str | None = None
    """A label of the identity provider."""
    primary: bool | None = None
    """Whether this is the main role. It has no effect."""


class ScimUserGroup(ComplexAttribute):
    """A group that a user belongs to."""

    value: Annotated[str | None, Mutability.read_only, CaseExact.true] = None
    """The ID of the group."""
    ref: Annotated[Reference[Group] | None, Mutability.read_only] = Field(None, serialization_alias="$ref", validation_alias="$ref")
    """The address of the group."""
    display: Annotated[str | None, Mutability.read_only] = None
    """The name of the group."""


class ScimUser(Resource[Any]):
    """A person of the organization."""

    __schema__ = URN("urn:ietf:params:scim:schemas:core:2.0:User")

    user_name: Annotated[str | None, Uniqueness.server, Required.true] = None
    """The name of the user at the identity provider, unique in the organization in any case."""
    name: ScimName | None = None
    """The parts of the user's name."""
    display_name: str | None = None
    """The name that the console shows."""
    active: Annotated[bool | None, Required.true] = None
    """Whether the user is a member of the organization. Setting it to false ends their sessions at once."""
    emails: Annotated[list[ScimEmail] | None, Required.true] = None
    """Email addresses. The user signs in with the primary one, or that of work, or the first."""
    groups: Annotated[list[ScimUserGroup] | None, Mutability.read_only] = None
    """The groups that the user belongs to."""
    roles: list[ScimRole] | None = None
    """Roles that the identity provider assigns directly. Groups may give others; the one with the most permissions counts."""


class ScimUserRequest(ScimUser):
    """A user in requests, where what is always in responses may be missing."""

    active: bool | None = None
    """Whether the user is a member; by default true for a new user, and unchanged for another."""
    emails: list[ScimEmail] | None = None
    """Email addresses; by default the user name, if it is one."""


class ScimMember(ComplexAttribute):
    """A member of a group."""

    value: Annotated[str | None, Mutability.immutable, CaseExact.true] = None
    """The ID of the user."""
    ref: Annotated[Reference[User[Any]] | None, Mutability.immutable] = Field(
        None, serialization_alias="$ref", validation_alias="$ref"
    )
    """The address of the user."""
    type: Annotated[str | None, Mutability.immutable] = Field(None, examples=["User"])
    """`User`: groups have no groups as members."""


class ScimGroup(Resource[Any]):
    """A group of the identity provider, which may give its members a role."""

    __schema__ = URN("urn:ietf:params:scim:schemas:core:2.0:Group")

    display_name: Annotated[str | None, Uniqueness.server, Required.true] = None
    """The name of the group, unique in the organization in any case."""
    members: list[ScimMember] | None = None
    """The users in the group."""


def create_provider(base_url: str) -> ScimProvider:
    """What the service publishes about itself; `base_url` is that of the documentation."""
    resource_types = [
        ResourceType(
            id=name,
            name=name,
            endpoint=endpoint,
            description=description,
            schema_=model.__schema__,
            meta=_describe_location("ResourceType", f"{base_url}{SCIM_PREFIX}/ResourceTypes/{name}"),
        )
        for name, endpoint, description, model in (
            ("User", USERS, "People of the organization", ScimUser),
            ("Group", GROUPS, "Groups that give roles", ScimGroup),
        )
    ]
    config = ServiceProviderConfig(
        documentation_uri=Reference(f"{base_url}/docs/reference/scim"),
        patch=Patch(supported=True),
        bulk=Bulk(supported=False, max_operations=0, max_payload_size=0),
        filter=Filter(supported=True, max_results=MAX_PAGE),
        change_password=ChangePassword(supported=False),
        sort=Sort(supported=False),
        etag=ETag(supported=True),
        pagination=Pagination(cursor=False, index=True, default_page_size=DEFAULT_PAGE, max_page_size=MAX_PAGE),
        authentication_schemes=[
            AuthenticationScheme(
                type=AuthenticationScheme.Type.oauthbearertoken,
                name="Provisioning token",
                description="A provisioning token of the organization as bearer token",
                spec_uri=Reference("https://www.rfc-editor.org/info/rfc6750"),
                primary=True,
            )
        ],
        meta=_describe_location("ServiceProviderConfig", f"{base_url}{SCIM_PREFIX}/ServiceProviderConfig"),
    )
    return ScimProvider([ScimUser, ScimGroup], resource_types, config, POLICY)


def _describe_location(resource_type: str, location: str) -> Meta:
    return Meta(resource_type=resource_type, location=location)


# ------------------------------------------------------------------------------------------------------------ to SCIM


def to_scim_user(person: ProvisionedUser, base_url: str) -> ScimUserRequest:
    """A person as the resource, with its version."""
    attributes = person.attributes.model_dump(mode="json", by_alias=True, exclude_none=True)
    groups = [
        {"value": str(group.id), "$ref": f"{base_url}{SCIM_PREFIX}{GROUPS}/{group.id}", "display": group.display_name}
        for group in person.groups
    ]
    lists = {name: attributes.pop(name) or None for name in ("emails", "roles")}
    user = ScimUserRequest.model_validate({**attributes, **lists, "groups": groups or None, "id": str(person.id)})
    meta = Meta(
        resource_type="User",
        created=person.created_at,
        last_modified=person.modified_at,
        location=f"{base_url}{SCIM_PREFIX}{USERS}/{person.id}",
        version=_compute_version(user),
    )
    return user.model_copy(update={"meta": meta})


def to_scim_group(group: ProvisionedGroup, base_url: str) -> ScimGroup:
    """A group as the resource, with its version."""
    members = [
        {"value": str(user_id), "$ref": f"{base_url}{SCIM_PREFIX}{USERS}/{user_id}", "type": "User"}
        for user_id in sorted(group.attributes.members)
    ]
    resource = ScimGroup.model_validate(
        {
            "id": str(group.id),
            "displayName": group.attributes.display_name,
            "externalId": group.attributes.external_id,
            "members": members or None,
        }
    )
    meta = Meta(
        resource_type="Group",
        created=group.created_at,
        last_modified=group.modified_at,
        location=f"{base_url}{SCIM_PREFIX}{GROUPS}/{group.id}",
        version=_compute_version(resource),
    )
    return resource.model_copy(update={"meta": meta})


def _compute_version(resource: Resource[Any]) -> str:
    """The entity tag of the resource's content, so that changes in the console make another one too."""
    return f'W/"{sha256(resource.model_dump_json(scim_ctx=Context.DEFAULT).encode()).hexdigest()[:32]}"'


# ------------------------------------------------------------------------------------------------------------ from SCIM


def to_person_attributes(user: ScimUser, *, active: bool = True) -> PersonAttributes:
    """The attributes of the resource; `active` where it does not say. Raises `ScimRefused` for values that can't be kept."""
    dumped = user.model_dump(scim_ctx=Context.DEFAULT)
    sent = {name: dumped[name] for name in ("userName", "externalId", "name", "displayName", "emails", "roles") if name in dumped}
    try:
        return PersonAttributes.model_validate({**sent, "active": user.active if user.active is not None else active})
    except ValidationError as error:
        raise build_value_error(error) from None


def to_group_attributes(group: ScimGroup) -> GroupAttributes:
    """The attributes of the resource. Raises `ScimRefused` for values that can't be kept, and for members that are no users."""
    members = set()
    for member in group.members or []:
        try:
            members.add(UUID(member.value))
        except (ValueError, TypeError, AttributeError):
            raise ScimRefused(Message("`members` must be users of this organization."), "invalidValue") from None
    try:
        return GroupAttributes(display_name=group.display_name or "", external_id=group.external_id, members=frozenset(members))
    except ValidationError as error:
        raise build_value_error(error) from None


def build_value_error(error: ValidationError) -> ScimRefused:
    """The refusal of the first value that the model does not accept."""
    first = error.errors(include_url=False, include_input=False, include_context=False)[0]
    path = ".".join(str(part) for part in first["loc"])
    return ScimRefused(Message("{path}: {problem}", path=path, problem=first["msg"]), "invalidValue")
