"""A Dask cluster of processes of this machine: a scheduler, and nodes of one process each."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from time import monotonic, sleep
from types import MappingProxyType

from bonafide.errors import BonafideError
from bonafide.i18n.message import Message

START_S = 60
"""How long the scheduler may take to start."""
_HOST = "127.0.0.1"


@dataclass(slots=True)
class LocalCluster:
    """A running cluster. The scheduler and the nodes are processes, which may be killed."""

    address: str
    scheduler: subprocess.Popen[bytes]
    nodes: list[subprocess.Popen[bytes]] = field(default_factory=list)


@contextmanager
def run_local_cluster(
    folder: Path, data_dirs: Sequence[Path], settings: Mapping[str, str] = MappingProxyType({})
) -> Iterator[LocalCluster]:
    """Run a scheduler and a node for each data directory while the block runs; their files and logs are in `folder`.

    `settings` are further environment variables of the nodes.

    Raises `BonafideError` if the scheduler does not start.
    """
    environment = {**os.environ, **settings, "DASK_TEMPORARY_DIRECTORY": str(folder)}
    scheduler_file = folder / "scheduler.json"
    listening = ("--host", _HOST, "--port", "0", "--scheduler-file", str(scheduler_file), "--no-dashboard")
    processes = [_start(folder, "scheduler", environment, *listening)]
    try:
        address = _read_address(scheduler_file, processes[0])
        cluster = LocalCluster(address, processes[0])
        for number, data_dir in enumerate(data_dirs):
            options = ("--nthreads", "1", "--nworkers", "1", "--no-nanny", "--no-dashboard", "--name", f"node-{number}")
            own = environment | {"BONAFIDE_DATA_DIR": str(data_dir)}
            node = _start(folder, "worker", own, address, *options, "--host", _HOST, "--memory-limit", "0")
            processes.append(node)
            cluster.nodes.append(node)
        yield cluster
    finally:
        for process in reversed(processes):
            process.kill()
            process.wait()


def _start(folder: Path, role: str, environment: dict[str, str], *options: str) -> subprocess.Popen[bytes]:
    # The command `dask` may be missing from the path of a virtual environment that is not activated.
    with (folder / f"{role}.log").open("ab") as log:
        return subprocess.Popen(  # noqa: S603 - this interpreter
            [sys.executable, "-m", "dask", role, *options], env=environment, stdout=log, stderr=log, cwd=folder
        )


def _read_address(path: Path, scheduler: subprocess.Popen[bytes]) -> str:
    """The address that the scheduler writes when it listens."""
    end = monotonic() + START_S
    while monotonic() < end and scheduler.poll() is None:
        if path.exists() and (content := path.read_text()).rstrip().endswith("}"):
            return str(json.loads(content)["address"])
        sleep(0.05)
    raise BonafideError(Message.untranslated("the scheduler of the cluster did not start"))
