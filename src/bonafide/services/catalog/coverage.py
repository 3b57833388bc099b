"""What can be searched now: every source with its routes, age, terms and gaps, and each jurisdiction."""

from collections.abc import Iterable
from datetime import date
from typing import Annotated

from pydantic import Field

from bonafide.i18n.message import Message
from bonafide.model.accounts.organizations import World
from bonafide.model.base import Document, Instant
from bonafide.model.entity import Part
from bonafide.model.entry import SourceKind
from bonafide.model.jurisdiction import Jurisdiction
from bonafide.model.loading import Route
from bonafide.model.search.result import CoverageStatus
from bonafide.runtime import Runtime
from bonafide.services.catalog.source_states import find_source_problem
from bonafide.services.loading.load_history import LoadAttempts, read_load_attempts
from bonafide.services.loading.refresh import get_current_load
from bonafide.services.lookup.live_query import find_live_query_blocker
from bonafide.services.lookup.source_lookup import find_lookup_blocker
from bonafide.sources.framework.discovery import Source
from bonafide.sources.framework.metadata import Cadence
from bonafide.store.records import source_rows
from bonafide.store.records.source_rows import TermsAcceptance

_BEST_FIRST = (CoverageStatus.SEARCHED, CoverageStatus.STALE, CoverageStatus.FAILED, CoverageStatus.NOT_AVAILABLE)


class SourceLicence(Document):
    """The terms of use of a source's data."""

    name: str
    """Name of the licence."""
    url: Annotated[str | None, Field(examples=["https://open.canada.ca/en/open-government-licence-canada"])]
    """URL of the licence."""
    note: Message | None
    """Conditions of use."""


class SourceTerms(Document):
    """Terms that the operator must accept before live queries, and the recorded acceptance."""

    version: str
    """Version of the terms."""
    text: Message
    """Text of the terms."""
    url: str | None
    """URL of the terms."""
    accepted_by: Annotated[str | None, Field(examples=["operations@north.example"])]
    """Who accepted the terms; null if nobody did."""
    recorded_at: Annotated[Instant | None, Field(examples=["2026-09-01T08:00:00.000Z"])]
    """When the acceptance was recorded."""


class SourceCoverage(Document):
    """One source: how it can be searched, the age of its loaded data, and its gaps."""

    source: str
    """Key of the source."""
    kind: SourceKind
    """Kind of the source."""
    jurisdiction: Jurisdiction | None
    """Jurisdiction of the source."""
    title: str
    """Name of the source."""
    publisher: str
    """Publisher of the source."""
    page: str
    """The source's page for people."""
    licence: SourceLicence
    """Licence of the data."""
    status: CoverageStatus
    """Whether the source can be searched."""
    routes: tuple[Route, ...]
    """Routes available now, the preferred one first; empty if there is none."""
    as_of: date | None
    """Date of the loaded data."""
    retrieved_at: Instant | None
    """When the loaded data was retrieved."""
    entries: int | None
    """Number of loaded entries."""
    cadence: Cadence
    """How often the publisher updates the data."""
    publishes: Annotated[tuple[Part, ...], Field(examples=[["status", "addresses"]])]
    """Which details the loaded data contains."""
    live_publishes: tuple[Part, ...]
    """Which details a live query returns."""
    gaps: Annotated[Message | None, Field(examples=["Sole proprietorships are not included."])]
    """What the source does not contain."""
    terms: SourceTerms | None
    """Terms that the operator must accept before the source is queried."""
    note: Annotated[Message | None, Field(examples=["No data is loaded."])]
    """Why the source is unavailable or incomplete."""


class JurisdictionCoverage(Document):
    """One jurisdiction: its best status, its sources, and the page for a manual search."""

    jurisdiction: Jurisdiction
    """Jurisdiction code."""
    label: str
    """Full name of the jurisdiction."""
    status: CoverageStatus
    """Best coverage of its sources."""
    sources: tuple[str, ...]
    """Keys of its sources."""
    page: str
    """Page on which a person can search."""
    note: Message | None
    """Why coverage is limited."""


