"""The runtime: one explicit object with everything that lives as long as the process.

Services take it as their first parameter instead of using module globals. It has no behaviour of its own.
"""

import asyncio
import os
import secrets
import socket
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import AbstractContextManager, AsyncExitStack, asynccontextmanager, suppress
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from threading import Lock
from uuid import UUID

from bonafide.concurrency.executors import compute_for
from bonafide.concurrency.ttl_cache import TtlCache
from bonafide.concurrency.work_limiter import WorkLimiter
from bonafide.errors import ConfigurationError, ServerBusy
from bonafide.i18n.message import Message
from bonafide.index import GenerationStore
from bonafide.index.generations.loaded_lists import LoadedLists
from bonafide.matching.scoring.word_rarity import WordRarity
from bonafide.model.accounts.organizations import World
from bonafide.model.entry import SourceKind
from bonafide.model.loading import CombinedIndexRecord, LoadRecord
from bonafide.net.fetch import Fetcher
from bonafide.net.throttle import SourceThrottle
from bonafide.net.valkey_store import ValkeyStore
from bonafide.net.web_fetch import WebFetcher
from bonafide.observability.event_loop_lag import monitor_event_loop
from bonafide.observability.metrics import Metrics
from bonafide.observability.tracing import Tracer
from bonafide.server.health import ProcessState
from bonafide.settings import Settings
from bonafide.sources.framework.discovery import Source, discover_sources
from bonafide.sources.framework.simulated_failures import FailureSimulator, load_failure_simulator
from bonafide.store.blobs.file_store import FileStore
from bonafide.store.blobs.object_store import ContentAddressedStore
from bonafide.store.database.clock import open_clock
from bonafide.store.database.engine import DatabaseOptions, Store
from bonafide.store.tenants import key_usage
from bonafide.store.tenants.api_keys import ApiKeyCache
from bonafide.store.tenants.key_usage import RequestCounts

SIGNING_KEY_BYTES = 32
LIVE_CACHE_BYTES = 16 * 1024**2
"""The memory for cached live responses of one process."""
ACTIVITY_CACHE_BYTES = 1024**2
"""The memory for the daily counts of organizations, of one process: each takes about a kilobyte."""
Clock = Callable[[], datetime]
"""Returns the current time as an aware instant in UTC."""


@dataclass(slots=True)
class IndexSyncState:
    """The state of this process in the synchronization of a shared index (`services/indexing/index_sync`)."""

    objects: ContentAddressedStore
    node: str
    caught_up: bool = False
    """Whether this process has had all published generations at least once since it started."""
    behind: frozenset[tuple[World, str]] = frozenset()
    """The sources with a newer published generation than the one in use here."""
    settled: asyncio.Event = field(default_factory=asyncio.Event)
    """Set when the first synchronization has finished or failed."""
    refused: dict[tuple[World, str], tuple[str, float, float]] = field(default_factory=dict)
    """Inventories of unusable generations, with the time of the next attempt and the pause after that, in seconds."""


