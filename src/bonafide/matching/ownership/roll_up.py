"""What the claims about the owners of a business add up to: ultimate owners at 25 % and 50 %, and ownership by listed parties."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from bonafide.matching.ownership.cycle_shares import TOLERANCE
from bonafide.matching.ownership.ownership_network import IDENTIFIED, NumberedParties, OwnershipNetwork, order_ends
from bonafide.matching.ownership.ownership_paths import create_share_range
from bonafide.matching.ownership.share_graph import Bounds, ClaimedInterests, read_interests
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
from bonafide.model.ownership.statement import Claimant, OwnershipInterest, PartyKind

MAJORITY = DEEMED_OWNERSHIP + 10 * TOLERANCE
"""More than half. A party with a majority directs what is held by the party that it owns."""
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
    parties = NumberedParties(claims.kinds, claims.subject)
    interests = read_interests(claims.interests, parties.numbers, len(parties.names), day)
    network = OwnershipNetwork(parties, interests)
    owners, unknown_share = _find_beneficial_owners(network)
    return OwnershipRollUp(
        beneficial_owners=owners,
        deemed_sanctioned=_assess_listed(network, interests, _select_listed(parties, listed, unscreened)),
        unknown_share=unknown_share,
    )


def assess_deemed_ownership(
    claims: OwnershipClaims, listed: Collection[str], day: date, unscreened: Collection[str] = frozenset()
) -> DeemedOwnership:
    """The ownership by listed parties on a day, without the rest of the roll-up."""
    parties = NumberedParties(claims.kinds, claims.subject)
    interests = read_interests(claims.interests, parties.numbers, len(parties.names), day)
    return _assess_listed(OwnershipNetwork(parties, interests), interests, _select_listed(parties, listed, unscreened))


@dataclass(frozen=True, slots=True)
class _ListedParties:
    """The owners that are listed, and those that could not be screened, by their numbers."""

    listed: frozenset[int]
    unscreened: frozenset[int]


def _select_listed(parties: NumberedParties, listed: Collection[str], unscreened: Collection[str]) -> _ListedParties:
    """The owners only: a listed business is sanctioned itself, not by ownership."""
    return _ListedParties(parties.find(listed) - {parties.subject}, parties.find(unscreened) - {parties.subject})


def _find_beneficial_owners(network: OwnershipNetwork) -> tuple[tuple[BeneficialOwner, ...], ShareRange]:
    """The beneficial owners, and what persons and governments don't have."""
    candidates = network.list_candidates(BENEFICIAL_OWNERSHIP)
    # No share is larger than that with everything that the owner may control.
    reached = network.find_highest([{party} for party in candidates], MAJORITY)
    highest = {party: share for party, share in zip(candidates, reached, strict=True) if share >= BENEFICIAL_OWNERSHIP - TOLERANCE}
    sets = [{party} for party in highest]
    *shares, (identified_low, identified_high) = network.measure_shares([*sets, network.identified])
    votes = network.measure_votes(sets) if network.has_votes else shares
    controlled = zip(network.find_lowest(sets, MAJORITY), highest.values(), strict=True)
    measured = [
        _MeasuredOwner(party, network.parties.names[party], network.parties.kinds[party], *bounds)
        for party, *bounds in zip(highest, shares, votes, order_ends(controlled), strict=True)
    ]
    owners = sorted((owner for owner in measured if owner.list_bases()), key=_MeasuredOwner.rank)
    paths = network.paths.find_paths([owner.number for owner in owners])
    described = tuple(_describe_owner(owner, chains) for owner, chains in zip(owners, paths, strict=True))
    return described, create_share_range(max(0.0, 1 - identified_high), max(0.0, 1 - identified_low))


@dataclass(frozen=True, slots=True)
class _MeasuredOwner:
    number: int
    party: str
    kind: PartyKind
    share: Bounds
    votes: Bounds
    controlled: Bounds

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


# ------------------------------------------------------------------------------------------------------- listed parties


def _assess_listed(network: OwnershipNetwork, interests: ClaimedInterests, screened: _ListedParties) -> DeemedOwnership:
    """The ownership by listed parties, by all claims together and by those of each claimant: the most severe status counts."""
    share = _measure_listed(network, screened)
    status = _assess_share(network, share, screened)
    if len(interests.claimants) > 1:
        for claimant in interests.claimants:
            alone = OwnershipNetwork(network.parties, interests.select(claimant))
            status = max(status, _assess_alone(alone, screened), key=_SEVERITY.index)
    names = network.parties.names
    involved = sorted((party for party in network.members if party in screened.listed), key=names.__getitem__)
    return DeemedOwnership(
        status=status,
        share=create_share_range(share.low, share.high),
        parties=tuple(names[party] for party in involved),
        paths=tuple(path for paths in network.paths.find_paths(involved) for path in paths),
    )


def _assess_alone(network: OwnershipNetwork, screened: _ListedParties) -> DeemedStatus:
    """The status by one claimant. It counts only where a listed party is certain or possible: another may know more owners."""
    status = _assess_share(network, _measure_listed(network, screened), screened)
    return status if status in {DeemedStatus.DEEMED, DeemedStatus.POSSIBLE} else DeemedStatus.NOT_DEEMED


@dataclass(frozen=True, slots=True)
class _ListedShare:
    """The lowest and the highest share of the listed parties, and the highest if all are listed that may be."""

    low: float
    high: float
    highest_possible: float


def _measure_listed(network: OwnershipNetwork, screened: _ListedParties) -> _ListedShare:
    kinds = network.parties.kinds
    unknown = (party for party in network.members if kinds[party] is PartyKind.UNKNOWN)
    possible = {*screened.listed, *screened.unscreened, *unknown, network.parties.unknown_owner}
    (low,) = network.find_lowest([screened.listed], DEEMED_OWNERSHIP)
    high, highest_possible = network.find_highest([screened.listed, possible], DEEMED_OWNERSHIP)
    return _ListedShare(low, max(low, high), highest_possible)


def _assess_share(network: OwnershipNetwork, share: _ListedShare, screened: _ListedParties) -> DeemedStatus:
    if share.low >= DEEMED_OWNERSHIP - TOLERANCE:
        return DeemedStatus.DEEMED
    if share.high >= DEEMED_OWNERSHIP - TOLERANCE:
        return DeemedStatus.POSSIBLE
    if share.highest_possible >= DEEMED_OWNERSHIP - TOLERANCE:
        return DeemedStatus.UNDETERMINED
    # Parties that own each other wholly leave nothing open, and yet nobody behind them is known.
    others = network.identified - screened.listed - screened.unscreened
    is_open = network.find_lowest_without_control(others) <= 1 - DEEMED_OWNERSHIP + TOLERANCE
    return DeemedStatus.UNDETERMINED if is_open else DeemedStatus.NOT_DEEMED
