"""List and find organizations by name, for the command line."""

from bonafide.errors import NotFound
from bonafide.model.accounts.organizations import Organization, World
from bonafide.runtime import Runtime
from bonafide.store.tenants import organizations


async def list_organizations(runtime: Runtime) -> list[Organization]:
    """All of them, by name."""
    async with runtime.store.read() as connection:
        return await organizations.list_all(connection)


async def find_organization(runtime: Runtime, name: str, world: World) -> Organization:
    """The organization of this name in this world. Raises `NotFound` that names those that there are."""
    every = [organization for organization in await list_organizations(runtime) if organization.world is world]
    found = next((organization for organization in every if organization.name == name), None)
    if found is None:
        known = ", ".join(organization.name for organization in every) or "none"
        raise NotFound(f"there is no {world} organization named {name!r}; there is {known}")
    return found
