"""`bonafide serve`, `worker`, `migrate`, `demo` and `sandbox`."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.panel import Panel

from bonafide.app.worker import run_worker
from bonafide.cli.loading import show_progress
from bonafide.cli.options import AsJson, DataDir, load_settings, out, print_json, run
from bonafide.cli.serving.shutdown import run_until_stopped
from bonafide.concurrency.executors import configure_executors
from bonafide.observability import log
from bonafide.runtime import migrate as migrate_database
from bonafide.runtime import open_runtime
from bonafide.sandbox.broken import SWITCHES, Faults
from bonafide.sandbox.world import write_world
from bonafide.services.indexing.index_sync import sync_index
from bonafide.settings import Settings
from bonafide.sources.framework.discovery import discover_sources, get_source

if TYPE_CHECKING:
    from bonafide.demo import Demo

DEFAULT_SIZE = 10_000
_log = log.get_logger(__name__)
Port = Annotated[int | None, typer.Option(min=1, max=65535, help="Port to listen on; BONAFIDE_PORT or 8080 by default.")]
Size = Annotated[int, typer.Option(min=1000, max=10_000_000, help="How many businesses the made-up Canada has.")]


def register(app: typer.Typer) -> None:
    """Add the commands."""
    for command in (serve, worker, migrate, demo, sandbox):
        app.command()(command)


def serve(
    host: Annotated[str | None, typer.Option(help="Address to listen on; BONAFIDE_HOST or 127.0.0.1 by default.")] = None,
    port: Port = None,
    processes: Annotated[
        int | None, typer.Option(min=1, max=256, help="How many processes serve; BONAFIDE_PROCESSES or 1 by default.")
    ] = None,
    data_dir: DataDir = None,
) -> None:
    """Serve the HTTP API, the console and the documentation."""
    settings = load_settings(data_dir)
    log.configure(settings.log_level)
    host, port = settings.host if host is None else host, settings.port if port is None else port
    run_until_stopped("service", _serve(settings, host, port, settings.processes if processes is None else processes))


async def _serve(settings: Settings, host: str, port: int, processes: int) -> None:
    from bonafide.cli.serving.server_process import run_server  # noqa: PLC0415
    from bonafide.cli.serving.supervisor import ProcessStartFailed, supervise  # noqa: PLC0415 - with the next, half a second for other commands
    from bonafide.server.http_server import bind_sockets  # noqa: PLC0415

    sockets = bind_sockets(host, port)
    try:
        if processes == 1:
            await run_server(settings, sockets, lambda _: _log.info("serving", host=host, port=port))
        else:
            _log.info("serving", host=host, port=port, processes=processes)
            await supervise(settings.data_dir, sockets, processes)
    except ProcessStartFailed as failed:
        raise typer.Exit(failed.status) from None
    finally:
        for listener in sockets:
            listener.close()


def worker(
    metrics_port: Annotated[
        int | None,
        typer.Option(min=1, max=65535, help="Answer /metrics, /healthz and /readyz here; BONAFIDE_WORKER_METRICS_PORT by default."),
    ] = None,
    data_dir: DataDir = None,
) -> None:
    """Finish searches and verifications that were answered with 202, and sweep what nobody finished."""
    settings = load_settings(data_dir)
    log.configure(settings.log_level)
    run_until_stopped("worker", _run_worker(settings, settings.worker_metrics_port if metrics_port is None else metrics_port))


async def _run_worker(settings: Settings, metrics_port: int | None) -> None:
    await configure_executors()
    if metrics_port is None:
        async with open_runtime(settings) as runtime, sync_index(runtime):
            await run_worker(runtime)
        return
    from bonafide.api.worker_app import create_worker_app  # noqa: PLC0415 - as in `_serve`
    from bonafide.server.http_server import bind_sockets, serve_app  # noqa: PLC0415

    sockets = bind_sockets(settings.host, metrics_port)
    async with (
        open_runtime(settings) as runtime,
        sync_index(runtime),
        serve_app(create_worker_app(runtime), sockets, settings.grace_s),
    ):
        await run_worker(runtime)


def migrate(data_dir: DataDir = None, as_json: AsJson = False) -> None:
    """Bring the database up to date."""
    run(migrate_database(load_settings(data_dir)))
    if as_json:
        print_json({"upToDate": True})
    else:
        out.print("The database is up to date.")


def sandbox(
    folder: Annotated[Path, typer.Argument(help="Where to write the files.")],
    size: Size = DEFAULT_SIZE,
    seed: Annotated[int, typer.Option(help="Another seed makes another Canada.")] = 1867,
    serve: Annotated[
        int | None, typer.Option("--serve", metavar="PORT", help="Then be its publishers and live registers, at this port.")
    ] = None,
    fault: Annotated[
        list[str] | None, typer.Option(metavar="SOURCE=FAULT", help=f"A live register in trouble: {', '.join(SWITCHES)}.")
    ] = None,
    as_json: AsJson = False,
    _data_dir: DataDir = None,  # every command takes it, for scripts that give it to all
) -> None:
    """Write a made-up Canada: each source's files in its publisher's own format."""
    faults = _parse_faults(fault if fault is not None else [])
    with show_progress("sandbox") as told:
        manifest = write_world(folder, size=size, seed=seed, progress=lambda done: told("invent", done, size))
    if as_json:
        typer.echo(manifest.to_json())
    else:
        for file in manifest.files:
            out.print(f"{file.source}: {file.path} [dim]({file.size:,} bytes)[/]", highlight=False)
    if serve is not None:
        log.configure("WARNING")
        run_until_stopped("sandbox", _serve_sandbox(folder, serve, faults))


def _parse_faults(switches: list[str]) -> Faults:
    """The faults that `--fault` names. Ends the command when one is not known."""
    faults = Faults()
    for switch in switches:
        source, _, name = switch.partition("=")
        if name not in SWITCHES:
            raise typer.BadParameter(f"{switch!r} is not SOURCE=FAULT with one of {', '.join(SWITCHES)}", param_hint="--fault")
        faults.put_source(get_source(source).key, SWITCHES[name])
    return faults


async def _serve_sandbox(folder: Path, port: int, faults: Faults) -> None:
    from bonafide import demo as demonstration  # noqa: PLC0415 - as in `_serve`
    from bonafide.server.http_server import bind_sockets  # noqa: PLC0415

    sockets = bind_sockets(demonstration.HOST, port)
    async with demonstration.serving_sandbox(folder, discover_sources(), sockets, faults) as ended:
        out.print(f"The made-up Canada is at {demonstration.address_of(sockets)} (BONAFIDE_SANDBOX_URL). Stop with Ctrl-C.")
        await ended.wait()


def demo(
    port: Port = None,
    size: Size = DEFAULT_SIZE,
    data_dir: DataDir = None,
    as_json: AsJson = False,
) -> None:
    """Run the service and a worker on a made-up Canada, and print how to call it."""
    settings = load_settings(data_dir)
    log.configure("WARNING")
    run_until_stopped("demo", _demo(settings, settings.port if port is None else port, size, as_json))


async def _demo(settings: Settings, port: int, size: int, as_json: bool) -> None:
    from bonafide import demo as demonstration  # noqa: PLC0415 - as in `_serve`
    from bonafide.server.http_server import bind_sockets  # noqa: PLC0415

    sockets, registers = bind_sockets(demonstration.HOST, port), bind_sockets(demonstration.HOST, 0)
    addresses = {"sandbox_url": demonstration.address_of(registers), "public_url": demonstration.address_of(sockets)}
    await configure_executors()
    await migrate_database(settings)
    async with open_runtime(settings.model_copy(update=addresses)) as runtime:
        with show_progress("sandbox") as told:
            await demonstration.prepare_sandbox(runtime, size, told)
        folder = demonstration.sandbox_folder(settings, size)
        async with (
            demonstration.serving_sandbox(folder, runtime.sources, registers),
            demonstration.running(runtime, sockets) as ready,
        ):
            if as_json:
                typer.echo(ready.to_json())
            else:
                _print_welcome(ready)
            await ready.stopped.wait()


def _print_welcome(ready: "Demo") -> None:
    curl = (
        f"curl -s {ready.base_url}/search -H 'Authorization: Bearer {ready.api_key}' \\\n"
        '  -H \'Content-Type: application/json\' -d \'{"name": "Sandbox Bakery", "sanctionsScreening": true}\''
    )
    told = (
        f"bonafide is running at [bold]{ready.base_url}[/] on a made-up Canada.",
        f"Key: [bold]{ready.api_key}[/]",
        f"Console: [bold]{ready.console}[/], e-mail [bold]{ready.email}[/], password [bold]{ready.password}[/]",
    )
    out.print(Panel.fit("\n".join(told)))
    # Bare of any frame and wrapping, so that it works when pasted.
    typer.echo(f"\nTry it:\n\n{curl}\n\nThe API's page: {ready.base_url.removesuffix('/v1')}/docs. Stop with Ctrl-C.")
