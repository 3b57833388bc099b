"""What the claims about the owners of a business add up to: ultimate owners at 25 % and 50 %, and ownership by listed parties."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from bonafide.matching.ownership.cycle_shares import TOLERANCE, Measure
from bonafide.matching.ownership.owner_candidates import SLACK, bound_shares
from bonafide.matching.ownership.ownership_paths import PathFinder, create_share_range
from bonafide.matching.ownership.share_graph import (
    OwnershipComponent,
    ShareGraph,
    Stake,
    build_share_graph,
    merge_share_graphs,
)
from bonafide.matching.ownership.share_solver import solve_attributed, solve_shares
from bonafide.matching.ownership.share_table import ShareTable
from bonafide.model.ownership.roll_up import (
    BENEFICIAL_OWNERSHIP,
    DEEMED_OWNERSHIP,
    BeneficialOwner,
    DeemedOwnership,
    DeemedStatus,
    OwnershipBasis,
    OwnershipPath,
    OwnershipRollUp,
    ShareRange,
)
from bonafide.model.ownership.statement import OWNABLE, Claimant, InterestKind, OwnershipInterest, PartyKind

MAJORITY = DEEMED_OWNERSHIP + 10 * TOLERANCE
"""More than half. A party with a majority directs what is held by the party that it owns."""
IDENTIFIED = frozenset({PartyKind.PERSON, PartyKind.GOVERNMENT})
UNKNOWN_OWNER = ""
"""Whoever has the shares that no claim assigns. No party has an empty ID."""
ShareBounds = tuple[float, float]
"""The lowest and the highest share."""
_SEVERITY = (DeemedStatus.NOT_DEEMED, DeemedStatus.UNDETERMINED, DeemedStatus.POSSIBLE, DeemedStatus.DEEMED)


@dataclass(frozen=True, slots=True)
class OwnershipClaims:
    """What is claimed of a business: the kind of each party by ID, the interests by claimant, and the ID of the business."""

    kinds: Mapping[str, PartyKind]
    interests: Mapping[Claimant, Sequence[OwnershipInterest]]
    subject: str


def roll_up(
    claims: OwnershipClaims, listed: Collection[str], day: date, unscreened: Collection[str] = frozenset()
) -> OwnershipRollUp:
    """The ultimate owners, the unknown share and the ownership by `listed` parties on a day.

    Parties that are `unscreened` may be listed, and never make a business clean.
    """
    structure = _OwnershipStructure(claims, day)
    return OwnershipRollUp(
        beneficial_owners=_find_beneficial_owners(claims, structure),
        deemed_sanctioned=_assess_listed(claims, structure, _select_listed(claims, listed, unscreened), day),
        unknown_share=_measure_unknown(claims, structure),
    )


def assess_deemed_ownership(
    claims: OwnershipClaims, listed: Collection[str], day: date, unscreened: Collection[str] = frozenset()
) -> DeemedOwnership:
    """The ownership by listed parties on a day, without the rest of the roll-up."""
    return _assess_listed(claims, _OwnershipStructure(claims, day), _select_listed(claims, listed, unscreened), day)


@dataclass(frozen=True, slots=True)
class _ListedOwners:
    """The IDs of the owners that are listed, and of those that could not be screened."""

    listed: frozenset[str]
    unscreened: frozenset[str]


def _select_listed(claims: OwnershipClaims, listed: Collection[str], unscreened: Collection[str]) -> _ListedOwners:
    """The owners only: a listed business is sanctioned itself, not by ownership."""
    return _ListedOwners(frozenset(listed) - {claims.subject}, frozenset(unscreened) - {claims.subject})


class _OwnershipStructure:
    """The parties above the business, by their shares and, where any are stated, by their votes.

    Every table has all of these parties: one that is controlled by its shares may have votes only.
    """

    def __init__(self, claims: OwnershipClaims, day: date) -> None:
        measures = [InterestKind.SHARES]
        if any(interest.kind is InterestKind.VOTES for interests in claims.interests.values() for interest in interests):
            measures.append(InterestKind.VOTES)
        graphs = {measure: build_share_graph(claims.interests, measure, day) for measure in measures}
        merged = merge_share_graphs([*graphs.values()])
        components = merged.find_components(claims.subject)
        parties = [party for component in components for party in component.parties]
        self.members = {*parties, *(owner for party in parties for owner in merged.list_predecessors(party))}
        self.owned = merged.stakes.keys()
        ownable = [party for party in self.members if claims.kinds[party] in OWNABLE]
        self.tables = [ShareTable(_add_unknown_owner(graph, ownable), components, claims.subject) for graph in graphs.values()]
        self.shares, self.votes = self.tables[0], self.tables[-1]
        self.paths = PathFinder(graphs, self.members, claims.subject)
        self._bounds = bound_shares(self._get_widest_table(merged, components, claims.subject))

    def _get_widest_table(self, merged: ShareGraph, components: Sequence[OwnershipComponent], subject: str) -> ShareTable:
        """The table with the highest share of all."""
        return self.shares if len(self.tables) == 1 else ShareTable(merged, components, subject)

    def measure_controlled(self, owner_sets: Sequence[Collection[str]], attributed_from: float) -> list[ShareBounds]:
        """The lowest and the highest share of each set of owners, of the shares or votes, with what they control in full."""
        low, high = (solve_attributed(self.tables, owner_sets, Measure(highest, attributed_from)) for highest in (False, True))
        return _pair_ends(low, high)

    def find_highest(self, owner_sets: Sequence[Collection[str]], attributed_from: float) -> list[float]:
        """The highest alone."""
        return solve_attributed(self.tables, owner_sets, Measure(highest=True, attributed_from=attributed_from))

    def list_candidates(self, threshold: float) -> list[str]:
        """The owners whose share may reach a threshold, with the holdings of whatever they may control."""
        return sorted(party for party, bound in self._bounds.items() if bound >= threshold - SLACK)


def _measure_multiplied(table: ShareTable, owner_sets: Sequence[Collection[str]]) -> list[ShareBounds]:
    """The lowest and the highest share of each set of owners, without regard to control."""
    low, high = (solve_shares(table, owner_sets, highest=highest) for highest in (False, True))
    return _pair_ends(low, high)


def _pair_ends(low: Sequence[float], high: Sequence[float]) -> list[ShareBounds]:
    return [(lowest, max(lowest, highest)) for lowest, highest in zip(low, high, strict=True)]


def _find_beneficial_owners(claims: OwnershipClaims, structure: _OwnershipStructure) -> tuple[BeneficialOwner, ...]:
    candidates = [
        party
        for party in structure.list_candidates(BENEFICIAL_OWNERSHIP)
        if party not in structure.owned
        and party != claims.subject
        and claims.kinds.get(party, PartyKind.UNKNOWN) is not PartyKind.UNKNOWN
    ]
    # No share is larger than that with everything that the owner may control.
    highest = structure.find_highest([{party} for party in candidates], MAJORITY)
    candidates = [party for party, share in zip(candidates, highest, strict=True) if share >= BENEFICIAL_OWNERSHIP - TOLERANCE]
    sets = [{party} for party in candidates]
    measured = [
        _MeasuredOwner(party, claims.kinds[party], *bounds)
        for party, *bounds in zip(
            candidates,
            _measure_multiplied(structure.shares, sets),
            _measure_multiplied(structure.votes, sets),
            structure.measure_controlled(sets, MAJORITY),
            strict=True,
        )
    ]
    owners = sorted((owner for owner in measured if owner.list_bases()), key=_MeasuredOwner.rank)
    paths = structure.paths.find_paths([owner.party for owner in owners])
    return tuple(_describe_owner(owner, chains) for owner, chains in zip(owners, paths, strict=True))


@dataclass(frozen=True, slots=True)
class _MeasuredOwner:
    party: str
    kind: PartyKind
    share: ShareBounds
    votes: ShareBounds
    controlled: ShareBounds

    def list_bases(self) -> tuple[OwnershipBasis, ...]:
        """What makes the party an owner; empty if it can't reach the threshold."""
        ranges = (
            (OwnershipBasis.SHARES, self.share),
            (OwnershipBasis.VOTES, self.votes),
            (OwnershipBasis.CONTROL, self.controlled),
        )
        return tuple(basis for basis, (_, high) in ranges if high >= BENEFICIAL_OWNERSHIP - TOLERANCE)

    def rank(self) -> tuple[float, float, float, str]:
        """The key of the order in which owners are sent: the largest first."""
        controlled, share = create_share_range(*self.controlled), create_share_range(*self.share)
        return -controlled.max, -share.max, -share.min, self.party


