"""Push generations that were built on this machine to shared storage, and pull those that other machines built.

A publication is a database row with a sequence number, updated by compare-and-set; each machine stores the number that it has. The
higher number wins, and of equal ones the row. A machine that built upon an outdated publication therefore finds out that it is
late, and a database that was restored to an earlier state receives later publications again.
"""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Mapping
from contextlib import AbstractContextManager, asynccontextmanager
from functools import partial
from pathlib import Path
from time import perf_counter
from typing import Any, Protocol, TypeVar

import anyio
from pydantic import ValidationError

from bonafide.errors import BonafideError, NotFound, RefreshRefused, SegmentCorrupt
from bonafide.i18n.message import Message
from bonafide.index import GenerationStore
from bonafide.index.format.segment_files import write_durably
from bonafide.model.accounts.organizations import World
from bonafide.model.loading import GROUPS, InstalledGeneration, Inventory, InventoryFile
from bonafide.observability.log import get_logger
from bonafide.runtime import IndexSyncState, Runtime
from bonafide.services.indexing import naics_transfer
from bonafide.services.indexing.disk_space import check_disk_space
from bonafide.services.indexing.naics_transfer import NAICS, get_naics_folder
from bonafide.services.jobs.leases import Lease, hold_lease
from bonafide.store.blobs.object_store import AT_ONCE
from bonafide.store.records import source_rows
from bonafide.store.records.source_rows import PublishedGeneration

CATCH_UP_WITHIN_S = 600
"""How long a builder waits for another process of its machine to fetch the base of the build."""
LOOK_EVERY_S = 0.5
T = TypeVar("T")
_log = get_logger(__name__)


class PublishedDataExchange(Protocol):
    """Sends and receives the generations of one source: `index.exchange` or `naics_transfer`."""

    @property
    def current(self) -> str | None: ...  # noqa: D102 - described where it is implemented

    def inventory(self, known: Inventory | None, /) -> Inventory: ...  # noqa: D102

    def path(self, file: InventoryFile) -> Path: ...  # noqa: D102

    def begin(self, inventory: Inventory, *, thorough: bool) -> dict[Path, InventoryFile]: ...  # noqa: D102

    def activate(self) -> str: ...  # noqa: D102

    def discard(self) -> None: ...  # noqa: D102


@asynccontextmanager
async def build_exclusively(runtime: Runtime, world: World, key: str) -> AsyncIterator[None]:
    """Hold the right to build a source: fetch what is published first, and publish what the block has put into use.

    Without a shared index it does nothing. A failure to fetch or publish is logged: the build is used on this machine and published
    later. Raises `RefreshRefused` while another machine builds the source, `ServerBusy` if the database is unavailable.
    """
    sync = runtime.index_sync
    if sync is None:
        yield
        return
    async with hold_lease(runtime, _build_lease_name(world, key)) as lease:
        row = await _catch_up(runtime, world, key)
        before = _get_current_generation(runtime, world, key)
        yield
        if _get_current_generation(runtime, world, key) != before:
            _record_build_base(runtime, world, key, row)
        await _push_or_log(runtime, world, key, lease)


async def push_unpublished(runtime: Runtime, world: World, key: str) -> None:
    """Publish a generation that an earlier build could not, unless the source is being built. Failures are logged and counted."""
    try:
        async with hold_lease(runtime, _build_lease_name(world, key)) as lease:
            await _push_or_log(runtime, world, key, lease)
    except RefreshRefused:
        return


def is_behind(runtime: Runtime, world: World, key: str, row: PublishedGeneration | None) -> bool:
    """Whether a newer generation is published than this machine has."""
    taken = read_pulled_state(runtime, world, key)
    return (
        row is not None
        and (row.sequence, row.description) != (taken.sequence, taken.description)
        and row.sequence >= taken.sequence
    )


def is_ahead(runtime: Runtime, world: World, key: str, row: PublishedGeneration | None) -> bool:
    """Whether this machine has a generation to publish."""
    current, taken = _get_current_generation(runtime, world, key), read_pulled_state(runtime, world, key)
    if current is None or is_behind(runtime, world, key, row):
        return False
    return current != taken.generation or row is None or row.sequence < taken.sequence


