"""`bonafide sync` and `bonafide sources`: load sources, and list them with their data, its age and problems."""

import json
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from datetime import datetime
from pathlib import Path
from typing import Annotated

import typer
from rich.console import JustifyMethod
from rich.markup import escape
from rich.progress import BarColumn, SpinnerColumn, TaskID, TextColumn, TimeElapsedColumn
from rich.progress import Progress as Bar
from rich.table import Table

from bonafide.cli.command_runtime import run_with_runtime
from bonafide.cli.options import AsJson, DataDir, Sandbox, print_json
from bonafide.cli.output import err, out
from bonafide.cli.translation import localize, localize_choice
from bonafide.errors import BonafideError, ConfigurationError, LoadLimitExceeded, ParseFailed, RefreshRefused
from bonafide.i18n.message import Message, join_messages, plural_message
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
_FORCE_HINT = Message("To accept this load anyway, pass --force.")
_LIMIT_HINT = Message("If the file is as large as expected, raise the limit with the setting BONAFIDE_LOAD_LIMITS: {example}")
_MAPPING_HINT = Message(
    "If the file has other columns than the publisher’s, describe them in a mapping and pass --mapping. "
    "The canonical layout is described in docs/reference/canonical-layout.md."
)
_NAICS_HINT = Message("Pass both tables of the classification: --file …-structure-….csv --file …-element-….csv")
_COLOURS = {"loaded": "green", "live": "green", "stale": "yellow", "not loaded": "dim", "failed": "red", "not available": "dim"}
_STATES = {
    "loaded": Message("loaded"),
    "live": Message("live"),
    "stale": Message("stale"),
    "not loaded": Message("not loaded"),
    "failed": Message("failed"),
    "not available": Message("not available"),
}
_COLUMNS: tuple[tuple[Message, JustifyMethod], ...] = (
    (Message("Source"), "left"),
    (Message("Kind"), "left"),
    (Message("Status"), "left"),
    (Message("Entries"), "right"),
    (Message("As of"), "left"),
    (Message("Retrieved"), "left"),
    (Message("Publication"), "right"),
)
"""The last one only if indexes are published."""


SourceKeys = Annotated[
    list[str] | None,
    typer.Argument(metavar="SOURCE", help=Message("Source keys, or naics; by default all sources that can be downloaded.")),
]
ImportFiles = Annotated[
    list[Path] | None, typer.Option("--file", help=Message("Import this file instead of a download; repeatable."))
]
MappingFile = Annotated[Path | None, typer.Option(help=Message("Mapping of columns and terms to the canonical layout (YAML)."))]
AsOfOption = Annotated[datetime | None, typer.Option(formats=["%Y-%m-%d"], help=Message("The date of the file's data."))]


def sync(
    keys: SourceKeys = None,
    file: ImportFiles = None,
    mapping: MappingFile = None,
    as_of: AsOfOption = None,
    force: Annotated[bool, typer.Option(help=Message("Accept a load that fails the checks of counts and completeness."))] = False,
    sandbox: Sandbox = False,
    data_dir: DataDir = None,
    as_json: AsJson = False,
) -> None:
    """Load sources, or the industry classification (naics), from publishers or from files.

    The exit status is 1 if a load failed.
    """
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
    """The path, if it can be recorded with the load."""
    try:
        str(path).encode()
    except UnicodeEncodeError as error:
        raise ConfigurationError(Message("{file}: the name of the file is not UTF-8. Rename it.", file=ascii(str(path)))) from error
    return path


def _choose_sources(keys: list[str] | None, imported: FileImport | None) -> list[Source]:
    if keys is not None and naics.KEY in keys:
        raise ConfigurationError(Message("Load naics by itself: bonafide sync naics"))
    if keys:
        chosen = [get_source(key) for key in keys]
    else:
        # Sources with terms to accept are loaded by name, which reports the terms, or by the worker after acceptance.
        chosen = [
            source
            for source in source_states.list_known_sources()
            if source.metadata.access is AccessMethod.BULK and source.metadata.acceptance is None
        ]
    if imported is not None and len(chosen) != 1:
        raise ConfigurationError(Message("--file requires exactly one source: bonafide sync SOURCE --file PATH"))
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
        # Before the load, so that it can still be stopped. For downloads, `bonafide sources` shows the warning.
        err.print(f"[yellow]{escape(f'{order.source.key}: {localize(warning)}')}[/]", highlight=False, soft_wrap=True)
    try:
        with show_progress(order.source.key) as report:
            async with build_exclusively(runtime, order.world, order.source.key):
                record = await load_source(runtime, fetcher, order, report)
    except BonafideError as error:
        _print_failure(order.source.key, error, as_json, _MAPPING_HINT if _needs_mapping(order, error) else None)
        return False
    if as_json:
        print_json({"loaded": True, **record.model_dump(mode="json", by_alias=True)})
    else:
        _print_load(record, warning)
    return True


def _needs_mapping(order: LoadRequest, error: BonafideError) -> bool:
    """Whether an imported file without a mapping could not be read."""
    return order.imported is not None and order.imported.mapping is None and isinstance(error, ParseFailed)


def _print_failure(key: str, error: BonafideError, as_json: bool, hint: Message | None = None) -> None:
    if as_json:
        print_json({"source": key, "loaded": False, "error": error.message})
        return
    if isinstance(error, LoadLimitExceeded):
        hint = _LIMIT_HINT.fill(example=json.dumps({key: {error.limit: 2 * error.value}}))
    elif isinstance(error, RefreshRefused):
        hint = _FORCE_HINT
    err.print(f"[red]{escape(localize(error.message))}[/]", highlight=False, soft_wrap=True)
    if hint is not None:
        err.print(escape(localize(hint)), highlight=False, soft_wrap=True)


