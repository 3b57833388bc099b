"""The cache of postings: bounded by bytes, and no reason to keep an index that has been replaced."""

from weakref import ref

import pytest

from bonafide.matching.scoring.tolerance import Tolerance
from bonafide.matching.screening.candidate_names import CandidateNames
from bonafide.matching.screening.word_cache import ENTRY_BYTES, WordCache

NAMES = [(f"{first}ovska", f"{last}enko") for first in ("Orl", "Zof", "Marl") for last in ("Kwiat", "Strou", "Farr")]
TOLERANCE = Tolerance()


@pytest.mark.usefixtures("no_collection")
def test_names_that_were_searched_are_freed_with_their_last_reference() -> None:
    names = CandidateNames(NAMES, (), of_people=True)
    assert len(names.search(NAMES[0], 0.85, TOLERANCE).names) > 0
    kept = ref(names)
    del names
    assert kept() is None


def test_the_cache_keeps_what_was_used_last() -> None:
    computed: list[str] = []

    def compute(word: str) -> int:
        computed.append(word)
        return len(word)

    def get(word: str) -> int:
        return cache.get(word, lambda: compute(word))

    cache: WordCache[int] = WordCache(2 * ENTRY_BYTES + 8, measure=lambda value: value)
    assert [get(word) for word in ("one", "two", "one", "three", "two")] == [3, 3, 3, 5, 3]
    assert computed == ["one", "two", "three", "two"]
    assert len(cache) == 2


def test_a_value_that_is_larger_than_the_cache_is_not_kept() -> None:
    cache: WordCache[int] = WordCache(ENTRY_BYTES, measure=lambda value: value)
    assert cache.get("one", lambda: 1) == 1
    assert len(cache) == 0


def test_a_search_gives_the_same_with_and_without_the_cache() -> None:
    first, again = CandidateNames(NAMES, (), of_people=True), CandidateNames(NAMES, (), of_people=True)
    for words in (*NAMES, *NAMES):
        held, fresh = first.search(words, 0.7, TOLERANCE), again.search(words, 0.7, TOLERANCE)
        assert held == fresh
        again = CandidateNames(NAMES, (), of_people=True)
