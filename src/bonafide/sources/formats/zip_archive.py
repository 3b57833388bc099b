"""Read files inside a ZIP archive, with limits on what the archive may contain.

A damaged, encrypted or oversized archive raises `ParseFailed`. The source interprets the files.
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
from bonafide.i18n.message import Message
from bonafide.sources.formats.file_problems import UNREADABLE_FILE
from bonafide.sources.framework.context import Resource
from bonafide.sources.framework.load_limits import LoadLimits

MAX_MEMBERS = 1_000
_MAGIC = (b"PK\x03\x04", b"PK\x05\x06")
UNREADABLE = (zipfile.BadZipFile, ValueError, NotImplementedError, EOFError, OSError)
"""Raised by the standard library for a file that is not an archive."""
DAMAGED = (zipfile.BadZipFile, zlib.error, NotImplementedError, EOFError, OSError)
"""Raised by the standard library for a damaged member: an offset before the start of the file is an `OSError`."""
_DAMAGED_MEMBER = Message("{file}: {member}: the archive is damaged: {error}")
_ENCRYPTED = 1
"""The flag of an encrypted member."""


def is_zip(resource: Resource) -> bool:
    """Whether the file has the first bytes of a ZIP archive, whatever its name."""
    with resource.path.open("rb") as file:
        return file.read(4) in _MAGIC


@contextmanager
def open_zip(resource: Resource, limits: LoadLimits) -> Iterator[zipfile.ZipFile]:
    """Open the archive. Raises `ParseFailed` when a member is unreadable, and `LoadLimitExceeded` when they are too large."""
    try:
        archive = zipfile.ZipFile(resource.path)
    except UNREADABLE as error:
        raise ParseFailed(UNREADABLE_FILE.fill(file=resource.name, format="ZIP", error=str(error))) from error
    with archive:
        members = archive.infolist()
        if len(members) > MAX_MEMBERS:
            problem = Message(
                "{file}: the archive has {count:,} files; the limit is {limit:,}",
                file=resource.name,
                count=len(members),
                limit=MAX_MEMBERS,
            )
            raise ParseFailed(problem)
        check_member_sizes(members, resource)
        closed = [member.filename for member in members if not _is_readable(member)]
        if closed:
            problem = Message(
                "{file}: {member} is encrypted, or its compression method is not supported", file=resource.name, member=closed[0]
            )
            raise ParseFailed(problem)
        # The reader returns no more of a member than the size in this directory.
        limits.check_unpacked(resource.name, resource.path.stat().st_size, sum(member.file_size for member in members))
        yield archive


def check_member_sizes(members: Sequence[zipfile.ZipInfo], resource: Resource) -> None:
    """Raise `ParseFailed` when the compressed size of a member exceeds the size of the archive.

    The standard library allocates the size in the directory before it reads.
    """
    size = resource.path.stat().st_size
    longer = next((member.filename for member in members if member.compress_size > size), None)
    if longer is not None:
        problem = Message(
            "{file}: {member}: the archive is damaged: the member is larger than the archive", file=resource.name, member=longer
        )
        raise ParseFailed(problem)


@contextmanager
def open_member(archive: zipfile.ZipFile, name: str, resource: Resource) -> Iterator[IO[bytes]]:
    """Open a member of the archive. Raises `ParseFailed` when it is damaged."""
    try:
        member = archive.open(name)
    except (*DAMAGED, *UNREADABLE) as error:
        raise ParseFailed(_DAMAGED_MEMBER.fill(file=resource.name, member=name, error=str(error))) from error
    try:
        with member:
            yield member
    except DAMAGED as error:
        raise ParseFailed(_DAMAGED_MEMBER.fill(file=resource.name, member=name, error=str(error))) from error


@contextmanager
def extract_only_member(resource: Resource, limits: LoadLimits) -> Iterator[Resource]:
    """Extract the only member of an archive to disk, for readers that read it more than once. Raises as `open_zip` does."""
    with open_zip(resource, limits) as archive:
        names = [member.filename for member in archive.infolist() if not member.is_dir()]
        if len(names) != 1:
            raise ParseFailed(
                Message("{file}: the archive has {count:,} files; one is expected", file=resource.name, count=len(names))
            )
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "member"
            with open_member(archive, names[0], resource) as packed, path.open("wb") as file:
                shutil.copyfileobj(packed, file)
            yield replace(resource, name=f"{resource.name}: {names[0]}", path=path)


def _is_readable(member: zipfile.ZipInfo) -> bool:
    return not member.flag_bits & _ENCRYPTED and member.compress_type in {zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED}
