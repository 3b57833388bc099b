"""Shares equal those of an independent computation, which tries every extreme distribution of every band.

It shares nothing with the code under test: it adds up the series of matrices, and takes the largest result of all combinations of
the extreme points of each party's bands. One of them is the highest: a fixed distribution for each party is optimal.
"""

import random
from collections.abc import Sequence
from itertools import permutations, product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from bonafide.matching.ownership.share_solver import solve_shares
from bonafide.model.ownership.statement import InterestKind
from tests.support.ownership_graphs import DrawnControl, DrawnGraph, DrawnStake
from tests.support.sampling import examples

DOUBLINGS = 30
"""The series is added up to 2^30 links."""
ERROR = 1e-6
LIMIT, TOLERANCE = 0.5, 1e-9
Chosen = tuple[float, ...]


def draw_graph(seed: int) -> tuple[DrawnGraph, list[str], list[str]]:
    """A graph of two to four businesses that own each other, and of two or three persons."""
    rng = random.Random(seed)  # noqa: S311 - a repeatable graph
    owned, persons = [f"b{number}" for number in range(rng.randint(2, 4))], [f"p{number}" for number in range(rng.randint(2, 3))]
    graph = DrawnGraph()
    for party in owned:
        owners = rng.sample([*owned, *persons], rng.randint(1, 3))
        cuts = sorted(rng.choice((rng.random(), 0.0, 1.0, 0.5)) for _ in range(len(owners)))
        exact = [later - earlier for earlier, later in zip([0.0, *cuts[:-1]], cuts, strict=True)]
        stakes = []
        for owner, share in zip(owners, exact, strict=True):
            width = rng.choice((0.0, 0.0, 0.1, 0.5, 1.0))
            high = min(1.0, share + width * rng.random())
            if high > 0:
                stakes.append(DrawnStake(owner, max(0.0, share - width * rng.random()), high))
        graph.stakes[party] = stakes
    return graph, owned, persons


def list_extremes(stakes: list[DrawnStake], *, highest: bool) -> list[Chosen]:
    """The extreme distributions of one party: for every order of the owners, each takes what it can."""
    lows = tuple(stake.low for stake in stakes)
    if not highest:
        return [lows]
    found = {lows}
    for count in range(1, len(stakes) + 1):
        for order in permutations(range(len(stakes)), count):
            left, chosen = 1 - sum(lows), list(lows)
            for place in order:
                more = max(0.0, min(stakes[place].high - stakes[place].low, left))
                chosen[place] += more
                left -= more
            found.add(tuple(chosen))
    return sorted(found)


def add_up_series(matrix: NDArray[np.float64], direct: NDArray[np.float64]) -> NDArray[np.float64]:
    total, power = direct.copy(), matrix
    for _ in range(DOUBLINGS):
        total = total + power @ total
        power = power @ power
    return total


def compute_by_series(graph: DrawnGraph, owned: list[str], owners: set[str], chosen: Sequence[Chosen]) -> dict[str, float]:
    """What the owners have of each party by one distribution of each party."""
    place = {party: number for number, party in enumerate(owned)}
    matrix, direct = np.zeros((len(owned), len(owned))), np.zeros(len(owned))
    for party, weights in zip(owned, chosen, strict=True):
        if party in owners:
            continue
        for stake, weight in zip(graph.stakes[party], weights, strict=True):
            if stake.owner in owners:
                direct[place[party]] += weight
            elif stake.owner in place:
                matrix[place[party], place[stake.owner]] += weight
    return dict(zip(owned, add_up_series(matrix, direct).tolist(), strict=True))


def compute_highest(graph: DrawnGraph, owned: list[str], owner: str, *, highest: bool) -> float:
    choices = [[(0.0,)] if party == owner else list_extremes(graph.stakes[party], highest=highest) for party in owned]
    return max(compute_by_series(graph, owned, {owner}, combination)[owned[0]] for combination in product(*choices))


def compute_controlled(graph: DrawnGraph, owned: list[str], owner: str, *, highest: bool) -> float:
    """The share of the first party with the holdings of parties that the owner controls or has the limit of, counted in full."""
    best = 0.0
    for combination in product(*(list_extremes(graph.stakes[party], highest=highest) for party in owned)):
        ours, before = {owner}, set[str]()
        values: dict[str, float] = {}
        while ours != before:
            before = set(ours)
            values = compute_by_series(graph, owned, ours, combination)
            ours |= {party for party in owned[1:] if values[party] >= LIMIT - TOLERANCE}
            ours |= {
                party
                for party, edges in graph.controllers.items()
                if any(edge.owner in ours and (highest or edge.kind is InterestKind.CONTROL) for edge in edges)
            }
        best = max(best, 1.0 if owned[0] in ours else values[owned[0]])
    return best


@given(seed=st.integers(0, 2**32))
@examples(1000)
def test_shares_equal_the_series(seed: int) -> None:
    graph, owned, persons = draw_graph(seed)
    table, numbers = graph.build_table(owned[0]), graph.number_parties()
    owners = [owner for owner in (*persons, owned[-1]) if owner in numbers]
    for highest in (False, True):
        shares = solve_shares(table, [{numbers[owner]} for owner in owners], highest=highest)
        for owner, share in zip(owners, shares, strict=True):
            expected = compute_highest(graph, owned, owner, highest=highest)
            assert share == pytest.approx(expected, abs=ERROR), (owner, highest)


@given(seed=st.integers(0, 2**32))
@examples(1000)
def test_controlled_shares_bound_the_series(seed: int) -> None:
    """The lowest is equal. The highest may need one distribution to control a party, and another one to hold shares."""
    graph, owned, persons = draw_graph(seed)
    rng = random.Random(seed)  # noqa: S311 - a repeatable graph
    for party in owned:
        if rng.random() < 0.3:
            kind = rng.choice((InterestKind.CONTROL, InterestKind.SETTLOR))
            graph.controllers[party] = [DrawnControl(rng.choice([*persons, *(each for each in owned if each != party)]), kind)]
    table, numbers = graph.build_table(owned[0]), graph.number_parties()
    persons = [person for person in persons if person in numbers]
    lowest, highest = (
        solve_shares(table, [{numbers[each]} for each in persons], highest=top, attributed_from=LIMIT) for top in (False, True)
    )
    for owner, low, high in zip(persons, lowest, highest, strict=True):
        assert low == pytest.approx(compute_controlled(graph, owned, owner, highest=False), abs=ERROR), owner
        assert high >= compute_controlled(graph, owned, owner, highest=True) - ERROR, owner
