"""Draws depend on seed, index and purpose alone, and have the frequencies that they are asked for."""

import numpy as np
import pytest

from bonafide_sandbox.generator.seeded_random import SeededRandom
from bonafide_sandbox.generator.weighted_choice import CumulativeWeights

INDICES = np.arange(20_000)


def test_a_draw_does_not_depend_on_what_else_is_drawn() -> None:
    all_of_them = SeededRandom.of(1, INDICES).bits("street")
    some = SeededRandom.of(1, INDICES[5_000:5_003])
    some.bits("city")

    assert some.bits("street").tolist() == all_of_them[5_000:5_003].tolist()


@pytest.mark.parametrize("other", [SeededRandom.of(2, INDICES).bits("street"), SeededRandom.of(1, INDICES).bits("city")])
def test_another_seed_or_purpose_gives_other_draws(other: np.ndarray) -> None:
    assert not np.intersect1d(SeededRandom.of(1, INDICES).bits("street"), other).size


def test_units_are_spread_evenly_from_0_to_1() -> None:
    units = SeededRandom.of(1, INDICES).unit("door")

    assert units.min() >= 0
    assert units.max() < 1
    counts, _ = np.histogram(units, bins=20, range=(0, 1))
    assert np.all(abs(counts - 1_000) < 150)


def test_a_zipf_rank_is_below_its_bound_and_the_first_is_the_most_frequent() -> None:
    ranks = SeededRandom.of(1, INDICES).zipf("surname", 500, 10)

    counts = np.bincount(ranks)
    assert ranks.max() < 500
    assert counts[0] > counts[10] > counts[200]
    assert counts[0] / counts[10] == pytest.approx(2, rel=0.35)


def test_things_of_one_row_have_draws_of_their_own() -> None:
    repeated = SeededRandom.of(1, INDICES[:3]).repeat(np.array([2, 0, 3]))

    assert len(set(repeated.bits("name").tolist())) == 5
    alone = SeededRandom.of(1, INDICES[2:3]).repeat(np.array([3]))
    assert repeated.bits("name").tolist()[2:] == alone.bits("name").tolist()


def test_a_weighted_choice_stays_in_its_table_and_keeps_its_weights() -> None:
    weights = CumulativeWeights.of([[1, 3], [5], [0, 2, 2]])
    draws = SeededRandom.of(1, INDICES)

    assert set(weights.pick(1, draws.unit("x")).tolist()) == {2}
    third = np.bincount(weights.pick(2, draws.unit("x")), minlength=6)
    assert third[3] == 0
    assert third[4] == pytest.approx(third[5], rel=0.1)
    assert np.mean(weights.pick(0, draws.unit("x")) == 1) == pytest.approx(0.75, abs=0.02)


def test_the_last_unit_before_1_is_still_in_its_table() -> None:
    weights = CumulativeWeights.of([[1.0]] * 14)

    assert weights.pick(np.arange(14), np.full(14, 1 - 2**-53)).tolist() == list(range(14))
