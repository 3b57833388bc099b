"""Read the files of a load: choose the parser of each file, and turn the entries into documents of the index.

This runs in a process of its own (`reader_process`), so it has no access to the runtime. It raises the errors of the parsers, and
`LoadLimitExceeded` for files that exceed a limit of the source.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from bonafide.errors import ParseFailed
from bonafide.i18n.message import Message
from bonafide.index import IndexDocument
from bonafide.model.entry import AnyEntry, SourceKind
from bonafide.model.serialized_entry import SerializedEntry
from bonafide.services.indexing.index_documents import build_index_document, build_serialized_document
from bonafide.sources.canonical.parser import CanonicalMapping, is_canonical, serialize_canonical
from bonafide.sources.framework.context import ParseContext, ParseReport, Resource
from bonafide.sources.framework.discovery import Source
from bonafide.sources.framework.load_limits import format_file_names


@dataclass(frozen=True, slots=True)
class ReadOrder:
    """The files of a load. The metadata of the source has the limits that apply to it."""

    source: Source
    resources: tuple[Resource, ...]
    is_import: bool = False
    """Whether they are files of the operator, which may be in the canonical layout."""
    mapping: CanonicalMapping | None = None

    @property
    def file_names(self) -> Message:
        """The names of the files, for errors."""
        return format_file_names([resource.name for resource in self.resources])


@dataclass(slots=True)
class ReadResult:
    """What is known about the files after the last document."""

    files: tuple[Resource, ...]
    """The files, those in the source's own layout first, with the dates that apply to them."""
    report: ParseReport = field(default_factory=ParseReport)
    filled: Counter[str] = field(default_factory=Counter)
    """The number of entries that have each field of the load checks."""


@dataclass(frozen=True, slots=True)
class _FilesByLayout:
    """Files by their layout."""

    native: list[Resource]
    canonical: list[Resource]


def read_files(order: ReadOrder) -> tuple[ReadResult, Iterator[IndexDocument]]:
    """The documents of the files, and the result, which is complete after the last document."""
    files = _group_by_layout(order)
    context = ParseContext(order.source.metadata, file_names=tuple(resource.name for resource in order.resources))
    result = ReadResult((*files.native, *files.canonical), context.report)
    return result, _read_documents(order, files, context, result.filled)


def _read_documents(
    order: ReadOrder, files: _FilesByLayout, context: ParseContext, filled: Counter[str]
) -> Iterator[IndexDocument]:
    fields, limits, size = order.source.metadata.checks.min_fill, order.source.metadata.limits, 0
    for entry in _parse_files(order, files, context):
        context.report.entries += 1
        if isinstance(entry, SerializedEntry):
            if entry.filled:
                filled.update(entry.filled)
            document = build_serialized_document(entry)
        else:
            filled.update(name for name in fields if getattr(entry, name))
            document = build_index_document(entry)
        size += len(document.payload)
        if size > limits.unpacked_bytes:
            raise limits.build_unpacked_error(order.file_names)
        yield document


def _group_by_layout(order: ReadOrder) -> _FilesByLayout:
    """Assign each file to its parser. Raises `ParseFailed` for a file in a source's own layout without a parser.

    The metadata has the date of a source that publishes one snapshot; only the operator knows the date of a canonical file.
    """
    source = order.source
    canonical: list[Resource] = []
    if source.metadata.kind is SourceKind.REGISTRY and order.is_import:
        canonical = [item for item in order.resources if source.parse is None or order.mapping is not None or is_canonical(item)]
    native = [item for item in order.resources if item not in canonical]
    if native and source.parse is None:
        raise ParseFailed(Message("{source}: this release can’t parse the source’s own files.", source=source.key))
    day = source.metadata.snapshot_as_of
    return _FilesByLayout([replace(item, as_of=day) if item.as_of is None else item for item in native], canonical)


def _parse_files(order: ReadOrder, files: _FilesByLayout, context: ParseContext) -> Iterator[AnyEntry | SerializedEntry]:
    """Parse the entries of all files."""
    if files.native and order.source.parse is not None:
        yield from order.source.parse(files.native, context)
    if files.canonical:
        yield from serialize_canonical(files.canonical, context, order.mapping)