def _describe_owner(owner: _MeasuredOwner, paths: tuple[OwnershipPath, ...]) -> BeneficialOwner:
    lowest, highest = (max(ends) for ends in zip(owner.share, owner.votes, owner.controlled, strict=True))
    return BeneficialOwner(
        party=owner.party,
        share=create_share_range(*owner.share),
        votes=create_share_range(*owner.votes),
        controlled=create_share_range(*owner.controlled),
        bases=owner.list_bases(),
        threshold=DEEMED_OWNERSHIP if highest >= DEEMED_OWNERSHIP - TOLERANCE else BENEFICIAL_OWNERSHIP,
        is_certain=lowest >= BENEFICIAL_OWNERSHIP - TOLERANCE,
        is_identified=owner.kind in IDENTIFIED,
        paths=paths,
    )


def _measure_unknown(claims: OwnershipClaims, structure: _OwnershipStructure) -> ShareRange:
    """What persons and governments don't have."""
    identified = {party for party in structure.members if claims.kinds[party] in IDENTIFIED}
    ((low, high),) = _measure_multiplied(structure.shares, [identified])
    return create_share_range(max(0.0, 1 - high), max(0.0, 1 - low))


# ------------------------------------------------------------------------------------------------------- listed parties


def _assess_listed(claims: OwnershipClaims, structure: _OwnershipStructure, screened: _ListedOwners, day: date) -> DeemedOwnership:
    """The ownership by listed parties, by all claims together and by those of each claimant: the most severe status counts."""
    listed = screened.listed
    (share,) = structure.measure_controlled([listed], DEEMED_OWNERSHIP)
    status = _assess_share(claims, structure, share, screened)
    if len(claims.interests) > 1:
        for claimant, interests in claims.interests.items():
            alone = OwnershipClaims(claims.kinds, {claimant: interests}, claims.subject)
            status = max(status, _assess_alone(alone, screened, day), key=_SEVERITY.index)
    involved = sorted(listed & structure.members)
    return DeemedOwnership(
        status=status,
        share=create_share_range(*share),
        parties=tuple(involved),
        paths=tuple(path for paths in structure.paths.find_paths(involved) for path in paths),
    )


