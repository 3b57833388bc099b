"""`bonafide sync` and `bonafide sources`: load sources, and see what is loaded, how old it is and what went wrong."""

from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from datetime import datetime
from pathlib import Path
from typing import Annotated

import typer
from rich.markup import escape
from rich.progress import BarColumn, SpinnerColumn, TaskID, TextColumn, TimeElapsedColumn
from rich.progress import Progress as Bar
from rich.table import Table

from bonafide.cli.command_runtime import run_with_runtime
from bonafide.cli.options import AsJson, DataDir, Sandbox, print_json
from bonafide.cli.output import err, out
from bonafide.errors import BonafideError, ConfigurationError, RefreshRefused
from bonafide.model.accounts.organizations import World
from bonafide.model.loading import LoadRecord
from bonafide.net.fetch import Fetcher
from bonafide.runtime import Runtime
from bonafide.services.catalog import source_states
from bonafide.services.indexing.distribution import build_exclusively
from bonafide.services.loading import naics
from bonafide.services.loading.load_history import read_load_attempts
from bonafide.services.loading.refresh import FileImport, LoadRequest, Progress, load_source
from bonafide.sources.canonical.parser import load_mapping
from bonafide.sources.framework.discovery import Source, get_source
from bonafide.sources.framework.metadata import AccessMethod

SHOWN_REJECTIONS = 10
_COLOURS = {"loaded": "green", "live": "green", "stale": "yellow", "not loaded": "dim", "failed": "red", "not available": "dim"}


SourceKeys = Annotated[
    list[str] | None,
    typer.Argument(metavar="[SOURCE]...", help="Source keys, or naics; all sources that can be downloaded by default."),
]
ImportFiles = Annotated[list[Path] | None, typer.Option("--file", help="Import this file, not a download; may be given again.")]
MappingFile = Annotated[Path | None, typer.Option(help="How columns and words map to the canonical layout (YAML).")]
AsOfOption = Annotated[datetime | None, typer.Option(formats=["%Y-%m-%d"], help="The day to which the file is dated.")]


def sync(
    keys: SourceKeys = None,
    file: ImportFiles = None,
    mapping: MappingFile = None,
    as_of: AsOfOption = None,
    force: Annotated[bool, typer.Option(help="Accept a load that fails the checks of counts and fill.")] = False,
    sandbox: Sandbox = False,
    data_dir: DataDir = None,
    as_json: AsJson = False,
) -> None:
    """Load sources, or the classification of industries (naics): from publishers, or from files that you lawfully hold."""
    world = World.SANDBOX if sandbox else World.LIVE
    if keys == [naics.KEY]:
        day = as_of.date() if as_of is not None else None
        order = naics.NaicsLoadRequest(world, tuple(map(_check_file_name, file or ())), day, force)
        run_with_runtime(data_dir, lambda runtime: _sync_naics(runtime, order, as_json))
        return
    imported = None
    if file is not None:
        layout = load_mapping(mapping) if mapping is not None else None
        imported = FileImport(tuple(map(_check_file_name, file)), layout, as_of.date() if as_of is not None else None)
    orders = [LoadRequest(source, world, imported, force) for source in _choose_sources(keys, imported)]
    run_with_runtime(data_dir, lambda runtime: _sync(runtime, orders, as_json))


def _check_file_name(path: Path) -> Path:
    """The path, if what is kept of a load can name it."""
    try:
        str(path).encode()
    except UnicodeEncodeError as error:
        raise ConfigurationError(f"{str(path)!a}: the file's name is not UTF-8; rename it") from error
    return path


def _choose_sources(keys: list[str] | None, imported: FileImport | None) -> list[Source]:
    if keys is not None and naics.KEY in keys:
        raise ConfigurationError(f"{naics.KEY} is no source and is loaded by itself: bonafide sync {naics.KEY}")
    if keys:
        chosen = [get_source(key) for key in keys]
    else:
        # What needs an acceptance is loaded by name, which says what is to be accepted, or by the worker once it is.
        chosen = [
            source
            for source in source_states.list_known_sources()
            if source.metadata.access is AccessMethod.BULK and source.metadata.acceptance is None
        ]
    if imported is not None and len(chosen) != 1:
        raise ConfigurationError("--file needs exactly one source: bonafide sync SOURCE --file PATH")
    return chosen


async def _sync(runtime: Runtime, orders: list[LoadRequest], as_json: bool) -> None:
    async with _open_fetcher(runtime) as fetcher:
        loaded = [await _sync_one(runtime, fetcher, order, as_json) for order in orders]
    if not all(loaded):
        raise typer.Exit(1)


@asynccontextmanager
async def _open_fetcher(runtime: Runtime) -> AsyncIterator[Fetcher]:
    fetcher = Fetcher(runtime.settings, runtime.clock)
    try:
        yield fetcher
    finally:
        await fetcher.close()


async def _sync_one(runtime: Runtime, fetcher: Fetcher, order: LoadRequest, as_json: bool) -> bool:
    warning = order.source.metadata.licence.warning
    if order.imported is not None and warning is not None:
        # Before the load: whoever may not use the data can still stop. What is downloaded says it in `bonafide sources`.
        err.print(f"[yellow]{escape(f'{order.source.key}: {warning}')}[/]", highlight=False, soft_wrap=True)
    try:
        with show_progress(order.source.key) as told:
            async with build_exclusively(runtime, order.world, order.source.key):
                record = await load_source(runtime, fetcher, order, told)
    except BonafideError as error:
        _print_failure(order.source.key, error, as_json)
        return False
    if as_json:
        print_json({"loaded": True, **record.model_dump(mode="json", by_alias=True)})
    else:
        _print_load(record, warning)
    return True


