"""Which rows retention deletes, in which order, and what an erasure does to each table."""

from datetime import UTC, datetime
from uuid import uuid4

import pytest
from sqlalchemy.dialects import sqlite

from bonafide.model.accounts.retention import RetentionKind
from bonafide.store.database.engine import Store
from bonafide.store.database.tables import metadata
from bonafide.store.retention.erasable_tables import BLANKED_TABLES, ERASED_TABLES, KEPT_TABLES
from bonafide.store.retention.expiring_rows import EXPIRING_ROWS, ExpiringRows, RowPosition, build_expired_query
from tests.support.store.query_plans import is_scan

pytestmark = pytest.mark.anyio
ALL_ROWS = [rows for kind in RetentionKind for rows in EXPIRING_ROWS[kind]]
BEFORE = datetime(2026, 11, 20, tzinfo=UTC)


def test_what_an_erasure_does_to_a_new_table_must_be_stated() -> None:
    """A table with rows of organizations, or that refers to one of them, stands in exactly one of the three lists."""
    owned = {table.name for table in metadata.sorted_tables if "organization_id" in table.c}
    stated = [*ERASED_TABLES, *BLANKED_TABLES, *KEPT_TABLES]
    assert len(stated) == len(set(stated))
    assert set(stated) == owned
    assert all(len(reason) > 10 for reason in (*KEPT_TABLES.values(), *BLANKED_TABLES.values()))


def test_no_kept_table_refers_to_a_business() -> None:
    referring = {
        table.name
        for table in metadata.sorted_tables
        for key in table.foreign_keys
        if key.column.table.name in {"businesses", "monitored_records", "cases", "events"}
    }
    # The foreign key of a hold keeps its record from being erased, so that no hold of an erased record can be left.
    assert referring - {"legal_holds"} <= ERASED_TABLES


@pytest.mark.parametrize("rows", ALL_ROWS, ids=lambda rows: rows.table.name)
async def test_a_batch_reads_its_rows_from_an_index_in_order(store: Store, rows: ExpiringRows) -> None:
    if store.is_server:
        pytest.skip("the plans of a nearly empty PostgreSQL are scans")
    key = 7 if rows.kind is RetentionKind.EVENTS else uuid4()
    query = build_expired_query(rows, uuid4(), BEFORE, RowPosition(BEFORE, key), 200)
    compiled = str(query.compile(dialect=sqlite.dialect(), compile_kwargs={"literal_binds": True}))
    async with store.read() as connection:
        steps = [row.detail for row in await connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {compiled}")]
    assert [step for step in steps if is_scan(step) or "TEMP B-TREE" in step] == []


async def test_a_new_sqlite_file_gives_the_space_of_deleted_rows_back(store: Store) -> None:
    if store.is_server:
        assert await store.free_pages(10) == 0
        pytest.skip("PostgreSQL reuses the space")
    async with store.write() as connection:
        await connection.exec_driver_sql("CREATE TABLE filler (content TEXT)")
        await connection.exec_driver_sql(
            "INSERT INTO filler SELECT hex(randomblob(4000)) FROM alembic_version, pragma_table_info('searches')"
        )
    async with store.write() as connection:
        await connection.exec_driver_sql("DROP TABLE filler")
    assert await store.free_pages(5) == 5
    freed = 1
    while freed:
        freed = await store.free_pages(1000)
    async with store.read() as connection:
        assert (await connection.exec_driver_sql("PRAGMA freelist_count")).scalar_one() == 0