@dataclass(frozen=True, slots=True)
class Runtime:
    """Everything long-lived: settings, database, files, indexes by world, sources, clients of live ones, clock, counters."""

    settings: Settings
    store: Store
    files: FileStore
    signing_key: bytes
    """Signs the addresses of documents."""
    generations: Mapping[World, GenerationStore[LoadRecord]]
    sources: Mapping[str, Source]
    clock: Clock
    metrics: Metrics = field(default_factory=Metrics)
    tracer: Tracer = field(default_factory=Tracer)
    fetchers: Mapping[World, Fetcher] = field(default_factory=dict)
    """The clients of the live sources of each world; the sandbox has one only if it is running."""
    web_fetchers: Mapping[World, WebFetcher] = field(default_factory=dict)
    """The clients of websites of each world; the sandbox has one only if it is running."""
    identity_provider: Fetcher | None = None
    """The client of the identity provider (`services/accounts/openid_connect`); None if none is configured."""
    language_model: Fetcher | None = None
    """The client of the language model that paraphrases summaries (`services/verification`); None if none is configured."""
    valkey: ValkeyStore | None = None
    """Valkey; None if none is configured."""
    live_cache: TtlCache = field(default_factory=lambda: TtlCache(LIVE_CACHE_BYTES))
    """Recent responses of live sources if there is no Valkey (`services/lookup/live_cache`)."""
    activity_cache: TtlCache = field(default_factory=lambda: TtlCache(ACTIVITY_CACHE_BYTES))
    """What organizations did on the days that are over (`services/overview/daily_activity`)."""
    throttles: dict[tuple[World, str], SourceThrottle] = field(default_factory=dict)
    """The throttle of each live source (`services/lookup/live_query`)."""
    combined_indexes: Mapping[World, GenerationStore[CombinedIndexRecord]] = field(default_factory=dict)
    """The names of many sources in one index, by world and group of sources (`services/indexing/combined_index`)."""
    word_rarities: dict[World, tuple[tuple[str, ...], WordRarity]] = field(default_factory=dict)
    """How rare words are in the loaded registers, and the generations it was measured on (`services/indexing/word_rarity`)."""
    screening_indexes: dict[tuple[World, str], LoadedLists[LoadRecord]] = field(default_factory=dict)
    """The parties of the sanctions lists in memory, by world and group of lists (`services/screening/list_cache`)."""
    screening_indexes_lock: Lock = field(default_factory=Lock)
    """Held while lists are read into memory."""
    work_limiter: WorkLimiter = field(default_factory=WorkLimiter)
    """Limits how many expensive requests run at once."""
    process_state: ProcessState = field(default_factory=ProcessState)
    """Whether this process is stopping."""
    api_key_cache: ApiKeyCache = field(default_factory=ApiKeyCache)
    """The API keys read last (`services/accounts/api_access`)."""
    request_counts: RequestCounts = field(default_factory=RequestCounts)
    """Requests of API keys that are yet to be stored (`services/accounts/api_key_usage`)."""
    failure_simulator: FailureSimulator = field(default_factory=load_failure_simulator)
    """The names and numbers for which the sandbox's registers fail."""
    index_sync: IndexSyncState | None = None
    """None if each machine has its own index."""

    def list_registers(self) -> list[Source]:
        """The sources of registers, those of many registers included."""
        return [source for source in self.sources.values() if source.metadata.kind is SourceKind.REGISTRY]

    @asynccontextmanager
    async def hold_work_slot(self, organization_id: UUID, share: float) -> AsyncIterator[None]:
        """Hold a slot for expensive work; waits up to this share of a search's deadline. Raises and counts `ServerBusy`."""
        async with AsyncExitStack() as stack:
            slot = self.work_limiter.slot(str(organization_id), share * self.settings.search_deadline_s)
            try:
                await stack.enter_async_context(slot)
            except ServerBusy:
                self.metrics.count_refused("work")
                raise
            with self.compute_for(organization_id):
                yield

    def check_work_share(self, organization_id: UUID) -> None:
        """Refuse expensive work early, before its body is read. Raises and counts `ShareExceeded`."""
        try:
            self.work_limiter.check_share(str(organization_id))
        except ServerBusy:
            self.metrics.count_refused("work")
            raise

    def compute_for(self, organization_id: UUID) -> AbstractContextManager[None]:
        """Count what the block computes towards the organization's share of the CPU thread."""
        return compute_for(str(organization_id), self.work_limiter.get_weight(str(organization_id)))


def build_generation_stores(data_dir: Path) -> Mapping[World, GenerationStore[LoadRecord]]:
    """Return the indexes of each world in a data directory."""
    return {world: GenerationStore(data_dir / "index" / world.value, LoadRecord.from_manifest) for world in World}


