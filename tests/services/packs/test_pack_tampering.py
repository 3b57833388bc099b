"""Every altered byte of an examiner's pack is found, in the file that it belongs to, and a hostile file is harmless."""

import json
import zlib
from collections.abc import Callable
from dataclasses import replace
from io import BytesIO
from zipfile import ZIP_DEFLATED, ZIP_STORED, ZipFile

import pytest

from bonafide.errors import PackTooLarge
from bonafide.model.packs.manifest import AUDIT_LOG, MANIFEST
from bonafide.services.packs.archive import COMMENT_BYTES, END_RECORD_BYTES, PackArchive, write_comment
from bonafide.services.packs.verification import ARCHIVE, PackCheck, verify_pack
from bonafide.services.packs.zip_reader import PackReader
from tests.support.services.small_pack import AT, FILES, build_log, build_small_pack, write_log

PACK = build_small_pack()
MEMBERS = {member.name: member for member in PackReader(BytesIO(PACK)).members}
END = len(PACK) - END_RECORD_BYTES - COMMENT_BYTES
DIRECTORY = max(member.start + member.compressed for member in MEMBERS.values())


def verify(packed: bytes) -> PackCheck:
    return verify_pack(BytesIO(packed))


def flip(packed: bytes, position: int, bit: int = 1) -> bytes:
    return packed[:position] + bytes([packed[position] ^ bit]) + packed[position + 1 :]


def test_an_unaltered_pack_is_intact() -> None:
    check = verify(PACK)
    assert check.problems == []
    assert set(MEMBERS) == {*FILES, AUDIT_LOG, MANIFEST}
    with ZipFile(BytesIO(PACK)) as opened:
        assert opened.testzip() is None


@pytest.mark.parametrize("name", [*FILES, AUDIT_LOG, MANIFEST])
def test_every_altered_byte_of_a_file_is_reported_with_its_name(name: str) -> None:
    member = MEMBERS[name]
    for position in range(member.start, member.start + member.compressed):
        check = verify(flip(PACK, position))
        # The last bits of compressed data may mean nothing; then only the digest of the archive shows the change.
        assert check.problems, position
        assert {one.file for one in check.problems} <= {name, ARCHIVE}, position


def test_every_altered_byte_outside_the_contents_is_reported() -> None:
    contents = {position for member in MEMBERS.values() for position in range(member.start, member.start + member.compressed)}
    for position in set(range(len(PACK))) - contents:
        for bit in (1, 0x80):
            assert not verify(flip(PACK, position, bit)).is_intact, position


@pytest.mark.parametrize("cut", [0, 1, 10, END, DIRECTORY, len(PACK) - 1])
def test_a_pack_that_was_cut_off_or_continued_is_reported(cut: int) -> None:
    assert not verify(PACK[:cut]).is_intact
    assert not verify(PACK + b"\0").is_intact
    assert not verify(b"\0" + PACK).is_intact


def test_a_missing_an_added_and_an_exchanged_file_are_reported_with_their_names() -> None:
    names = list(FILES)
    manifest = read_file(PACK, MANIFEST)
    assert report(repack(PACK, without={names[0]})) == {names[0]: "is missing"}
    assert report(repack(PACK, added={"other.json": b"{}"})) == {"other.json": "is not in the manifest"}
    assert report(repack(PACK, added={names[1]: b"[]"})) == {names[1]: "was altered"}
    assert report(repack(PACK, without={MANIFEST})) == {MANIFEST: "is missing"}
    forged = json.loads(manifest) | {"requestedBy": "somebody@else.example"}
    # All digests of a forged pack are right: only the digest that the service recorded shows it.
    assert verify(repack(PACK, added={MANIFEST: json.dumps(forged).encode()})).sha256 != verify(PACK).sha256


@pytest.mark.parametrize(
    "change",
    [
        lambda lines: lines[1:],
        lambda lines: lines[:-1],
        lambda lines: [lines[0], *lines[2:]],
        lambda lines: [lines[1], lines[0], *lines[2:]],
        lambda lines: [lines[0].replace("ann@", "bob@"), *lines[1:]],
        lambda lines: [lines[0], lines[1].replace('"last":3', '"last":4'), *lines[2:]],
        lambda lines: ["[" * 100_000, *lines],
        lambda lines: ["\x00", *lines],
        lambda lines: [*lines, lines[-1]],
    ],
)
def test_a_changed_log_is_reported_even_if_all_digests_were_computed_again(change: Callable[[list[str]], list[str]]) -> None:
    lines = write_log(build_log()).decode().splitlines()
    changed = "".join(f"{line}\n" for line in change(lines)).encode()
    assert {one.file for one in verify(build_small_pack(log=changed)).problems} == {AUDIT_LOG}


