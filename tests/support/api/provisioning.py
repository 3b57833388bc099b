"""What tests of provisioning share: tokens, clients, and what an identity provider sends."""

from typing import Any

from bonafide.model.accounts.organizations import World
from bonafide.model.accounts.provisioning import ProvisioningTokenRequest
from bonafide.model.records.business_record import Author
from bonafide.runtime import Runtime
from bonafide.services.provisioning import tokens
from bonafide.store.tenants import organizations

OWNER = Author("ann@north.example")
USERS, GROUPS = "/scim/v2/Users", "/scim/v2/Groups"
USER_SCHEMA = "urn:ietf:params:scim:schemas:core:2.0:User"
GROUP_SCHEMA = "urn:ietf:params:scim:schemas:core:2.0:Group"
PATCH_SCHEMA = "urn:ietf:params:scim:api:messages:2.0:PatchOp"


async def create_token(runtime: Runtime, organization: str = "north", world: World = World.LIVE) -> str:
    """The text of a new token of the organization, which is created if it is new."""
    async with runtime.store.write() as connection:
        found = await organizations.get_or_create(connection, organization, world, runtime.clock())
    return (await tokens.create_token(runtime, found.id, ProvisioningTokenRequest(label="Entra"), OWNER)).text


def describe_user(login: str, **others: Any) -> dict[str, Any]:
    """A user as an identity provider creates them: the login `ben` is `ben@north.example`."""
    email = f"{login}@north.example"
    return {"schemas": [USER_SCHEMA], "userName": email, "emails": [{"value": email, "type": "work", "primary": True}], **others}


def describe_group(name: str, *members: str) -> dict[str, Any]:
    """A group with these users, by their IDs."""
    return {"schemas": [GROUP_SCHEMA], "displayName": name, "members": [{"value": user_id} for user_id in members]}


def patch(*operations: dict[str, Any]) -> dict[str, Any]:
    """The body of a PATCH request."""
    return {"schemas": [PATCH_SCHEMA], "Operations": list(operations)}
