"""What a source's code receives: files, vocabulary and the report of what was read, rejected or skipped.

The contexts expose a few verbs (download, read, term, dated, reject, merge) and nothing else: no database, no index, no settings.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import date, datetime
from pathlib import Path
from typing import Protocol, TypeVar

from bonafide.errors import ParseFailed
from bonafide.model.entity import RoleCategory, StatusCode
from bonafide.sources.framework.metadata import HeaderLayout, ResourceMetadata, SourceMetadata

MAX_REPORTED_REJECTIONS = 200
MAX_NOTES = 50
MAX_NAMED_COLUMNS = 8
"""Of those that a header lacks: a file of another kind lacks them all, and some tables have hundreds."""
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Resource:
    """One file of a source, on disk, with where it came from. `as_of` is the publisher's own date for it, if it gives one."""

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
    reason: str


@dataclass(slots=True)
class ParseReport:
    """What became of every row: `rows == entries + merged + rejected`, or the load has lost some."""

    rows: int = 0
    entries: int = 0
    merged: int = 0
    rejected: int = 0
    rejections: list[RowRejection] = field(default_factory=list)
    reasons: Counter[str] = field(default_factory=Counter)
    unknown_terms: Counter[str] = field(default_factory=Counter)
    notes: list[str] = field(default_factory=list)
    as_of: date | None = None
    """The day to which the files date themselves inside."""


class Downloader(Protocol):
    """Whatever brings a resource to disk."""

    async def __call__(self, resource: ResourceMetadata) -> Resource:
        """Raises a `SourceError`."""


class PageReader(Protocol):
    """Whatever brings a small page of a publisher, such as the index of its files, to memory."""

    async def __call__(self, url: str) -> bytes:
        """Raises a `SourceError`."""


class DownloadStore(Protocol):
    """Where the files of earlier downloads stand, for a publisher who tells what has changed since."""

    def kept(self, prefix: str) -> Sequence[Resource]:
        """Those whose names begin so, in the order of their names."""

    def forget(self, resource: Resource) -> None:
        """Remove one that is needed no more."""


class EmptyDownloadStore:
    """Nothing was ever downloaded."""

    def kept(self, prefix: str) -> Sequence[Resource]:  # noqa: ARG002 - there is nothing under any name
        """No file."""
        return ()

    def forget(self, resource: Resource) -> None:
        """Nothing to remove."""


@dataclass(frozen=True, slots=True)
class FetchContext:
    """Given to `fetch`. What it downloads may be named in the metadata, or made of what a page says that it has read."""

    metadata: SourceMetadata
    download: Downloader
    read: PageReader
    previous_downloads: DownloadStore = field(default_factory=EmptyDownloadStore)


@dataclass(slots=True)
class ParseContext:
    """Given to `parse`: the metadata, and the report that it fills."""

    metadata: SourceMetadata
    report: ParseReport = field(default_factory=ParseReport)
    _statuses: dict[str, StatusCode] = field(init=False)
    _roles: dict[str, RoleCategory] = field(init=False)

    def __post_init__(self) -> None:
        self._statuses = {word.casefold(): code for word, code in self.metadata.statuses.items()}
        self._roles = {word.casefold(): category for word, category in self.metadata.roles.items()}
        warning = self.metadata.licence.warning
        if warning is not None:
            self.note(warning)

    def status(self, word: str | None) -> StatusCode:
        """The common code of a status word; an unknown word is counted, and is `unknown`."""
        if word is None:
            return StatusCode.UNKNOWN
        return self._statuses.get(word.casefold()) or self._unknown("status", word, StatusCode.UNKNOWN)

    def find_status(self, word: str) -> StatusCode | None:
        """The common code of a status word, or None; for where something better than `unknown` can stand in for it."""
        return self._statuses.get(word.casefold())

    def role(self, word: str) -> RoleCategory:
        """The category of a role word; an unknown word is counted, and is `other`."""
        return self._roles.get(word.casefold()) or self._unknown("role", word, RoleCategory.OTHER)

    def term(self, word: str) -> str:
        """What a code word of the source means; an unknown one is counted and stands for itself."""
        return self.metadata.terms.get(word) or self._unknown("term", word, word)

    def _unknown(self, vocabulary: str, word: str, fallback: T) -> T:
        self.report.unknown_terms[f"{vocabulary}: {word}"] += 1
        return fallback

    def row(self) -> None:
        """Count one row of input; every row is then yielded as an entry, merged or rejected."""
        self.report.rows += 1

    def merge(self) -> None:
        """The row that was just read adds to an entry instead of being one."""
        self.report.merged += 1

    def reject(self, resource: Resource, line: int, reason: str) -> None:
        """The row can't be read: say where and why, and go on."""
        self.report.rejected += 1
        self.report.reasons[reason] += 1
        if len(self.report.rejections) < MAX_REPORTED_REJECTIONS:
            self.report.rejections.append(RowRejection(resource.name, line, reason))

    def set_as_of(self, day: date) -> None:
        """The files say inside to which day they hold; it counts where neither the publisher's server nor the operator does."""
        self.report.as_of = day

    def note(self, text: str) -> None:
        """Tell the operator something about the whole load, once."""
        if text not in self.report.notes and len(self.report.notes) < MAX_NOTES:
            self.report.notes.append(text)

    def layout(self, header: Sequence[str], resource: Resource) -> str:
        """The name of the layout that this header is. Raises `ParseFailed` that says what differs from the nearest one."""
        found = [column.strip() for column in header]
        nearest: tuple[int, str] | None = None
        for name, layout in self.metadata.layouts.items():
            problem = _compare_header(layout, found)
            if problem is None:
                return name
            if nearest is None or problem[0] < nearest[0]:
                nearest = problem
        detail = nearest[1] if nearest is not None else "no layout is known"
        raise ParseFailed(f"{self.metadata.key}: {resource.name}: the header is not one that is known: {detail}")


def _compare_header(layout: HeaderLayout, found: Sequence[str]) -> tuple[int, str] | None:
    """How many columns differ from the layout, and which; None when it fits."""
    known = {*layout.columns, *layout.ignored}
    missing = [column for column in layout.columns if column not in found]
    extra = [] if layout.allow_extra else [column for column in found if column not in known]
    if not missing and not extra:
        return None
    parts = [f"missing {_format_columns(missing)}"] if missing else []
    parts += [f"new {_format_columns(extra)}"] if extra else []
    return len(missing) + len(extra), "; ".join(parts)


def _format_columns(columns: list[str]) -> str:
    more = len(columns) - MAX_NAMED_COLUMNS
    return ", ".join(columns[:MAX_NAMED_COLUMNS]) + (f" and {more} more" if more > 0 else "")


class SkippedRows:
    """Counts the rows that one load passes over, by reason."""

    def __init__(self, context: ParseContext) -> None:
        self._context = context
        self._reasons: Counter[str] = Counter()

    def add(self, reason: str) -> None:
        """The row that was just counted is passed over."""
        self._context.report.rows -= 1
        self._reasons[reason] += 1

    def note(self) -> None:
        """Tell the operator, when all files are read."""
        for reason, count in sorted(self._reasons.items()):
            self._context.note(f"rows passed over ({reason}): {count:,}")
