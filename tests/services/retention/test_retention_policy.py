"""A policy deletes what is old enough of its organization, and nothing that is still open; a legal hold keeps everything."""

import asyncio
from dataclasses import replace
from typing import Any, cast
from uuid import UUID

import pytest
from sqlalchemy import func, select

from bonafide.errors import NotFound
from bonafide.model.accounts.account_settings import SettingsChange
from bonafide.model.accounts.organizations import Principal
from bonafide.model.accounts.retention import RetentionKind
from bonafide.model.events.event import EventType
from bonafide.model.events.event_examples import EVENT_EXAMPLES
from bonafide.runtime import Runtime
from bonafide.services.accounts.organizations import read_settings_audit_log
from bonafide.services.cases.reading import read_case
from bonafide.services.events.feed import decode_position, read_events
from bonafide.services.events.recording import record_events
from bonafide.services.records.audit_check import verify_audit_log
from bonafide.services.retention.file_removal import REPEAT_AFTER, remove_files
from bonafide.services.retention.policy_runs import DELETED, OrganizationRetention, preview_retention, run_retention
from bonafide.services.search.execution import read_search
from bonafide.store.records.events import EventFilter
from bonafide.store.retention.expiring_rows import EXPIRING_ROWS
from tests.support.services.business_records import sent
from tests.support.services.cases import decide, follow
from tests.support.services.retention import EVERY_KIND, WORD, KnownBusiness, fill, find_traces, set_policy
from tests.support.services.runtimes import clock_of
from tests.support.store.interrupted_store import InterruptedStore, Killed
from tests.support.store.organization_rows import dump

pytestmark = pytest.mark.anyio


async def count_rows(runtime: Runtime, organization_id: UUID) -> dict[str, int]:
    """The rows of the organization in each table that a policy deletes from."""
    async with runtime.store.read() as connection:
        return {
            rows.table.name: (
                await connection.execute(
                    select(func.count()).select_from(rows.table).where(rows.table.c.organization_id == organization_id)
                )
            ).scalar_one()
            for kind in RetentionKind
            for rows in EXPIRING_ROWS[kind]
        }


async def list_batches(runtime: Runtime, organization_id: UUID) -> list[dict[str, Any]]:
    """The batches that were deleted, as the audit log lists them."""
    page = await read_settings_audit_log(runtime, organization_id, 100, 0)
    return [cast("dict[str, Any]", entry.new) for entry in page.entries if entry.field == DELETED]


def get_rows(found: list[OrganizationRetention]) -> dict[RetentionKind, int]:
    (one,) = found
    return one.rows


async def test_what_is_old_enough_is_deleted_and_open_work_is_kept(
    runtime: Runtime, organization: UUID, business: KnownBusiness, south: Principal
) -> None:
    async with runtime.store.write() as connection:
        await record_events(connection, organization, [EVENT_EXAMPLES[EventType.WEBHOOK_FAILING]], runtime.clock())
    await follow(runtime)
    clock_of(runtime).advance(days=20)
    young = await fill(runtime, south, "Larkspur")
    await set_policy(runtime, organization, **EVERY_KIND)
    clock_of(runtime).advance(days=11)
    before, other = await count_rows(runtime, organization), await dump(runtime, south.organization_id)
    assert all(before.values())
    expected = get_rows(await preview_retention(runtime))
    assert await count_rows(runtime, organization) == before
    assert get_rows(await run_retention(runtime)) == expected
    left = await count_rows(runtime, organization)
    # The case is open, and so is the alert.
    assert {name: count for name, count in left.items() if count} == {"cases": 1, "case_attachments": 1, "events": 1}
    (alert,) = (await read_events(runtime, organization, EventFilter(), 10)).events
    assert (alert.type, alert.alert is not None) == (EventType.WEBHOOK_FAILING, True)
    with pytest.raises(NotFound):
        await read_search(runtime, organization, business.search_id)
    assert (await read_case(runtime, organization, business.case_id)).notes
    assert await dump(runtime, south.organization_id) == other
    assert (await read_case(runtime, south.organization_id, young.case_id)).notes
    batches = await list_batches(runtime, organization)
    assert {batch["kind"] for batch in batches} == {kind.value for kind in RetentionKind} - {"cases"}
    assert sum(batch["rows"] for batch in batches) == sum(expected.values())
    assert all(set(batch) == {"kind", "rows", "before"} for batch in batches)
    assert get_rows(await run_retention(runtime)) == dict.fromkeys(RetentionKind, 0)


