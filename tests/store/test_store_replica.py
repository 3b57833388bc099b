"""Reads that may lag, on a real streaming replica: what is old there, what never is, and what happens while it is away."""

from collections.abc import AsyncIterator, Iterator, MutableMapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
import structlog
from sqlalchemy import URL, text
from sqlalchemy.exc import DBAPIError

from bonafide.errors import ConfigurationError
from bonafide.model.accounts.organizations import KeyRequest, Principal, World
from bonafide.model.query import SearchRequest
from bonafide.model.records.business_input import BusinessUpsert
from bonafide.model.records.business_record import Author
from bonafide.runtime import Runtime, open_runtime
from bonafide.services.accounts import api_access
from bonafide.services.records import business_records, change_feed
from bonafide.services.search import execution, history
from bonafide.settings import Settings
from bonafide.store.database import read_replica as replica_module
from bonafide.store.database.engine import DatabaseOptions, Store
from bonafide.store.records.businesses import FeedFilter
from bonafide.store.records.searches import HistoryFilter
from tests.support.servers.postgres import PostgresServer
from tests.support.servers.postgres_replica import Replica, replicating

pytestmark = pytest.mark.anyio


@pytest.fixture(scope="module")
def replica(postgres_server: PostgresServer) -> Iterator[Replica]:
    with replicating(postgres_server) as running:
        yield running


@dataclass
class Clock:
    now: float = 0.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
async def runtime(replica: Replica, postgres_database: URL, tmp_path: Path) -> AsyncIterator[Runtime]:
    primary = postgres_database.render_as_string(hide_password=False)
    lagging = replica.address_of(postgres_database)
    settings = Settings(data_dir=tmp_path, database_url=primary, database_replica_url=lagging)
    async with open_runtime(settings, sources={}) as opened:
        yield opened


@pytest.fixture
async def north(runtime: Runtime) -> Principal:
    key = await api_access.create_key(runtime, KeyRequest(organization=uuid4().hex, world=World.LIVE))
    return await api_access.authenticate(runtime, key.text)


async def listed(runtime: Runtime, north: Principal) -> int:
    return (await history.list_search_history(runtime, north.organization_id, HistoryFilter(), 10, 0)).pagination.total


async def test_a_list_may_be_a_moment_old_and_a_document_never_is(runtime: Runtime, north: Principal, replica: Replica) -> None:
    replica.catch_up()
    replica.pause()
    try:
        made = await execution.create_search(runtime, north, SearchRequest(name="Acme"), respond_async=False)
        assert await listed(runtime, north) == 0
        assert await execution.read_search(runtime, north.organization_id, made.search_id) == made.document
    finally:
        replica.resume()
    replica.catch_up()
    assert await listed(runtime, north) == 1


async def test_the_feed_skips_nothing_wherever_its_pages_come_from(runtime: Runtime, north: Principal, replica: Replica) -> None:
    mine, author, everything = north.organization_id, Author("cli:test"), FeedFilter()

    async def write(number: int, name: str = "Business") -> None:
        await business_records.upsert(runtime, mine, BusinessUpsert(external_id=f"crm-{number}", name=f"{name} {number}"), author)

    for number in range(3):
        await write(number)
    replica.catch_up()
    replica.pause()
    try:
        for number in (3, 0):
            await write(number, "Changed")
        first = await change_feed.read_feed(runtime, mine, everything, change_feed.START, 10)
        assert [record.name for record in first.businesses] == ["Business 0", "Business 1", "Business 2"]
        position = change_feed.decode_cursor(first.cursor.next)
        assert (await change_feed.read_feed(runtime, mine, everything, position, 10)).businesses == ()
    finally:
        replica.resume()
    replica.catch_up()
    second = await change_feed.read_feed(runtime, mine, everything, position, 10)
    assert [record.external_id for record in second.businesses] == ["crm-3", "crm-0"]


async def test_nothing_can_be_written_by_way_of_it(runtime: Runtime) -> None:
    with pytest.raises(DBAPIError, match="read-only"):
        async with runtime.store.read_lagging() as connection:
            await connection.execute(text("DELETE FROM jobs"))


async def test_while_it_is_away_lists_come_from_the_database_itself(runtime: Runtime, north: Principal, replica: Replica) -> None:
    known = runtime.store.replica
    assert known is not None
    clock = Clock()
    known._clock = clock
    replica.catch_up()
    assert await listed(runtime, north) == 0
    replica.machine.stop()
    try:
        await execution.create_search(runtime, north, SearchRequest(name="Acme"), respond_async=False)
        with structlog.testing.capture_logs() as events:
            assert [await listed(runtime, north) for _ in range(3)] == [1, 1, 1]
            clock.now += replica_module.RETRY_AFTER_S
            assert await listed(runtime, north) == 1
        assert _told(events) == ["replica.unavailable"]
        assert "bonafide_replica_fallbacks 4.0" in runtime.metrics.exposition().decode()
        assert known.is_unavailable
    finally:
        replica.machine.start()
    replica.catch_up()
    clock.now += replica_module.RETRY_AFTER_S
    with structlog.testing.capture_logs() as events:
        assert await listed(runtime, north) == 1
    assert (_told(events), known.is_unavailable) == (["replica.restored"], False)


def _told(events: list[MutableMapping[str, Any]]) -> list[str]:
    return [event["event"] for event in events if "replica" in event["event"]]


def test_a_replica_of_a_file_is_a_configuration_error() -> None:
    with pytest.raises(ConfigurationError, match="Only PostgreSQL has replicas"):
        Store.open("sqlite:///a.sqlite3", DatabaseOptions(replica="postgresql://db/bonafide"))
