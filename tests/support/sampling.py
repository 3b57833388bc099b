"""How much of what could be tried is tried: a sample by default, all of it with `BONAFIDE_TEST_WHOLE=1`.

Nothing here depends on the speed of the machine: no example has a deadline, and none is refused for having taken long to make.
"""

import os

import pytest
from hypothesis import HealthCheck, settings

WHOLE = bool(os.environ.get("BONAFIDE_TEST_WHOLE"))
SHARE = 4
LEAST = 25
_BY_DEFAULT = 100
on_one_database = pytest.mark.parametrize("database_url", ["sqlite", "postgresql"] if WHOLE else ["sqlite"], indirect=True)
"""For what is asked of every source in the same way, whichever database notes it."""


def examples(whole: int) -> settings:
    """Settings of a property: so many examples when all is wanted, else a quarter of them."""
    return settings(max_examples=_shown(whole))


def use_samples() -> None:
    """Make this the way of properties that say nothing themselves; to be called before they are defined."""
    settings.register_profile(
        "bonafide", max_examples=_shown(_BY_DEFAULT), deadline=None, suppress_health_check=[HealthCheck.too_slow]
    )
    settings.load_profile("bonafide")


def _shown(whole: int) -> int:
    return whole if WHOLE else max(LEAST, whole // SHARE)
