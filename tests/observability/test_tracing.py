"""Spans: connected through tasks and threads, told to the collector alone, and lost rather than waited for."""

import asyncio
import logging
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from time import perf_counter
from timeit import repeat

import pytest

from bonafide.errors import ConfigurationError
from bonafide.observability.otlp import OtlpExporter
from bonafide.observability.tracing import Tracer, span, trace_id, traceparent
from bonafide.runtime import build_tracer, open_runtime
from bonafide.settings import Settings
from tests.support.recorded_figures import FIGURES
from tests.support.servers.otlp_collector import Collector, collecting

CALLER = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"
UNSAMPLED = CALLER[:-1] + "0"
DEAD = "http://127.0.0.1:9/v1/traces"
"""Discard: nobody listens."""


@pytest.fixture(autouse=True)
def _logger_as_before() -> None:
    logging.getLogger("opentelemetry").setLevel(logging.NOTSET)


def sent(work: Callable[[Tracer], None], sample: float = 1.0, **how: int) -> Collector:
    """What the collector gets of some work."""
    with collecting() as collector:
        tracer = Tracer(OtlpExporter(collector.url, sample, **how))
        work(tracer)
        tracer.close()
    return collector


def test_a_trace_goes_through_tasks_and_threads() -> None:
    async def in_thread() -> None:
        with span("task"):
            await asyncio.to_thread(lambda: span("thread").__enter__().__exit__(None, None, None))

    async def both() -> None:
        await asyncio.gather(in_thread(), in_thread())

    def work(tracer: Tracer) -> None:
        with tracer.begin("root"):
            asyncio.run(both())

    collector = sent(work)
    (root,) = collector.named("root")
    assert sorted(one.name for one in collector.below(root)) == ["task", "task", "thread", "thread"]
    assert {one.parent for one in collector.named("thread")} == {one.id for one in collector.named("task")}


def test_a_caller_decides_for_its_own_trace() -> None:
    def work(tracer: Tracer) -> None:
        for parent in (CALLER, UNSAMPLED, "nonsense", "00-" + "0" * 32 + "-00f067aa0ba902b7-01"):
            with tracer.begin(f"after {parent}", parent=parent):
                pass

    (joined,) = sent(work, sample=0.0).spans
    assert (joined.trace, joined.parent) == tuple(CALLER.split("-")[1:3])
    assert {one.name for one in sent(work).spans} >= {joined.name, "after nonsense"}


def test_what_is_done_later_is_a_trace_of_its_own_that_leads_back() -> None:
    def work(tracer: Tracer) -> None:
        with tracer.begin("request"):
            ordered = traceparent()
        with tracer.begin("job", link=ordered):
            pass

    collector = sent(work)
    (request,), (job,) = collector.named("request"), collector.named("job")
    assert (job.links, job.parent) == ((request.id,), "")
    assert job.trace != request.trace


def test_an_exception_is_told_by_its_kind_alone() -> None:
    def work(tracer: Tracer) -> None:
        with pytest.raises(ValueError, match="Jane Roe"), tracer.begin("root"), span("part"):
            raise ValueError("Jane Roe")

    collector = sent(work)
    assert [one.failure for one in collector.spans] == ["ValueError", "ValueError"]
    assert "Jane Roe" not in repr(collector.spans)


@pytest.mark.slow
def test_without_a_collector_nothing_is_kept_and_the_sdk_is_not_imported() -> None:
    code = """
import asyncio, sys, tempfile
from pathlib import Path
from bonafide.app.application import create_app
from bonafide.runtime import open_runtime
from bonafide.settings import Settings
async def main():
    async with open_runtime(Settings(data_dir=Path(tempfile.mkdtemp()))) as runtime:
        create_app(runtime)
asyncio.run(main())
print([name for name in sys.modules if name.startswith(("opentelemetry.sdk", "opentelemetry.exporter", "requests"))])
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)  # noqa: S603 - our own text
    assert done.stdout.strip() == "[]"
    with Tracer().begin("root", parent=CALLER) as noted, span("part"):
        noted.set("a", 1)
        noted.fail("b")
        assert (trace_id(), traceparent()) == (None, None)


@pytest.mark.slow
def test_missing_packages_are_an_error_of_the_configuration() -> None:
    code = f"""
import sys
sys.modules["opentelemetry.sdk.trace"] = None
from bonafide.errors import ConfigurationError
from bonafide.runtime import build_tracer
from bonafide.settings import Settings
try:
    build_tracer(Settings(trace_url={DEAD!r}))
except ConfigurationError as error:
    print(error.message)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)  # noqa: S603 - our own text
    assert done.stdout.strip() == "`trace_url` needs packages that are not installed: `pip install 'bonafide[otel]'`"


@pytest.mark.parametrize("url", ["collector:4318", "file:///tmp/traces", "http://"])
def test_what_can_be_no_collector_is_refused(url: str) -> None:
    with pytest.raises(ValueError, match="trace_url must be"):
        Settings(trace_url=url)


def test_a_queue_that_is_full_loses_spans_and_counts_them() -> None:
    def work(tracer: Tracer) -> None:
        with tracer.begin("root"):
            for _ in range(40):
                with span("part"):
                    pass
        assert tracer.dropped >= 41 - 10 * 2
        lost.append(tracer.dropped)

    lost: list[int] = []
    collector = sent(work, max_waiting=10)
    assert len(collector.spans) == 41 - lost[0]


@pytest.mark.parametrize("status", [None, 302, 503])
def test_a_collector_that_takes_nothing_costs_a_counter_and_nothing_else(status: int | None) -> None:
    with collecting() as collector:
        collector.status = status if status is not None else 200
        tracer = Tracer(OtlpExporter(DEAD if status is None else collector.url, 1.0))
        with tracer.begin("root"), span("part"):
            pass
        tracer.close()
        assert tracer.dropped == 2
        with tracer.begin("after the end"):
            pass
        assert tracer.dropped == 3
        assert collector.spans == []


@pytest.mark.anyio
async def test_a_runtime_sends_what_is_left_when_it_closes(tmp_path: Path) -> None:
    with collecting() as collector:
        async with open_runtime(Settings(data_dir=tmp_path, trace_url=collector.url)) as runtime:
            with runtime.tracer.begin("root"):
                async with runtime.store.read():
                    pass
    assert {one.name for one in collector.spans} == {"root", "transaction"}
    assert not build_tracer(Settings()).is_on
    assert issubclass(ConfigurationError, Exception)


def test_a_span_that_nobody_keeps_is_next_to_free(record_property: Callable[[str, object], None]) -> None:
    def part() -> None:
        with span("part", {"bonafide.source": "on"}):
            pass

    rounds = 20_000
    off_us = min(repeat(part, number=rounds, repeat=3)) / rounds * 1e6
    tracer = Tracer(OtlpExporter(DEAD, 1.0, 100_000))
    with tracer.begin("root"):
        started = perf_counter()
        for _ in range(2000):
            part()
        on_us = (perf_counter() - started) / 2000 * 1e6
    tracer.close()
    record_property(FIGURES, f"a span that is not kept: {off_us:.2f} us; one that is sent: {on_us:.1f} us")
