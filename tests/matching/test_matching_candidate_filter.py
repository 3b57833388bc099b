"""Candidates are excluded before they are compared only if the comparison would reject them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bonafide.matching.names.business_name_comparison import compare_above, create_candidate_filters
from bonafide.matching.names.candidate_filter import CandidateFilter, may_be_paired
from bonafide.matching.names.normalization import normalise
from bonafide.matching.scoring.word_rarity import STATIC_RARITY, WordRarity
from bonafide.matching.scoring.word_similarity import compare_words
from tests.support.matching.name_pairs import BUSINESSES

NAMES = sorted({name for _, a, b in BUSINESSES for name in (a, b)})
WORDS = sorted({word for name in NAMES for word in normalise(name).tokens})
LETTERS = st.text(alphabet="abcdlmnrsvw10", min_size=1, max_size=9)
words = st.sampled_from(WORDS) | LETTERS
names = st.sampled_from(NAMES) | st.lists(words, max_size=6).map(" ".join)
floors = st.sampled_from([0.3, 0.5, 0.7, 0.85, 0.95, 1.0])
rarities = st.sampled_from([STATIC_RARITY, WordRarity(50_000, dict.fromkeys(WORDS, 900))])


def create_filter(name: str, rarity: WordRarity = STATIC_RARITY) -> CandidateFilter:
    (found,) = create_candidate_filters([normalise(name)], rarity)
    return found


@given(names, st.lists(names, max_size=6), floors, rarities)
def test_what_is_excluded_scores_less_than_the_floor(
    requested: str, candidates: list[str], floor: float, rarity: WordRarity
) -> None:
    excluding = create_filter(requested, rarity)
    for candidate in map(normalise, candidates):
        if excluding.excludes(candidate, floor):
            assert compare_above(normalise(requested), candidate, rarity, floor) is None


@given(names, words, st.integers(0, 5), floors)
def test_a_name_with_another_word_is_not_excluded_unless_it_scores_less(
    requested: str, word: str, place: int, floor: float
) -> None:
    tokens = requested.split()
    candidate = normalise(" ".join([*tokens[:place], word, *tokens[place + 1 :]]))
    if create_filter(requested).excludes(candidate, floor):
        assert compare_above(normalise(requested), candidate, STATIC_RARITY, floor) is None


@given(words, words)
def test_similar_words_may_be_paired(one: str, other: str) -> None:
    if one != other and compare_words(one, other) is not None:
        assert may_be_paired(one, other)
        assert may_be_paired(other, one)


@pytest.mark.parametrize(
    ("requested", "candidate"),
    [
        ("Zephyrine Bakery Inc.", "Zephyrine Bakery Ltd."),
        ("Zephyrine Bakery", "Zephirine Bakery"),
        ("North ern Lights", "Northern Lights"),
        ("Bio Tech Orlov", "Biotech Orlov"),
        ("Zephyrine Harbour Trust", "ZHT"),
        ("CRA", "Agence du revenu du Canada"),
    ],
)
def test_other_readings_of_a_name_are_compared(requested: str, candidate: str) -> None:
    assert not create_filter(requested).excludes(normalise(candidate), 0.5)
    assert not create_filter(candidate).excludes(normalise(requested), 0.5)


def test_a_name_that_shares_a_common_word_is_excluded() -> None:
    excluding = create_filter("Zephyrine Bakery")
    assert excluding.excludes(normalise("Orlovska Bakery"), 0.7)
    assert excluding.excludes(normalise("Kwiatek Bakery Holdings"), 0.5)
    assert not excluding.excludes(normalise("Orlovska Bakery"), 0.1)
