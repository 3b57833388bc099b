"""Read the ZIP file of an examiner's pack strictly: it may come from anybody.

Only the form that `archive` writes is accepted: files without extra fields follow each other from the first byte to the directory,
and nothing overlaps or is left over. Nothing is written to the disk, and no more is decompressed than a file says it has.
"""

import re
import struct
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from typing import IO

from bonafide.i18n.message import Message
from bonafide.model.packs.manifest import MAX_FILES, MAX_NAME_CHARACTERS, NAME_PATTERN
from bonafide.services.packs.archive import COMMENT_BYTES, COMMENT_PREFIX, END_RECORD_BYTES, compute_digest

_END_RECORD = struct.Struct("<4s4H2LH")
_DIRECTORY_ENTRY = struct.Struct("<4s6H3L5H2L")
_LOCAL_HEADER = struct.Struct("<4s5H3L2H")
_END_SIGNATURE, _DIRECTORY_SIGNATURE, _LOCAL_SIGNATURE = b"PK\x05\x06", b"PK\x01\x02", b"PK\x03\x04"
_DEFLATED = 8
_NAME = re.compile(NAME_PATTERN, re.ASCII)
_HEX_DIGEST = re.compile(rb"[0-9a-f]{64}")
_CHUNK_BYTES = 256 * 1024
MAX_DIRECTORY_BYTES = (MAX_FILES + 1) * (_DIRECTORY_ENTRY.size + MAX_NAME_CHARACTERS)


class NotAPack(Exception):
    """The structure of the file is not that of a pack; the message says why."""

    def __init__(self, message: Message) -> None:
        super().__init__(message)
        self.message = message


@dataclass(frozen=True, slots=True)
class ZipMember:
    """A file in the archive: where its compressed bytes are, and its size and checksum."""

    name: str
    start: int
    compressed: int
    size: int
    crc: int


class PackReader:
    """The members of a pack, in their order. Raises `NotAPack` when it is opened."""

    def __init__(self, file: IO[bytes]) -> None:
        self._file = file
        directory_start, self._end, count, self._digest = self._read_end_record()
        self.members = self._read_directory(directory_start, count)
        """The files in the archive."""

    @property
    def is_unaltered(self) -> bool:
        """Whether the digest of everything before the end record is that of the comment. Reads the whole file."""
        return compute_digest(self._file, self._end) == self._digest

    def _read_end_record(self) -> tuple[int, int, int, str]:
        """Where the directory starts and ends, the number of files, and the digest of the comment."""
        start = self._file.seek(0, 2) - END_RECORD_BYTES - COMMENT_BYTES
        if start < 0:
            raise NotAPack(Message("The file is not an examiner’s pack, or is incomplete."))
        self._file.seek(start)
        record = self._file.read(END_RECORD_BYTES + COMMENT_BYTES)
        signature, disk, first_disk, here, count, size, offset, comment_size = _END_RECORD.unpack(record[:END_RECORD_BYTES])
        comment = record[END_RECORD_BYTES:]
        digest = comment.removeprefix(COMMENT_PREFIX)
        is_formed = signature == _END_SIGNATURE and comment_size == COMMENT_BYTES and comment.startswith(COMMENT_PREFIX)
        if not is_formed or _HEX_DIGEST.fullmatch(digest) is None:
            raise NotAPack(Message("The file is not an examiner’s pack, or its end was altered."))
        is_consistent = (disk, first_disk, here) == (0, 0, count) and offset + size == start
        if not is_consistent or not 0 < count <= MAX_FILES + 1 or size > MAX_DIRECTORY_BYTES:
            raise NotAPack(Message("The end of the file was altered."))
        return offset, start, count, digest.decode()

    def _read_directory(self, start: int, count: int) -> list[ZipMember]:
        self._file.seek(start)
        directory = self._file.read(self._end - start)
        members, names, position, offset = list[ZipMember](), set[str](), 0, 0
        for _ in range(count):
            fields = directory[position : position + _DIRECTORY_ENTRY.size]
            if len(fields) < _DIRECTORY_ENTRY.size:
                raise NotAPack(Message("The directory of the file was altered."))
            signature, _, _, flags, method, time, day, crc, compressed, size, name_size, extra, comment, disk, _, _, at = (
                _DIRECTORY_ENTRY.unpack(fields)
            )
            position += _DIRECTORY_ENTRY.size
            raw_name = directory[position : position + name_size]
            position += name_size
            name = raw_name.decode("ascii", "replace")
            if signature != _DIRECTORY_SIGNATURE or len(name) > MAX_NAME_CHARACTERS or _NAME.fullmatch(name) is None:
                raise NotAPack(Message("The directory of the file was altered, or has a name that no pack has."))
            if name in names:
                raise NotAPack(Message("The file {name} occurs twice.", name=name))
            if (flags, method, extra, comment, disk, at) != (0, _DEFLATED, 0, 0, 0, offset):
                raise NotAPack(Message("The entry of {name} in the directory was altered.", name=name))
            names.add(name)
            shared = (flags, method, time, day, crc, compressed, size, name_size, 0)
            if not self._has_local_header(offset, shared, raw_name):
                raise NotAPack(Message("The header of {name} was altered.", name=name))
            data = offset + _LOCAL_HEADER.size + name_size
            offset = data + compressed
            members.append(ZipMember(name, data, compressed, size, crc))
        if position != len(directory) or offset != start:
            raise NotAPack(Message("The file has bytes that belong to no file of the pack."))
        return members

    def _has_local_header(self, offset: int, shared: tuple[int, ...], raw_name: bytes) -> bool:
        """Whether the header in front of the data says the same as the directory."""
        self._file.seek(offset)
        header = self._file.read(_LOCAL_HEADER.size + len(raw_name))
        if len(header) < _LOCAL_HEADER.size + len(raw_name):
            return False
        signature, _, *others = _LOCAL_HEADER.unpack(header[: _LOCAL_HEADER.size])
        return signature == _LOCAL_SIGNATURE and tuple(others) == shared and header[_LOCAL_HEADER.size :] == raw_name

    def read(self, member: ZipMember) -> Iterator[bytes]:
        """The content of a file in pieces, no more than its size. Raises `ValueError` if it is damaged."""
        inflater = zlib.decompressobj(-zlib.MAX_WBITS)
        left, position, size, crc = member.compressed, member.start, 0, 0
        while not inflater.eof:
            self._file.seek(position)
            packed = self._file.read(min(left, _CHUNK_BYTES))
            position, left = position + len(packed), left - len(packed)
            pending = packed
            while True:
                piece = _inflate(inflater, pending)
                size, crc = size + len(piece), zlib.crc32(piece, crc)
                if size > member.size:
                    raise ValueError("more content than the directory states")
                if piece:
                    yield piece
                pending = inflater.unconsumed_tail
                if not pending and not piece:
                    break
            if not packed and not inflater.eof:
                raise ValueError("the compressed data ends early")
        if left > 0 or inflater.unused_data or (size, crc) != (member.size, member.crc):
            raise ValueError("the content does not agree with the directory")


def _inflate(inflater: "zlib._Decompress", pending: bytes) -> bytes:
    """The next piece. Raises `ValueError` for damaged data."""
    try:
        return inflater.decompress(pending, _CHUNK_BYTES)
    except zlib.error as error:
        raise ValueError(str(error)) from error
