"""The composition root: one explicit object that holds what lives as long as the process.

Services take it as their first parameter; nothing is reached through module globals. It contains no behaviour of its own.
"""

from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

from bonafide.index import GenerationStore
from bonafide.matching.rarity import Rarity
from bonafide.metrics import Metrics
from bonafide.model.load import LoadRecord
from bonafide.model.organization import World
from bonafide.settings import Settings
from bonafide.sources.base import Source, discover
from bonafide.store.engine import Store

Clock = Callable[[], datetime]
"""The present as an aware instant in UTC."""


def system_clock() -> datetime:
    """The machine's clock."""
    return datetime.now(UTC)


@dataclass(frozen=True, slots=True)
class Runtime:
    """Everything long-lived: settings, database, index generations and rarity of words by world, known sources, clock, counters."""

    settings: Settings
    store: Store
    generations: Mapping[World, GenerationStore[LoadRecord]]
    sources: Mapping[str, Source]
    clock: Clock
    metrics: Metrics = field(default_factory=Metrics)
    rarities: dict[World, tuple[tuple[str, ...], Rarity]] = field(default_factory=dict)
    """How rare words are in the loaded registers, and the generations on which it was measured (`services/rarity`)."""


def generations_below(data_dir: Path) -> Mapping[World, GenerationStore[LoadRecord]]:
    """The index of each world, where a data directory keeps it."""
    return {world: GenerationStore(data_dir / "index" / world.value, LoadRecord.model_validate) for world in World}


@asynccontextmanager
async def open_runtime(
    settings: Settings, *, clock: Clock = system_clock, sources: Mapping[str, Source] | None = None
) -> AsyncIterator[Runtime]:
    """Open what the settings name, bring the database up to date, and close it all at the end.

    `sources` replaces the discovered ones: the tests' way to look things up in a source of their own.
    """
    settings.data_dir.mkdir(parents=True, exist_ok=True)
    store = Store.open(settings.dsn)
    try:
        await store.migrate()
        yield Runtime(
            settings=settings,
            store=store,
            generations=generations_below(settings.data_dir),
            sources=discover() if sources is None else sources,
            clock=clock,
        )
    finally:
        await store.close()
