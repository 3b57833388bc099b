"""Results of the index benchmark: latency, recall, memory and size."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from bonafide_bench.datasets.name_queries import CorruptedQuery
from bonafide_bench.harness.core_use import OtherUse
from bonafide_bench.harness.process_memory import ResidentMemory
from bonafide_bench.measurements.engine_processes import BuildCost, EngineAnswer

DEPTHS = (1, 5, 20)
"""The depths at which recall is computed."""
_MS = 1e6


@dataclass(frozen=True, slots=True)
class LatencyFigures:
    """Latency statistics of queries, in milliseconds."""

    count: int
    mean: float
    p50: float
    p95: float
    p99: float
    max: float

    @classmethod
    def of(cls, nanoseconds: Sequence[int]) -> "LatencyFigures":
        """Compute the statistics of at least one latency."""
        ms = np.array(nanoseconds) / _MS
        p50, p95, p99 = (float(value) for value in np.percentile(ms, (50, 95, 99)))
        return cls(len(ms), float(ms.mean()), p50, p95, p99, float(ms.max()))


@dataclass(frozen=True, slots=True)
class RecallAtDepth:
    """The share of queries with an expected record in the first 1, 5 and 20 results."""

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
    """One engine on one query set."""

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
    """One engine at one size; `missing` is the reason if it was not measured.

    `builds` are by the number of cores, empty for reused files.
    """

    engine: str
    missing: str | None = None
    builds: Mapping[int, BuildCost] | None = None
    disk_bytes: int | None = None
    opened_s: float | None = None
    resident_before: ResidentMemory | None = None
    """Before the engine is opened, after all imports."""
    resident: ResidentMemory | None = None
    """After one run of all queries."""
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
    """One run of `rounds` rounds.

    `growth` is the factor by which each engine's mean latency grows from the smallest size to the largest. `other_use` is what
    other processes used of the cores, None if the system does not report it.
    """

    sizes: tuple[SizeFigures, ...]
    growth: Mapping[str, float]
    rounds: int
    other_use: OtherUse | None


def compute_growth(sizes: Sequence[SizeFigures]) -> dict[str, float]:
    """Growth by engine, from the first query set measured at both the smallest and the largest size."""
    found = {}
    for small, large in zip(sizes[0].engines, sizes[-1].engines, strict=True):
        for name, figures in (small.sets or {}).items():
            if len(sizes) > 1 and large.sets is not None and name in large.sets:
                found[small.engine] = large.sets[name].times.mean / figures.times.mean
                break
    return found
