"""`bonafide demo`: run the sandbox, the service and a worker in one process.

What it makes (the made-up Canada's files, their index, two organizations with a key each, somebody who signs in) is kept in the
data directory, so that a second start only opens it. Nothing in the service is special-cased for it: the demo uses test keys, and
those see the sandbox.
"""

import asyncio
import json
import secrets
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from socket import socket

from bonafide.app.application import create_ready_app
from bonafide.app.worker import run_worker
from bonafide.errors import ApiError, ConfigurationError, Conflict
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
from bonafide_sandbox.publisher_faults import FaultRegistry
from bonafide_sandbox.server import create_sandbox_app
from bonafide_sandbox.slow_registers import SlowRegisters
from bonafide_sandbox.world.builder import write_world
from bonafide_sandbox.world.directory import BusinessDirectory
from bonafide_sandbox.writers.framework.manifest import DeliveryRoute, WorldFile, WorldManifest, read_manifest

HOST = "127.0.0.1"
ORGANIZATIONS = ("Demo", "Other Demo")
OWNER = "owner@demo.example"
"""Who signs in to the console of the first of them."""
PASSWORD_BYTES = 12
RATE_LIMIT = 600
"""Ten times the usual: a demo is tried out by scripts too."""
GRACE_S = 2


@dataclass(frozen=True, slots=True)
class RunningDemo:
    """Where the demo is and how to call it; `stopped` is set when its server ends."""

    base_url: str
    api_key: str
    other_api_key: str
    console: str
    email: str
    password: str = field(repr=False)
    stopped: asyncio.Event = field(repr=False)

    def to_json(self) -> str:
        """The line that `--json` prints."""
        told = {
            "baseUrl": self.base_url,
            "apiKey": self.api_key,
            "otherApiKey": self.other_api_key,
            "console": self.console,
            "consoleEmail": self.email,
            "consolePassword": self.password,
        }
        return json.dumps(told)


async def prepare_sandbox(runtime: Runtime, size: int, progress: Progress) -> None:
    """Make the made-up Canada and load every source from it, as far as that has not been done before."""
    folder = resolve_sandbox_folder(runtime.settings, size)
    manifest = await asyncio.to_thread(write_world, folder, size=size, progress=lambda done: progress("invent", done, size))
    sockets = bind_sockets(HOST, 0)
    async with serve_app(create_sandbox_app(folder, _map_urls_to_files(runtime.sources, manifest)), sockets, GRACE_S):
        fetcher = Fetcher(runtime.settings, runtime.clock, sandbox=build_address(sockets))
        try:
            for key, files in _group_files_by_source(runtime, manifest).items():
                if not _is_loaded(runtime, key, files):
                    order = _create_refresh(runtime, folder, key, files)
                    async with build_exclusively(runtime, order.world, key):
                        await load_source(runtime, fetcher, order, progress)
            if not _is_classification_loaded(runtime, manifest):
                await naics.load_naics(runtime, fetcher, naics.NaicsLoadRequest(World.SANDBOX), progress)
        finally:
            await fetcher.close()
    await update_combined_indexes(runtime, World.SANDBOX)


def resolve_sandbox_folder(settings: Settings, size: int) -> Path:
    """Where a data directory keeps the made-up Canada of this size."""
    return settings.data_dir / "sandbox" / str(size)


@asynccontextmanager
async def serve_sandbox(
    folder: Path, sources: Mapping[str, Source], sockets: Sequence[socket], faults: FaultRegistry | None = None
) -> AsyncIterator[asyncio.Event]:
    """The publishers and live registers of a written sandbox while the block runs. Raises `ConfigurationError` when there is none.

    The event is set when the server ends by itself.
    """
    manifest = read_manifest(folder)
    if manifest is None:
        raise ConfigurationError(Message.untranslated(f"{folder} holds no sandbox; prepare it first"))
    app = create_sandbox_app(
        folder, _map_urls_to_files(sources, manifest), faults, BusinessDirectory(folder, manifest.seed), SlowRegisters()
    )
    async with serve_app(app, sockets, GRACE_S) as ended:
        yield ended


