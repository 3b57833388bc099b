"""Load a source: fetch or import, read, index, check, and swap in the new generation.

The files are read in a process of its own (`reader_process`), within the limits of the source. A failure at any step leaves the
last good data in use and is recorded as a run of the source. The caller is responsible for scheduling, leases and sharing.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from datetime import date
from pathlib import Path

import anyio
from pydantic import ValidationError

from bonafide.errors import (
    BonafideError,
    ConfigurationError,
    LoadLimitExceeded,
    RefreshRefused,
    SegmentCorrupt,
    SourceTimeout,
    UnknownSourceFailure,
)
from bonafide.i18n.message import Message, join_messages, join_values
from bonafide.index import GenerationWriter, IndexDocument, ReaderPool, StoredGeneration
from bonafide.model.accounts.organizations import World
from bonafide.model.loading import LoadedFile, LoadRecord, LoadStorage, RejectedRow
from bonafide.model.validation_messages import describe_validation_error
from bonafide.net import download_cache
from bonafide.net.download_cache import CachedFile
from bonafide.net.fetch import Fetcher
from bonafide.observability.log import get_logger
from bonafide.runtime import Runtime
from bonafide.services.loading.file_reading import ReadOrder, ReadResult
from bonafide.services.loading.imported_file import measure_imported_file
from bonafide.services.loading.load_history import build_failure_run, build_load_run, record_run
from bonafide.services.loading.reader_process import open_reader, prepare_reader
from bonafide.services.loading.source_terms import find_acceptance_blocker
from bonafide.sources.canonical.parser import CanonicalMapping
from bonafide.sources.framework.context import FetchContext, Resource
from bonafide.sources.framework.discovery import Source
from bonafide.sources.framework.load_limits import LoadLimits
from bonafide.sources.framework.metadata import LoadChecks, ResourceMetadata

Progress = Callable[[str, int, int | None], None]
"""Called with the current step (`"download cbca_active"`, `"read"`), the amount done, and the total if known."""
FEW_REJECTED = 10
"""Up to this many rejected rows never fail a load, unless they are most of it: one bad row is a large share of a short file."""
_READER_PROCESSES = 1
"""Processes that read the files of a load."""
_log = get_logger(__name__)


def _ignore_progress(_what: str, _done: int, _total: int | None) -> None:
    """Ignore the progress."""


@dataclass(frozen=True, slots=True)
class FileImport:
    """Files of the operator instead of a download; `as_of` is their date according to the operator."""

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

    If machines share an index, the caller holds the source's lease and publishes (`build_exclusively`). The draft is begun before
    the download to lock the source against other processes of this machine. A `ConfigurationError` is not recorded as an attempt.
    """
    order = _apply_limits(runtime, order)
    draft = runtime.generations[order.world].begin(order.source.key)
    started_at = runtime.clock()
    try:
        resources = await _fetch_resources(runtime, fetcher, order, progress)
        record = await anyio.to_thread.run_sync(_load_resources, runtime, order, draft, resources, progress)
    except ConfigurationError:
        raise
    except BaseException as error:
        fault = _describe_fault(order, error)
        await record_run(runtime, order.world, order.source, build_failure_run(started_at, runtime.clock(), fault), fault)
        if fault is error:
            raise
        raise fault from error
    finally:
        draft.discard()
    await record_run(runtime, order.world, order.source, build_load_run(started_at, runtime.clock(), record), record)
    return record


def _apply_limits(runtime: Runtime, order: LoadRequest) -> LoadRequest:
    """The order with the limits that the operator has changed. Raises `ConfigurationError` for an unknown or invalid one."""
    metadata = order.source.metadata
    changed = runtime.settings.load_limits.get(metadata.key)
    if changed is None:
        return order
    try:
        limits = LoadLimits.model_validate({**metadata.limits.model_dump(), **changed})
    except ValidationError as error:
        found = error.errors()[0]
        problem = Message(
            "BONAFIDE_LOAD_LIMITS: {source}: {name}: {problem}",
            source=metadata.key,
            name=".".join(map(str, found["loc"])),
            problem=describe_validation_error(found),
        )
        raise ConfigurationError(problem) from error
    return replace(order, source=replace(order.source, metadata=metadata.model_copy(update={"limits": limits})))


