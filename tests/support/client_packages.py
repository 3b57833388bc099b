"""The client libraries as their users get them: packages that were built from a copy of the sources, and installed."""

import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.support.paths import ROOT

CLIENTS = ROOT / "clients"
_IGNORED = shutil.ignore_patterns("node_modules", "dist", "*.tgz", "__pycache__")
_TIMEOUT_S = 300
_ENVIRONMENT = "environment"
_PROJECT = '{"private": true, "type": "module"}'
_COMPILER_OPTIONS = ("--strict", "--target", "es2022", "--module", "nodenext", "--types", "node", "--outDir", "out")


def run_program(command: list[str], folder: Path, **variables: str) -> str:
    """What a program prints. Raises `AssertionError` with its output if it fails."""
    environment = {**os.environ, **variables}
    done = subprocess.run(  # noqa: S603 - our own programs
        command, cwd=folder, env=environment, capture_output=True, text=True, timeout=_TIMEOUT_S, check=False
    )
    assert done.returncode == 0, f"{' '.join(command)}\n{done.stdout}{done.stderr}"
    return done.stdout


def install_python_client(folder: Path) -> None:
    """Install the Python client with its extra, and with what both need, into a new environment (`find_python`)."""
    sources = shutil.copytree(CLIENTS / "python", folder / "sources", ignore=_IGNORED)
    run_program([sys.executable, "-m", "venv", "--without-pip", str(folder / _ENVIRONMENT)], folder)
    pip = [sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check", "--python", str(find_python(folder))]
    run_program([*pip, "install", f"{sources}[ed25519]"], folder)


def find_python(folder: Path) -> Path:
    """The interpreter of the environment that `install_python_client` has made in this folder."""
    return folder / _ENVIRONMENT / "bin" / "python"


def install_typescript_client(folder: Path) -> None:
    """Pack the TypeScript client from a copy of its `sources`, and install the package into the folder `installed`."""
    npm = str(shutil.which("npm"))
    sources = Path(shutil.copytree(CLIENTS / "typescript", folder / "sources", ignore=_IGNORED))
    run_program([npm, "pack", "--silent", "--pack-destination", str(folder)], sources)
    (package,) = folder.glob("bonafide-client-*.tgz")
    installed = folder / "installed"
    installed.mkdir()
    (installed / "package.json").write_text(_PROJECT, "utf-8")
    run_program([npm, "install", "--ignore-scripts", "--no-audit", "--no-fund", "--silent", str(package)], installed)


@dataclass(frozen=True, slots=True)
class TypescriptProject:
    """A folder for programs that use the TypeScript client, which `install_typescript_client` has installed into another."""

    folder: Path
    client: Path

    def compile(self, programs: dict[str, str]) -> None:
        """Compile programs to the folder `out`. Raises `AssertionError` if their types are wrong."""
        (self.folder / "package.json").write_text(_PROJECT, "utf-8")
        if not (self.folder / "node_modules").exists():
            (self.folder / "node_modules").symlink_to(self.client / "installed" / "node_modules")
        for name, program in programs.items():
            (self.folder / f"{name}.ts").write_text(program, "utf-8")
        packages = self.client / "sources" / "node_modules"
        options = [*_COMPILER_OPTIONS, "--typeRoots", str(packages / "@types")]
        command = ["node", str(packages / "typescript" / "bin" / "tsc"), *options, *(f"{name}.ts" for name in programs)]
        run_program(command, self.folder)

    def start(self, name: str, **variables: str) -> str:
        """What a compiled program prints."""
        return run_program(["node", str(self.folder / "out" / f"{name}.js")], self.folder, **variables)


def require_node() -> None:
    """Skip the test without Node.js and npm; in CI it fails."""
    if shutil.which("npm") is not None and shutil.which("node") is not None:
        return
    if os.environ.get("CI"):
        pytest.fail("Node.js with npm is not installed")
    pytest.skip("Node.js with npm is not installed")
