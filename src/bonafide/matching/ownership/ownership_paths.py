"""The chains of interests that lead from an owner to a business, the strongest first."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from heapq import heappop, heappush
from itertools import pairwise
from math import log, prod
from typing import NamedTuple

import networkx as nx

from bonafide.matching.ownership.share_graph import ControlEdge, ShareGraph, Stake
from bonafide.model.ownership.roll_up import OwnershipPath, ShareRange
from bonafide.model.ownership.statement import InterestKind

MAX_PATHS = 3
"""Of one owner."""
MAX_WITH_ALTERNATIVES = 10
"""The first owners have up to `MAX_PATHS` chains each, any other one the strongest."""
MORE_STEPS = 2000
"""The search for the chains of one owner ends after so many steps more than there are parties."""
SHARE_DIGITS = 6
"""Decimals of a share in a result: a ten-thousandth of a per cent."""
_COST_SCALE = 1e9
"""Costs are whole numbers, so that equally strong chains cost the same. Of two of these, the shorter one is stronger."""


class _Link(NamedTuple):
    """What one party has of another directly: the largest stake with its kind, and control without shares."""

    kind: InterestKind
    stake: Stake | None
    control: ControlEdge | None

    @property
    def cost(self) -> int:
        """More for a smaller share. Control counts as a whole."""
        is_whole = self.control is not None or self.stake is None
        return 1 + (0 if is_whole or self.stake is None else round(-log(min(self.stake.high, 1.0)) * _COST_SCALE))


class PathFinder:
    """Finds the chains to one business in its graphs, which are those of shares and, where there are votes, of votes."""

    def __init__(self, graphs: Mapping[InterestKind, ShareGraph], members: set[str], subject: str) -> None:
        self._graphs, self._subject = graphs, subject
        self._owned: dict[str, list[str]] = defaultdict(list)
        for owned in members:
            for owner in {owner for graph in graphs.values() for owner in graph.list_predecessors(owned)}:
                self._owned[owner].append(owned)

    def find_paths(self, owners: Sequence[str]) -> list[tuple[OwnershipPath, ...]]:
        """For each owner its strongest chains, by the product of the highest shares. No party is in a chain twice."""
        between = self._find_owned(owners)
        links = {owned: self._list_links(owned, between) for owned in between}
        digraph: nx.DiGraph[str] = nx.DiGraph()
        digraph.add_node(self._subject)
        digraph.add_weighted_edges_from((owned, owner, link.cost) for owned, held in links.items() for owner, link in held.items())
        costs = nx.single_source_dijkstra_path_length(digraph, self._subject)
        search = _ChainSearch(digraph, {party: int(cost) for party, cost in costs.items()}, self._subject)
        found = []
        for number, owner in enumerate(owners):
            most = MAX_PATHS if number < MAX_WITH_ALTERNATIVES else 1
            found.append(tuple(_describe(chain, links) for chain in search.list_chains(owner, most)))
        return found

    def _find_owned(self, owners: Sequence[str]) -> set[str]:
        """The owners, and everything between them and the business."""
        seen = set(owners)
        stack = list(seen)
        while stack:
            for owned in self._owned[stack.pop()]:
                if owned not in seen:
                    seen.add(owned)
                    stack.append(owned)
        return seen

    def _list_links(self, owned: str, owners: set[str]) -> dict[str, _Link]:
        """What these owners have of a party directly, by owner. Of shares and votes the larger one counts."""
        links: dict[str, _Link] = {}
        for kind, graph in self._graphs.items():
            for stake in graph.stakes.get(owned, ()):
                known = links.get(stake.owner)
                if stake.owner in owners and (known is None or known.stake is None or known.stake.high < stake.high):
                    links[stake.owner] = _Link(kind, stake, None)
        for edge in next(iter(self._graphs.values())).controllers.get(owned, ()):
            if edge.owner in owners:
                known = links.get(edge.owner, _Link(edge.kind, None, edge))
                links[edge.owner] = known if known.control is not None else known._replace(control=edge)
        return links


class _ChainSearch:
    """Lists the cheapest chains of one graph, whose edges lead from each party to its owners.

    The search extends the chain that is cheapest with the rest of its way, which is known for each party (A*).
    """

    def __init__(self, digraph: "nx.DiGraph[str]", costs: Mapping[str, int], subject: str) -> None:
        self._digraph, self._costs, self._subject = digraph, costs, subject

    def list_chains(self, owner: str, most: int) -> list[tuple[str, ...]]:
        """The cheapest chains from the owner to the subject."""
        if owner == self._subject or owner not in self._costs:
            return []
        found: list[tuple[str, ...]] = []
        # Of chains that cost the same, the search goes on with the longest: it ends without trying all that are equal.
        waiting: list[tuple[int, int, tuple[str, ...]]] = [(self._costs[owner], -1, (owner,))]
        for _ in range(len(self._costs) + MORE_STEPS):
            if not waiting or len(found) == most:
                break
            total, _, chain = heappop(waiting)
            party = chain[-1]
            if party == self._subject:
                found.append(chain)
                continue
            spent = total - self._costs[party]
            for owned, link in self._digraph.pred[party].items():
                if owned in self._costs and owned not in chain:
                    cost: int = link["weight"]
                    heappush(waiting, (spent + cost + self._costs[owned], -len(chain) - 1, (*chain, owned)))
        return found


def _describe(chain: Sequence[str], links: Mapping[str, Mapping[str, _Link]]) -> OwnershipPath:
    held = [links[owned][owner] for owner, owned in pairwise(chain)]
    stakes = [link.stake for link in held if link.stake is not None]
    share = create_share_range(prod(stake.low for stake in stakes), prod(stake.high for stake in stakes))
    return OwnershipPath(
        parties=tuple(chain), kinds=tuple(link.kind.value for link in held), share=share if len(stakes) == len(held) else None
    )


def create_share_range(low: float, high: float) -> ShareRange:
    """The range, rounded."""
    return ShareRange(min=round(min(low, high, 1.0), SHARE_DIGITS), max=round(min(high, 1.0), SHARE_DIGITS))