def read_pulled_state(runtime: Runtime, world: World, key: str) -> InstalledGeneration:
    """The publication that this machine has; an empty one if no generation is in use or the stored state can't be read."""
    if _get_current_generation(runtime, world, key) is not None:
        try:
            return InstalledGeneration.model_validate_json(_get_state_path(runtime, world, key).read_bytes())
        except FileNotFoundError:
            pass
        except ValidationError:
            _log.warning("publication_state.unreadable", source=key, world=world)
    return InstalledGeneration(sequence=0, description=None, generation=None, inventory=None)


# ------------------------------------------------------------------------------------------------------------ taking


async def pull_generation(runtime: Runtime, world: World, key: str, row: PublishedGeneration) -> bool:
    """Fetch a publication and put it into use. False while another process of this machine holds the source.

    Raises `ServerBusy`, `NotFound` for a missing object, `SegmentCorrupt` for a damaged generation or one of another format, and
    `OSError`; the generation in use then stays in use.
    """
    started = perf_counter()
    if not is_behind(runtime, world, key, row):
        return True
    try:
        with _open_transfer(runtime, world, key) as exchange:
            # Another process of this machine may have been first.
            if not is_behind(runtime, world, key, row):
                return True
            taken = read_pulled_state(runtime, world, key)
            if exchange.current is not None and exchange.current != taken.generation:
                _log.warning("generation.superseded", source=key, world=world)
            inventory = await _fetch_inventory(_get_index_sync(runtime), world, key, row.description)
            generation = await _install_generation(_get_index_sync(runtime), _build_object_prefix(world, key), exchange, inventory)
            new = InstalledGeneration(
                sequence=row.sequence, description=row.description, generation=generation, inventory=inventory
            )
            await anyio.to_thread.run_sync(_write_pulled_state, runtime, world, key, new)
            await anyio.to_thread.run_sync(_remove_old_generations, runtime, world, key)
    except RefreshRefused:
        return False
    runtime.metrics.observe_index_fetch(perf_counter() - started)
    _log.info("generation.pulled", source=key, world=world, sequence=row.sequence, published_by=row.published_by)
    return True


async def _fetch_inventory(sync: IndexSyncState, world: World, key: str, description: str) -> Inventory:
    content = await sync.objects.get(_build_object_prefix(world, key), description)
    try:
        return Inventory.model_validate_json(content)
    except ValidationError as error:
        raise SegmentCorrupt(Message("{source}: the inventory of the publication has an unknown format.", source=key)) from error


async def _install_generation(sync: IndexSyncState, place: str, exchange: PublishedDataExchange, inventory: Inventory) -> str:
    for thorough in (False, True):
        try:
            wanted = await anyio.to_thread.run_sync(partial(exchange.begin, inventory, thorough=thorough))
            await _download(sync, place, wanted)
            try:
                return await anyio.to_thread.run_sync(exchange.activate)
            except SegmentCorrupt:
                # A file that existed already may be the damaged one: fetch all files.
                if thorough:
                    raise
        finally:
            # Not in a thread, because a cancelled task can't wait for one.
            exchange.discard()
    raise AssertionError("the second time it is raised")


async def _download(sync: IndexSyncState, place: str, wanted: Mapping[Path, InventoryFile]) -> None:
    held = await sync.objects.sizes(place)
    for file in wanted.values():
        if file.sha256 not in held:
            raise NotFound(Message("The object {path} is missing.", path=f"{place}/{file.sha256}"))
        if held[file.sha256] != file.size:
            raise SegmentCorrupt(
                Message("The object {path} is damaged: its size differs from the published one.", path=f"{place}/{file.sha256}")
            )
    check_disk_space(wanted)

    async def fetch(item: tuple[Path, InventoryFile]) -> None:
        path, file = item
        await sync.objects.get_file(place, file.sha256, path)

    await _run_each(fetch, wanted.items())


