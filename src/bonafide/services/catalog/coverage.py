"""What can be searched now: every source with its routes, age, terms and gaps, and each jurisdiction."""

from collections.abc import Iterable
from datetime import date

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
    url: str | None
    note: Message | None


class SourceTerms(Document):
    """Terms that the operator must accept before live queries, and the recorded acceptance."""

    version: str
    text: Message
    url: str | None
    accepted_by: str | None
    recorded_at: Instant | None


class SourceCoverage(Document):
    """One source: how it can be searched, the age of its loaded data, and its gaps."""

    source: str
    kind: SourceKind
    jurisdiction: Jurisdiction | None
    title: str
    publisher: str
    page: str
    licence: SourceLicence
    status: CoverageStatus
    routes: tuple[Route, ...]
    """The routes by which it can be searched now, the first for searches; empty if it is unavailable."""
    as_of: date | None
    retrieved_at: Instant | None
    entries: int | None
    cadence: Cadence
    publishes: tuple[Part, ...]
    live_publishes: tuple[Part, ...]
    gaps: Message | None
    terms: SourceTerms | None
    note: Message | None


class JurisdictionCoverage(Document):
    """One jurisdiction: its best status, its sources, and the page for a manual search."""

    jurisdiction: Jurisdiction
    label: str
    status: CoverageStatus
    sources: tuple[str, ...]
    page: str
    note: Message | None


class CoverageOverview(Document):
    """The response of `GET /coverage`."""

    as_of: Instant
    jurisdictions: tuple[JurisdictionCoverage, ...]
    sources: tuple[SourceCoverage, ...]


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
