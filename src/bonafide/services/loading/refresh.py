"""Load a source: fetch or import, parse, index, check, and swap in the new generation.

Whatever fails on the way leaves the last good data in use and is recorded as a run of the source. Scheduling, leases and sharing
are the caller's.
"""

import hashlib
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from datetime import date
from pathlib import Path

import anyio

from bonafide.errors import BonafideError, ConfigurationError, ParseFailed, RefreshRefused, SegmentCorrupt, UnknownSourceFailure
from bonafide.index import GenerationWriter, IndexDocument, StoredGeneration
from bonafide.model.accounts.organizations import World
from bonafide.model.entry import AnyEntry, SourceKind
from bonafide.model.loading import LoadedFile, LoadRecord, LoadStorage, RejectedRow
from bonafide.net import download_cache
from bonafide.net.download_cache import CachedFile
from bonafide.net.fetch import Fetcher
from bonafide.observability.log import get_logger
from bonafide.runtime import Runtime
from bonafide.services.indexing.combined_index import build_index_document
from bonafide.services.loading.load_history import build_failure_run, build_load_run, record_run
from bonafide.services.loading.source_terms import find_acceptance_blocker
from bonafide.sources.canonical.parser import CanonicalMapping, is_canonical, parse_canonical
from bonafide.sources.framework.context import FetchContext, ParseContext, Resource
from bonafide.sources.framework.discovery import Source
from bonafide.sources.framework.metadata import LoadChecks, ResourceMetadata

Progress = Callable[[str, int, int | None], None]
"""Told what is being done (`"download cbca_active"`, `"read"`), how much of it is done, and of how much, if known."""
PROGRESS_EVERY = 1000
FEW_REJECTED = 10
"""So few rows never stop a load, unless they are most of it: in a short file one bad row is a large share and no alarm."""
_log = get_logger(__name__)


def _ignore_progress(_what: str, _done: int, _total: int | None) -> None:
    """The progress that nobody watches."""


@dataclass(frozen=True, slots=True)
class FileImport:
    """Files that the operator holds, in place of a download; `as_of` is the day to which the operator dates them."""

    files: tuple[Path, ...]
    mapping: CanonicalMapping | None = None
    as_of: date | None = None


@dataclass(frozen=True, slots=True)
class LoadRequest:
    """What to load: one source into one world, downloaded unless files are given. `force` accepts what the checks refuse."""

    source: Source
    world: World = World.LIVE
    imported: FileImport | None = None
    force: bool = False


async def load_source(runtime: Runtime, fetcher: Fetcher, order: LoadRequest, progress: Progress = _ignore_progress) -> LoadRecord:
    """Load a source. Raises `SourceError`, `AddressRefused`, `RefreshRefused` or `ConfigurationError`; then nothing has changed.

    Where machines share an index, the caller holds the source's lease and publishes (`build_exclusively`). Beginning the draft
    before anything is fetched locks the source against other processes of this machine. A `ConfigurationError` is no attempt: it
    says nothing about the source.
    """
    draft = runtime.generations[order.world].begin(order.source.key)
    started_at = runtime.clock()
    try:
        resources = await _fetch_resources(runtime, fetcher, order, progress)
        record = await anyio.to_thread.run_sync(_load_resources, runtime, order, draft, resources, progress)
    except ConfigurationError:
        raise
    except BaseException as error:
        fault = _describe_fault(order, error)
        await record_run(runtime, order.world, order.source.key, build_failure_run(started_at, runtime.clock(), fault))
        if fault is error:
            raise
        raise fault from error
    finally:
        draft.discard()
    await record_run(runtime, order.world, order.source.key, build_load_run(started_at, runtime.clock(), record))
    return record


def _describe_fault(order: LoadRequest, error: BaseException) -> BaseException:
    """Log why a load failed, and return the error to record and raise: an unexpected one becomes `UnknownSourceFailure`."""
    if isinstance(error, BonafideError):
        _log.warning("refresh failed", source=order.source.key, world=order.world, problem=error.message)
        return error
    if isinstance(error, OSError) or not isinstance(error, Exception):
        # The disk fails, which the next source would meet too, or the process is stopping.
        return error
    _log.error("refresh failed", source=order.source.key, world=order.world, exc_info=error)
    return UnknownSourceFailure(f"{order.source.key} could not be loaded because of a fault of this service; the log has it")


def get_current_load(runtime: Runtime, world: World, source: Source) -> LoadRecord | None:
    """What is loaded of a source now; None when nothing is, or nothing that can be used.

    A damaged index, and one of an earlier normaliser, must not stand in the way of the load that mends it.
    """
    try:
        generation = runtime.generations[world].current(source.key)
    except SegmentCorrupt:
        return None
    return generation.manifest if generation is not None else None


