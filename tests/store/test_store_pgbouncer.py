"""The store behind PgBouncer in transaction mode: whatever it does, and what becomes of it when one of the two dies."""

import asyncio
from collections.abc import AsyncIterator, Iterator
from datetime import timedelta
from pathlib import Path
from uuid import uuid4

import pytest
from sqlalchemy import URL, text
from sqlalchemy.exc import DBAPIError

from bonafide.app.worker import work_once
from bonafide.errors import ServerBusy
from bonafide.model.accounts.organizations import KeyRequest, World
from bonafide.model.query import SearchRequest
from bonafide.model.records.business_input import BusinessUpsert
from bonafide.model.records.business_record import Author
from bonafide.runtime import open_runtime
from bonafide.services.accounts import api_access
from bonafide.services.records import audit_check, business_records
from bonafide.services.search import execution, history
from bonafide.settings import Settings
from bonafide.store.database.engine import DatabaseOptions, Store
from bonafide.store.records import searches
from bonafide.store.records.searches import HistoryFilter
from bonafide.store.tenants import organizations
from bonafide.store.work import idempotency, jobs
from bonafide.store.work.idempotency import IdempotentRequest, RequestInProgress, ReservedKey
from bonafide.store.work.jobs import NewJob
from tests.support.servers.pgbouncer import Pooler, pooling
from tests.support.servers.postgres import PostgresServer, make_cluster
from tests.support.servers.postgres_replica import Machine, machine
from tests.support.store.rows import NOW, new_search
from tests.support.waiting import TIMEOUT_S

pytestmark = [pytest.mark.anyio, pytest.mark.slow]
POOLED = DatabaseOptions(pooled=True)


@pytest.fixture(scope="module")
def machine_of_ours() -> Iterator[tuple[Machine, PostgresServer]]:
    """A server that this file may stop."""
    with machine() as made:
        make_cluster(made.folder, made.binaries)
        yield made, made.start()


@pytest.fixture(scope="module")
def pooler(machine_of_ours: tuple[Machine, PostgresServer]) -> Iterator[Pooler]:
    with pooling(machine_of_ours[1]) as running:
        yield running


@pytest.fixture(scope="module")
def database(machine_of_ours: tuple[Machine, PostgresServer]) -> URL:
    return machine_of_ours[1].create_database()


@pytest.fixture
async def pooled(pooler: Pooler, database: URL) -> AsyncIterator[Store]:
    """The database by way of the pooler, with its tables."""
    store = Store.open(pooler.address_of(database), POOLED)
    await store.prepare()
    yield store
    await store.close()


async def test_several_processes_may_find_it_empty_at_once(machine_of_ours: tuple[Machine, PostgresServer], pooler: Pooler) -> None:
    empty = machine_of_ours[1].create_database()
    stores = [Store.open(pooler.address_of(empty), POOLED) for _ in range(4)]
    await asyncio.gather(*(store.prepare() for store in stores))
    await asyncio.gather(*(store.migrate() for store in stores))
    assert len({await store.revision() for store in stores}) == 1
    for store in stores:
        await store.close()


async def test_transactions_are_whole_and_reads_can_not_write(pooled: Store) -> None:
    name = uuid4().hex

    async def make_and_fail() -> None:
        async with pooled.write() as connection:
            await organizations.get_or_create(connection, name, World.LIVE, NOW)
            raise LookupError

    with pytest.raises(LookupError):
        await make_and_fail()
    with pytest.raises(DBAPIError, match="read-only"):
        async with pooled.read() as connection:
            await organizations.get_or_create(connection, name, World.LIVE, NOW)
    async with pooled.read() as connection:
        before = len(await organizations.list_all(connection))
        async with pooled.write() as writing:
            await organizations.get_or_create(writing, name, World.LIVE, NOW)
        assert len(await organizations.list_all(connection)) == before
    # What was read-only was the transaction, not the connection that somebody else has next.
    for number in range(20):
        async with pooled.write() as writing:
            await organizations.get_or_create(writing, f"{name}-{number}", World.LIVE, NOW)


