"""What the code of a source receives: files, vocabulary and the report of the rows that were read, rejected or skipped.

The contexts have a few methods (download, read, term, set_as_of, reject, merge) and no access to database, index or settings.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import date, datetime
from pathlib import Path
from typing import Protocol, TypeVar

from bonafide.errors import ParseFailed
from bonafide.i18n.message import LIST_SEPARATOR, Message, join_messages, plural_message
from bonafide.model.entity import RoleCategory, StatusCode
from bonafide.sources.framework.load_limits import format_file_names
from bonafide.sources.framework.metadata import HeaderLayout, ResourceMetadata, SourceMetadata

MAX_REPORTED_REJECTIONS = 200
MAX_NOTES = 50
MAX_NAMED_COLUMNS = 8
"""Maximum number of columns in an error about a header. A file of another kind lacks all, and some tables have hundreds."""
MAX_COLUMN_CHARACTERS = 100
"""Maximum number of characters of a column in an error. The first line of a file of another kind has any length."""
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Resource:
    """One file of a source on disk, with its origin. `as_of` is the publisher's date of the file, if it states one."""

    name: str
    path: Path
    url: str
    retrieved_at: datetime
    sha256: str
    size: int
    as_of: date | None = None


@dataclass(frozen=True, slots=True)
class RowRejection:
    """One row that could not be read."""

    resource: str
    line: int
    reason: Message


@dataclass(slots=True)
class ParseReport:
    """Counts every row: `rows == entries + merged + rejected`, or the load has lost some."""

    rows: int = 0
    entries: int = 0
    merged: int = 0
    rejected: int = 0
    rejections: list[RowRejection] = field(default_factory=list)
    reasons: Counter[str] = field(default_factory=Counter)
    unknown_terms: Counter[str] = field(default_factory=Counter)
    notes: list[Message] = field(default_factory=list)
    as_of: date | None = None
    """The date that the files state in their content."""


class Downloader(Protocol):
    """Downloads a resource to disk."""

    async def __call__(self, resource: ResourceMetadata, /) -> Resource:
        """Raises a `SourceError`."""


class PageReader(Protocol):
    """Reads a small page of a publisher, such as the index of its files, into memory."""

    async def __call__(self, url: str, /) -> bytes:
        """Raises a `SourceError`."""


class DownloadStore(Protocol):
    """The files of earlier downloads, for publishers that publish changes since a date."""

    def kept(self, prefix: str) -> Sequence[Resource]:
        """The files whose names begin with the prefix, in the order of their names."""

    def forget(self, resource: Resource) -> None:
        """Remove a file that is no longer needed."""


class EmptyDownloadStore:
    """A store without files."""

    def kept(self, prefix: str) -> Sequence[Resource]:  # noqa: ARG002 - the interface's
        """Return no file."""
        return ()

    def forget(self, resource: Resource) -> None:
        """Do nothing."""


@dataclass(frozen=True, slots=True)
class FetchContext:
    """The argument of `fetch`, which downloads resources of the metadata, or those that it finds on a page."""

    metadata: SourceMetadata
    download: Downloader
    read: PageReader
    previous_downloads: DownloadStore = field(default_factory=EmptyDownloadStore)


