"""Which tests `make test` runs, and which `make test-all`.

The quick tier is what a contributor runs: unit tests, store, services, API and console on SQLite.
The full tier is the rest: everything on PostgreSQL, broad and slow tests, real files, and every example of each property
of which the quick tier tries a sample. `.ci/run` runs both. Without `--tier`, as in `make test T=tests/path`, all tests run.
"""

from enum import StrEnum
from functools import cache
from pathlib import Path

import pytest

from tests.support.paths import TESTS


class Tier(StrEnum):
    """A part of the tests, as `--tier` names it."""

    QUICK = "quick"
    FULL = "full"


FULL_TIER_FOLDERS = (
    "backup",
    "bench",
    "console/browser",
    "demo",
    "fleet",
    "fuzz",
    "realdata",
)
"""Tests of whole installations, of processes that are killed, of browsers and measurements."""
FULL_TIER_MARKERS = ("slow", "realdata")
_SAMPLED_MARKER = "hypothesis"
"""Set by Hypothesis on the tests of properties."""


def select_tier(config: pytest.Config, items: list[pytest.Item], tier: Tier) -> None:
    """Keep the tests of a tier. A sampled property is of both: the full tier tries every example."""
    is_kept = _is_quick if tier is Tier.QUICK else _is_full
    kept: list[pytest.Item] = []
    others: list[pytest.Item] = []
    for item in items:
        (kept if is_kept(item) else others).append(item)
    config.hook.pytest_deselected(items=others)
    items[:] = kept


def is_outside_tier(path: Path, tier: Tier) -> bool:
    """Whether a folder holds no test of a tier, so that its modules need not be imported."""
    return tier is Tier.QUICK and path.is_dir() and path in {TESTS / folder for folder in FULL_TIER_FOLDERS}


def _is_full(item: pytest.Item) -> bool:
    return not _is_quick(item) or item.get_closest_marker(_SAMPLED_MARKER) is not None


def _is_quick(item: pytest.Item) -> bool:
    if any(item.get_closest_marker(name) is not None for name in FULL_TIER_MARKERS) or _is_in(item.path, FULL_TIER_FOLDERS):
        return False
    return not _is_on_postgresql(item)


@cache
def _is_in(path: Path, folders: tuple[str, ...]) -> bool:
    return any(path.is_relative_to(TESTS / folder) for folder in folders)


def _is_on_postgresql(item: pytest.Item) -> bool:
    call = getattr(item, "callspec", None)
    if call is not None and any(isinstance(value, str) and value == "postgresql" for value in call.params.values()):
        return True
    fixtures: list[str] = getattr(item, "fixturenames", [])
    return "postgres_server" in fixtures