def _assess_alone(claims: OwnershipClaims, screened: _ListedOwners, day: date) -> DeemedStatus:
    """The status by one claimant. It counts only where a listed party is certain or possible: another may know more owners."""
    structure = _OwnershipStructure(claims, day)
    (share,) = structure.measure_controlled([screened.listed], DEEMED_OWNERSHIP)
    status = _assess_share(claims, structure, share, screened)
    return status if status in {DeemedStatus.DEEMED, DeemedStatus.POSSIBLE} else DeemedStatus.NOT_DEEMED


def _assess_share(
    claims: OwnershipClaims, structure: _OwnershipStructure, share: ShareBounds, screened: _ListedOwners
) -> DeemedStatus:
    """The status by the lowest and the highest share of the listed parties."""
    lowest, highest = share
    if lowest >= DEEMED_OWNERSHIP - TOLERANCE:
        return DeemedStatus.DEEMED
    if highest >= DEEMED_OWNERSHIP - TOLERANCE:
        return DeemedStatus.POSSIBLE
    possible = screened.listed | screened.unscreened
    return DeemedStatus.UNDETERMINED if _may_be_listed(claims, structure, possible) else DeemedStatus.NOT_DEEMED


def _may_be_listed(claims: OwnershipClaims, structure: _OwnershipStructure, listed: Collection[str]) -> bool:
    """Whether listed parties, and those that may be listed, could reach half if all unknown owners were listed."""
    unknown = (party for party in structure.members if claims.kinds[party] is PartyKind.UNKNOWN)
    (highest,) = structure.find_highest([{*listed, *unknown, UNKNOWN_OWNER}], DEEMED_OWNERSHIP)
    if highest >= DEEMED_OWNERSHIP - TOLERANCE:
        return True
    # Parties that own each other wholly leave nothing open, and yet nobody behind them is known.
    others = {party for party in structure.members if claims.kinds[party] in IDENTIFIED and party not in listed}
    least = (solve_shares(table, [others], highest=False)[0] for table in structure.tables)
    return any(1 - identified >= DEEMED_OWNERSHIP - TOLERANCE for identified in least)


def _add_unknown_owner(graph: ShareGraph, ownable: Collection[str]) -> ShareGraph:
    """The graph with one more owner, who has whatever the claims leave open. It changes no share of others."""
    stakes = dict(graph.stakes)
    for party in ownable:
        known = graph.stakes.get(party, [])
        most = 1 - sum([stake.low for stake in known])
        if most > TOLERANCE:
            least = max(0.0, 1 - sum([stake.high for stake in known]))
            stakes[party] = [*known, Stake(UNKNOWN_OWNER, least, most)]
    return ShareGraph(stakes, graph.controllers)
