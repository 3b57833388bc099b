"""Times, recall and growth are reckoned from answers as their names say."""

import os
from dataclasses import replace
from time import sleep

import pytest

from bonafide_bench.datasets.name_queries import CorruptedQuery
from bonafide_bench.harness.process_memory import PeakMemory, read_resident_memory
from bonafide_bench.measurements.engine_processes import EngineAnswer
from bonafide_bench.measurements.figures import (
    IndexEngineFigures,
    LatencyFigures,
    QuerySetFigures,
    RecallAtDepth,
    SizeFigures,
    compute_growth,
)

MS = 1_000_000
PROBES = [
    CorruptedQuery("first", "slip", frozenset({1})),
    CorruptedQuery("third", "slip", frozenset({3})),
    CorruptedQuery("twentieth", "drop", frozenset({20, 99})),
    CorruptedQuery("nowhere", "drop", frozenset({21})),
]
ANSWERS = [EngineAnswer(n * MS, tuple(range(1, 21))) for n in (1, 2, 3, 4)]


def test_recall_is_the_share_of_queries_with_a_right_record_so_far_up() -> None:
    recall = RecallAtDepth.of(PROBES, ANSWERS)
    assert (recall.asked, recall.at) == (4, {1: 0.25, 5: 0.5, 20: 0.75})


def test_figures_of_a_set_are_told_by_kind_too() -> None:
    figures = QuerySetFigures.of(PROBES, ANSWERS)
    assert {kind: (recall.asked, recall.at[20]) for kind, recall in figures.kinds.items()} == {"slip": (2, 1.0), "drop": (2, 0.5)}
    assert (figures.times.mean, figures.times.max) == (2.5, 4.0)


def test_times_are_milliseconds_and_percentiles() -> None:
    times = LatencyFigures.of([n * MS for n in range(1, 101)])
    assert (times.count, times.mean, times.p50, times.max) == (100, 50.5, 50.5, 100.0)
    assert times.p95 == pytest.approx(95.05)
    assert times.p99 == pytest.approx(99.01)


def test_growth_is_from_the_smallest_size_to_the_largest_of_what_was_measured_in_both() -> None:
    quick = QuerySetFigures.of(PROBES, ANSWERS)
    slow = replace(quick, times=replace(quick.times, mean=10.0))
    small = SizeFigures(1_000, (IndexEngineFigures("a", sets={"q": quick}), IndexEngineFigures("b", sets={"q": quick})))
    large = SizeFigures(9_000, (IndexEngineFigures("a", sets={"q": slow}), IndexEngineFigures("b", missing="out of memory")))
    assert compute_growth([small, large]) == {"a": 4.0}
    assert compute_growth([small]) == {}


def test_what_processes_hold_is_seen_where_the_system_tells() -> None:
    held = read_resident_memory(os.getpid())
    if held is None:
        pytest.skip("this system does not tell what a process holds")
    assert held.anonymous > 1_000_000
    with PeakMemory(os.getpid()) as memory:
        ballast = bytearray(60_000_000)
        ballast[::4096] = b"x" * len(ballast[::4096])
        while memory.peak is None or memory.peak < len(ballast):
            sleep(0.01)
    assert memory.peak > len(ballast)
    assert read_resident_memory(2**30) is None
