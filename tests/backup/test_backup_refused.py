"""A backup that is not whole restores nothing, what is there is not written over, and half a backup is never taken for one."""

import asyncio
import json
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from sqlalchemy import inspect, text, update

from bonafide.errors import BackupDamaged, ConfigurationError, ServerBusy
from bonafide.runtime import build_files, get_signing_key_path
from bonafide.services.backup.integrity_check import check_backup
from bonafide.services.reports.business_reports import build_evidence_name
from bonafide.store.backup.folder import MANIFEST, _compute_checksum
from bonafide.store.database.schema_migration import create_migration_engine, upgrade
from bonafide.store.database.tables import audit_entries, jobs, searches
from tests.support.backup import table_rows
from tests.support.backup.installations import KINDS, RESTORED_AT, Filled, NewPlace, Place, quietly
from tests.support.waiting import TIMEOUT_S

SEARCHES = "tables/searches.jsonl.gz"


@pytest.fixture
def copied(filled: Callable[[str], Filled], tmp_path: Path) -> Path:
    """A whole backup that the test may damage."""
    return Path(shutil.copytree(filled("sqlite").root, tmp_path / "copied"))


def is_untouched(place: Place) -> bool:
    with create_migration_engine(place.url).connect() as connection:
        return inspect(connection).get_table_names() == [] and not get_signing_key_path(place.settings).exists()


def truncated(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:-1])


