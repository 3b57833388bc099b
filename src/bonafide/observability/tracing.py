"""Spans of requests, jobs and loads; disabled unless a collector is configured.

An entry point begins a trace with its runtime's `Tracer`; spans below it are added through the context, which tasks and threads
inherit. Attributes are source names, codes, statuses, templates, publishers' hosts and ids, never a person's name, a key, a path or
the text of an error.
"""

from collections.abc import Mapping
from contextvars import ContextVar, Token
from types import TracebackType
from typing import Protocol, Self

METHOD = "http.request.method"
"""The attribute that distinguishes the span of a request; names without a prefix are OpenTelemetry's."""
REQUEST = "bonafide.request_id"
AttributeValue = str | int | float | bool


class SpanRecording(Protocol):
    """A sampled span. It ends with its block."""

    @property
    def traceparent(self) -> str:
        """The trace context of the process's root span, for other processes (W3C Trace Context)."""

    def child(self, name: str, attributes: Mapping[str, AttributeValue]) -> "SpanRecording":
        """Begin a child span."""

    def set(self, name: str, value: AttributeValue) -> None:
        """Add an attribute."""

    def end(self, failure: str | None) -> None:
        """End the span; `failure` is the type of the exception that ended it."""


class TraceExporter(Protocol):
    """The destination of spans."""

    @property
    def dropped(self) -> int:
        """The number of dropped spans: the queue was full, or the collector did not accept them."""

    def begin(
        self, name: str, attributes: Mapping[str, AttributeValue], parent: str | None, link: str | None
    ) -> SpanRecording | None:
        """Begin the root span of this process in a trace; None when the trace is not sampled."""

    def close(self) -> None:
        """Send the remaining spans, within a short time."""


_current: ContextVar[SpanRecording | None] = ContextVar("bonafide_span", default=None)


class Span:
    """The block of a `with` statement as a span; does nothing when the trace is not sampled."""

    __slots__ = ("_failure", "_recording", "_token")

    def __init__(self, recording: SpanRecording | None) -> None:
        self._recording = recording
        self._token: Token[SpanRecording | None] | None = None
        self._failure: str | None = None

    def __enter__(self) -> Self:
        if self._recording is not None:
            self._token = _current.set(self._recording)
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        if self._recording is not None and self._token is not None:
            _current.reset(self._token)
            self._recording.end(kind.__name__ if kind is not None else self._failure)

    def set(self, name: str, value: AttributeValue | None) -> None:
        """Add an attribute; None adds nothing."""
        if self._recording is not None and value is not None:
            self._recording.set(name, value)

    def fail(self, kind: str) -> None:
        """Mark the span as failed although no exception was raised."""
        if self._recording is not None:
            self._failure = kind


_NOOP_SPAN = Span(None)
_NONE: Mapping[str, AttributeValue] = {}


def span(name: str, attributes: Mapping[str, AttributeValue] = _NONE) -> Span:
    """A child of the current span, for a `with` statement; costs one context lookup when the trace is not sampled."""
    around = _current.get()
    return _NOOP_SPAN if around is None else Span(around.child(name, attributes))


def trace_id() -> str | None:
    """The id of the current trace, for log lines; None when it is not sampled."""
    around = traceparent()
    return around.split("-")[1] if around is not None else None


def traceparent() -> str | None:
    """The current trace context, for another process to link to; None when it is not sampled."""
    around = _current.get()
    return around.traceparent if around is not None else None


class Tracer:
    """Begins traces; without an exporter it samples none."""

    __slots__ = ("_exporter",)

    def __init__(self, exporter: TraceExporter | None = None) -> None:
        self._exporter = exporter

    @property
    def is_on(self) -> bool:
        """Whether traces are sampled at all."""
        return self._exporter is not None

    @property
    def dropped(self) -> int:
        """The number of spans dropped since the start."""
        return self._exporter.dropped if self._exporter is not None else 0

    def begin(
        self, name: str, attributes: Mapping[str, AttributeValue] = _NONE, *, parent: str | None = None, link: str | None = None
    ) -> Span:
        """The root span of this process, for a `with` statement: below a caller's (`parent`), or linked to another (`link`)."""
        if self._exporter is None:
            return _NOOP_SPAN
        recording = self._exporter.begin(name, attributes, parent, link)
        return _NOOP_SPAN if recording is None else Span(recording)

    def close(self) -> None:
        """Send the remaining spans."""
        if self._exporter is not None:
            self._exporter.close()
