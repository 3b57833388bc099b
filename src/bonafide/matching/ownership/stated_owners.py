"""The individuals whom one claimant's ownership statement makes beneficial owners, as they are compared with a register's entry.

The shares are those of the roll-up: through chains, with what the individual controls counted in full at the upper end.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date

import networkx as nx

from bonafide.i18n.message import Message
from bonafide.matching.ownership.roll_up import OwnershipClaims, roll_up
from bonafide.matching.ownership.share_graph import SHARE_KINDS
from bonafide.model.ownership.owner_comparison import StatedOwner, UncomparedOwner
from bonafide.model.ownership.roll_up import BENEFICIAL_OWNERSHIP, BeneficialOwner, ShareRange
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
_BELOW_THRESHOLD = ShareBand(max=BENEFICIAL_OWNERSHIP, exclusive_max=True)


@dataclass(frozen=True, slots=True)
class StatedOwners:
    """The individuals, the parties that can't be compared with individuals, and the share behind which nobody is identified.

    `below` has the individuals whose interests give them less than 25 %.
    """

    owners: tuple[StatedOwner, ...]
    below: tuple[StatedOwner, ...]
    uncompared: tuple[UncomparedOwner, ...]
    unknown_share: ShareRange


def list_stated_owners(statement: OwnershipStatement, subject: str, day: date) -> StatedOwners:
    """The owners of the business with the ID `subject` on a day, and the individuals whose direct interest ended before it."""
    parties = {party.id: party for party in statement.parties}
    claims = OwnershipClaims(
        {party.id: party.kind for party in statement.parties}, {statement.claimed_by: statement.interests}, subject
    )
    result = roll_up(claims, (), day)
    every: dict[str, list[OwnershipInterest]] = defaultdict(list)
    current: dict[str, list[OwnershipInterest]] = defaultdict(list)
    for interest in statement.interests:
        if interest.kind in _OWNING:
            every[interest.owner].append(interest)
            if interest.is_in_force(day):
                current[interest.owner].append(interest)
    owners, uncompared = [], []
    for owner in result.beneficial_owners:
        party = parties[owner.party]
        if party.kind is PartyKind.PERSON:
            owners.append(_describe_owner(party, owner, current[party.id], subject))
        else:
            uncompared.append(UncomparedOwner(name=party.name, kind=party.kind, reason=NOT_AN_INDIVIDUAL))
    connected = _find_connected(current, subject)
    listed = {owner.party for owner in result.beneficial_owners}
    former, below = [], []
    for party in statement.parties:
        if party.kind is not PartyKind.PERSON or party.id in listed:
            continue
        ended = _describe_former_owner(party, [one for one in every[party.id] if one.owned == subject], day)
        if ended is not None:
            former.append(ended)
        elif party.id in connected:
            below.append(_describe_minor_owner(party, [one for one in current[party.id] if one.owned in connected], subject))
    return StatedOwners((*owners, *former), tuple(below), tuple(uncompared), result.unknown_share)


def _find_connected(interests: Mapping[str, Sequence[OwnershipInterest]], subject: str) -> frozenset[str]:
    """The business, and everybody with an interest in it, directly or through others."""
    graph: nx.DiGraph[str] = nx.DiGraph((owner, one.owned) for owner, held in interests.items() for one in held)
    return frozenset({subject, *nx.ancestors(graph, subject)}) if subject in graph else frozenset()


def _describe_owner(
    party: OwnershipParty, owner: BeneficialOwner, interests: Sequence[OwnershipInterest], subject: str
) -> StatedOwner:
    # What a chain is made of further on isn't the individual's own: the trustee of a trust has none of its shares.
    first_links = {subject, *(path.parties[1] for path in owner.paths)}
    held = [one for one in interests if one.owned in first_links]
    is_direct = all(len(path.parties) == 2 for path in owner.paths)  # noqa: PLR2004 - the owner and the business
    # Votes and control alone say nothing about shares.
    has_shares = owner.share.max > 0 and any(one.kind in SHARE_KINDS for one in held)
    has_votes = any(one.kind is InterestKind.VOTES for one in held)
    return StatedOwner(
        name=party.name or party.id,
        party=party.id,
        date_of_birth=party.date_of_birth,
        # The day on which an indirect owner became one isn't that of any single interest.
        from_=_find_first_day(held) if is_direct else None,
        kinds=_list_kinds(held),
        share=_to_band(owner.share, owner.controlled) if has_shares else None,
        votes=_to_band(owner.votes, owner.controlled) if has_votes else None,
    )


def _describe_minor_owner(party: OwnershipParty, held: Sequence[OwnershipInterest], subject: str) -> StatedOwner:
    """An individual who can't reach the threshold: direct shares and votes as they are stated, others below it."""
    is_direct = all(one.owned == subject for one in held)
    return StatedOwner(
        name=party.name or party.id,
        party=party.id,
        date_of_birth=party.date_of_birth,
        from_=_find_first_day(held) if is_direct else None,
        kinds=_list_kinds(held),
        share=_find_minor_band([one for one in held if one.kind in SHARE_KINDS], is_direct=is_direct),
        votes=_find_minor_band([one for one in held if one.kind is InterestKind.VOTES], is_direct=is_direct),
    )


def _find_minor_band(held: Sequence[OwnershipInterest], *, is_direct: bool) -> ShareBand | None:
    if not held:
        return None
    stated = held[0].share if is_direct and len(held) == 1 else None
    return stated if stated is not None else _BELOW_THRESHOLD


def _describe_former_owner(party: OwnershipParty, direct: Sequence[OwnershipInterest], day: date) -> StatedOwner | None:
    """An individual all of whose direct interests have ended; None for any other."""
    ends = [interest.to for interest in direct if interest.to is not None and not interest.is_in_force(day)]
    if not direct or len(ends) < len(direct) or max(ends) >= day.isoformat():
        return None
    return StatedOwner(
        name=party.name or party.id,
        party=party.id,
        date_of_birth=party.date_of_birth,
        from_=min((interest.from_ for interest in direct if interest.from_ is not None), default=None),
        to=max(ends),
        kinds=_list_kinds(direct),
    )


def _list_kinds(interests: Sequence[OwnershipInterest]) -> tuple[InterestKind, ...]:
    return tuple(kind for kind in InterestKind if any(one.kind is kind for one in interests))


def _find_first_day(interests: Sequence[OwnershipInterest]) -> str | None:
    """The first day of all interests; None unless each states one."""
    starts = [one.from_ for one in interests]
    return min((start for start in starts if start is not None), default=None) if None not in starts else None


def _to_band(share: ShareRange, controlled: ShareRange) -> ShareBand | None:
    """Everything that either way of counting allows; None if that is any share."""
    low, high = min(share.min, controlled.min), max(share.max, controlled.max)
    if low == high:
        return ShareBand(exact=low)
    return ShareBand(min=low, max=high) if (low, high) != (0.0, 1.0) else None
