"""The scores of business names, pair by labelled pair, and each rule on its own."""

import pytest
from name_pairs import BANDS, BUSINESSES

from bonafide.matching.business_names import compare_business_names
from bonafide.matching.comparison import NameComparison
from bonafide.matching.names import normalise


def compared(a: str, b: str) -> NameComparison:
    return compare_business_names(normalise(a), normalise(b))


@pytest.mark.parametrize(("band", "a", "b"), BUSINESSES)
def test_a_pair_scores_in_its_band_both_ways(band: str, a: str, b: str) -> None:
    lowest, highest = BANDS[band]
    there, back = compared(a, b), compared(b, a)
    assert there.score == back.score
    assert lowest <= there.score <= highest, there


def test_there_are_enough_pairs_of_each_band() -> None:
    assert len(BUSINESSES) >= 120
    assert {band for band, _, _ in BUSINESSES} == set(BANDS)
