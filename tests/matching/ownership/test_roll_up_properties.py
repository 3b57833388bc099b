"""Shares equal those of an independent computation, which tries every extreme distribution of every band.

It shares nothing with the code under test: it adds up the series of matrices, and takes the largest result of all combinations of
the extreme points of each party's bands. One of them is the highest: a fixed distribution for each party is optimal.
"""

import random
from itertools import permutations, product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bonafide.matching.ownership.share_bounds import BoundsQuery, compute_shares
from bonafide.matching.ownership.share_graph import ShareGraph, Stake
from tests.support.sampling import examples

DOUBLINGS = 30
"""The series is added up to 2^30 links."""
ERROR = 1e-6
Chosen = tuple[float, ...]


def draw_graph(seed: int) -> tuple[ShareGraph, list[str], list[str]]:
    """A graph of two to four businesses that own each other, and of two or three persons."""
    rng = random.Random(seed)  # noqa: S311 - a repeatable graph
    owned, persons = [f"b{number}" for number in range(rng.randint(2, 4))], [f"p{number}" for number in range(rng.randint(2, 3))]
    graph = ShareGraph()
    for party in owned:
        owners = rng.sample([*owned, *persons], rng.randint(1, 3))
        cuts = sorted(rng.choice((rng.random(), 0.0, 1.0, 0.5)) for _ in range(len(owners)))
        exact = [later - earlier for earlier, later in zip([0.0, *cuts[:-1]], cuts, strict=True)]
        stakes = []
        for owner, share in zip(owners, exact, strict=True):
            width = rng.choice((0.0, 0.0, 0.1, 0.5, 1.0))
            high = min(1.0, share + width * rng.random())
            if high > 0:
                stakes.append(Stake(owner, max(0.0, share - width * rng.random()), high))
        graph.stakes[party] = stakes
    return graph, owned, persons


def list_extremes(stakes: list[Stake], *, highest: bool) -> list[Chosen]:
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


def compute_by_series(graph: ShareGraph, owned: list[str], owner: str, subject: str, *, highest: bool) -> float:
    place = {party: number for number, party in enumerate(owned)}
    choices = [[(0.0,)] if party == owner else list_extremes(graph.stakes[party], highest=highest) for party in owned]
    best = 0.0
    for combination in product(*choices):
        matrix, direct = np.zeros((len(owned), len(owned))), np.zeros(len(owned))
        for party, weights in zip(owned, combination, strict=True):
            if party == owner:
                continue
            for stake, weight in zip(graph.stakes[party], weights, strict=True):
                if stake.owner == owner:
                    direct[place[party]] += weight
                elif stake.owner in place:
                    matrix[place[party], place[stake.owner]] += weight
        total, power = direct.copy(), matrix
        for _ in range(DOUBLINGS):
            total = total + power @ total
            power = power @ power
        best = max(best, float(total[place[subject]]))
    return best


@given(seed=st.integers(0, 2**32))
@examples(1000)
def test_shares_equal_the_series(seed: int) -> None:
    graph, owned, persons = draw_graph(seed)
    subject = owned[0]
    components = graph.find_components(subject)
    for owner in (*persons, owned[-1]):
        for highest in (False, True):
            found = compute_shares(graph, components, BoundsQuery({owner}, highest, subject)).get(subject, 0.0)
            expected = compute_by_series(graph, owned, owner, subject, highest=highest)
            assert found == pytest.approx(expected, abs=ERROR), (owner, highest)
