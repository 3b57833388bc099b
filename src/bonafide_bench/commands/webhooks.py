"""`bonafide bench webhooks`: measure the delivery of events, and print a table."""

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.table import Table

from bonafide.cli.command_runtime import open_command_runtime, run
from bonafide.cli.loading import show_progress
from bonafide.cli.options import AsJson, DataDir, print_json
from bonafide.cli.output import out

if TYPE_CHECKING:
    from bonafide_bench.webhooks.measurement import WebhooksReport

ENDPOINTS = (1, 10)


def webhooks(
    deliveries: Annotated[int, typer.Option(min=10, help="Number of deliveries of each measurement.")] = 2000,
    rate: Annotated[float, typer.Option(min=1, help="Events per second while delays are measured.")] = 50.0,
    data_dir: DataDir = None,
    as_json: AsJson = False,
) -> None:
    """Measure webhooks: deliveries per second of one worker process, and the delay of an event, with slow receivers beside.

    The benchmark uses a temporary organization in the configured database, which it deletes afterwards.
    """
    report = run(_measured(data_dir, deliveries, rate))
    if as_json:
        print_json(asdict(report))
    else:
        _print(report)


async def _measured(data_dir: Path | None, deliveries: int, rate: float) -> "WebhooksReport":
    from bonafide_bench.webhooks.measurement import run_webhooks_bench  # noqa: PLC0415 - slow to import; other commands must not pay for it

    async with open_command_runtime(data_dir) as runtime:
        with show_progress("bench webhooks") as progress:
            return await run_webhooks_bench(runtime, deliveries, ENDPOINTS, rate, progress)


def _print(report: "WebhooksReport") -> None:
    out.print(f"{report.deliveries:,} deliveries of each measurement on {report.database}.\n", highlight=False)
    throughput = Table(box=None, header_style="bold", pad_edge=False)
    throughput.add_column("Endpoints", justify="right")
    throughput.add_column("Deliveries per second", justify="right")
    for count, per_second in report.per_second.items():
        throughput.add_row(str(count), f"{per_second:,.0f}")
    out.print(throughput)
    delays = Table(box=None, header_style="bold", pad_edge=False)
    delays.add_column(f"Delay at {report.rate:g} events per second")
    for heading in ("Median ms", "95 % ms", "Maximum ms"):
        delays.add_column(heading, justify="right")
    for what, times in report.delays.items():
        delays.add_row(what, f"{times.p50:.0f}", f"{times.p95:.0f}", f"{times.max:.0f}")
    out.print()
    out.print(delays)
