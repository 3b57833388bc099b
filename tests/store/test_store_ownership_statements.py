"""Ownership statements on both databases: one for each business and claimant, and nobody else's."""

from dataclasses import replace
from uuid import UUID, uuid4

import pytest

from bonafide.model.ownership.statement import Claimant
from bonafide.store.database.engine import Store
from bonafide.store.records import businesses, ownership_statements
from bonafide.store.records.businesses import StoredBusiness
from bonafide.store.records.ownership_statements import StoredStatement
from tests.support.store.rows import MINUTE, NOW

pytestmark = pytest.mark.anyio


async def add_business(store: Store, organization: UUID, business_id: UUID) -> None:
    async with store.write() as connection:
        stored = StoredBusiness(business_id, None, is_monitored=False, is_archived=False, updated_at=NOW, document="{}")
        await businesses.add(connection, organization, stored)


async def put(store: Store, organization: UUID, *statements: StoredStatement) -> None:
    async with store.write() as connection:
        for one in statements:
            await ownership_statements.put(connection, organization, one)


async def read(store: Store, organization: UUID, business_id: UUID) -> list[StoredStatement]:
    async with store.read() as connection:
        return await ownership_statements.list_for_business(connection, organization, business_id)


async def test_a_claimant_replaces_its_own_statement_alone(store: Store, north: UUID) -> None:
    business_id = uuid4()
    await add_business(store, north, business_id)
    declared = StoredStatement(business_id, Claimant.DECLARED, NOW, "ann@north.example", "first")
    registry = replace(declared, claimed_by=Claimant.REGISTRY, document="register")
    await put(store, north, declared, registry)
    second = replace(declared, recorded_at=NOW + MINUTE, recorded_by="bob@north.example", document="second")
    await put(store, north, second)
    assert await read(store, north, business_id) == [second, registry]
    async with store.write() as connection:
        await ownership_statements.remove(connection, north, business_id, Claimant.DECLARED)
    assert await read(store, north, business_id) == [registry]


async def test_organizations_do_not_share_statements(store: Store, north: UUID, south: UUID) -> None:
    business_id = uuid4()
    for organization in (north, south):
        await add_business(store, organization, business_id)
    mine = StoredStatement(business_id, Claimant.DECLARED, NOW, "ann@north.example", "north's")
    await put(store, north, mine)
    assert await read(store, south, business_id) == []
    await put(store, south, replace(mine, document="south's"))
    async with store.write() as connection:
        await ownership_statements.remove(connection, south, business_id, Claimant.DECLARED)
    assert await read(store, north, business_id) == [mine]
