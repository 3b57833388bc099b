"""The graph of direct shares and of control: one edge for each owner and owned party, with the bounds of the share.

The bounds hold whichever claimant is right about a party's owners: the lowest share is the lowest that any claimant of that party's
owners gives (0 if it doesn't know the owner), the highest share is the highest that any of them gives.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import NamedTuple

import networkx as nx

from bonafide.model.ownership.statement import OPEN_END, Claimant, InterestKind, OwnershipInterest, ShareBand

SHARE_KINDS = frozenset({InterestKind.SHARES, InterestKind.BENEFICIARY})
CERTAIN_CONTROL = frozenset({InterestKind.CONTROL, InterestKind.TRUSTEE})
POSSIBLE_CONTROL = frozenset({InterestKind.SETTLOR})
"""A settlor may have kept powers. A director has none alone, and is no part of a roll-up."""
CONTROL = CERTAIN_CONTROL | POSSIBLE_CONTROL
Bounds = tuple[float, float]
_ClaimedBounds = dict[str, dict[str, Bounds]]
"""What one claimant says: the bounds by owned party and owner."""
ROUNDING = 1e-12
"""The error of a sum of shares: smaller differences are none."""


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
        owners = self._find_owned_owners(subject)
        first, rest = _peel(owners)
        owned: dict[str, list[str]] = {party: [] for party in rest}
        for party, above in rest.items():
            for owner in above:
                owned[owner].append(party)
        last, core = _peel(owned)
        # Tarjan's algorithm closes a component after those that it leads to, which are the owners.
        edges: dict[str, Iterable[str]] = {party: [owner for owner in rest[party] if owner in core] for party in core}
        digraph: nx.DiGraph[str] = nx.DiGraph(edges)
        middle = [
            OwnershipComponent(tuple(each), len(each) > 1 or not each.isdisjoint(digraph[next(iter(each))]))
            for each in nx.strongly_connected_components(digraph)
        ]
        singles = ([OwnershipComponent((party,), is_cycle=False) for party in each] for each in (first, reversed(last)))
        return [*next(singles), *middle, *next(singles)]

    def _find_owned_owners(self, subject: str) -> dict[str, list[str]]:
        """Of the subject and of each party above it, the owners and controllers that are owned or controlled themselves."""
        stakes, controllers = self.stakes, self.controllers
        found: dict[str, list[str]] = {}
        stack = [subject]
        while stack:
            party = stack.pop()
            if party not in found:
                owners = [stake.owner for stake in stakes.get(party, ())]
                if party in controllers:
                    owners += [edge.owner for edge in controllers[party]]
                found[party] = above = list({owner: None for owner in owners if owner in stakes or owner in controllers})
                stack += above
        return found


def _peel(edges: Mapping[str, Sequence[str]]) -> tuple[list[str], dict[str, list[str]]]:
    """The parties from which no cycle is reached, each after those to which it leads, and the edges among the others."""
    leading: dict[str, list[str]] = {party: [] for party in edges}
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


def build_share_graph(claims: Mapping[Claimant, Sequence[OwnershipInterest]], measure: InterestKind, day: date) -> ShareGraph:
    """The graph of `measure` (`SHARES` or `VOTES`) on a day. Where no votes of a party are stated, votes follow shares."""
    graph = ShareGraph()
    shares: list[_ClaimedBounds] = []
    votes: list[_ClaimedBounds] = []
    for interests in claims.values():
        shares.append({})
        votes.append({})
        for interest in interests:
            if not interest.is_in_force(day):
                continue
            kind = interest.kind
            if kind in SHARE_KINDS:
                _add(shares[-1], interest)
            elif kind is InterestKind.VOTES:
                _add(votes[-1], interest)
            elif kind in CONTROL:
                edges = graph.controllers.setdefault(interest.owned, [])
                edge = ControlEdge(interest.owner, kind)
                if edge not in edges:
                    edges.append(edge)
    chosen = _gather(shares) if measure is InterestKind.SHARES else {**_gather(shares), **_gather(votes)}
    graph.stakes = {owned: stakes for owned, claimed in chosen.items() if (stakes := _combine(claimed))}
    return graph


def merge_share_graphs(graphs: Sequence[ShareGraph]) -> ShareGraph:
    """One graph with every owner of all these: the highest shares are the largest of any graph, the lowest the smallest."""
    first, *others = graphs
    merged = ShareGraph(dict(first.stakes), first.controllers)
    for graph in others:
        for owned, stakes in graph.stakes.items():
            known = merged.stakes.get(owned)
            merged.stakes[owned] = _unite(known, stakes) if known is not None and known != stakes else stakes
    return merged


def _unite(stakes: Sequence[Stake], others: Sequence[Stake]) -> list[Stake]:
    sides = [{stake.owner: stake for stake in side} for side in (stakes, others)]
    return [
        Stake(owner, min(one.low, other.low), max(one.high, other.high))
        for owner in dict.fromkeys(stake.owner for stake in (*stakes, *others))
        for one, other in [[side.get(owner, Stake(owner, 0.0, 0.0)) for side in sides]]
    ]


def _add(claimed: _ClaimedBounds, interest: OwnershipInterest) -> None:
    bounds = _get_bounds(interest.share)
    owners = claimed.get(interest.owned)
    if owners is None:
        claimed[interest.owned] = {interest.owner: bounds}
        return
    before = owners.get(interest.owner)
    owners[interest.owner] = bounds if before is None else (min(1.0, before[0] + bounds[0]), min(1.0, before[1] + bounds[1]))


def _gather(claims: Sequence[_ClaimedBounds]) -> dict[str, list[dict[str, Bounds]]]:
    """For each owned party what every claimant says that says something."""
    gathered: dict[str, list[dict[str, Bounds]]] = {}
    for claimed in claims:
        for owned, owners in claimed.items():
            gathered.setdefault(owned, []).append(owners)
    return gathered


def _get_bounds(share: ShareBand | None) -> Bounds:
    if share is None:
        return 0.0, 1.0
    if share.exact is not None:
        return share.exact, share.exact
    return share.low + OPEN_END * share.exclusive_min, share.high - OPEN_END * share.exclusive_max


def _combine(claims: Sequence[Mapping[str, Bounds]]) -> list[Stake]:
    """The stakes in one party that hold whichever of the claimants is right, tightened: all shares add up to at most 1.

    An owner for whom nothing is left has no stake. Lower ends that add up to more than 1 contradict each other: each is lowered by
    the excess, so that any of the stated shares stays possible.
    """
    bounds = claims[0]
    if len(claims) > 1:
        owners = dict.fromkeys(owner for claim in claims for owner in claim)
        every = {owner: [claim.get(owner, (0.0, 0.0)) for claim in claims] for owner in owners}
        bounds = {owner: (min(low for low, _ in each), max(high for _, high in each)) for owner, each in every.items()}
    left = 1 - sum([low for low, _ in bounds.values()])
    if left < -ROUNDING:
        bounds = {owner: (max(0.0, low + left), high) for owner, (low, high) in bounds.items()}
        left = 1 - sum([low for low, _ in bounds.values()])
    if left < ROUNDING:
        left = 0.0
    tightened = [Stake(owner, low, high if high - low <= left else low + left) for owner, (low, high) in bounds.items()]
    return [stake for stake in tightened if stake.high > 0]
