"""The compiled indexes and estimates of listed names give the answers of the Python ones, to the last bit."""

from array import array
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from random import Random
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bonafide.matching.scoring.tolerance import MAX_TYPOS
from bonafide.matching.screening.listed_vocabulary import WordReading
from bonafide.matching.screening.name_estimates import (
    CompiledNameEstimator,
    EstimateNumbers,
    ListedNamePostings,
    NameEstimates,
    NameWeights,
    NumpyNameEstimator,
    SearchedName,
    SharedWord,
)
from bonafide.matching.screening.spelling_indexes import ANY_LENGTH, PythonOmittedLetterIndex, PythonWordHalfIndex
from bonafide.model.search.match import WordDifference
from bonafide.native import comparison_extension

pytestmark = pytest.mark.skipif(comparison_extension is None, reason="the extension is not compiled")

LETTERS = "abcdeo\u00e9\u0436\u738b\U0001f600"
NUMBERS = EstimateNumbers(1e-4, 0.22, 1.5, 0.13, 0.65, 0.75, 1.3)
DIFFERENCES = (WordDifference.EQUAL, WordDifference.SLIP, WordDifference.INITIAL)
words = st.text(LETTERS, max_size=9)
vocabularies = st.lists(words, unique=True, max_size=40).map(sorted)


@given(vocabularies, st.lists(words, min_size=1, max_size=8), st.integers(0, 5), st.sampled_from([4, 7, ANY_LENGTH]))
def test_the_same_words_share_a_form(listed: list[str], searched: list[str], shortest: int, longest: int) -> None:
    compiled = comparison_extension.OmittedLetterIndex(listed, shortest, longest)  # type: ignore[union-attr] # see `pytestmark`
    reference = PythonOmittedLetterIndex(listed, shortest, longest)
    for word in [*searched, *listed]:
        assert set(compiled.find(word)) == set(reference.find(word))


@given(vocabularies, st.lists(words, min_size=1, max_size=8), st.integers(3, 5))
def test_the_same_words_have_an_equal_half(listed: list[str], searched: list[str], shortest: int) -> None:
    compiled = comparison_extension.WordHalfIndex(listed, shortest)  # type: ignore[union-attr] # see `pytestmark`
    reference = PythonWordHalfIndex(listed, shortest)
    for word in [*searched, *(word + suffix for word in listed for suffix in ("", "ab", "oe"))]:
        assert sorted(compiled.find(word)) == sorted(reference.find(word))
        assert sorted(compiled.find_near(word)) == sorted(reference.find_near(word))
        selected = compiled.select(word, list(range(len(listed))))
        assert selected == reference.select(word, list(range(len(listed))))
        assert set(selected) == set(compiled.find(word))


def test_misspelt_words_are_found_up_to_two_typos() -> None:
    chance = Random(3)  # noqa: S311 - a sample, not a secret
    listed = sorted({"".join(chance.choices("abcdefgh", k=chance.randint(5, 30))) for _ in range(3000)})
    compiled = comparison_extension.WordHalfIndex(listed, 5)  # type: ignore[union-attr] # see `pytestmark`
    reference = PythonWordHalfIndex(listed, 5)
    found = 0
    for word in chance.sample(listed, 300):
        spoilt = word
        for _ in range(MAX_TYPOS + 1):
            at = chance.randrange(len(spoilt))
            spoilt = chance.choice(
                (
                    spoilt[:at] + spoilt[at + 1 :],
                    spoilt[:at] + "x" + spoilt[at:],
                    spoilt[:at] + spoilt[at : at + 2][::-1] + spoilt[at + 2 :],
                )
            )
            assert sorted(compiled.find_near(spoilt)) == sorted(reference.find_near(spoilt))
            found += len(reference.find_near(spoilt)) > 0
    assert found > 300


def create_postings(names: Sequence[Sequence[int]], count: int) -> ListedNamePostings:
    """The postings of names by the numbers of their words; every third word is not distinctive."""
    by_word: list[list[int]] = [[] for _ in range(count)]
    for place, name in enumerate(names):
        for word in set(name):
            by_word[word].append(place)
    distinctive = np.arange(count) % 3 != 1
    return ListedNamePostings(
        np.cumsum([0, *map(len, by_word)]).astype(np.int64),
        np.array([place for places in by_word for place in places], np.int32),
        distinctive,
        np.array([sum(bool(distinctive[word]) for word in set(name)) for name in names], np.float32),
    )


def create_weights(names: Sequence[Sequence[int]], count: int) -> NameWeights:
    of_words = np.array([(0.1, 0.35, 1.0, 0.6, 0.0)[word % 5] for word in range(count)], np.float32)
    sums = np.array([sum(float(of_words[word]) for word in set(name)) for name in names])
    return NameWeights(of_words, sums.astype(np.float32))


