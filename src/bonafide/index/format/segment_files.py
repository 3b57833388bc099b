"""The files of a segment: little-endian NumPy arrays, one file of payload bytes, and a header with their checksums.

    header.json    {"format", "normaliser", "counts": {…}, "files": {name: {"size", "crc32"}}, "crc32"}; the last covers the header
    payload.bin    the payloads of all documents, concatenated
    *.npy          arrays, each described by the module that writes it

Opening a segment reads every file once to verify its checksum, which takes seconds for the index of a large registry. At startup,
a serving process checks only the header, the sizes and the arrays' shapes, and calls `verify_segment_files`
afterwards. Either warms the page cache for the first searches. The result of a verification is not stored, since a disk may fail
later. CRC-32 detects accidental damage, not manipulation by someone with write access to the data directory.

This module does not know what the arrays mean.
"""

import json
import mmap
import os
import zlib
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray
from typing_extensions import Buffer

from bonafide.errors import SegmentCorrupt
from bonafide.i18n.message import Message
from bonafide.matching.names.normalization import NORMALISER_VERSION

FORMAT_VERSION = 4
"""Increase it with any change of the format; older segments are then rejected, and their sources reloaded."""
HEADER = "header.json"
PAYLOAD = "payload.bin"
SMALL_BYTES = 64 * 1024
"""Arrays up to this size are read into memory instead of mapped."""
_CHUNK_BYTES = 1024 * 1024

Arrays = Mapping[str, NDArray[Any]]
"""The arrays of a segment by file name without its ending."""


@dataclass(frozen=True, slots=True)
class SegmentFiles:
    """A segment's mapped arrays and its mapped payload bytes."""

    arrays: Arrays
    payload: mmap.mmap | bytes


class SegmentWriter:
    """Writes the files of one segment into a folder; `finish` writes the header, without which the segment is invalid."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self._folder = folder
        self._files: dict[str, dict[str, int]] = {}

    def save(self, name: str, values: ArrayLike, dtype: str) -> None:
        """Write `<name>.npy`; `dtype` includes the byte order (`"<u4"`)."""
        with self.stream(f"{name}.npy") as file:
            np.save(file, np.asarray(values, dtype=dtype), allow_pickle=False)

    def within(self, field: str) -> "FieldWriter":
        """A writer whose arrays belong to one field."""
        return FieldWriter(self, field)

    @contextmanager
    def stream(self, name: str) -> Iterator["ChecksummedFile"]:
        """A writable file, synced to disk when the block ends."""
        with (self._folder / name).open("wb") as file:
            summing = ChecksummedFile(file)
            yield summing
            flush_to_disk(file)
        self._files[name] = {"size": summing.size, "crc32": summing.checksum}

    def finish(self, counts: Mapping[str, int]) -> int:
        """Write the header; returns the total size of the other files in bytes."""
        header = {
            "format": FORMAT_VERSION,
            "normaliser": NORMALISER_VERSION,
            "counts": dict(counts),
            "files": dict(sorted(self._files.items())),
        }
        write_durably(self._folder / HEADER, json.dumps({**header, "crc32": _header_checksum(header)}, indent=1).encode())
        sync_folder(self._folder)
        return sum(file["size"] for file in self._files.values())


class ChecksummedFile:
    """Writes to a file, and tracks size and checksum."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        self.size = self.checksum = 0

    def write(self, content: Buffer) -> int:
        """Write bytes."""
        self.checksum = zlib.crc32(content, self.checksum)
        self.size += memoryview(content).nbytes
        return self._file.write(content)


@dataclass(frozen=True, slots=True)
class FieldWriter:
    """Writes the arrays of one field: their files are called `<field>.<name>.npy`."""

    segment: SegmentWriter
    field: str

    def save(self, name: str, values: ArrayLike, dtype: str) -> None:
        """Write one array; `dtype` includes the byte order (`"<u4"`)."""
        self.segment.save(f"{self.field}.{name}", values, dtype)


def select_field_arrays(arrays: Arrays, field: str) -> dict[str, NDArray[Any]]:
    """The arrays of one field by their names within it; empty if the segment does not have the field."""
    start = f"{field}."
    return {name.removeprefix(start): values for name, values in arrays.items() if name.startswith(start)}


