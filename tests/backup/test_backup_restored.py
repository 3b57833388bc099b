"""A backup of either database gives everything back in either database, row by row."""

import asyncio
import itertools
import stat
from collections.abc import Callable

import pytest

from bonafide.model.backup import ColumnKind
from bonafide.runtime import build_files, load_signing_key
from bonafide.services.backup.integrity_check import check_backup
from bonafide.store.backup.folder import build_table_path, read_lines
from bonafide.store.backup.snapshot import get_column_kind
from bonafide.store.database.columns import EPHEMERAL
from bonafide.store.database.tables import metadata
from tests.support.backup import table_rows
from tests.support.backup.installations import KINDS, RESTORED_AT, TAKEN_AT, Filled, NewPlace, Place, quietly

KEPT = {
    "accepted_discrepancies",
    "account_settings",
    "alerts",
    "announced_releases",
    "announcements",
    "api_keys",
    "audit_entries",
    "batch_partitions",
    "batches",
    "bulk_actions",
    "bulk_items",
    "business_documents",
    "business_numbers",
    "business_traits",
    "businesses",
    "case_attachments",
    "case_decisions",
    "case_items",
    "case_notes",
    "case_positions",
    "cases",
    "discrepancies",
    "dismissals",
    "erased_subjects",
    "erasures",
    "event_heads",
    "events",
    "extracts",
    "file_deletions",
    "idempotency_keys",
    "identities",
    "jobs",
    "key_usage",
    "ledgers",
    "legal_holds",
    "links",
    "mail_outbox",
    "mail_positions",
    "manual_check_files",
    "manual_checks",
    "memberships",
    "monitored_entries",
    "monitored_hits",
    "monitored_queries",
    "monitored_records",
    "monitoring_chunks",
    "monitoring_gaps",
    "monitoring_runs",
    "monitoring_targets",
    "open_hits",
    "organizations",
    "ownership_reviews",
    "ownership_statements",
    "packs",
    "provisioned_group_members",
    "provisioned_groups",
    "provisioned_users",
    "provisioning_tokens",
    "risk_facts",
    "risk_rules",
    "saved_views",
    "screenings",
    "searches",
    "source_conditions",
    "source_runs",
    "terms_acceptances",
    "users",
    "verifications",
    "webhook_deliveries",
    "webhook_endpoints",
}
"""A new table stands here, or says why its rows mean nothing after a restore: `info={EPHEMERAL: "…"}`."""


def test_of_every_table_it_was_decided_whether_its_rows_are_kept() -> None:
    left_out = {name for name, table in metadata.tables.items() if EPHEMERAL in table.info}
    assert KEPT.isdisjoint(left_out)
    assert KEPT | left_out == set(metadata.tables)
    assert all(len(metadata.tables[name].info[EPHEMERAL]) > 20 for name in left_out)


def test_of_every_column_it_is_known_how_it_is_written() -> None:
    kinds = {get_column_kind(column) for name in KEPT for column in metadata.tables[name].c}
    assert kinds == set(ColumnKind)


@pytest.mark.parametrize(("source", "target"), list(itertools.product(KINDS, KINDS)))
def test_every_row_of_every_table_comes_back(
    source: str, target: str, filled: Callable[[str], Filled], new_place: NewPlace
) -> None:
    made, place = filled(source), new_place(target)
    assert [name for name, rows in made.rows.items() if not rows] == []
    owned = {name: rows for name, rows in made.rows.items() if "organization_id" in metadata.tables[name].c}
    assert [name for name, rows in owned.items() if {row["organization_id"] for row in rows} < {*table_rows.ORGANIZATIONS}] == []
    done = place.restore(made.root)
    assert (done.problems, done.notes) == ([], [])
    expected = table_rows.given_back(made.rows, RESTORED_AT)
    found = table_rows.contents(place.url)
    for name, rows in expected.items():
        assert found[name] == ([] if name not in KEPT else rows), name
    assert load_signing_key(place.settings) == load_signing_key(made.place.settings)
    assert asyncio.run(stored(place)) == asyncio.run(stored(made.place))


async def stored(place: Place) -> dict[tuple[object, str], bytes]:
    files = build_files(place.settings)
    return {name: await files.get(*name) async for name in files.list_all()}


def test_both_databases_write_the_same_backup(filled: Callable[[str], Filled]) -> None:
    """Save the order of rows, which is the databases'."""
    one, other = (filled(kind) for kind in KINDS)
    for table in one.backup.manifest.tables:
        lines = [
            sorted(str(row) for batch in read_lines(made.root, build_table_path(table.name)) for row in batch)
            for made in (one, other)
        ]
        assert lines[0] == lines[1], table.name
    assert one.backup.manifest.trails == other.backup.manifest.trails


@pytest.mark.parametrize("kind", KINDS)
def test_a_backup_can_be_checked_without_a_database(kind: str, filled: Callable[[str], Filled]) -> None:
    made = filled(kind)
    manifest, problems = check_backup(made.root, quietly)
    assert (manifest, problems) == (made.backup.manifest, [])
    assert (manifest.taken_at, manifest.database) == (TAKEN_AT, kind)
    assert {table.name: table.rows for table in manifest.tables} == {name: len(made.rows[name]) for name in KEPT}
    assert [(end.entries, len(end.hash)) for end in manifest.trails] == [(3, 64)] * 2


def test_nobody_else_may_read_a_backup(filled: Callable[[str], Filled]) -> None:
    root = filled("sqlite").root
    modes = {(path.is_dir(), stat.S_IMODE(path.stat().st_mode)) for path in [root, *root.rglob("*")]}
    assert modes == {(True, 0o700), (False, 0o600)}
