"""The scores of business names, pair by labelled pair, and each rule on its own."""

import pytest

from bonafide.matching.names.business_name_comparison import compare_business_names
from bonafide.matching.names.normalization import normalise
from bonafide.matching.scoring.name_comparison import NameComparison
from tests.support.matching.name_pairs import BANDS, BUSINESSES


def compared(a: str, b: str) -> NameComparison:
    return compare_business_names(normalise(a), normalise(b))


def scores(comparison: NameComparison) -> dict[str, float]:
    return {result.feature: round(result.score, 4) for result in comparison.features}


@pytest.mark.parametrize(("band", "a", "b"), BUSINESSES)
def test_a_pair_scores_in_its_band_both_ways(band: str, a: str, b: str) -> None:
    lowest, highest = BANDS[band]
    there, back = compared(a, b), compared(b, a)
    assert there.score == back.score
    assert lowest <= there.score <= highest, there


def test_there_are_enough_pairs_of_each_band() -> None:
    assert len(BUSINESSES) >= 120
    assert {band for band, _, _ in BUSINESSES} == set(BANDS)


@pytest.mark.parametrize(
    ("a", "b", "reason"),
    [
        ("Zephyrine Ltd.", "ZEPHYRINE LIMITÉE", "same name"),
        ("Zephyrine Inc.", "Zephyrine", "same words; legal form Inc. missing"),
        ("Zephyrine", "Zephyrine LLP", "same words; legal form LLP added"),
        ("Zephyrine Inc.", "Zephyrine Ltd.", "same words; legal form Ltd. instead of Inc."),
        ("Zephyrine Bakry", "Zephyrine Bakery Inc.", "“bakry” matched with “bakery” (1 letter differs); legal form Inc. added"),
        ("Bio Tech Orlovska", "Biotech Orlovska", "“bio tech” matched with “biotech” (joined or split)"),
        ("Orlovska Bakery", "Bakery Orlovska", "same words; words in a different order"),
        ("Zephyrine Tech", "Zephyrine Technologies", "“tech” matched with “technologies” (abbreviation)"),
        ("Zephyrine Bakery", "Zephyrine Motors", "different trade or place; “bakery” missing; “motors” added"),
        ("Zephyrine Store 12", "Zephyrine Store 21", "number 21 instead of 12; the other words match"),
        ("Orlovska East", "Orlovska West", "“west” is the opposite of “east”; “east” missing; “west” added"),
        ("Canada Holdings", "Canada Holdings Trust", "only common words match (“canada”, “holdings”); “trust” added"),
        ("Zephyrine", "Orlovska", "no distinguishing words match; “zephyrine” missing; “orlovska” added"),
        ("???", "Orlovska", "no letters or digits to compare"),
    ],
)
def test_the_reason_says_what_differs(a: str, b: str, reason: str) -> None:
    assert compared(a, b).reason == reason


def test_every_feature_that_spoke_is_in_the_result() -> None:
    comparison = compared("Orlovska Zephyrine Inc.", "Zephyrine Orlovska Ltd.")
    assert scores(comparison) == {"words": 1.0, "word_order": 0.98, "legal_form": 0.98}
    assert comparison.score == round(0.98 * 0.98, 4)


def test_a_cap_limits_a_name_that_is_otherwise_nearly_the_same() -> None:
    long = "Zephyrine Orlovska Kwiatek Brzoza Lipowa"
    comparison = compared(f"{long} Fund 12", f"{long} Fund 21")
    assert scores(comparison)["words"] > 0.7
    assert comparison.score == scores(comparison)["numbers"] == 0.6


def test_a_number_on_one_side_only_leaves_a_variant() -> None:
    assert compared("Zephyrine Orlovska Kwiatek 2000", "Zephyrine Orlovska Kwiatek").score <= 0.85


def test_a_misspelt_common_word_stays_common() -> None:
    assert compared("Orlovska Constructoin", "Zephyrine Construction").score < 0.25


def test_one_missing_word_costs_less_than_another_word_in_its_place() -> None:
    missing = compared("Orlovska Zephyrine Lodge", "Orlovska Zephyrine").score
    replaced = compared("Orlovska Zephyrine Lodge", "Orlovska Zephyrine Bakery").score
    assert replaced < missing


def test_a_first_letter_weighs_more_than_another() -> None:
    assert compared("Borlovska", "Dorlovska").score < compared("Borlovska", "Borlovsda").score


def test_names_of_many_words_are_compared_in_bounded_time() -> None:
    many = " ".join(f"word{letter}{letter}{other}" for letter in "abcdefgh" for other in "abcdefgh")
    assert compared(many, many[::-1]).score < 0.7
