"""`bonafide sync` and `bonafide sources`: load sources, and see what is loaded, how old it is and what went wrong."""

from datetime import datetime
from pathlib import Path
from typing import Annotated

import typer
from rich.progress import BarColumn, DownloadColumn, Progress, SpinnerColumn, TaskID, TextColumn, TimeElapsedColumn
from rich.table import Table

from bonafide.cli.options import AsJson, DataDir, Sandbox, err, opened, out, print_json, run
from bonafide.errors import BonafideError, ConfigurationError
from bonafide.fetch import Fetcher
from bonafide.model.load import LoadRecord
from bonafide.model.organization import World
from bonafide.runtime import Runtime
from bonafide.services import catalog
from bonafide.services.refresh import Import, Refresh, refresh
from bonafide.sources.base import Access, Source, find
from bonafide.sources.canonical import load_mapping

SHOWN_REJECTIONS = 10
_COLOURS = {"loaded": "green", "stale": "yellow", "not loaded": "dim", "failed": "red", "not available": "dim"}


def register(app: typer.Typer) -> None:
    """Add the commands."""
    app.command()(sync)
    app.command()(sources)


def sync(
    keys: Annotated[list[str] | None, typer.Argument(metavar="[SOURCE]...", help="Source keys; all that can be downloaded by default.")] = None,
    file: Annotated[list[Path] | None, typer.Option("--file", help="Import this file instead of downloading; may be given again.")] = None,
    mapping: Annotated[Path | None, typer.Option(help="How the file's columns and words map to the canonical layout (YAML).")] = None,
    as_of: Annotated[datetime | None, typer.Option(formats=["%Y-%m-%d"], help="The day to which the file is dated.")] = None,
    force: Annotated[bool, typer.Option(help="Accept a load that fails the checks of counts and fill.")] = False,
    sandbox: Sandbox = False,
    data_dir: DataDir = None,
    as_json: AsJson = False,
) -> None:
    """Load sources: from their publishers, or from a file that you lawfully hold."""
    imported = None
    if file is not None:
        layout = load_mapping(mapping) if mapping is not None else None
        imported = Import(tuple(file), layout, as_of.date() if as_of is not None else None)
    world = World.SANDBOX if sandbox else World.LIVE
    run(_sync(data_dir, [Refresh(source, world, imported, force) for source in _chosen(keys, imported)], as_json))


def _chosen(keys: list[str] | None, imported: Import | None) -> list[Source]:
    if keys:
        chosen = [find(key) for key in keys]
    else:
        chosen = [source for source in catalog.known_sources() if source.metadata.access is Access.BULK]
    if imported is not None and len(chosen) != 1:
        raise ConfigurationError("--file needs exactly one source: bonafide sync SOURCE --file PATH")
    return chosen


async def _sync(data_dir: Path | None, orders: list[Refresh], as_json: bool) -> None:
    failed = 0
    async with opened(data_dir) as runtime:
        fetcher = Fetcher(runtime.settings, runtime.clock)
        try:
            for order in orders:
                failed += not await _sync_one(runtime, fetcher, order, as_json)
        finally:
            await fetcher.close()
    if failed:
        raise typer.Exit(1)


async def _sync_one(runtime: Runtime, fetcher: Fetcher, order: Refresh, as_json: bool) -> bool:
    with shown_progress(order.source.key) as told:
        try:
            record = await refresh(runtime, fetcher, order, told)
        except BonafideError as error:
            told.close()
            if as_json:
                print_json({"source": order.source.key, "loaded": False, "error": error.message})
            else:
                err.print(f"[red]{order.source.key}: {error.message}[/]", highlight=False)
            return False
    if as_json:
        print_json({"loaded": True, **record.model_dump(mode="json", by_alias=True)})
    else:
        _print_load(record)
    return True


def _print_load(record: LoadRecord) -> None:
    rejected = f", [yellow]{record.rejected:,} rejected[/]" if record.rejected else ""
    out.print(f"[green]{record.source}[/]: {record.entries:,} entries from {record.rows:,} rows{rejected}", highlight=False)
    for row in record.rejections[:SHOWN_REJECTIONS]:
        out.print(f"  {row.resource}, line {row.line}: {row.reason}", highlight=False, style="dim")
    if record.rejected > SHOWN_REJECTIONS:
        out.print(f"  ... and {record.rejected - SHOWN_REJECTIONS:,} more", style="dim")
    for term, count in record.unknown_terms.items():
        out.print(f"  unknown {term} ({count:,} times)", highlight=False, style="yellow")


class shown_progress:  # noqa: N801 - used as a function: `with shown_progress(key) as told`
    """A progress bar on a terminal, nothing elsewhere. Calling it is how the refresh reports."""

    def __init__(self, label: str) -> None:
        self._label = label
        columns = (SpinnerColumn(), TextColumn("{task.description}"), BarColumn(), DownloadColumn(), TimeElapsedColumn())
        self._progress = Progress(*columns, console=err, transient=True, disable=not err.is_terminal)
        self._tasks: dict[str, TaskID] = {}

    def __enter__(self) -> "shown_progress":
        self._progress.start()
        return self

    def __exit__(self, *_error: object) -> None:
        self.close()

    def close(self) -> None:
        """Take the bar away."""
        self._progress.stop()

    def __call__(self, what: str, done: int, total: int | None) -> None:
        """Show how far one part of the work has come."""
        if what not in self._tasks:
            self._tasks[what] = self._progress.add_task(f"{self._label}: {what}", total=total)
        self._progress.update(self._tasks[what], completed=done, total=total)


def sources(sandbox: Sandbox = False, data_dir: DataDir = None, as_json: AsJson = False) -> None:
    """List every source: what is loaded, how old it is, and what nobody can look up."""
    rows = run(_source_rows(data_dir, World.SANDBOX if sandbox else World.LIVE))
    if as_json:
        print_json([row.model_dump(mode="json", by_alias=True) for row in rows])
        return
    table = Table(box=None, header_style="bold", pad_edge=False)
    for heading in ("Source", "Kind", "Publisher", "State", "Entries", "As of", "Retrieved", "Note"):
        table.add_column(heading, justify="right" if heading == "Entries" else "left", no_wrap=heading == "Source")
    for row in rows:
        entries = f"{row.entries:,}" if row.entries is not None else ""
        dates = [f"{row.as_of}" if row.as_of else "", f"{row.retrieved_at:%Y-%m-%d}" if row.retrieved_at else ""]
        state = f"[{_COLOURS[row.state]}]{row.state}[/]"
        table.add_row(row.source, row.kind, row.publisher, state, entries, *dates, row.note or "")
    out.print(table)


async def _source_rows(data_dir: Path | None, world: World) -> list[catalog.SourceState]:
    async with opened(data_dir) as runtime:
        return [catalog.source_state(runtime, world, source) for source in runtime.sources.values()]