async def test_a_case_goes_with_its_parts_its_files_and_its_entries_of_the_audit_log(
    runtime: Runtime, organization: UUID, business: KnownBusiness
) -> None:
    await decide(runtime, organization, business.case_id, "approve", note=f"{WORD} is fine")
    await set_policy(runtime, organization, cases=30)
    clock_of(runtime).advance(days=31)
    assert get_rows(await run_retention(runtime)) == {RetentionKind.CASES: 1}
    with pytest.raises(NotFound):
        await read_case(runtime, organization, business.case_id)
    kept = await find_traces(runtime, organization, f"{WORD} was called", f"{WORD} is fine", f"attachments/{business.case_id}")
    assert kept == {}
    assert not [table for table in await find_traces(runtime, organization, str(business.case_id)) if table.startswith("case")]
    check = await verify_audit_log(runtime, organization)
    assert check.is_whole
    assert check.erased > 0


async def test_files_are_deleted_after_their_rows(runtime: Runtime, organization: UUID, business: KnownBusiness) -> None:
    await set_policy(runtime, organization, searches=1)
    clock_of(runtime).advance(days=2)
    names = [name async for name in runtime.files.list_folder(organization, f"pdf/{business.search_id}/")]
    assert await runtime.files.exists(organization, names[0])
    await run_retention(runtime)
    assert not await runtime.files.exists(organization, names[0])
    # A request that had read the row before stores the file again.
    await runtime.files.put(organization, names[0], b"%PDF", "application/pdf")
    clock_of(runtime).now += REPEAT_AFTER
    await remove_files(runtime)
    assert not await runtime.files.exists(organization, names[0])
    assert "file_deletions" not in await find_traces(runtime, organization, "pdf/")


async def test_a_legal_hold_keeps_everything(runtime: Runtime, organization: UUID, business: KnownBusiness) -> None:
    await set_policy(runtime, organization, hold=True, **EVERY_KIND)
    clock_of(runtime).advance(days=60)
    before = await count_rows(runtime, organization)
    (held,) = await run_retention(runtime)
    assert (held.has_legal_hold, set(held.rows.values())) == (True, {0})
    assert await count_rows(runtime, organization) == before
    assert (await read_search(runtime, organization, business.search_id)).body


async def test_a_hold_that_is_set_while_a_batch_is_chosen_wins(
    runtime: Runtime, organization: UUID, business: KnownBusiness, database_url: str
) -> None:
    await set_policy(runtime, organization, searches=1)
    clock_of(runtime).advance(days=2)
    store = InterruptedStore.on(database_url)
    store.pause_from(0)
    run = asyncio.create_task(run_retention(replace(runtime, store=store)))
    await store.paused.wait()
    await set_policy(runtime, organization, hold=True, searches=1)
    store.continued.set()
    assert get_rows(await run) == {RetentionKind.SEARCHES: 0}
    await store.close()
    assert (await read_search(runtime, organization, business.search_id)).body
    assert await list_batches(runtime, organization) == []


@pytest.mark.parametrize("commits", [1, 3])
async def test_a_killed_run_is_continued_by_the_next(
    runtime: Runtime, organization: UUID, business: KnownBusiness, database_url: str, commits: int
) -> None:
    await set_policy(runtime, organization, searches=1, events=1, screenings=1, reports=1)
    clock_of(runtime).advance(days=2)
    expected = sum(get_rows(await preview_retention(runtime)).values())
    store = InterruptedStore.on(database_url)
    store.kill_after(commits)
    with pytest.raises(Killed):
        await run_retention(replace(runtime, store=store))
    await store.close()
    rest = sum(get_rows(await run_retention(runtime)).values())
    assert 0 < rest < expected
    # What was deleted before the process ended was counted with it, once.
    assert sum(batch["rows"] for batch in await list_batches(runtime, organization)) == expected
    assert not await runtime.files.exists(organization, f"pdf/{business.search_id}/{business.id}/{WORD.lower()}.pdf")
    assert (await verify_audit_log(runtime, organization)).is_whole


async def test_a_cursor_of_a_deleted_event_leads_to_the_next_one(
    runtime: Runtime, organization: UUID, business: KnownBusiness
) -> None:
    seen = await read_events(runtime, organization, EventFilter(), 3)
    await set_policy(runtime, organization, events=1)
    clock_of(runtime).advance(days=2)
    await run_retention(runtime)
    changed = await sent(runtime, organization, externalId=WORD, city="Guelph")
    assert changed.id == business.id
    page = await read_events(runtime, organization, EventFilter(), 100, position=decode_position(seen.cursor.next))
    numbers = [event.sequence for event in page.events]
    assert numbers == sorted(numbers)
    assert page.events[-1].type is EventType.BUSINESS_UPDATED
    assert numbers[-1] > seen.events[-1].sequence


@pytest.mark.parametrize("days", [0, -1, 36_501, 1.5, "many"])
def test_a_number_of_days_that_is_none_is_refused(days: object) -> None:
    with pytest.raises(ValueError, match="searches"):
        SettingsChange.model_validate({"retention": {"searches": days}})
