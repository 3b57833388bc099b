"""The trail is whole, or it is said what is wrong with it: edited, removed, put in, cut off at the end, made anew."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any
from uuid import UUID, uuid4

import pytest
from sqlalchemy import delete, insert, select, update

from bonafide.model.accounts.account_settings import SettingsChange
from bonafide.runtime import Runtime
from bonafide.services.accounts.organizations import change_settings
from bonafide.services.records.audit_check import AuditAnchor, verify_audit_log
from bonafide.store.database.tables import audit_entries, ledgers
from bonafide.store.tenants import audit_log
from bonafide.store.tenants.audit_log import GENESIS
from tests.support.services.business_records import AUTHOR, sent
from tests.support.services.runtimes import principal_of

pytestmark = pytest.mark.anyio


@pytest.fixture
def runtime(empty_runtime: Runtime) -> Runtime:
    return empty_runtime


@pytest.fixture
async def north(runtime: Runtime) -> UUID:
    """An organization with a trail of nine entries."""
    organization_id = (await principal_of(runtime, "north")).organization_id
    for number in range(4):
        await sent(runtime, organization_id, externalId=f"crm-{number}", name=f"Acme {number}")
    change = SettingsChange.model_validate({"search": {"sanctionsScreening": True}})
    await change_settings(runtime, organization_id, change, AUTHOR)
    return organization_id


async def run(runtime: Runtime, statement: Any) -> None:
    async with runtime.store.write() as connection:
        await connection.execute(statement)


def entry(north: UUID, number: int) -> Any:
    return (audit_entries.c.organization_id == north) & (audit_entries.c.id == number)


async def test_a_trail_that_nobody_touched_is_whole(runtime: Runtime, north: UUID) -> None:
    check = await verify_audit_log(runtime, north)
    assert (check.entries, check.problems, check.is_whole) == (9, [], True)
    assert check.hash != GENESIS


async def test_an_organization_without_a_trail_is_whole(runtime: Runtime) -> None:
    nobody = (await principal_of(runtime, "nobody")).organization_id
    check = await verify_audit_log(runtime, nobody)
    assert (check.entries, check.hash, check.problems) == (0, GENESIS, [])


async def test_another_organizations_trail_is_another_chain(runtime: Runtime, north: UUID) -> None:
    south = (await principal_of(runtime, "south")).organization_id
    await sent(runtime, south, externalId="crm-1")
    await run(runtime, delete(audit_entries).where(entry(north, 3)))
    assert (await verify_audit_log(runtime, south)).is_whole
    assert not (await verify_audit_log(runtime, north)).is_whole


EDITS: dict[str, Any] = {
    "subject": uuid4(),
    "actor": "somebody@else.example",
    "request_id": None,
    "field": "notes",
    "old": '"before"',
    "new": '"after"',
    "hash": "f" * 64,
}


@pytest.mark.parametrize("column", EDITS)
@pytest.mark.parametrize("number", [1, 5, 9])
async def test_an_edited_entry_is_found_wherever_it_stands(runtime: Runtime, north: UUID, column: str, number: int) -> None:
    await run(runtime, update(audit_entries).where(entry(north, number)).values({column: EDITS[column]}))
    problems = (await verify_audit_log(runtime, north)).problems
    assert problems[0] == f"entry {number} or the one before it was changed"


async def test_an_instant_that_was_moved_is_found(runtime: Runtime, north: UUID) -> None:
    moved = update(audit_entries).where(entry(north, 5)).values(at=runtime.clock())
    await run(runtime, moved)
    assert len((await verify_audit_log(runtime, north)).problems) == 1


@pytest.mark.parametrize(
    ("numbers", "told"),
    [
        ([1], "entry 1 is missing"),
        ([4], "entry 4 is missing"),
        ([4, 5, 6], "entries 4 to 6 are missing"),
        ([9], "the log has 8 entries, but the stored head counts 9"),
        ([7, 8, 9], "the log has 6 entries, but the stored head counts 9"),
        (list(range(1, 10)), "the log has 0 entries, but the stored head counts 9"),
    ],
)
async def test_removed_entries_are_missed(runtime: Runtime, north: UUID, numbers: list[int], told: str) -> None:
    await run(runtime, delete(audit_entries).where(audit_entries.c.organization_id == north, audit_entries.c.id.in_(numbers)))
    assert (await verify_audit_log(runtime, north)).problems == [told]


async def test_the_last_entry_in_place_of_another_is_found_by_the_ledger(runtime: Runtime, north: UUID) -> None:
    async with runtime.store.write() as connection:
        *_, before, last = await audit_log.list_after(connection, north, 0, 100)
        forged = replace(last, new="0")
        values = {"new": "0", "hash": forged.hash_after(before.hash)}
        await connection.execute(update(audit_entries).where(entry(north, 9)).values(values))
    assert (await verify_audit_log(runtime, north)).problems == ["the last entry (9) does not match the stored head"]


@pytest.mark.parametrize(
    ("number", "told"), [(10, "the log has 10 entries, but the stored head counts 9"), (0, "entry 0 does not belong to this log")]
)
async def test_an_entry_that_was_put_in_is_found(runtime: Runtime, north: UUID, number: int, told: str) -> None:
    async with runtime.store.write() as connection:
        row = dict((await connection.execute(select(audit_entries).where(entry(north, 9)))).one()._mapping)
        await connection.execute(insert(audit_entries).values({**row, "id": number}))
    assert told in (await verify_audit_log(runtime, north)).problems


async def test_records_without_any_trail_are_told(runtime: Runtime, north: UUID) -> None:
    await run(runtime, delete(audit_entries).where(audit_entries.c.organization_id == north))
    await run(runtime, delete(ledgers).where(ledgers.c.organization_id == north))
    assert (await verify_audit_log(runtime, north)).problems == ["there are business records but no audit log"]


class TestAgainstANotedState:
    """Whoever rewrites the end and the ledger with it leaves a trail that is whole in itself."""

    async def cut(self, runtime: Runtime, north: UUID, keep: int) -> None:
        async with runtime.store.write() as connection:
            kept = (await audit_log.list_after(connection, north, 0, keep))[-1]
            mine = audit_entries.c.organization_id == north
            await connection.execute(delete(audit_entries).where(mine, audit_entries.c.id > keep))
            changed = update(ledgers).where(ledgers.c.organization_id == north)
            await connection.execute(changed.values(entries=keep, head=kept.hash))

    async def test_a_trail_that_only_grew_agrees(self, runtime: Runtime, north: UUID) -> None:
        noted = await verify_audit_log(runtime, north)
        await sent(runtime, north, externalId="later")
        assert (await verify_audit_log(runtime, north, AuditAnchor(noted.entries, noted.hash))).is_whole

    async def test_one_that_was_cut_with_its_ledger_does_not(self, runtime: Runtime, north: UUID) -> None:
        noted = await verify_audit_log(runtime, north)
        await self.cut(runtime, north, 6)
        assert (await verify_audit_log(runtime, north)).is_whole
        told = (await verify_audit_log(runtime, north, AuditAnchor(noted.entries, noted.hash))).problems
        assert told == ["the log ends with entry 6, but had 9 entries when its hash was recorded"]

    async def test_nor_one_that_went_on_otherwise(self, runtime: Runtime, north: UUID) -> None:
        noted = await verify_audit_log(runtime, north)
        await self.cut(runtime, north, 6)
        for number in range(3):
            await sent(runtime, north, externalId=f"other-{number}")
        told = (await verify_audit_log(runtime, north, AuditAnchor(noted.entries, noted.hash))).problems
        assert told == ["entry 9 has changed since its hash was recorded"]


async def test_of_many_problems_some_are_told(runtime: Runtime, north: UUID) -> None:
    for number in range(30):
        await sent(runtime, north, externalId=f"many-{number}")
    mine: Callable[[Any], Any] = lambda column: column == north  # noqa: E731
    await run(runtime, update(audit_entries).where(mine(audit_entries.c.organization_id)).values(actor="x"))
    assert len((await verify_audit_log(runtime, north)).problems) == 20