def _describe_fault(order: LoadRequest, error: BaseException) -> BaseException:
    """Log why a load failed, and return the error to record and raise: an unexpected one becomes `UnknownSourceFailure`."""
    if isinstance(error, LoadLimitExceeded):
        error = _describe_exceeded_limit(order, error)
    if isinstance(error, BonafideError):
        _log.warning("load.failed", source=order.source.key, world=order.world, problem=error.message)
        return error
    if isinstance(error, OSError) or not isinstance(error, Exception):
        # The disk failed, which affects every source, or the process is stopping.
        return error
    _log.error("load.failed", source=order.source.key, world=order.world, exc_info=error)
    return UnknownSourceFailure(
        Message("{source} could not be loaded because of an internal error. The log has the details.", source=order.source.key)
    )


def _describe_exceeded_limit(order: LoadRequest, error: LoadLimitExceeded) -> LoadLimitExceeded:
    """The error with its source."""
    message = Message("{source}: {problems}. The last good data stays in use.", source=order.source.key, problems=error.message)
    described = LoadLimitExceeded(message)
    described.limit, described.value = error.limit, error.value
    return described


def get_current_load(runtime: Runtime, world: World, source: Source) -> LoadRecord | None:
    """The load in use of a source; None without a usable one.

    A damaged index, or one of an earlier normaliser, does not prevent the load that replaces it.
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
        return [await anyio.to_thread.run_sync(_import_file, runtime, path, order.imported.as_of) for path in order.imported.files]
    if source.fetch is None or not source.metadata.resources:
        raise ConfigurationError(_describe_missing_download(source))

    blocker = find_acceptance_blocker(runtime, source.key, source.metadata.acceptance)
    if blocker is not None and order.world is World.LIVE:
        raise ConfigurationError(blocker)

    async def download(resource: ResourceMetadata) -> Resource:
        def report(done: int, total: int | None) -> None:
            progress(f"download {resource.name}", done, total)

        return _to_resource(
            resource.name, await fetcher.download(resource.url, _build_download_path(folder, resource), report, resource.form)
        )

    # The sandbox's publishers need no pauses between requests.
    metadata = source.metadata if order.world is World.LIVE else source.metadata.model_copy(update={"pause_s": 0.0})
    await anyio.to_thread.run_sync(prepare_reader)
    limit_s = metadata.limits.download_seconds
    with anyio.move_on_after(limit_s):
        return await source.fetch(FetchContext(metadata, download, fetcher.read, _DownloadFolder(folder)))
    problem = Message(
        "{source}: not downloaded within {limit:,} s, the limit `{name}` of the source",
        source=source.key,
        limit=limit_s,
        name="download_seconds",
    )
    raise SourceTimeout(problem)


def _describe_missing_download(source: Source) -> Message:
    note = source.metadata.access_note
    return Message(
        "{source} can’t be downloaded: {reason}",
        source=source.key,
        reason=note if note is not None else Message("import a file with --file"),
    )


def _build_download_path(folder: Path, resource: ResourceMetadata) -> Path:
    return folder / f"{resource.name}.{resource.format}"


def _to_resource(name: str, got: CachedFile) -> Resource:
    return Resource(name, got.path, got.url, got.retrieved_at, got.sha256, got.size, got.as_of)


@dataclass(frozen=True, slots=True)
class _DownloadFolder:
    """The folder of a source's downloads."""

    folder: Path

    def kept(self, prefix: str) -> list[Resource]:
        """The cached files whose names begin with the prefix."""
        return [
            _to_resource(copy.path.name.partition(".")[0], copy) for copy in download_cache.list_cached_files(self.folder, prefix)
        ]

    def forget(self, resource: Resource) -> None:
        """Delete a cached file."""
        download_cache.delete_cached_file(resource.path)


def _import_file(runtime: Runtime, path: Path, as_of: date | None) -> Resource:
    size, digest = measure_imported_file(path, runtime.settings.max_download_bytes)
    return Resource(path.name, path, f"file:{path.name}", runtime.clock(), digest, size, as_of)


# ------------------------------------------------------------------------------------------------------------ loading


