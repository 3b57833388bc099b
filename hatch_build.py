"""Build hook: compile the C extensions of `bonafide.native`, for a wheel, an editable install, or in place.

The extensions make searches and screenings quicker. They are optional: where no compiler is found, the build prints a warning
and makes a wheel without them, and the service uses the NumPy and Python implementations, which give the same answers.
`BONAFIDE_BUILD_EXTENSIONS` is `auto` (the default), `always` (a build without a compiler fails; releases use it) or `never`.

The extensions use CPython's limited API, so that one wheel for each platform serves Python 3.11 and later.
"""

import os
import sys
import sysconfig
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface
from packaging.tags import sys_tags
from setuptools import Distribution, Extension
from setuptools.command.build_ext import build_ext
from setuptools.errors import BaseError, CCompilerError

PACKAGE = "bonafide.native"
EXTENSIONS = {"_search": "native/search", "_comparison": "native/comparison"}
"""The folder with the C files of each extension."""
LIMITED_API = "0x030B0000"
WHEEL_TAG = "cp311-abi3"
MODE_VARIABLE = "BONAFIDE_BUILD_EXTENSIONS"
MODES = ("auto", "always", "never")
_FILE_SUFFIX = ".pyd" if sys.platform == "win32" else ".abi3.so"


class ExtensionBuildHook(BuildHookInterface[Any]):
    """Compiles the extensions before a wheel is assembled."""

    PLUGIN_NAME = "custom"

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Compile, and tag the wheel with the platform; `version` is `standard` or `editable`."""
        if self.target_name != "wheel":
            return
        if version == "editable":
            built = build_extensions(Path(self.root), warn=self.app.display_warning)
        else:
            self._scratch = tempfile.TemporaryDirectory()
            built = build_extensions(Path(self.root), warn=self.app.display_warning, folder=Path(self._scratch.name))
            package = "/".join(PACKAGE.split("."))
            build_data["force_include"].update({str(path): f"{package}/{path.name}" for path in built})
        if built:
            build_data["pure_python"] = False
            build_data["tag"] = f"{WHEEL_TAG}-{_find_platform_tag()}"

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:  # noqa: ARG002 - hatchling's signature
        """Remove what was compiled for the wheel."""
        if version != "editable" and self.target_name == "wheel":
            self._scratch.cleanup()


def build_extensions(root: Path, *, warn: Any = print, flags: tuple[str, ...] = (), folder: Path | None = None) -> list[Path]:
    """Compile the extensions into their package, or into `folder`; `flags` are further flags of compiler and linker.

    Returns the compiled files; none if extensions are not wanted, or if they can't be compiled here and need not be.
    """
    mode = os.environ.get(MODE_VARIABLE, MODES[0])
    if mode not in MODES:
        raise ValueError(f"{MODE_VARIABLE} must be one of {', '.join(MODES)}, not {mode!r}")
    if mode == "never":
        return []
    destination = folder or root / "src" / Path(*PACKAGE.split("."))
    if sysconfig.get_config_var("Py_GIL_DISABLED"):
        return _give_up(mode, warn, "free-threaded builds of Python have no limited API")
    try:
        return [_build_extension(root, name, flags, destination) for name in EXTENSIONS]
    except (CCompilerError, BaseError, OSError) as error:
        # Extensions of an earlier version of the sources must not run with the present Python code.
        for name in EXTENSIONS:
            (destination / f"{name}{_FILE_SUFFIX}").unlink(missing_ok=True)
        return _give_up(mode, warn, str(error))


def _give_up(mode: str, warn: Any, reason: str) -> list[Path]:
    if mode == "always":
        raise RuntimeError(f"the extensions can't be compiled: {reason}")
    warn(f"The C extensions are not compiled; the slower Python implementation is used instead. Reason: {reason}")
    return []


def _build_extension(root: Path, name: str, flags: tuple[str, ...], folder: Path) -> Path:
    sources = sorted((root / EXTENSIONS[name]).glob("*.c"))
    # GCC's mode of the C standard rounds after each operation, which the answers depend on (native/search/search.h).
    standard = ("/std:c11",) if sys.platform == "win32" else ("-std=c11", "-Wall", "-Wextra", "-fno-strict-aliasing")
    extension = Extension(
        f"{PACKAGE}.{name}",
        sources=[str(path) for path in sources],
        define_macros=[("Py_LIMITED_API", LIMITED_API)],
        extra_compile_args=[*standard, *flags],
        extra_link_args=list(flags),
        py_limited_api=True,
    )
    with tempfile.TemporaryDirectory() as scratch:
        command = build_ext(Distribution({"name": "bonafide", "ext_modules": [extension]}))
        command.build_temp, command.build_lib = f"{scratch}/objects", f"{scratch}/built"
        command.ensure_finalized()
        command.run()
        compiled = Path(command.get_ext_fullpath(extension.name))
        destination = folder / f"{name}{_FILE_SUFFIX}"
        # A running process may have mapped the old file, so it is replaced as a whole and not written over.
        unfinished = destination.with_name(f".{destination.name}.{os.getpid()}")
        unfinished.write_bytes(compiled.read_bytes())
        unfinished.replace(destination)
    return destination


def _find_platform_tag() -> str:
    """The platform of this machine's wheels; those that may be published for many distributions are named by `auditwheel`."""
    tags = (tag.platform for tag in sys_tags())
    return next(platform for platform in tags if not platform.startswith(("manylinux", "musllinux")))


if __name__ == "__main__":
    for path in build_extensions(Path(__file__).parent):
        print(path)  # noqa: T201 - the output of a program
