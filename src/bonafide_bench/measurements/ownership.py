"""`bonafide bench ownership`: how long the roll-up of a structure of many parties with cycles and bands takes."""

import gc
from dataclasses import dataclass
from datetime import date
from time import perf_counter_ns, process_time_ns

import networkx as nx

from bonafide.matching.ownership.roll_up import roll_up
from bonafide.model.ownership.statement import PartyKind
from bonafide.services.loading.refresh import Progress
from bonafide_bench.datasets.ownership_structures import OwnershipGenerator
from bonafide_bench.measurements.figures import LatencyFigures

DAY = date(2026, 11, 1)
LISTED_EVERY = 500
"""One of so many persons is listed."""


@dataclass(frozen=True, slots=True)
class OwnershipReport:
    """One run. `in_cycles` are parties that own each other; `times` are wall time, `cpu_times` the CPU time of this process."""

    parties: int
    interests: int
    in_cycles: int
    beneficial_owners: int
    times: LatencyFigures
    cpu_times: LatencyFigures


def run_ownership_bench(size: int, rounds: int, seed: int, told: Progress) -> OwnershipReport:
    """Roll up one generated structure for each round, each with its own seed; counts are those of the last one."""
    wall, cpu = [], []
    # As in the service, a collection of garbage does not walk through what was there before.
    gc.collect()
    gc.freeze()
    try:
        for number in range(rounds):
            claims = OwnershipGenerator(size, seed + number).generate()
            listed = [party for party, kind in claims.kinds.items() if kind is PartyKind.PERSON][::LISTED_EVERY]
            began, cpu_began = perf_counter_ns(), process_time_ns()
            result = roll_up(claims, listed, DAY)
            cpu.append(process_time_ns() - cpu_began)
            wall.append(perf_counter_ns() - began)
            told("ownership", number + 1, rounds)
    finally:
        gc.unfreeze()
    edges = ((interest.owner, interest.owned) for interests in claims.interests.values() for interest in interests)
    cycles = [each for each in nx.strongly_connected_components(nx.DiGraph(edges)) if len(each) > 1]
    return OwnershipReport(
        parties=len(claims.kinds),
        interests=sum(len(interests) for interests in claims.interests.values()),
        in_cycles=sum(len(parties) for parties in cycles),
        beneficial_owners=len(result.beneficial_owners),
        times=LatencyFigures.of(wall),
        cpu_times=LatencyFigures.of(cpu),
    )
