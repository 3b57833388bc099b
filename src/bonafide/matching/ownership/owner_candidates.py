"""Select the owners that may reach a threshold, so that only their shares are computed exactly.

One pass from the owners to the business gives an upper bound for all of them at once. It takes the upper end of every band, counts
whatever an owner may control in full, and counts an owner that may keep a cycle as the owner of all of it.
"""

import numpy as np
from numpy.typing import NDArray

from bonafide.matching.ownership.share_graph import Floats, Numbers
from bonafide.matching.ownership.share_table import ChainStep, CycleStep, ShareTable
from bonafide.model.ownership.roll_up import DEEMED_OWNERSHIP

SLACK = 0.01
"""What an owner may lose by values that are dropped; thresholds of candidates are lower by it."""
NEGLIGIBLE = 1e-4
"""Smaller values are dropped; even smaller ones on more than a hundred levels, because an owner may lose so much on each level."""
ATTRIBUTED_FROM = DEEMED_OWNERSHIP - SLACK
MAX_EXACT = 400
"""The largest cycle of which the limit is computed. The owners of a larger one may have all of it."""


def bound_shares(table: ShareTable) -> dict[int, float]:
    """For each party without owners, by its number, an upper bound of what it owns or controls of the subject."""
    held = _HeldShares(table)
    for step in table.steps:
        if isinstance(step, CycleStep):
            _bound_cycle(held, step)
        else:
            _bound_chain(held, step)
    owners, values = held.read(table.subject)
    return dict(zip(owners.tolist(), values.tolist(), strict=True))


class _HeldShares:
    """What every owner may have of each party: one run of `(owner, value)` for each party."""

    def __init__(self, table: ShareTable) -> None:
        size = table.size
        self.table, self.size = table, size
        self.negligible = min(NEGLIGIBLE, SLACK / table.levels)
        # A party that is not solved has no owners: it has itself.
        self._owners, self._values = np.arange(size), np.ones(size)
        self._used = size
        self._start, self._length = np.arange(size), np.ones(size, dtype=np.intp)

    def read(self, party: int) -> tuple[Numbers, Floats]:
        run = slice(self._start[party], self._start[party] + self._length[party])
        return self._owners[run], self._values[run]

    def gather(self, parties: Numbers) -> tuple[Numbers, Numbers, Floats]:
        """The runs of several parties, as the number of the party among them, the owner and the value."""
        lengths = self._length[parties]
        before = np.cumsum(lengths) - lengths
        number = np.repeat(np.arange(len(parties)), lengths)
        place = np.arange(len(number)) + (self._start[parties] - before)[number]
        return number, self._owners[place], self._values[place]

    def add(self, parties: Numbers, number: Numbers, owners: Numbers, values: Floats) -> None:
        """Set the runs of parties: values are added up for each party, by its number, and owner."""
        key = number * self.size + owners
        order = np.argsort(key, kind="stable")
        key = key[order]
        first = np.flatnonzero(np.concatenate(([True], key[1:] != key[:-1]))) if len(key) else np.empty(0, dtype=np.intp)
        total = np.add.reduceat(values[order], first) if len(key) else values
        kept = total >= self.negligible
        key, total = key[first][kept], total[kept]
        self._make_room(len(key))
        run = slice(self._used, self._used + len(key))
        self._owners[run] = key % self.size
        self._values[run] = np.where(total >= ATTRIBUTED_FROM, 1.0, total)
        counts = np.bincount(key // self.size, minlength=len(parties))
        self._length[parties] = counts
        self._start[parties] = self._used + np.cumsum(counts) - counts
        self._used += len(key)

    def _make_room(self, count: int) -> None:
        if self._used + count > len(self._owners):
            more = max(count, len(self._owners))
            self._owners = np.concatenate((self._owners, np.empty(more, dtype=np.intp)))
            self._values = np.concatenate((self._values, np.empty(more)))


def _bound_chain(held: _HeldShares, step: ChainStep) -> None:
    parties, table = step.parties, held.table
    number_of = np.empty(held.size, dtype=np.intp)
    number_of[parties] = np.arange(len(parties))
    stakes = slice(step.first, step.last)
    counts = np.diff(step.starts, append=step.last - step.first)
    owned = np.repeat(number_of[step.owned], counts)
    stake, owners, values = held.gather(table.owners[stakes])
    numbers, values = owned[stake], values * table.high[stakes][stake]
    if step.control is not None:
        # A party without stakes is its own owner, and whoever may have its controller may have all of it.
        unowned = np.setdiff1d(parties, step.owned)
        edge, controllers, having = held.gather(step.control.owners)
        may_control = having >= ATTRIBUTED_FROM
        controlled = number_of[step.control.owned][edge[may_control]]
        numbers = np.concatenate((numbers, controlled, number_of[unowned]))
        owners = np.concatenate((owners, controllers[may_control], unowned))
        values = np.concatenate((values, np.ones(len(numbers) - len(values))))
    elif len(step.owned) < len(parties):
        unowned = np.setdiff1d(parties, step.owned)
        numbers, owners = np.concatenate((numbers, number_of[unowned])), np.concatenate((owners, unowned))
        values = np.concatenate((values, np.ones(len(unowned))))
    held.add(parties, numbers, owners, values)


def _bound_cycle(held: _HeldShares, step: CycleStep) -> None:
    """The same for parties that own or control each other."""
    size = len(step.parties)
    high = step.solver.high
    number, owners, values = held.gather(step.owners)
    known, column = np.unique(owners, return_inverse=True)
    held_outside = np.zeros((len(step.owners), len(known)))
    held_outside[number, column] = values
    bounds = np.ones((size, len(known)))
    limit = _find_limit(high[:, :size])
    if limit is not None:
        bounds = limit @ (high[:, size:] @ held_outside)
    whole = (bounds >= ATTRIBUTED_FROM).any(axis=0) | held_outside[step.solver.list_controllers()].any(axis=0)
    bounds[:, whole] = 1.0
    # A party that nobody has shares in is its own owner.
    unowned = step.parties[~high.any(axis=1)]
    rows, columns = np.nonzero(bounds >= held.negligible)
    numbers = np.concatenate((rows, np.repeat(np.arange(size), len(unowned))))
    every = np.concatenate((known[columns], np.tile(unowned, size)))
    held.add(step.parties, numbers, every, np.concatenate((bounds[rows, columns], np.ones(size * len(unowned)))))


def _find_limit(matrix: NDArray[np.float64]) -> Floats | None:
    """The limit of the series of the cycle's shares; None if the upper ends of the bands may give it none."""
    has_limit = len(matrix) <= MAX_EXACT and float(np.abs(np.linalg.eigvals(matrix)).max()) < 1 - NEGLIGIBLE
    return np.linalg.inv(np.eye(len(matrix)) - matrix).astype(np.float64) if has_limit else None
