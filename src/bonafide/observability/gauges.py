"""Gauges that are set when metrics are collected: queue, index, connection pools, build.

`services/operations/gauge_collector` sets the values.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from prometheus_client import CollectorRegistry, Gauge

JobLabels = tuple[str, str]
"""A kind of job and the state of those that are counted."""


@dataclass(frozen=True, slots=True)
class IndexState:
    """A generation in use: its number, live entries, segments, the bytes that these map, and whether its data is too old."""

    generation: int
    entries: int
    segments: int
    size: int
    is_stale: bool


class Gauges:
    """Values that rise and fall, in the registry of one runtime's metrics."""

    def __init__(self, registry: CollectorRegistry) -> None:
        self._registry = registry
        here = ["world", "source"]
        self._build = self._gauge("build", "1, for the version that runs and the schema of its database", ["version", "schema"])
        self._up = self._gauge("database_up", "Whether the database answered when this was collected")
        self._jobs = self._gauge("jobs", "Jobs of all processes that are still to be done", ["kind", "state"])
        self._due = self._gauge("oldest_due_job_seconds", "How long the job that waits longest could have been begun already")
        self._dead = self._gauge("dead_jobs", "Jobs of all processes that were given up within the last quarter of an hour")
        self._under_way = self._gauge("jobs_under_way", "Jobs that this process is doing")
        self._in_flight = self._gauge("http_requests_in_flight", "Requests that this process is answering")
        self._in_use = self._gauge("database_connections_in_use", "Connections of this process that are in a transaction", ["pool"])
        self._sizes = self._gauge("database_connections_max", "Connections that this process may open", ["pool"])
        self._generations = self._gauge("index_generation", "Number of the generation in use", here)
        self._entries = self._gauge("index_entries", "Live entries of the generation in use", here)
        self._segments = self._gauge("index_segments", "Segments of the generation in use", here)
        self._bytes = self._gauge("index_bytes", "Bytes that the generation in use maps", here)
        self._stale = self._gauge("source_stale", "Whether the data in use is older than its source's own limit", here)
        self._oldest_mail = self._gauge("oldest_pending_mail_seconds", "Age of the oldest mail that has not been sent")
        self._lost = self._gauge("spans_dropped", "Spans that were lost since the start")
        self._undelivered = self._gauge("oldest_webhook_delivery_seconds", "Age of the oldest delivery without an attempt")
        self._disabled = self._gauge("disabled_webhook_endpoints", "Webhook endpoints disabled by the service or by users")
        self._never_evaluated = self._gauge("monitored_records_never_evaluated", "Monitored records without any evaluation")
        self._due_queries = self._gauge("monitored_queries_due", "Queries of monitored records that are due")
        self._overdue_queries = self._gauge("monitored_queries_overdue", "Queries without success for twice their interval")
        self.requests_in_flight = 0
        """Changed by the event loop only, so no lock is needed."""
        self.jobs_under_way = 0
        self._in_flight.set_function(lambda: self.requests_in_flight)
        self._under_way.set_function(lambda: self.jobs_under_way)

    def _gauge(self, name: str, text: str, labels: list[str] | None = None) -> Gauge:
        return Gauge(f"bonafide_{name}", text, labels if labels is not None else [], registry=self._registry)

    def set_build(self, version: str, schema: str) -> None:
        """Set the version and the schema."""
        self._build.clear()
        self._build.labels(version, schema).set(1)

    def set_oldest_mail(self, seconds: float) -> None:
        """Set the age of the oldest mail that has not been sent."""
        self._oldest_mail.set(seconds)

    def set_queue(self, counts: Mapping[JobLabels, int], oldest_due_s: float, dead: int) -> None:
        """Set the state of the queue, as the database has it."""
        self._up.set(1)
        for labels, count in counts.items():
            self._jobs.labels(*labels).set(count)
        self._due.set(oldest_due_s)
        self._dead.set(dead)

    def set_webhooks(self, oldest_delivery_s: float, disabled: int) -> None:
        """Set how long the oldest delivery waits for its first attempt, and how many endpoints are disabled."""
        self._undelivered.set(oldest_delivery_s)
        self._disabled.set(disabled)

    def set_monitoring(self, never_evaluated: int, due_queries: int, overdue_queries: int) -> None:
        """Set how many monitored records have never been evaluated, and how many of their queries are due and overdue."""
        self._never_evaluated.set(never_evaluated)
        self._due_queries.set(due_queries)
        self._overdue_queries.set(overdue_queries)

    def set_database_unavailable(self) -> None:
        """Remove the values of the queue: the database is unavailable, so they would be out of date."""
        self._up.set(0)
        self._jobs.clear()
        self._due.set(float("nan"))
        self._dead.set(float("nan"))
        monitored = (self._never_evaluated, self._due_queries, self._overdue_queries)
        for gauge in (self._oldest_mail, self._undelivered, self._disabled, *monitored):
            gauge.set(float("nan"))

    def set_pool(self, pool: str, in_use: int, size: int) -> None:
        """Set how many connections of a pool are in use, and its size."""
        self._in_use.labels(pool).set(in_use)
        self._sizes.labels(pool).set(size)

    def set_index(self, world: str, source: str, state: IndexState) -> None:
        """Set the generation of a source that is in use."""
        self._stale.labels(world, source).set(state.is_stale)
        self._generations.labels(world, source).set(state.generation)
        self._entries.labels(world, source).set(state.entries)
        self._segments.labels(world, source).set(state.segments)
        self._bytes.labels(world, source).set(state.size)

    def set_spans_dropped(self, count: int) -> None:
        """The number of spans dropped since the start."""
        self._lost.set(count)
