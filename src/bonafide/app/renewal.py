"""The worker's renewals: sources that are due, and the combined indexes that are built from them."""

import asyncio

from structlog.contextvars import bound_contextvars

from bonafide.errors import BonafideError, ServerBusy
from bonafide.model.accounts.organizations import World
from bonafide.observability.log import get_logger
from bonafide.runtime import Runtime
from bonafide.services.indexing.combined_index import find_outdated_indexes, update_combined_indexes
from bonafide.services.loading.schedule import find_due_sources, renew_source
from bonafide.settings import RenewalMode
from bonafide.sources.framework.discovery import Source

CHECK_EVERY_S = 30.0
"""Between two checks for what is due."""
MAX_RENEWALS = 2
"""Sources renewed at once: each uses a processor."""
_log = get_logger(__name__)


async def run_renewal_loop(runtime: Runtime) -> None:
    """Renew sources as they fall due, until cancelled."""
    while True:
        if runtime.settings.renew is not RenewalMode.OFF:
            try:
                await renew_once(runtime)
            except BonafideError as error:
                _log.warning("database.unavailable", problem=error.message)
        await asyncio.sleep(CHECK_EVERY_S)


async def renew_once(runtime: Runtime) -> None:
    """Renew every source that is due, of several publishers at once, of one publisher one after another. Raises `ServerBusy`."""
    due = [(world, source) for world in runtime.fetchers for source in await find_due_sources(runtime, world)]
    slots = asyncio.Semaphore(MAX_RENEWALS)
    await asyncio.gather(*(_renew_one(runtime, world, source, slots) for world, source in due))


async def _renew_one(runtime: Runtime, world: World, source: Source, slots: asyncio.Semaphore) -> None:
    attributes = {"bonafide.source": source.key, "bonafide.world": world.value}
    async with slots:
        with runtime.tracer.begin("load", attributes), bound_contextvars(source=source.key, world=world.value):
            try:
                is_renewed = await renew_source(runtime, world, source)
            except BonafideError as error:
                # It is recorded as a run of the source and tried again later; the last good data stays in use.
                _log.warning("source.not_renewed", problem=error.message)
                runtime.metrics.count_renewal(source.key, "failed")
            except OSError:
                _log.exception("source.not_renewed")
                runtime.metrics.count_renewal(source.key, "failed")
            else:
                if is_renewed:
                    runtime.metrics.count_renewal(source.key, "renewed")


async def run_combined_index_loop(runtime: Runtime) -> None:
    """Build combined indexes once their sources have not changed between two checks: sources are mostly renewed in sequence."""
    seen: dict[World, dict[str, dict[str, str]]] = {}
    failed: dict[World, dict[str, dict[str, str]]] = {}
    while True:
        for world in runtime.combined_indexes:
            wanted = await asyncio.to_thread(find_outdated_indexes, runtime, world)
            if wanted and wanted == seen.get(world) and wanted != failed.get(world):
                try:
                    await update_combined_indexes(runtime, world)
                except ServerBusy as error:
                    _log.warning("combined_index.deferred", world=world, problem=error.message)
                except Exception:  # noqa: BLE001 - it only makes searches faster; it would fail again until a source changes
                    _log.exception("combined_index.failed", world=world)
                    failed[world] = wanted
            seen[world] = wanted
        await asyncio.sleep(CHECK_EVERY_S)