# ------------------------------------------------------------------------------------------------------------ getting the files


async def _fetch_resources(runtime: Runtime, fetcher: Fetcher, order: LoadRequest, progress: Progress) -> list[Resource]:
    source = order.source
    folder = runtime.generations[order.world].root / source.key / "downloads"
    if order.imported is not None:
        return [_import_file(runtime, path, order.imported.as_of) for path in order.imported.files]
    if source.fetch is None or not source.metadata.resources:
        raise ConfigurationError(f"{source.key} can't be downloaded: {source.metadata.access_note or 'import a file with --file'}")

    refusal = find_acceptance_blocker(runtime, source.key, source.metadata.acceptance)
    if refusal is not None and order.world is World.LIVE:
        raise ConfigurationError(refusal)

    async def download(resource: ResourceMetadata) -> Resource:
        def told(done: int, total: int | None) -> None:
            progress(f"download {resource.name}", done, total)

        return _to_resource(
            resource.name, await fetcher.download(resource.url, _build_download_path(folder, resource), told, resource.form)
        )

    # The made-up Canada's publishers need not be spared.
    metadata = source.metadata if order.world is World.LIVE else source.metadata.model_copy(update={"pause_s": 0.0})
    return await source.fetch(FetchContext(metadata, download, fetcher.read, _DownloadFolder(folder)))


def _build_download_path(folder: Path, resource: ResourceMetadata) -> Path:
    return folder / f"{resource.name}.{resource.format}"


def _to_resource(name: str, got: CachedFile) -> Resource:
    return Resource(name, got.path, got.url, got.retrieved_at, got.sha256, got.size, got.as_of)


@dataclass(frozen=True, slots=True)
class _DownloadFolder:
    """The folder of a source's downloads."""

    folder: Path

    def kept(self, prefix: str) -> list[Resource]:
        """The copies whose names begin so."""
        return [
            _to_resource(copy.path.name.partition(".")[0], copy) for copy in download_cache.list_cached_files(self.folder, prefix)
        ]

    def forget(self, resource: Resource) -> None:
        """Remove a copy."""
        download_cache.delete_cached_file(resource.path)


def _import_file(runtime: Runtime, path: Path, as_of: date | None) -> Resource:
    try:
        with path.open("rb") as file:
            digest = hashlib.file_digest(file, "sha256").hexdigest()
        size = path.stat().st_size
    except OSError as error:
        raise ConfigurationError(f"{path} can't be read: {error.strerror}") from error
    return Resource(path.name, path, f"file:{path.name}", runtime.clock(), digest, size, as_of)


# ------------------------------------------------------------------------------------------------------------ loading


def _load_resources(
    runtime: Runtime, order: LoadRequest, draft: GenerationWriter[LoadRecord], resources: Sequence[Resource], progress: Progress
) -> LoadRecord:
    """Parse, index, check, swap; in a worker thread."""
    previous = draft.previous.manifest if draft.previous is not None else None
    reading = _LoadReading(order, _group_by_layout(order, resources), progress)
    stored = draft.write(reading.documents, whole=order.force)
    record = _build_load_record(runtime, order, reading, stored)
    if not order.force:
        _raise_for_problems(record, find_load_problems(record, _get_checks(order), reading.filled, previous))
    draft.commit(record.model_dump(mode="json", by_alias=True))
    _log.info("loaded", source=order.source.key, world=order.world, entries=record.entries, **record.stored.model_dump())
    return record


@dataclass(frozen=True, slots=True)
class _FilesByLayout:
    """Files by the layout that they are in."""

    native: list[Resource]
    canonical: list[Resource]

    def all(self) -> list[Resource]:
        return [*self.native, *self.canonical]


def _group_by_layout(order: LoadRequest, resources: Sequence[Resource]) -> _FilesByLayout:
    """Each file with the reader that it needs. Raises `ParseFailed` for a file in a source's own layout that no code reads.

    A source that publishes one snapshot knows its date; the date of a canonical file only the operator knows.
    """
    source, imported = order.source, order.imported
    canonical: list[Resource] = []
    if source.metadata.kind is SourceKind.REGISTRY and imported is not None:
        canonical = [item for item in resources if source.parse is None or imported.mapping is not None or is_canonical(item)]
    native = [item for item in resources if item not in canonical]
    if native and source.parse is None:
        raise ParseFailed(f"{source.key}: this release does not read this source: {source.metadata.access_note}")
    day = source.metadata.snapshot_as_of
    return _FilesByLayout([replace(item, as_of=day) if item.as_of is None else item for item in native], canonical)


