"""A segment is the same whoever builds it and however its documents come; a build that fails leaves nothing that could be used."""

import multiprocessing
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from bonafide.errors import RefreshRefused
from bonafide.index import Facets, FieldName, IndexDocument, IndexSegment, build_segment
from bonafide.index.build.process_pool import ReaderPool
from bonafide.index.format.segment_files import HEADER
from tests.support.index.registers import built, document, made_up_names
from tests.support.waiting import TIMEOUT_S

ALONE = ReaderPool(readers=0)


def register() -> Iterator[IndexDocument]:
    """Documents with several names, none, the same twice, names without letters, people, addresses and numbers."""
    names = made_up_names(60)
    for place, name in enumerate(names):
        yield IndexDocument(
            key=f"k{place}",
            payload=name.encode(),
            names=((), (name, name, "***"), ("Éts Œuvre", name, names[-place]))[place % 3],
            people=("Zoë Ng",) * (place % 2),
            addresses=(f"{place} rue de l’Église",),
            numbers=(f"BC{place:07}", f"12345 678{place % 10} RC0001", "?"),
            active=place % 7 > 0,
            facets=Facets("CA-BC", "active" if place % 5 else "dissolved", "company"),
        )


def contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


@pytest.fixture(scope="module")
def alone(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("alone")
    build_segment(folder, register(), workforce=ALONE)
    return folder


@pytest.mark.parametrize("batch", [1, 7, 59, 60])
def test_the_size_of_batches_leaves_no_trace(alone: Path, tmp_path: Path, batch: int) -> None:
    build_segment(tmp_path, register(), workforce=ReaderPool(readers=0, batch=batch))
    assert contents(tmp_path) == contents(alone)


@pytest.mark.parametrize(("readers", "texts_alone"), [(1, 0), (2, 0), (2, 100)])
@pytest.mark.slow
def test_readers_beside_the_builder_leave_no_trace(alone: Path, tmp_path: Path, readers: int, texts_alone: int) -> None:
    build_segment(tmp_path, register(), workforce=ReaderPool(readers=readers, texts_before_spawn=texts_alone, batch=7))
    assert contents(tmp_path) == contents(alone)


def test_every_document_keeps_its_own(alone: Path) -> None:
    segment = IndexSegment.open(alone)
    for place, document_ in enumerate(register()):
        assert segment.payload(place) == document_.payload
        assert place in segment.lookup(document_.numbers[0])


@pytest.mark.slow
def test_a_reader_that_dies_ends_the_build(tmp_path: Path) -> None:
    # Readers of files that other tests of this process have started may still be idle.
    others = set(multiprocessing.active_children())

    def deadly() -> Iterator[IndexDocument]:
        for place, name in enumerate(made_up_names(400)):
            if place == 200:
                for child in set(multiprocessing.active_children()) - others:
                    os.kill(child.pid or 0, signal.SIGKILL)
            yield document(name)

    with pytest.raises(RefreshRefused, match="was killed"):
        build_segment(tmp_path, deadly(), workforce=ReaderPool(readers=2, texts_before_spawn=0, batch=20))
    assert not (tmp_path / HEADER).exists()
    assert set(multiprocessing.active_children()) <= others


@pytest.mark.slow
def test_readers_end_with_a_builder_that_is_killed(tmp_path: Path) -> None:
    script = f"""
import multiprocessing, os, signal
from pathlib import Path
from bonafide.index import IndexDocument, build_segment
from bonafide.index.build.process_pool import ReaderPool

def deadly():
    for place in range(1000):
        yield IndexDocument(str(place), b"", (f"Acme {{place}}",))
    print(*(child.pid for child in multiprocessing.active_children()), flush=True)
    os.kill(os.getpid(), signal.SIGKILL)

build_segment(Path({str(tmp_path / "segment")!r}), deadly(), workforce=ReaderPool(readers=2, texts_before_spawn=0, batch=20))
"""
    builder = subprocess.run([sys.executable, "-c", script], capture_output=True, check=False)  # noqa: S603  # our own script
    readers = [int(process) for process in builder.stdout.split()]
    assert builder.returncode == -signal.SIGKILL
    assert len(readers) == 2
    deadline = time.monotonic() + TIMEOUT_S
    while any(Path(f"/proc/{process}").exists() for process in readers):
        assert time.monotonic() < deadline
        time.sleep(0.05)
    assert not (tmp_path / "segment" / HEADER).exists()


@pytest.mark.parametrize("workforce", [ALONE, ReaderPool(readers=1, texts_before_spawn=0, batch=20)])
def test_a_source_that_fails_ends_the_build(tmp_path: Path, workforce: ReaderPool) -> None:
    def failing() -> Iterator[IndexDocument]:
        yield from map(document, made_up_names(100))
        raise OSError("the file ends here")

    # Readers of files that other tests of this process have started may still be idle.
    others = set(multiprocessing.active_children())
    with pytest.raises(OSError, match="the file ends here"):
        build_segment(tmp_path, failing(), workforce=workforce)
    assert not (tmp_path / HEADER).exists()
    assert set(multiprocessing.active_children()) <= others


def test_a_segment_may_be_empty(tmp_path: Path) -> None:
    segment = built(tmp_path, [])
    assert len(segment) == 0
    assert segment.fields == {}


def test_words_weigh_as_in_the_segment_that_is_named(tmp_path: Path) -> None:
    base = built(tmp_path / "base", [document("Acme Bakery"), document("Bora Bakery"), document("Cora Foods")])
    build_segment(tmp_path / "delta", [document("Bakery Zzyzx")], like=base)
    delta = IndexSegment.open(tmp_path / "delta").fields[FieldName.NAMES].vocabulary
    known = base.fields[FieldName.NAMES].vocabulary
    (bakery, acme), words = known.find(["bakery", "acme"]).values(), delta.find(["bakery", "zzyzx"])
    assert delta.weights[words["bakery"]] == known.weights[bakery]
    assert delta.weights[words["zzyzx"]] == known.weights[acme]
