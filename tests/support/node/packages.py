"""The npm packages of each `package-lock.json` here, which tests install into a folder of the environment when they need them."""

import fcntl
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).parent
FOLDER = Path(os.environ.get("BONAFIDE_TEST_NODE", Path(sys.prefix) / "node-packages"))
"""`BONAFIDE_TEST_NODE` names another folder that they are installed into."""
_TIMEOUT_S = 120


def install_packages(group: str = "") -> Path:
    """The folder `node_modules` with the packages. Without Node.js or its registry the test is skipped; in CI it fails.

    `group` names a folder beside this module with a `package-lock.json` of its own.
    """
    npm = shutil.which("npm")
    if npm is None or shutil.which("node") is None:
        _miss("Node.js with npm is not installed")
    source, folder = HERE / group, FOLDER / group
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # other processes of the same run install nothing meanwhile
        locked = (source / "package-lock.json").read_bytes()
        done = folder / "installed-package-lock.json"
        if not done.exists() or done.read_bytes() != locked:
            for name in ("package.json", "package-lock.json"):
                shutil.copyfile(source / name, folder / name)
            command = [str(npm), "ci", "--ignore-scripts", "--no-audit", "--no-fund"]
            ended = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=_TIMEOUT_S, check=False)  # noqa: S603 - ours
            if ended.returncode != 0:
                _miss(f"npm could not install {source / 'package-lock.json'}: {ended.stderr[-500:]}")
            done.write_bytes(locked)
    return folder / "node_modules"


def _miss(reason: str) -> None:
    if os.environ.get("CI"):
        pytest.fail(reason)
    pytest.skip(reason)