def open_segment_files(folder: Path, *, verify: bool = True) -> SegmentFiles:
    """Verify a segment's files and map them. Raises `SegmentCorrupt` when anything is missing, damaged or of another version.

    Without `verify`, the files' checksums are not compared; the caller must call `verify_segment_files` later.
    """
    header = _read_header(folder / HEADER)
    try:
        for name, expected in header["files"].items():
            _check_size(folder / name, expected)
            if verify:
                _check_content(folder / name, expected)
        return SegmentFiles(_map_arrays(folder, header["files"]), _map_file(folder / PAYLOAD))
    except (OSError, KeyError, ValueError) as error:
        raise SegmentCorrupt(Message("{name}: {error}", name=folder.name, error=error)) from error


def verify_segment_files(folder: Path) -> None:
    """Read all files of a segment and compare their checksums. Raises `SegmentCorrupt` as `open_segment_files` does."""
    header = _read_header(folder / HEADER)
    try:
        for name, expected in header["files"].items():
            _check_size(folder / name, expected)
            _check_content(folder / name, expected)
    except (OSError, KeyError) as error:
        raise SegmentCorrupt(Message("{name}: {error}", name=folder.name, error=error)) from error


def _read_header(path: Path) -> dict[str, Any]:
    where = f"{path.parent.name}/{path.name}"
    try:
        header = json.loads(path.read_bytes())
        expected = header.pop("crc32")
    except (OSError, ValueError, TypeError, AttributeError, KeyError) as error:
        raise SegmentCorrupt(Message("{where} can’t be read: {error}", where=where, error=error)) from error
    if header.get("format") != FORMAT_VERSION:
        raise SegmentCorrupt(
            Message(
                "{where} has format {value}, and this release reads {format_version}. Load the source again.",
                where=where,
                value=str(header.get("format")),
                format_version=FORMAT_VERSION,
            )
        )
    if header.get("normaliser") != NORMALISER_VERSION:
        raise SegmentCorrupt(
            Message(
                "{where} has names of normaliser {value}, and this release has {normaliser_version}. Load the source again.",
                where=where,
                value=str(header.get("normaliser")),
                normaliser_version=NORMALISER_VERSION,
            )
        )
    if expected != _header_checksum(header):
        raise SegmentCorrupt(Message("{where} is damaged", where=where))
    return dict(header)


def _header_checksum(header: Mapping[str, Any]) -> int:
    return zlib.crc32(json.dumps(header, sort_keys=True).encode())


def _check_size(path: Path, expected: Mapping[str, int]) -> None:
    size = path.stat().st_size
    if size != expected["size"]:
        raise SegmentCorrupt(
            Message(
                "{segment}/{file} has {size} bytes instead of {expected}",
                segment=path.parent.name,
                file=path.name,
                size=size,
                expected=expected["size"],
            )
        )


def _check_content(path: Path, expected: Mapping[str, int]) -> None:
    if _checksum(path) != expected["crc32"]:
        raise SegmentCorrupt(Message("{segment}/{file} is damaged: its checksum differs", segment=path.parent.name, file=path.name))


def _checksum(path: Path) -> int:
    value = 0
    with path.open("rb", buffering=0) as file:
        while chunk := file.read(_CHUNK_BYTES):
            value = zlib.crc32(chunk, value)
    return value


def _map_arrays(folder: Path, files: Iterable[str]) -> Arrays:
    return {name.removesuffix(".npy"): _map_array(folder / name) for name in files if name.endswith(".npy")}


def _map_array(path: Path) -> NDArray[Any]:
    # A mapping holds a file descriptor, and the usual limit is about a thousand per process.
    mode: Literal["r"] | None = "r" if path.stat().st_size > SMALL_BYTES else None
    # A plain array over the mapping, because slicing a `memmap` is several times slower.
    return np.asarray(np.load(path, mmap_mode=mode, allow_pickle=False))


def _map_file(path: Path) -> mmap.mmap | bytes:
    with path.open("rb") as file:
        # An empty file can't be mapped.
        return mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) if path.stat().st_size > 0 else b""


# ------------------------------------------------------------------------------------------------------------ durability


def flush_to_disk(file: BinaryIO) -> None:
    """Flush the file's contents to disk so that they survive a power failure."""
    file.flush()
    os.fsync(file.fileno())


def write_durably(path: Path, content: bytes) -> None:
    """Write a small file and return when it is on disk."""
    with path.open("wb") as file:
        file.write(content)
        flush_to_disk(file)


def sync_folder(folder: Path) -> None:
    """Flush the folder's entries (creations, renames) to disk so that they survive a power failure."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
