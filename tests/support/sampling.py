"""How many of the possible inputs tests try: a sample by default, more in the full tier, all with `BONAFIDE_TEST_WHOLE=1`.

Nothing here depends on the speed of the machine: no example has a deadline, and none is refused for having taken long to make.
"""

import os
from collections.abc import Sequence

import pytest
from hypothesis import HealthCheck, settings

WHOLE = bool(os.environ.get("BONAFIDE_TEST_WHOLE"))
"""All of what takes hours: real names and queries, requests made from the API's description, the fuzzer's and the fleet's runs."""
SHARE = 8
LEAST = 15
_BY_DEFAULT = 100
_tries_every_example = WHOLE


def examples(whole: int) -> settings:
    """Settings of a property: so many examples in the full tier, else an eighth of them."""
    return settings(max_examples=_count(whole))


def use_samples(*, every_example: bool) -> None:
    """Set how many examples properties try. Call it before the modules of tests are imported."""
    global _tries_every_example  # noqa: PLW0603 - `examples` is called when modules are imported
    _tries_every_example = WHOLE or every_example
    settings.register_profile(
        "bonafide", max_examples=_count(_BY_DEFAULT), deadline=None, suppress_health_check=[HealthCheck.too_slow]
    )
    settings.load_profile("bonafide")


def mark_sample(values: Sequence[str], every: int) -> list[object]:
    """Parameters of a test, of which the quick tier takes every so-manieth."""
    return [value if place % every == 0 else pytest.param(value, marks=pytest.mark.slow) for place, value in enumerate(values)]


def _count(whole: int) -> int:
    return whole if _tries_every_example else max(LEAST, whole // SHARE)
