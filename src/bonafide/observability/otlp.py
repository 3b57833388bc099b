"""Export traces over OTLP/HTTP with the OpenTelemetry SDK.

Spans wait in a queue of limited length, and a thread sends them; callers never wait. Spans that do not fit or are not accepted are
counted and dropped. The collector is reached without proxy or redirects, and its address appears in no span, log line or metric.
"""

import logging
from collections.abc import Callable, Mapping, Sequence
from random import random
from threading import Lock
from time import monotonic

import requests
from opentelemetry.context import Context
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.trace import ReadableSpan, SpanProcessor, TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor, SpanExporter, SpanExportResult
from opentelemetry.sdk.trace.sampling import ALWAYS_ON
from opentelemetry.trace import (
    Link,
    NonRecordingSpan,
    Span,
    SpanContext,
    SpanKind,
    Status,
    StatusCode,
    Tracer,
    get_current_span,
    set_span_in_context,
)
from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator
from typing_extensions import override

from bonafide import __version__
from bonafide.observability.log import get_logger
from bonafide.observability.tracing import METHOD, AttributeValue

MAX_QUEUED_SPANS = 8192
"""The most spans of a process that wait to be sent; a search has two for each loaded source."""
BATCH_SIZE = 512
SEND_INTERVAL_MS = 1000
TIMEOUT_S = 2.0
"""The time limit of one batch with its retries; a process that ends waits for at most two."""
_PROPAGATOR = TraceContextTextMapPropagator()
_EMPTY_CONTEXT = Context()
_log = get_logger(__name__)


class OtlpExporter:
    """Sends spans to a collector; with a provider of its own, so that nothing global is set."""

    def __init__(self, url: str, sample: float, max_waiting: int = MAX_QUEUED_SPANS) -> None:
        # An unavailable collector is one log line and a counter, not a line each second.
        logging.getLogger("opentelemetry").setLevel(logging.CRITICAL)
        session = requests.Session()
        session.trust_env = False
        session.hooks["response"].append(_refuse_redirect)
        self._sample = sample
        self._queue = _SpanQueue(OTLPSpanExporter(url, timeout=TIMEOUT_S, session=session), max_waiting)
        resource = Resource.create({"service.name": "bonafide", "service.version": __version__})
        # `begin` decides whether a trace is sampled, before a span exists.
        self._provider = TracerProvider(ALWAYS_ON, resource, shutdown_on_exit=False)
        self._provider.add_span_processor(self._queue)
        self._tracer = self._provider.get_tracer("bonafide", __version__)

    @property
    def dropped(self) -> int:
        """The number of dropped spans."""
        return self._queue.dropped

    def begin(
        self, name: str, attributes: Mapping[str, AttributeValue], parent: str | None, link: str | None
    ) -> "RecordedSpan | None":
        """Begin a span below a caller's, or a new trace, which may link to another. The root decides whether it is sampled."""
        caller, before = _parse_traceparent(parent), _parse_traceparent(link)
        begun = caller if caller is not None else before
        kept = begun.trace_flags.sampled if begun is not None else random() < self._sample  # noqa: S311 - no secret
        if not kept:
            return None
        around = set_span_in_context(NonRecordingSpan(caller), _EMPTY_CONTEXT) if caller is not None else _EMPTY_CONTEXT
        links = [Link(before)] if before is not None else None
        kind = SpanKind.SERVER if METHOD in attributes else SpanKind.CONSUMER if before is not None else SpanKind.INTERNAL
        return RecordedSpan(self._tracer, self._tracer.start_span(name, around, kind, attributes, links))

    def close(self) -> None:
        """Send the remaining spans, within twice `TIMEOUT_S` seconds."""
        self._provider.shutdown()


