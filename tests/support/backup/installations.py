"""What the tests of backups share: an installation on either database, filled, backed up, and restored into others."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from sqlalchemy import URL

from bonafide.runtime import build_files, load_signing_key
from bonafide.services.backup.creation import BackupSummary, create_backup
from bonafide.services.backup.restoration import RestoreResult, restore_backup
from bonafide.services.reports.business_reports import build_evidence_name
from bonafide.settings import Settings
from bonafide.store.database.engine import parse_database_url
from bonafide.store.database.schema_migration import upgrade
from tests.support.backup import table_rows

KINDS = ("sqlite", "postgresql")
TAKEN_AT = datetime(2026, 11, 21, 10, 0, tzinfo=UTC)
RESTORED_AT = datetime(2026, 11, 22, 8, 30, tzinfo=UTC)


def quietly(_what: str, _done: int, _total: int | None) -> None:
    """Nobody looks at the progress."""


@dataclass(frozen=True)
class Place:
    """An installation."""

    settings: Settings

    @property
    def url(self) -> URL:
        """The address of its database."""
        return parse_database_url(self.settings.dsn)

    def back_up(self, root: Path, *, with_files: bool = True) -> BackupSummary:
        return create_backup(self.settings, root, lambda: TAKEN_AT, quietly, with_files=with_files)

    def restore(self, root: Path) -> RestoreResult:
        return restore_backup(self.settings, root, lambda: RESTORED_AT, quietly)


NewPlace = Callable[..., Place]


@dataclass(frozen=True)
class Filled:
    """An installation with something in every table, its backup, and the folder of that."""

    place: Place
    root: Path
    backup: BackupSummary
    rows: table_rows.Rows


def fill(place: Place, root: Path) -> Filled:
    """Fill an empty installation, and back it up."""
    upgrade(place.url)
    table_rows.fill(place.url)
    load_signing_key(place.settings)
    rows = table_rows.contents(place.url)
    asyncio.run(_put_files(place, rows))
    return Filled(place, root, place.back_up(root), rows)


async def _put_files(place: Place, rows: table_rows.Rows) -> None:
    files = build_files(place.settings)
    for row in rows["extracts"]:
        name = build_evidence_name(row["id"], 0)
        await files.put(row["organization_id"], name, table_rows.EVIDENCE, "application/octet-stream")
    await files.put(table_rows.ORGANIZATIONS[0], "imports/empty.csv", b"", "text/csv")