def build_combined_index_stores(data_dir: Path) -> Mapping[World, GenerationStore[CombinedIndexRecord]]:
    """Return the combined indexes of each world in a data directory."""
    return {world: GenerationStore(data_dir / "joint" / world.value, CombinedIndexRecord.model_validate) for world in World}


@asynccontextmanager
async def open_runtime(
    settings: Settings, *, clock: Clock | None = None, sources: Mapping[str, Source] | None = None
) -> AsyncIterator[Runtime]:
    """Open everything that the settings configure, and close it at the end. An empty database gets its tables.

    With a shared database the time is the database's (`store/database/clock`), unless a clock is given. `sources` replaces
    the discovered sources, for tests. Raises `ConfigurationError` for a database whose schema belongs to another release (see
    `migrate`).
    """
    settings.data_dir.mkdir(parents=True, exist_ok=True)
    metrics = Metrics()
    async with AsyncExitStack() as stack:
        tracer = build_tracer(settings)
        stack.push_async_callback(asyncio.to_thread, tracer.close)
        await stack.enter_async_context(monitor_event_loop(metrics))
        store = build_store(settings, metrics)
        stack.push_async_callback(store.close)
        await store.prepare()
        clock = clock if clock is not None else await stack.enter_async_context(open_clock(store))
        fetchers = build_fetchers(settings, clock)
        web_fetchers = build_web_fetchers(settings, clock)
        language_model, identity_provider = (
            build_language_model_fetcher(settings, clock),
            build_identity_provider_fetcher(settings, clock),
        )
        for client in (*fetchers.values(), *web_fetchers.values(), language_model, identity_provider):
            if client is not None:
                stack.push_async_callback(client.close)
        valkey = build_valkey_store(settings, metrics)
        if valkey is not None:
            stack.push_async_callback(valkey.close)
        counts = RequestCounts()
        stack.push_async_callback(_write_remaining_counts, store, counts)
        runtime = Runtime(
            settings=settings,
            store=store,
            files=build_files(settings),
            signing_key=load_signing_key(settings),
            generations=build_generation_stores(settings.data_dir),
            combined_indexes=build_combined_index_stores(settings.data_dir),
            sources=discover_sources() if sources is None else sources,
            clock=clock,
            metrics=metrics,
            tracer=tracer,
            valkey=valkey,
            fetchers=fetchers,
            web_fetchers=web_fetchers,
            identity_provider=identity_provider,
            language_model=language_model,
            request_counts=counts,
            index_sync=build_index_sync(settings),
            work_limiter=WorkLimiter(settings.max_concurrent_work, settings.max_waiting_work, settings.weights_by_organization),
        )
        if store.replica is not None:
            runtime.metrics.watch_replica(store.replica.count_fallbacks)
        yield runtime


async def migrate(settings: Settings) -> None:
    """Bring the database up to date. Raises `ConfigurationError`, `ServerBusy`.

    Migrations must remain compatible with processes of the previous release, which keep running during a rolling upgrade.
    """
    settings.data_dir.mkdir(parents=True, exist_ok=True)
    store = build_store(settings)
    try:
        await store.migrate()
    finally:
        await store.close()


def build_store(settings: Settings, metrics: Metrics | None = None) -> Store:
    """The configured database; connects when first used. Raises `ConfigurationError`."""
    replica = settings.build_dsn(settings.database_replica_url) if settings.database_replica_url is not None else None
    options = DatabaseOptions(settings.database_pooled, replica, settings.transaction_timeout_s, settings.sqlite_durable)
    return Store.open(settings.dsn, options, metrics)


def build_valkey_store(settings: Settings, metrics: Metrics) -> ValkeyStore | None:
    """Valkey; None if none is configured. Raises `ConfigurationError`."""
    if settings.valkey_url is None:
        return None
    return ValkeyStore.open(
        settings.valkey_url.get_secret_value(),
        is_cluster=settings.valkey_cluster,
        timeout_s=settings.valkey_timeout_s,
        failed=metrics.count_shared_failure,
    )