async def _catch_up(runtime: Runtime, world: World, key: str) -> PublishedGeneration | None:
    """Fetch what is published if possible, and return it. Raises `ServerBusy` if the database is unavailable."""
    with anyio.move_on_after(CATCH_UP_WITHIN_S):
        while True:
            row = await _read_publication(runtime, world, key)
            if row is None or not is_behind(runtime, world, key, row):
                return row
            try:
                if await pull_generation(runtime, world, key, row):
                    return row
            except (BonafideError, OSError) as error:
                _log.warning("publication.not_fetched", source=key, world=world, problem=str(error))
                runtime.metrics.count_index_fetch_failure(world, key)
                return row
            await asyncio.sleep(LOOK_EVERY_S)
    raise RefreshRefused(Message("Another process is fetching {source}.", source=key))


# ------------------------------------------------------------------------------------------------------------ publishing


async def _push_or_log(runtime: Runtime, world: World, key: str, lease: Lease) -> None:
    try:
        await _push_generation(runtime, world, key, lease)
    except (BonafideError, OSError) as error:
        _log.error("generation.not_published", source=key, world=world, problem=str(error))
        runtime.metrics.count_index_publish_failure(world, key)


async def _push_generation(runtime: Runtime, world: World, key: str, lease: Lease) -> None:
    """Publish the generation in use, unless it is published. Objects are uploaded before the row refers to them."""
    sync = _get_index_sync(runtime)
    with _open_transfer(runtime, world, key) as exchange:
        row = await _read_publication(runtime, world, key)
        if not is_ahead(runtime, world, key, row):
            return
        taken = read_pulled_state(runtime, world, key)
        inventory = await anyio.to_thread.run_sync(exchange.inventory, taken.inventory)
        await _upload(sync, _build_object_prefix(world, key), exchange, inventory)
        new = _build_next_publication(runtime, row, taken, inventory, is_new=exchange.current != taken.generation)
        async with runtime.store.write() as connection:
            expected = row.sequence if row is not None else None
            is_published = await source_rows.publish_generation(connection, world, key, expected, new)
        if not is_published:
            _log.warning("publication.superseded", source=key, world=world)
            return
        made = InstalledGeneration(
            sequence=new.sequence, description=new.description, generation=exchange.current, inventory=inventory
        )
        await anyio.to_thread.run_sync(_write_pulled_state, runtime, world, key, made)
        _log.info("generation.published", source=key, world=world, sequence=new.sequence)
        runtime.metrics.set_index_sequence(world, key, new.sequence)
        try:
            # Upload again in case another machine deleted an object that was not referred to yet.
            await _upload(sync, _build_object_prefix(world, key), exchange, inventory)
            await _remove_old_objects(sync, _build_object_prefix(world, key), new, inventory, lease)
        except BonafideError as error:
            _log.warning("old_objects.not_deleted", source=key, world=world, problem=error.message)


def _build_next_publication(
    runtime: Runtime, row: PublishedGeneration | None, taken: InstalledGeneration, inventory: Inventory, *, is_new: bool
) -> PublishedGeneration:
    """The publication of the generation in use: with the next number, or with its own if the database has lost it."""
    last = max(taken.sequence, row.sequence if row is not None else 0)
    previous = row.description if row is not None else None
    return PublishedGeneration(
        sequence=last + 1 if is_new else last,
        description=inventory.digest,
        previous=row.previous if row is not None and previous == inventory.digest else previous,
        published_at=runtime.clock(),
        published_by=_get_index_sync(runtime).node,
    )


async def _upload(sync: IndexSyncState, place: str, exchange: PublishedDataExchange, inventory: Inventory) -> None:
    """Upload missing objects; the inventory comes last."""
    held = await sync.objects.sizes(place)
    missing = {file.sha256: file for file in inventory.files if held.get(file.sha256) != file.size}

    async def send(file: InventoryFile) -> None:
        await sync.objects.put_file(place, file.sha256, exchange.path(file), file.size)

    await _run_each(send, missing.values())
    if held.get(inventory.digest) != len(inventory.content):
        await sync.objects.put(place, inventory.content)