@dataclass(slots=True)
class ParseContext:
    """The argument of `parse`: the metadata, and the report that it fills."""

    metadata: SourceMetadata
    report: ParseReport = field(default_factory=ParseReport)
    file_names: tuple[str, ...] = ()
    """The files that are read, for errors that concern all of them."""
    _rows_left: int = field(init=False)
    _statuses: dict[str, StatusCode] = field(init=False)
    _roles: dict[str, RoleCategory] = field(init=False)

    def __post_init__(self) -> None:
        self._rows_left = self.metadata.limits.rows
        self._statuses = {word.casefold(): code for word, code in self.metadata.statuses.items()}
        self._roles = {word.casefold(): category for word, category in self.metadata.roles.items()}
        warning = self.metadata.licence.warning
        if warning is not None:
            self.note(warning)

    def status(self, word: str | None) -> StatusCode:
        """The common code of a status word. An unknown word is counted, and its code is `unknown`."""
        if word is None:
            return StatusCode.UNKNOWN
        return self._statuses.get(word.casefold()) or self._unknown("status", word, StatusCode.UNKNOWN)

    def find_status(self, word: str) -> StatusCode | None:
        """The common code of a status word, or None for an unknown word, which is not counted."""
        return self._statuses.get(word.casefold())

    def role(self, word: str) -> RoleCategory:
        """The category of a role word. An unknown word is counted, and its category is `other`."""
        return self._roles.get(word.casefold()) or self._unknown("role", word, RoleCategory.OTHER)

    def term(self, word: str) -> str:
        """The meaning of a code word of the source. An unknown word is counted and returned unchanged."""
        return self.metadata.terms.get(word) or self._unknown("term", word, word)

    def _unknown(self, vocabulary: str, word: str, fallback: T) -> T:
        self.report.unknown_terms[f"{vocabulary}: {word}"] += 1
        return fallback

    def row(self, count: int = 1) -> None:
        """Count one row of input, or several. Every row must then be yielded as an entry, merged or rejected.

        Raises `LoadLimitExceeded` when the files have more rows than the source allows. Skipped rows count as well.
        """
        self.report.rows += count
        self._rows_left -= count
        if self._rows_left < 0:
            raise self.metadata.limits.build_rows_error(format_file_names(self.file_names))

    def merge(self) -> None:
        """Count the current row as one that is merged into another entry."""
        self.report.merged += 1

    def reject(self, resource: Resource, line: int, reason: Message | ValueError) -> None:
        """Count the current row as rejected, for a reason or for the error that has it as its argument."""
        message = get_reason(reason) if isinstance(reason, ValueError) else reason
        self.report.rejected += 1
        self.report.reasons[message] += 1
        if len(self.report.rejections) < MAX_REPORTED_REJECTIONS:
            self.report.rejections.append(RowRejection(resource.name, line, message))

    def set_as_of(self, day: date) -> None:
        """Set the date that the files state in their content. It applies if neither the server nor the operator gives one."""
        self.report.as_of = day

    def note(self, text: Message) -> None:
        """Add a note for the operator about the whole load. A repeated one is ignored."""
        if text not in self.report.notes and len(self.report.notes) < MAX_NOTES:
            self.report.notes.append(text)

    def layout(self, header: Sequence[str], resource: Resource) -> str:
        """The name of the layout that has this header. Raises `ParseFailed` with the differences to the nearest one."""
        found = [column.strip() for column in header]
        nearest: tuple[int, Message] | None = None
        for name, layout in self.metadata.layouts.items():
            problem = _compare_header(layout, found)
            if problem is None:
                return name
            if nearest is None or problem[0] < nearest[0]:
                nearest = problem
        detail = nearest[1] if nearest is not None else Message("the source has no layouts")
        sentence = Message(
            "{source}: {file}: unknown header: {detail}", source=self.metadata.key, file=resource.name, detail=detail
        )
        raise ParseFailed(sentence)


def get_reason(error: ValueError) -> Message:
    """The message that a parser raised a `ValueError` with."""
    return Message.untranslated(error.args[0] if error.args and isinstance(error.args[0], str) else str(error))


def _compare_header(layout: HeaderLayout, found: Sequence[str]) -> tuple[int, Message] | None:
    """The number of columns that differ from the layout, and their names; None when it fits."""
    known = {*layout.columns, *layout.ignored}
    missing = [column for column in layout.columns if column not in found]
    extra = [] if layout.allow_extra else [column for column in found if column not in known]
    if not missing and not extra:
        return None
    parts = [Message("missing columns: {columns}", columns=_format_columns(missing))] if missing else []
    parts += [Message("unknown columns: {columns}", columns=_format_columns(extra))] if extra else []
    return len(missing) + len(extra), join_messages(parts)


def _format_columns(columns: list[str]) -> Message:
    shown = [column[:MAX_COLUMN_CHARACTERS] for column in columns[:MAX_NAMED_COLUMNS]]
    named, more = join_messages(shown, LIST_SEPARATOR), len(columns) - MAX_NAMED_COLUMNS
    return Message("{columns} and {n} more", columns=named, n=more) if more > 0 else named


class SkippedRows:
    """Counts the rows that one load skips, by reason."""

    def __init__(self, context: ParseContext) -> None:
        self._context = context
        self._reasons: Counter[Message] = Counter()

    def add(self, reason: Message) -> None:
        """Count the current row as skipped, and no longer as a row of the load."""
        self._context.report.rows -= 1
        self._reasons[reason] += 1

    def note(self) -> None:
        """Add a note with each reason, once all files are read."""
        for reason, count in sorted(self._reasons.items()):
            self._context.note(plural_message("{n:,} row skipped: {reason}", "{n:,} rows skipped: {reason}", count, reason=reason))