class RecordedSpan:
    """A sampled span."""

    __slots__ = ("_first", "_span", "_tracer")

    def __init__(self, tracer: Tracer, span: Span, first: Span | None = None) -> None:
        self._tracer = tracer
        self._span = span
        self._first = first if first is not None else span

    @property
    def traceparent(self) -> str:
        """The trace context of the request or job, for other processes."""
        context = self._first.get_span_context()
        return f"00-{context.trace_id:032x}-{context.span_id:016x}-01"

    def child(self, name: str, attributes: Mapping[str, AttributeValue]) -> "RecordedSpan":
        """Begin a child span."""
        around = set_span_in_context(self._span, _EMPTY_CONTEXT)
        return RecordedSpan(self._tracer, self._tracer.start_span(name, around, attributes=attributes), self._first)

    def set(self, name: str, value: AttributeValue) -> None:
        """Add an attribute."""
        self._span.set_attribute(name, value)

    def end(self, failure: str | None) -> None:
        """End the span. Of an error only its type is recorded: a message may contain a name."""
        if failure is not None:
            self._span.set_status(Status(StatusCode.ERROR, failure))
        self._span.end()


def _refuse_redirect(response: requests.Response, *_: object, **__: object) -> None:
    """Treats redirects, which are not followed, as failures; the SDK would take them for success."""
    if response.is_redirect:
        response.close()
        raise requests.RequestException("the collector has moved")


def _parse_traceparent(traceparent: str | None) -> SpanContext | None:
    """Parse a `traceparent`; None when it is missing or invalid."""
    if traceparent is None:
        return None
    context = get_current_span(_PROPAGATOR.extract({"traceparent": traceparent}, _EMPTY_CONTEXT)).get_span_context()
    return context if context.is_valid else None


class _SpanQueue(SpanProcessor):
    """The queue of spans to send; counts those that do not fit and those that were not accepted."""

    def __init__(self, exporter: SpanExporter, max_waiting: int) -> None:
        self.dropped = 0
        self._waiting = 0
        self._max_waiting = max_waiting
        self._lock = Lock()
        self._sender = _BatchSender(exporter, self._sent)
        self._batches = BatchSpanProcessor(
            self._sender,
            max_queue_size=max_waiting,
            schedule_delay_millis=SEND_INTERVAL_MS,
            max_export_batch_size=min(BATCH_SIZE, max_waiting),
        )

    @override
    def on_end(self, span: ReadableSpan) -> None:
        with self._lock:
            if self._waiting >= self._max_waiting or self._sender.is_closing():
                self.dropped += 1
                return
            self._waiting += 1
        self._batches.on_end(span)

    @override
    def shutdown(self) -> None:
        self._sender.begin_shutdown()
        self._batches.shutdown()  # type: ignore[no-untyped-call]  # the SDK's

    @override
    def force_flush(self, timeout_millis: int = 30000) -> bool:
        return self._batches.force_flush(timeout_millis)

    def _sent(self, count: int, taken: bool) -> None:  # noqa: FBT001 - what came of them
        with self._lock:
            self._waiting -= count
            self.dropped += 0 if taken else count


class _BatchSender(SpanExporter):
    """Sends batches, and logs once when the collector stops accepting them. Shutdown does not wait for such a collector."""

    def __init__(self, exporter: SpanExporter, sent: Callable[[int, bool], None]) -> None:
        self._ends_at: float | None = None
        self._exporter = exporter
        self._sent = sent
        self._is_failing = False

    def is_closing(self) -> bool:
        """Whether the queue is closed."""
        return self._ends_at is not None

    def begin_shutdown(self) -> None:
        """Close the queue: the spans in it are the last."""
        self._ends_at = monotonic() + TIMEOUT_S

    @override
    def export(self, spans: Sequence[ReadableSpan]) -> SpanExportResult:
        given_up = self._ends_at is not None and (self._is_failing or monotonic() > self._ends_at)
        result = SpanExportResult.FAILURE if given_up else self._exporter.export(spans)
        failed = result is not SpanExportResult.SUCCESS
        if failed and not self._is_failing:
            _log.warning("spans.dropped", count=len(spans))
        self._is_failing = failed
        self._sent(len(spans), not failed)
        return result

    @override
    def shutdown(self) -> None:
        self._exporter.shutdown()
