"""`bonafide bench batch`: rows per second of batches, and the latency of searches beside them, as tables."""

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.table import Table

from bonafide.cli.command_runtime import load_settings, open_command_runtime, run
from bonafide.cli.loading import show_progress
from bonafide.cli.options import AsJson, DataDir, print_json
from bonafide.cli.output import out

if TYPE_CHECKING:
    from bonafide.model.batches.batch import BatchKind
    from bonafide.model.batches.rows import BatchInputRow
    from bonafide_bench.batches.cluster_measurement import ClusterFigures
    from bonafide_bench.batches.measurement import BatchBenchReport

    _Rows = dict[BatchKind, list[BatchInputRow]]


def batch(
    size: Annotated[int, typer.Option(min=1000, max=10_000_000, help="Number of businesses in the sandbox.")] = 100_000,
    rows: Annotated[int, typer.Option(min=100, help="Number of rows of each kind.")] = 2000,
    searches: Annotated[int, typer.Option(min=100, help="Number of searches beside each kind of batch.")] = 500,
    nodes: Annotated[
        int, typer.Option(min=0, max=64, help="Measure as many processes, and nodes of a cluster on this machine; none by default.")
    ] = 0,
    data_dir: DataDir = None,
    as_json: AsJson = False,
) -> None:
    """Measure batches: rows per second on one core for each kind, and searches without and with a batch beside them."""
    report, sent = run(_measure(data_dir, size, rows, searches))
    figures = _measure_cluster(data_dir, sent, nodes) if nodes else ()
    if as_json:
        print_json({**asdict(report), "cluster": [asdict(one) for one in figures]})
    else:
        _print_report(report)
        _print_cluster(figures, nodes)


def _measure_cluster(data_dir: Path | None, rows: "_Rows", nodes: int) -> "tuple[ClusterFigures, ...]":
    from bonafide_bench.batches.cluster_measurement import run_cluster_bench  # noqa: PLC0415 - as below

    return run_cluster_bench(load_settings(data_dir), rows, nodes)


async def _measure(data_dir: Path | None, size: int, rows: int, searches: int) -> "tuple[BatchBenchReport, _Rows]":
    from bonafide_bench.batches.measurement import create_cluster_rows, run_batch_bench  # noqa: PLC0415 - with the next, takes half a second to import; other commands must not pay for it
    from bonafide_sandbox.demo import prepare_sandbox  # noqa: PLC0415

    async with open_command_runtime(data_dir) as runtime:
        with show_progress("bench batch") as told:
            await prepare_sandbox(runtime, size, told)
        return await run_batch_bench(runtime, rows, searches), create_cluster_rows(runtime)


def _print_report(report: "BatchBenchReport") -> None:
    out.print(f"{report.entries:,} entries.\n", highlight=False)
    kinds = _create_table("Kind", "Rows", "Rows/s per core", "Bytes per row")
    for one in report.kinds:
        kinds.add_row(one.kind, f"{one.rows:,}", f"{one.per_second:,.0f}", f"{one.bytes_per_row:,.0f}")
    out.print(kinds)
    latencies = _create_table("Searches beside", "Median ms", "99 % ms", "Rows done")
    for latency in report.searches:
        latencies.add_row(latency.beside, f"{latency.median_ms:.1f}", f"{latency.p99_ms:.1f}", f"{latency.rows:,}")
    out.print("\n", latencies)


def _print_cluster(figures: "tuple[ClusterFigures, ...]", nodes: int) -> None:
    if figures:
        table = _create_table("Kind", "Rows", f"Rows/s, {nodes} processes", f"Rows/s, {nodes} nodes", "Same results")
        for one in figures:
            rates = (f"{one.processes_per_second:,.0f}", f"{one.nodes_per_second:,.0f}")
            table.add_row(one.kind, f"{one.rows:,}", *rates, "yes" if one.is_equal else "no")
        out.print("\n", table)


def _create_table(first: str, *rest: str) -> Table:
    table = Table(box=None, header_style="bold", pad_edge=False)
    table.add_column(first)
    for heading in rest:
        table.add_column(heading, justify="right")
    return table
