"""The lowest and the highest effective share of sets of parties in a business, through chains, cycles and bands.

The effective share of a set of owners in a party is the sum over its direct owners of the direct share times the value of that
owner, which is 1 for the set itself. It grows with every direct share. The lowest value takes the lower ends of all bands. For the
highest value, each party distributes what its bands leave open, at most 1 in all, to the owners with the highest values.
"""

from collections.abc import Collection, Sequence

import numpy as np
from numpy.typing import NDArray

from bonafide.matching.ownership.cycle_shares import TOLERANCE, Measure
from bonafide.matching.ownership.share_table import ChainStep, CrowdedRows, CycleStep, Floats, ShareTable

MAX_COLUMNS = 32
"""Sets of owners that are solved together; more are solved in turn, which bounds the memory."""


def solve_shares(
    table: ShareTable, owner_sets: Sequence[Collection[str]], *, highest: bool, attributed_from: float | None = None
) -> list[float]:
    """The share of each set of owners in the subject (see `Measure`)."""
    measure = Measure(highest, attributed_from)
    found: list[float] = []
    for first in range(0, len(owner_sets), MAX_COLUMNS):
        found += _solve_together(table, owner_sets[first : first + MAX_COLUMNS], measure)[table.subject].tolist()
    return found


def _solve_together(table: ShareTable, owner_sets: Sequence[Collection[str]], measure: Measure) -> Floats:
    """The share of each set (columns) in every party (rows). The last row is that of nobody."""
    ours = np.zeros((len(table.places) + 1, len(owner_sets)), dtype=bool)
    for column, owners in enumerate(owner_sets):
        ours[[place for owner in owners if (place := table.places.get(owner)) is not None], column] = True
    values = ours.astype(np.float64)
    weights = (table.high if measure.highest else table.low)[:, None]
    for step in table.steps:
        if isinstance(step, CycleStep):
            _solve_cycle(step, values, ours, measure)
            continue
        if step.last > step.first:
            held = values[table.owners[step.first : step.last]]
            held *= weights[step.first : step.last]
            values[step.owned] = np.add.reduceat(held, step.starts, axis=0)
        for crowded in step.crowded if measure.highest else ():
            values[crowded.owned] = _add_up_crowded(crowded, values)
        _attribute(step, values, ours, measure, table.subject)
    return values


def _attribute(step: ChainStep, values: Floats, ours: NDArray[np.bool_], measure: Measure, subject: int) -> None:
    """Set the values of owners to 1, and of parties that they control."""
    shares = np.minimum(values[step.parties], 1.0)
    if measure.attributed_from is not None:
        shares[(shares >= measure.attributed_from - TOLERANCE) & (step.parties != subject)[:, None]] = 1.0
    values[step.parties] = np.where(ours[step.parties], 1.0, shares)
    if measure.attributed_from is not None and step.control is not None:
        controlled = values[step.control.owners] >= 1 - TOLERANCE
        if not measure.highest:
            controlled &= step.control.is_certain[:, None]
        edges, columns = np.nonzero(controlled)
        values[step.control.owned[edges], columns] = 1.0


def _add_up_crowded(rows: CrowdedRows, values: Floats) -> Floats:
    """The largest sums of weighted values: what the lower ends leave open goes to the owners with the highest values first."""
    held = values[rows.owners]
    order = np.argsort(-held, axis=1, kind="stable")
    width = np.take_along_axis(np.broadcast_to(rows.width[:, :, None], held.shape), order, axis=1)
    before = np.cumsum(width, axis=1) - width
    left = (1 - rows.low.sum(axis=1))[:, None, None]
    more = np.clip(left - before, 0.0, width)
    total: Floats = (rows.low[:, :, None] * held).sum(axis=1) + (more * np.take_along_axis(held, order, axis=1)).sum(axis=1)
    return total


def _solve_cycle(step: CycleStep, values: Floats, ours: NDArray[np.bool_], measure: Measure) -> None:
    entering, inside = values[step.owners], ours[step.parties]
    # Of a cycle in which the owners have nothing directly, they have nothing at all.
    for column in np.flatnonzero(entering.any(axis=0) | inside.any(axis=0)):
        values[step.parties, column] = step.solver.solve(entering[:, column], inside[:, column], measure)
