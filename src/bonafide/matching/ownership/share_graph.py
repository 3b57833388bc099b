"""The graph of direct shares and of control: one row for each owner and owned party, with the bounds of the share.

The bounds hold whichever claimant is right about a party's owners: the lowest share is the lowest that any claimant of that party's
owners gives (0 if it doesn't know the owner), the highest share is the highest that any of them gives.

A party is a number: its place in the sequence of all parties.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from itertools import chain
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from bonafide.model.ownership.statement import OPEN_END, Claimant, InterestKind, OwnershipInterest, ShareBand

SHARE_KINDS = frozenset({InterestKind.SHARES, InterestKind.BENEFICIARY})
CERTAIN_CONTROL = frozenset({InterestKind.CONTROL, InterestKind.TRUSTEE})
POSSIBLE_CONTROL = frozenset({InterestKind.SETTLOR})
"""A settlor may have kept powers. A director has none alone, and is no part of a roll-up."""
CONTROL = CERTAIN_CONTROL | POSSIBLE_CONTROL
ROUNDING = 1e-12
"""The error of a sum of shares: smaller differences are none."""
Numbers = NDArray[np.intp]
Floats = NDArray[np.float64]
Bounds = tuple[float, float]
"""The lowest and the highest share."""
StakeRow = tuple[int, int, float, float]
"""A direct share: the owned party, the owner, the lowest and the highest share."""


class ControlRow(NamedTuple):
    """Control without shares."""

    owned: int
    owner: int
    kind: InterestKind

    @property
    def is_certain(self) -> bool:
        """Whether the interest gives control by itself."""
        return self.kind in CERTAIN_CONTROL


@dataclass(frozen=True, slots=True)
class StakeColumns:
    """Stakes as arrays, sorted by the owned party and then by the owner. No pair is there twice."""

    owned: Numbers
    owners: Numbers
    low: Floats
    high: Floats

    def select(self, rows: NDArray[np.bool_] | Numbers) -> "StakeColumns":
        """Some of the rows."""
        return StakeColumns(self.owned[rows], self.owners[rows], self.low[rows], self.high[rows])

    def extend(self, others: "StakeColumns") -> "StakeColumns":
        """These and others, whose owner has a higher number than all of these."""
        extended = StakeColumns(
            np.concatenate((self.owned, others.owned)),
            np.concatenate((self.owners, others.owners)),
            np.concatenate((self.low, others.low)),
            np.concatenate((self.high, others.high)),
        )
        return extended.select(np.argsort(extended.owned, kind="stable"))

    def find_first_rows(self) -> Numbers:
        """The first row of each owned party."""
        return np.flatnonzero(np.diff(self.owned, prepend=-1))

    def find_rows(self, party: int) -> slice:
        """The rows of an owned party."""
        return slice(*np.searchsorted(self.owned, (party, party + 1)).tolist())


@dataclass(frozen=True, slots=True)
class ShareGraph:
    """The direct owners and controllers of each of `size` parties, for either shares or votes."""

    size: int
    stakes: StakeColumns
    controllers: Mapping[int, Sequence[ControlRow]]
    """By the controlled party."""

    def list_edges(self) -> tuple[Numbers, Numbers]:
        """The owned or controlled party of each row, and the owner or controller."""
        rows = [row for rows in self.controllers.values() for row in rows]
        if not rows:
            return self.stakes.owned, self.stakes.owners
        owned, owners = (np.array([row[column] for row in rows], dtype=np.intp) for column in (0, 1))
        return np.concatenate((self.stakes.owned, owned)), np.concatenate((self.stakes.owners, owners))


@dataclass(frozen=True, slots=True)
class ClaimedInterests:
    """The interests in force, for each claimant: shares (with the benefits of trusts), votes, and control without shares."""

    size: int
    shares: Mapping[Claimant, StakeColumns]
    votes: Mapping[Claimant, StakeColumns]
    control: Mapping[Claimant, Sequence[ControlRow]]

    @property
    def claimants(self) -> tuple[Claimant, ...]:
        """All claimants."""
        return tuple(self.shares)

    def select(self, claimant: Claimant) -> "ClaimedInterests":
        """The interests that one claimant states."""
        return ClaimedInterests(
            self.size,
            {claimant: self.shares[claimant]},
            {claimant: self.votes[claimant]},
            {claimant: self.control[claimant]},
        )

    def build_graphs(self) -> dict[InterestKind, ShareGraph]:
        """The graph of shares and, where any votes are stated, that of votes. Votes of a party that nobody states follow shares."""
        controllers: dict[int, list[ControlRow]] = {}
        for row in dict.fromkeys(row for rows in self.control.values() for row in rows):
            controllers.setdefault(row.owned, []).append(row)
        graphs = {InterestKind.SHARES: ShareGraph(self.size, combine_claims(self.size, tuple(self.shares.values())), controllers)}
        if any(len(votes.owned) for votes in self.votes.values()):
            has_votes = np.zeros(self.size, dtype=bool)
            for votes in self.votes.values():
                has_votes[votes.owned] = True
            follow = (shares.select(~has_votes[shares.owned]) for shares in self.shares.values())
            stakes = combine_claims(self.size, (*self.votes.values(), *follow))
            graphs[InterestKind.VOTES] = ShareGraph(self.size, stakes, controllers)
        return graphs


def read_interests(
    claims: Mapping[Claimant, Sequence[OwnershipInterest]], numbers: Mapping[str, int], size: int, day: date
) -> ClaimedInterests:
    """The interests in force on a day. `numbers` are those of the parties by ID, all below `size`."""
    shares, votes, control = {}, {}, {}
    for claimant, interests in claims.items():
        share_rows: list[StakeRow] = []
        vote_rows: list[StakeRow] = []
        control[claimant] = control_rows = list[ControlRow]()
        for interest in interests:
            kind = interest.kind
            if not interest.is_in_force(day):
                continue
            if kind in SHARE_KINDS:
                share_rows.append((numbers[interest.owned], numbers[interest.owner], *_get_bounds(interest.share)))
            elif kind is InterestKind.VOTES:
                vote_rows.append((numbers[interest.owned], numbers[interest.owner], *_get_bounds(interest.share)))
            elif kind in CONTROL:
                control_rows.append(ControlRow(numbers[interest.owned], numbers[interest.owner], kind))
        shares[claimant], votes[claimant] = add_up_stakes(size, share_rows), add_up_stakes(size, vote_rows)
    return ClaimedInterests(size, shares, votes, control)


def _get_bounds(share: ShareBand | None) -> Bounds:
    if share is None:
        return 0.0, 1.0
    if share.exact is not None:
        return share.exact, share.exact
    return share.low + OPEN_END * share.exclusive_min, share.high - OPEN_END * share.exclusive_max


def add_up_stakes(size: int, rows: Iterable[StakeRow]) -> StakeColumns:
    """The stakes of rows in any order. What an owner has of one party through several rows is added up, to at most 1."""
    table = np.fromiter(chain.from_iterable(rows), np.float64).reshape(-1, 4)
    keys = table[:, 0].astype(np.intp) * size + table[:, 1].astype(np.intp)
    order, first, keys = _group_keys(keys)
    if not len(keys):
        return StakeColumns(keys, keys, table[:, 2], table[:, 3])
    low, high = (np.minimum(np.add.reduceat(table[order, column], first), 1.0) for column in (2, 3))
    return StakeColumns(keys // size, keys % size, low, high)


def combine_claims(size: int, claims: Sequence[StakeColumns]) -> StakeColumns:
    """The stakes that hold whichever of the claimants is right, tightened: all shares of a party add up to at most 1."""
    return tighten_stakes(claims[0] if len(claims) == 1 else unite_stakes(size, claims))


def unite_stakes(size: int, several: Sequence[StakeColumns]) -> StakeColumns:
    """Every owner of all these, with the smallest lowest share and the largest highest one of those that name owners of a party."""
    counts = np.zeros(size, dtype=np.intp)
    for stakes in several:
        counts[stakes.owned[stakes.find_first_rows()]] += 1
    if not counts.any():
        return add_up_stakes(size, ())
    order, first, keys = _group_keys(np.concatenate([stakes.owned * size + stakes.owners for stakes in several]))
    owned = keys // size
    low = np.minimum.reduceat(np.concatenate([stakes.low for stakes in several])[order], first)
    high = np.maximum.reduceat(np.concatenate([stakes.high for stakes in several])[order], first)
    # Whoever doesn't name an owner says that it has nothing.
    low[np.diff(first, append=len(order)) < counts[owned]] = 0.0
    return StakeColumns(owned, keys % size, low, high)


def _group_keys(keys: Numbers) -> tuple[Numbers, Numbers, Numbers]:
    """The order that sorts the keys, the first place of each different key in that order, and the different keys."""
    order = np.argsort(keys, kind="stable")
    keys = keys[order]
    first = np.flatnonzero(np.diff(keys, prepend=-1))
    return order, first, keys[first]


def tighten_stakes(stakes: StakeColumns) -> StakeColumns:
    """The stakes without what is impossible because all shares of a party add up to at most 1.

    An owner for whom nothing is left, or no more than the error of a sum, has no stake. Lower ends that add up to more than 1
    contradict each other: each is lowered by the excess, so that any of the stated shares stays possible.
    """
    if not len(stakes.owned):
        return stakes
    first = stakes.find_first_rows()
    party = np.repeat(np.arange(len(first)), np.diff(first, append=len(stakes.owned)))
    low = stakes.low
    left = 1 - np.add.reduceat(low, first)
    if (left < -ROUNDING).any():
        low = np.maximum(0.0, low + np.where(left < -ROUNDING, left, 0.0)[party])
        left = 1 - np.add.reduceat(low, first)
    left = np.where(left < ROUNDING, 0.0, left)[party]
    high = np.where(stakes.high - low <= left, stakes.high, low + left)
    return StakeColumns(stakes.owned, stakes.owners, low, high).select(high > ROUNDING)
