"""`bonafide bench backup`: throughput of backup, verification and restore with many stored searches.

Runs on the configured database with a temporary organization, which is deleted afterwards. Nothing is asserted.
"""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import TypeVar

from bonafide.model.accounts.organizations import KeyRequest, World
from bonafide.model.query import SearchRequest
from bonafide.runtime import Runtime
from bonafide.services.accounts import api_access
from bonafide.services.backup.creation import create_backup
from bonafide.services.backup.integrity_check import check_backup
from bonafide.services.backup.restoration import restore_backup
from bonafide.services.loading.refresh import Progress
from bonafide.services.search.execution import create_search
from bonafide.store.database import tables
from bonafide.store.database.engine import parse_database_url
from bonafide_bench.measurements.records import fill_records
from bonafide_bench.seeding.organization import create_bench_organization
from bonafide_bench.seeding.row_copies import fill_with_copies
from bonafide_bench.seeding.seed_data import SEARCHED

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class BackupReport:
    """One run: the rows and compressed bytes of the backup, and the seconds of each step."""

    database: str
    into: str
    rows: int
    bytes: int
    seconds: dict[str, float]


async def run_backup_bench(runtime: Runtime, searches: int, into: str | None, told: Progress) -> BackupReport:
    """Measure with this many searches and records; `into` is an empty database, by default a SQLite file."""
    async with create_bench_organization(runtime, "backup") as (organization_id, name):
        created = await api_access.create_key(runtime, KeyRequest(organization=name, world=World.SANDBOX))
        principal = await api_access.authenticate(runtime, created.text)
        for searched in SEARCHED:
            request = SearchRequest.model_validate({"name": searched, "matchSelection": True, "sanctionsScreening": True})
            await create_search(runtime, principal, request, respond_async=False)
        await fill_with_copies(runtime, organization_id, tables.searches, searches, told)
        await fill_records(runtime, organization_id, searches, runtime.clock() - timedelta(days=1), told)
        return await asyncio.to_thread(_measure, runtime, into, told)


def _measure(runtime: Runtime, into: str | None, told: Progress) -> BackupReport:
    with TemporaryDirectory(prefix="bonafide-bench-") as folder:
        root = Path(folder) / "backup"
        target = runtime.settings.model_copy(update={"data_dir": Path(folder) / "restored", "database_url": into})
        seconds: dict[str, float] = {}

        def timed(what: str, act: Callable[[], T]) -> T:
            started = perf_counter()
            done = act()
            seconds[what] = perf_counter() - started
            return done

        made = timed("backup", lambda: create_backup(runtime.settings, root, runtime.clock, told))
        timed("check", lambda: check_backup(root, told))
        timed("restore", lambda: restore_backup(target, root, runtime.clock, told))
        manifest = made.manifest
        name = parse_database_url(target.dsn).get_backend_name()
        return BackupReport(manifest.database, name, manifest.rows, manifest.size, seconds)
