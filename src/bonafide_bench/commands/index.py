"""`bonafide bench index`: build and query the index and the baseline engines, and print costs and recall."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Annotated

import typer

from bonafide.cli.command_runtime import load_settings
from bonafide.cli.options import AsJson, DataDir, print_json
from bonafide.cli.output import err
from bonafide_bench.commands.index_tables import print_tables

MILLION = 1_000_000
MIN_SIZE, MAX_SIZE = 1_000, 10 * MILLION


def index(
    sizes: Annotated[str, typer.Option(metavar="1,5,10", help="Index sizes to measure, in millions of names.")] = "1",
    names: Annotated[
        Path | None, typer.Option(exists=True, dir_okay=False, help="File of record<TAB>name lines; default: the sandbox's names.")
    ] = None,
    queries: Annotated[
        list[Path] | None,
        typer.Option(exists=True, dir_okay=False, help='JSON lines {"q", "kind", "truth": [record]} on these names; repeatable.'),
    ] = None,
    prototype: Annotated[
        Path | None, typer.Option(exists=True, file_okay=False, help="Folder of the prototype's scripts, to measure it too.")
    ] = None,
    engines: Annotated[str | None, typer.Option(metavar="A,B", help="Engines to measure; default: all.")] = None,
    count: Annotated[int, typer.Option(min=20, help="Number of queries in each generated set.")] = 2_000,
    rounds: Annotated[int, typer.Option(min=1, help="How many times each query runs; the fastest run counts.")] = 3,
    kinds: Annotated[bool, typer.Option("--kinds", help="Also print recall by kind of corruption.")] = False,
    keep: Annotated[Path | None, typer.Option(file_okay=False, help="Folder in which built files are kept and reused.")] = None,
    data_dir: DataDir = None,
    as_json: AsJson = False,
) -> None:
    """Compare the name index with baseline engines: build, memory, latency, recall, worst cases, growth."""
    from bonafide_bench.engines.catalog import EngineName  # noqa: PLC0415 - with the next, slow to import; other commands must not pay for it
    from bonafide_bench.measurements.index import IndexBenchPlan, run_index_bench  # noqa: PLC0415

    if queries and names is None:
        raise typer.BadParameter("queries need the names that they were made from (--names)")
    try:
        chosen = tuple(EngineName) if engines is None else tuple(EngineName(name.strip()) for name in engines.split(","))
    except ValueError:
        raise typer.BadParameter(f"the engines are {', '.join(EngineName)}") from None
    with _folder(keep, data_dir) as folder:
        report = run_index_bench(
            IndexBenchPlan(folder, _sizes(sizes), names, tuple(queries or ()), prototype, rounds, chosen, count), _print_step
        )
    if as_json:
        print_json(asdict(report))
    else:
        print_tables(report, kinds=kinds)


def _sizes(text: str) -> tuple[int, ...]:
    try:
        sizes = tuple(round(float(part) * MILLION) for part in text.split(","))
    except ValueError:
        raise typer.BadParameter(f"{text!r} are no numbers of millions") from None
    if not all(MIN_SIZE <= size <= MAX_SIZE and size % MIN_SIZE == 0 for size in sizes):
        raise typer.BadParameter("a size is from 0.001 to 10 million names, in whole thousands")
    return sizes


@contextmanager
def _folder(keep: Path | None, data_dir: Path | None) -> Iterator[Path]:
    """The working folder: the one to keep, or a temporary one in the data directory."""
    if keep is not None:
        yield keep
        return
    parent = load_settings(data_dir).data_dir
    parent.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory(prefix="bench-", dir=parent) as folder:
        yield Path(folder)


def _print_step(what: str) -> None:
    """Print the current step; a step may take minutes."""
    err.print(f"{what} …", style="dim", highlight=False)