class CoverageOverview(Document):
    """The response of `GET /coverage`."""

    as_of: Instant
    """When the overview was created."""
    jurisdictions: tuple[JurisdictionCoverage, ...]
    """Coverage by jurisdiction."""
    sources: tuple[SourceCoverage, ...]
    """Coverage by source."""


async def read_coverage(runtime: Runtime, world: World) -> CoverageOverview:
    """Return the current coverage of every source and jurisdiction."""
    async with runtime.store.read() as connection:
        accepted = await source_rows.list_acceptances(connection)
    attempts = await read_load_attempts(runtime, world)
    sources = tuple(_build_source_coverage(runtime, world, source, accepted, attempts) for source in runtime.sources.values())
    return CoverageOverview(as_of=runtime.clock(), jurisdictions=tuple(_group_by_jurisdiction(sources)), sources=sources)


async def read_source_coverage(runtime: Runtime, world: World, source: Source, attempts: LoadAttempts) -> SourceCoverage:
    """Return the coverage of one source."""
    async with runtime.store.read() as connection:
        accepted = await source_rows.list_acceptances(connection)
    return _build_source_coverage(runtime, world, source, accepted, attempts)


def _build_source_coverage(
    runtime: Runtime, world: World, source: Source, accepted: Iterable[TermsAcceptance], attempts: LoadAttempts
) -> SourceCoverage:
    metadata = source.metadata
    load = get_current_load(runtime, world, source)
    problem = find_source_problem(runtime, world, source, attempts)
    queryable = source.live is not None and find_live_query_blocker(runtime, world, source) is None
    if load is not None:
        stale = load.is_stale(metadata.max_age_days, runtime.clock().date())
        status, note = (CoverageStatus.STALE if stale else CoverageStatus.SEARCHED), problem
    elif problem is not None:
        status, note = CoverageStatus.FAILED, problem
    else:
        note = find_lookup_blocker(runtime, world, source)
        status = CoverageStatus.SEARCHED if note is None else CoverageStatus.NOT_AVAILABLE
    return SourceCoverage(
        source=source.key,
        kind=metadata.kind,
        jurisdiction=metadata.jurisdiction,
        title=metadata.title,
        publisher=metadata.publisher.name,
        page=metadata.page,
        licence=SourceLicence(name=metadata.licence.name, url=metadata.licence.url, note=metadata.licence.note),
        status=status,
        routes=(*([load.route] if load is not None else []), *([Route.LIVE] if queryable else [])),
        as_of=load.as_of if load is not None else None,
        retrieved_at=load.retrieved_at if load is not None else None,
        entries=load.entries if load is not None else None,
        cadence=metadata.cadence,
        publishes=metadata.publishes,
        live_publishes=metadata.live.publishes if metadata.live is not None else (),
        gaps=metadata.gaps,
        terms=_build_terms(source, accepted),
        note=note,
    )


def _build_terms(source: Source, accepted: Iterable[TermsAcceptance]) -> SourceTerms | None:
    terms = source.metadata.live.terms if source.metadata.live is not None else None
    if terms is None:
        return None
    own = [item for item in accepted if (item.source, item.version) == (source.key, terms.version)]
    by, at = (own[0].accepted_by, own[0].recorded_at) if own else (None, None)
    return SourceTerms(version=terms.version, text=terms.text, url=terms.url, accepted_by=by, recorded_at=at)


def _group_by_jurisdiction(sources: Iterable[SourceCoverage]) -> Iterable[JurisdictionCoverage]:
    registers = [source for source in sources if source.kind is SourceKind.REGISTRY]
    for jurisdiction in Jurisdiction:
        own = [source for source in registers if source.jurisdiction is jurisdiction]
        if own:
            best = min(own, key=lambda source: _BEST_FIRST.index(source.status))
            yield JurisdictionCoverage(
                jurisdiction=jurisdiction,
                label=jurisdiction.label,
                status=best.status,
                sources=tuple(source.source for source in own),
                page=best.page,
                note=best.note if best.note is not None else best.gaps,
            )
