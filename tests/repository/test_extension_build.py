"""The C extensions are compiled into the wheel where there is a compiler, and left out where there is none."""

import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from bonafide import native
from tests.support.paths import ROOT

IMPORT_FROM_WHEEL = """
import sys
sys.path.insert(0, sys.argv[1])
from bonafide import native
assert native.__file__.startswith(sys.argv[1]), native.__file__
print(native.search_extension is not None, native.comparison_extension is not None)
"""
NO_COMPILER = {"CC": "/nonexistent/cc", "CXX": "/nonexistent/cc"}


def run(command: list[str], **variables: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(command, cwd=ROOT, env=os.environ | variables, capture_output=True, text=True, check=False, timeout=300)  # noqa: S603 - our own commands


def build_wheel(folder: Path, **variables: str) -> Path:
    command = [sys.executable, "-m", "pip", "wheel", "--no-deps", "--no-build-isolation", "--wheel-dir", str(folder), "."]
    built = run(command, **variables)
    assert built.returncode == 0, built.stderr[-2000:]
    (wheel,) = folder.glob("*.whl")
    return wheel


def import_from(wheel: Path, folder: Path) -> str:
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(folder)
    # Isolated, so that the checkout's own package is not found; the dependencies are not needed.
    imported = run([sys.executable, "-I", "-S", "-c", IMPORT_FROM_WHEEL, str(folder)])
    assert imported.returncode == 0, imported.stderr
    return imported.stdout.strip()


@pytest.mark.slow
@pytest.mark.skipif(native.search_extension is None, reason="no compiler: the extensions are not compiled here")
def test_a_wheel_has_the_extensions_and_serves_later_versions_of_python(tmp_path: Path) -> None:
    wheel = build_wheel(tmp_path, BONAFIDE_BUILD_EXTENSIONS="always")
    assert "-cp311-abi3-" in wheel.name
    assert import_from(wheel, tmp_path / "installed") == "True True"


@pytest.mark.slow
def test_a_wheel_without_a_compiler_runs_anywhere(tmp_path: Path) -> None:
    wheel = build_wheel(tmp_path, **NO_COMPILER)
    assert wheel.name.endswith("-py3-none-any.whl")
    assert import_from(wheel, tmp_path / "installed") == "False False"


def run_build(folder: Path, **variables: str) -> subprocess.CompletedProcess[str]:
    program = (
        f"import pathlib, hatch_build; print(hatch_build.build_extensions(pathlib.Path('.'), folder=pathlib.Path({str(folder)!r})))"
    )
    return run([sys.executable, "-c", program], **variables)


def test_a_build_without_a_compiler_says_so_and_removes_what_an_earlier_one_made(tmp_path: Path) -> None:
    earlier = tmp_path / "_search.abi3.so"
    earlier.touch()
    built = run_build(tmp_path, **NO_COMPILER)
    assert built.returncode == 0
    assert "The C extensions are not compiled" in built.stdout
    assert built.stdout.endswith("[]\n")
    assert not earlier.exists()


def test_a_build_that_must_have_the_extensions_fails_without_a_compiler(tmp_path: Path) -> None:
    built = run_build(tmp_path, BONAFIDE_BUILD_EXTENSIONS="always", **NO_COMPILER)
    assert built.returncode != 0
    assert "the extensions can't be compiled" in built.stderr


def test_an_unknown_mode_is_named_with_its_alternatives(tmp_path: Path) -> None:
    built = run_build(tmp_path, BONAFIDE_BUILD_EXTENSIONS="perhaps")
    assert "BONAFIDE_BUILD_EXTENSIONS must be one of auto, always, never, not 'perhaps'" in built.stderr


def test_the_extensions_can_be_switched_off() -> None:
    program = "from bonafide import native; print(native.search_extension, native.comparison_extension)"
    assert run([sys.executable, "-c", program], BONAFIDE_PURE_PYTHON="1").stdout == "None None\n"