def flipped(path: Path) -> None:
    content = bytearray(path.read_bytes())
    content[len(content) // 2] ^= 1
    path.write_bytes(content)


DAMAGES: dict[str, Callable[[Path], None]] = {"truncated": truncated, "flipped": flipped, "missing": Path.unlink}


@pytest.mark.parametrize("damage", DAMAGES)
@pytest.mark.parametrize("file", [SEARCHES, "files.jsonl.gz", "signing.key", MANIFEST, "a stored file"])
def test_a_damaged_backup_is_refused_before_anything_is_written(file: str, damage: str, copied: Path, new_place: NewPlace) -> None:
    path = next((copied / "files").rglob("evidence-0.bin")) if file == "a stored file" else copied / file
    DAMAGES[damage](path)
    place = new_place("sqlite")
    with pytest.raises(BackupDamaged, match=path.name.replace(".", r"\.")):
        check_backup(copied, quietly)
    with pytest.raises(BackupDamaged):
        place.restore(copied)
    assert is_untouched(place)


def rewritten(root: Path, **changes: object) -> None:
    """A manifest that says something else, and that is whole."""
    facts = {**json.loads((root / MANIFEST).read_bytes()), **changes}
    del facts["sha256"]
    (root / MANIFEST).write_text(json.dumps({**facts, "sha256": _compute_checksum(facts)}))


@pytest.mark.parametrize("newer", [{"revision": "9999"}, {"format": 2}])
def test_a_backup_of_a_newer_release_is_refused(newer: dict[str, object], copied: Path, new_place: NewPlace) -> None:
    rewritten(copied, release="7.0.0", **newer)
    place = new_place("sqlite")
    with pytest.raises(ConfigurationError, match=r"release 7\.0\.0"):
        place.restore(copied)
    assert is_untouched(place)


@pytest.mark.parametrize("kind", KINDS)
def test_a_database_that_holds_anything_is_refused(kind: str, filled: Callable[[str], Filled], new_place: NewPlace) -> None:
    made = filled(kind)
    with pytest.raises(ConfigurationError, match="accepted_discrepancies has rows"):
        made.place.restore(made.root)
    assert table_rows.contents(made.place.url) == made.rows
    strange = new_place(kind)
    with create_migration_engine(strange.url).begin() as connection:
        connection.execute(text("CREATE TABLE accounts (id INTEGER)"))
    with pytest.raises(ConfigurationError, match="it has the table accounts"):
        strange.restore(made.root)


@pytest.mark.parametrize("kind", KINDS)
def test_an_empty_database_may_be_migrated_already(kind: str, filled: Callable[[str], Filled], new_place: NewPlace) -> None:
    place = new_place(kind)
    upgrade(place.url)
    place.restore(filled("sqlite").root)
    with pytest.raises(ConfigurationError, match="not empty"):
        place.restore(filled("sqlite").root)


@pytest.mark.parametrize("kind", KINDS)
def test_a_restore_that_fails_leaves_an_empty_database(kind: str, copied: Path, new_place: NewPlace) -> None:
    rows = json.loads((copied / MANIFEST).read_bytes())["tables"]
    # The checks of the database find what those of the folder can't.
    rewritten(copied, tables=[table for table in rows if table["name"] != "users"])
    place = new_place(kind)
    with pytest.raises(ConfigurationError, match=r"The database reported an error: .*(?i:foreign key)"):
        place.restore(copied)
    with create_migration_engine(place.url).connect() as connection:
        assert inspect(connection).get_table_names() == []


def test_another_signing_key_or_file_is_not_written_over(filled: Callable[[str], Filled], new_place: NewPlace) -> None:
    made, place = filled("sqlite"), new_place("sqlite")
    get_signing_key_path(place.settings).write_bytes(b"another")
    with pytest.raises(ConfigurationError, match="differs from the signing key"):
        place.restore(made.root)
    get_signing_key_path(place.settings).unlink()
    first = made.rows["extracts"][0]
    name = (first["organization_id"], build_evidence_name(first["id"], 0))
    asyncio.run(build_files(place.settings).put(*name, b"another", "text/plain"))
    with pytest.raises(ConfigurationError, match="a different file"):
        place.restore(made.root)
    asyncio.run(build_files(place.settings).delete(*name))
    # Both are there by now, and are those of the backup.
    assert place.restore(made.root).notes == []


def test_a_signing_key_that_is_a_setting_is_not_in_the_backup(tmp_path: Path, new_place: NewPlace) -> None:
    source = new_place("sqlite", signing_key="a secret of sixteen")
    upgrade(source.url)
    note = source.back_up(tmp_path / "made").manifest.signing_key
    assert note is not None
    assert note.kept is None
    assert all(b"a secret of sixteen" not in path.read_bytes() for path in tmp_path.rglob("*") if path.is_file())
    assert new_place("sqlite", signing_key="a secret of sixteen").restore(tmp_path / "made").notes == []
    assert "differs from the key of the backup" in new_place("sqlite", signing_key="another").restore(tmp_path / "made").notes[0]
    assert "Set `BONAFIDE_SIGNING_KEY`" in new_place("sqlite").restore(tmp_path / "made").notes[0]


def test_without_files_a_backup_has_none_and_says_so(filled: Callable[[str], Filled], tmp_path: Path, new_place: NewPlace) -> None:
    made = filled("sqlite").place.back_up(tmp_path / "made", with_files=False)
    assert (made.manifest.files, (tmp_path / "made" / "files").exists()) == (None, False)
    assert "no stored files" in new_place("sqlite").restore(tmp_path / "made").notes[0]


@pytest.mark.parametrize("kind", KINDS)
def test_a_text_that_postgresql_cannot_keep_is_told(kind: str, tmp_path: Path, new_place: NewPlace) -> None:
    source, place = new_place("sqlite"), new_place(kind)
    upgrade(source.url)
    table_rows.fill(source.url)
    with create_migration_engine(source.url).begin() as connection:
        connection.execute(update(searches).values(query="before\0after"))
    source.back_up(tmp_path / "made")
    if kind == "sqlite":
        place.restore(tmp_path / "made")
        assert {row["query"] for row in table_rows.contents(place.url)["searches"]} == {"before\0after"}
        return
    with pytest.raises(ConfigurationError, match=r"searches\.query.*NUL"):
        place.restore(tmp_path / "made")
    with create_migration_engine(place.url).connect() as connection:
        assert inspect(connection).get_table_names() == []


def test_data_that_were_wrong_before_are_told_and_kept(tmp_path: Path, new_place: NewPlace) -> None:
    source, place = new_place("sqlite"), new_place("sqlite")
    upgrade(source.url)
    table_rows.fill(source.url)
    reports = table_rows.contents(source.url)["extracts"]
    for row, content in zip(reports[:2], (table_rows.EVIDENCE, b"something else"), strict=True):
        name = build_evidence_name(row["id"], 0)
        asyncio.run(build_files(source.settings).put(row["organization_id"], name, content, "text/plain"))
    with create_migration_engine(source.url).begin() as connection:
        connection.execute(update(audit_entries).where(audit_entries.c.id == 2).values(actor="nobody"))
    problems = source.back_up(tmp_path / "made").problems
    assert sum("audit log" in problem and "entry 2 or the one before it was changed" in problem for problem in problems) == 2
    assert sum("is missing" in problem for problem in problems) == len(reports) - 2
    assert [problem for problem in problems if "has changed" in problem] == [
        f"evidence 0 of report {reports[1]['id']} of organization {reports[1]['organization_id']} has changed"
    ]
    assert check_backup(tmp_path / "made", quietly)[1] == problems
    assert place.restore(tmp_path / "made").problems == problems
    assert {row["actor"] for row in table_rows.contents(place.url)["audit_entries"] if row["id"] == 2} == {"nobody"}


# ------------------------------------------------------------------------------------------------------------ whole or not at all


def test_a_backup_is_never_written_over_another(filled: Callable[[str], Filled]) -> None:
    made = filled("sqlite")
    with pytest.raises(ConfigurationError, match="is not empty"):
        made.place.back_up(made.root)
    assert check_backup(made.root, quietly)[0] == made.backup.manifest


def test_what_is_no_database_of_ours_is_not_backed_up(tmp_path: Path, new_place: NewPlace) -> None:
    place = new_place("sqlite")
    with pytest.raises(ConfigurationError, match="There is no database at"):
        place.back_up(tmp_path / "made")
    create_migration_engine(place.url).connect().close()
    with pytest.raises(ConfigurationError, match="has no tables of bonafide"):
        place.back_up(tmp_path / "made")
    upgrade(place.url)
    with create_migration_engine(place.url).begin() as connection:
        connection.execute(text("UPDATE alembic_version SET version_num = '9999'"))
    with pytest.raises(ConfigurationError, match="of a newer release"):
        place.back_up(tmp_path / "made")
    assert list((tmp_path / "made").iterdir()) == []


def test_a_backup_that_fails_leaves_an_empty_folder(tmp_path: Path, new_place: NewPlace) -> None:
    options = {"endpoint": "http://127.0.0.1:9", "access_key_id": "a", "secret_access_key": "b", "region": "ca"}
    place = new_place("sqlite", files_url="s3://nowhere", files_options=options)
    upgrade(place.url)
    with pytest.raises(ServerBusy):
        place.back_up(tmp_path / "made")
    assert list((tmp_path / "made").iterdir()) == []


INTERRUPTED = """
import os, resource, signal, sys
from pathlib import Path
from bonafide.store.database.clock import system_clock
from bonafide.services.backup.creation import create_backup
from bonafide.services.backup.restoration import restore_backup
from bonafide.settings import Settings

verb, how, root, data_dir = sys.argv[1:]

def told(what, done, total):
    if what != "searches":
        return
    if how == "killed":
        os.kill(os.getpid(), signal.SIGKILL)
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (64, 64))

act = {"backup": create_backup, "restore": restore_backup}[verb]
act(Settings(data_dir=Path(data_dir)), Path(root), system_clock, told)
"""


def interrupted(verb: str, how: str, root: Path, place: Place) -> "subprocess.CompletedProcess[bytes]":
    command = [sys.executable, "-c", INTERRUPTED, verb, how, str(root), str(place.settings.data_dir)]
    return subprocess.run(command, capture_output=True, check=False, timeout=TIMEOUT_S, env=os.environ)  # noqa: S603 - ours


def test_a_backup_that_is_killed_is_no_backup(filled: Callable[[str], Filled], tmp_path: Path, new_place: NewPlace) -> None:
    ended = interrupted("backup", "killed", tmp_path / "made", filled("sqlite").place)
    assert ended.returncode == -signal.SIGKILL
    assert (tmp_path / "made" / "tables").is_dir()
    with pytest.raises(BackupDamaged, match="contains no complete backup"):
        new_place("sqlite").restore(tmp_path / "made")


def test_a_backup_onto_a_full_disk_is_no_backup(filled: Callable[[str], Filled], tmp_path: Path) -> None:
    ended = interrupted("backup", "full", tmp_path / "made", filled("sqlite").place)
    assert b"File too large" in ended.stderr
    assert list((tmp_path / "made").iterdir()) == []


@pytest.mark.parametrize("how", ["killed", "full"])
def test_a_restore_that_is_interrupted_can_be_tried_again(how: str, filled: Callable[[str], Filled], new_place: NewPlace) -> None:
    made, place = filled("sqlite"), new_place("sqlite")
    assert interrupted("restore", how, made.root, place).returncode != 0
    assert place.restore(made.root).problems == []
    assert table_rows.contents(place.url)["jobs"] == table_rows.given_back(made.rows, RESTORED_AT)[jobs.name]
