"""`bonafide serve`, `worker`, `migrate`, `demo` and `sandbox`: start what runs, and prepare what it runs on."""

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.panel import Panel

from bonafide import log
from bonafide.cli.loading import shown_progress
from bonafide.cli.options import AsJson, DataDir, err, opened, out, run, settings_for
from bonafide.runtime import open_runtime
from bonafide.sandbox.world import write_world
from bonafide.settings import Settings
from bonafide.worker import run_worker

if TYPE_CHECKING:
    from bonafide.demo import Demo

DEFAULT_SIZE = 10_000
Port = Annotated[int | None, typer.Option(min=1, max=65535, help="Port to listen on; BONAFIDE_PORT or 8080 by default.")]
Size = Annotated[int, typer.Option(min=1000, max=10_000_000, help="How many businesses the made-up Canada has.")]


def register(app: typer.Typer) -> None:
    """Add the commands."""
    for command in (serve, worker, migrate, demo, sandbox):
        app.command()(command)


def serve(
    host: Annotated[str | None, typer.Option(help="Address to listen on; BONAFIDE_HOST or 127.0.0.1 by default.")] = None,
    port: Port = None,
    data_dir: DataDir = None,
) -> None:
    """Serve the HTTP API."""
    settings = settings_for(data_dir)
    log.configure(settings.log_level)
    asyncio.run(_serve(settings, settings.host if host is None else host, settings.port if port is None else port))


async def _serve(settings: Settings, host: str, port: int) -> None:
    import uvicorn  # noqa: PLC0415 - with the next, half a second that no other command should wait for

    from bonafide.api.app import create_app  # noqa: PLC0415

    async with open_runtime(settings) as runtime:
        config = uvicorn.Config(create_app(runtime), host=host, port=port, log_config=None, access_log=False, server_header=False)
        await uvicorn.Server(config).serve()


def worker(data_dir: DataDir = None) -> None:
    """Finish searches that were answered with 202, and sweep what nobody finished."""
    settings = settings_for(data_dir)
    log.configure(settings.log_level)
    try:
        asyncio.run(_work(settings))
    except KeyboardInterrupt:
        err.print("The worker has stopped.")


async def _work(settings: Settings) -> None:
    async with open_runtime(settings) as runtime:
        await run_worker(runtime)


def migrate(data_dir: DataDir = None) -> None:
    """Bring the database up to date."""
    run(_migrate(data_dir))
    out.print("The database is up to date.")


async def _migrate(data_dir: Path | None) -> None:
    async with opened(data_dir):
        pass  # opening is what migrates


def sandbox(
    folder: Annotated[Path, typer.Argument(help="Where to write the files.")],
    size: Size = DEFAULT_SIZE,
    seed: Annotated[int, typer.Option(help="Another seed makes another Canada.")] = 1867,
) -> None:
    """Write a made-up Canada: each source's files in its publisher's own format."""
    with shown_progress("sandbox") as told:
        manifest = write_world(folder, size=size, seed=seed, progress=lambda done: told("invent", done, size))
    for file in manifest.files:
        out.print(f"{file.source}: {file.path} [dim]({file.size:,} bytes)[/]", highlight=False)


def demo(
    port: Port = None,
    size: Size = DEFAULT_SIZE,
    data_dir: DataDir = None,
    as_json: AsJson = False,
) -> None:
    """Run the service and a worker on a made-up Canada, and print how to call it."""
    settings = settings_for(data_dir)
    log.configure("WARNING")
    try:
        asyncio.run(_demo(settings, settings.port if port is None else port, size, as_json))
    except KeyboardInterrupt:
        err.print("The demo has stopped.")


async def _demo(settings: Settings, port: int, size: int, as_json: bool) -> None:
    from bonafide import demo as demonstration  # noqa: PLC0415 - as in `_serve`

    async with open_runtime(settings) as runtime:
        with shown_progress("sandbox") as told:
            await demonstration.prepare_sandbox(runtime, size, told)
        async with demonstration.running(runtime, port) as ready:
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
    out.print(Panel.fit(f"bonafide is running at [bold]{ready.base_url}[/] on a made-up Canada.\nKey: [bold]{ready.api_key}[/]"))
    # Bare of any frame and wrapping, so that it works when pasted.
    typer.echo(f"\nTry it:\n\n{curl}\n\nThe API's page: {ready.base_url.removesuffix('/v1')}/docs. Stop with Ctrl-C.")
