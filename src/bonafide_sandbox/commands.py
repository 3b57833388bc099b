"""The `bonafide demo` and `bonafide sandbox` commands."""

import asyncio
from contextlib import asynccontextmanager, nullcontext
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.panel import Panel

from bonafide.cli.command_runtime import load_settings, run_with_runtime
from bonafide.cli.loading import show_progress
from bonafide.cli.options import AsJson, DataDir, Port
from bonafide.cli.output import out
from bonafide.cli.serving.shutdown import run_until_stopped
from bonafide.concurrency.executors import configure_executors
from bonafide.errors import ConfigurationError
from bonafide.i18n.message import Message
from bonafide.observability import log
from bonafide.runtime import Runtime, open_runtime
from bonafide.runtime import migrate as migrate_database
from bonafide.settings import Settings
from bonafide.sources.framework.discovery import discover_sources, get_source

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Callable

    from bonafide.services.loading.refresh import Progress
    from bonafide_sandbox.demo import RunningDemo
    from bonafide_sandbox.entry_changes import ChangeRecorder
    from bonafide_sandbox.publisher_faults import FaultRegistry
    from bonafide_sandbox.stored_day import StoredDay

DEFAULT_SIZE = 10_000
LAST_DAY = 365
"""`changes.schedule.LAST_DAY`, duplicated here for the reason of `FAULT_NAMES`."""
FAULT_NAMES = ("silent", "slow", "busy", "down", "refusing", "challenge", "garbage")
"""The keys of `publisher_faults.NAMED_FAULTS`, duplicated here because importing that module slows down `--help`."""
Size = Annotated[int, typer.Option(min=1000, max=10_000_000, help="The number of businesses to generate.")]


def generate(
    folder: Annotated[Path, typer.Argument(help="Where to write the files.")],
    size: Size = DEFAULT_SIZE,
    seed: Annotated[int, typer.Option(help="The seed of the generated data.")] = 1867,
    day: Annotated[
        int, typer.Option(min=0, max=LAST_DAY, help="The day of the calendar: what has changed by then since day 0.")
    ] = 0,
    serve: Annotated[
        int | None, typer.Option("--serve", metavar="PORT", help="Then serve the files and live registers on this port.")
    ] = None,
    fault: Annotated[
        list[str] | None,
        typer.Option(metavar="SOURCE=FAULT", help=f"Simulate a fault in a live register: {', '.join(FAULT_NAMES)}."),
    ] = None,
    as_json: AsJson = False,
    _data_dir: DataDir = None,  # unused: every command accepts `--data-dir`, so that scripts can always pass it
) -> None:
    """Generate sandbox data: each source's files in its publisher's own format."""
    _check_extra()
    from bonafide_sandbox.world.builder import write_world  # noqa: PLC0415 - slow import (0.5 s), not needed by other commands

    faults = _parse_faults(fault if fault is not None else [])
    with show_progress("sandbox") as report_progress:
        manifest = write_world(folder, size=size, seed=seed, day=day, progress=lambda done: report_progress("invent", done, size))
    if as_json:
        typer.echo(manifest.to_json())
    else:
        for file in manifest.files:
            out.print(f"{file.source}: {file.path} [dim]({file.size:,} bytes)[/]", highlight=False)
    if serve is not None:
        log.configure("WARNING")
        run_until_stopped("sandbox", _serve_sandbox(folder, serve, faults))


def advance(
    days: Annotated[int, typer.Option(min=1, max=LAST_DAY, help="The number of days that pass.")],
    data_dir: DataDir = None,
    as_json: AsJson = False,
) -> None:
    """Let days pass in the sandbox of the demo: registers, regulators and lists change, and are loaded.

    A running demo uses the new data at once. With --json, prints what changed in the entries of the loaded sources.
    """
    _check_extra()
    from bonafide_sandbox.day_advance import advance_days  # noqa: PLC0415 - as in `generate`

    run_with_runtime(data_dir, lambda runtime: _move(lambda progress: advance_days(runtime, days, progress), as_json=as_json))


def reset(data_dir: DataDir = None, as_json: AsJson = False) -> None:
    """Return the sandbox of the demo to day 0, and load what has changed since."""
    _check_extra()
    from bonafide_sandbox.day_advance import return_to_first_day  # noqa: PLC0415 - as in `generate`

    run_with_runtime(data_dir, lambda runtime: _move(lambda progress: return_to_first_day(runtime, progress), as_json=as_json))


async def _move(move: "Callable[[Progress], Awaitable[tuple[StoredDay, ChangeRecorder]]]", *, as_json: bool) -> None:
    with show_progress("sandbox") as report_progress:
        today, recorder = await move(report_progress)
    if as_json:
        typer.echo(recorder.to_json())
        return
    out.print(f"The sandbox is at day {today.day}.", highlight=False)
    for source, entries in recorder.count_entries().items():
        out.print(f"{source}: {entries:,} {'entry' if entries == 1 else 'entries'} changed", highlight=False)


def _check_extra() -> None:
    """Raise `ConfigurationError` if the packages of the `sandbox` extra are not installed."""
    if find_spec("xlwt") is None or find_spec("aiosmtpd") is None:
        raise ConfigurationError(
            Message.untranslated("the sandbox requires a package that is not installed: pip install 'bonafide[sandbox]'")
        )


def _parse_faults(switches: list[str]) -> "FaultRegistry":
    """Parse the values of `--fault`. Raises `typer.BadParameter` for an unknown fault."""
    from bonafide_sandbox.publisher_faults import NAMED_FAULTS, FaultRegistry  # noqa: PLC0415 - as in `generate`

    faults = FaultRegistry()
    for switch in switches:
        source, _, name = switch.partition("=")
        if name not in NAMED_FAULTS:
            raise typer.BadParameter(f"{switch!r} is not SOURCE=FAULT with one of {', '.join(NAMED_FAULTS)}", param_hint="--fault")
        faults.set_source_fault(get_source(source).key, NAMED_FAULTS[name])
    return faults


