"""What was measured of an index, as values: times, recall, memory, bytes. How they are shown is the command's business."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from bonafide.bench.memory import Resident
from bonafide.bench.queries import Probe
from bonafide.bench.workers import Answer, Built

DEPTHS = (1, 5, 20)
"""Recall is reckoned among so many records."""
_MS = 1e6


@dataclass(frozen=True, slots=True)
class Times:
    """Milliseconds of a number of queries."""

    count: int
    mean: float
    p50: float
    p95: float
    p99: float
    max: float

    @classmethod
    def of(cls, nanoseconds: Sequence[int]) -> "Times":
        """From at least one."""
        ms = np.array(nanoseconds) / _MS
        p50, p95, p99 = (float(value) for value in np.percentile(ms, (50, 95, 99)))
        return cls(len(ms), float(ms.mean()), p50, p95, p99, float(ms.max()))


@dataclass(frozen=True, slots=True)
class Recall:
    """How many of the queries had a right record among the first 1, 5 and 20, as shares."""

    asked: int
    at: Mapping[int, float]

    @classmethod
    def of(cls, probes: Sequence[Probe], answers: Sequence[Answer]) -> "Recall":
        """From the answers to these queries, at least one."""
        right = [
            [not probe.truth.isdisjoint(answer.records[:depth]) for depth in DEPTHS]
            for probe, answer in zip(probes, answers, strict=True)
        ]
        shares = np.array(right).mean(axis=0).tolist()
        return cls(len(probes), dict(zip(DEPTHS, shares, strict=True)))


@dataclass(frozen=True, slots=True)
class SetFigures:
    """One engine on one set of queries."""

    times: Times
    recall: Recall
    kinds: Mapping[str, Recall]

    @classmethod
    def of(cls, probes: Sequence[Probe], answers: Sequence[Answer]) -> "SetFigures":
        """From the answers to these queries, at least one."""
        by_kind: defaultdict[str, list[int]] = defaultdict(list)
        for place, probe in enumerate(probes):
            by_kind[probe.kind].append(place)
        kinds = {
            str(kind): Recall.of([probes[place] for place in places], [answers[place] for place in places])
            for kind, places in sorted(by_kind.items())
        }
        return cls(Times.of([answer.ns for answer in answers]), Recall.of(probes, answers), kinds)


@dataclass(frozen=True, slots=True)
class EngineFigures:
    """One engine at one size; `missing` says why there are none. `builds` are by the number of cores, empty for kept files."""

    engine: str
    missing: str | None = None
    builds: Mapping[int, Built] | None = None
    disk_bytes: int | None = None
    opened_s: float | None = None
    resident_before: Resident | None = None
    """Before the engine was opened, when the interpreter and all modules were in memory."""
    resident: Resident | None = None
    """After all queries once."""
    sets: Mapping[str, SetFigures] | None = None
    hostile: Mapping[str, Times] | None = None
    typeahead: Mapping[str, Times] | None = None


@dataclass(frozen=True, slots=True)
class SizeFigures:
    """All engines at one size."""

    names: int
    engines: tuple[EngineFigures, ...]


@dataclass(frozen=True, slots=True)
class IndexReport:
    """One run; `growth` is by how much each engine's mean time grew from the smallest size to the largest."""

    sizes: tuple[SizeFigures, ...]
    growth: Mapping[str, float]


def growth(sizes: Sequence[SizeFigures]) -> dict[str, float]:
    """By engine, from the first set of queries that it was asked at both ends."""
    found = {}
    for small, large in zip(sizes[0].engines, sizes[-1].engines, strict=True):
        for name, figures in (small.sets or {}).items():
            if len(sizes) > 1 and large.sets is not None and name in large.sets:
                found[small.engine] = large.sets[name].times.mean / figures.times.mean
                break
    return found
