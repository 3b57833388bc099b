"""What is counted about this process, for Prometheus to collect from `/metrics`.

Labels are templates, statuses and source keys: no name, id or path of a caller ever becomes one. Each runtime has its own
registry, so that two in one process (or in one test run) do not add up.
"""

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, ProcessCollector, generate_latest
from prometheus_client.exposition import CONTENT_TYPE_LATEST

CONTENT_TYPE = CONTENT_TYPE_LATEST
_BUCKETS_S = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0)
_FETCH_BUCKETS_S = (0.1, 0.5, 1.0, 5.0, 10.0, 30.0, 60.0, 300.0, 900.0)


class Metrics:
    """The counters of one runtime. Others are given its methods, never the registry."""

    def __init__(self) -> None:
        self._registry = CollectorRegistry()
        ProcessCollector(registry=self._registry)
        self._requests = Histogram(
            "bonafide_http_request_duration_seconds",
            "Duration of requests; its count is their number",
            ["method", "route", "status"],
            registry=self._registry,
            buckets=_BUCKETS_S,
        )
        self._searches = Counter("bonafide_searches", "Searches by how they ended", ["status"], registry=self._registry)
        self._lookups = Histogram(
            "bonafide_lookup_duration_seconds",
            "Duration of asking one source",
            ["source"],
            registry=self._registry,
            buckets=_BUCKETS_S,
        )

        self._renewals = Counter(
            "bonafide_renewals", "Sources renewed by this process, by how it went", ["source", "outcome"], registry=self._registry
        )
        self._ages = Gauge(
            "bonafide_source_age_seconds", "Time since the data in use was retrieved", ["world", "source"], registry=self._registry
        )
        self._problems = Gauge(
            "bonafide_source_failures", "Loads in a row that have failed", ["world", "source"], registry=self._registry
        )

        self._index_sequences = Gauge(
            "bonafide_index_sequence", "Number of the published generation in use", ["world", "source"], registry=self._registry
        )
        self._index_fetches = Histogram(
            "bonafide_index_fetch_seconds",
            "Duration of fetching a published generation",
            registry=self._registry,
            buckets=_FETCH_BUCKETS_S,
        )
        self._index_failures = Counter(
            "bonafide_index_fetch_failures", "Generations that could not be fetched", ["world", "source"], registry=self._registry
        )
        self._publish_failures = Counter(
            "bonafide_index_publish_failures",
            "Generations that could not be published",
            ["world", "source"],
            registry=self._registry,
        )

    def set_index_sequence(self, world: str, source: str, sequence: int) -> None:
        """Which publication of a source is in use here."""
        self._index_sequences.labels(world, source).set(sequence)

    def observe_index_fetch(self, seconds: float) -> None:
        """Count one generation that was fetched and put to use."""
        self._index_fetches.observe(seconds)

    def count_index_fetch_failure(self, world: str, source: str) -> None:
        """Count one generation that could not be fetched."""
        self._index_failures.labels(world, source).inc()

    def count_index_publish_failure(self, world: str, source: str) -> None:
        """Count one generation that could not be published."""
        self._publish_failures.labels(world, source).inc()

    def count_renewal(self, source: str, outcome: str) -> None:
        """Count one try to renew a source."""
        self._renewals.labels(source, outcome).inc()

    def set_source(self, world: str, source: str, age_s: float | None, failures: int) -> None:
        """How old a source's data is, None where none is loaded, and how many loads of it in a row have failed."""
        if age_s is not None:
            self._ages.labels(world, source).set(age_s)
        self._problems.labels(world, source).set(failures)

    def observe_request(self, method: str, route: str, status: int, seconds: float) -> None:
        """Count one answered request under its route's template."""
        self._requests.labels(method, route, str(status)).observe(seconds)

    def observe_search(self, status: str) -> None:
        """Count one search under its final `meta.status`."""
        self._searches.labels(status).inc()

    def observe_lookup(self, source: str, seconds: float) -> None:
        """Count one lookup under its source's key."""
        self._lookups.labels(source).observe(seconds)

    def exposition(self) -> bytes:
        """All of it in the Prometheus text format."""
        return generate_latest(self._registry)