async def test_many_more_transactions_than_the_pooler_has_connections(pooled: Store) -> None:
    async def make(number: int) -> None:
        async with pooled.write() as connection:
            organization = await organizations.get_or_create(connection, f"many-{number}", World.LIVE, NOW)
            await searches.insert_loading(connection, organization.id, new_search())
        async with pooled.read() as connection:
            assert (await organizations.get(connection, organization.id)) is not None

    await asyncio.gather(*(make(number) for number in range(60)))


async def test_a_job_is_claimed_once_and_a_key_reserved_once(pooled: Store) -> None:
    async with pooled.write() as connection:
        organization = await organizations.get_or_create(connection, uuid4().hex, World.LIVE, NOW)
        for number in range(5):
            await jobs.enqueue(connection, organization.id, NewJob("sort", f"{number}", "null", NOW, 3))

    async def claim(worker: int) -> str | None:
        async with pooled.write() as connection:
            job = await jobs.claim(connection, f"w{worker}", NOW, timedelta(minutes=1), ["sort"])
        return job.key if job is not None else None

    claimed = [key for key in await asyncio.gather(*(claim(worker) for worker in range(12))) if key is not None]
    assert sorted(claimed) == ["0", "1", "2", "3", "4"]


async def test_a_whole_flow(pooler: Pooler, database: URL, tmp_path: Path) -> None:
    settings = Settings(data_dir=tmp_path, database_url=pooler.address_of(database), database_pooled=True)
    async with open_runtime(settings, sources={}) as runtime:
        key = await api_access.create_key(runtime, KeyRequest(organization=uuid4().hex, world=World.LIVE))
        principal = await api_access.authenticate(runtime, key.text)
        mine, author = principal.organization_id, Author("cli:test")
        for name in ("Maple Bakery Inc.", "Maple Bakery Ltd."):
            await business_records.upsert(runtime, mine, BusinessUpsert(external_id="crm-1", name=name), author)
        assert (await audit_check.verify_audit_log(runtime, mine)).is_whole
        now = await execution.create_search(runtime, principal, SearchRequest(business_external_id="crm-1"), respond_async=False)
        later = await execution.create_search(runtime, principal, SearchRequest(name="Acme"), respond_async=True)
        assert await work_once(runtime, "w1")
        listed = await history.list_search_history(runtime, mine, HistoryFilter(), 10, 0)
        assert {item.id for item in listed.searches} == {now.search_id, later.search_id}
        attempt = IdempotentRequest(principal.key_id, "once", "POST /v1/search", "0" * 64)
        outcomes = []
        for _ in range(2):
            async with runtime.store.write() as connection:
                outcomes.append(await idempotency.reserve(connection, mine, attempt, NOW, NOW + timedelta(hours=1)))
        assert isinstance(outcomes[0], ReservedKey)
        assert isinstance(outcomes[1], RequestInProgress)


async def test_when_the_pooler_or_the_server_dies_requests_are_busy_and_then_all_is_well_by_itself(
    pooled: Store, pooler: Pooler, machine_of_ours: tuple[Machine, PostgresServer]
) -> None:
    async def busy_then_well() -> None:
        """No exception but `ServerBusy`, and an answer again."""
        async with asyncio.timeout(TIMEOUT_S):
            while True:
                outcomes = await asyncio.gather(*(pooled.ping() for _ in range(12)), return_exceptions=True)
                assert [outcome for outcome in outcomes if outcome is not None and not isinstance(outcome, ServerBusy)] == []
                if outcomes.count(None) == len(outcomes):
                    return
                await asyncio.sleep(0.1)

    await busy_then_well()  # fills the pool
    pooler.kill()
    with pytest.raises(ServerBusy):
        await pooled.ping()
    pooler.start()
    await busy_then_well()
    ours, _ = machine_of_ours
    ours.stop()
    with pytest.raises(ServerBusy):
        async with asyncio.timeout(TIMEOUT_S):
            await pooled.ping()
    ours.start()
    await busy_then_well()
    async with pooled.write() as connection:
        await connection.execute(text("SELECT 1"))
