"""Nothing of a business record that is held is deleted by a policy or erased on request, until the hold is lifted."""

import asyncio
from dataclasses import replace
from datetime import timedelta
from uuid import UUID, uuid4

import pytest
from sqlalchemy import delete, select
from sqlalchemy.exc import IntegrityError

from bonafide.errors import Conflict, NotFound
from bonafide.model.accounts.organizations import Principal
from bonafide.model.accounts.retention import LegalHold, LegalHoldChange, RetentionKind
from bonafide.model.packs.pack import PackRequest, PackStatus
from bonafide.runtime import Runtime
from bonafide.services.packs.completion import expire_packs
from bonafide.services.packs.requests import read_pack
from bonafide.services.records.audit_check import verify_audit_log
from bonafide.services.records.change_feed import read_audit_log
from bonafide.services.retention.erasing import run_erasure
from bonafide.services.retention.erasure_requests import ErasableCheck, erase_business, erase_check
from bonafide.services.retention.legal_holds import HOLD_LIFTED, HOLD_SET, change_hold, list_held_records, read_hold
from bonafide.services.retention.policy_runs import preview_retention, run_retention
from bonafide.services.search.execution import read_search
from bonafide.store.database.tables import businesses, extracts
from bonafide.store.retention.expiring_rows import EXPIRING_ROWS
from tests.support.services.cases import ANN, decide, follow
from tests.support.services.packs import make_pack
from tests.support.services.retention import (
    EVERY_KIND,
    OTHER,
    OTHER_NUMBER,
    REASON,
    WORD,
    KnownBusiness,
    fill,
    find_traces,
    finish_erasure,
    set_policy,
)
from tests.support.services.runtimes import clock_of
from tests.support.store.interrupted_store import InterruptedStore

pytestmark = pytest.mark.anyio


async def hold(runtime: Runtime, organization_id: UUID, business_id: UUID, reason: str = "Court file 118") -> LegalHold:
    return await change_hold(runtime, organization_id, business_id, LegalHoldChange(held=True, reason=reason), ANN)


async def lift(runtime: Runtime, organization_id: UUID, business_id: UUID) -> LegalHold:
    return await change_hold(runtime, organization_id, business_id, LegalHoldChange(held=False, reason="Settled"), ANN)


async def test_a_hold_is_set_changed_and_lifted_with_a_reason(
    runtime: Runtime, organization: UUID, business: KnownBusiness
) -> None:
    free = LegalHold(business_id=business.id, held=False)
    assert await read_hold(runtime, organization, business.id) == free
    assert await lift(runtime, organization, business.id) == free
    first = await hold(runtime, organization, business.id)
    assert (first.held, first.reason, first.set_by) == (True, "Court file 118", ANN.actor)
    assert await hold(runtime, organization, business.id) == first
    second = await hold(runtime, organization, business.id, "Court file 119")
    (held,) = await list_held_records(runtime, organization, 10)
    assert (held.hold, held.record.name) == (second, f"{WORD} Inc.")
    assert await lift(runtime, organization, business.id) == free
    assert await list_held_records(runtime, organization, 10) == []
    log = (await read_audit_log(runtime, organization, business.id, 100, 0)).entries
    files = ({"reason": "Court file 118"}, {"reason": "Court file 119"})
    assert [(entry.field, entry.old, entry.new) for entry in log if entry.field in {HOLD_SET, HOLD_LIFTED}] == [
        (HOLD_SET, None, files[0]),
        (HOLD_SET, *files),
        (HOLD_LIFTED, files[1], {"reason": "Settled"}),
    ]
    assert (await verify_audit_log(runtime, organization)).is_whole
    with pytest.raises(NotFound):
        await hold(runtime, organization, uuid4())


async def test_a_policy_keeps_and_counts_what_belongs_to_a_held_record(
    runtime: Runtime, organization: UUID, north: Principal, business: KnownBusiness
) -> None:
    other = await fill(runtime, north, OTHER, OTHER_NUMBER)
    await follow(runtime)
    for one in (business, other):
        await decide(runtime, organization, one.case_id, "approve")
    await follow(runtime)
    await hold(runtime, organization, business.id)
    await set_policy(runtime, organization, **EVERY_KIND)
    clock_of(runtime).advance(days=31)
    tables = sorted({rows.table.name for kind in RetentionKind for rows in EXPIRING_ROWS[kind]})
    before = await find_traces(runtime, organization, WORD, str(business.id), business.id.hex)
    (expected,) = await preview_retention(runtime)
    (found,) = await run_retention(runtime)
    assert (found.rows, found.held) == (expected.rows, expected.held)
    assert all(found.rows.values())
    assert all(found.held.values())
    after = await find_traces(runtime, organization, WORD, str(business.id), business.id.hex)
    assert {table: after.get(table) for table in tables} == {table: before.get(table) for table in tables}
    assert after["files"] == before["files"]
    assert not set(await find_traces(runtime, organization, OTHER)) & set(tables)
    await lift(runtime, organization, business.id)
    (rest,) = await run_retention(runtime)
    assert (rest.rows, rest.held) == (found.held, {})