async def _serve_sandbox(folder: Path, port: int, faults: "FaultRegistry") -> None:
    from bonafide.server.http_server import bind_sockets  # noqa: PLC0415 - as in `generate`
    from bonafide_sandbox import demo as demonstration  # noqa: PLC0415

    sockets = bind_sockets(demonstration.HOST, port)
    async with demonstration.serve_sandbox(folder, discover_sources(), sockets, faults) as ended:
        out.print(f"Sandbox server running at {demonstration.build_address(sockets)} (BONAFIDE_SANDBOX_URL). Press Ctrl-C to stop.")
        await ended.wait()


@dataclass(frozen=True, slots=True)
class DemoOptions:
    """The options of `bonafide demo`."""

    size: int
    new_key: bool
    with_examples: bool
    as_json: bool


def demo(
    port: Port = None,
    size: Size = DEFAULT_SIZE,
    new_key: Annotated[
        bool, typer.Option("--new-key", help="Replace the API keys and the console password; the earlier ones stop working.")
    ] = False,
    examples: Annotated[
        bool,
        typer.Option("--examples/--no-examples", help="Whether to add example businesses and cases, unless they are there."),
    ] = True,
    data_dir: DataDir = None,
    as_json: AsJson = False,
) -> None:
    """Run the service and a worker with sandbox data, and print how to call the API.

    The API keys and the console password are printed by the start that creates them, and are not stored in plain text. The first
    start adds about thirty example businesses with their checks and cases while the service runs.
    """
    _check_extra()
    settings = load_settings(data_dir)
    log.configure("WARNING")
    options = DemoOptions(size, new_key, examples, as_json)
    run_until_stopped("demo", _demo(settings, settings.port if port is None else port, options))


async def _demo(settings: Settings, port: int, options: DemoOptions) -> None:
    from bonafide.server.http_server import bind_sockets  # noqa: PLC0415 - as in `generate`
    from bonafide_sandbox import demo as demonstration  # noqa: PLC0415
    from bonafide_sandbox import demo_records  # noqa: PLC0415
    from bonafide_sandbox.mail_catcher import Mailbox, catch_mail  # noqa: PLC0415

    sockets, registers = bind_sockets(demonstration.HOST, port), bind_sockets(demonstration.HOST, 0)
    mailbox, mail_sockets = Mailbox(), bind_sockets(demonstration.HOST, 0)
    addresses = {"sandbox_url": demonstration.build_address(registers), "public_url": demonstration.build_address(sockets)}
    addresses |= demonstration.build_mail_settings(mail_sockets)
    await configure_executors()
    await migrate_database(settings)
    async with open_runtime(settings.model_copy(update=addresses)) as runtime:
        with show_progress("sandbox") as report_progress:
            await demonstration.prepare_sandbox(runtime, options.size, report_progress)
        async with (
            demonstration.serve_current_sandbox(settings, runtime.sources, registers, mailbox),
            catch_mail(mailbox, mail_sockets),
            demonstration.run_demo(runtime, sockets, new_key=options.new_key) as ready,
        ):
            await demo_records.store_records_by_name(runtime, demonstration.ORGANIZATIONS[0])
            if options.as_json:
                typer.echo(ready.to_json())
            else:
                _print_welcome(ready)
            async with _add_examples(runtime, ready) if options.with_examples else nullcontext():
                await ready.stopped.wait()


@asynccontextmanager
async def _add_examples(runtime: Runtime, ready: "RunningDemo") -> "AsyncIterator[None]":
    """Add the examples while the block runs. What is missing at its end is added by the next start."""
    from bonafide_sandbox.demo import ORGANIZATIONS  # noqa: PLC0415 - as in `generate`
    from bonafide_sandbox.examples.seeding import seed_examples  # noqa: PLC0415

    task = asyncio.create_task(seed_examples(runtime, ready.base_url, ORGANIZATIONS[0], ready.email))
    try:
        yield
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


def _print_welcome(ready: "RunningDemo") -> None:
    from bonafide.index.search.kernel import KERNEL_NAME  # noqa: PLC0415 - as in `generate`

    key = ready.api_key if ready.api_key is not None else "YOUR-KEY"
    curl = (
        f"curl -s {ready.base_url}/search -H 'Authorization: Bearer {key}' \\\n"
        '  -H \'Content-Type: application/json\' -d \'{"name": "Sandbox Bakery", "sanctionsScreening": true}\''
    )
    lines = (
        f"bonafide is running at [bold]{ready.base_url}[/] with sandbox data.",
        f"Key: {_format_secret(ready.api_key)}",
        f"Console: [bold]{ready.console}[/], e-mail [bold]{ready.email}[/], password {_format_secret(ready.password)}",
        f"Mail: [bold]{ready.mail}[/] shows the mail that the demo sends; none is delivered",
        f"Search kernel: {KERNEL_NAME}",
    )
    out.print(Panel.fit("\n".join(lines)))
    # Print the command without a frame or line wrapping so that it can be copied and pasted.
    typer.echo(f"\nTry it:\n\n{curl}\n\nAPI reference: {ready.base_url.removesuffix('/v1')}/docs. Press Ctrl-C to stop.")


def _format_secret(secret: str | None) -> str:
    """A key or password of this start; one of an earlier start can't be shown."""
    return f"[bold]{secret}[/]" if secret is not None else "[dim]as printed by the first start; --new-key replaces it[/]"