async def _sync_naics(runtime: Runtime, order: naics.NaicsLoadRequest, as_json: bool) -> None:
    async with _open_fetcher(runtime) as fetcher:
        try:
            with show_progress(naics.KEY) as report:
                load = await naics.load_naics(runtime, fetcher, order, report)
        except BonafideError as error:
            _print_failure(naics.KEY, error, as_json, _NAICS_HINT if len(order.files) == 1 else None)
            raise typer.Exit(1) from None
    if as_json:
        print_json({"source": naics.KEY, "loaded": True, **load.model_dump(mode="json", by_alias=True)})
    else:
        _print_naics(load)


def _print_naics(load: naics.NaicsLoad) -> None:
    classes = plural_message("{n:,} class of six digits", "{n:,} classes of six digits", load.classes)
    phrases = [
        localize(plural_message("{n:,} phrase ({language})", "{n:,} phrases ({language})", count, language=language.value))
        for language, count in load.phrases.items()
    ]
    out.print(f"[green]{naics.KEY}[/]: {load.edition}, {localize(classes)}, {', '.join(phrases)}", highlight=False)
    retrieved = f"{load.retrieved_at:%Y-%m-%d}"
    if load.as_of is not None:
        dates = Message("as of {day}, retrieved on {retrieved}", day=str(load.as_of), retrieved=retrieved)
    else:
        dates = Message("retrieved on {retrieved}", retrieved=retrieved)
    out.print(f"  {localize(dates)}", highlight=False, style="dim")
    for file in load.files:
        out.print(escape(f"  {file.name}: {file.sha256[:16]}, {file.url}"), highlight=False, style="dim", soft_wrap=True)
    for note in load.notes:
        out.print(escape(f"  {localize(note)}"), highlight=False, style="yellow", soft_wrap=True)


def _print_load(record: LoadRecord, shown_note: str | None) -> None:
    """`shown_note` was printed before the load."""
    entries = plural_message("{n:,} entry from {rows:,} rows", "{n:,} entries from {rows:,} rows", record.entries, rows=record.rows)
    rejected = f", [yellow]{localize(Message('{count:,} rejected', count=record.rejected))}[/]" if record.rejected else ""
    out.print(f"[green]{record.source}[/]: {localize(entries)}{rejected}", highlight=False)
    stored = record.stored
    changes = Message(
        "{added:,} new, {changed:,} changed, {removed:,} removed; {written:,} written",
        added=stored.added,
        changed=stored.changed,
        removed=stored.removed,
        written=stored.written,
    )
    segments = plural_message("{n} segment in use", "{n} segments in use", stored.segments)
    _print_detail(join_messages((changes, segments), ", "))
    for row in record.rejections[:SHOWN_REJECTIONS]:
        _print_detail(Message("{file}, line {line}: {problem}", file=row.resource, line=row.line, problem=row.reason))
    if record.rejected > SHOWN_REJECTIONS:
        _print_detail(Message("… and {count:,} more", count=record.rejected - SHOWN_REJECTIONS))
    for term, count in record.unknown_terms.items():
        unknown = plural_message("unknown term {term} ({n:,} time)", "unknown term {term} ({n:,} times)", count, term=term)
        _print_detail(unknown, "yellow")
    for note in record.notes:
        if note != shown_note:
            _print_detail(note)


def _print_detail(message: Message, style: str = "dim") -> None:
    out.print(escape(f"  {localize(message)}"), highlight=False, style=style, soft_wrap=True)


@contextmanager
def show_progress(label: str) -> Iterator[Progress]:
    """A progress bar on a terminal, nothing elsewhere. Call the result with the progress of each part of the work."""
    columns = (
        SpinnerColumn(),
        TextColumn("{task.description}"),
        BarColumn(),
        TextColumn("{task.completed:,}"),
        TimeElapsedColumn(),
    )
    tasks: dict[str, TaskID] = {}
    with Bar(*columns, console=err, transient=True, disable=not err.is_terminal) as bar:

        def report(what: str, done: int, total: int | None) -> None:
            if what not in tasks:
                tasks[what] = bar.add_task(f"{label}: {what}", total=total)
            bar.update(tasks[what], completed=done, total=total)

        yield report


def sources(sandbox: Sandbox = False, data_dir: DataDir = None, as_json: AsJson = False) -> None:
    """List every source: loaded data, its age, and unavailable sources."""
    world = World.SANDBOX if sandbox else World.LIVE
    rows = run_with_runtime(data_dir, lambda runtime: _list_source_states(runtime, world))
    if as_json:
        print_json([row.model_dump(mode="json", by_alias=True) for row in rows])
        return
    table = Table(box=None, header_style="bold", pad_edge=False, expand=True)
    is_shared = any(row.published is not None for row in rows)
    for heading, justify in _COLUMNS[: None if is_shared else -1]:
        table.add_column(localize(heading), justify=justify, no_wrap=True)
    table.add_column(localize(Message("Note")), no_wrap=True, overflow="ellipsis", ratio=1)
    for row in rows:
        entries = f"{row.entries:,}" if row.entries is not None else ""
        dates = [f"{day:%Y-%m-%d}" if day is not None else "" for day in (row.as_of, row.retrieved_at)]
        state = f"[{_COLOURS[row.state]}]{localize_choice(row.state, _STATES)}[/]"
        published = [str(row.published or "")] if is_shared else []
        table.add_row(row.source, row.kind, state, entries, *dates, *published, escape(" ".join(localize(row.note or "").split())))
    out.print(table)


async def _list_source_states(runtime: Runtime, world: World) -> list[source_states.SourceState]:
    attempts = await read_load_attempts(runtime, world)
    return [source_states.read_source_state(runtime, world, source, attempts) for source in runtime.sources.values()]
