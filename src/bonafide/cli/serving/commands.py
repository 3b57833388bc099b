"""`bonafide serve`, `worker` and `migrate`."""

from typing import Annotated

import typer

from bonafide.app.worker import run_worker
from bonafide.cli.command_runtime import load_settings, run
from bonafide.cli.options import AsJson, DataDir, Port, print_json
from bonafide.cli.output import out
from bonafide.cli.serving.shutdown import run_until_stopped
from bonafide.concurrency.executors import configure_executors
from bonafide.observability import log
from bonafide.runtime import migrate as migrate_database
from bonafide.runtime import open_runtime
from bonafide.services.indexing.index_sync import sync_index
from bonafide.settings import Settings

_log = log.get_logger(__name__)


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
    from bonafide.app.worker_app import create_worker_app  # noqa: PLC0415 - as in `_serve`
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
