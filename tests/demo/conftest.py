"""A demo that ran once: its data directory holds the made-up Canada and two organizations' keys."""

import json
import shutil
from collections.abc import Iterator
from pathlib import Path

import httpx2
import pytest

from tests.support.servers.service_processes import FirstRun, Service, client, demo


@pytest.fixture(scope="session")
def first_run(tmp_path_factory: pytest.TempPathFactory) -> FirstRun:
    """The demo, started on an empty directory and stopped as a service manager stops it."""
    data_dir = tmp_path_factory.mktemp("demo")
    with demo(data_dir) as service:
        return FirstRun(data_dir, service.ready, service.stop())


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