def _load_resources(
    runtime: Runtime, order: LoadRequest, draft: GenerationWriter[LoadRecord], resources: Sequence[Resource], progress: Progress
) -> LoadRecord:
    """Read, index, check, swap; in a worker thread."""
    previous = draft.previous.manifest if draft.previous is not None else None
    reading = _LoadReading(_create_read_order(order, resources), progress)
    stored = draft.write(reading.documents, whole=order.force, workforce=ReaderPool.create_beside(_READER_PROCESSES))
    record = _build_load_record(runtime, order, reading, stored)
    if not order.force:
        _raise_for_problems(record, find_load_problems(record, _get_checks(order), reading.result.filled, previous))
    draft.commit(record.to_manifest())
    _log.info("load.finished", source=order.source.key, world=order.world, entries=record.entries, **record.stored.model_dump())
    return record


def _create_read_order(order: LoadRequest, resources: Sequence[Resource]) -> ReadOrder:
    imported = order.imported
    return ReadOrder(order.source, tuple(resources), imported is not None, imported.mapping if imported is not None else None)


class _LoadReading:
    """The files of a load as documents, and the result of the last reading."""

    def __init__(self, order: ReadOrder, progress: Progress) -> None:
        self._order = order
        self._progress = progress
        self.result = ReadResult(())

    def documents(self) -> Iterator[IndexDocument]:
        """Read all files, from their beginnings."""
        read = 0
        with open_reader() as reader:
            for batch in reader.read(self._order):
                if isinstance(batch, ReadResult):
                    self.result = batch
                    break
                read += len(batch)
                self._progress("read", read, None)
                yield from batch
        self._progress("read", read, read)


def _build_load_record(runtime: Runtime, order: LoadRequest, reading: _LoadReading, stored: StoredGeneration) -> LoadRecord:
    report, resources = reading.result.report, reading.result.files
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
    """The checks of a load. The sandbox's registers may be of any size; all other checks apply to them."""
    checks = order.source.metadata.checks
    return checks if order.world is World.LIVE else checks.model_copy(update={"min_entries": 1, "max_drop_share": 1.0})


def _raise_for_problems(record: LoadRecord, problems: list[Message]) -> None:
    if problems:
        message = Message(
            "{source}: {problems}. The last good data stays in use.", source=record.source, problems=join_messages(problems)
        )
        raise RefreshRefused(message)


def find_load_problems(record: LoadRecord, checks: LoadChecks, filled: Counter[str], previous: LoadRecord | None) -> list[Message]:
    """Every reason not to trust a load; empty if it may replace the last good one."""
    problems = []
    if record.rows != record.entries + record.merged + record.rejected:
        problems.append(
            Message(
                "{rows:,} rows became {entries:,} + {merged:,} + {rejected:,}: rows were lost",
                rows=record.rows,
                entries=record.entries,
                merged=record.merged,
                rejected=record.rejected,
            )
        )
    if record.entries < checks.min_entries:
        problems.append(
            Message("{entries:,} entries, expected at least {least:,}", entries=record.entries, least=checks.min_entries)
        )
    if previous is not None and record.entries < previous.entries * (1 - checks.max_drop_share):
        problems.append(
            Message("{entries:,} entries, but the last load had {before:,}", entries=record.entries, before=previous.entries)
        )
    if record.rejected > max(FEW_REJECTED, record.rows * checks.max_rejected_share) or record.rejected * 2 > record.rows:
        commonest = max(record.reasons, key=lambda reason: record.reasons[reason])
        problems.append(
            Message(
                "{rejected:,} of {rows:,} rows could not be read, most often because: {reason}",
                rejected=record.rejected,
                rows=record.rows,
                reason=_find_reason(record, commonest),
            )
        )
    unknown = sum(record.unknown_terms.values())
    if unknown > record.rows * checks.max_unknown_share:
        terms = join_values(sorted(record.unknown_terms)[:5])
        problems.append(Message("{count:,} unknown terms, such as {terms}", count=unknown, terms=terms))
    for name, share in checks.min_fill.items():
        if filled[name] < record.entries * share:
            problems.append(
                Message(
                    "only {filled:,} of {entries:,} entries have {field}", filled=filled[name], entries=record.entries, field=name
                )
            )
    return problems


def _find_reason(record: LoadRecord, reason: str) -> Message:
    """The reason as the message of one of its rejected rows, so that it can be translated."""
    found = next((row.reason for row in record.rejections if row.reason == reason), None)
    return found if found is not None else Message.untranslated(reason)
