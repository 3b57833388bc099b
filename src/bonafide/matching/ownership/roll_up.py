"""What the claims about the owners of a business add up to: ultimate owners at 25 % and 50 %, and ownership by listed parties."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from bonafide.matching.ownership.owner_candidates import SLACK, bound_shares
from bonafide.matching.ownership.ownership_paths import PathFinder, create_share_range
from bonafide.matching.ownership.share_bounds import TOLERANCE, BoundsQuery, compute_shares
from bonafide.matching.ownership.share_graph import ShareGraph, Stake, build_share_graph
from bonafide.model.ownership.roll_up import (
    BENEFICIAL_OWNERSHIP,
    DEEMED_OWNERSHIP,
    BeneficialOwner,
    DeemedOwnership,
    DeemedStatus,
    OwnershipBasis,
    OwnershipRollUp,
    ShareRange,
)
from bonafide.model.ownership.statement import OWNABLE, Claimant, InterestKind, OwnershipInterest, PartyKind

MAJORITY = DEEMED_OWNERSHIP + 10 * TOLERANCE
"""More than half. A party with a majority directs what is held by the party that it owns."""
IDENTIFIED = frozenset({PartyKind.PERSON, PartyKind.GOVERNMENT})
UNKNOWN_OWNER = ""
"""Whoever has the shares that no claim assigns. No party has an empty ID."""
_SEVERITY = (DeemedStatus.NOT_DEEMED, DeemedStatus.UNDETERMINED, DeemedStatus.POSSIBLE, DeemedStatus.DEEMED)


@dataclass(frozen=True, slots=True)
class OwnershipClaims:
    """What is claimed of a business: the kind of each party by ID, the interests by claimant, and the ID of the business."""

    kinds: Mapping[str, PartyKind]
    interests: Mapping[Claimant, Sequence[OwnershipInterest]]
    subject: str


def roll_up(claims: OwnershipClaims, listed: Collection[str], day: date) -> OwnershipRollUp:
    """The ultimate owners, the unknown share and the ownership by `listed` parties on a day."""
    views = _build_views(claims, day)
    shares, votes = views[0], views[-1]
    return OwnershipRollUp(
        beneficial_owners=_find_beneficial_owners(claims, shares, votes),
        deemed_sanctioned=_assess_listed(claims, views, frozenset(listed) - {claims.subject}, day),
        unknown_share=_measure_unknown(claims, shares),
    )


def _build_views(claims: OwnershipClaims, day: date) -> "list[_MeasureView]":
    """The view of shares, and that of votes where any are stated."""
    shares = build_share_graph(claims.interests, InterestKind.SHARES, day)
    views = [_MeasureView(claims, shares, InterestKind.SHARES)]
    if any(interest.kind is InterestKind.VOTES for interests in claims.interests.values() for interest in interests):
        votes = build_share_graph(claims.interests, InterestKind.VOTES, day)
        views.append(_MeasureView(claims, votes, InterestKind.VOTES))
    return views


class _MeasureView:
    """The graph of shares or votes, in the order in which it is solved, with bounds of every owner's share."""

    def __init__(self, claims: OwnershipClaims, graph: ShareGraph, measure: InterestKind) -> None:
        self.graph, self.subject = graph, claims.subject
        self.components = graph.find_components(claims.subject)
        owned = [party for component in self.components for party in component.parties]
        self.members = {*owned, *(owner for party in owned for owner in graph.list_predecessors(party))}
        self._places = {party: number for number, component in enumerate(self.components) for party in component.parties}
        self.bounds = bound_shares(graph, self.components, claims.subject)
        self.paths = PathFinder(graph, self.members, claims.subject, measure)

    def measure(self, owners: Collection[str], *, attributed_from: float | None = None) -> tuple[float, float]:
        """The lowest and the highest share of the owners in the business."""
        between = self.paths.find_owned(owner for owner in owners if owner in self.members)
        components = [
            self.components[number] for number in sorted({self._places[party] for party in between if party in self._places})
        ]
        low, high = (
            compute_shares(self.graph, components, BoundsQuery(owners, highest, self.subject, attributed_from)).get(
                self.subject, 0.0
            )
            for highest in (False, True)
        )
        return low, max(low, high)

    def may_reach(self, party: str, threshold: float) -> bool:
        """Whether a party's share may reach a threshold, with the holdings of whatever it may control."""
        return self.bounds.get(party, 0.0) >= threshold - SLACK


def _find_beneficial_owners(claims: OwnershipClaims, shares: _MeasureView, votes: _MeasureView) -> tuple[BeneficialOwner, ...]:
    views = [shares] if votes is shares else [shares, votes]
    owned = shares.graph.stakes.keys() | votes.graph.stakes.keys()
    found = []
    for party in sorted((shares.members | votes.members) - {claims.subject}):
        if party in owned or claims.kinds[party] is PartyKind.UNKNOWN:
            continue
        if any(view.may_reach(party, BENEFICIAL_OWNERSHIP) for view in views):
            owner = _measure_owner(claims, party, shares, votes)
            if owner is not None:
                found.append(owner)
    return tuple(sorted(found, key=lambda owner: (-owner.controlled.max, -owner.share.max, -owner.share.min, owner.party)))


