"""`bonafide demo`: run the sandbox, the service and a worker in one process.

The sandbox files, their index, two organizations with one API key each and a console user are stored in the data directory, so that
later starts reuse them. The keys and the password are only known to the start that creates them: like those of any organization,
they are stored as hashes. The service has no special cases for the demo: the demo uses test keys, which read sandbox data.
"""

import asyncio
import json
import secrets
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager, nullcontext
from dataclasses import dataclass, field
from pathlib import Path
from socket import socket
from typing import Any

from pydantic import SecretStr
from starlette.types import ASGIApp

from bonafide.app.application import create_ready_app
from bonafide.app.worker import run_worker
from bonafide.errors import ConfigurationError, Conflict
from bonafide.i18n.message import Message
from bonafide.model.accounts.organizations import KeyRequest, World
from bonafide.model.accounts.users import Role, UserRequest
from bonafide.model.records.business_record import Author
from bonafide.net.fetch import Fetcher
from bonafide.runtime import Runtime
from bonafide.server.http_server import bind_sockets, serve_app
from bonafide.services.accounts import api_access, members, sign_in
from bonafide.services.indexing.combined_index import update_combined_indexes
from bonafide.services.indexing.distribution import build_exclusively
from bonafide.services.indexing.index_sync import sync_index
from bonafide.services.indexing.index_verification import verify_indexes
from bonafide.services.loading import naics
from bonafide.services.loading.refresh import FileImport, LoadRequest, Progress, get_current_load, load_source
from bonafide.settings import Settings
from bonafide.sources.framework.discovery import Source
from bonafide.sources.framework.metadata import AccessMethod
from bonafide.website.industry.naics_tables import ADDRESSES
from bonafide_sandbox.current_world import CurrentWorldApp
from bonafide_sandbox.entry_changes import ChangeRecorder
from bonafide_sandbox.mail_catcher import MAIL_PATH, Mailbox, MailPagesApp
from bonafide_sandbox.publisher_faults import FaultRegistry
from bonafide_sandbox.server import create_sandbox_app
from bonafide_sandbox.slow_registers import SlowRegisters
from bonafide_sandbox.stored_day import StoredDay, lock_sandbox, read_stored_day, resolve_world_folder, store_day
from bonafide_sandbox.world.builder import write_world
from bonafide_sandbox.world.directory import BusinessDirectory
from bonafide_sandbox.writers.framework.manifest import DeliveryRoute, WorldFile, WorldManifest, read_manifest

HOST = "127.0.0.1"
ORGANIZATIONS = ("Demo", "Other Demo")
OWNER = "owner@demo.example"
"""The console user, owner of the first organization."""
PASSWORD_BYTES = 12
KEY_LABEL = "demo"
RATE_LIMIT = 600
"""Ten times the default, because the demo is also called by scripts."""
GRACE_S = 2
MAIL_SENDER = "Bonafide demo <alerts@demo.example>"


@dataclass(frozen=True, slots=True)
class RunningDemo:
    """The addresses and credentials of a running demo. `stopped` is set when its server stops.

    The keys and the password are None if an earlier start has created and printed them.
    """

    base_url: str
    api_key: str | None = field(repr=False)
    other_api_key: str | None = field(repr=False)
    console: str
    email: str
    password: str | None = field(repr=False)
    mail: str | None
    """The page that shows the mail of the demo; None if no sandbox is served."""
    stopped: asyncio.Event = field(repr=False)

    def to_json(self) -> str:
        """Return the line printed for `--json`."""
        document = {
            "baseUrl": self.base_url,
            "apiKey": self.api_key,
            "otherApiKey": self.other_api_key,
            "console": self.console,
            "consoleEmail": self.email,
            "consolePassword": self.password,
            "ownerEmail": self.email,
            "ownerPassword": self.password,
            "mail": self.mail,
        }
        return json.dumps(document)


async def prepare_sandbox(runtime: Runtime, size: int, progress: Progress) -> None:
    """Write the sandbox world of the stored day and load every source from it. Skips steps that are already done.

    Raises `RefreshRefused` while another process moves or loads the sandbox of the data directory.
    """
    settings = runtime.settings
    with lock_sandbox(settings):
        earlier = read_stored_day(settings)
        today = StoredDay(size=size, day=earlier.day if earlier is not None else 0)
        manifest = await asyncio.to_thread(
            write_world,
            resolve_world_folder(settings, today),
            size=size,
            day=today.day,
            progress=lambda done: progress("invent", done, size),
        )
        if today != earlier:
            store_day(settings, today)
        await load_world(runtime, resolve_world_folder(settings, today), manifest, progress)


