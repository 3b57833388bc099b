"""Select what a diagram of ownership shows: all parties, or those on the way from large owners if there are too many."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from bonafide.model.ownership.answer import ClaimedInterest, ClaimedParty, OwnershipAnswer
from bonafide.model.ownership.statement import MEASURED, Claimant

MAX_PARTIES = 200
"""A diagram of more can't be read."""


@dataclass(frozen=True, slots=True)
class DrawnLine:
    """What one claimant says of one party's interests in another: those with a share, or those without, which are control."""

    owner: str
    owned: str
    claimed_by: Claimant
    is_control: bool
    interests: tuple[ClaimedInterest, ...]


@dataclass(frozen=True, slots=True)
class DrawnOwnership:
    """The parties and lines of a diagram, and how many parties are left out. A party's interests in itself are no lines."""

    parties: tuple[ClaimedParty, ...]
    lines: tuple[DrawnLine, ...]
    own_interests: dict[str, tuple[ClaimedInterest, ...]]
    left_out: int
    listed: frozenset[str]
    """IDs of the parties that are on a sanctions list."""


def select_drawn(answer: OwnershipAnswer) -> DrawnOwnership:
    """What is drawn: the interests in force on the day of the answer, and up to `MAX_PARTIES` parties."""
    ids = {party.id for party in answer.parties}
    drawn = ids if len(ids) <= MAX_PARTIES else set(_select_parties(answer))
    current = [
        interest
        for interest in answer.interests
        if interest.owner in drawn and interest.owned in drawn and interest.is_in_force(answer.as_of)
    ]
    own = {party: tuple(one for one in current if one.owner == one.owned == party) for party in drawn}
    return DrawnOwnership(
        parties=tuple(party for party in answer.parties if party.id in drawn),
        lines=tuple(_group_lines(one for one in current if one.owner != one.owned)),
        own_interests={party: interests for party, interests in own.items() if interests},
        left_out=len(ids) - len(drawn),
        listed=frozenset(answer.deemed_sanctioned.parties) if answer.deemed_sanctioned is not None else frozenset(),
    )


def _select_parties(answer: OwnershipAnswer) -> Iterator[str]:
    """The business, and the parties on the paths of listed owners and of owners of 25 %, the largest first, while there is room."""
    deemed = answer.deemed_sanctioned
    paths = [*(deemed.paths if deemed is not None else ()), *(path for owner in answer.beneficial_owners for path in owner.paths)]
    drawn = {answer.party} if answer.party is not None else set()
    for path in paths:
        if len(drawn | set(path.parties)) <= MAX_PARTIES:
            drawn |= set(path.parties)
    yield from drawn


def _group_lines(interests: Iterable[ClaimedInterest]) -> Iterator[DrawnLine]:
    groups: dict[tuple[str, str, Claimant, bool], list[ClaimedInterest]] = {}
    for interest in interests:
        key = (interest.owner, interest.owned, interest.claimed_by, interest.kind not in MEASURED)
        groups.setdefault(key, []).append(interest)
    for (owner, owned, claimant, is_control), group in groups.items():
        yield DrawnLine(owner, owned, claimant, is_control, tuple(group))
