"""The chains of interests that lead from an owner to a business, the strongest first."""

from collections import defaultdict
from collections.abc import Iterator
from itertools import islice, pairwise
from math import log, prod

import networkx as nx

from bonafide.matching.ownership.share_graph import ControlEdge, ShareGraph, Stake
from bonafide.model.ownership.roll_up import OwnershipPath, ShareRange
from bonafide.model.ownership.statement import InterestKind

MAX_PATHS = 3
"""Of one owner."""
SHARE_DIGITS = 6
"""Decimals of a share in a result: a ten-thousandth of a per cent."""


class PathFinder:
    """Finds the chains to one business in one graph of shares or votes."""

    def __init__(self, graph: ShareGraph, members: set[str], subject: str, measure: InterestKind) -> None:
        self._graph, self._subject, self._measure = graph, subject, measure
        self._owned: dict[str, list[str]] = defaultdict(list)
        for owned in members:
            for stake in graph.stakes.get(owned, ()):
                self._owned[stake.owner].append(owned)
            for edge in graph.controllers.get(owned, ()):
                self._owned[edge.owner].append(owned)

    def _find_owned(self, owner: str) -> set[str]:
        """The owner, and everything between it and the business."""
        seen = {owner}
        stack = [owner]
        while stack:
            for owned in self._owned[stack.pop()]:
                if owned not in seen:
                    seen.add(owned)
                    stack.append(owned)
        return seen

    def find_paths(self, owner: str, most: int = MAX_PATHS) -> tuple[OwnershipPath, ...]:
        """The strongest chains, by the product of the highest shares; control counts as a whole. No party is in a chain twice."""
        digraph: nx.DiGraph[str] = nx.DiGraph()
        for party in self._find_owned(owner):
            for owned in self._owned[party]:
                digraph.add_edge(party, owned, cost=self._measure_cost(party, owned))
        if owner == self._subject or self._subject not in digraph:
            return ()
        chains: Iterator[list[str]] = nx.shortest_simple_paths(digraph, owner, self._subject, weight="cost")
        return tuple(self._describe(chain) for chain in islice(chains, most))

    def _measure_cost(self, owner: str, owned: str) -> float:
        stake = self._find_stake(owner, owned)
        return 0.0 if stake is None or self._find_control(owner, owned) is not None else -log(stake.high)

    def _find_stake(self, owner: str, owned: str) -> Stake | None:
        return next((stake for stake in self._graph.stakes.get(owned, ()) if stake.owner == owner), None)

    def _find_control(self, owner: str, owned: str) -> ControlEdge | None:
        return next((edge for edge in self._graph.controllers.get(owned, ()) if edge.owner == owner), None)

    def _describe(self, chain: list[str]) -> OwnershipPath:
        kinds, held = [], []
        for owner, owned in pairwise(chain):
            stake, control = self._find_stake(owner, owned), self._find_control(owner, owned)
            if stake is not None:
                held.append(stake)
            kinds.append(self._measure.value if stake is not None or control is None else control.kind.value)
        share = create_share_range(prod(stake.low for stake in held), prod(stake.high for stake in held))
        return OwnershipPath(parties=tuple(chain), kinds=tuple(kinds), share=share if len(held) == len(kinds) else None)


def create_share_range(low: float, high: float) -> ShareRange:
    """The range, rounded."""
    return ShareRange(min=round(min(low, high, 1.0), SHARE_DIGITS), max=round(min(high, 1.0), SHARE_DIGITS))
