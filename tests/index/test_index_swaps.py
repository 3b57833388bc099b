"""Readers during a hundred swaps, of deltas, merges, bases and removals: never an error, never half a list, never back in time."""

import multiprocessing
import threading
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

import pytest

from bonafide.index import create_business_query
from tests.support.index.generations import KEY, Generations, live_payloads, load, loaded, opened, segments
from tests.support.index.registers import made_up_names
from tests.support.waiting import TIMEOUT_S

SWAPS = 100
PAUSE_S = 0.01
Done = Callable[[float], bool]
"""Waits so many seconds for the end of the test, and says whether it has come."""


def names_of_load(number: int) -> list[str]:
    """Of each load other names; now and then all of them, so that the base is built anew."""
    names = made_up_names(30, seed=number // 30)
    return [*names[number % 3 : 20 + number % 3], *(f"{name} {number}" for name in names[25 : 25 + number % 3])]


def read_until(done: Done, store: Generations, seen: list[str]) -> None:
    """Read whatever is in use, whole, again and again."""
    while not done(PAUSE_S):
        generation = loaded(store)
        names = generation.manifest["names"]
        assert sorted(live_payloads(generation)) == sorted(names)
        best = generation.index.search(create_business_query(names[-1]), 1)[0]
        assert (generation.index.payload(best.document).decode(), best.score) == (names[-1], 1.0)
        seen.append(generation.id)


def never_back_in_time(seen: list[str]) -> bool:
    """Whether each generation read is the one before or a later one, and there were several."""
    return all(earlier <= later for earlier, later in pairwise(seen)) and len(set(seen)) > 3


def read_in_a_process(root: Path, started: Callable[[], None], done: Done) -> None:
    """Ends with an error when the reader met one, went back in time or saw no swaps."""
    store = opened(root)
    seen = [loaded(store).id]
    started()
    read_until(done, store, seen)
    assert never_back_in_time(seen)


@pytest.mark.slow
def test_readers_see_whole_generations_during_a_hundred_swaps(tmp_path: Path) -> None:
    store = opened(tmp_path)
    load(store, names_of_load(0))
    context = multiprocessing.get_context("spawn")
    started, ended, done = context.Event(), context.Event(), threading.Event()
    process = context.Process(target=read_in_a_process, args=(tmp_path, started.set, ended.wait))
    process.start()
    assert started.wait(TIMEOUT_S)
    # One of the threads reads as yet another process does, which notices only that the pointer has moved.
    stores = [store, store, opened(tmp_path)]
    seen: list[list[str]] = [[] for _ in stores]
    readers = [threading.Thread(target=read_until, args=(done.wait, own, ids)) for own, ids in zip(stores, seen, strict=True)]
    for reader in readers:
        reader.start()
    counts = {load(store, names_of_load(number)).segments for number in range(1, SWAPS + 1)}
    done.set()
    ended.set()
    for reader in readers:
        reader.join()
    process.join()
    assert process.exitcode == 0
    assert all(map(never_back_in_time, seen))
    assert counts >= {1, 2, 3}
    load(store, names_of_load(0), whole=True)
    load(store, names_of_load(0), whole=True)
    assert len(segments(store)) <= 2 + len(stores)
    assert len(list((tmp_path / KEY / "generations").iterdir())) <= 2 + len(stores)
