"""The chains of interests that lead from an owner to a business, the strongest first."""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from itertools import islice, pairwise
from math import log, prod

import networkx as nx

from bonafide.matching.ownership.share_graph import ShareGraph
from bonafide.model.ownership.roll_up import OwnershipPath, ShareRange
from bonafide.model.ownership.statement import InterestKind

MAX_PATHS = 3
"""Of one owner."""
SHARE_DIGITS = 6
"""Decimals of a share in a result: a ten-thousandth of a per cent."""


class PathFinder:
    """Finds the chains to one business in one graph of shares or votes."""

    def __init__(self, graph: ShareGraph, members: set[str], subject: str, measure: InterestKind) -> None:
        self._stakes = {(stake.owner, owned): stake for owned in members for stake in graph.stakes.get(owned, ())}
        self._control = {(edge.owner, owned): edge.kind for owned in members for edge in graph.controllers.get(owned, ())}
        self._subject, self._measure = subject, measure
        self._owned: dict[str, list[str]] = defaultdict(list)
        for owner, owned in {**self._stakes, **self._control}:
            self._owned[owner].append(owned)

    def find_owned(self, owners: Iterable[str]) -> set[str]:
        """The owners, and everything between them and the business."""
        seen = set(owners)
        stack = list(seen)
        while stack:
            for owned in self._owned[stack.pop()]:
                if owned not in seen:
                    seen.add(owned)
                    stack.append(owned)
        return seen

    def find_paths(self, owner: str, most: int = MAX_PATHS) -> tuple[OwnershipPath, ...]:
        """The strongest chains, by the product of the highest shares; control counts as a whole. No party is in a chain twice."""
        digraph: nx.DiGraph[str] = nx.DiGraph()
        for party in self.find_owned([owner]):
            for owned in self._owned[party]:
                digraph.add_edge(party, owned, cost=self._measure_cost(party, owned))
        if owner == self._subject or self._subject not in digraph:
            return ()
        chains: Iterator[list[str]] = nx.shortest_simple_paths(digraph, owner, self._subject, weight="cost")
        return tuple(self._describe(chain) for chain in islice(chains, most))

    def _measure_cost(self, owner: str, owned: str) -> float:
        stake = self._stakes.get((owner, owned))
        return 0.0 if (owner, owned) in self._control or stake is None else -log(stake.high)

    def _describe(self, chain: list[str]) -> OwnershipPath:
        stakes = [self._stakes.get(edge) for edge in pairwise(chain)]
        kinds = [
            self._measure.value if stake is not None else self._control[edge].value
            for stake, edge in zip(stakes, pairwise(chain), strict=True)
        ]
        held = [stake for stake in stakes if stake is not None]
        share = create_share_range(prod(stake.low for stake in held), prod(stake.high for stake in held))
        return OwnershipPath(parties=tuple(chain), kinds=tuple(kinds), share=share if len(held) == len(stakes) else None)


def create_share_range(low: float, high: float) -> ShareRange:
    """The range, rounded."""
    return ShareRange(min=round(min(low, high, 1.0), SHARE_DIGITS), max=round(min(high, 1.0), SHARE_DIGITS))
