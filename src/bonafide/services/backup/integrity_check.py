"""Check the integrity of a backup and of the data in it, without a database.

Damage to the backup raises an exception. Problems of the data itself (changed evidence, a broken audit log) are reported; such data
is restored as it is.
"""

import hashlib
import json
from collections.abc import Callable, Iterable, Iterator
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import Any
from uuid import UUID

from bonafide.errors import BackupDamaged, ConfigurationError
from bonafide.i18n.message import Message
from bonafide.model.backup import AuditHead, BackedUpFile, BackedUpTable, BackupManifest, ColumnKind
from bonafide.services.loading.refresh import Progress
from bonafide.services.records.audit_check import AuditLogCheck, check_entry
from bonafide.services.reports.business_reports import build_evidence_name
from bonafide.store.backup.folder import (
    FILE_LIST,
    SIGNING_KEY,
    build_file_path,
    build_table_path,
    check_file,
    read_lines,
    read_manifest,
)
from bonafide.store.database.schema_migration import list_revisions
from bonafide.store.database.tables import audit_entries, extracts
from bonafide.store.tenants.audit_log import StoredAuditEntry

MAX_PROBLEMS = 100
_PARSERS: dict[ColumnKind, Callable[[str], object]] = {ColumnKind.UUID: UUID, ColumnKind.INSTANT: datetime.fromisoformat}


def check_backup(root: Path, on_progress: Progress) -> tuple[BackupManifest, list[Message]]:
    """Read every byte of a backup; returns its manifest and the problems of its data.

    Raises `BackupDamaged` if the backup is not as it was written, and `ConfigurationError` for one of a newer release.
    """
    manifest = read_manifest(root)
    if manifest.revision not in list_revisions():
        raise ConfigurationError(
            Message(
                "{path} was written by release {release}, whose schema {revision} is unknown to this release. Restore it with that"
                " release or a later one.",
                path=str(root),
                release=manifest.release,
                revision=manifest.revision,
            )
        )
    for table in manifest.tables:
        check_file(root, build_table_path(table.name), table)
        on_progress("check tables", table.rows, None)
    if manifest.signing_key is not None and manifest.signing_key.kept is not None:
        check_file(root, SIGNING_KEY, manifest.signing_key.kept)
    if manifest.files is not None:
        check_file(root, FILE_LIST, manifest.files)
        _check_files(root, manifest.files.files, on_progress)
    return manifest, find_data_problems(root, manifest, on_progress)


def _check_files(root: Path, expected: int, on_progress: Progress) -> None:
    done = 0
    for rows in read_lines(root, FILE_LIST):
        for owner, name, size, digest in rows:
            check_file(root, build_file_path(owner, name), BackedUpFile(size=size, sha256=digest))
        done += len(rows)
        on_progress("check files", done, expected)
    if done != expected:
        raise BackupDamaged(
            Message(
                "{path} lists {found:,} files, expected {expected:,}", path=str(root / FILE_LIST), found=done, expected=expected
            )
        )


# ------------------------------------------------------------------------------------------------------------ the data


def find_data_problems(root: Path, manifest: BackupManifest, on_progress: Progress) -> list[Message]:
    """The problems of the data of a backup: its audit logs, and the evidence of its reports."""
    tables = {table.name: table for table in manifest.tables}
    problems: list[Message] = []
    if audit_entries.name in tables:
        rows = _read_rows(root, tables[audit_entries.name], partial(on_progress, "check audit logs"))
        problems += find_audit_problems((StoredAuditEntry(**row) for row in rows), manifest.trails)
    if extracts.name in tables and manifest.files is not None:
        problems += _find_evidence_problems(root, tables[extracts.name], on_progress)
    return problems[:MAX_PROBLEMS]


def find_audit_problems(entries: Iterable[StoredAuditEntry], ends: Iterable[AuditHead]) -> list[Message]:
    """The problems of the audit logs in `entries`, sorted by organization, which must have these heads."""
    checks: dict[UUID, AuditLogCheck] = {}
    for entry in entries:
        check_entry(checks.setdefault(entry.organization_id, AuditLogCheck()), entry)
    expected = {end.organization_id: (end.entries, end.hash) for end in ends}
    problems = []
    for organization_id in sorted(checks.keys() | expected.keys()):
        check = checks.get(organization_id, AuditLogCheck())
        check.finish()
        end, expected_end = (check.entries, check.hash), expected.get(organization_id, (0, AuditLogCheck().hash))
        if end != expected_end:
            check.report(
                Message(
                    "the log ends with {found}, but the stored head is {expected}",
                    found=f"{end[0]}:{end[1]}",
                    expected=f"{expected_end[0]}:{expected_end[1]}",
                )
            )
        problems += [
            Message("audit log of organization {organization}: {problem}", organization=str(organization_id), problem=problem)
            for problem in check.problems
        ]
    return problems


def _find_evidence_problems(root: Path, table: BackedUpTable, on_progress: Progress) -> Iterator[Message]:
    for row in _read_rows(root, table, partial(on_progress, "check evidence")):
        report = {"report": str(row["id"]), "organization": str(row["organization_id"])}
        try:
            digests = [evidence["sha256"] for evidence in json.loads(row["document"])["evidence"]]
        except (ValueError, KeyError, TypeError):
            yield Message("report {report} of organization {organization} is damaged", **report)
            continue
        for number, digest in enumerate(digests):
            path = root / build_file_path(str(row["organization_id"]), build_evidence_name(row["id"], number))
            if not path.is_file():
                yield Message("evidence {n} of report {report} of organization {organization} is missing", n=number, **report)
            elif hashlib.sha256(path.read_bytes()).hexdigest() != digest:
                yield Message("evidence {n} of report {report} of organization {organization} has changed", n=number, **report)


def _read_rows(root: Path, table: BackedUpTable, on_progress: Callable[[int, int], None]) -> Iterator[dict[str, Any]]:
    names = [column.name for column in table.columns]
    typed = [(place, _PARSERS[column.kind]) for place, column in enumerate(table.columns) if column.kind in _PARSERS]
    done = 0
    for batch in read_lines(root, build_table_path(table.name)):
        for row in batch:
            for place, read in typed:
                row[place] = read(row[place]) if row[place] is not None else None
            yield dict(zip(names, row, strict=True))
        done += len(batch)
        on_progress(done, table.rows)
