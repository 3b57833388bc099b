"""The lowest and the highest effective share of a set of parties in each party that they own, through chains, cycles and bands.

The effective share of a set of owners in a party is the sum over its direct owners of the direct share times the value of that
owner, which is 1 for the set itself. Through a cycle, that is the limit of the series. It grows with every direct share. The lowest
value takes the lower ends of all bands. For the highest value, each party distributes what its bands leave open, at most 1 in all,
to the owners with the highest values.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from bonafide.matching.ownership.share_graph import OwnershipComponent, ShareGraph, Stake

TOLERANCE = 1e-9
MAX_EXACT = 400
"""The largest cycle structure that is solved by elimination; larger ones by iteration until nothing changes by more than 1e-12."""
CONVERGED = 1e-12
MAX_SWEEPS = 10_000
Weights = list[tuple[str, float]]


@dataclass(frozen=True, slots=True)
class BoundsQuery:
    """Whose shares are added up, whether the highest or the lowest, and which control counts.

    A party of which the owners hold `attributed_from`, or which they control, counts as one of them, so that its holdings count in
    full; None multiplies shares only. The subject counts as one of them by control alone: its share is the result.
    """

    owners: Collection[str]
    highest: bool
    subject: str
    attributed_from: float | None = None


def compute_shares(graph: ShareGraph, components: Sequence[OwnershipComponent], query: BoundsQuery) -> dict[str, float]:
    """The effective share of the owners in each party of `components`, which come owners first."""
    values = dict.fromkeys(query.owners, 1.0)
    for component in components:
        if component.is_cycle:
            _solve_component(graph, component.parties, values, query)
        elif component.parties[0] not in query.owners:
            values[component.parties[0]] = _choose_value(graph, values, query, component.parties[0])
    return values


def _choose_value(graph: ShareGraph, values: Mapping[str, float], query: BoundsQuery, party: str) -> float:
    stakes = graph.stakes.get(party)
    if stakes is None:
        share = 0.0
    elif query.highest:
        share = sum(weight * values.get(owner, 0.0) for owner, weight in _distribute(stakes, values))
    else:
        share = sum(stake.low * values.get(stake.owner, 0.0) for stake in stakes)
    return 1.0 if _is_attributed(graph, values, query, party, share) else min(1.0, share)


def _is_attributed(graph: ShareGraph, values: Mapping[str, float], query: BoundsQuery, party: str, share: float) -> bool:
    if query.attributed_from is None:
        return False
    if share >= query.attributed_from - TOLERANCE and party != query.subject:
        return True
    return any(
        (query.highest or edge.is_certain) and values.get(edge.owner, 0.0) >= 1 - TOLERANCE
        for edge in graph.controllers.get(party, ())
    )


def _distribute(stakes: Sequence[Stake], values: Mapping[str, float]) -> Weights:
    """The weights within the bands, at most 1 in all, that make the sum of weighted values largest."""
    if sum(stake.high for stake in stakes) <= 1:
        return [(stake.owner, stake.high) for stake in stakes]
    left = 1 - sum(stake.low for stake in stakes)
    weights = []
    for stake in sorted(stakes, key=lambda each: -values.get(each.owner, 0.0)):
        more = max(0.0, min(stake.high - stake.low, left)) if values.get(stake.owner, 0.0) > 0 else 0.0
        left -= more
        weights.append((stake.owner, stake.low + more))
    return weights


def _solve_component(graph: ShareGraph, component: Sequence[str], values: dict[str, float], query: BoundsQuery) -> None:
    """Set the values of parties that own each other. Attribution makes a party one of the owners, and the rest is solved again."""
    ours = {party for party in component if party in query.owners}
    while True:
        values.update(dict.fromkeys(ours, 1.0))
        free = [party for party in component if party not in ours]
        solve = _iterate if len(free) > MAX_EXACT else _eliminate
        values.update(solve(graph, free, values, highest=query.highest))
        attributed = {party for party in free if _is_attributed(graph, values, query, party, values[party])}
        if not attributed:
            return
        ours |= attributed


def _eliminate(graph: ShareGraph, free: Sequence[str], known: Mapping[str, float], *, highest: bool) -> dict[str, float]:
    """Solve the linear equations; for the highest values, improve the distribution until none is better (policy iteration)."""
    chosen: dict[str, Weights] = {party: [(stake.owner, stake.low) for stake in graph.stakes.get(party, ())] for party in free}
    outside = {owner: known[owner] for weights in chosen.values() for owner, _ in weights if owner in known and owner not in chosen}
    values = {**outside, **_solve_equations(free, chosen, outside)}
    is_better = highest
    while is_better:
        is_better = False
        for party in free:
            weights = _distribute(graph.stakes.get(party, ()), values)
            if sum(weight * values.get(owner, 0.0) for owner, weight in weights) > values[party] + CONVERGED:
                chosen[party], is_better = weights, True
        if is_better:
            values.update(_solve_equations(free, chosen, outside))
    return {party: values[party] for party in free}


def _solve_equations(free: Sequence[str], weights: Mapping[str, Weights], outside: Mapping[str, float]) -> dict[str, float]:
    """The smallest solution of: the value of a party is the weighted sum of the values of its owners."""
    place = {party: number for number, party in enumerate(free)}
    matrix = np.zeros((len(free), len(free)))
    constant = np.zeros(len(free))
    for party, number in place.items():
        for owner, weight in weights[party]:
            if owner in place:
                matrix[number, place[owner]] += weight
            else:
                constant[number] += weight * outside.get(owner, 0.0)
    reached = _find_reached(matrix, constant)
    solution = np.zeros(len(free))
    # Parties from which no value outside is reached have the value 0; without them, the equations have one solution.
    if reached.any():
        inner = matrix[np.ix_(reached, reached)]
        solution[reached] = np.linalg.solve(np.eye(len(inner)) - inner, constant[reached])
    return {party: float(min(1.0, max(0.0, solution[number]))) for party, number in place.items()}


def _find_reached(matrix: NDArray[np.float64], constant: NDArray[np.float64]) -> NDArray[np.bool_]:
    reached = constant > 0
    while True:
        more = reached | (matrix[:, reached] > 0).any(axis=1)
        if (more == reached).all():
            return reached
        reached = more


def _iterate(graph: ShareGraph, free: Sequence[str], known: Mapping[str, float], *, highest: bool) -> dict[str, float]:
    """The same for a large component, from 0 upwards (Gauss-Seidel)."""
    members = set(free)
    owners = {stake.owner for party in free for stake in graph.stakes.get(party, ())}
    values = {owner: known[owner] for owner in owners if owner in known and owner not in members} | dict.fromkeys(free, 0.0)
    for _ in range(MAX_SWEEPS):
        largest = 0.0
        for party in free:
            stakes = graph.stakes.get(party, ())
            weights = _distribute(stakes, values) if highest else [(stake.owner, stake.low) for stake in stakes]
            value = min(1.0, sum(weight * values.get(owner, 0.0) for owner, weight in weights))
            largest = max(largest, value - values[party])
            values[party] = value
        if largest <= CONVERGED:
            break
    return {party: values[party] for party in free}
