"""`bonafide worker` lowers the priority of its process, as the setting says."""

import os
import time
from pathlib import Path

import pytest

from tests.support.cli_commands import Command
from tests.support.servers.forked_services import forked
from tests.support.waiting import TIMEOUT_S


@pytest.mark.slow
def test_a_worker_lowers_its_priority(bonafide: Command, tmp_path: Path) -> None:
    assert bonafide("migrate", "--data-dir", tmp_path / "data").status == 0
    before = os.getpriority(os.PRIO_PROCESS, 0)
    environment = {"BONAFIDE_WORKER_NICENESS": "3", "BONAFIDE_RENEW": "off"}
    with forked(tmp_path / "log", "worker", "--data-dir", tmp_path / "data", **environment) as worker:
        end = time.monotonic() + TIMEOUT_S
        while "worker.started" not in worker.written():
            assert time.monotonic() < end, worker.written()
            time.sleep(0.05)
        assert os.getpriority(os.PRIO_PROCESS, worker.process.pid or 0) == min(before + 3, 19)
