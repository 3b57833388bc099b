"""Hashes of many texts at once are those of each text alone, and tables built of them find what was put in."""

from itertools import pairwise
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from rapidfuzz.distance import OSA

from bonafide.index.format.hash_table import HashTable, hash_rows, hash_texts, write_hash_table
from bonafide.index.format.jagged_arrays import compute_offsets
from bonafide.index.format.segment_files import SegmentWriter
from bonafide.index.format.word_list import generate_number_edits
from tests.support.sampling import examples


@given(st.lists(st.text(st.characters())))
def test_a_text_has_the_same_hash_in_any_company(texts: list[str]) -> None:
    assert hash_texts(texts).tolist() == [hash_texts([text])[0] for text in texts]


@given(st.sets(st.text(st.characters()), max_size=50))
def test_different_texts_have_different_hashes(texts: set[str]) -> None:
    assert len(set(hash_texts(list(texts)).tolist())) == len(texts)


def test_consecutive_numbers_spread_evenly() -> None:
    hashes = hash_texts([str(number) for number in range(1_000_000, 1_200_000)])
    assert len(np.unique(hashes)) == 200_000
    for shift in (0, 20, 48):
        counts = np.bincount((hashes >> np.uint64(shift) & np.uint64(1023)).astype(np.int64), minlength=1024)
        assert 100 < counts.min() <= counts.max() < 300


def test_long_rows_and_short_ones_are_hashed_alike() -> None:
    lengths = np.array([3, 100_000, 0, 1, 40_000, 0, 0])
    offsets = compute_offsets(lengths)
    content = np.random.default_rng(1).integers(0, 256, offsets[-1]).astype(np.uint8)
    alone = [int(hash_rows(content[start:stop], np.array([0, stop - start]))[0]) for start, stop in pairwise(offsets.tolist())]
    assert hash_rows(content, offsets).tolist() == alone


@given(st.lists(st.tuples(st.integers(0, 2**64 - 1), st.integers(0, 2**32 - 1)), max_size=200), st.integers(0, 2**64 - 1))
@examples(50)
def test_a_table_finds_what_was_put_in(pairs: list[tuple[int, int]], other: int) -> None:
    hashes, ids = np.array([pair[0] for pair in pairs], np.uint64), np.array([pair[1] for pair in pairs], np.uint32)
    with TemporaryDirectory() as folder:
        writer = SegmentWriter(Path(folder))
        write_hash_table(writer.within("f"), "t", len(pairs), [(hashes[:50], ids[:50]), (hashes[50:], ids[50:])])
        arrays = {path.stem.removeprefix("f."): np.load(path) for path in Path(folder).iterdir()}
    places, found = HashTable(arrays, "t").find(np.append(hashes, np.uint64(other)))
    assert set(zip(range(len(pairs)), ids.tolist(), strict=True)) <= set(zip(places.tolist(), found.tolist(), strict=True))


@given(st.from_regex(r"[0-9a-c]{0,4}[0-9][0-9a-c]{0,4}", fullmatch=True), st.from_regex(r"[0-9]{1,8}", fullmatch=True))
def test_slips_in_a_number_are_all_numbers_at_a_distance_of_one(number: str, other: str) -> None:
    slips = generate_number_edits(number)
    assert {OSA.distance(number, slip) for slip in slips} == {1}
    assert (OSA.distance(number, other) == 1) == (other in slips)
