"""The graph of direct shares and of control: one edge for each owner and owned party, with the bounds of the share.

The bounds hold whichever claimant is right about a party's owners: the lowest share is the lowest that any claimant of that party's
owners gives (0 if it doesn't know the owner), the highest share is the highest that any of them gives.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import NamedTuple

import networkx as nx

from bonafide.model.ownership.statement import Claimant, InterestKind, OwnershipInterest

OPEN_END = 1e-7
"""The distance from an open end: larger than rounding errors, smaller than any share that matters."""
SHARE_KINDS = frozenset({InterestKind.SHARES, InterestKind.BENEFICIARY})
CERTAIN_CONTROL = frozenset({InterestKind.CONTROL, InterestKind.TRUSTEE})
POSSIBLE_CONTROL = frozenset({InterestKind.SETTLOR})
"""A settlor may have kept powers. A director has none alone, and is no part of a roll-up."""
Bounds = tuple[float, float]


class Stake(NamedTuple):
    """A direct share of an owner, with the lowest and the highest value."""

    owner: str
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class ControlEdge:
    """Control without shares by an owner."""

    owner: str
    kind: InterestKind

    @property
    def is_certain(self) -> bool:
        """Whether the interest gives control by itself."""
        return self.kind in CERTAIN_CONTROL


@dataclass(frozen=True, slots=True)
class OwnershipComponent:
    """Parties that own or control each other through cycles, or a single party."""

    parties: tuple[str, ...]
    is_cycle: bool


@dataclass(slots=True)
class ShareGraph:
    """The direct owners and controllers of each party, for either shares or votes."""

    stakes: dict[str, list[Stake]] = field(default_factory=dict)
    controllers: dict[str, list[ControlEdge]] = field(default_factory=dict)

    def list_predecessors(self, party: str) -> Iterable[str]:
        """Whoever owns or controls the party directly."""
        yield from (stake.owner for stake in self.stakes.get(party, ()))
        yield from (edge.owner for edge in self.controllers.get(party, ()))

    def find_components(self, subject: str) -> "list[OwnershipComponent]":
        """The components of all that own or control the subject and are owned or controlled, and of itself; owners come first."""
        edges: dict[str, Iterable[str]] = {}
        stack = [subject]
        while stack:
            party = stack.pop()
            if party not in edges:
                owners = [owner for owner in self.list_predecessors(party) if owner in self.stakes or owner in self.controllers]
                edges[party] = owners
                stack.extend(owners)
        digraph: nx.DiGraph[str] = nx.DiGraph(edges)
        # Tarjan's algorithm closes a component after those that it leads to, which are the owners.
        found = nx.strongly_connected_components(digraph)
        return [OwnershipComponent(tuple(each), len(each) > 1 or not each.isdisjoint(edges[next(iter(each))])) for each in found]


def build_share_graph(claims: Mapping[Claimant, Sequence[OwnershipInterest]], measure: InterestKind, day: date) -> ShareGraph:
    """The graph of `measure` (`SHARES` or `VOTES`) on a day. Where no votes of a party are stated, votes follow shares."""
    shares: dict[str, dict[Claimant, dict[str, Bounds]]] = defaultdict(lambda: defaultdict(dict))
    votes: dict[str, dict[Claimant, dict[str, Bounds]]] = defaultdict(lambda: defaultdict(dict))
    graph = ShareGraph()
    for claimant, interests in claims.items():
        for interest in interests:
            if not interest.is_in_force(day):
                continue
            if interest.kind in SHARE_KINDS:
                _add(shares[interest.owned][claimant], interest)
            elif interest.kind is InterestKind.VOTES:
                _add(votes[interest.owned][claimant], interest)
            elif interest.kind in CERTAIN_CONTROL | POSSIBLE_CONTROL:
                edges = graph.controllers.setdefault(interest.owned, [])
                edge = ControlEdge(interest.owner, interest.kind)
                if edge not in edges:
                    edges.append(edge)
    chosen = shares if measure is InterestKind.SHARES else {**shares, **votes}
    graph.stakes = {owned: stakes for owned, said in chosen.items() if (stakes := _combine(list(said.values())))}
    return graph


def _add(owners: dict[str, Bounds], interest: OwnershipInterest) -> None:
    low, high = _get_bounds(interest)
    before = owners.get(interest.owner, (0.0, 0.0))
    owners[interest.owner] = (min(1.0, before[0] + low), min(1.0, before[1] + high))


def _get_bounds(interest: OwnershipInterest) -> Bounds:
    share = interest.share
    if share is None:
        return 0.0, 1.0
    return share.low + OPEN_END * share.exclusive_min, share.high - OPEN_END * share.exclusive_max


def _combine(said: Sequence[Mapping[str, Bounds]]) -> list[Stake]:
    """The stakes in one party that hold whichever of the claimants is right, tightened: all shares add up to at most 1."""
    if len(said) == 1:
        bounds = dict(said[0])
    else:
        owners = dict.fromkeys(owner for claim in said for owner in claim)
        every = {owner: [claim.get(owner, (0.0, 0.0)) for claim in said] for owner in owners}
        bounds = {owner: (min(low for low, _ in each), max(high for _, high in each)) for owner, each in every.items()}
    total = sum(low for low, _ in bounds.values())
    return [Stake(owner, low, max(low, min(high, 1 - (total - low)))) for owner, (low, high) in bounds.items() if high > 0]