def _measure_owner(claims: OwnershipClaims, party: str, shares: _MeasureView, votes: _MeasureView) -> BeneficialOwner | None:
    """The owner with its shares; None if it can't reach the threshold."""
    share = shares.measure({party})
    voted = share if votes is shares else votes.measure({party})
    each = [view.measure({party}, attributed_from=MAJORITY) for view in ((shares,) if votes is shares else (shares, votes))]
    controlled = (max(low for low, _ in each), max(high for _, high in each))
    ranges = {OwnershipBasis.SHARES: share, OwnershipBasis.VOTES: voted, OwnershipBasis.CONTROL: controlled}
    bases = tuple(basis for basis, (_, high) in ranges.items() if high >= BENEFICIAL_OWNERSHIP - TOLERANCE)
    if not bases:
        return None
    highest, lowest = (max(ends) for ends in ([high for _, high in ranges.values()], [low for low, _ in ranges.values()]))
    return BeneficialOwner(
        party=party,
        share=create_share_range(*share),
        votes=create_share_range(*voted),
        controlled=create_share_range(*controlled),
        bases=bases,
        threshold=DEEMED_OWNERSHIP if highest >= DEEMED_OWNERSHIP - TOLERANCE else BENEFICIAL_OWNERSHIP,
        is_certain=lowest >= BENEFICIAL_OWNERSHIP - TOLERANCE,
        is_identified=claims.kinds[party] in IDENTIFIED,
        paths=(shares if party in shares.members else votes).paths.find_paths(party),
    )


def _measure_unknown(claims: OwnershipClaims, view: _MeasureView) -> ShareRange:
    """What persons and governments don't have."""
    low, high = view.measure({party for party in view.members if claims.kinds[party] in IDENTIFIED})
    return create_share_range(max(0.0, 1 - high), max(0.0, 1 - low))


# ------------------------------------------------------------------------------------------------------- listed parties


def _assess_listed(claims: OwnershipClaims, views: Sequence[_MeasureView], listed: Collection[str], day: date) -> DeemedOwnership:
    """The ownership by listed parties, by all claims together and by those of each claimant: the most severe status counts."""
    status = _assess_views(claims, views, listed)
    if len(claims.interests) > 1:
        for claimant, interests in claims.interests.items():
            alone = OwnershipClaims(claims.kinds, {claimant: interests}, claims.subject)
            status = max(status, _assess_alone(alone, listed, day), key=_SEVERITY.index)
    measured = [view.measure(listed, attributed_from=DEEMED_OWNERSHIP) for view in views]
    involved = sorted(party for party in listed if any(party in view.members for view in views))
    paths = [path for party in involved for path in _get_view(views, party).paths.find_paths(party, most=1)]
    return DeemedOwnership(
        status=status,
        share=create_share_range(max(low for low, _ in measured), max(high for _, high in measured)),
        parties=tuple(involved),
        paths=tuple(paths),
    )


def _assess_alone(claims: OwnershipClaims, listed: Collection[str], day: date) -> DeemedStatus:
    """The status by one claimant. It counts only where a listed party is certain or possible: another may know more owners."""
    status = _assess_views(claims, _build_views(claims, day), listed)
    return status if status in {DeemedStatus.DEEMED, DeemedStatus.POSSIBLE} else DeemedStatus.NOT_DEEMED


def _get_view(views: Sequence[_MeasureView], party: str) -> _MeasureView:
    return next(view for view in views if party in view.members)


def _assess_views(claims: OwnershipClaims, views: Sequence[_MeasureView], listed: Collection[str]) -> DeemedStatus:
    return max((_assess_view(claims, view, listed) for view in views), key=_SEVERITY.index)


def _assess_view(claims: OwnershipClaims, view: _MeasureView, listed: Collection[str]) -> DeemedStatus:
    low, high = view.measure(listed, attributed_from=DEEMED_OWNERSHIP)
    if low >= DEEMED_OWNERSHIP - TOLERANCE:
        return DeemedStatus.DEEMED
    if high >= DEEMED_OWNERSHIP - TOLERANCE:
        return DeemedStatus.POSSIBLE
    return DeemedStatus.UNDETERMINED if _may_be_listed(claims, view, listed) else DeemedStatus.NOT_DEEMED


def _may_be_listed(claims: OwnershipClaims, view: _MeasureView, listed: Collection[str]) -> bool:
    """Whether listed parties could reach half if all unknown owners were listed."""
    graph = _add_unknown_owner(view.graph, [party for party in view.members if claims.kinds[party] in OWNABLE])
    unknown = (party for party in view.members if claims.kinds[party] is PartyKind.UNKNOWN)
    owners = {*listed, *unknown, UNKNOWN_OWNER}
    query = BoundsQuery(owners, highest=True, subject=claims.subject, attributed_from=DEEMED_OWNERSHIP)
    if compute_shares(graph, view.components, query)[claims.subject] >= DEEMED_OWNERSHIP - TOLERANCE:
        return True
    # Parties that own each other wholly leave nothing open, and yet nobody behind them is known.
    identified, _ = view.measure({party for party in view.members if claims.kinds[party] in IDENTIFIED and party not in listed})
    return 1 - identified >= DEEMED_OWNERSHIP - TOLERANCE


def _add_unknown_owner(graph: ShareGraph, ownable: Collection[str]) -> ShareGraph:
    """The graph with one more owner, who has whatever the claims leave open."""
    stakes = {}
    for party in ownable:
        known = graph.stakes.get(party, [])
        gap = Stake(
            UNKNOWN_OWNER, max(0.0, 1 - sum(stake.high for stake in known)), max(0.0, 1 - sum(stake.low for stake in known))
        )
        stakes[party] = [*known, gap] if gap.high > TOLERANCE else known
    return ShareGraph(stakes, graph.controllers)
