"""What holds for every text and every set of names."""

import math
from collections import Counter
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from index_samples import made_up_names, named, scores
from rapidfuzz.distance import OSA

from bonafide.index import Segment
from bonafide.index.deletions import Deletions, write_deletions
from bonafide.index.files import SegmentWriter, read_files
from bonafide.index.score import SCORE_FLOOR
from bonafide.index.spelling import Speller, allowed_edits
from bonafide.index.tokens import index_tokens, is_number
from bonafide.index.vocabulary import Vocabulary, write_vocabulary
from bonafide.matching.names import normalise

# Two letters: too short for slips, completions and splits, so that only exact words count.
SHORT_WORDS = ("ba", "ce", "dy", "fo", "gu", "hy", "ji", "ko", "lu", "mo")
names_of_short_words = st.lists(st.sampled_from(SHORT_WORDS), min_size=1, max_size=5, unique=True).map(" ".join)
words_of_few_letters = st.one_of(st.text("abcd", min_size=1, max_size=14), st.text("019", min_size=1, max_size=14))


@pytest.fixture(scope="module")
def register(tmp_path_factory: pytest.TempPathFactory) -> Segment:
    return named(tmp_path_factory.mktemp("register"), *made_up_names(300))


@given(st.text(max_size=300))
def test_no_text_makes_a_search_fail(register: Segment, text: str) -> None:
    assert all(SCORE_FLOOR <= hit.score <= 1 for hit in register.search(normalise(text), 50))


@given(st.text(max_size=60))
def test_no_text_makes_a_completion_or_a_lookup_fail(register: Segment, text: str) -> None:
    assert all(0 <= hit.score <= 1 for hit in register.complete(text, 50))
    assert register.lookup(text) == []


@given(st.lists(st.text(max_size=40), max_size=8))
@settings(deadline=None, max_examples=40)
def test_every_indexed_name_finds_itself_with_score_one(names: list[str]) -> None:
    with TemporaryDirectory() as folder:
        segment = named(Path(folder), *names)
        for number, name in enumerate(names):
            if index_tokens(normalise(name)):
                assert scores(segment, name)[number] == 1.0


@given(st.lists(names_of_short_words, min_size=1, max_size=30), st.lists(names_of_short_words, min_size=1, max_size=10))
@settings(deadline=None, max_examples=25)
def test_exact_words_score_as_a_comparison_with_every_name_would(names: list[str], queries: list[str]) -> None:
    frequencies = Counter(word for name in names for word in name.split())

    def weight(words: set[str]) -> int:
        return sum(round(math.log1p(len(names) / frequencies.get(word, 1)) * 1000) for word in words)

    def expected(query: str, name: str) -> float:
        asked, held = set(query.split()), set(name.split())
        return weight(asked & held) / (0.6 * weight(asked) + 0.4 * weight(held))

    with TemporaryDirectory() as folder:
        segment = named(Path(folder), *names)
        for query in queries:
            wanted = {number: score for number, name in enumerate(names) if (score := expected(query, name)) >= SCORE_FLOOR}
            assert scores(segment, query) == pytest.approx(wanted)


@given(st.sets(words_of_few_letters, max_size=40), st.lists(words_of_few_letters, min_size=1, max_size=10, unique=True))
@settings(deadline=None, max_examples=50)
def test_near_words_are_those_that_a_comparison_with_every_word_would_find(vocabulary: set[str], asked: list[str]) -> None:
    ordered = sorted(vocabulary)
    known = [word for word in asked if word in vocabulary]
    wanted = {
        (place, number, distance)
        for place, word in enumerate(asked)
        for number, other in enumerate(ordered)
        if 0 < (distance := OSA.distance(word, other)) <= allowed_edits(word, known=word in known)
        and is_number(word) == is_number(other)
    }
    with TemporaryDirectory() as folder:
        speller, _ = _spelling(Path(folder), ordered)
        assert set(speller.near(asked, known)) == wanted


@given(st.sets(st.text("aé大z0", min_size=1, max_size=20), max_size=40), st.lists(st.text("aé大z0", min_size=1, max_size=20)))
@settings(deadline=None, max_examples=40)
def test_words_and_starts_of_words_are_found_in_any_script(vocabulary: set[str], asked: list[str]) -> None:
    ordered = sorted(vocabulary)
    with TemporaryDirectory() as folder:
        _, words = _spelling(Path(folder), ordered)
        assert words.find(asked) == {word: ordered.index(word) for word in asked if word in vocabulary}
        for prefix, tokens in zip(asked, words.starting_with(asked), strict=True):
            assert [ordered[token] for token in tokens] == [word for word in ordered if word.startswith(prefix)]


def _spelling(folder: Path, words: list[str]) -> tuple[Speller, Vocabulary]:
    writer = SegmentWriter(folder)
    write_vocabulary(writer, words, np.ones(len(words), np.int64))
    write_deletions(writer, words)
    with writer.stream("payload.bin"):
        pass
    writer.finish({})
    arrays = read_files(folder).arrays
    vocabulary = Vocabulary.read(arrays)
    return Speller(vocabulary, Deletions(arrays)), vocabulary
