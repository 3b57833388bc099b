"""Generations: swapped whole, held by their readers, and safe from builds that die."""

import gc
import multiprocessing
import os
import shutil
import threading
from pathlib import Path
from typing import Any

import pytest
from index_samples import document

from bonafide.errors import RefreshRefused, SegmentCorrupt
from bonafide.index import GenerationStore, build_segment
from bonafide.index.source_folder import SourceFolder
from bonafide.matching.names import normalise

Generations = GenerationStore[dict[str, Any]]

KEY = "on-register"


@pytest.fixture
def store(tmp_path: Path) -> Generations:
    return GenerationStore(tmp_path, dict)


def load(store: Generations, name: str, key: str = KEY) -> None:
    draft = store.begin(key)
    build_segment(draft.folder, [document(name, payload=name.encode())])
    draft.commit({"name": name})


def in_use(store: Generations) -> str:
    generation = store.current(KEY)
    assert generation is not None
    assert generation.segment.payload(0).decode() == generation.manifest["name"]
    return str(generation.manifest["name"])


def folders(store: Generations) -> list[str]:
    return sorted(path.name for path in (store.root / KEY / "generations").iterdir())


def test_a_source_without_a_load_has_no_generation(store: Generations) -> None:
    assert store.current(KEY) is None
    assert store.keys() == []


def test_what_is_committed_is_in_use(store: Generations) -> None:
    load(store, "first")
    assert in_use(store) == "first"
    load(store, "second")
    assert in_use(store) == "second"
    assert store.keys() == [KEY]


def test_sources_are_apart(store: Generations) -> None:
    load(store, "first")
    load(store, "other", key="qc-register")
    assert in_use(store) == "first"
    assert store.keys() == [KEY, "qc-register"]


def test_a_generation_is_opened_once(store: Generations) -> None:
    load(store, "first")
    assert store.current(KEY) is store.current(KEY)


def test_other_processes_see_the_swap(store: Generations) -> None:
    load(store, "first")
    other = GenerationStore(store.root, dict)
    assert in_use(other) == "first"
    load(store, "second")
    assert in_use(other) == "second"


def test_a_draft_is_not_in_use_before_its_commit(store: Generations) -> None:
    load(store, "first")
    draft = store.begin(KEY)
    build_segment(draft.folder, [document("second")])
    assert in_use(store) == "first"
    draft.discard()
    assert in_use(store) == "first"
    assert folders(store) == ["00000001"]


def test_a_reader_keeps_the_generation_that_it_holds(store: Generations) -> None:
    load(store, "first")
    held = store.current(KEY)
    assert held is not None
    for name in ("second", "third", "fourth"):
        load(store, name)
    assert in_use(store) == "fourth"
    assert [hit.score for hit in held.segment.search(normalise("first"), 5)] == [1.0]
    assert folders(store) == ["00000001", "00000003", "00000004"]


def test_a_generation_goes_when_nobody_holds_it(store: Generations) -> None:
    for name in ("first", "second", "third"):
        load(store, name)
        assert in_use(store) == name
    gc.collect()
    load(store, "fourth")
    assert folders(store) == ["00000003", "00000004"]


def test_the_previous_generation_stays_on_disk_for_other_processes(store: Generations) -> None:
    load(store, "first")
    load(store, "second")
    assert folders(store) == ["00000001", "00000002"]


def test_only_one_builds_a_source_at_a_time(store: Generations) -> None:
    draft = store.begin(KEY)
    with pytest.raises(RefreshRefused, match=KEY):
        GenerationStore(store.root, dict).begin(KEY)
    load(store, "other", key="qc-register")
    draft.discard()
    load(store, "first")
    assert in_use(store) == "first"


def test_a_draft_can_be_discarded_after_its_commit(store: Generations) -> None:
    draft = store.begin(KEY)
    build_segment(draft.folder, [document("first", payload=b"first")])
    draft.commit({"name": "first"})
    draft.discard()
    assert in_use(store) == "first"


def test_a_draft_without_a_whole_segment_is_refused(store: Generations) -> None:
    load(store, "first")
    draft = store.begin(KEY)
    build_segment(draft.folder, [document("second")])
    (draft.folder / "token_bytes.npy").write_bytes(b"")
    with pytest.raises(SegmentCorrupt):
        draft.commit({"name": "second"})
    draft.discard()
    assert in_use(store) == "first"
    assert folders(store) == ["00000001"]