def _print_failure(key: str, error: BonafideError, as_json: bool) -> None:
    if as_json:
        print_json({"source": key, "loaded": False, "error": error.message})
        return
    hint = " (--force accepts it all the same)" if isinstance(error, RefreshRefused) else ""
    err.print(f"[red]{escape(error.message)}{hint}[/]", highlight=False, soft_wrap=True)


async def _sync_naics(runtime: Runtime, order: naics.NaicsLoadRequest, as_json: bool) -> None:
    async with _open_fetcher(runtime) as fetcher:
        try:
            with show_progress(naics.KEY) as told:
                load = await naics.load_naics(runtime, fetcher, order, told)
        except BonafideError as error:
            _print_failure(naics.KEY, error, as_json)
            raise typer.Exit(1) from None
    if as_json:
        print_json({"source": naics.KEY, "loaded": True, **load.model_dump(mode="json", by_alias=True)})
    else:
        _print_naics(load)


def _print_naics(load: naics.NaicsLoad) -> None:
    phrases = ", ".join(f"{count:,} phrases in {language.name.title()}" for language, count in load.phrases.items())
    out.print(f"[green]{naics.KEY}[/]: {load.edition}, {load.classes:,} classes of six digits, {phrases}", highlight=False)
    day = f"as of {load.as_of}, " if load.as_of is not None else ""
    out.print(f"  {day}retrieved {load.retrieved_at:%Y-%m-%d}", highlight=False, style="dim")
    for file in load.files:
        out.print(escape(f"  {file.name}: {file.sha256[:16]}, from {file.url}"), highlight=False, style="dim", soft_wrap=True)
    for note in load.notes:
        out.print(escape(f"  {note}"), highlight=False, style="yellow", soft_wrap=True)


def _print_load(record: LoadRecord, told: str | None) -> None:
    """`told` is the note that has been shown before."""
    rejected = f", [yellow]{record.rejected:,} rejected[/]" if record.rejected else ""
    out.print(f"[green]{record.source}[/]: {record.entries:,} entries from {record.rows:,} rows{rejected}", highlight=False)
    stored = record.stored
    changes = f"{stored.added:,} new, {stored.changed:,} changed, {stored.removed:,} gone"
    written = f"{stored.written:,} written, {stored.segments} segment{'s' if stored.segments > 1 else ''} in use"
    out.print(f"  {changes}; {written}", highlight=False, style="dim")
    for row in record.rejections[:SHOWN_REJECTIONS]:
        out.print(escape(f"  {row.resource}, line {row.line}: {row.reason}"), highlight=False, style="dim", soft_wrap=True)
    if record.rejected > SHOWN_REJECTIONS:
        out.print(f"  ... and {record.rejected - SHOWN_REJECTIONS:,} more", style="dim")
    for term, count in record.unknown_terms.items():
        out.print(escape(f"  unknown {term} ({count:,} times)"), highlight=False, style="yellow")
    for note in record.notes:
        if note != told:
            out.print(escape(f"  {note}"), highlight=False, style="dim", soft_wrap=True)


@contextmanager
def show_progress(label: str) -> Iterator[Progress]:
    """A progress bar on a terminal, nothing elsewhere; what it gives is told how far each part of the work has come."""
    columns = (
        SpinnerColumn(),
        TextColumn("{task.description}"),
        BarColumn(),
        TextColumn("{task.completed:,}"),
        TimeElapsedColumn(),
    )
    tasks: dict[str, TaskID] = {}
    with Bar(*columns, console=err, transient=True, disable=not err.is_terminal) as bar:

        def told(what: str, done: int, total: int | None) -> None:
            if what not in tasks:
                tasks[what] = bar.add_task(f"{label}: {what}", total=total)
            bar.update(tasks[what], completed=done, total=total)

        yield told


def sources(sandbox: Sandbox = False, data_dir: DataDir = None, as_json: AsJson = False) -> None:
    """List every source: what is loaded, how old it is, and what nobody can look up."""
    world = World.SANDBOX if sandbox else World.LIVE
    rows = run_with_runtime(data_dir, lambda runtime: _list_source_states(runtime, world))
    if as_json:
        print_json([row.model_dump(mode="json", by_alias=True) for row in rows])
        return
    table = Table(box=None, header_style="bold", pad_edge=False, expand=True)
    is_shared = any(row.published is not None for row in rows)
    for heading in ("Source", "Kind", "State", "Entries", "As of", "Retrieved", *(["Publication"] if is_shared else [])):
        table.add_column(heading, justify="right" if heading in {"Entries", "Publication"} else "left", no_wrap=True)
    table.add_column("Note", no_wrap=True, overflow="ellipsis", ratio=1)
    for row in rows:
        entries = f"{row.entries:,}" if row.entries is not None else ""
        dates = [f"{day:%Y-%m-%d}" if day is not None else "" for day in (row.as_of, row.retrieved_at)]
        state = f"[{_COLOURS[row.state]}]{row.state}[/]"
        published = [str(row.published or "")] if is_shared else []
        table.add_row(row.source, row.kind, state, entries, *dates, *published, escape(" ".join((row.note or "").split())))
    out.print(table)


async def _list_source_states(runtime: Runtime, world: World) -> list[source_states.SourceState]:
    attempts = await read_load_attempts(runtime, world)
    return [source_states.read_source_state(runtime, world, source, attempts) for source in runtime.sources.values()]