def _parse_files(order: LoadRequest, files: _FilesByLayout, context: ParseContext) -> Iterator[AnyEntry]:
    """The entries of all files."""
    if files.native and order.source.parse is not None:
        yield from order.source.parse(files.native, context)
    if files.canonical:
        yield from parse_canonical(files.canonical, context, order.imported.mapping if order.imported is not None else None)


class _LoadReading:
    """The files of a load as documents, and what became of their rows; what the newest reading has seen counts."""

    def __init__(self, order: LoadRequest, files: _FilesByLayout, progress: Progress) -> None:
        self.files = files
        self._order = order
        self._progress = progress
        self._start()

    def _start(self) -> None:
        self._context = ParseContext(self._order.source.metadata)
        self.report = self._context.report
        self.filled: Counter[str] = Counter()

    def documents(self) -> Iterator[IndexDocument]:
        """Read all files, from their beginnings."""
        self._start()
        report, fields = self.report, self._order.source.metadata.checks.min_fill
        for entry in _parse_files(self._order, self.files, self._context):
            report.entries += 1
            if report.entries % PROGRESS_EVERY == 0:
                self._progress("read", report.entries, None)
            self.filled.update(name for name in fields if getattr(entry, name))
            yield build_index_document(entry)
        self._progress("read", report.entries, report.entries)


def _build_load_record(runtime: Runtime, order: LoadRequest, reading: _LoadReading, stored: StoredGeneration) -> LoadRecord:
    report, resources = reading.report, reading.files.all()
    dated = [resource.as_of for resource in resources if resource.as_of is not None]
    return LoadRecord(
        source=order.source.key,
        kind=order.source.metadata.kind,
        world=order.world,
        loaded_at=runtime.clock(),
        retrieved_at=min(resource.retrieved_at for resource in resources),
        as_of=min(dated) if dated else report.as_of,
        files=tuple(
            LoadedFile(name=r.name, url=r.url, sha256=r.sha256, size=r.size, retrieved_at=r.retrieved_at, as_of=r.as_of)
            for r in resources
        ),
        rows=report.rows,
        entries=report.entries,
        merged=report.merged,
        rejected=report.rejected,
        reasons=dict(report.reasons),
        rejections=tuple(RejectedRow(resource=r.resource, line=r.line, reason=r.reason) for r in report.rejections),
        unknown_terms=dict(report.unknown_terms),
        notes=tuple(report.notes),
        stored=LoadStorage(**asdict(stored.changes), written=stored.written, segments=stored.segments),
    )


# ------------------------------------------------------------------------------------------------------------ checking


def _get_checks(order: LoadRequest) -> LoadChecks:
    """The sandbox's registers are as small as asked for; all other checks hold there too."""
    checks = order.source.metadata.checks
    return checks if order.world is World.LIVE else checks.model_copy(update={"min_entries": 1, "max_drop_share": 1.0})


def _raise_for_problems(record: LoadRecord, problems: list[str]) -> None:
    if problems:
        raise RefreshRefused(f"{record.source}: {'; '.join(problems)}. The last good data stays in use")


def find_load_problems(record: LoadRecord, checks: LoadChecks, filled: Counter[str], previous: LoadRecord | None) -> list[str]:
    """Every reason not to trust a load, as sentences; empty when it may replace the last good one."""
    problems = []
    if record.rows != record.entries + record.merged + record.rejected:
        problems.append(f"{record.rows:,} rows became {record.entries:,} + {record.merged:,} + {record.rejected:,}: some were lost")
    if record.entries < checks.min_entries:
        problems.append(f"{record.entries:,} entries, where at least {checks.min_entries:,} are expected")
    if previous is not None and record.entries < previous.entries * (1 - checks.max_drop_share):
        problems.append(f"{record.entries:,} entries, where the last load had {previous.entries:,}")
    if record.rejected > max(FEW_REJECTED, record.rows * checks.max_rejected_share) or record.rejected * 2 > record.rows:
        commonest = max(record.reasons, key=lambda reason: record.reasons[reason])
        problems.append(f"{record.rejected:,} of {record.rows:,} rows could not be read, most often because: {commonest}")
    unknown = sum(record.unknown_terms.values())
    if unknown > record.rows * checks.max_unknown_share:
        words = ", ".join(sorted(record.unknown_terms)[:5])
        problems.append(f"{unknown:,} unknown words, such as {words}")
    for name, share in checks.min_fill.items():
        if filled[name] < record.entries * share:
            problems.append(f"only {filled[name]:,} of {record.entries:,} entries have {name}")
    return problems
