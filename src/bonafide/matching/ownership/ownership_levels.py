"""The order in which the shares of a structure are solved: each party after all of its owners, and cycles as one.

A level has all parties and cycles to which the longest chain of owners has the same number of links.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import networkx as nx
import numpy as np

from bonafide.matching.ownership.share_graph import Numbers, ShareGraph


@dataclass(frozen=True, slots=True)
class OwnershipLevel:
    """The parties of one level: those without cycles, and those of each cycle."""

    chained: tuple[int, ...]
    cycles: tuple[tuple[int, ...], ...]

    def list_parties(self) -> list[int]:
        """The parties of both."""
        return [*self.chained, *(party for cycle in self.cycles for party in cycle)]


def find_levels(graph: ShareGraph, subject: int) -> list[OwnershipLevel]:
    """The levels of all that own or control the subject and are owned or controlled, and of itself; owners come first."""
    above = _find_owned_owners(graph, subject)
    chained: dict[int, list[int]] = defaultdict(list)
    cycles: dict[int, list[tuple[int, ...]]] = defaultdict(list)
    level_of: dict[int, int] = {}
    for component in _list_components(above):
        first = component[0]
        if len(component) == 1 and first not in above[first]:
            level = level_of[first] = 1 + max([level_of[owner] for owner in above[first]], default=-1)
            chained[level].append(first)
        else:
            inside = set(component)
            outside = {owner for party in component for owner in above[party]} - inside
            level = 1 + max([level_of[owner] for owner in outside], default=-1)
            level_of |= dict.fromkeys(component, level)
            cycles[level].append(component)
    return [OwnershipLevel(tuple(chained[level]), tuple(cycles[level])) for level in range(1 + max(level_of.values()))]


def _find_owned_owners(graph: ShareGraph, subject: int) -> dict[int, list[int]]:
    """Of the subject and of each party above it, the owners and controllers that are owned or controlled themselves."""
    owned, owners = graph.list_edges()
    is_owned = np.zeros(graph.size, dtype=bool)
    is_owned[owned] = True
    inner = is_owned[owners]
    owners_of = _group_owners(owned[inner], owners[inner])
    found: dict[int, list[int]] = {}
    stack = [subject]
    while stack:
        party = stack.pop()
        if party not in found:
            found[party] = above = owners_of.get(party, [])
            stack += above
    return found


def _group_owners(owned: Numbers, owners: Numbers) -> dict[int, list[int]]:
    order = np.argsort(owned, kind="stable")
    owned, every = owned[order], owners[order].tolist()
    first = np.flatnonzero(np.diff(owned, prepend=-1))
    last = first + np.diff(first, append=len(every))
    rows = zip(owned[first].tolist(), first.tolist(), last.tolist(), strict=True)
    return {party: every[start:end] for party, start, end in rows}


def _list_components(above: Mapping[int, Sequence[int]]) -> Iterable[tuple[int, ...]]:
    """The strongly connected components, each after those of its owners."""
    first, rest = _peel(above)
    yield from ((party,) for party in first)
    if not rest:
        return
    owned: dict[int, list[int]] = {party: [] for party in rest}
    for party, owners in rest.items():
        for owner in owners:
            owned[owner].append(party)
    last, core = _peel(owned)
    # Tarjan's algorithm closes a component after those that it leads to, which are the owners.
    edges: dict[int, Iterable[int]] = {party: [owner for owner in rest[party] if owner in core] for party in core}
    digraph: nx.DiGraph[int] = nx.DiGraph(edges)
    yield from (tuple(component) for component in nx.strongly_connected_components(digraph))
    yield from ((party,) for party in reversed(last))


def _peel(edges: Mapping[int, Sequence[int]]) -> tuple[list[int], dict[int, list[int]]]:
    """The parties from which no cycle is reached, each after those to which it leads, and the edges among the others."""
    leading: dict[int, list[int]] = {party: [] for party in edges}
    for party, targets in edges.items():
        for target in targets:
            leading[target].append(party)
    waiting = {party: len(targets) for party, targets in edges.items()}
    done = [party for party, count in waiting.items() if count == 0]
    for party in done:
        for before in leading[party]:
            waiting[before] -= 1
            if waiting[before] == 0:
                done.append(before)
    left = edges.keys() - done
    return done, {party: [target for target in edges[party] if target in left] for party in edges if party in left}
