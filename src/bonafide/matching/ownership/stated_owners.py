"""The individuals whom one claimant's ownership statement makes beneficial owners, as they are compared with a register's entry.

The shares are those of the roll-up: through chains, with what the individual controls counted in full at the upper end.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from bonafide.i18n.message import Message
from bonafide.matching.ownership.roll_up import OwnershipClaims, roll_up
from bonafide.model.ownership.owner_comparison import StatedOwner, UncomparedOwner
from bonafide.model.ownership.roll_up import BeneficialOwner, OwnershipBasis, ShareRange
from bonafide.model.ownership.statement import (
    InterestKind,
    OwnershipInterest,
    OwnershipParty,
    OwnershipStatement,
    PartyKind,
    ShareBand,
)

NOT_AN_INDIVIDUAL = Message("Not an individual, and the individuals behind it are unknown.")
_OWNING = frozenset(InterestKind) - {InterestKind.DIRECTOR}
"""The interests that can make an individual an owner."""


@dataclass(frozen=True, slots=True)
class StatedOwners:
    """The individuals, the parties that can't be compared with individuals, and the share behind which nobody is identified."""

    owners: tuple[StatedOwner, ...]
    uncompared: tuple[UncomparedOwner, ...]
    unknown_share: ShareRange


def list_stated_owners(statement: OwnershipStatement, subject: str, day: date) -> StatedOwners:
    """The owners of the business with the ID `subject` on a day, and the individuals whose direct interest ended before it."""
    parties = {party.id: party for party in statement.parties}
    claims = OwnershipClaims(
        {party.id: party.kind for party in statement.parties}, {statement.claimed_by: statement.interests}, subject
    )
    result = roll_up(claims, (), day)
    owners, uncompared = [], []
    for owner in result.beneficial_owners:
        party = parties[owner.party]
        if party.kind is PartyKind.PERSON:
            direct = _list_direct(statement, party.id, subject)
            owners.append(_describe_owner(party, owner, [interest for interest in direct if interest.is_in_force(day)]))
        else:
            uncompared.append(UncomparedOwner(name=party.name, kind=party.kind, reason=NOT_AN_INDIVIDUAL))
    current = {owner.party for owner in owners}
    former = [
        _describe_former_owner(party, _list_direct(statement, party.id, subject), day)
        for party in statement.parties
        if party.kind is PartyKind.PERSON and party.id not in current
    ]
    return StatedOwners((*owners, *(one for one in former if one is not None)), tuple(uncompared), result.unknown_share)


def _list_direct(statement: OwnershipStatement, party: str, subject: str) -> list[OwnershipInterest]:
    return [one for one in statement.interests if one.owner == party and one.owned == subject and one.kind in _OWNING]


def _describe_owner(party: OwnershipParty, owner: BeneficialOwner, direct: Sequence[OwnershipInterest]) -> StatedOwner:
    stated = {interest.kind for interest in direct} | {InterestKind(kind) for path in owner.paths for kind in path.kinds}
    if OwnershipBasis.VOTES in owner.bases and any(interest.kind is InterestKind.VOTES for interest in direct):
        stated.add(InterestKind.VOTES)
    starts = [interest.from_ for interest in direct]
    is_direct = bool(direct) and all(len(path.parties) == 2 for path in owner.paths)  # noqa: PLR2004 - the owner and the business
    return StatedOwner(
        name=party.name or party.id,
        party=party.id,
        date_of_birth=party.date_of_birth,
        # The day on which an indirect owner became one isn't that of any single interest.
        from_=min((start for start in starts if start is not None), default=None) if is_direct and None not in starts else None,
        kinds=tuple(kind for kind in InterestKind if kind in stated),
        share=_to_band(owner.share, owner.controlled),
        votes=_to_band(owner.votes, owner.controlled) if InterestKind.VOTES in stated else None,
    )


def _describe_former_owner(party: OwnershipParty, direct: Sequence[OwnershipInterest], day: date) -> StatedOwner | None:
    """An individual all of whose direct interests have ended; None for any other."""
    ends = [interest.to for interest in direct if interest.to is not None and not interest.is_in_force(day)]
    if not direct or len(ends) < len(direct) or max(ends) >= day.isoformat():
        return None
    starts = [interest.from_ for interest in direct if interest.from_ is not None]
    return StatedOwner(
        name=party.name or party.id,
        party=party.id,
        date_of_birth=party.date_of_birth,
        from_=min(starts, default=None),
        to=max(ends),
        kinds=tuple(kind for kind in InterestKind if any(interest.kind is kind for interest in direct)),
    )


def _to_band(share: ShareRange, controlled: ShareRange) -> ShareBand | None:
    """Everything that either way of counting allows; None if that is any share."""
    low, high = min(share.min, controlled.min), max(share.max, controlled.max)
    if low == high:
        return ShareBand(exact=low)
    return ShareBand(min=low, max=high) if (low, high) != (0.0, 1.0) else None
