"""The records of the demo: an interrupted start is completed by the next one."""

import pytest

from bonafide.model.accounts.organizations import KeyRequest, World
from bonafide.model.records.business_input import BusinessUpsert
from bonafide.runtime import Runtime
from bonafide.services.accounts import api_access
from bonafide.services.ownership.statements import load_ownership
from bonafide.services.records.business_records import upsert
from bonafide_sandbox.demo_records import AUTHOR, store_demo_records
from bonafide_sandbox.generator.ownership_structures import load_structures

pytestmark = pytest.mark.anyio


async def test_a_record_without_its_statement_gets_it(runtime: Runtime) -> None:
    key = (await api_access.create_key(runtime, KeyRequest(organization="Demo", world=World.SANDBOX))).key
    first = load_structures()[0]
    wanted = BusinessUpsert(external_id=first.external_id, name=first.name)
    record = (await upsert(runtime, key.organization_id, wanted, AUTHOR)).record
    ids = await store_demo_records(runtime, key.organization_id)
    assert ids[first.external_id] == record.id
    assert len((await load_ownership(runtime, key.organization_id, record.id)).statements) == 1
