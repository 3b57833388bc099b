"""Generations: swapped whole, held by their readers, and safe from builds that die."""

import gc
import shutil
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from bonafide.errors import RefreshRefused, SegmentCorrupt
from bonafide.index import IndexDocument, create_business_query
from bonafide.index.generations.source_folder import SourceFolder
from bonafide.index.generations.watcher import GenerationWatcher
from tests.support.index.generations import KEY, Generations, entry, load, loaded, names_in, names_of, opened, segments, swapped
from tests.support.waiting import TIMEOUT_S


@pytest.fixture
def store(tmp_path: Path) -> Generations:
    return opened(tmp_path)


def generations(store: Generations) -> list[str]:
    return sorted(path.name for path in (store.root / KEY / "generations").iterdir())


# -------------------------------------------------------------------------------------------------------------- what is in use


def test_a_source_without_a_load_has_no_generation(store: Generations) -> None:
    assert store.current(KEY) is None
    assert store.keys() == []


def test_what_is_committed_is_in_use(store: Generations) -> None:
    load(store, ["first"])
    assert names_in(store) == ["first"]
    load(store, ["second"])
    assert names_in(store) == ["second"]
    assert store.keys() == [KEY]


def test_sources_are_apart(store: Generations) -> None:
    load(store, ["first"])
    load(store, ["other"], key="qc-register")
    assert names_in(store) == ["first"]
    assert store.keys() == [KEY, "qc-register"]


def test_a_generation_is_opened_once(store: Generations) -> None:
    load(store, ["first"])
    assert store.current(KEY) is store.current(KEY)


def test_a_draft_is_not_in_use_before_its_commit(store: Generations) -> None:
    load(store, ["first"])
    draft = store.begin(KEY)
    draft.write(lambda: [entry("second")])
    assert names_in(store) == ["first"]
    draft.discard()
    assert names_in(store) == ["first"]
    assert (generations(store), segments(store)) == (["00000001"], ["00000001"])


def test_a_draft_can_be_discarded_after_its_commit(store: Generations) -> None:
    draft = store.begin(KEY)
    draft.write(lambda: [entry("first")])
    draft.commit({"names": ["first"]})
    draft.discard()
    assert names_in(store) == ["first"]


def test_only_one_builds_a_source_at_a_time(store: Generations) -> None:
    draft = store.begin(KEY)
    with pytest.raises(RefreshRefused, match=KEY):
        opened(store.root).begin(KEY)
    load(store, ["other"], key="qc-register")
    draft.discard()
    load(store, ["first"])
    assert names_in(store) == ["first"]


@pytest.mark.parametrize("key", ["", ".", "..", "a/b", "../up", "a b", ".hidden"])
def test_a_key_that_is_no_folder_name_is_refused(store: Generations, key: str) -> None:
    with pytest.raises(ValueError, match="not a source key"):
        store.begin(key)
    with pytest.raises(ValueError, match="not a source key"):
        store.current(key)


def test_documents_that_cannot_be_read_leave_the_last_generation(store: Generations) -> None:
    def broken() -> Iterator[IndexDocument]:
        yield entry("second")
        raise ZeroDivisionError

    load(store, ["first"])
    draft = store.begin(KEY)
    with pytest.raises(ZeroDivisionError):
        draft.write(broken)
    draft.discard()
    assert names_in(store) == ["first"]
    assert (generations(store), segments(store)) == (["00000001"], ["00000001"])


# -------------------------------------------------------------------------------------------------------------- what stays on disk


def test_a_reader_keeps_the_generation_that_it_holds(store: Generations) -> None:
    load(store, ["first"])
    held = loaded(store)
    for name in ("second", "third", "fourth"):
        load(store, [name])
    assert names_in(store) == ["fourth"]
    assert [hit.score for hit in held.index.search(create_business_query("first"), 5)] == [1.0]
    assert generations(store) == ["00000001", "00000003", "00000004"]
    assert segments(store) == ["00000001", "00000003", "00000004"]


