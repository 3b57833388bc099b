"""The parties above a business and what they hold: the tables from which shares are computed, and the chains of owners."""

from collections.abc import Collection, Iterable, Mapping, Sequence

import numpy as np

from bonafide.matching.ownership.cycle_shares import TOLERANCE, Measure
from bonafide.matching.ownership.owner_candidates import SLACK, bound_shares
from bonafide.matching.ownership.ownership_levels import OwnershipLevel, find_levels
from bonafide.matching.ownership.ownership_paths import PathFinder
from bonafide.matching.ownership.share_graph import Bounds, ClaimedInterests, Numbers, ShareGraph, StakeColumns, unite_stakes
from bonafide.matching.ownership.share_solver import solve_attributed, solve_shares
from bonafide.matching.ownership.share_table import ShareTable
from bonafide.model.ownership.statement import OWNABLE, PartyKind

IDENTIFIED = frozenset({PartyKind.PERSON, PartyKind.GOVERNMENT})
UNKNOWN_OWNER = ""
"""Whoever has the shares that no claim assigns. No party has an empty ID."""


class NumberedParties:
    """The parties of the claims by their numbers, and the owner that has what no claim assigns: the last number."""

    def __init__(self, kinds: Mapping[str, PartyKind], subject: str) -> None:
        self.names = (*kinds, UNKNOWN_OWNER)
        self.kinds = (*kinds.values(), PartyKind.UNKNOWN)
        self.numbers = {party: number for number, party in enumerate(kinds)}
        self.subject = self.numbers[subject]
        self.unknown_owner = len(kinds)

    def find(self, parties: Collection[str]) -> frozenset[int]:
        """The numbers of some parties; others than those of the claims have none."""
        return frozenset(self.numbers[party] for party in parties if party in self.numbers)


class OwnershipNetwork:
    """The parties above the business, by their shares and, where any are stated, by their votes.

    Every table has all of these parties: one that is controlled by its shares may have votes only.
    """

    def __init__(self, parties: NumberedParties, interests: ClaimedInterests) -> None:
        self.parties = parties
        graphs = interests.build_graphs()
        merged = _merge_graphs(tuple(graphs.values()))
        levels = find_levels(merged, parties.subject)
        self.members, owned = _find_members(merged, levels)
        ownable = [party for party in owned.tolist() if parties.kinds[party] in OWNABLE]
        self._tables = [
            ShareTable(_add_unknown_owner(graph, ownable, parties.unknown_owner), levels, parties.subject)
            for graph in graphs.values()
        ]
        self.paths = PathFinder(graphs, parties.names, parties.subject)
        self.identified = frozenset(party for party in self.members if parties.kinds[party] in IDENTIFIED)
        self._has_owners = np.zeros(merged.size, dtype=bool)
        self._has_owners[merged.stakes.owned] = True
        # With shares alone, their table has the highest share of all.
        self._widest = self._tables[0] if len(graphs) == 1 else ShareTable(merged, levels, parties.subject)

    def list_candidates(self, threshold: float) -> list[int]:
        """The known owners without owners whose share may reach a threshold, with the holdings of whatever they may control."""
        found = (party for party, bound in bound_shares(self._widest).items() if bound >= threshold - SLACK)
        kinds = self.parties.kinds
        owners = [
            party
            for party in found
            if not self._has_owners[party] and party != self.parties.subject and kinds[party] is not PartyKind.UNKNOWN
        ]
        return sorted(owners, key=self.parties.names.__getitem__)

    @property
    def has_votes(self) -> bool:
        """Whether any votes are stated. If none are, they follow the shares."""
        return len(self._tables) > 1

    def measure_shares(self, owner_sets: Sequence[Collection[int]]) -> list[Bounds]:
        """The lowest and the highest share of each set of owners, without regard to control."""
        return _measure_multiplied(self._tables[0], owner_sets)

    def measure_votes(self, owner_sets: Sequence[Collection[int]]) -> list[Bounds]:
        """The same of the votes."""
        return _measure_multiplied(self._tables[-1], owner_sets)

    def find_lowest_without_control(self, owners: Collection[int]) -> float:
        """The lowest share of a set of owners, of the shares or of the votes: the smaller one."""
        return min(solve_shares(table, [owners], highest=False)[0] for table in self._tables)

    def find_lowest(self, owner_sets: Sequence[Collection[int]], attributed_from: float) -> list[float]:
        """The lowest share of each set of owners, of the shares or votes, with what they control in full."""
        return solve_attributed(self._tables, owner_sets, Measure(highest=False, attributed_from=attributed_from))

    def find_highest(self, owner_sets: Sequence[Collection[int]], attributed_from: float) -> list[float]:
        """The highest share of each."""
        return solve_attributed(self._tables, owner_sets, Measure(highest=True, attributed_from=attributed_from))


def _merge_graphs(graphs: Sequence[ShareGraph]) -> ShareGraph:
    """One graph with every owner of all these: the highest shares are the largest of any graph, the lowest the smallest."""
    first = graphs[0]
    if len(graphs) == 1:
        return first
    return ShareGraph(first.size, unite_stakes(first.size, [graph.stakes for graph in graphs]), first.controllers)


def _find_members(graph: ShareGraph, levels: Sequence[OwnershipLevel]) -> tuple[list[int], Numbers]:
    """All parties of the network, and those of its levels alone."""
    is_solved, is_member = np.zeros(graph.size, dtype=bool), np.zeros(graph.size, dtype=bool)
    is_solved[[party for level in levels for party in level.list_parties()]] = True
    owned, owners = graph.list_edges()
    is_member[owners[is_solved[owned]]] = True
    return np.flatnonzero(is_member | is_solved).tolist(), np.flatnonzero(is_solved)


def _add_unknown_owner(graph: ShareGraph, ownable: Sequence[int], unknown_owner: int) -> ShareGraph:
    """The graph with one more owner, who has whatever the claims leave open. It changes no share of others."""
    stakes, parties = graph.stakes, np.array(ownable, dtype=np.intp)
    low, high = np.zeros(graph.size), np.zeros(graph.size)
    np.add.at(low, stakes.owned, stakes.low)
    np.add.at(high, stakes.owned, stakes.high)
    least, most = np.maximum(0.0, 1 - high[parties]), 1 - low[parties]
    is_open = most > TOLERANCE
    owned = parties[is_open]
    added = StakeColumns(owned, np.full(len(owned), unknown_owner), least[is_open], most[is_open])
    return ShareGraph(graph.size, stakes.extend(added), graph.controllers)


def _measure_multiplied(table: ShareTable, owner_sets: Sequence[Collection[int]]) -> list[Bounds]:
    low, high = (solve_shares(table, owner_sets, highest=highest) for highest in (False, True))
    return order_ends(zip(low, high, strict=True))


def order_ends(ends: Iterable[Bounds]) -> list[Bounds]:
    """The bounds without rounding errors by which the lowest share exceeds the highest."""
    return [(low, max(low, high)) for low, high in ends]
