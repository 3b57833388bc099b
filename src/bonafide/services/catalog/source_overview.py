"""Sources for monitoring: state, age, next renewal and last run of each, and the profile of one."""

import asyncio
from dataclasses import dataclass
from datetime import datetime

from bonafide.errors import NotFound
from bonafide.i18n.message import Message
from bonafide.model.accounts.organizations import World
from bonafide.model.entry import SourceKind
from bonafide.model.jurisdiction import Jurisdiction
from bonafide.model.loading import LoadRecord, SourceRun
from bonafide.runtime import Runtime
from bonafide.services.catalog.coverage import SourceCoverage, read_source_coverage
from bonafide.services.catalog.source_states import SourceState, read_source_state
from bonafide.services.loading.load_history import LoadAttempts, list_last_runs, list_runs, read_load_attempts
from bonafide.services.loading.refresh import get_current_load
from bonafide.services.loading.schedule import compute_next_renewal
from bonafide.sources.framework.discovery import Source
from bonafide.sources.framework.metadata import SourceMetadata

BEST_FIRST = ("loaded", "live", "stale", "failed", "not loaded", "not available")
"""States of sources, best first. A jurisdiction with several registers has the best of their states."""


@dataclass(frozen=True, slots=True)
class SourceOverviewRow:
    """One source in a list, as of an instant.

    `age_days` is the age of the loaded data; `due_at` is None for a source without automatic renewal.
    """

    as_of: datetime
    metadata: SourceMetadata
    state: SourceState
    age_days: int | None
    due_at: datetime | None
    last_run: SourceRun | None


@dataclass(frozen=True, slots=True)
class JurisdictionOverviewRow:
    """The registers of one jurisdiction, best first, and its state."""

    jurisdiction: Jurisdiction
    state: str
    rows: tuple[SourceOverviewRow, ...]


@dataclass(frozen=True, slots=True)
class SourceOverview:
    """Every source of an installation in one world."""

    as_of: datetime
    rows: tuple[SourceOverviewRow, ...]

    @property
    def places(self) -> list[JurisdictionOverviewRow]:
        """The registers by jurisdiction, in the contract's order."""
        registers = sorted(self.of_kind(SourceKind.REGISTRY), key=lambda row: BEST_FIRST.index(row.state.state))
        places = []
        for jurisdiction in Jurisdiction:
            own = tuple(row for row in registers if row.metadata.jurisdiction is jurisdiction)
            places.append(JurisdictionOverviewRow(jurisdiction, own[0].state.state if own else BEST_FIRST[-1], own))
        return places

    @property
    def joint(self) -> list[SourceOverviewRow]:
        """Registers of several jurisdictions."""
        return [row for row in self.of_kind(SourceKind.REGISTRY) if row.metadata.jurisdiction is None]

    def of_kind(self, kind: SourceKind) -> list[SourceOverviewRow]:
        """The sources of one kind."""
        return [row for row in self.rows if row.metadata.kind is kind]


@dataclass(frozen=True, slots=True)
class SourceProfile:
    """One source with its coverage. `load` is in use now; `runs` are the attempts to load it, newest first."""

    row: SourceOverviewRow
    coverage: SourceCoverage
    load: LoadRecord | None
    runs: tuple[SourceRun, ...]


async def read_source_overview(runtime: Runtime, world: World) -> SourceOverview:
    """Return the current overview of every source."""
    last = await list_last_runs(runtime, world)
    attempts = await read_load_attempts(runtime, world)
    rows = await asyncio.to_thread(_build_rows, runtime, world, last, attempts)
    return SourceOverview(runtime.clock(), rows)


async def read_source_profile(runtime: Runtime, world: World, key: str) -> SourceProfile:
    """One source. Raises `NotFound`."""
    source = runtime.sources.get(key)
    if source is None:
        raise NotFound(Message("We couldn’t find that source."))
    runs = await list_runs(runtime, world, key)
    attempts = await read_load_attempts(runtime, world)
    row = await asyncio.to_thread(_build_row, runtime, world, source, runs[0] if runs else None, attempts)
    coverage = await read_source_coverage(runtime, world, source, attempts)
    return SourceProfile(row, coverage, get_current_load(runtime, world, source), tuple(runs))


def _build_rows(
    runtime: Runtime, world: World, last: dict[str, SourceRun], attempts: LoadAttempts
) -> tuple[SourceOverviewRow, ...]:
    return tuple(_build_row(runtime, world, source, last.get(source.key), attempts) for source in runtime.sources.values())


def _build_row(runtime: Runtime, world: World, source: Source, last: SourceRun | None, attempts: LoadAttempts) -> SourceOverviewRow:
    load = get_current_load(runtime, world, source)
    now = runtime.clock()
    return SourceOverviewRow(
        as_of=now,
        metadata=source.metadata,
        state=read_source_state(runtime, world, source, attempts),
        age_days=load.age_days(now.date()) if load is not None else None,
        due_at=compute_next_renewal(runtime, world, source, attempts),
        last_run=last,
    )