async def load_world(
    runtime: Runtime, folder: Path, manifest: WorldManifest, progress: Progress, recorder: ChangeRecorder | None = None
) -> None:
    """Load each source whose files differ from those that are loaded. `recorder` records what the loads change."""
    sockets = bind_sockets(HOST, 0)
    async with serve_app(create_sandbox_app(folder, _map_urls_to_files(runtime.sources, manifest)), sockets, GRACE_S):
        fetcher = Fetcher(runtime.settings, runtime.clock, sandbox=build_address(sockets))
        try:
            for key, files in _group_files_by_source(runtime, manifest).items():
                if not _is_loaded(runtime, key, files):
                    order = _create_refresh(runtime, folder, key, files)
                    with recorder.record(key) if recorder is not None else nullcontext():
                        async with build_exclusively(runtime, order.world, key):
                            await load_source(runtime, fetcher, order, progress)
            if not _is_classification_loaded(runtime, manifest):
                await naics.load_naics(runtime, fetcher, naics.NaicsLoadRequest(World.SANDBOX), progress)
        finally:
            await fetcher.close()
    await update_combined_indexes(runtime, World.SANDBOX)


def resolve_sandbox_folder(settings: Settings, size: int) -> Path:
    """Return the folder in the data directory that contains the sandbox world of this size on the stored day."""
    stored = read_stored_day(settings)
    return resolve_world_folder(settings, StoredDay(size=size, day=stored.day if stored is not None else 0))


@asynccontextmanager
async def serve_sandbox(
    folder: Path, sources: Mapping[str, Source], sockets: Sequence[socket], faults: FaultRegistry | None = None
) -> AsyncIterator[asyncio.Event]:
    """Serve a sandbox world's files and live registers while the context is open.

    Yields an event that is set if the server stops by itself. Raises `ConfigurationError` if the folder contains no world.
    """
    app = _create_world_app(folder, sources, faults if faults is not None else FaultRegistry(), SlowRegisters())
    async with serve_app(app, sockets, GRACE_S) as ended:
        yield ended


@asynccontextmanager
async def serve_current_sandbox(
    settings: Settings, sources: Mapping[str, Source], sockets: Sequence[socket], mailbox: Mailbox
) -> AsyncIterator[asyncio.Event]:
    """Serve the world of the stored day while the context is open, and that of another day as soon as it is stored.

    The pages of the mailbox are served too.

    Yields an event that is set if the server stops by itself. Raises `ConfigurationError` if there is no such world.
    """
    faults, slow = FaultRegistry(), SlowRegisters()
    app = CurrentWorldApp(settings, lambda stored: _create_world_app(resolve_world_folder(settings, stored), sources, faults, slow))
    async with serve_app(MailPagesApp(mailbox, app), sockets, GRACE_S) as ended:
        yield ended


def build_mail_settings(sockets: Sequence[socket]) -> dict[str, Any]:
    """The settings with which the demo sends its mail to the sandbox."""
    return {
        "smtp_url": SecretStr(f"smtp://{HOST}:{sockets[0].getsockname()[1]}"),
        "mail_from": MAIL_SENDER,
        "allow_private_targets": HOST,
    }


def _create_world_app(folder: Path, sources: Mapping[str, Source], faults: FaultRegistry, slow: SlowRegisters) -> ASGIApp:
    manifest = read_manifest(folder)
    if manifest is None:
        raise ConfigurationError(Message.untranslated(f"{folder} contains no sandbox data: generate it first"))
    return create_sandbox_app(folder, _map_urls_to_files(sources, manifest), faults, BusinessDirectory.open(folder, manifest), slow)


def _group_files_by_source(runtime: Runtime, manifest: WorldManifest) -> dict[str, list[WorldFile]]:
    """Group the loadable files by installed source. Excludes index pages and the directory of the live registers.

    Sources that are queried live without accepting terms are also excluded: they don't need to be loaded.
    """
    files: dict[str, list[WorldFile]] = {}
    for file in manifest.files:
        source = runtime.sources.get(file.source)
        if source is not None and file.route in {DeliveryRoute.DOWNLOAD, DeliveryRoute.FILE} and not _is_freely_live(source):
            files.setdefault(file.source, []).append(file)
    return files


def _is_freely_live(source: Source) -> bool:
    """Return whether a source is queried live and requires no acceptance of terms."""
    live = source.metadata.live
    return source.metadata.access is AccessMethod.LIVE and live is not None and live.terms is None


