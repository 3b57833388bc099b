"""The validators and fixtures of `requirements-validators.lock`, which run as processes of their own.

`make` installs them into a folder of the environment that is not on the path of the tests: libcovebods is under the AGPL and
nothing of this repository imports it, and followthemoney permits an older networkx only.
"""

import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

FOLDER = Path(os.environ.get("BONAFIDE_TEST_VALIDATORS", Path(sys.prefix) / "validators"))
"""`BONAFIDE_TEST_VALIDATORS` names another folder that they are installed into."""
_TIMEOUT_S = 120


def find_package(name: str) -> Path:
    """The folder of an installed package. Without it the test is skipped; in CI it fails."""
    folder = FOLDER / name
    if folder.is_dir():
        return folder
    missing = f"{name} is not installed in {FOLDER}: run make"
    if os.environ.get("CI"):
        pytest.fail(missing)
    pytest.skip(missing)


def run_python(arguments: list[str], content: bytes = b"", environment: Mapping[str, str] | None = None) -> bytes:
    """The output of Python with the validators on its path. Raises `AssertionError` with what a failed process says."""
    path = {"PYTHONPATH": str(FOLDER)}
    done = subprocess.run(  # noqa: S603 - our own program
        [sys.executable, "-P", *arguments],
        input=content,
        env={**os.environ, **path, **(environment or {})},
        capture_output=True,
        timeout=_TIMEOUT_S,
        check=False,
    )
    assert done.returncode == 0, done.stderr.decode()
    return done.stdout
