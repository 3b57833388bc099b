"""A segment that is damaged, incomplete or of another version is refused, whichever file it is."""

import json
from pathlib import Path

import pytest
from index_samples import document, made_up_names

from bonafide.errors import SegmentCorrupt
from bonafide.index import Segment, build_segment
from bonafide.index.files import HEADER, PAYLOAD, _header_checksum

FILES = [
    HEADER,
    PAYLOAD,
    "deletion_keys.npy",
    "deletion_tokens.npy",
    "document_active.npy",
    "name_documents.npy",
    "name_offsets.npy",
    "name_tokens.npy",
    "name_weights.npy",
    "number_documents.npy",
    "number_hashes.npy",
    "payload_offsets.npy",
    "posting_names.npy",
    "posting_offsets.npy",
    "token_bytes.npy",
    "token_heads.npy",
    "token_lengths.npy",
    "token_letters.npy",
    "token_offsets.npy",
    "token_weights.npy",
    "typed_bytes.npy",
    "typed_lengths.npy",
    "typed_names.npy",
    "typed_offsets.npy",
]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    build_segment(tmp_path, [document(name, numbers=[f"ON {name}"], payload=name.encode()) for name in made_up_names(20)])
    return tmp_path


def test_these_are_all_files_of_a_segment(folder: Path) -> None:
    assert sorted(path.name for path in folder.iterdir()) == sorted(FILES)


@pytest.mark.parametrize("name", FILES)
@pytest.mark.parametrize("where", [0.0, 0.5, 1.0])
def test_a_flipped_bit_is_refused(folder: Path, name: str, where: float) -> None:
    content = bytearray((folder / name).read_bytes())
    content[round(where * (len(content) - 1))] ^= 4
    (folder / name).write_bytes(content)
    with pytest.raises(SegmentCorrupt):
        Segment.open(folder)


@pytest.mark.parametrize("name", FILES)
def test_a_truncated_file_is_refused(folder: Path, name: str) -> None:
    (folder / name).write_bytes((folder / name).read_bytes()[:-1])
    with pytest.raises(SegmentCorrupt):
        Segment.open(folder)


@pytest.mark.parametrize("name", FILES)
def test_a_missing_file_is_refused(folder: Path, name: str) -> None:
    (folder / name).unlink()
    with pytest.raises(SegmentCorrupt):
        Segment.open(folder)


@pytest.mark.parametrize("header", ["", "[]", "7", "null", "{}", '{"crc32": 0}', "\xff"])
def test_a_header_that_is_none_is_refused(folder: Path, header: str) -> None:
    (folder / HEADER).write_text(header, encoding="latin-1")
    with pytest.raises(SegmentCorrupt):
        Segment.open(folder)


@pytest.mark.parametrize("version", ["format", "normaliser"])
def test_another_version_is_refused_with_what_to_do(folder: Path, version: str) -> None:
    header = json.loads((folder / HEADER).read_text())
    header[version] += 1
    del header["crc32"]
    (folder / HEADER).write_text(json.dumps({**header, "crc32": _header_checksum(header)}))
    with pytest.raises(SegmentCorrupt, match="load the source anew"):
        Segment.open(folder)


def test_the_header_vouches_for_every_other_file(folder: Path) -> None:
    header = json.loads((folder / HEADER).read_text())
    assert sorted(header["files"]) == sorted(set(FILES) - {HEADER})
    assert header["counts"] == {"documents": 20, "names": 20, "tokens": header["counts"]["tokens"], "numbers": 20}


def test_the_summary_counts_what_was_built(tmp_path: Path) -> None:
    summary = build_segment(tmp_path, [document("Acme Bakery", "Acme Baking", numbers=["ON 7"]), document("***")])
    assert (summary.documents, summary.names, summary.tokens) == (2, 2, 3)
    assert summary.size == sum(path.stat().st_size for path in tmp_path.iterdir() if path.name != HEADER)


def test_the_same_documents_give_the_same_bytes(tmp_path: Path) -> None:
    for copy in ("one", "two"):
        build_segment(tmp_path / copy, [document(name, numbers=["7", "8"]) for name in made_up_names(30)])
    for path in (tmp_path / "one").iterdir():
        assert path.read_bytes() == (tmp_path / "two" / path.name).read_bytes()
