"""Generate docs/reference/dependencies.md from the lock files and the metadata of the installed packages.

A test decides which licences are allowed. It reads a checkout and is not used by a running service.
"""

import re
import sys
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.metadata import distribution, requires
from pathlib import Path

LOCK = Path(__file__).parents[3] / "requirements.lock"
DEV_LOCK = LOCK.with_name("requirements-dev.lock")
PROJECT_FILE = LOCK.with_name("pyproject.toml")
PROJECT = "bonafide"
_PIN = re.compile(r"^(?P<name>[A-Za-z0-9_.-]+)==(?P<version>[^\s;\\]+)(?:\s*;\s*(?P<marker>[^\\]+?))?\s*\\?$", re.MULTILINE)
_NAME = re.compile(r"[A-Za-z0-9_.-]+")
_SPDX = {
    "MIT License": "MIT",
    "BSD License": "BSD-3-Clause",
    "BSD": "BSD-3-Clause",
    "ISC License": "ISC",
    "ISC License (ISCL)": "ISC",
    "Mozilla Public License 2.0 (MPL 2.0)": "MPL-2.0",
    "Apache Software License": "Apache-2.0",
    "Apache 2.0": "Apache-2.0",
    "The Unlicense (Unlicense)": "Unlicense",
}
"""What older metadata calls a licence, and its name in the list of SPDX."""
PLATFORM_LICENCES = {
    "async-timeout": "Apache-2.0",
    "colorama": "BSD-3-Clause",
    "httpx2-jsfetch": "not installed here: only in browsers",
}
"""What only other platforms or Pythons need, so that the page is the same wherever it is written."""
INCLUDED = (
    ("htmx", "0BSD", "parts of the console's pages (`web/scripts/htmx.min.js`)", "as a file, served by the service itself"),
    ("Libertinus Serif", "OFL-1.1", "text of printed reports", "inside `typst`"),
    ("DejaVu Sans Mono", "Bitstream-Vera", "numbers of printed reports", "inside `typst`"),
    ("Public Suffix List", "MPL-2.0", "registrable domains of web sites", "as a snapshot, inside `tldextract`"),
    ("axe-core", "MPL-2.0", "checks pages in tests", "inside `axe-playwright-python`, for development alone"),
)
INTRODUCTION = """# Dependencies and licences

Written from `requirements.lock` and the packages' own metadata (`make docs`); do not edit. Each version is pinned with its hashes.
A test refuses a licence that is not on the list of those that may be used here (`tests/security/test_dependencies.py`), which says
why for each exception. Known vulnerabilities are looked for with `pip-audit` (see `SECURITY.md`).

`bonafide` itself is under Apache-2.0.

| Package | Version | Licence | Needed by |
|---|---|---|---|"""
EXTRAS_SECTION = """
Versions that depend on the platform stand once each. What only tests and development need is in `requirements-dev.lock`; nothing of
it reaches an installation.

## Extras

Installed only where an extra is named, for example `pip install 'bonafide[sandbox]'`; with them come the packages that they need.
`make demo` installs `sandbox` from `requirements-sandbox.lock`, `make test` all of them from `requirements-dev.lock`.

| Package | Version | Licence | Extra |
|---|---|---|---|"""
INCLUDED_SECTION = """
## What is included beside packages

| What | Licence | Where and for what | How it comes |
|---|---|---|---|"""


@dataclass(frozen=True, slots=True)
class LockedPackage:
    """A pinned package; `marker` says where it is needed, None everywhere."""

    name: str
    version: str
    marker: str | None


def read_lock_file(path: Path = LOCK) -> list[LockedPackage]:
    """Every pin of a lock file, in its order."""
    found = _PIN.finditer(path.read_text(encoding="utf-8"))
    return [LockedPackage(pin["name"], pin["version"], pin["marker"]) for pin in found]


def read_extras() -> list[tuple[str, LockedPackage]]:
    """The packages that the extras name, each with its extra."""
    extras = tomllib.loads(PROJECT_FILE.read_text(encoding="utf-8"))["project"]["optional-dependencies"]
    pins = read_lock_file(DEV_LOCK)
    return [
        (extra, pin)
        for extra, requirements in sorted(extras.items())
        for pin in pins
        if _normalize_name(pin.name) in _parse_names(requirements)
    ]


def find_licence(name: str) -> str:
    """A package's licence as an SPDX expression, by its metadata; what that says where it says nothing known."""
    if name in PLATFORM_LICENCES:
        return PLATFORM_LICENCES[name]
    metadata = distribution(name).metadata
    if "License-Expression" in metadata:
        return str(metadata["License-Expression"])
    classifiers = [
        text.rpartition("::")[2].strip() for text in metadata.get_all("Classifier") or () if text.startswith("License ::")
    ]
    # A whole licence in the field begins with its name.
    stated = (metadata.get_all("License") or [""])[0].strip().partition("\n")[0]
    names = [_SPDX.get(text, text) for text in ([stated] if stated != "" else classifiers)]
    return " OR ".join(dict.fromkeys(names)) if names else "unknown"


def render_dependency_page() -> str:
    """The whole page, in Markdown."""
    rows = [f"| {pin.name} | {pin.version} | {find_licence(pin.name)} | {_describe_users(pin)} |" for pin in read_lock_file()]
    extras = [f"| {pin.name} | {pin.version} | {find_licence(pin.name)} | `{extra}` |" for extra, pin in read_extras()]
    included = [f"| {' | '.join(row)} |" for row in INCLUDED]
    return "\n".join([INTRODUCTION, *rows, EXTRAS_SECTION, *extras, INCLUDED_SECTION, *included, ""])


def _describe_users(pin: LockedPackage) -> str:
    needed_by = sorted(_find_dependents(pin.name))
    words = ", ".join(needed_by) if needed_by else "the build"
    return f"{words} (where {pin.marker})" if pin.marker is not None else words


def _find_dependents(name: str) -> Iterator[str]:
    if _normalize_name(name) in _parse_names(tomllib.loads(PROJECT_FILE.read_text(encoding="utf-8"))["project"]["dependencies"]):
        yield PROJECT
    for owner in dict.fromkeys(pin.name for pin in read_lock_file()):
        # What an extra needs is named too, where the lock has it.
        if owner != name and owner not in PLATFORM_LICENCES and _normalize_name(name) in _parse_names(requires(owner) or []):
            yield owner


def _parse_names(requirements: list[str]) -> set[str]:
    return {_normalize_name(found[0]) for text in requirements if (found := _NAME.match(text)) is not None}


def _normalize_name(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


if __name__ == "__main__":
    sys.stdout.write(render_dependency_page())
