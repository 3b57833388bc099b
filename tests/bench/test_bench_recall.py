"""French names are found as well as English ones: the sandbox's, in sets of equal size, disturbed by the same rules."""

from collections.abc import Callable
from pathlib import Path

import pytest

from bonafide_sandbox.generator.businesses import create_businesses
from bonafide_sandbox.world.builder import DEFAULT_SEED
from tests.support.index.recall import Searched, table
from tests.support.recorded_figures import FIGURES

BUSINESSES = 60_000
NAMES, QUERIES = 8_000, 800
TOLERANCE = 0.01
"""Of recall: eight queries of the set, about one standard deviation of the difference between two such sets."""
MIN_AMONG_TWENTY = 0.995


@pytest.mark.slow
def test_french_names_are_found_no_worse_than_english_ones(tmp_path: Path, record_property: Callable[[str, object], None]) -> None:
    world = list(create_businesses(DEFAULT_SEED, 0, BUSINESSES))
    searched = Searched(tmp_path, {number: (business.name, *business.other_names) for number, business in enumerate(world)})
    names = {language: [item.name for item in world if item.french is (language == "French")] for language in ("English", "French")}
    found = {language: searched.recall(own[:NAMES], QUERIES) for language, own in names.items()}
    record_property(FIGURES, table(found))
    assert {figures.recall.asked for figures in found.values()} == {found["English"].recall.asked}
    for depth in (1, 20):
        assert found["French"].recall.at[depth] >= found["English"].recall.at[depth] - TOLERANCE
    assert min(figures.recall.at[20] for figures in found.values()) >= MIN_AMONG_TWENTY