def test_a_generation_goes_when_nobody_holds_it(store: Generations) -> None:
    for name in ("first", "second", "third"):
        load(store, [name])
        assert names_in(store) == [name]
    gc.collect()
    load(store, ["fourth"])
    assert (generations(store), segments(store)) == (["00000003", "00000004"],) * 2


def test_the_previous_generation_stays_on_disk_for_other_processes(store: Generations) -> None:
    load(store, ["first"])
    load(store, ["second"])
    assert (generations(store), segments(store)) == (["00000001", "00000002"],) * 2


def test_while_a_manifest_cannot_be_read_no_finished_segment_is_removed(store: Generations) -> None:
    load(store, ["first"])
    load(store, ["second"])
    (store.root / KEY / "generations" / "00000002" / "manifest.json").write_text("{}")
    other = opened(store.root)
    other.begin(KEY).discard()
    assert segments(store) == ["00000001", "00000002"]
    load(other, ["third"])
    load(other, ["fourth"])
    gc.collect()
    load(other, ["fifth"])
    assert segments(store) == ["00000004", "00000005"]


# -------------------------------------------------------------------------------------------------------------- changing over


def test_other_processes_change_over_without_waiting(store: Generations) -> None:
    load(store, ["first"])
    other = opened(store.root)
    assert names_in(other) == ["first"]
    load(store, ["second"])
    assert names_in(other) == ["first"]
    assert swapped(other, ["second"])


def test_a_segment_that_stays_is_not_opened_again(store: Generations) -> None:
    load(store, ["first", "second"])
    other = opened(store.root)
    before = loaded(other).index.segments[0].segment
    load(store, ["first", "second", "third"])
    assert swapped(other, ["first", "second", "third"])
    assert [live.segment is before for live in loaded(other).index.segments] == [True, False]


def test_a_new_generation_that_cannot_be_opened_leaves_the_old_one_in_use_until_the_next(store: Generations) -> None:
    load(store, ["first"])
    other = opened(store.root)
    assert names_in(other) == ["first"]
    load(store, ["second"])
    for file in (store.root / KEY / "segments" / "00000002").glob("*.npy"):
        file.write_bytes(b"")
    for _ in range(20):
        assert names_in(other) == ["first"]
        time.sleep(0.005)
    load(store, ["third"])
    assert swapped(other, ["third"])


