"""Read files inside a ZIP archive, with limits on what the archive may contain.

What a damaged, encrypted or swollen archive raises is a `ParseFailed`. What is in the files is the source's business.
"""

import shutil
import tempfile
import zipfile
import zlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import IO

from bonafide.errors import ParseFailed
from bonafide.sources.framework.context import Resource

MAX_MEMBERS = 1_000
_MAGIC = (b"PK\x03\x04", b"PK\x05\x06")
UNREADABLE = (zipfile.BadZipFile, ValueError, NotImplementedError, EOFError, OSError)
"""What the standard library makes of a file that is no archive."""
DAMAGED = (zipfile.BadZipFile, zlib.error, NotImplementedError, EOFError, OSError)
"""And of a file in an archive that is not what was packed: a place before the beginning is an `OSError`."""
_ENCRYPTED = 1
"""The flag of a file behind a password."""


def is_zip(resource: Resource) -> bool:
    """Whether the file begins as a ZIP archive does, whatever it is called."""
    with resource.path.open("rb") as file:
        return file.read(4) in _MAGIC


@contextmanager
def open_zip(resource: Resource, max_unpacked: int) -> Iterator[zipfile.ZipFile]:
    """The archive, if all that is in it can be read and is at most so many bytes. Raises `ParseFailed`."""
    try:
        archive = zipfile.ZipFile(resource.path)
    except UNREADABLE as error:
        raise ParseFailed(f"{resource.name}: not a readable ZIP archive: {error}") from error
    with archive:
        members = archive.infolist()
        if len(members) > MAX_MEMBERS:
            raise ParseFailed(f"{resource.name}: {len(members):,} files, where at most {MAX_MEMBERS:,} are read")
        check_member_sizes(members, resource)
        closed = [member.filename for member in members if not _is_readable(member)]
        if closed:
            raise ParseFailed(f"{resource.name}: {closed[0]}: behind a password, or compressed in another way than by deflating")
        # The reader gives out no more of a member than this directory says.
        size = sum(member.file_size for member in members)
        if size > max_unpacked:
            raise ParseFailed(f"{resource.name}: unpacks to {size:,} bytes, where at most {max_unpacked:,} are read")
        yield archive


def check_member_sizes(members: Sequence[zipfile.ZipInfo], resource: Resource) -> None:
    """Raises `ParseFailed` when a file in an archive is said to be longer, as it is packed, than the archive.

    The standard library makes room for as much as the directory says before it reads.
    """
    size = resource.path.stat().st_size
    longer = next((member.filename for member in members if member.compress_size > size), None)
    if longer is not None:
        raise ParseFailed(f"{resource.name}: {longer}: the archive is damaged: the file is said to be longer than the archive")


@contextmanager
def open_member(archive: zipfile.ZipFile, name: str, resource: Resource) -> Iterator[IO[bytes]]:
    """One file of the archive. Raises `ParseFailed` when its bytes are not those that were packed."""
    try:
        member = archive.open(name)
    except (*DAMAGED, *UNREADABLE) as error:
        raise ParseFailed(f"{resource.name}: {name}: the archive is damaged: {error}") from error
    try:
        with member:
            yield member
    except DAMAGED as error:
        raise ParseFailed(f"{resource.name}: {name}: the archive is damaged: {error}") from error


@contextmanager
def extract_only_member(resource: Resource, max_unpacked: int) -> Iterator[Resource]:
    """The one file of an archive as a file on disk, for readers that go through it more than once. Raises `ParseFailed`."""
    with open_zip(resource, max_unpacked) as archive:
        names = [member.filename for member in archive.infolist() if not member.is_dir()]
        if len(names) != 1:
            raise ParseFailed(f"{resource.name}: {len(names):,} files, where one is expected")
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "member"
            with open_member(archive, names[0], resource) as packed, path.open("wb") as file:
                shutil.copyfileobj(packed, file)
            yield replace(resource, name=f"{resource.name}: {names[0]}", path=path)


def _is_readable(member: zipfile.ZipInfo) -> bool:
    return not member.flag_bits & _ENCRYPTED and member.compress_type in {zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED}