def test_an_entry_of_another_organization_belongs_to_no_chain() -> None:
    log = [replace(entry, organization_id=entry.subject) for entry in build_log()]
    assert {one.file for one in verify(build_small_pack(log=write_log(log))).problems} == {AUDIT_LOG}


# ------------------------------------------------------------------------------------------------------------ hostile files


@pytest.mark.parametrize(
    "name", ["../escape.json", "/etc/passwd", "C:/x.json", "a//b.json", "UPPER.json", "x" * 300 + ".json", "nul\0.json", "noending"]
)
def test_a_name_that_no_pack_has_is_refused(name: str) -> None:
    packed = BytesIO()
    with ZipFile(packed, "w", ZIP_DEFLATED) as opened:
        opened.writestr(name, b"x")
    assert report(seal(packed.getvalue())).keys() == {ARCHIVE}


def test_a_name_that_occurs_twice_is_refused() -> None:
    packed = BytesIO()
    with ZipFile(packed, "w", ZIP_DEFLATED) as opened:
        opened.writestr("one.json", b"1")
        with pytest.warns(UserWarning, match="Duplicate"):
            opened.writestr("one.json", b"2")
    assert report(seal(packed.getvalue())).keys() == {ARCHIVE}


def test_a_file_decompresses_to_no_more_than_the_directory_states() -> None:
    """A bomb states a small size; the reader stops there."""
    member = MEMBERS["searches/one.json"]
    bomb = zlib.compressobj(9, zlib.DEFLATED, -zlib.MAX_WBITS)
    content = bomb.compress(bytes(5_000_000)) + bomb.flush()
    reader = PackReader(BytesIO(PACK))
    reader._file = BytesIO(content)
    with pytest.raises(ValueError, match="more content"):
        sum(map(len, reader.read(replace(member, start=0, compressed=len(content)))))


@pytest.mark.parametrize(
    "content", [b"", b"PK\x05\x06" + bytes(18), bytes(1000), b"%PDF-1.7", PACK[:END] + bytes(END_RECORD_BYTES + COMMENT_BYTES)]
)
def test_what_is_no_pack_is_refused(content: bytes) -> None:
    assert report(content).keys() == {ARCHIVE}


def test_a_stored_file_is_not_what_a_pack_has() -> None:
    packed = BytesIO()
    with ZipFile(packed, "w", ZIP_STORED) as opened:
        opened.writestr("one.json", b"1")
    assert report(seal(packed.getvalue())).keys() == {ARCHIVE}


def test_an_archive_has_a_limit() -> None:
    archive = PackArchive(BytesIO(), AT, max_bytes=10)
    archive.add("one.json", bytes(10))
    assert archive.add("one.json", bytes(10)).size == 10
    with pytest.raises(PackTooLarge):
        archive.add("two.json", b"1")


# ------------------------------------------------------------------------------------------------------------ forging


def report(packed: bytes) -> dict[str, str]:
    """The problems by file."""
    return {one.file: str(one.problem) for one in verify(packed).problems}


def read_file(packed: bytes, name: str) -> bytes:
    with ZipFile(BytesIO(packed)) as opened:
        return opened.read(name)


def repack(packed: bytes, without: frozenset[str] | set[str] = frozenset(), added: dict[str, bytes] | None = None) -> bytes:
    """The pack with other files, in the form that a pack has, and with the digest of the archive computed again."""
    files = {name: read_file(packed, name) for name in MEMBERS if name not in without}
    manifest = files.pop(MANIFEST, None)
    files |= added if added is not None else {}
    file = BytesIO()
    archive = PackArchive(file, AT)
    for name, content in files.items():
        if name != MANIFEST:
            archive.add(name, content)
    if MANIFEST in files or manifest is not None:
        archive.add(MANIFEST, files.get(MANIFEST, manifest or b""))
    archive.close()
    return file.getvalue()


def seal(packed: bytes) -> bytes:
    """A ZIP file with the comment of a pack."""
    file = BytesIO(packed)
    write_comment(file)
    return file.getvalue()
