"""A demo that ran once: its data directory holds the made-up Canada and two organizations' keys."""

import json
import shutil
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path

import httpx2
import pytest

from tests.support.servers.service_processes import Ended, FirstRun, Service, client, demo
from tests.support.session_cache import cached_folder

DATA, OUTPUT = "data", "output.json"


@pytest.fixture(scope="session")
def first_run(tmp_path_factory: pytest.TempPathFactory) -> FirstRun:
    """The demo, started once in a run on an empty directory and stopped as a service manager stops it, with a copy of its data."""
    made = cached_folder(tmp_path_factory, "demo", run_first_demo)
    data_dir = Path(shutil.copytree(made / DATA, tmp_path_factory.mktemp("demo") / DATA))
    output = json.loads((made / OUTPUT).read_text(encoding="utf-8"))
    return FirstRun(data_dir, output["ready"], Ended(**output["ended"]))


def run_first_demo(folder: Path) -> None:
    """Start and stop the demo, and store its output beside its data."""
    with demo(folder / DATA) as service:
        output = {"ready": service.ready, "ended": asdict(service.stop())}
    (folder / OUTPUT).write_text(json.dumps(output), encoding="utf-8")


@pytest.fixture(scope="module")
def running_demo(first_run: FirstRun) -> Iterator[Service]:
    """The demo, started again where it ran before."""
    with demo(first_run.data_dir) as service:
        yield service


@pytest.fixture
def north(running_demo: Service, first_run: FirstRun) -> Iterator[httpx2.Client]:
    with client(running_demo, first_run.key) as opened:
        yield opened


@pytest.fixture
def south(running_demo: Service, first_run: FirstRun) -> Iterator[httpx2.Client]:
    with client(running_demo, json.loads(first_run.ready)["otherApiKey"]) as opened:
        yield opened


@pytest.fixture
def data_dir(first_run: FirstRun, tmp_path: Path) -> Path:
    """A copy of what the demo left, for services of the test's own."""
    return Path(shutil.copytree(first_run.data_dir, tmp_path / "data"))