class Seconds:
    """A clock that only the test moves."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


def read_now(in_use: GenerationWatcher[dict[str, Any]]) -> list[str]:
    generation = in_use.generation()
    assert generation is not None
    return names_of(generation)


def test_what_could_not_be_opened_at_all_is_tried_again_after_a_minute(store: Generations) -> None:
    load(store, ["first"])
    hidden = store.root / KEY / "hidden"
    (store.root / KEY / "segments" / "00000001").rename(hidden)
    clock = Seconds()
    in_use = GenerationWatcher(SourceFolder(store.root, KEY), dict, clock)
    with pytest.raises(SegmentCorrupt):
        in_use.generation()
    hidden.rename(store.root / KEY / "segments" / "00000001")
    clock.now = 59
    with pytest.raises(SegmentCorrupt, match="00000001"):
        in_use.generation()
    clock.now = 61
    assert read_now(in_use) == ["first"]


def test_what_could_not_be_opened_at_first_takes_the_place_of_the_one_before_it_after_a_minute(store: Generations) -> None:
    load(store, ["first"])
    load(store, ["second"])
    hidden = store.root / KEY / "hidden"
    (store.root / KEY / "segments" / "00000002").rename(hidden)
    clock = Seconds()
    in_use = GenerationWatcher(SourceFolder(store.root, KEY), dict, clock)
    assert read_now(in_use) == ["first"]
    hidden.rename(store.root / KEY / "segments" / "00000002")
    clock.now = 59
    assert [read_now(in_use) for _ in range(3)] == [["first"]] * 3
    clock.now = 61
    deadline = time.monotonic() + TIMEOUT_S
    while read_now(in_use) == ["first"]:
        assert time.monotonic() < deadline
        time.sleep(0.002)
    assert read_now(in_use) == ["second"]


# -------------------------------------------------------------------------------------------------------------- damage


def remove_generation(root: Path) -> None:
    shutil.rmtree(root / "generations" / "00000002")


def remove_segment(root: Path) -> None:
    shutil.rmtree(root / "segments" / "00000002")


def damage_segment(root: Path) -> None:
    payload = root / "segments" / "00000002" / "payload.bin"
    payload.write_bytes(payload.read_bytes()[::-1])


def exchange_segment(root: Path) -> None:
    remove_segment(root)
    shutil.copytree(root / "segments" / "00000001", root / "segments" / "00000002")


def damage_manifest(root: Path) -> None:
    manifest = root / "generations" / "00000002" / "manifest.json"
    manifest.write_bytes(manifest.read_bytes().replace(b'"dead": 1', b'"dead": 0'))


def damage_dead(root: Path) -> None:
    (root / "generations" / "00000002" / "00000001.dead").write_bytes(b"\x00")


def remove_dead(root: Path) -> None:
    (root / "generations" / "00000002" / "00000001.dead").unlink()


@pytest.mark.parametrize(
    "damage",
    [remove_generation, remove_segment, damage_segment, exchange_segment, damage_manifest, damage_dead, remove_dead],
)
def test_when_what_is_pointed_to_is_damaged_the_one_before_is_in_use(store: Generations, damage: Callable[[Path], None]) -> None:
    load(store, ["one", "two", "three"])
    load(store, ["one", "two", "four"])
    assert segments(store) == ["00000001", "00000002"]
    assert len(loaded(store).index.segments) == 2
    damage(store.root / KEY)
    restarted = opened(store.root)
    assert names_in(restarted) == ["one", "two", "three"]
    load(restarted, ["five"])
    assert names_in(restarted) == names_in(opened(store.root)) == ["five"]


def test_a_delta_is_not_built_on_a_base_that_is_damaged_on_disk(store: Generations) -> None:
    load(store, ["one", "two", "three"])
    payload = store.root / KEY / "segments" / "00000001" / "payload.bin"
    payload.write_bytes(payload.read_bytes()[::-1])
    load(store, ["one", "two", "four"])
    assert names_in(opened(store.root)) == ["one", "two", "four"]
    assert len(loaded(store).index.segments) == 1


@pytest.mark.parametrize("content", ["", "\xff\xfe", "../../elsewhere"])
def test_when_the_pointer_is_damaged_the_newest_generation_is_in_use(store: Generations, content: str) -> None:
    load(store, ["first"])
    load(store, ["second"])
    (store.root / KEY / "current").write_text(content, encoding="latin-1")
    restarted = opened(store.root)
    assert names_in(restarted) == ["second"]
    load(restarted, ["third"])
    assert names_in(restarted) == ["third"]


def test_when_no_generation_is_whole_that_is_said(store: Generations) -> None:
    load(store, ["first"])
    (store.root / KEY / "generations" / "00000001" / "manifest.json").unlink()
    with pytest.raises(SegmentCorrupt, match=r"manifest of generation 00000001"):
        opened(store.root).current(KEY)
    shutil.rmtree(store.root / KEY / "generations")
    with pytest.raises(SegmentCorrupt):
        opened(store.root).current(KEY)


def test_a_segment_that_does_not_verify_is_not_committed(store: Generations) -> None:
    load(store, ["first"])
    draft = store.begin(KEY)
    draft.write(lambda: [entry("second")])
    (store.root / KEY / "segments" / "00000002" / "payload.bin").write_bytes(b"")
    with pytest.raises(SegmentCorrupt):
        draft.commit({"names": ["second"]})
    draft.discard()
    assert names_in(store) == ["first"]
    assert (generations(store), segments(store)) == (["00000001"], ["00000001"])


def test_a_manifest_that_its_reader_refuses_is_not_committed(store: Generations) -> None:
    def parse(manifest: dict[str, Sequence[str]]) -> dict[str, Sequence[str]]:
        if manifest["names"] == ["second"]:
            raise ValueError("second")
        return manifest

    strict = Generations(store.root, parse)
    load(strict, ["first"])
    with pytest.raises(SegmentCorrupt, match="second"):
        load(strict, ["second"])
    assert names_in(strict) == ["first"]


# ------------------------------------------------------------------------------------------------------ verified afterwards


def test_what_is_opened_unverified_is_read_at_once_and_verified_once(store: Generations) -> None:
    load(store, ["first"])
    restarted = opened(store.root)
    assert not restarted.verify_opened(KEY)
    restarted.open_unverified(KEY)
    assert names_in(restarted) == ["first"]
    assert restarted.verify_opened(KEY)
    assert not restarted.verify_opened(KEY)
    assert names_in(restarted) == ["first"]


def test_a_source_without_a_load_has_nothing_to_verify(store: Generations) -> None:
    store.open_unverified(KEY)
    assert not store.verify_opened(KEY)


def test_damage_that_is_found_afterwards_brings_back_the_generation_before(store: Generations) -> None:
    load(store, ["one", "two", "three"])
    load(store, ["four"], whole=True)
    damage_segment(store.root / KEY)
    restarted = opened(store.root)
    restarted.open_unverified(KEY)
    assert loaded(restarted).id == "00000002"
    with pytest.raises(SegmentCorrupt, match="checksum"):
        restarted.verify_opened(KEY)
    assert names_in(restarted) == ["one", "two", "three"]
    load(restarted, ["five"])
    assert names_in(restarted) == ["five"]


def test_damage_that_is_found_afterwards_leaves_nothing_where_there_was_nothing_before(store: Generations) -> None:
    load(store, ["first"])
    payload = store.root / KEY / "segments" / "00000001" / "payload.bin"
    payload.write_bytes(payload.read_bytes()[::-1])
    restarted = opened(store.root)
    restarted.open_unverified(KEY)
    assert loaded(restarted).id == "00000001"
    with pytest.raises(SegmentCorrupt, match="checksum"):
        restarted.verify_opened(KEY)
    with pytest.raises(SegmentCorrupt, match="checksum"):
        restarted.current(KEY)


@pytest.mark.parametrize("damage", [remove_generation, remove_segment, exchange_segment, damage_manifest, damage_dead, remove_dead])
def test_what_is_missing_or_exchanged_is_found_without_reading_everything(
    store: Generations, damage: Callable[[Path], None]
) -> None:
    load(store, ["one", "two", "three"])
    load(store, ["one", "two", "four"])
    damage(store.root / KEY)
    restarted = opened(store.root)
    restarted.open_unverified(KEY)
    assert names_in(restarted) == ["one", "two", "three"]
    assert not restarted.verify_opened(KEY)


def test_a_file_that_is_cut_short_is_found_without_reading_everything(store: Generations) -> None:
    load(store, ["first"])
    payload = store.root / KEY / "segments" / "00000001" / "payload.bin"
    payload.write_bytes(payload.read_bytes()[:-1])
    with pytest.raises(SegmentCorrupt, match="bytes instead of"):
        opened(store.root).open_unverified(KEY)


def test_segments_that_are_yet_to_be_verified_are_not_taken_over_into_the_next_generation(store: Generations) -> None:
    load(store, ["one", "two", "three"])
    reader = opened(store.root)
    reader.open_unverified(KEY)
    load(store, ["one", "two", "four"])
    assert segments(store) == ["00000001", "00000002"]
    payload = store.root / KEY / "segments" / "00000001" / "payload.bin"
    payload.write_bytes(payload.read_bytes()[::-1])
    with pytest.raises(SegmentCorrupt, match="checksum"):
        reader._in_use(KEY).newest()
