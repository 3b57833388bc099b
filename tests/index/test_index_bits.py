"""Rows of bits count as sets do."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from bonafide.index.search.bitsets import Bitset, intersect_at_least, intersect_bitsets, iterate_members

NAMES = 300
sets_of_names = st.lists(st.sets(st.integers(0, NAMES - 1)), min_size=1, max_size=6)
windows = st.tuples(st.integers(0, NAMES), st.integers(0, NAMES)).map(lambda bounds: (min(bounds), max(bounds)))


def row(names: set[int]) -> Bitset:
    flags = np.zeros(-(-NAMES // 64) * 64, np.bool_)
    flags[list(names)] = True
    return np.packbits(flags, bitorder="little").view(np.uint64)


def members(bits: Bitset, window: tuple[int, int]) -> set[int]:
    """The names of a set that are in the window; some beside it may come along."""
    found = [name for piece in iterate_members(bits, window, NAMES) for name in piece.tolist()]
    assert found == sorted(found)
    return {name for name in found if window[0] <= name < window[1]}


@given(sets_of_names, windows)
def test_names_in_all_sets_are_their_intersection(sets: list[set[int]], window: tuple[int, int]) -> None:
    wanted = set.intersection(*sets) & set(range(*window))
    assert members(intersect_bitsets(list(map(row, sets)), window), window) == wanted


@given(sets_of_names, windows)
def test_names_in_so_many_sets_are_those_that_so_many_hold(sets: list[set[int]], window: tuple[int, int]) -> None:
    reached = intersect_at_least(list(map(row, sets)), window)
    assert len(reached) == len(sets)
    for least, bits in enumerate(reached, start=1):
        assert members(bits, window) == {name for name in range(*window) if sum(name in held for held in sets) >= least}


def test_no_more_is_read_of_a_set_than_was_asked_for_and_a_piece_of_it() -> None:
    bits = np.full(20_000, 2**64 - 1, np.uint64)
    assert sum(map(len, iterate_members(bits, (0, 20_000 * 64), 10))) < 20_000 * 64