@pytest.mark.parametrize("key", ["", ".", "..", "a/b", "../up", "a b", ".hidden"])
def test_a_key_that_is_no_folder_name_is_refused(store: Generations, key: str) -> None:
    with pytest.raises(ValueError, match="not a source key"):
        store.begin(key)
    with pytest.raises(ValueError, match="not a source key"):
        store.current(key)


STEPS = ["begun", "half a segment", "a segment", "a manifest", "finished", "half a pointer"]


def die_while_building(root: Path, step: str) -> None:
    """Build the second generation up to a step, then end as a killed process does."""
    draft = GenerationStore(root, dict).begin(KEY)
    source = SourceFolder(root, KEY)
    if step != "begun":
        build_segment(draft.folder, [document("second", payload=b"second")])
    if step == "half a segment":
        (draft.folder / "header.json").unlink()
    if step == "a manifest":
        (draft.folder / "manifest.json").write_text('{"name": "sec')
    if step in {"finished", "half a pointer"}:
        source.finish(draft.folder, {"name": "second"})
    if step == "half a pointer":
        source.pointer.with_suffix(".new").write_text("0000")
    os._exit(9)


@pytest.mark.parametrize("step", STEPS)
def test_a_build_that_dies_leaves_the_last_good_generation(store: Generations, step: str) -> None:
    load(store, "first")
    builder = multiprocessing.get_context("spawn").Process(target=die_while_building, args=(store.root, step))
    builder.start()
    builder.join()
    assert builder.exitcode == 9
    assert in_use(store) == "first"
    assert in_use(GenerationStore(store.root, dict)) == "first"
    assert len(folders(store)) == 2

    load(store, "third")
    assert in_use(store) == "third"
    assert folders(store) == ["00000001", folders(store)[-1]]


def test_a_first_build_that_dies_leaves_nothing(store: Generations) -> None:
    builder = multiprocessing.get_context("spawn").Process(target=die_while_building, args=(store.root, "finished"))
    builder.start()
    builder.join()
    assert store.current(KEY) is None
    load(store, "third")
    assert in_use(store) == "third"
    assert len(folders(store)) == 1


def test_when_the_pointed_folder_is_missing_the_one_before_is_in_use(store: Generations) -> None:
    load(store, "first")
    load(store, "second")
    shutil.rmtree(store.root / KEY / "generations" / "00000002")
    assert in_use(store) == "first"
    load(store, "third")
    assert in_use(store) == "third"
    assert folders(store) == ["00000001", "00000003"]


def test_when_the_pointed_segment_is_damaged_the_one_before_is_in_use(store: Generations) -> None:
    load(store, "first")
    load(store, "second")
    (store.root / KEY / "generations" / "00000002" / "name_tokens.npy").write_bytes(b"")
    assert in_use(store) == "first"


@pytest.mark.parametrize("content", ["", "\xff\xfe", "../../elsewhere"])
def test_when_the_pointer_is_damaged_the_newest_generation_is_in_use(store: Generations, content: str) -> None:
    load(store, "first")
    load(store, "second")
    (store.root / KEY / "current").write_text(content, encoding="latin-1")
    assert in_use(store) == "second"
    load(store, "third")
    assert in_use(store) == "third"


def test_when_no_generation_is_whole_that_is_said(store: Generations) -> None:
    load(store, "first")
    (store.root / KEY / "generations" / "00000001" / "manifest.json").unlink()
    with pytest.raises(SegmentCorrupt, match=r"manifest of generation 00000001"):
        store.current(KEY)
    shutil.rmtree(store.root / KEY / "generations")
    with pytest.raises(SegmentCorrupt):
        store.current(KEY)


def test_readers_see_whole_generations_while_others_are_committed(store: Generations) -> None:
    load(store, "0")
    seen: list[int] = []
    done = threading.Event()

    def read() -> None:
        while not done.is_set():
            seen.append(int(in_use(store)))

    readers = [threading.Thread(target=read) for _ in range(3)]
    for reader in readers:
        reader.start()
    for number in range(1, 10):
        load(store, str(number))
    done.set()
    for reader in readers:
        reader.join()
    assert in_use(store) == "9"
    assert set(seen) <= set(range(10))
