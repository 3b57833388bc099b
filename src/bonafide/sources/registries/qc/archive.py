"""The register's ZIP: its six files by name, opened with limits, and each file's rows with only the columns that are read.

Nothing is unpacked to disk and nothing larger than a row is held. What the columns mean is not known here.
"""

import csv
import io
import zipfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import date
from functools import partial
from operator import itemgetter
from typing import NamedTuple

from bonafide.errors import ParseFailed
from bonafide.sources.formats.zip_archive import DAMAGED, UNREADABLE, check_member_sizes
from bonafide.sources.framework.context import ParseContext, Resource

ENCODING = "utf-8-sig"
MAX_UNPACKED_BYTES = 8 << 30
"""Of the six files together, by the archive's own directory, beyond which the reader gives out nothing; today's are about 1 GB."""
MAX_LINE_CHARACTERS = 100_000
"""Beyond it a line is cut in two, and then neither half is a row; the longest cells, objects in words, have a few thousand."""
MAX_MEMBERS = 100
_ENCRYPTED = 1
"""The flag of a file behind a password."""
BAD_ROW_KEY = ""
"""The key of a row that can't be read."""
_NEQ_DIGITS = 10
_ZIP_EPOCH_YEAR = 1980
"""The year with which programs date what they put into a ZIP when they don't know the time."""


class QuebecRow(NamedTuple):
    """A row: its key, its line, and the cells of its table's columns, as they are; of a bad one, whose key is empty, the reason."""

    neq: str
    line: int
    cells: tuple[str, ...]


QuebecRows = Iterator[QuebecRow]


def is_neq(text: str) -> bool:
    """Whether a text is a number of the register: ten digits. No check digit is known."""
    return len(text) == _NEQ_DIGITS and text.isascii() and text.isdecimal()


@dataclass(frozen=True, slots=True)
class QuebecTable:
    """One of the six files: its layout, its name, the columns that are read, and what can stand in the first, the key."""

    layout: str
    file: str
    columns: tuple[str, ...]
    is_key: Callable[[str], bool] = is_neq


@dataclass(frozen=True, slots=True)
class QuebecArchive:
    """An open ZIP of the register, its directory checked."""

    resource: Resource
    context: ParseContext
    _file: zipfile.ZipFile
    _members: dict[str, zipfile.ZipInfo]

    def part(self, table: QuebecTable) -> Resource:
        """The ZIP under the name of one of its files, to say where a row stands."""
        return replace(self.resource, name=f"{self.resource.name}/{table.file}")

    def day(self, table: QuebecTable) -> date | None:
        """When the file was put into the archive; None when that can't be."""
        year, month, day, *_ = self._members[table.file].date_time
        try:
            dated = date(year, month, day)
        except ValueError:
            return None
        return dated if year > _ZIP_EPOCH_YEAR and dated <= self.resource.retrieved_at.date() else None

    def rows(self, table: QuebecTable) -> Iterator[tuple[int, list[str]]]:
        """Every row of a file that isn't blank, with its line; the header, which is the first, is checked.

        Raises `ParseFailed` when the archive is damaged, or the file has another header or encoding. A row that is no CSV is empty.
        """
        with self._text(table) as text:
            reader = csv.reader(iter(partial(text.readline, MAX_LINE_CHARACTERS), ""))
            header = next(reader, [])
            if self.context.layout(header, self.part(table)) != table.layout:
                raise ParseFailed(f"{self.part(table).name}: has the header of another of the register's files")
            yield reader.line_num, header
            while True:
                try:
                    cells = next(reader)
                except StopIteration:
                    return
                except csv.Error:
                    yield reader.line_num, []
                    continue
                if any(cells):
                    yield reader.line_num, cells

    def records(self, table: QuebecTable) -> QuebecRows:
        """Every row of a file, with the cells of the table's columns."""
        rows = self.rows(table)
        _, header = next(rows)
        names = [column.strip() for column in header]
        pick = itemgetter(*(names.index(column) for column in table.columns))
        key, width = names.index(table.columns[0]), len(names)
        for line, cells in rows:
            if len(cells) != width:
                reason = f"{len(cells)} cells where the header has {width}" if cells else "not CSV"
                yield QuebecRow(BAD_ROW_KEY, line, (reason,))
            elif table.is_key(neq := cells[key].strip()):
                yield QuebecRow(neq, line, pick(cells))
            else:
                yield QuebecRow(BAD_ROW_KEY, line, (f"{table.columns[0]} is {'not ten digits' if neq else 'empty'}",))

    @contextmanager
    def _text(self, table: QuebecTable) -> Iterator[io.TextIOBase]:
        name = self.part(table).name
        try:
            member = self._file.open(self._members[table.file])
        except (*DAMAGED, *UNREADABLE) as error:
            raise ParseFailed(f"{name}: the archive is damaged: {error}") from error
        try:
            with member, io.TextIOWrapper(member, ENCODING, newline="") as text:
                yield text
        except UnicodeDecodeError as error:
            raise ParseFailed(f"{name}: not {ENCODING}: {error.reason}") from error
        except DAMAGED as error:
            raise ParseFailed(f"{name}: the archive is damaged: {error}") from error


@contextmanager
def open_archive(resource: Resource, context: ParseContext, tables: tuple[QuebecTable, ...]) -> Iterator[QuebecArchive]:
    """Open the ZIP. Raises `ParseFailed` when it is none, is damaged, lacks a file or would unpack to more than it may."""
    try:
        file = zipfile.ZipFile(resource.path)
    except UNREADABLE as error:
        raise ParseFailed(f"{resource.name}: not a readable ZIP archive of the register's six files: {error}") from error
    with file:
        yield QuebecArchive(resource, context, file, _check_members(resource, file.infolist(), tables))


def _check_members(resource: Resource, found: list[zipfile.ZipInfo], tables: tuple[QuebecTable, ...]) -> dict[str, zipfile.ZipInfo]:
    if len(found) > MAX_MEMBERS:
        raise ParseFailed(f"{resource.name}: {len(found):,} files, where {len(tables)} are expected")
    check_member_sizes(found, resource)
    members: dict[str, zipfile.ZipInfo] = {}
    for member in found:
        name = member.filename.rpartition("/")[2]
        if name in members:
            raise ParseFailed(f"{resource.name}: has {name} twice")
        members[name] = member
    missing = [table.file for table in tables if table.file not in members]
    if missing:
        raise ParseFailed(f"{resource.name}: has no {', '.join(missing)}; it has {', '.join(members) or 'nothing'}")
    closed = [table.file for table in tables if not _is_readable(members[table.file])]
    if closed:
        raise ParseFailed(
            f"{resource.name}: {', '.join(closed)}: behind a password, or compressed in another way than by deflating"
        )
    size = sum(members[table.file].file_size for table in tables)
    if size > MAX_UNPACKED_BYTES:
        raise ParseFailed(f"{resource.name}: unpacks to {size:,} bytes, where at most {MAX_UNPACKED_BYTES:,} are read")
    return members


def _is_readable(member: zipfile.ZipInfo) -> bool:
    return not member.flag_bits & _ENCRYPTED and member.compress_type in {zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED}
