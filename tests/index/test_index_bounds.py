"""The bounds on what a name shares and holds say exactly which names can reach a score."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bonafide.index.search.scoring import compute_best_score, compute_max_held, compute_min_shared, compute_scores

amounts = st.integers(1, 100_000)
thresholds = st.floats(0.3, 0.99)


def score_of(shared: float, held: float, query: int) -> float:
    return float(compute_scores(np.array([float(shared)]), np.array([float(held)]), query)[0])


@given(amounts, amounts, amounts, thresholds)
def test_a_name_that_reaches_a_score_is_within_the_bounds(shared: int, more: int, query: int, threshold: float) -> None:
    shared = min(shared, query)
    held = shared + more
    if score_of(shared, held, query) >= threshold:
        assert shared >= compute_min_shared(threshold, query) - 1e-6
        assert held <= compute_max_held(shared, threshold, query) + 1e-6
    else:
        assert held > compute_max_held(shared, threshold, query) - 1e-6


@given(amounts, thresholds)
def test_a_name_of_the_least_that_must_be_shared_just_reaches_the_score(query: int, threshold: float) -> None:
    shared = compute_min_shared(threshold, query)
    assert score_of(shared, shared, query) == pytest.approx(threshold)
    assert compute_max_held(shared, threshold, query) == pytest.approx(shared)


@given(amounts, amounts)
def test_no_name_scores_more_than_one_that_holds_only_what_it_shares(shared: int, query: int) -> None:
    shared = min(shared, query)
    assert score_of(shared, shared, query) == pytest.approx(compute_best_score(shared, query))
    assert score_of(shared, shared + 1, query) < compute_best_score(shared, query)


@given(amounts)
def test_only_what_is_equal_scores_one(query: int) -> None:
    assert score_of(query, query, query) == 1
    assert score_of(query, query + 1, query) < 1
    assert score_of(query - 1, query, query) < 1
