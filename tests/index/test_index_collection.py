"""What a build collects of the documents, in memory or in temporary files."""

from contextlib import closing
from pathlib import Path

import numpy as np
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from bonafide.concurrency.executors import count_processors
from bonafide.index.build.batch_reader import ReadField, TextBatch, WordNumbering, read_batch
from bonafide.index.build.batches import CollectedField, SpooledArray
from bonafide.index.build.process_pool import MAX_READERS, ReaderPool
from bonafide.index.format.hash_table import hash_texts
from bonafide.matching.identifiers.number_matching import build_number_keys

BATCHES = st.lists(
    st.lists(st.sampled_from(["acme", "zephyrine", "zephyrines", "é", "éa", "12345678", "123456789", "a"]), min_size=1), max_size=8
)


def read_words(words: list[str]) -> ReadField:
    """A text of these words."""
    distinct = list(dict.fromkeys(words))
    return ReadField(
        count=1,
        places=np.zeros(1, np.uint32),
        distinct=" ".join(distinct),
        words=np.array([distinct.index(word) for word in words], np.uint32),
        lengths=np.array([len(words)], np.uint8),
        typed=" ".join(words).encode(),
        typed_lengths=np.array([len(" ".join(words).encode())], np.uint16),
    )


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(batches=BATCHES, most_held=st.integers(0, 9))
def test_stored_words_are_sorted_with_the_others(tmp_path: Path, batches: list[list[str]], most_held: int) -> None:
    with closing(CollectedField(tmp_path)) as collected:
        collected.numbering = WordNumbering(most_held)
        for words in batches:
            collected.add(read_words(words))
        found, places = collected.sorted_words()
    given_words = [word for batch in batches for word in batch]
    assert found.strings() == sorted(set(given_words), key=str.encode)
    assert [found.strings()[place] for place in places.tolist()] == given_words


def test_a_spooled_array_is_read_from_its_file(tmp_path: Path) -> None:
    pieces = [np.arange(start, start + 100_000, dtype=np.uint32) for start in range(0, 500_000, 100_000)]
    with closing(SpooledArray(np.uint32, tmp_path)) as array:
        for piece in pieces:
            array.extend(piece)
        assert len(array) == 500_000
        assert np.array_equal(array.joined(), np.arange(500_000))
    assert list(tmp_path.iterdir()) == []


def test_each_process_has_a_processor() -> None:
    processors = count_processors()
    assert ReaderPool.create_beside(0) == ReaderPool()
    for others in range(processors + 2):
        readers = ReaderPool.create_beside(others).readers
        assert 0 <= readers <= MAX_READERS
        assert readers == 0 or readers + 1 + others <= processors
        assert readers > 0 or 1 + others >= processors


@given(st.lists(st.text("0123456789", max_size=10) | st.text("０²09AB-. ", max_size=8), max_size=8))
@example(["0", "00", "012345674", "123456782", "1234567", ""])
def test_numbers_are_read_by_their_keys(numbers: list[str]) -> None:
    read = read_batch(TextBatch(numbers=numbers)).numbers
    keys = [(place, key) for place, number in enumerate(numbers) for key in sorted(build_number_keys(number))]
    assert read.count == len(numbers)
    assert read.places.tolist() == [place for place, _ in keys]
    assert read.hashes.tolist() == hash_texts([key for _, key in keys]).tolist()
