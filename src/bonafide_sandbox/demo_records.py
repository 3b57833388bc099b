"""Store the business records of the demo: fixed businesses with their ownership structures."""

from uuid import UUID

from bonafide.errors import NotFound
from bonafide.model.accounts.organizations import World
from bonafide.model.records.business_input import BusinessUpsert
from bonafide.model.records.business_record import Author
from bonafide.runtime import Runtime
from bonafide.services.accounts import api_access
from bonafide.services.ownership.statements import replace_statement
from bonafide.services.records.business_records import find_record, upsert
from bonafide.services.records.change_feed import read_last_changes
from bonafide_sandbox.generator.ownership_structures import OwnershipStructure, load_structures

AUTHOR = Author("demo")


async def store_demo_records(runtime: Runtime, organization_id: UUID) -> dict[str, UUID]:
    """Store the record and the ownership statement of each structure, and return the IDs of the records by `externalId`.

    A record that exists already stays as it is, with whatever its users have changed. If its ownership has never changed, an
    interrupted start has left out the statement, which is stored now.
    """
    return {item.external_id: await _store_structure(runtime, organization_id, item) for item in load_structures()}


async def store_records_by_name(runtime: Runtime, organization: str) -> dict[str, UUID]:
    """Store them for the sandbox organization of this name. Raises `LookupError` if it has no API key."""
    keys = await api_access.list_keys(runtime)
    found = next((key for key in keys if (key.organization, key.world) == (organization, World.SANDBOX)), None)
    if found is None:
        raise LookupError(organization)
    return await store_demo_records(runtime, found.organization_id)


async def _store_structure(runtime: Runtime, organization_id: UUID, structure: OwnershipStructure) -> UUID:
    try:
        record = await find_record(runtime, organization_id, external_id=structure.external_id)
    except NotFound:
        wanted = BusinessUpsert(
            external_id=structure.external_id,
            name=structure.name,
            jurisdiction=structure.register,
            registration_number=structure.number,
        )
        record = (await upsert(runtime, organization_id, wanted, AUTHOR)).record
    changes = await read_last_changes(runtime, organization_id, record.id)
    if not any(field.startswith("ownership.") for field in changes):
        await replace_statement(runtime, organization_id, record.id, structure.create_statement(record.id), AUTHOR)
    return record.id
