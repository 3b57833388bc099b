"""`bonafide serve`. The application is imported while the probes are already served (`server_process`)."""

from typing import Annotated

import typer

from bonafide.cli.command_runtime import load_settings
from bonafide.cli.options import DataDir, Port
from bonafide.cli.serving.server_process import run_server
from bonafide.cli.serving.shutdown import run_until_stopped
from bonafide.cli.serving.supervisor import ProcessStartFailed, supervise
from bonafide.i18n.message import Message
from bonafide.native import search_extension
from bonafide.observability import log
from bonafide.server.http_server import bind_sockets
from bonafide.settings import Settings

_log = log.get_logger(__name__)


def serve(
    host: Annotated[
        str | None, typer.Option(help=Message("The address to listen on; BONAFIDE_HOST or 127.0.0.1 by default."))
    ] = None,
    port: Port = None,
    processes: Annotated[
        int | None, typer.Option(min=1, max=256, help=Message("The number of processes; BONAFIDE_PROCESSES or 1 by default."))
    ] = None,
    data_dir: DataDir = None,
) -> None:
    """Serve the HTTP API, the console and the documentation."""
    settings = load_settings(data_dir)
    log.configure(settings.log_level)
    host, port = settings.host if host is None else host, settings.port if port is None else port
    run_until_stopped("service", _serve(settings, host, port, settings.processes if processes is None else processes))


async def _serve(settings: Settings, host: str, port: int, processes: int) -> None:
    sockets = bind_sockets(host, port)
    try:
        if processes == 1:
            await run_server(
                settings,
                sockets,
                lambda _: _log.info("service.started", host=host, port=port, compiled=search_extension is not None),
            )
        else:
            _log.info("service.started", host=host, port=port, processes=processes, compiled=search_extension is not None)
            await supervise(settings.data_dir, sockets, processes)
    except ProcessStartFailed as failed:
        raise typer.Exit(failed.status) from None
    finally:
        for listener in sockets:
            listener.close()
