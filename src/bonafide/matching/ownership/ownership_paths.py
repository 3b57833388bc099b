"""The chains of interests that lead from an owner to a business, the strongest first."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from heapq import heappop, heappush
from itertools import pairwise
from math import log, prod
from typing import NamedTuple

import networkx as nx
import numpy as np

from bonafide.matching.ownership.cycle_shares import Flags
from bonafide.matching.ownership.share_graph import Bounds, ShareGraph
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
    """What one party has of another directly: the largest share with its kind, and control without shares."""

    kind: InterestKind
    share: Bounds | None
    is_control: bool = False

    @property
    def cost(self) -> int:
        """More for a smaller share. Control counts as a whole."""
        return 1 if self.is_control or self.share is None else 1 + round(-log(min(self.share[1], 1.0)) * _COST_SCALE)


class PathFinder:
    """Finds the chains to one business in its graphs, which are those of shares and, where there are votes, of votes."""

    def __init__(self, graphs: Mapping[InterestKind, ShareGraph], names: Sequence[str], subject: int) -> None:
        self._graphs, self._names, self._subject = graphs, names, subject

    def find_paths(self, owners: Sequence[int]) -> list[tuple[OwnershipPath, ...]]:
        """For each owner its strongest chains, by the product of the highest shares. No party is in a chain twice."""
        if not owners:
            return []
        links = self._list_links(self._mark_owned(owners))
        digraph: nx.DiGraph[str] = nx.DiGraph()
        subject = self._names[self._subject]
        digraph.add_node(subject)
        digraph.add_weighted_edges_from((owned, owner, link.cost) for owned, held in links.items() for owner, link in held.items())
        costs = nx.single_source_dijkstra_path_length(digraph, subject)
        search = _ChainSearch(digraph, {party: int(cost) for party, cost in costs.items()}, subject)
        found = []
        for number, owner in enumerate(owners):
            most = MAX_PATHS if number < MAX_WITH_ALTERNATIVES else 1
            found.append(tuple(_describe(chain, links) for chain in search.list_chains(self._names[owner], most)))
        return found

    def _mark_owned(self, owners: Sequence[int]) -> Flags:
        """The owners, and everything that they own or control directly or through others."""
        is_between = np.zeros(len(self._names), dtype=bool)
        is_between[list(owners)] = True
        edges = [graph.list_edges() for graph in self._graphs.values()]
        owned, having = (np.concatenate(columns) for columns in zip(*edges, strict=True))
        order = np.argsort(having, kind="stable")
        owned, having = owned[order].tolist(), having[order]
        starts = np.searchsorted(having, np.arange(len(self._names) + 1)).tolist()
        stack = list(owners)
        while stack:
            party = stack.pop()
            for each in owned[starts[party] : starts[party + 1]]:
                if not is_between[each]:
                    is_between[each] = True
                    stack.append(each)
        return is_between

    def _list_links(self, is_between: Flags) -> dict[str, dict[str, _Link]]:
        """What the marked parties have of each other directly, by owned party and owner. Of shares and votes, the larger counts."""
        names = self._names
        links: dict[str, dict[str, _Link]] = defaultdict(dict)
        for kind, graph in self._graphs.items():
            stakes = graph.stakes.select(is_between[graph.stakes.owned] & is_between[graph.stakes.owners])
            columns = (column.tolist() for column in (stakes.owned, stakes.owners, stakes.low, stakes.high))
            for owned, owner, low, high in zip(*columns, strict=True):
                held = links[names[owned]]
                known = held.get(names[owner])
                if known is None or known.share is None or known.share[1] < high:
                    held[names[owner]] = _Link(kind, (low, high))
        for rows in next(iter(self._graphs.values())).controllers.values():
            for row in rows:
                if is_between[row.owned] and is_between[row.owner]:
                    held = links[names[row.owned]]
                    known = held.get(names[row.owner], _Link(row.kind, None))
                    held[names[row.owner]] = known._replace(is_control=True)
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
    shares = [link.share for link in held if link.share is not None]
    share = create_share_range(prod(low for low, _ in shares), prod(high for _, high in shares))
    return OwnershipPath(
        parties=tuple(chain), kinds=tuple(link.kind.value for link in held), share=share if len(shares) == len(held) else None
    )


def create_share_range(low: float, high: float) -> ShareRange:
    """The range, rounded."""
    return ShareRange(min=round(min(low, high, 1.0), SHARE_DIGITS), max=round(min(high, 1.0), SHARE_DIGITS))
