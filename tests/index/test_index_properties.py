"""What holds for every text and every set of names."""

import math
from collections import Counter
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from rapidfuzz import fuzz
from rapidfuzz.distance import OSA

from bonafide.index import IndexSegment, create_business_query
from bonafide.index.format.deletion_index import DeletionIndex, write_deletions
from bonafide.index.format.segment_files import SegmentWriter, open_segment_files, select_field_arrays
from bonafide.index.format.vocabulary import SegmentVocabulary, write_vocabulary
from bonafide.index.format.word_list import is_number, sort_words
from bonafide.index.search.scoring import SCORE_FLOOR
from bonafide.index.search.spelling import SearchDepth, SpellingMatcher, count_allowed_edits
from bonafide.matching.entries.index_terms import select_index_words
from bonafide.matching.names.normalization import normalise
from tests.support.index.registers import made_up_names, named, scores
from tests.support.sampling import examples

# Two letters: too short for slips, completions and splits, so that only exact words count.
SHORT_WORDS = ("ba", "ce", "dy", "fo", "gu", "hy", "ji", "ko", "lu", "mo")
names_of_short_words = st.lists(st.sampled_from(SHORT_WORDS), min_size=1, max_size=5, unique=True).map(" ".join)
words_of_few_letters = st.one_of(st.text("abcd", min_size=1, max_size=14), st.text("019", min_size=1, max_size=14))


@pytest.fixture(scope="module")
def register(tmp_path_factory: pytest.TempPathFactory) -> IndexSegment:
    return named(tmp_path_factory.mktemp("register"), *made_up_names(300))


@given(st.text(max_size=300))
def test_no_text_makes_a_search_fail(register: IndexSegment, text: str) -> None:
    assert all(0 < hit.score <= 1 for hit in register.search(create_business_query(text), 50))


@given(st.text(max_size=60))
def test_no_text_makes_a_completion_or_a_lookup_fail(register: IndexSegment, text: str) -> None:
    assert all(0 <= hit.score <= 1 for hit in register.complete(text, 50))
    assert register.lookup(text) == []


@pytest.mark.slow
@given(st.lists(st.text(max_size=40), max_size=8))
@examples(40)
def test_every_indexed_name_finds_itself_with_score_one(names: list[str]) -> None:
    with TemporaryDirectory() as folder:
        segment = named(Path(folder), *names)
        for number, name in enumerate(names):
            if select_index_words(normalise(name)):
                assert scores(segment, name)[number] == 1.0


@pytest.mark.slow
@given(st.lists(names_of_short_words, min_size=1, max_size=30), st.lists(names_of_short_words, min_size=1, max_size=10))
@examples(25)
def test_exact_words_score_as_a_comparison_with_every_name_would(names: list[str], queries: list[str]) -> None:
    frequencies = Counter(word for name in names for word in name.split())

    def weight(words: set[str]) -> int:
        return sum(round(math.log1p(len(names) / frequencies.get(word, 1)) * 1000) for word in words)

    def on_words(query: str, name: str) -> float:
        asked, held = set(query.split()), set(name.split())
        return weight(asked & held) / (0.6 * weight(asked) + 0.4 * weight(held))

    def expected(query: str, name: str) -> float:
        score = on_words(query, name)
        return 1 if score == 1 else 0.7 * score + 0.15 * (fuzz.ratio(query, name) + fuzz.token_sort_ratio(query, name)) / 100

    with TemporaryDirectory() as folder:
        segment = named(Path(folder), *names)
        for query in queries:
            wanted = {number: expected(query, name) for number, name in enumerate(names) if on_words(query, name) >= SCORE_FLOOR}
            assert scores(segment, query) == pytest.approx(wanted)


@pytest.mark.slow
@given(st.lists(names_of_short_words, min_size=1, max_size=30), names_of_short_words, st.randoms(use_true_random=False))
@examples(25)
def test_the_order_of_words_changes_a_score_by_less_than_a_word_does(names: list[str], query: str, chance: Random) -> None:
    words = query.split()
    chance.shuffle(words)
    with TemporaryDirectory() as folder:
        segment = named(Path(folder), *names)
        straight, shuffled = scores(segment, query), scores(segment, " ".join(words))
    assert straight.keys() == shuffled.keys()
    assert {number for number, score in straight.items() if score == 1} == {
        number for number, score in shuffled.items() if score == 1
    }
    assert all(abs(straight[number] - shuffled[number]) <= 0.15 for number in straight)


@pytest.mark.slow
@given(names_of_short_words, st.lists(names_of_short_words, min_size=1, max_size=30), st.integers(1, 40))
@examples(25)
def test_a_lower_limit_only_cuts_the_end(query: str, names: list[str], limit: int) -> None:
    with TemporaryDirectory() as folder:
        segment = named(Path(folder), *names)
        assert segment.search(create_business_query(query), limit) == segment.search(create_business_query(query), 1000)[:limit]


@given(st.sets(words_of_few_letters, min_size=1, max_size=40), st.lists(words_of_few_letters, min_size=1, max_size=10, unique=True))
@examples(50)
def test_near_words_are_those_that_a_comparison_with_every_word_would_find(vocabulary: set[str], asked: list[str]) -> None:
    ordered = sorted(vocabulary)
    edits = [count_allowed_edits(word, int(word in vocabulary), SearchDepth.LIKELY) for word in asked]
    wanted = {
        (place, number, distance)
        for place, word in enumerate(asked)
        for number, other in enumerate(ordered)
        if 0 < (distance := OSA.distance(word, other)) <= edits[place] and is_number(word) == is_number(other)
    }
    with TemporaryDirectory() as folder:
        speller, _ = _spelling(Path(folder), ordered)
        near = speller.near(asked, edits)
        assert set(zip(near.places, near.tokens, near.slips, strict=True)) == wanted


@given(
    st.sets(st.text("aé大z0", min_size=1, max_size=20), min_size=1, max_size=40),
    st.lists(st.text("aé大z0", min_size=1, max_size=20)),
)
@examples(40)
def test_words_and_starts_of_words_are_found_in_any_script(vocabulary: set[str], asked: list[str]) -> None:
    ordered = sorted(vocabulary)
    with TemporaryDirectory() as folder:
        _, words = _spelling(Path(folder), ordered)
        assert words.find(asked) == {word: ordered.index(word) for word in asked if word in vocabulary}
        for prefix, tokens in zip(asked, words.starting_with(asked), strict=True):
            assert [ordered[token] for token in tokens] == [word for word in ordered if word.startswith(prefix)]


def _spelling(folder: Path, words: list[str]) -> tuple[SpellingMatcher, SegmentVocabulary]:
    writer = SegmentWriter(folder)
    ordered, _ = sort_words(words)
    write_vocabulary(writer.within("field"), ordered, np.ones(len(words), np.int64))
    write_deletions(writer.within("field"), ordered)
    with writer.stream("payload.bin"):
        pass
    writer.finish({})
    arrays = select_field_arrays(open_segment_files(folder).arrays, "field")
    vocabulary = SegmentVocabulary.read(arrays)
    return SpellingMatcher(vocabulary, DeletionIndex(arrays)), vocabulary
