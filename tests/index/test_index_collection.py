"""What a build collects in bounded memory is the same as what it would hold in memory."""

from contextlib import closing
from pathlib import Path

import numpy as np
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bonafide.concurrency.executors import count_processors
from bonafide.index.build.batch_reader import ReadField, WordNumbering
from bonafide.index.build.batches import CollectedField, SpooledArray
from bonafide.index.build.process_pool import ReaderPool

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
def test_words_that_are_put_aside_are_sorted_with_the_others(tmp_path: Path, batches: list[list[str]], most_held: int) -> None:
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
    for others in range(processors + 2):
        assert ReaderPool.beside(others).readers == min(max(processors - 1 - others, 0), ReaderPool().readers)
