"""The lowest and the highest effective share of a set of parties in parties that own each other.

Through a cycle, the effective share is the limit of the series, which is the smallest solution of linear equations. For the highest
value, each party distributes what its bands leave open, at most 1 in all, to the owners with the highest values.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from bonafide.matching.ownership.share_graph import ROUNDING, Floats, ShareGraph

TOLERANCE = 1e-9
BETTER = 1e-12
"""A distribution is better if what it moves gains more than this fraction of its value. Rounding errors are smaller."""
WEIGHT_ERROR = 1e-15
"""The rounding errors of weights: a gain must be larger than this fraction of all values of a party, too."""
MAX_LINKS = 300.0
"""The mean length of the chains within a cycle up to which rounding errors stay far below `BETTER`."""
MORE_ROUNDS = 50
"""Improving the distributions takes a few rounds. More than the number of parties plus this is treated as a failure."""
Flags = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Measure:
    """Whether the highest or the lowest share is wanted, and which control counts.

    A party of which the owners hold `attributed_from`, or which they control, counts as one of them, so that its holdings count in
    full; None multiplies shares only. The subject counts as one of them by control alone: its share is the result.
    """

    highest: bool
    attributed_from: float | None = None


class CycleSolver:
    """The parties of one cycle, and all that own or control them: `owners`, whose shares have to be known.

    `high` has the highest shares: a row for each party, a column for each party and each owner.
    """

    def __init__(self, graph: ShareGraph, parties: Sequence[int], subject: int) -> None:
        self._size = len(parties)
        place = {party: number for number, party in enumerate(parties)}
        stakes = graph.stakes
        rows = [(row, stakes.find_rows(party)) for row, party in enumerate(parties)]
        control = [(row, edge) for row, party in enumerate(parties) for edge in graph.controllers.get(party, ())]
        for owner in (*(owner for _, held in rows for owner in stakes.owners[held].tolist()), *(edge.owner for _, edge in control)):
            place.setdefault(owner, len(place))
        self.parties, self.owners = tuple(parties), tuple(place)[self._size :]
        self._low, self.high = np.zeros((self._size, len(place))), np.zeros((self._size, len(place)))
        for row, held in rows:
            columns = [place[owner] for owner in stakes.owners[held].tolist()]
            self._low[row, columns] = stakes.low[held]
            self.high[row, columns] = stakes.high[held]
        self._width = self.high - self._low
        self._left = 1 - self._low.sum(axis=1)
        self._control = [(row, place[edge.owner], edge.is_certain) for row, edge in control]
        self._subject = place.get(subject, -1)

    def list_controllers(self) -> list[int]:
        """The owners that control a party without shares, by their number in `owners`."""
        return sorted({owner - self._size for _, owner, _ in self._control if owner >= self._size})

    def solve(self, owners: Floats, is_owner: Flags, measure: Measure) -> Floats:
        """The share in each party, by that in each owner. `is_owner` marks the parties of the cycle that count as owners.

        Attribution makes a party one of them, and the rest is solved again.
        """
        values = np.concatenate((is_owner.astype(np.float64), owners))
        shares = values[: self._size]
        while True:
            self._attribute_directly(values, measure)
            free = shares < 1.0
            shares[free] = 0.0
            self._solve_free(np.flatnonzero(free), values, highest=measure.highest)
            attributed = self._find_attributed(shares, values, measure) & free & (shares < 1.0)
            if not attributed.any():
                return shares
            shares[attributed] = 1.0

    def _attribute_directly(self, values: Floats, measure: Measure) -> None:
        """Attribute what the owners hold without any other party between, which needs no equations."""
        if measure.attributed_from is None:
            return
        shares = values[: self._size]
        while True:
            counts = values >= 1 - TOLERANCE
            held = self._low[:, counts].sum(axis=1)
            if measure.highest:
                held = np.minimum(self.high[:, counts].sum(axis=1), held + self._left)
            attributed = self._find_attributed(held, values, measure) & (shares < 1.0)
            if not attributed.any():
                return
            shares[attributed] = 1.0

    def _find_attributed(self, shares: Floats, values: Floats, measure: Measure) -> Flags:
        if measure.attributed_from is None:
            return np.zeros(self._size, dtype=bool)
        attributed = shares >= measure.attributed_from - TOLERANCE
        if 0 <= self._subject < self._size:
            attributed[self._subject] = False
        for row, owner, is_certain in self._control:
            if (measure.highest or is_certain) and values[owner] >= 1 - TOLERANCE:
                attributed[row] = True
        return attributed

    def _solve_free(self, free: NDArray[np.intp], values: Floats, *, highest: bool) -> None:
        """Set the values of the free parties; for the highest, improve the distribution until none is better (policy iteration).

        If it doesn't end, every party in which the owners can have a share is counted as theirs: a bound, and never too low.
        """
        weights = self._low[free]
        _solve_equations(free, weights, values)
        if not highest:
            return
        for _ in range(len(free) + MORE_ROUNDS):
            better = self._distribute(free, values)
            moved = better - weights
            rows = moved @ values > BETTER * (np.abs(moved) @ values) + WEIGHT_ERROR * (better @ values)
            if not rows.any():
                return
            weights = np.where(rows[:, None], better, weights)
            _solve_equations(free, weights, values)
        values[free[values[free] > 0]] = 1.0

    def _distribute(self, free: NDArray[np.intp], values: Floats) -> Floats:
        """The weights within the bands, at most 1 in all for each party, that make its sum of weighted values largest."""
        order = np.argsort(-values, kind="stable")
        width = self._width[np.ix_(free, order)]
        before = np.cumsum(width, axis=1) - width
        weights = self._low[free]
        weights[:, order] += np.clip(self._left[free, None] - before, 0.0, width)
        return weights


def _solve_equations(free: NDArray[np.intp], weights: Floats, values: Floats) -> None:
    """Set the smallest solution of: the value of a free party is the weighted sum of the values of its owners."""
    values[free] = 0.0
    gained, matrix = weights @ values, weights[:, free]
    # Parties from which no value outside is reached have the value 0.
    reached = gained > 0
    while (more := (matrix[:, reached] > 0).any(axis=1) & ~reached).any():
        reached |= more
    if not reached.any():
        return
    gained, inside = gained[reached], matrix[np.ix_(reached, reached)]
    solution = _solve_open_cycle(inside, gained)
    if solution is None:
        outside = weights[reached]
        outside[:, free[reached]] = 0.0
        left_open = 1 - weights[reached].sum(axis=1)
        leaving = outside.sum(axis=1) + np.where(left_open > ROUNDING, left_open, 0.0)
        solution = _eliminate(np.column_stack((leaving, gained, inside)))
    values[free[reached]] = np.clip(solution, 0.0, 1.0)


def _solve_open_cycle(inside: Floats, gained: Floats) -> Floats | None:
    """The solution of a system that is far from singular; None for any other: its rounding errors would be too large."""
    try:
        solution, links = np.linalg.solve(np.eye(len(inside)) - inside, np.column_stack((gained, np.ones(len(inside))))).T
    except np.linalg.LinAlgError:
        return None
    return solution.astype(np.float64) if links.min() > 0 and links.max() < MAX_LINKS else None


def _eliminate(system: Floats) -> Floats:
    """The solution, exact however little leaves the cycle: the elimination of Grassmann, Taksar and Heyman subtracts nothing.

    A row of the system has what leaves the cycle from a party, what of it the owners have, and the shares within the cycle.
    """
    for last in range(len(system) - 1, -1, -1):
        row = system[last, : last + 2]
        total = row[0] + row[2:].sum()
        row /= total or 1.0
        system[:last, : last + 2] += system[:last, last + 2, None] * row
    solution: Floats = system[:, 1]
    for place in range(1, len(system)):
        solution[place] += system[place, 2 : place + 2] @ solution[:place]
    return solution
