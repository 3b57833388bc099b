"""A generation that comes from another machine: it takes names that are new here, and a crash on the way leaves a whole one."""

import multiprocessing
import shutil
from functools import partial
from pathlib import Path

import pytest

from bonafide.errors import RefreshRefused, SegmentCorrupt
from bonafide.model.loading import Inventory
from tests.support.index.crashes import KILLED, die_at, in_child
from tests.support.index.generations import KEY, Generations, load, loaded, names_in, names_of, opened, segments

NAMES = [f"Number {word}" for word in ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")]


def copied(north: Generations, south: Generations, *, thorough: bool = False) -> list[str]:
    """Let south have what north has; gives the paths of the files that had to travel."""
    with north.exchange(KEY) as leaving, south.exchange(KEY) as coming:
        inventory = leaving.inventory(None)
        wanted = coming.begin(inventory, thorough=thorough)
        try:
            for path, file in wanted.items():
                shutil.copyfile(leaving.path(file), path)
            coming.activate()
        finally:
            coming.discard()
        south.tidy(KEY)
    return [file.path for file in wanted.values()]


@pytest.fixture
def north(tmp_path: Path) -> Generations:
    return opened(tmp_path / "north")


@pytest.fixture
def south(tmp_path: Path) -> Generations:
    return opened(tmp_path / "south")


def test_the_same_ids_with_another_content_get_new_names(north: Generations, south: Generations) -> None:
    load(north, NAMES)
    load(north, [*NAMES[1:], "Eleven"])
    load(south, ["Other", "Another", "Third", "Fourth"])
    load(south, ["Other", "Another", "Third", "Fifth"])
    held = loaded(south)
    copied(north, south)
    assert names_in(south) == names_in(opened(south.root)) == [*NAMES[1:], "Eleven"]
    assert names_of(held) == ["Other", "Another", "Third", "Fifth"]
    assert not {part.segment for part in held.parts} & {part.segment for part in loaded(south).parts}


def test_what_is_here_does_not_travel(north: Generations, south: Generations) -> None:
    load(south, ["Other"])
    load(north, NAMES)
    copied(north, south)
    load(north, NAMES[1:])
    assert {path.split("/")[0] for path in copied(north, south)} == {"generation"}
    assert names_in(opened(south.root)) == NAMES[1:]


def test_builds_go_on_from_what_has_come(north: Generations, south: Generations) -> None:
    load(north, NAMES)
    copied(north, south)
    stored = load(south, [*NAMES, "Eleven"])
    assert (stored.written, stored.segments) == (1, 2)
    copied(south, north)
    assert names_in(opened(north.root)) == [*NAMES, "Eleven"]


def test_an_inventory_that_is_known_is_not_read_again(north: Generations) -> None:
    load(north, NAMES)
    with north.exchange(KEY) as leaving:
        first = leaving.inventory(None)
        assert leaving.inventory(first) == first
        assert leaving.inventory(first).digest == first.digest


@pytest.mark.parametrize("name", ["payload.bin", "header.json", "manifest.json"])
def test_what_does_not_verify_is_refused(north: Generations, south: Generations, name: str) -> None:
    load(south, ["Other"])
    load(north, NAMES)
    with north.exchange(KEY) as leaving, south.exchange(KEY) as coming:
        wanted = coming.begin(leaving.inventory(None), thorough=False)
        for path, file in wanted.items():
            shutil.copyfile(leaving.path(file), path)
            if path.name == name:
                path.write_bytes(bytes(file.size))
        with pytest.raises(SegmentCorrupt):
            coming.activate()
        coming.discard()
    assert names_in(south) == names_in(opened(south.root)) == ["Other"]


def test_a_description_of_another_form_is_refused(north: Generations, south: Generations) -> None:
    load(north, NAMES)
    with north.exchange(KEY) as leaving:
        inventory = leaving.inventory(None)
    headless = tuple(file for file in inventory.files if not file.path.endswith("header.json"))
    stray = (*inventory.files, inventory.files[0].model_copy(update={"path": "segments/stray"}))
    for files in (headless, stray):
        with south.exchange(KEY) as coming, pytest.raises(SegmentCorrupt):
            coming.begin(Inventory(files=files), thorough=False)


@pytest.mark.parametrize("path", ["../x", "generation/../../x", "/etc/x", "a/b/c/d", ".hidden", "generation/.x", "a//b", ""])
def test_no_description_names_a_place_outside(path: str) -> None:
    with pytest.raises(ValueError, match="path"):
        Inventory.model_validate({"files": [{"path": path, "size": 1, "sha256": "0" * 64}]})


def test_who_takes_in_keeps_builders_out(north: Generations) -> None:
    with north.exchange(KEY), pytest.raises(RefreshRefused):
        north.begin(KEY)
    with north.exchange(KEY):
        pass
    load(north, NAMES)


def take_until(folder: Path, north: Path, step: int) -> None:
    """Take in what north has, and die at the given step."""
    south = opened(folder)
    with opened(north).exchange(KEY) as leaving:
        inventory = leaving.inventory(None)
    die_at(folder, step)
    with opened(north).exchange(KEY) as leaving, south.exchange(KEY) as coming:
        for path, file in coming.begin(inventory, thorough=False).items():
            shutil.copyfile(leaving.path(file), path)
        coming.activate()
        south.tidy(KEY)


def die_at_every_step(root: Path) -> None:
    load(opened(root / "north"), NAMES)
    load(opened(root / "north"), [*NAMES[1:], "Eleven"])
    load(opened(root / "before"), ["Other"])
    step = 0
    outcome = KILLED
    while outcome == KILLED:
        step += 1
        folder = shutil.copytree(root / "before", root / str(step))
        outcome = in_child(partial(take_until, folder, root / "north", step))
        south = opened(folder)
        assert names_in(south) in (["Other"], [*NAMES[1:], "Eleven"])
        copied(opened(root / "north"), south)
        assert names_in(opened(folder)) == [*NAMES[1:], "Eleven"]
        assert not list(folder.rglob("*.draft"))
        assert len(segments(south)) <= 3
    assert step > 10


@pytest.mark.slow
def test_a_process_that_dies_while_it_takes_in_leaves_a_whole_generation(tmp_path: Path) -> None:
    # Forked from a process of one thread, which the one that runs the tests may not be.
    process = multiprocessing.get_context("spawn").Process(target=die_at_every_step, args=(tmp_path,))
    process.start()
    process.join()
    assert process.exitcode == 0
