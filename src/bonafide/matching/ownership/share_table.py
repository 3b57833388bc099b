"""The stakes of a graph in the steps in which they are solved: all parties whose owners are known at once.

Parties that own each other are a step of their own.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from bonafide.matching.ownership.cycle_shares import CycleSolver
from bonafide.matching.ownership.ownership_levels import OwnershipLevel
from bonafide.matching.ownership.share_graph import Floats, Numbers, ShareGraph, StakeColumns

NO_PARTY = -1
"""The number where there is no owner. Its share is 0."""


@dataclass(frozen=True, slots=True)
class ChainStep:
    """Parties whose owners are all in earlier steps. Of all stakes, theirs are from `first` to `last`."""

    parties: Numbers
    owned: Numbers
    """The parties that have stakes, in the order of the stakes."""
    starts: Numbers
    """The first stake of each of them, from `first`."""
    first: int
    last: int
    overlapping: "tuple[OverlappingBands, ...]"
    control: "ControlColumns | None"


@dataclass(frozen=True, slots=True)
class OverlappingBands:
    """Parties whose upper ends add up to more than 1: a row for each, a column for each owner. Empty columns have no width."""

    owned: Numbers
    owners: Numbers
    low: Floats
    width: Floats
    left: Floats
    """What the lower ends leave open, for each row."""


@dataclass(frozen=True, slots=True)
class ControlColumns:
    """Control without shares: an owned party and an owner for each."""

    owned: Numbers
    owners: Numbers
    is_certain: NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class CycleStep:
    """Parties that own or control each other, and all other owners of them."""

    parties: Numbers
    owners: Numbers
    solver: CycleSolver


class ShareTable:
    """The steps and stakes of one graph. `levels` come owners first, with the subject in one of them."""

    def __init__(self, graph: ShareGraph, levels: Sequence[OwnershipLevel], subject: int) -> None:
        self.size, self.subject, self.levels = graph.size, subject, len(levels)
        self._graph = graph
        level_of = np.full(graph.size, -1, dtype=np.intp)
        for number, level in enumerate(levels):
            level_of[list(level.chained)] = number
        stakes = _sort_by_level(graph.stakes, level_of)
        self.owners, self.low, self.high = stakes.owners, stakes.low, stakes.high
        first = stakes.find_first_rows()
        ends = np.searchsorted(level_of[stakes.owned[first]], np.arange(len(levels) + 1)).tolist()
        first = np.append(first, len(stakes.owned))
        self.steps: list[ChainStep | CycleStep] = []
        for level, start, end in zip(levels, ends, ends[1:], strict=False):
            if level.chained:
                self.steps.append(self._build_chain(level.chained, stakes.owned[first[start:end]], first[start : end + 1]))
            self.steps += [self._build_cycle(parties) for parties in level.cycles]

    def _build_chain(self, parties: Sequence[int], owned: Numbers, rows: Numbers) -> ChainStep:
        """The step of these parties. `owned` are those with stakes, `rows` their first stakes and the end of the last one's."""
        first, last = int(rows[0]), int(rows[-1])
        return ChainStep(
            parties=np.array(parties, dtype=np.intp),
            owned=owned,
            starts=rows[:-1] - first,
            first=first,
            last=last,
            overlapping=self._build_overlapping(owned, rows[:-1] - first, np.diff(rows), slice(first, last)),
            control=self._build_control(parties),
        )

    def _build_overlapping(self, owned: Numbers, starts: Numbers, counts: Numbers, rows: slice) -> tuple[OverlappingBands, ...]:
        """The bands of the parties whose upper ends add up to more than 1, in groups of about the same number of owners."""
        if not len(owned):
            return ()
        owners, low, high = self.owners[rows], self.low[rows], self.high[rows]
        overlapping = np.flatnonzero(np.add.reduceat(high, starts) > 1)
        if not len(overlapping):
            return ()
        left = 1 - np.add.reduceat(low, starts)
        # Each group has up to twice as many columns as its parties need.
        doublings = np.ceil(np.log2(counts[overlapping])).astype(np.intp)
        groups = []
        for doubling in np.unique(doublings).tolist():
            chosen = overlapping[doublings == doubling]
            column = np.arange(1 << doubling)
            is_owner = column < counts[chosen][:, None]
            row = np.where(is_owner, starts[chosen][:, None] + column, 0)
            groups.append(
                OverlappingBands(
                    owned=owned[chosen],
                    owners=np.where(is_owner, owners[row], NO_PARTY),
                    low=np.where(is_owner, low[row], 0.0),
                    width=np.where(is_owner, high[row] - low[row], 0.0),
                    left=left[chosen],
                )
            )
        return tuple(groups)

    def _build_control(self, parties: Sequence[int]) -> ControlColumns | None:
        controllers = self._graph.controllers
        if not controllers:
            return None
        rows = [row for party in parties for row in controllers.get(party, ())]
        if not rows:
            return None
        owned, owners = (np.array([row[column] for row in rows], dtype=np.intp) for column in (0, 1))
        return ControlColumns(owned, owners, np.array([row.is_certain for row in rows]))

    def _build_cycle(self, parties: Sequence[int]) -> CycleStep:
        solver = CycleSolver(self._graph, parties, self.subject)
        return CycleStep(np.array(parties, dtype=np.intp), np.array(solver.owners, dtype=np.intp), solver)


def _sort_by_level(stakes: StakeColumns, level_of: Numbers) -> StakeColumns:
    """The stakes in the parties that have a level, by level."""
    levels = level_of[stakes.owned]
    order = np.argsort(levels, kind="stable")
    return stakes.select(order[np.searchsorted(levels[order], 0) :])
