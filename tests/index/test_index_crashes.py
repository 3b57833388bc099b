"""A build that is killed, at whatever step on the file system, leaves the last good generation, and the next load tidies up.

A child process counts the steps that change files, as Python's own audit hooks report them, and dies at one of them as a killed
process does: nothing is flushed, nothing cleaned up. A fork for each step keeps it fast; the arrays of a segment are one step,
since without its header, which is written last, they are nothing.
"""

import multiprocessing
import os
import shutil
from collections.abc import Sequence
from functools import partial
from pathlib import Path

import pytest

from tests.support.index.crashes import KILLED, die_at, in_child
from tests.support.index.generations import KEY, load, loaded, names_in, opened, segments

pytestmark = pytest.mark.slow


NAMES = [f"Number {word}" for word in ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")]
LOADS: dict[str, Sequence[str]] = {
    "base": ["Other", *NAMES],
    "delta": [*NAMES[1:], "Eleven"],
    "removals": NAMES[1:],
    "nothing new": NAMES,
}


def load_until(root: Path, kind: str, step: int) -> None:
    """Load, and die at the given step."""
    store = opened(root)
    die_at(root, step)
    load(store, LOADS[kind], whole=kind == "base")


def whole_again(root: Path, kind: str) -> None:
    """What a survivor sees: one of the two generations, whole; and a next load that leaves nothing behind."""
    store = opened(root)
    assert names_in(store) in (list(NAMES), list(LOADS[kind]))
    load(store, [*NAMES, "Twelve"])
    assert names_in(opened(root)) == [*NAMES, "Twelve"]
    used = {part.segment for part in loaded(store).parts}
    assert used <= set(segments(store))
    assert not list((root / KEY).rglob("*.draft"))
    assert len(segments(store)) <= 3


def die_at_every_step(root: Path, kind: str) -> None:
    """Exits with 0 when every step was survived, and there were several."""
    load(opened(root / "before"), NAMES)
    step = 0
    outcome = KILLED
    while outcome == KILLED:
        step += 1
        folder = shutil.copytree(root / "before", root / str(step))
        outcome = in_child(partial(load_until, folder, kind, step))
        whole_again(folder, kind)
    assert step > 5


@pytest.mark.parametrize("kind", LOADS)
def test_a_build_that_dies_at_any_step_leaves_a_whole_generation(tmp_path: Path, kind: str) -> None:
    # Forked from a process of one thread, which the one that runs the tests may not be.
    process = multiprocessing.get_context("spawn").Process(target=die_at_every_step, args=(tmp_path, kind))
    process.start()
    process.join()
    assert process.exitcode == 0


def die_in_the_first_load(root: Path) -> None:
    store = opened(root)
    draft = store.begin(KEY)
    draft.write(lambda: iter(()))
    os._exit(KILLED)


def test_a_first_build_that_dies_leaves_nothing(tmp_path: Path) -> None:
    process = multiprocessing.get_context("spawn").Process(target=die_in_the_first_load, args=(tmp_path,))
    process.start()
    process.join()
    assert process.exitcode == KILLED
    store = opened(tmp_path)
    assert store.current(KEY) is None
    load(store, NAMES)
    assert names_in(store) == NAMES
    assert len(segments(store)) == 1
