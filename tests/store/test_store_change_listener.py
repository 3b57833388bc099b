"""Listeners wake when a job is committed, by any process, and look again when their connection is lost."""

import asyncio
from time import monotonic
from uuid import UUID

import pytest
from sqlalchemy import URL, text

from bonafide.store.database.change_listener import ChangeListener, notify_listeners
from bonafide.store.database.engine import DatabaseOptions, Store
from bonafide.store.work import jobs
from tests.support.store.rows import new_job
from tests.support.waiting import TIMEOUT_S

pytestmark = pytest.mark.anyio
OTHER_LISTENERS = text(
    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND query LIKE 'LISTEN %'"
)


async def _enqueue(store: Store, organization_id: UUID) -> None:
    async with store.write() as connection:
        await jobs.enqueue(connection, organization_id, new_job())


async def _notify_and_fail(store: Store) -> None:
    async with store.write() as connection:
        await notify_listeners(connection, jobs.CHANNEL)
        raise LookupError


async def _settle(changes: ChangeListener) -> None:
    """Wait until the listener has connected, which wakes it once, and nothing else is reported."""
    await changes.wait(TIMEOUT_S)
    await asyncio.sleep(0.3)
    await changes.wait(0)


async def test_it_wakes_when_another_store_has_committed_a_job(store: Store, database_url: str, north: UUID) -> None:
    async with store.listen(jobs.CHANNEL) as changes:
        await _settle(changes)
        waiting = asyncio.create_task(changes.wait(TIMEOUT_S))
        other = Store.open(database_url, DatabaseOptions(is_durable=False))
        began = monotonic()
        await _enqueue(other, north)
        await waiting
        await other.close()
    assert monotonic() - began < TIMEOUT_S


async def test_a_job_that_is_rolled_back_notifies_nobody(postgres_database: URL) -> None:
    store = Store.open(postgres_database.render_as_string(hide_password=False))
    async with store.listen(jobs.CHANNEL) as changes:
        await _settle(changes)
        with pytest.raises(LookupError):
            await _notify_and_fail(store)
        waiting = asyncio.create_task(changes.wait(TIMEOUT_S))
        done, _ = await asyncio.wait({waiting}, timeout=0.5)
        assert not done
        waiting.cancel()
    await store.close()


async def test_it_listens_again_after_its_connection_was_ended(postgres_database: URL) -> None:
    store = Store.open(postgres_database.render_as_string(hide_password=False))
    async with store.listen(jobs.CHANNEL) as changes:
        await _settle(changes)
        async with store.write() as connection:
            await connection.execute(OTHER_LISTENERS)
        # It wakes because a notification may have been lost, and once more when it listens again.
        await changes.wait(TIMEOUT_S)
        await _settle(changes)
        waiting = asyncio.create_task(changes.wait(TIMEOUT_S))
        async with store.write() as connection:
            await notify_listeners(connection, jobs.CHANNEL)
        await asyncio.wait_for(waiting, TIMEOUT_S / 2)
    await store.close()


async def test_behind_a_pooler_it_returns_soon_without_a_notification(database_url: str) -> None:
    store = Store.open(database_url, DatabaseOptions(pooled=True))
    async with store.listen(jobs.CHANNEL) as changes:
        await asyncio.wait_for(changes.wait(3600), TIMEOUT_S)
    await store.close()


async def test_waking_it_ends_the_wait_at_once_or_the_next_one(store: Store) -> None:
    async with store.listen(jobs.CHANNEL) as changes:
        await _settle(changes)
        waiting = asyncio.create_task(changes.wait(3600))
        changes.wake()
        await asyncio.wait_for(waiting, TIMEOUT_S)
        changes.wake()
        await asyncio.wait_for(changes.wait(3600), TIMEOUT_S)
