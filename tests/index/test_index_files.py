"""A segment that is damaged, incomplete or of another version is refused, whichever file it is."""

import json
from pathlib import Path

import pytest

from bonafide.errors import SegmentCorrupt
from bonafide.index import IndexSegment, build_segment
from bonafide.index.format.segment_files import HEADER, _header_checksum
from tests.support.index.registers import document, made_up_names


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    build_segment(tmp_path, [document(name, numbers=[f"ON {name}"], payload=name.encode()) for name in made_up_names(20)])
    return tmp_path


@pytest.mark.parametrize("where", [0.0, 0.5, 1.0])
def test_a_flipped_bit_in_any_file_is_refused(folder: Path, where: float) -> None:
    for path in folder.iterdir():
        content = path.read_bytes()
        damaged = bytearray(content)
        damaged[round(where * (len(content) - 1))] ^= 4
        path.write_bytes(damaged)
        with pytest.raises(SegmentCorrupt):
            IndexSegment.open(folder)
        path.write_bytes(content)
    IndexSegment.open(folder)


def test_any_truncated_file_is_refused(folder: Path) -> None:
    for path in folder.iterdir():
        content = path.read_bytes()
        path.write_bytes(content[:-1])
        with pytest.raises(SegmentCorrupt):
            IndexSegment.open(folder)
        path.write_bytes(content)
    IndexSegment.open(folder)


def test_any_missing_file_is_refused(folder: Path) -> None:
    for path in list(folder.iterdir()):
        away = path.rename(folder.parent / "away")
        with pytest.raises(SegmentCorrupt):
            IndexSegment.open(folder)
        away.rename(path)
    IndexSegment.open(folder)


@pytest.mark.parametrize("header", ["", "[]", "7", "null", "{}", '{"crc32": 0}', "\xff"])
def test_a_header_that_is_none_is_refused(folder: Path, header: str) -> None:
    (folder / HEADER).write_text(header, encoding="latin-1")
    with pytest.raises(SegmentCorrupt):
        IndexSegment.open(folder)


@pytest.mark.parametrize("version", ["format", "normaliser"])
def test_another_version_is_refused_with_what_to_do(folder: Path, version: str) -> None:
    header = json.loads((folder / HEADER).read_text())
    header[version] += 1
    del header["crc32"]
    (folder / HEADER).write_text(json.dumps({**header, "crc32": _header_checksum(header)}))
    with pytest.raises(SegmentCorrupt, match="Load the source again"):
        IndexSegment.open(folder)


def test_the_header_vouches_for_every_other_file(folder: Path) -> None:
    header = json.loads((folder / HEADER).read_text())
    assert sorted(header["files"]) == sorted({path.name for path in folder.iterdir()} - {HEADER})
    assert header["counts"] == {"documents": 20, "names": 20, "tokens": header["counts"]["tokens"], "numbers": 20}


def test_the_summary_counts_what_was_built(tmp_path: Path) -> None:
    summary = build_segment(tmp_path, [document("Acme Bakery", "Acme Baking", numbers=["ON 7"]), document("***")])
    assert (summary.documents, summary.names, summary.tokens) == (2, 2, 3)
    assert summary.size == sum(path.stat().st_size for path in tmp_path.iterdir() if path.name != HEADER)