@st.composite
def searches(draw: st.DrawFn) -> Callable[[Any], list[NameEstimates]]:
    """A function that gives the estimates of an estimator of this kind for some searches of some names."""
    count = draw(st.integers(1, 12))
    number = st.integers(0, count - 1)
    names = draw(st.lists(st.lists(number, min_size=1, max_size=5), min_size=1, max_size=30))
    of_people = draw(st.booleans())
    score = st.floats(0.0625, 1.0)
    readings = st.lists(st.builds(WordReading, number, score, st.sampled_from(DIFFERENCES)), min_size=1, max_size=6)
    unique = readings.map(lambda found: sorted({one.word: one for one in found}.values(), key=lambda one: (one.score, one.word)))
    shared = st.lists(st.tuples(unique, st.floats(0.0, 1.0), st.booleans()), min_size=1, max_size=6)
    short = st.lists(st.tuples(st.floats(0.1, 1.0), st.lists(number, min_size=1, max_size=3).map(tuple)), max_size=2).map(tuple)
    total = st.floats(0.0, 4.0)
    searched = st.builds(SearchedName, total, total, st.integers(0, 2), st.integers(0, 3), short)
    drawn = draw(st.lists(st.tuples(shared, searched, st.sampled_from([0.0, 0.5, 0.72, 0.82])), min_size=1, max_size=4))
    postings, weights = create_postings(names, count), create_weights(names, count)

    def run(kind: Any) -> list[NameEstimates]:
        estimator = kind(postings, NUMBERS, of_people=of_people)
        return [
            estimator.estimate(
                [SharedWord(estimator.pack(word), weight, is_sufficient) for word, weight, is_sufficient in words],
                described,
                weights,
                floor,
            )
            for words, described, floor in drawn
        ]

    return run


@given(searches())
def test_estimates_are_the_same(run: Callable[[Any], list[NameEstimates]]) -> None:
    assert run(CompiledNameEstimator) == run(NumpyNameEstimator)


def test_threads_get_the_estimates_of_one_thread() -> None:
    chance = Random(5)  # noqa: S311 - a sample, not a secret
    names = [chance.choices(range(60), k=3) for _ in range(40_000)]
    estimator = CompiledNameEstimator(create_postings(names, 60), NUMBERS, of_people=True)
    weights = create_weights(names, 60)
    packed = [estimator.pack([WordReading(word, 0.9, WordDifference.SLIP), WordReading(59 - word, 1.0, WordDifference.EQUAL)])
              for word in range(30)]  # fmt: skip

    def search(first: int) -> NameEstimates:
        # Some of these have so many postings that they are searched without the GIL.
        shared = [SharedWord(packed[(first + step) % 30], 1.0, is_sufficient=step == 0) for step in range(2 + 12 * (first % 2))]
        return estimator.estimate(shared, SearchedName(3.0, 3.0, 0, 0), weights, 0.3)

    expected = [search(first) for first in range(30)]
    assert all(len(found[0]) > 0 for found in expected)
    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(search, list(range(30)) * 4)) == expected * 4


@pytest.mark.parametrize(
    ("starts", "names"),
    [([0, 3], [0, 1]), ([0, 2, 1, 2], [0, 1]), ([1, 2], [0, 1]), ([0, 2], [0, 2]), ([0, 2], [0, -1]), ([], [])],
)
def test_damaged_postings_are_refused(starts: list[int], names: list[int]) -> None:
    postings = ListedNamePostings(
        np.array(starts, np.int64), np.array(names, np.int32), np.ones(max(len(starts) - 1, 0), np.bool_), np.ones(2, np.float32)
    )
    with pytest.raises(ValueError, match="damaged"):
        CompiledNameEstimator(postings, NUMBERS, of_people=True)


def test_arrays_of_another_type_or_length_are_refused() -> None:
    postings, weights = create_postings([[0], [0, 1]], 2), create_weights([[0], [0, 1]], 2)
    wrong = replace(postings, names=postings.starts)  # type: ignore[arg-type] # what is tested
    with pytest.raises(ValueError, match="type"):
        CompiledNameEstimator(wrong, NUMBERS, of_people=True)
    estimator = CompiledNameEstimator(postings, NUMBERS, of_people=True)
    shared = [SharedWord(estimator.pack([WordReading(1, 1.0, WordDifference.EQUAL)]), 1.0, is_sufficient=True)]
    searched = SearchedName(1.0, 1.0, 0, 0)
    assert estimator.estimate(shared, searched, weights, 0.0)[0] == [1]
    with pytest.raises(ValueError, match="length"):
        estimator.estimate(shared, searched, NameWeights(weights.words, weights.names[:1]), 0.0)
    with pytest.raises(ValueError, match="no such word"):
        estimator.estimate([SharedWord(array("i", [2, 0, 0]).tobytes(), 1.0, is_sufficient=True)], searched, weights, 0.0)
    halves = comparison_extension.WordHalfIndex(["abcde"], 5)  # type: ignore[union-attr] # see `pytestmark`
    with pytest.raises(ValueError, match="no such word"):
        halves.select("abcde", [1])
    with pytest.raises(ValueError, match="no such word"):
        estimator.estimate(shared, SearchedName(1.0, 1.0, 0, 0, ((1.0, (-1,)),)), weights, 0.0)
