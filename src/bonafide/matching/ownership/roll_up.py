"""What the claims about the owners of a business add up to: ultimate owners at 25 % and 50 %, and ownership by listed parties."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from bonafide.matching.ownership.cycle_shares import TOLERANCE
from bonafide.matching.ownership.owner_candidates import SLACK, bound_shares
from bonafide.matching.ownership.ownership_paths import PathFinder, create_share_range
from bonafide.matching.ownership.share_graph import ShareGraph, Stake, build_share_graph
from bonafide.matching.ownership.share_solver import solve_shares
from bonafide.matching.ownership.share_table import ShareTable
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
    views = _build_views(claims, day)
    shares, votes = views[0], views[-1]
    return OwnershipRollUp(
        beneficial_owners=_find_beneficial_owners(claims, shares, votes),
        deemed_sanctioned=_assess_listed(claims, views, _select_listed(claims, listed, unscreened), day),
        unknown_share=_measure_unknown(claims, shares),
    )


def assess_deemed_ownership(
    claims: OwnershipClaims, listed: Collection[str], day: date, unscreened: Collection[str] = frozenset()
) -> DeemedOwnership:
    """The ownership by listed parties on a day, without the rest of the roll-up."""
    return _assess_listed(claims, _build_views(claims, day), _select_listed(claims, listed, unscreened), day)


@dataclass(frozen=True, slots=True)
class _ListedOwners:
    """The IDs of the owners that are listed, and of those that could not be screened."""

    listed: frozenset[str]
    unscreened: frozenset[str]


def _select_listed(claims: OwnershipClaims, listed: Collection[str], unscreened: Collection[str]) -> _ListedOwners:
    """The owners only: a listed business is sanctioned itself, not by ownership."""
    return _ListedOwners(frozenset(listed) - {claims.subject}, frozenset(unscreened) - {claims.subject})


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
        components = graph.find_components(claims.subject)
        owned = [party for component in components for party in component.parties]
        self.members = {*owned, *(owner for party in owned for owner in graph.list_predecessors(party))}
        ownable = [party for party in self.members if claims.kinds[party] in OWNABLE]
        self.table = ShareTable(_add_unknown_owner(graph, ownable), components, claims.subject)
        self.bounds = bound_shares(self.table)
        self.paths = PathFinder(graph, self.members, claims.subject, measure)

    def measure(self, owners: Collection[str], *, attributed_from: float | None = None) -> ShareBounds:
        """The lowest and the highest share of the owners in the business."""
        return self.measure_each([owners], attributed_from=attributed_from)[0]

    def measure_each(self, owner_sets: Sequence[Collection[str]], *, attributed_from: float | None = None) -> list[ShareBounds]:
        """The same for each set of owners."""
        low, high = (
            solve_shares(self.table, owner_sets, highest=highest, attributed_from=attributed_from) for highest in (False, True)
        )
        return [(lowest, max(lowest, highest)) for lowest, highest in zip(low, high, strict=True)]

    def list_candidates(self, threshold: float) -> Iterator[str]:
        """The owners whose share may reach a threshold, with the holdings of whatever they may control."""
        return (party for party, bound in self.bounds.items() if bound >= threshold - SLACK)


def _find_beneficial_owners(claims: OwnershipClaims, shares: _MeasureView, votes: _MeasureView) -> tuple[BeneficialOwner, ...]:
    views = [shares] if votes is shares else [shares, votes]
    owned = shares.graph.stakes.keys() | votes.graph.stakes.keys()
    candidates = [
        party
        for party in sorted({party for view in views for party in view.list_candidates(BENEFICIAL_OWNERSHIP)})
        if party not in owned and party != claims.subject and claims.kinds.get(party, PartyKind.UNKNOWN) is not PartyKind.UNKNOWN
    ]
    # No share is larger than that with everything that the owner may control.
    highest = [
        solve_shares(view.table, [{party} for party in candidates], highest=True, attributed_from=MAJORITY) for view in views
    ]
    candidates = [
        party
        for party, shares_of_party in zip(candidates, zip(*highest, strict=True), strict=True)
        if max(shares_of_party) >= BENEFICIAL_OWNERSHIP - TOLERANCE
    ]
    sets = [{party} for party in candidates]
    held = [view.measure_each(sets) for view in views]
    directed = [view.measure_each(sets, attributed_from=MAJORITY) for view in views]
    found = []
    for number, party in enumerate(candidates):
        each = [bounds[number] for bounds in directed]
        controlled = (max(low for low, _ in each), max(high for _, high in each))
        paths = (shares if party in shares.members else votes).paths
        measured = _MeasuredOwner(party, claims.kinds[party], held[0][number], held[-1][number], controlled, paths)
        owner = _describe_owner(measured)
        if owner is not None:
            found.append(owner)
    return tuple(sorted(found, key=lambda owner: (-owner.controlled.max, -owner.share.max, -owner.share.min, owner.party)))


@dataclass(frozen=True, slots=True)
class _MeasuredOwner:
    party: str
    kind: PartyKind
    share: ShareBounds
    votes: ShareBounds
    controlled: ShareBounds
    paths: PathFinder


def _describe_owner(owner: _MeasuredOwner) -> BeneficialOwner | None:
    """The owner as it is sent; None if it can't reach the threshold."""
    ranges = {OwnershipBasis.SHARES: owner.share, OwnershipBasis.VOTES: owner.votes, OwnershipBasis.CONTROL: owner.controlled}
    bases = tuple(basis for basis, (_, high) in ranges.items() if high >= BENEFICIAL_OWNERSHIP - TOLERANCE)
    if not bases:
        return None
    highest, lowest = (max(ends) for ends in ([high for _, high in ranges.values()], [low for low, _ in ranges.values()]))
    return BeneficialOwner(
        party=owner.party,
        share=create_share_range(*owner.share),
        votes=create_share_range(*owner.votes),
        controlled=create_share_range(*owner.controlled),
        bases=bases,
        threshold=DEEMED_OWNERSHIP if highest >= DEEMED_OWNERSHIP - TOLERANCE else BENEFICIAL_OWNERSHIP,
        is_certain=lowest >= BENEFICIAL_OWNERSHIP - TOLERANCE,
        is_identified=owner.kind in IDENTIFIED,
        paths=owner.paths.find_paths(owner.party),
    )