async def _write_remaining_counts(store: Store, counts: RequestCounts) -> None:
    """Write the remaining counts. They are lost if the database is unavailable."""
    with suppress(ServerBusy):
        await key_usage.write_counts(store, counts)


def build_tracer(settings: Settings) -> Tracer:
    """The tracer for the configured collector. Raises `ConfigurationError` if its packages are not installed."""
    if settings.trace_url is None:
        return Tracer()
    try:
        from bonafide.observability.otlp import OtlpExporter  # noqa: PLC0415 - an extra, and slow to import
    except ModuleNotFoundError as error:
        raise ConfigurationError(
            Message("`trace_url` needs packages that are not installed: `pip install 'bonafide[otel]'`")
        ) from error
    return Tracer(OtlpExporter(settings.trace_url, settings.trace_sample))


def build_files(settings: Settings) -> FileStore:
    """The file store that the settings name. Raises `ConfigurationError`."""
    address = settings.files_url if settings.files_url is not None else (settings.data_dir / "files").resolve().as_uri()
    options = {name: value.get_secret_value() for name, value in settings.files_options.items()}
    return FileStore.open(address, options)


def build_index_sync(settings: Settings) -> IndexSyncState | None:
    """Where machines share their indexes; None where the settings name no place. Raises `ConfigurationError`."""
    if settings.index_url is None:
        return None
    given = settings.index_options if settings.index_options is not None else settings.files_options
    options = {name: value.get_secret_value() for name, value in given.items()} if settings.index_url.startswith("s3:") else {}
    node = f"{socket.gethostname()}:{os.getpid()}:{secrets.token_hex(4)}"
    return IndexSyncState(ContentAddressedStore.open(settings.index_url, options), node)


def load_signing_key(settings: Settings) -> bytes:
    """The key that signs URLs; if none is configured it is generated once and stored in the data directory."""
    if settings.signing_key is not None:
        return settings.signing_key.get_secret_value().encode()
    path = get_signing_key_path(settings)
    if not path.exists():
        draft = path.with_suffix(f".{secrets.token_hex(4)}")
        draft.touch(mode=0o600)  # also in a process that has not called `restrict_new_files`
        draft.write_text(secrets.token_hex(SIGNING_KEY_BYTES), encoding="ascii")
        # Two processes may start together: the first link is kept, and its file is complete.
        with suppress(FileExistsError):
            os.link(draft, path)
        draft.unlink()
    return path.read_bytes()


def get_signing_key_path(settings: Settings) -> Path:
    """The path of the generated signing key."""
    return settings.data_dir / "signing.key"


def build_fetchers(settings: Settings, clock: Clock) -> dict[World, Fetcher]:
    """The clients of the live sources of each world."""
    real = {World.LIVE: Fetcher(settings, clock)}
    if settings.sandbox_url is None:
        return real
    return {**real, World.SANDBOX: Fetcher(settings, clock, sandbox=settings.sandbox_url)}


def build_web_fetchers(settings: Settings, clock: Clock) -> dict[World, WebFetcher]:
    """The clients of websites of each world."""
    real = {World.LIVE: WebFetcher(settings, clock)}
    if settings.sandbox_url is None:
        return real
    return {**real, World.SANDBOX: WebFetcher(settings, clock, sandbox=settings.sandbox_url)}


def build_language_model_fetcher(settings: Settings, clock: Clock) -> Fetcher | None:
    """The client of the language model; None if none is configured. Only a configured private address is allowed."""
    return Fetcher(settings, clock, private=settings.llm_private_pair) if settings.llm_url is not None else None


def build_identity_provider_fetcher(settings: Settings, clock: Clock) -> Fetcher | None:
    """The client of the identity provider; None if none is configured. Only a configured private address is allowed."""
    return Fetcher(settings, clock, private=settings.oidc_private_pair) if settings.oidc_issuer is not None else None