async def test_a_hold_that_is_set_while_a_batch_is_deleted_wins(
    runtime: Runtime, organization: UUID, business: KnownBusiness, database_url: str
) -> None:
    await set_policy(runtime, organization, searches=1)
    clock_of(runtime).advance(days=2)
    store = InterruptedStore.on(database_url)
    store.pause_from(0)
    run = asyncio.create_task(run_retention(replace(runtime, store=store)))
    await store.paused.wait()
    await hold(runtime, organization, business.id)
    store.continued.set()
    (found,) = await run
    await store.close()
    assert found.rows == {RetentionKind.SEARCHES: 0}
    assert (await read_search(runtime, organization, business.search_id)).body


async def test_neither_a_held_record_nor_what_belongs_to_it_is_erased(
    runtime: Runtime, organization: UUID, business: KnownBusiness
) -> None:
    async with runtime.store.read() as connection:
        report = (await connection.execute(select(extracts.c.id).where(extracts.c.organization_id == organization))).scalar_one()
    checks = {
        ErasableCheck.SEARCH: business.search_id,
        ErasableCheck.VERIFICATION: business.verification_id,
        ErasableCheck.SCREENING: business.screening_id,
        ErasableCheck.REPORT: report,
        ErasableCheck.CASE: business.case_id,
    }
    assert set(checks) == set(ErasableCheck)
    await hold(runtime, organization, business.id)
    with pytest.raises(Conflict):
        await erase_business(runtime, organization, business.id, REASON, ANN)
    for check in checks.items():
        with pytest.raises(Conflict):
            await erase_check(runtime, organization, check, REASON, ANN)
    await lift(runtime, organization, business.id)
    for check in checks.items():
        await erase_check(runtime, organization, check, REASON, ANN)


async def test_the_database_refuses_to_delete_a_held_record(runtime: Runtime, organization: UUID, business: KnownBusiness) -> None:
    await hold(runtime, organization, business.id)
    mine = businesses.c.organization_id == organization, businesses.c.id == business.id
    with pytest.raises(IntegrityError):
        async with runtime.store.write() as connection:
            await connection.execute(delete(businesses).where(*mine))


async def test_an_erasure_of_a_check_that_is_under_way_waits_until_the_hold_is_lifted(
    runtime: Runtime, organization: UUID, business: KnownBusiness
) -> None:
    check, words = (ErasableCheck.SEARCH, business.search_id), (str(business.search_id), business.search_id.hex)
    accepted = await erase_check(runtime, organization, check, REASON, ANN)
    await hold(runtime, organization, business.id)
    before = await find_traces(runtime, organization, *words)
    again_at = await run_erasure(runtime, organization, accepted.erasure_id)
    assert again_at is not None
    assert await find_traces(runtime, organization, *words) == before
    assert "erased_subjects" in before
    clock_of(runtime).now = again_at
    await lift(runtime, organization, business.id)
    await finish_erasure(runtime, organization, accepted)
    # The record names its latest search.
    assert set(await find_traces(runtime, organization, *words)) <= {"businesses", "audit_entries"}


async def test_the_files_of_the_pack_of_a_held_record_are_kept(
    runtime: Runtime, organization: UUID, north: Principal, business: KnownBusiness
) -> None:
    pack = await make_pack(runtime, north, PackRequest(business_id=business.id))
    assert pack.expires_at is not None
    await hold(runtime, organization, business.id)
    clock_of(runtime).now = pack.expires_at + timedelta(minutes=1)
    assert await expire_packs(runtime) == 0
    assert (await read_pack(runtime, organization, pack.id)).status is PackStatus.READY
    await lift(runtime, organization, business.id)
    clock_of(runtime).now += timedelta(days=1)
    assert await expire_packs(runtime) == 1
