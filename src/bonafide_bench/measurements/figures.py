"""Figures of an index measurement: latency, recall, memory and size."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from bonafide_bench.datasets.name_queries import CorruptedQuery
from bonafide_bench.harness.process_memory import ResidentMemory
from bonafide_bench.measurements.engine_processes import BuildCost, EngineAnswer

DEPTHS = (1, 5, 20)
"""Recall is reckoned among so many records."""
_MS = 1e6


@dataclass(frozen=True, slots=True)
class LatencyFigures:
    """Milliseconds of a number of queries."""

    count: int
    mean: float
    p50: float
    p95: float
    p99: float
    max: float

    @classmethod
    def of(cls, nanoseconds: Sequence[int]) -> "LatencyFigures":
        """From at least one."""
        ms = np.array(nanoseconds) / _MS
        p50, p95, p99 = (float(value) for value in np.percentile(ms, (50, 95, 99)))
        return cls(len(ms), float(ms.mean()), p50, p95, p99, float(ms.max()))


@dataclass(frozen=True, slots=True)
class RecallAtDepth:
    """How many of the queries had a right record among the first 1, 5 and 20, as shares."""

    asked: int
    at: Mapping[int, float]

    @classmethod
    def of(cls, probes: Sequence[CorruptedQuery], answers: Sequence[EngineAnswer]) -> "RecallAtDepth":
        """From the answers to these queries, at least one."""
        right = [
            [not probe.truth.isdisjoint(answer.records[:depth]) for depth in DEPTHS]
            for probe, answer in zip(probes, answers, strict=True)
        ]
        shares = np.array(right).mean(axis=0).tolist()
        return cls(len(probes), dict(zip(DEPTHS, shares, strict=True)))


@dataclass(frozen=True, slots=True)
class QuerySetFigures:
    """One engine on one set of queries."""

    times: LatencyFigures
    recall: RecallAtDepth
    kinds: Mapping[str, RecallAtDepth]

    @classmethod
    def of(cls, probes: Sequence[CorruptedQuery], answers: Sequence[EngineAnswer]) -> "QuerySetFigures":
        """From the answers to these queries, at least one."""
        by_kind: defaultdict[str, list[int]] = defaultdict(list)
        for place, probe in enumerate(probes):
            by_kind[probe.kind].append(place)
        kinds = {
            str(kind): RecallAtDepth.of([probes[place] for place in places], [answers[place] for place in places])
            for kind, places in sorted(by_kind.items())
        }
        return cls(LatencyFigures.of([answer.ns for answer in answers]), RecallAtDepth.of(probes, answers), kinds)


@dataclass(frozen=True, slots=True)
class IndexEngineFigures:
    """One engine at one size; `missing` says why there are none. `builds` are by the number of cores, empty for kept files."""

    engine: str
    missing: str | None = None
    builds: Mapping[int, BuildCost] | None = None
    disk_bytes: int | None = None
    opened_s: float | None = None
    resident_before: ResidentMemory | None = None
    """Before the engine was opened, when the interpreter and all modules were in memory."""
    resident: ResidentMemory | None = None
    """After all queries once."""
    sets: Mapping[str, QuerySetFigures] | None = None
    hostile: Mapping[str, LatencyFigures] | None = None
    typeahead: Mapping[str, LatencyFigures] | None = None


@dataclass(frozen=True, slots=True)
class SizeFigures:
    """All engines at one size."""

    names: int
    engines: tuple[IndexEngineFigures, ...]


@dataclass(frozen=True, slots=True)
class IndexReport:
    """One run; `compute_growth` is by how much each engine's mean time grew from the smallest size to the largest."""

    sizes: tuple[SizeFigures, ...]
    growth: Mapping[str, float]


def compute_growth(sizes: Sequence[SizeFigures]) -> dict[str, float]:
    """By engine, from the first set of queries that it was asked at both ends."""
    found = {}
    for small, large in zip(sizes[0].engines, sizes[-1].engines, strict=True):
        for name, figures in (small.sets or {}).items():
            if len(sizes) > 1 and large.sets is not None and name in large.sets:
                found[small.engine] = large.sets[name].times.mean / figures.times.mean
                break
    return found
