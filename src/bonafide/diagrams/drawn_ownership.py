"""Select what a diagram of ownership shows: all parties and lines, or those on the way from large owners if there are too many."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from bonafide.model.ownership.answer import ClaimedInterest, ClaimedParty, OwnershipAnswer
from bonafide.model.ownership.roll_up import OwnershipPath
from bonafide.model.ownership.statement import MEASURED, Claimant

MAX_PARTIES = 200
"""A diagram of more can't be read."""
MAX_LINES = 300
"""The same of lines, and the layout takes longer with each of them (`docs/adr/0023-ownership-diagrams.md`)."""


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
    """The parties and lines of a diagram, and how many are left out. A party's interests in itself are no lines.

    `left_out_lines` are those between parties that could be drawn.
    """

    parties: tuple[ClaimedParty, ...]
    lines: tuple[DrawnLine, ...]
    own_interests: dict[str, tuple[ClaimedInterest, ...]]
    left_out: int
    left_out_lines: int
    listed: frozenset[str]
    """IDs of the parties with open sanctions hits."""


def select_drawn(answer: OwnershipAnswer) -> DrawnOwnership:
    """What is drawn: the interests in force on the day of the answer, up to `MAX_PARTIES` parties and `MAX_LINES` lines."""
    ids = {party.id for party in answer.parties}
    drawn = ids if len(ids) <= MAX_PARTIES else set(_select_parties(answer))
    current = [
        interest
        for interest in answer.interests
        if interest.owner in drawn and interest.owned in drawn and interest.is_in_force(answer.as_of)
    ]
    lines = list(_group_lines(one for one in current if one.owner != one.owned))
    kept = _select_lines(answer, lines)
    if len(kept) < len(lines):
        # A party without any of its lines would look like one without interests.
        cut_off = _list_ends(lines) - _list_ends(kept) - {answer.party}
        drawn = drawn - cut_off
    own = {party: tuple(one for one in current if one.owner == one.owned == party) for party in drawn}
    return DrawnOwnership(
        parties=tuple(party for party in answer.parties if party.id in drawn),
        lines=tuple(kept),
        own_interests={party: interests for party, interests in own.items() if interests},
        left_out=len(ids) - len(drawn),
        left_out_lines=len(lines) - len(kept),
        listed=frozenset(answer.deemed_sanctioned.parties) if answer.deemed_sanctioned is not None else frozenset(),
    )


def _select_parties(answer: OwnershipAnswer) -> Iterator[str]:
    """The business, and the parties on the paths of listed owners and of owners of 25 %, the largest first, while there is room."""
    drawn = {answer.party} if answer.party is not None else set()
    for path in _list_paths(answer):
        if len(drawn | set(path.parties)) <= MAX_PARTIES:
            drawn |= set(path.parties)
    yield from drawn


def _list_paths(answer: OwnershipAnswer) -> Iterator[OwnershipPath]:
    """The paths of listed owners, then those of owners of 25 %, the largest first."""
    if answer.deemed_sanctioned is not None:
        yield from answer.deemed_sanctioned.paths
    for owner in answer.beneficial_owners:
        yield from owner.paths


def _select_lines(answer: OwnershipAnswer, lines: Sequence[DrawnLine]) -> list[DrawnLine]:
    """The lines in their order; of too many, those on the paths of listed owners and of owners of 25 % first."""
    if len(lines) <= MAX_LINES:
        return list(lines)
    ranks: dict[tuple[str, str], int] = {}
    for path in _list_paths(answer):
        for ends in pairwise(path.parties):
            ranks.setdefault(ends, len(ranks))
    by_rank = sorted(range(len(lines)), key=lambda place: ranks.get((lines[place].owner, lines[place].owned), len(ranks)))
    return [lines[place] for place in sorted(by_rank[:MAX_LINES])]


def _list_ends(lines: Iterable[DrawnLine]) -> set[str]:
    return {end for line in lines for end in (line.owner, line.owned)}


def _group_lines(interests: Iterable[ClaimedInterest]) -> Iterator[DrawnLine]:
    groups: dict[tuple[str, str, Claimant, bool], list[ClaimedInterest]] = {}
    for interest in interests:
        key = (interest.owner, interest.owned, interest.claimed_by, interest.kind not in MEASURED)
        groups.setdefault(key, []).append(interest)
    for (owner, owned, claimant, is_control), group in groups.items():
        yield DrawnLine(owner, owned, claimant, is_control, tuple(group))
