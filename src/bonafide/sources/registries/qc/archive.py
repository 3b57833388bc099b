"""Read the register's ZIP archive: its six files by name, within size limits, and the needed columns of their rows.

Nothing is extracted to disk, and only one row is in memory at a time. Other modules interpret the columns.
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
from bonafide.i18n.message import Message, decode_message, encode_message, join_values
from bonafide.sources.formats.delimited_text import CELL_COUNT
from bonafide.sources.formats.file_problems import UNREADABLE_FILE
from bonafide.sources.formats.zip_archive import DAMAGED, UNREADABLE, check_member_sizes
from bonafide.sources.framework.context import ParseContext, Resource

ENCODING = "utf-8-sig"
MAX_LINE_CHARACTERS = 100_000
"""A longer line is split, and both parts are rejected. The longest cells, descriptions of purposes, have a few thousand."""
MAX_MEMBERS = 100
_DAMAGED = Message("{file}: the archive is damaged: {error}")
_ENCRYPTED = 1
"""The flag of an encrypted member."""
BAD_ROW_KEY = ""
"""The key of an unreadable row."""
_NEQ_DIGITS = 10
_ZIP_EPOCH_YEAR = 1980
"""The year of a member whose date is unknown."""


class QuebecRow(NamedTuple):
    """A row: key, line and the cells of the table's columns. A bad row has the key `BAD_ROW_KEY` and its reason as a cell."""

    neq: str
    line: int
    cells: tuple[str, ...]

    @classmethod
    def bad(cls, line: int, reason: Message) -> "QuebecRow":
        """An unreadable row. Its reason is encoded, because rows may be sorted on disk."""
        return cls(BAD_ROW_KEY, line, (encode_message(reason),))

    @property
    def reason(self) -> Message:
        """Why a bad row can't be read."""
        return decode_message(self.cells[0])


QuebecRows = Iterator[QuebecRow]


def is_neq(text: str) -> bool:
    """Whether a text is an NEQ: ten digits. No check digit is known."""
    return len(text) == _NEQ_DIGITS and text.isascii() and text.isdecimal()


@dataclass(frozen=True, slots=True)
class QuebecTable:
    """One of the six files: layout, name, the columns that are read, and the check of the first one, the key."""

    layout: str
    file: str
    columns: tuple[str, ...]
    is_key: Callable[[str], bool] = is_neq


@dataclass(frozen=True, slots=True)
class QuebecArchive:
    """An open archive of the register whose directory was checked."""

    resource: Resource
    context: ParseContext
    _file: zipfile.ZipFile
    _members: dict[str, zipfile.ZipInfo]

    def part(self, table: QuebecTable) -> Resource:
        """The archive as a resource with the name of one of its files, for errors."""
        return replace(self.resource, name=f"{self.resource.name}/{table.file}")

    def day(self, table: QuebecTable) -> date | None:
        """The date of the file in the archive; None if it is not plausible."""
        year, month, day, *_ = self._members[table.file].date_time
        try:
            dated = date(year, month, day)
        except ValueError:
            return None
        return dated if year > _ZIP_EPOCH_YEAR and dated <= self.resource.retrieved_at.date() else None

    def rows(self, table: QuebecTable) -> Iterator[tuple[int, list[str]]]:
        """Every row of a file that is not blank, with its line. The first is the header, which is checked.

        Raises `ParseFailed` when the archive is damaged, or the file has another header or encoding. A row of invalid CSV is empty.
        """
        with self._text(table) as text:
            reader = csv.reader(iter(partial(text.readline, MAX_LINE_CHARACTERS), ""))
            header = next(reader, [])
            if self.context.layout(header, self.part(table)) != table.layout:
                raise ParseFailed(
                    Message("{file}: the file has the header of another file of the register", file=self.part(table).name)
                )
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
                yield QuebecRow.bad(line, CELL_COUNT.fill(cells=len(cells), columns=width) if cells else Message("not valid CSV"))
            elif table.is_key(neq := cells[key].strip()):
                yield QuebecRow(neq, line, pick(cells))
            else:
                problem = Message("{column} does not have ten digits") if neq else Message("{column} is empty")
                yield QuebecRow.bad(line, problem.fill(column=table.columns[0]))

    @contextmanager
    def _text(self, table: QuebecTable) -> Iterator[io.TextIOBase]:
        name = self.part(table).name
        try:
            member = self._file.open(self._members[table.file])
        except (*DAMAGED, *UNREADABLE) as error:
            raise ParseFailed(_DAMAGED.fill(file=name, error=str(error))) from error
        try:
            with member, io.TextIOWrapper(member, ENCODING, newline="") as text:
                yield text
        except UnicodeDecodeError as error:
            problem = Message(
                "{file}: not {encoding}: {reason} at byte {byte}",
                file=name,
                encoding=ENCODING,
                reason=error.reason,
                byte=error.start,
            )
            raise ParseFailed(problem) from error
        except DAMAGED as error:
            raise ParseFailed(_DAMAGED.fill(file=name, error=str(error))) from error


@contextmanager
def open_archive(resource: Resource, context: ParseContext, tables: tuple[QuebecTable, ...]) -> Iterator[QuebecArchive]:
    """Open the ZIP. Raises `ParseFailed` when it is unreadable, damaged or incomplete, `LoadLimitExceeded` when it is too large."""
    try:
        file = zipfile.ZipFile(resource.path)
    except UNREADABLE as error:
        raise ParseFailed(UNREADABLE_FILE.fill(file=resource.name, format="ZIP", error=str(error))) from error
    with file:
        members = _check_members(resource, file.infolist(), tables)
        # The directory of the archive limits what the reader returns.
        size = sum(members[table.file].file_size for table in tables)
        context.metadata.limits.check_unpacked(resource.name, resource.path.stat().st_size, size)
        yield QuebecArchive(resource, context, file, members)


def _check_members(resource: Resource, found: list[zipfile.ZipInfo], tables: tuple[QuebecTable, ...]) -> dict[str, zipfile.ZipInfo]:
    if len(found) > MAX_MEMBERS:
        problem = Message(
            "{file}: the archive has {count:,} files; {expected} are expected",
            file=resource.name,
            count=len(found),
            expected=len(tables),
        )
        raise ParseFailed(problem)
    check_member_sizes(found, resource)
    members: dict[str, zipfile.ZipInfo] = {}
    for member in found:
        name = member.filename.rpartition("/")[2]
        if name in members:
            raise ParseFailed(Message("{file}: the archive has two files named {member}", file=resource.name, member=name))
        members[name] = member
    missing = [table.file for table in tables if table.file not in members]
    if missing:
        problem = Message("{file}: the archive lacks {members}", file=resource.name, members=join_values(missing))
        raise ParseFailed(problem)
    closed = [table.file for table in tables if not _is_readable(members[table.file])]
    if closed:
        problem = Message(
            "{file}: {member} is encrypted, or its compression method is not supported",
            file=resource.name,
            member=", ".join(closed),
        )
        raise ParseFailed(problem)
    return members


def _is_readable(member: zipfile.ZipInfo) -> bool:
    return not member.flag_bits & _ENCRYPTED and member.compress_type in {zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED}