def _measure_unknown(claims: OwnershipClaims, view: _MeasureView) -> ShareRange:
    """What persons and governments don't have."""
    low, high = view.measure({party for party in view.members if claims.kinds[party] in IDENTIFIED})
    return create_share_range(max(0.0, 1 - high), max(0.0, 1 - low))


# ------------------------------------------------------------------------------------------------------- listed parties


def _assess_listed(claims: OwnershipClaims, views: Sequence[_MeasureView], screened: _ListedOwners, day: date) -> DeemedOwnership:
    """The ownership by listed parties, by all claims together and by those of each claimant: the most severe status counts."""
    listed = screened.listed
    measured = [view.measure(listed, attributed_from=DEEMED_OWNERSHIP) for view in views]
    status = _assess_views(claims, views, measured, screened)
    if len(claims.interests) > 1:
        for claimant, interests in claims.interests.items():
            alone = OwnershipClaims(claims.kinds, {claimant: interests}, claims.subject)
            status = max(status, _assess_alone(alone, screened, day), key=_SEVERITY.index)
    involved = sorted(party for party in listed if any(party in view.members for view in views))
    paths = [path for party in involved for path in _get_view(views, party).paths.find_paths(party)]
    return DeemedOwnership(
        status=status,
        share=create_share_range(max(low for low, _ in measured), max(high for _, high in measured)),
        parties=tuple(involved),
        paths=tuple(paths),
    )


def _assess_alone(claims: OwnershipClaims, screened: _ListedOwners, day: date) -> DeemedStatus:
    """The status by one claimant. It counts only where a listed party is certain or possible: another may know more owners."""
    views = _build_views(claims, day)
    measured = [view.measure(screened.listed, attributed_from=DEEMED_OWNERSHIP) for view in views]
    status = _assess_views(claims, views, measured, screened)
    return status if status in {DeemedStatus.DEEMED, DeemedStatus.POSSIBLE} else DeemedStatus.NOT_DEEMED


def _get_view(views: Sequence[_MeasureView], party: str) -> _MeasureView:
    return next(view for view in views if party in view.members)


def _assess_views(
    claims: OwnershipClaims, views: Sequence[_MeasureView], measured: Sequence[ShareBounds], screened: _ListedOwners
) -> DeemedStatus:
    """The most severe status by the shares of the listed parties in each view."""
    lowest, highest = max(low for low, _ in measured), max(high for _, high in measured)
    if lowest >= DEEMED_OWNERSHIP - TOLERANCE:
        return DeemedStatus.DEEMED
    if highest >= DEEMED_OWNERSHIP - TOLERANCE:
        return DeemedStatus.POSSIBLE
    possible = screened.listed | screened.unscreened
    may_be_listed = any(_may_be_listed(claims, view, possible) for view in views)
    return DeemedStatus.UNDETERMINED if may_be_listed else DeemedStatus.NOT_DEEMED


def _may_be_listed(claims: OwnershipClaims, view: _MeasureView, listed: Collection[str]) -> bool:
    """Whether listed parties, and those that may be listed, could reach half if all unknown owners were listed."""
    unknown = (party for party in view.members if claims.kinds[party] is PartyKind.UNKNOWN)
    owners = {*listed, *unknown, UNKNOWN_OWNER}
    (highest,) = solve_shares(view.table, [owners], highest=True, attributed_from=DEEMED_OWNERSHIP)
    if highest >= DEEMED_OWNERSHIP - TOLERANCE:
        return True
    # Parties that own each other wholly leave nothing open, and yet nobody behind them is known.
    others = {party for party in view.members if claims.kinds[party] in IDENTIFIED and party not in listed}
    (identified,) = solve_shares(view.table, [others], highest=False)
    return 1 - identified >= DEEMED_OWNERSHIP - TOLERANCE


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
