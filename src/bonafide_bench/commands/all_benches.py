"""`bonafide bench all`: the performance benchmarks at one size, as the performance page."""

from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from bonafide import __version__
from bonafide.cli.command_runtime import load_settings, open_command_runtime, run
from bonafide.cli.loading import show_progress
from bonafide.cli.options import DataDir
from bonafide.cli.output import err

if TYPE_CHECKING:
    from bonafide_bench.performance.bench_runs import BenchRun

SIZE_STEP = 1000
"""Sizes are multiples of it, because the files of names are labelled in thousands."""


def all_benches(
    size: Annotated[
        int, typer.Option(min=SIZE_STEP, max=10_000_000, help="Number of businesses and of names; a multiple of 1,000.")
    ] = 100_000,
    rate: Annotated[float, typer.Option(min=0.1, help="Search requests per second under load.")] = 20.0,
    seconds: Annotated[float, typer.Option(min=1, help="Duration of the search load, in seconds.")] = 30.0,
    processes: Annotated[int, typer.Option(min=1, max=64, help="Server processes of the service and of the baseline, each.")] = 2,
    rounds: Annotated[int, typer.Option(min=5, help="Number of PDF reports of each kind and of ownership structures.")] = 30,
    queries: Annotated[int, typer.Option(min=20, help="Number of names to search for and to screen.")] = 300,
    write: Annotated[
        bool, typer.Option("--write", help="In a checkout: add the figures of this release to the history, and write the page.")
    ] = False,
    data_dir: DataDir = None,
) -> None:
    """Run the performance benchmarks: index, screening, PDF reports, ownership, commits, search, load.

    Print the performance page, or write it with --write.
    """
    from bonafide_bench.harness.core_use import OtherCoreUse  # noqa: PLC0415 - with the next, slow to import; other commands must not pay for it
    from bonafide_bench.performance.bench_runs import BenchRun, PerformancePlan  # noqa: PLC0415
    from bonafide_bench.performance.performance_page import PAGE, render_performance_page  # noqa: PLC0415
    from bonafide_bench.performance.release_figures import (  # noqa: PLC0415
        HISTORY,
        ReleaseFigures,
        add_release,
        read_history,
        write_history,
    )

    if size % SIZE_STEP:
        raise typer.BadParameter("must be a multiple of 1,000", param_hint="--size")
    if write and not PAGE.parent.is_dir():
        raise typer.BadParameter("the current folder is not a checkout of the repository", param_hint="--write")
    folder = load_settings(data_dir).data_dir
    folder.mkdir(parents=True, exist_ok=True)
    bench = BenchRun(PerformancePlan(size, rate, seconds, processes, rounds, queries), _print_step)
    with OtherCoreUse() as others:
        bench.measure_alone(folder)
        run(_measure_service(bench, data_dir, size))
    machine = bench.describe_machine(others.use)
    current = ReleaseFigures(__version__, datetime.now(UTC).date().isoformat(), size, machine, tuple(bench.figures))
    history = add_release(read_history(HISTORY), current)
    page = render_performance_page(history)
    if write:
        write_history(HISTORY, history)
        PAGE.write_text(page, encoding="utf-8")
    else:
        typer.echo(page, nl=False)


async def _measure_service(bench: "BenchRun", data_dir: Path | None, size: int) -> None:
    from bonafide_sandbox.demo import prepare_sandbox  # noqa: PLC0415 - as in `all_benches`

    async with open_command_runtime(data_dir) as runtime:
        with show_progress("bench all") as on_progress:
            await prepare_sandbox(runtime, size, on_progress)
        await bench.measure_service(runtime)


def _print_step(step: str) -> None:
    """Print the step that starts; a step may take minutes."""
    err.print(f"{step} …", style="dim", highlight=False)
