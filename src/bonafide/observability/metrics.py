"""Counters and histograms of this process, exposed to Prometheus at `/metrics`.

Labels are templates, statuses and source keys, never a name, id or path of a caller. Each runtime has its own registry. Values that
are only measured on collection are in `gauges`.
"""

from collections.abc import Callable, Sequence
from functools import cache

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, ProcessCollector, generate_latest
from prometheus_client.exposition import CONTENT_TYPE_LATEST

from bonafide.observability.gauges import Gauges

CONTENT_TYPE = CONTENT_TYPE_LATEST
_QUICK_S = (0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 5.0)
_BUCKETS_S = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0)
_FETCH_BUCKETS_S = (0.1, 0.5, 1.0, 5.0, 10.0, 30.0, 60.0, 300.0, 900.0)


class Metrics:
    """The counters of one runtime. Callers use its methods, never the registry."""

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
        self._caches = Counter(
            "bonafide_cache_requests",
            "Look-ups in a memory of ours, by what came of them",
            ["cache", "outcome"],
            registry=self._registry,
        )
        self._mails = self._counter("mails", "Attempts to send a mail, by result", ["kind", "result"])
        self._deliveries = self._histogram(
            "webhook_delivery", "Duration of one attempt to deliver an event", ["outcome"], _BUCKETS_S
        )
        self._disabled_endpoints = self._counter(
            "webhook_endpoints_disabled", "Webhook endpoints that the service has disabled", ["reason"]
        )
        self._deleted = self._counter("retention_deleted_rows", "Rows that a retention policy has deleted", ["kind"])
        self._erased = self._counter("erased_rows", "Rows that an erasure on request has deleted, by table", ["table"])
        self.gauges = Gauges(self._registry)
        self._transactions = self._histogram("database_transaction", "Duration of transactions", ["mode"], _QUICK_S)
        self._waits = self._histogram("database_wait", "Wait for a connection and the transaction to begin", ["mode"], _QUICK_S)
        self._unavailable = self._counter("database_unavailable", "Transactions for which the database was away", [])
        self._outcomes = self._counter("lookups", "Lookups by source and by how they ended", ["source", "outcome"])
        self._visits = self._counter("website_visits", "Web sites looked at, by what came of it", ["status"])
        self._verifications = self._counter("verifications", "Verifications by how they ended", ["outcome"])
        self._screenings = self._counter("screenings", "Screenings by what they showed, those of searches included", ["outcome"])
        self._renderings = self._histogram("pdf_render", "Duration of rendering a PDF", [], _BUCKETS_S)
        self._jobs = self._histogram("job", "Duration of one attempt at a job", ["kind", "outcome"], _BUCKETS_S)
        self._lag = self._histogram("event_loop_lag", "How much too late the event loop came to a task", [], _QUICK_S)
        self._shared_failures = Counter(
            "bonafide_shared_store_failures",
            "Times that something went on without what the nodes share, because that was away",
            ["use"],
            registry=self._registry,
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
        self._damaged_indexes = self._counter("index_damaged", "Indexes refused for damaged files", ["world", "source"])
        self._working = Gauge("bonafide_work_under_way", "Dear requests under way", registry=self._registry)
        self._waiting = Gauge("bonafide_work_waiting", "Dear requests that wait for their turn", registry=self._registry)
        self._incoming = Gauge("bonafide_bodies_incoming", "Requests whose body is being received", registry=self._registry)
        self._refused = Counter(
            "bonafide_refused", "Requests refused because there were too many, by what was full", ["full"], registry=self._registry
        )
        self._fallbacks = Gauge(
            "bonafide_replica_fallbacks", "Reads that the replica was away for, since the start", registry=self._registry
        )
        # Children that are used several times in a request are looked up once.
        self._label_requests = cache(self._requests.labels)
        self._label_lookups = cache(self._lookups.labels)
        self._label_outcomes = cache(self._outcomes.labels)
        self._label_waits = cache(self._waits.labels)
        self._label_transactions = cache(self._transactions.labels)
        self._label_caches = cache(self._caches.labels)
        for use in ("rate_limit", "pace", "live_answers"):
            # An alert on a counter that does not exist yet would miss its first increment.
            self._shared_failures.labels(use)
        for full in ("requests", "bodies", "work", "jobs"):
            self._refused.labels(full)

    def _counter(self, name: str, text: str, labels: Sequence[str]) -> Counter:
        return Counter(f"bonafide_{name}", text, labels, registry=self._registry)

    def _histogram(self, name: str, text: str, labels: Sequence[str], buckets: Sequence[float]) -> Histogram:
        return Histogram(f"bonafide_{name}_seconds", text, labels, registry=self._registry, buckets=buckets)

    def observe_transaction(self, mode: str, waited_s: float, lasted_s: float) -> None:
        """Count one transaction to `read` or `write`: how long it waited to begin, and how long it then lasted."""
        self._label_waits(mode).observe(waited_s)
        self._label_transactions(mode).observe(lasted_s)

    def count_database_unavailable(self) -> None:
        """Count one transaction that the database could not serve."""
        self._unavailable.inc()

    def count_lookup(self, source: str, outcome: str) -> None:
        """Count how one lookup ended: `answered`, or the code of its error."""
        self._label_outcomes(source, outcome).inc()

    def count_website(self, status: str) -> None:
        """Count one analysed web site."""
        self._visits.labels(status).inc()

    def count_verification(self, outcome: str) -> None:
        """Count one finished verification."""
        self._verifications.labels(outcome).inc()

    def count_screening(self, outcome: str) -> None:
        """Count one screening: `clear`, `matches`, or `incomplete` where a list could not be screened."""
        self._screenings.labels(outcome).inc()

    def count_mail(self, kind: str, result: str) -> None:
        """Count an attempt to send a mail, or a mail that is cancelled."""
        self._mails.labels(kind, result).inc()

    def observe_delivery(self, outcome: str, seconds: float) -> None:
        """Count one attempt to deliver an event to a webhook endpoint: `delivered`, `failed` or `exhausted`."""
        self._deliveries.labels(outcome).observe(seconds)

    def count_disabled_endpoint(self, reason: str) -> None:
        """Count one webhook endpoint that the service has disabled."""
        self._disabled_endpoints.labels(reason).inc()

    def count_deleted(self, kind: str, rows: int) -> None:
        """Count rows that a retention policy has deleted."""
        self._deleted.labels(kind).inc(rows)

    def count_erased(self, table: str, rows: int) -> None:
        """Count rows that an erasure on request has deleted."""
        self._erased.labels(table).inc(rows)

    def observe_rendering(self, seconds: float) -> None:
        """Count one rendered PDF."""
        self._renderings.observe(seconds)

    def observe_job(self, kind: str, outcome: str, seconds: float) -> None:
        """Count one attempt at a job: `done`, `again` (not yet possible), `failed` or `dead`."""
        self._jobs.labels(kind, outcome).observe(seconds)

    def observe_lag(self, seconds: float) -> None:
        """Observe the lag of the event loop."""
        self._lag.observe(seconds)

    def count_shared_failure(self, use: str) -> None:
        """Count one use that continued without the shared store."""
        self._shared_failures.labels(use).inc()

    def set_index_sequence(self, world: str, source: str, sequence: int) -> None:
        """Set the publication of a source that is in use."""
        self._index_sequences.labels(world, source).set(sequence)

    def observe_index_fetch(self, seconds: float) -> None:
        """Count one generation that was fetched and opened."""
        self._index_fetches.observe(seconds)

    def count_index_fetch_failure(self, world: str, source: str) -> None:
        """Count one generation that could not be fetched."""
        self._index_failures.labels(world, source).inc()

    def count_index_publish_failure(self, world: str, source: str) -> None:
        """Count one generation that could not be published."""
        self._publish_failures.labels(world, source).inc()

    def count_damaged_index(self, world: str, source: str) -> None:
        """Count one index whose files turned out to be damaged after it was opened."""
        self._damaged_indexes.labels(world, source).inc()

    def watch_load(self, working: Callable[[], float], waiting: Callable[[], float], incoming: Callable[[], float]) -> None:
        """Set the functions that return how many expensive requests run and wait, and how many bodies arrive."""
        self._working.set_function(working)
        self._waiting.set_function(waiting)
        self._incoming.set_function(incoming)

    def watch_replica(self, fallbacks: Callable[[], float]) -> None:
        """Set the function that returns how often the replica was unavailable."""
        self._fallbacks.set_function(fallbacks)

    def count_refused(self, full: str) -> None:
        """Count one request that was rejected at the limit of `requests`, `bodies`, `work` or `jobs`."""
        self._refused.labels(full).inc()

    def count_renewal(self, source: str, outcome: str) -> None:
        """Count one attempt to renew a source."""
        self._renewals.labels(source, outcome).inc()

    def set_source_age(self, world: str, source: str, age_s: float) -> None:
        """Set how old a source's loaded data is, in seconds."""
        self._ages.labels(world, source).set(age_s)

    def set_source_failures(self, world: str, source: str, failures: int) -> None:
        """Set how many loads of a source in a row have failed."""
        self._problems.labels(world, source).set(failures)

    def observe_request(self, method: str, route: str, status: int, seconds: float) -> None:
        """Count one request under its route's template."""
        self._label_requests(method, route, str(status)).observe(seconds)

    def observe_search(self, status: str) -> None:
        """Count one search under its final `meta.status`."""
        self._searches.labels(status).inc()

    def observe_lookup(self, source: str, seconds: float) -> None:
        """Count one lookup under its source's key."""
        self._label_lookups(source).observe(seconds)

    def count_cache(self, cache: str, *, hit: bool) -> None:
        """Count one cache access."""
        self._label_caches(cache, "hit" if hit else "miss").inc()

    def exposition(self) -> bytes:
        """All metrics in the Prometheus text format."""
        return generate_latest(self._registry)
