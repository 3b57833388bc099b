"""What the service is made of may be used: each pinned package has a known licence, and the page of them is up to date."""

import re
from pathlib import Path

import pytest

from bonafide.docs_site import dependency_page

ROOT = Path(__file__).parents[2]
ALLOWED = frozenset(
    {
        *("0BSD", "Apache-2.0", "BSD-2-Clause", "BSD-3-Clause", "CC0-1.0", "ISC", "MIT", "MIT-0", "PSF-2.0", "Unlicense", "Zlib"),
        # Asks for the source of changed files of its own, which nobody here changes.
        "MPL-2.0",
    }
)
EXCEPTIONS = {
    # The driver of PostgreSQL, imported and unchanged; whoever passes an installation on leaves it replaceable, as a wheel is.
    "psycopg": "LGPL-3.0-only",
    "psycopg-binary": "LGPL-3.0-only",
    # Needed in browsers alone, where no service runs: it is never installed.
    "httpx2-jsfetch": "not installed here: only in browsers",
}


@pytest.mark.parametrize(
    "name", sorted({pin.name for pin in (*dependency_page.read_lock_file(), *(pin for _, pin in dependency_page.read_extras()))})
)
def test_every_licence_may_be_used(name: str) -> None:
    licence = dependency_page.find_licence(name)
    if name in EXCEPTIONS:
        assert licence == EXCEPTIONS[name]
    else:
        choices = [set(re.split(r" AND ", choice)) for choice in licence.strip("()").split(" OR ")]
        assert any(choice <= ALLOWED for choice in choices), f"{name} is under {licence}: may it be used?"


@pytest.mark.slow
def test_the_page_of_dependencies_is_up_to_date() -> None:
    assert (ROOT / "docs" / "reference" / "dependencies.md").read_text(
        encoding="utf-8"
    ) == dependency_page.render_dependency_page(), "run `make docs`"


def test_what_only_an_extra_needs_is_pinned_and_no_dependency_of_the_service() -> None:
    extras = {pin.name: extra for extra, pin in dependency_page.read_extras()}
    assert extras["xlwt"] == "sandbox"
    assert extras["tantivy"] == "bench"
    assert extras.keys().isdisjoint(pin.name for pin in dependency_page.read_lock_file())
    pins = dependency_page.read_lock_file(ROOT / "requirements-sandbox.lock")
    assert {pin.name for extra, pin in dependency_page.read_extras() if extra == "sandbox"} <= {pin.name for pin in pins}


def test_every_pin_is_read() -> None:
    lines = (ROOT / "requirements.lock").read_text(encoding="utf-8").splitlines()
    assert len(dependency_page.read_lock_file()) == sum(line[:1].isalnum() for line in lines)