def _map_urls_to_files(sources: Mapping[str, Source], manifest: WorldManifest) -> dict[str, str]:
    """Map each publisher URL to the path of its file in the sandbox folder."""
    urls = {(key, item.name): item.url for key, source in sources.items() for item in source.metadata.resources}
    urls |= {(naics.KEY, table.value): url for table, url in ADDRESSES.items()}
    found = ((file.url if file.url is not None else urls.get((file.source, file.resource)), file.path) for file in manifest.files)
    return {url: path for url, path in found if url is not None}


def _is_loaded(runtime: Runtime, key: str, files: list[WorldFile]) -> bool:
    load = get_current_load(runtime, World.SANDBOX, runtime.sources[key])
    return load is not None and {file.sha256 for file in load.files} == {file.sha256 for file in files}


def _is_classification_loaded(runtime: Runtime, manifest: WorldManifest) -> bool:
    load = naics.get_loaded_naics(runtime, World.SANDBOX)
    files = {file.sha256 for file in manifest.files if file.source == naics.KEY}
    return load is not None and {file.sha256 for file in load.files} == files


def _create_refresh(runtime: Runtime, folder: Path, key: str, files: list[WorldFile]) -> LoadRequest:
    """Return a load request: a download if every file can be downloaded, otherwise an import from the sandbox folder."""
    source = runtime.sources[key]
    imported = (
        None
        if all(file.route is DeliveryRoute.DOWNLOAD for file in files)
        else FileImport(tuple(folder / file.path for file in files), as_of=runtime.clock().date())
    )
    return LoadRequest(source, World.SANDBOX, imported)


@asynccontextmanager
async def run_demo(runtime: Runtime, sockets: Sequence[socket], *, new_key: bool = False) -> AsyncIterator[RunningDemo]:
    """Run the service and a worker while the context is open. `new_key` replaces the keys and the password."""
    _delete_stored_secrets(runtime)
    api_key, other_api_key = [await _create_key(runtime, organization, anew=new_key) for organization in ORGANIZATIONS]
    password = await _create_password(runtime, ORGANIZATIONS[0], anew=new_key)
    worker = asyncio.create_task(run_worker(runtime))
    try:
        app = await create_ready_app(runtime)
        async with (
            sync_index(runtime),
            serve_app(app, sockets, GRACE_S, limit_headers=app.state.limit_headers) as ended,
            verify_indexes(runtime),
        ):
            address, sandbox_url = build_address(sockets), runtime.settings.sandbox_url
            mail = f"{sandbox_url}{MAIL_PATH}" if sandbox_url is not None else None
            try:
                yield RunningDemo(f"{address}/v1", api_key, other_api_key, f"{address}/console", OWNER, password, mail, ended)
            finally:
                # Requests that do not finish in time are answered with 503.
                runtime.process_state.drain()
    finally:
        worker.cancel()
        await asyncio.gather(worker, return_exceptions=True)


def build_address(sockets: Sequence[socket]) -> str:
    """Return the base URL of the bound sockets."""
    return f"http://{HOST}:{sockets[0].getsockname()[1]}"


async def _create_key(runtime: Runtime, organization: str, *, anew: bool) -> str | None:
    """Create the organization's API key and return it; None if it has one. With `anew`, its demo keys are revoked before."""
    keys = [
        key
        for key in await api_access.list_keys(runtime)
        if (key.organization, key.world, key.label, key.revoked_at) == (organization, World.SANDBOX, KEY_LABEL, None)
    ]
    if keys and not anew:
        return None
    for key in keys:
        await api_access.revoke_key(runtime, key.id)
    request = KeyRequest(organization=organization, label=KEY_LABEL, rate_limit=RATE_LIMIT, world=World.SANDBOX)
    return (await api_access.create_key(runtime, request)).text


async def _create_password(runtime: Runtime, organization: str, *, anew: bool) -> str | None:
    """Create the owner with a password and return it; None if the owner exists. With `anew`, the owner gets another password."""
    text = secrets.token_urlsafe(PASSWORD_BYTES)
    request = UserRequest(email=OWNER, organization=organization, role=Role.OWNER, name="Demo owner", world=World.SANDBOX)
    try:
        await members.create_user(runtime, request, Author("demo"))
    except Conflict:
        if not anew:
            return None
    await sign_in.set_password(runtime, OWNER, text)
    return text


def _delete_stored_secrets(runtime: Runtime) -> None:
    """Delete the files in which earlier releases stored the keys and the password."""
    folder = runtime.settings.data_dir / "sandbox"
    for path in (*folder.glob("*.key"), folder / "console.password"):
        path.unlink(missing_ok=True)
