"""Read the websites of monitored records, and compare each with its last reading."""

from dataclasses import dataclass, replace
from datetime import timedelta

from bonafide.errors import SourceErrorCode
from bonafide.model.monitoring.website_snapshots import WebsiteSnapshot
from bonafide.model.search.website import WebsiteAnalysis
from bonafide.runtime import Runtime
from bonafide.services.lookup.website_analysis import FAULT, analyse_website
from bonafide.services.monitoring.query_handling import QueryFailed, QueryOutcome, QueryRequest, StoredQuery
from bonafide.services.monitoring.website_comparison import FAILURE_SPACING, WebsiteReading, compare_website, compute_interval
from bonafide.services.monitoring.website_events import build_website_event
from bonafide.store.database.engine import Connection
from bonafide.store.monitoring import queries
from bonafide.website.registrable_domain import parse_registrable_domain

OFFLINE_SITES = 5
"""If so many other sites were read recently and none was reached, the service is probably offline."""
RECENT, RECENT_SITES = 2 * FAILURE_SPACING, 20
"""Which readings are recent: at most so many, within so long."""
UNAVAILABLE_RETRY = timedelta(days=1)
"""When to try again after websites could not be read at all, for example because live lookups are disabled."""


@dataclass(frozen=True, slots=True)
class WebsiteAnswer:
    """A website that was read, or that could not be reached."""

    analysis: WebsiteAnalysis
    requests: int = 1
    """The rate limits how many sites are read, whatever the number of their pages."""

    async def store(self, connection: Connection, stored: StoredQuery) -> QueryOutcome:
        """Compare the site with the stored snapshot."""
        query, analysis = stored.query, self.analysis
        interval = timedelta(days=stored.policy.website_interval_days)
        if query.target != stored.record.website:
            # The record has another website since; the query is removed when the record is evaluated.
            return QueryOutcome((), interval, query.as_of, query.snapshot, query.problem)
        before = WebsiteSnapshot.model_validate_json(query.snapshot) if query.snapshot is not None else None
        reading = WebsiteReading(analysis, parse_registrable_domain(analysis.url).domain)
        if reading.is_failed:
            reading = replace(reading, is_service_offline=await _is_service_offline(connection, stored))
            interval = min(FAILURE_SPACING, interval) if reading.is_service_offline else interval
        compared = compare_website(before, reading)
        domain = parse_registrable_domain(query.target).domain
        event = build_website_event(compared, analysis, query.target, domain, stored.record)
        return QueryOutcome(
            events=[event] if event is not None else [],
            interval=compute_interval(compared.snapshot, interval),
            as_of=analysis.retrieved_at.date(),
            snapshot=compared.snapshot.to_json(),
            problem=compared.gap,
        )


async def _is_service_offline(connection: Connection, stored: StoredQuery) -> bool:
    recent = await queries.list_recent_results(connection, stored.query, stored.now - RECENT, RECENT_SITES)
    return len(recent) >= OFFLINE_SITES and not any(recent)


async def query_monitored_website(runtime: Runtime, request: QueryRequest) -> WebsiteAnswer:
    """Read the website of a record. Nothing of the record's searches is read or changed. Raises `QueryFailed`."""
    result = await analyse_website(runtime, request.organization.world, request.query.target, with_industry=False)
    if result.analysis is not None:
        return WebsiteAnswer(result.analysis)
    error = result.error
    is_unavailable = error is not None and error.code is SourceErrorCode.UNAVAILABLE
    raise QueryFailed(
        error.message if error is not None else FAULT, retry_after=UNAVAILABLE_RETRY if is_unavailable else None, requests=0
    )
