"""`bonafide worker` and `bonafide migrate`."""

from contextlib import AsyncExitStack
from typing import Annotated

import typer

from bonafide.app.worker import create_worker_app, run_worker
from bonafide.cli.command_runtime import load_settings, run
from bonafide.cli.options import AsJson, DataDir, print_json
from bonafide.cli.output import out
from bonafide.cli.serving.shutdown import run_until_stopped
from bonafide.cli.translation import localize
from bonafide.concurrency.executors import configure_executors
from bonafide.concurrency.process_tuning import freeze_gc, lower_priority
from bonafide.i18n.message import Message
from bonafide.observability import log
from bonafide.runtime import migrate as migrate_database
from bonafide.runtime import open_runtime
from bonafide.server.http_server import bind_sockets, serve_app
from bonafide.services.indexing.index_sync import sync_index
from bonafide.settings import Settings


def worker(
    metrics_port: Annotated[
        int | None,
        typer.Option(
            min=1, max=65535, help=Message("The port of /metrics, /healthz and /readyz; BONAFIDE_WORKER_METRICS_PORT by default.")
        ),
    ] = None,
    data_dir: DataDir = None,
) -> None:
    """Run queued searches, verifications and loads, and end overdue ones."""
    settings = load_settings(data_dir)
    log.configure(settings.log_level)
    run_until_stopped("worker", _run_worker(settings, settings.worker_metrics_port if metrics_port is None else metrics_port))


async def _run_worker(settings: Settings, metrics_port: int | None) -> None:
    await configure_executors()
    sockets = None if metrics_port is None else bind_sockets(settings.host, metrics_port)
    async with AsyncExitStack() as stack:
        runtime = await stack.enter_async_context(open_runtime(settings))
        await stack.enter_async_context(sync_index(runtime))
        if sockets is not None:
            await stack.enter_async_context(serve_app(create_worker_app(runtime), sockets, settings.grace_s))
        freeze_gc()
        lower_priority(settings.worker_niceness)
        await run_worker(runtime)


def migrate(data_dir: DataDir = None, as_json: AsJson = False) -> None:
    """Upgrade the database to this release."""
    run(migrate_database(load_settings(data_dir)))
    if as_json:
        print_json({"upToDate": True})
    else:
        out.print(localize(Message("The database is up to date.")))
