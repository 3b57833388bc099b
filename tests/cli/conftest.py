"""Commands run in this process, as the console script runs them, against a data directory of the test's own.

Starting an interpreter costs a second or two, so only what needs a process of its own gets one (`test_cli_process`).
"""

import io
import logging
import os
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
import structlog

from bonafide.cli import main
from tests.support.cli_commands import Command, Outcome
from tests.support.loaded_sandbox import copy_sandbox
from tests.support.waiting import LOOKUP_S


@pytest.fixture
def kept_logging() -> Iterator[None]:
    """A command configures the logs and the file modes of its process; the other tests in this one keep theirs."""
    umask = os.umask(0o022)
    root = logging.getLogger()
    kept, level, structured = list(root.handlers), root.level, structlog.get_config()
    yield
    root.handlers = kept
    root.setLevel(level)
    structlog.configure(**structured)
    os.umask(umask)


@pytest.fixture
def bonafide(kept_logging: None, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], data_dir: Path) -> Command:
    """Runs a command: `bonafide("keys", "list")`; `stdin` is what is piped into it."""
    monkeypatch.setenv("BONAFIDE_DATA_DIR", str(data_dir))
    # No test asks a real register.
    monkeypatch.setenv("BONAFIDE_ASK_LIVE", "false")
    monkeypatch.setenv("BONAFIDE_LOOKUP_TIMEOUT_S", str(LOOKUP_S))

    def run(*words: str | Path, stdin: bytes = b"") -> Outcome:
        monkeypatch.setattr(sys, "argv", ["bonafide", *map(str, words)])
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin)))
        capsys.readouterr()
        status: object = 0
        try:
            main()
        except SystemExit as end:
            status = end.code
        written = capsys.readouterr()
        assert "Traceback" not in written.err
        return Outcome(status if isinstance(status, int) else 1, written.out, written.err)

    return run


@pytest.fixture
def data_dir(tmp_path: Path, sqlite_template: Path) -> Path:
    """A data directory with a migrated, empty database and nothing loaded."""
    folder = tmp_path / "data"
    folder.mkdir()
    shutil.copyfile(sqlite_template, folder / "bonafide.sqlite3")
    return folder


@pytest.fixture(scope="session")
def sandbox_dir(sandbox_data: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data directory with the made-up Canada loaded, whose database commands may write to."""
    return copy_sandbox(sandbox_data, tmp_path_factory.mktemp("cli") / "data")
