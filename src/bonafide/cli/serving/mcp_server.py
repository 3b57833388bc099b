"""`bonafide mcp`: the tools of the MCP server over standard input and output.

The tools read the local database and indexes, or are passed on to a service at an address.
"""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated
from urllib.parse import urlsplit
from uuid import UUID

import typer

from bonafide.cli.command_runtime import open_command_runtime, run_until_interrupted
from bonafide.cli.options import DataDir, Sandbox
from bonafide.cli.translation import get_language, localize
from bonafide.i18n.message import Message
from bonafide.model.accounts.organizations import Principal, World
from bonafide.observability.log import get_logger
from bonafide.services.accounts import api_access

if TYPE_CHECKING:
    from bonafide.runtime import Runtime

_log = get_logger(__name__)


def mcp(
    url: Annotated[
        str | None,
        typer.Option(metavar="URL", envvar="BONAFIDE_URL", help=Message("Use a service at this address, with an API key.")),
    ] = None,
    key: Annotated[
        str | None,
        typer.Option(envvar="BONAFIDE_API_KEY", show_envvar=True, help=Message("The API key whose rights the tools have.")),
    ] = None,
    sandbox: Sandbox = False,
    data_dir: DataDir = None,
) -> None:
    """Serve the tools for language models over standard input and output (Model Context Protocol).

    With an API key the tools have its organization and its scopes. Without one, and without --url, they have the organization of
    the command line and all scopes. The same tools are served by `bonafide serve` at /mcp.
    """
    if url is not None:
        if urlsplit(url).scheme not in {"http", "https"} or not urlsplit(url).hostname:
            message = Message("{option} must be an address that begins with http:// or https://.", option="--url")
            raise typer.BadParameter(localize(message))
        if not key:
            raise typer.BadParameter(localize(Message("--url needs an API key: --key, or the variable BONAFIDE_API_KEY.")))
        run_until_interrupted(_forward(url, key))
        return
    run_until_interrupted(_serve(key, World.SANDBOX if sandbox else World.LIVE, data_dir))


async def _forward(url: str, key: str) -> None:
    from bonafide.cli.serving.mcp_forwarding import forward_stdio  # noqa: PLC0415 - the SDK is slow to import

    await forward_stdio(f"{url.rstrip('/')}/mcp", key)


async def _serve(key: str | None, world: World, data_dir: Path | None) -> None:
    from bonafide.api.mcp.protocol_server import serve_stdio  # noqa: PLC0415 - the SDK is slow to import
    from bonafide.api.mcp.tools import ToolCaller  # noqa: PLC0415 - as above

    async with open_command_runtime(data_dir) as runtime:
        principal = await _authenticate(runtime, key, world)
        async with _run_verifications(runtime, principal) as runs:
            await serve_stdio(ToolCaller(runtime, principal, get_language(), start_verification=runs.start))


async def _authenticate(runtime: "Runtime", key: str | None, world: World) -> Principal:
    """The principal of the key, or of the command line. Raises `InvalidApiKey`, `RevokedApiKey`, `ExpiredApiKey`."""
    return await api_access.authenticate(runtime, key) if key else await api_access.local_principal(runtime, world)


class VerificationRuns:
    """Runs queued verifications in this process. If a worker runs one too, the first result counts."""

    def __init__(self, runtime: "Runtime", organization_id: UUID) -> None:
        self._runtime = runtime
        self._organization_id = organization_id
        self._tasks: set[asyncio.Task[None]] = set()

    def start(self, verification_id: UUID) -> None:
        """Run a verification in the background."""
        task = asyncio.get_running_loop().create_task(self._run(verification_id))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def stop(self) -> None:
        """Cancel what still runs. The verifications stay queued, for a worker."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _run(self, verification_id: UUID) -> None:
        from bonafide.services.verification import verification_job  # noqa: PLC0415 - needed by few calls

        try:
            again_at = await verification_job.run_step(self._runtime, self._organization_id, verification_id)
            while again_at is not None:
                await asyncio.sleep(max((again_at - self._runtime.clock()).total_seconds(), 0))
                again_at = await verification_job.run_step(self._runtime, self._organization_id, verification_id)
        except Exception:  # noqa: BLE001 - the verification ends at its deadline; the log has the traceback
            _log.exception("verification.failed")


@asynccontextmanager
async def _run_verifications(runtime: "Runtime", principal: Principal) -> AsyncIterator[VerificationRuns]:
    runs = VerificationRuns(runtime, principal.organization_id)
    try:
        yield runs
    finally:
        await runs.stop()