async def _remove_old_objects(
    sync: IndexSyncState, place: str, new: PublishedGeneration, inventory: Inventory, lease: Lease
) -> None:
    """Delete objects that neither this publication nor the previous one refers to, while this process holds the lease."""
    kept = {new.description, *(file.sha256 for file in inventory.files)}
    if new.previous is not None:
        try:
            before = Inventory.model_validate_json(await sync.objects.get(place, new.previous))
        except (NotFound, SegmentCorrupt, ValidationError) as error:
            _log.warning("previous_publication.unreadable", place=place, problem=str(error))
        else:
            kept |= {new.previous, *(file.sha256 for file in before.files)}
    for name in await sync.objects.sizes(place):
        if name not in kept and lease.is_held:
            await sync.objects.delete(place, name)
    if lease.is_held:
        await sync.objects.sweep(place)


# ------------------------------------------------------------------------------------------------------------ what is here


def _open_transfer(runtime: Runtime, world: World, key: str) -> AbstractContextManager[PublishedDataExchange]:
    if key == NAICS:
        return naics_transfer.open_naics_transfer(get_naics_folder(runtime.settings.data_dir, world))
    return _get_generation_store(runtime, world, key).exchange(key)


def _get_generation_store(runtime: Runtime, world: World, key: str) -> GenerationStore[Any]:
    """The store of the generations of a source or combined index."""
    return (runtime.combined_indexes if key in GROUPS else runtime.generations)[world]


def _get_current_generation(runtime: Runtime, world: World, key: str) -> str | None:
    if key == NAICS:
        return naics_transfer.read_pointer(get_naics_folder(runtime.settings.data_dir, world))
    return _get_generation_store(runtime, world, key).get_current_id(key)


def _remove_old_generations(runtime: Runtime, world: World, key: str) -> None:
    if key == NAICS:
        naics_transfer.remove_old_files(get_naics_folder(runtime.settings.data_dir, world))
    else:
        _get_generation_store(runtime, world, key).tidy(key)


def _get_state_path(runtime: Runtime, world: World, key: str) -> Path:
    home = (
        get_naics_folder(runtime.settings.data_dir, world)
        if key == NAICS
        else _get_generation_store(runtime, world, key).root / key
    )
    return home / "published.json"


def _write_pulled_state(runtime: Runtime, world: World, key: str, taken: InstalledGeneration) -> None:
    path = _get_state_path(runtime, world, key)
    draft = path.with_suffix(".new")
    write_durably(draft, taken.to_json().encode())
    draft.replace(path)


def _record_build_base(runtime: Runtime, world: World, key: str, row: PublishedGeneration | None) -> None:
    """Record that the build follows the publication that existed at its start, even if that could not be fetched."""
    if row is not None and is_behind(runtime, world, key, row):
        built = InstalledGeneration(sequence=row.sequence, description=row.description, generation=None, inventory=None)
        _write_pulled_state(runtime, world, key, built)


async def _read_publication(runtime: Runtime, world: World, key: str) -> PublishedGeneration | None:
    async with runtime.store.read() as connection:
        return await source_rows.get_published(connection, world, key)


def _get_index_sync(runtime: Runtime) -> IndexSyncState:
    if runtime.index_sync is None:
        raise RuntimeError("this machine does not share its index")
    return runtime.index_sync


def _build_object_prefix(world: World, key: str) -> str:
    return f"{world.value}/{key}"


def _build_lease_name(world: World, key: str) -> str:
    return f"index {world.value}/{key}"


async def _run_each(act: Callable[[T], Awaitable[None]], items: Iterable[T]) -> None:
    """Call `act` for each item, a few concurrently. The first failure cancels the others and is raised."""
    room = asyncio.Semaphore(AT_ONCE)

    async def one(item: T) -> None:
        async with room:
            await act(item)

    try:
        async with asyncio.TaskGroup() as tasks:
            for item in list(items):
                tasks.create_task(one(item))
    except BaseExceptionGroup as group:
        raise group.exceptions[0] from None
