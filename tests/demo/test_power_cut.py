"""A power failure on SQLite: what a caller was told is stored is on the disk, and the disk forgets what was not written out.

The disk is `power_cut.c`: a copy of each file as it was when it was last written out. The service is killed at the moment of the
last response, and another one starts on the copy.
"""

import json
import shutil
import subprocess
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import httpx2
import pytest

from tests.support.fleet.processes import missing
from tests.support.servers.service_processes import client, run, server

pytestmark = pytest.mark.slow
SOURCE = Path(__file__).parents[1] / "support" / "servers" / "power_cut.c"
ONE_BY_ONE, AT_ONCE, THREADS = 5, 40, 8


@dataclass(frozen=True)
class Disk:
    """A data directory, and the copy of what is on the disk."""

    data_dir: Path
    written_out: Path
    library: Path
    key: str

    @contextmanager
    def until_power_cut(self, **settings: str) -> Iterator[httpx2.Client]:
        """A client of a service that is killed at the end."""
        environment = {"POWER_CUT_FROM": str(self.data_dir), "POWER_CUT_TO": str(self.written_out), "LD_PRELOAD": str(self.library)}
        with (
            server("serve", "--data-dir", self.data_dir, **environment, **settings) as service,
            client(service, self.key) as caller,
        ):
            yield caller
            service.process.kill()
            service.process.wait()

    @contextmanager
    def after_power_cut(self) -> Iterator[httpx2.Client]:
        """A client of a service on what was written out."""
        with server("serve", "--data-dir", self.written_out) as service, client(service, self.key) as caller:
            yield caller


@pytest.fixture
def disk(tmp_path: Path) -> Disk:
    compiler = shutil.which("cc")
    if compiler is None:
        missing("a C compiler is not installed: apt-get install gcc")
    library, data_dir = tmp_path / "power_cut.so", tmp_path / "data"
    subprocess.run([compiler, "-shared", "-fPIC", "-o", library, SOURCE, "-ldl"], check=True)  # noqa: S603 - our own source
    created = run("keys", "create", "--organization", "North", "--rate-limit", "100000", "--json", "--data-dir", data_dir)
    written_out = Path(shutil.copytree(data_dir, tmp_path / "written-out"))
    return Disk(data_dir, written_out, library, json.loads(created.out)["key"])


def store_records(caller: httpx2.Client) -> list[str]:
    """The ids of records that the service said it has stored, one after the other and at the same time."""

    def store(number: int) -> str | None:
        answer = caller.post("/businesses", json={"externalId": f"crm-{number}", "name": f"Prairie Widgets {number} Ltd."})
        # A machine that is slow enough has no turn for all of them; then nothing is stored, and the service has said so.
        assert answer.status_code in {201, 503}
        found: str | None = answer.json()["business"]["id"] if answer.is_success else None
        return found

    answers = [store(number) for number in range(ONE_BY_ONE)]
    with ThreadPoolExecutor(THREADS) as threads:
        answers += threads.map(store, range(ONE_BY_ONE, ONE_BY_ONE + AT_ONCE))
    stored = [one for one in answers if one is not None]
    assert len(stored) > ONE_BY_ONE
    return stored


def list_lost(caller: httpx2.Client, stored: list[str]) -> list[str]:
    return [one for one in stored if caller.get(f"/businesses/{one}").status_code != 200]


def test_what_a_caller_was_told_is_stored_survives_a_power_cut(disk: Disk) -> None:
    with disk.until_power_cut() as caller:
        stored = store_records(caller)
    with disk.after_power_cut() as caller:
        assert list_lost(caller, stored) == []
    audit = run("audit", "verify", "--organization", "North", "--data-dir", disk.written_out)
    assert audit.status == 0, audit.err


def test_without_the_setting_the_last_changes_are_lost(disk: Disk) -> None:
    with disk.until_power_cut(BONAFIDE_SQLITE_DURABLE="false") as caller:
        stored = store_records(caller)
    with disk.after_power_cut() as caller:
        assert stored[-1] in list_lost(caller, stored)
