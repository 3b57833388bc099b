"""Labelled pairs: the rules that make them, and how well the score tells one business from two on a smaller, fixed sample."""

import pytest

from bonafide.matching.scoring.word_rarity import STATIC_RARITY
from bonafide_bench.datasets import different_pairs, same_pairs
from bonafide_bench.datasets.labelled_pairs import LabelledPair, create_labelled_pairs
from bonafide_bench.measurements.match import (
    ScoredPair,
    create_unregistered_names,
    evaluate_threshold,
    find_best_threshold,
    score_pairs,
)

OF_A_CATEGORY = 40
LEAST_F1, LEAST_RECALL, MOST_FALSE = 0.95, 0.85, 0.05
"""At the best threshold, of all pairs, and at 0.7 of each category."""
HARD = frozenset({"near surname"})
"""Robert Plumbing and Roberts Plumbing: only counts of the loaded registers tell two surnames from a slip."""


@pytest.fixture(scope="module")
def scored() -> list[ScoredPair]:
    return score_pairs(create_labelled_pairs(OF_A_CATEGORY), STATIC_RARITY)


def test_the_same_pairs_are_made_every_time_and_fewer_are_the_first_of_more() -> None:
    few = create_labelled_pairs(3)
    assert few == create_labelled_pairs(3)
    more = create_labelled_pairs(6)
    for category in {pair.category for pair in few}:
        own = [[pair for pair in pairs if pair.category == category] for pairs in (few, more)]
        assert own[1][:3] == own[0]


def test_every_category_has_as_many_pairs_of_two_different_texts() -> None:
    pairs = create_labelled_pairs(5)
    assert all(pair.a != pair.b for pair in pairs)
    assert len(pairs) == 5 * (len(same_pairs.RULES) + len(different_pairs.RULES))
    assert {pair.same for pair in pairs} == {True, False}


def test_the_score_tells_one_business_from_two(scored: list[ScoredPair]) -> None:
    best = find_best_threshold(scored)
    assert best.f1 >= LEAST_F1, best
    assert best.threshold < 0.85


def test_what_scores_as_the_same_name_is_hardly_ever_another(scored: list[ScoredPair]) -> None:
    assert evaluate_threshold(scored, 0.95).precision >= 0.99


@pytest.mark.parametrize("category", same_pairs.RULES)
def test_pairs_of_one_business_are_found_whatever_the_rule(scored: list[ScoredPair], category: str) -> None:
    own = [item for item in scored if item.pair.category == category]
    missed = [item for item in own if item.score < 0.7]
    assert 1 - len(missed) / len(own) >= LEAST_RECALL, missed


@pytest.mark.parametrize("category", sorted(set(different_pairs.RULES) - HARD))
def test_pairs_of_two_businesses_are_kept_apart_whatever_the_rule(scored: list[ScoredPair], category: str) -> None:
    own = [item for item in scored if item.pair.category == category]
    false = [item for item in own if item.score >= 0.7]
    assert len(false) / len(own) <= MOST_FALSE, false


def test_decisions_are_counted_as_they_are_defined() -> None:
    def pair(score: float, *, same: bool) -> ScoredPair:
        return ScoredPair(LabelledPair("a", "b", same, "made"), score)

    scored = [pair(0.9, same=True), pair(0.8, same=False), pair(0.75, same=True), pair(0.4, same=True)]
    found = evaluate_threshold(scored, 0.75)
    assert (found.precision, found.recall) == (2 / 3, 2 / 3)
    assert found.f1 == pytest.approx(2 / 3)
    assert evaluate_threshold(scored, 1.0).precision == 0
    assert find_best_threshold(scored).threshold == 0.7


def test_strangers_are_the_first_of_a_longer_list_of_their_register() -> None:
    names = create_unregistered_names(30)
    assert len(names) == len(set(names)) == 30
    assert names == create_unregistered_names(30)