def _group_files_by_source(runtime: Runtime, manifest: WorldManifest) -> dict[str, list[WorldFile]]:
    """The files of each source that this installation knows, less what only serves: pages that lead to files, the directory.

    Of a register that anybody may ask live there is nothing to load, though a person could.
    """
    files: dict[str, list[WorldFile]] = {}
    for file in manifest.files:
        source = runtime.sources.get(file.source)
        if source is not None and file.route in {DeliveryRoute.DOWNLOAD, DeliveryRoute.FILE} and not _is_freely_live(source):
            files.setdefault(file.source, []).append(file)
    return files


def _is_freely_live(source: Source) -> bool:
    """Whether a source is asked live, and by anybody."""
    live = source.metadata.live
    return source.metadata.access is AccessMethod.LIVE and live is not None and live.terms is None


def _map_urls_to_files(sources: Mapping[str, Source], manifest: WorldManifest) -> dict[str, str]:
    """Which file of the made-up Canada stands at which publisher's address."""
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
    """Downloaded where the publisher offers all of it as a download, imported where a person has to bring a file."""
    source = runtime.sources[key]
    imported = (
        None
        if all(file.route is DeliveryRoute.DOWNLOAD for file in files)
        else FileImport(tuple(folder / file.path for file in files), as_of=runtime.clock().date())
    )
    return LoadRequest(source, World.SANDBOX, imported)


@asynccontextmanager
async def run_demo(runtime: Runtime, sockets: Sequence[socket]) -> AsyncIterator[RunningDemo]:
    """The service and a worker while the block runs."""
    api_key, other_api_key = [await _ensure_key(runtime, organization) for organization in ORGANIZATIONS]
    password = await _ensure_password(runtime, ORGANIZATIONS[0])
    worker = asyncio.create_task(run_worker(runtime))
    try:
        async with (
            sync_index(runtime),
            serve_app(await create_ready_app(runtime), sockets, GRACE_S) as ended,
            verify_indexes(runtime),
        ):
            address = build_address(sockets)
            yield RunningDemo(f"{address}/v1", api_key, other_api_key, f"{address}/console", OWNER, password, ended)
    finally:
        worker.cancel()
        await asyncio.gather(worker, return_exceptions=True)


def build_address(sockets: Sequence[socket]) -> str:
    """Where reserved sockets are reached."""
    return f"http://{HOST}:{sockets[0].getsockname()[1]}"


async def _ensure_key(runtime: Runtime, organization: str) -> str:
    """The organization's key; kept in a file of the data directory, for a key can't be had from the database again."""
    kept = runtime.settings.data_dir / "sandbox" / f"{organization.lower().replace(' ', '-')}.key"
    try:
        text = kept.read_text(encoding="ascii")
        await api_access.authenticate(runtime, text)
    except (OSError, ApiError):
        request = KeyRequest(organization=organization, label="demo", rate_limit=RATE_LIMIT, world=World.SANDBOX)
        text = (await api_access.create_key(runtime, request)).text
        _write_secret(kept, text)
    return text


async def _ensure_password(runtime: Runtime, organization: str) -> str:
    """The owner's password; kept as the keys are, and made anew where the file and the database don't belong together."""
    kept = runtime.settings.data_dir / "sandbox" / "console.password"
    with suppress(OSError):
        text = kept.read_text(encoding="ascii")
        if await sign_in.is_correct_password(runtime, OWNER, text):
            return text
    text = secrets.token_urlsafe(PASSWORD_BYTES)
    request = UserRequest(email=OWNER, organization=organization, role=Role.OWNER, name="Demo owner", world=World.SANDBOX)
    with suppress(Conflict):  # who belongs to it already only gets another password
        await members.create_user(runtime, request, Author("demo"))
    await sign_in.set_password(runtime, OWNER, text)
    _write_secret(kept, text)
    return text


def _write_secret(path: Path, secret: str) -> None:
    """Write a secret where only this user reads it."""
    path.touch(mode=0o600)
    path.write_text(secret, encoding="ascii")
