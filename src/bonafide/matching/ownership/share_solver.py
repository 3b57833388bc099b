"""The lowest and the highest effective share of sets of parties in a business, through chains, cycles and bands.

The effective share of a set of owners in a party is the sum over its direct owners of the direct share times the value of that
owner, which is 1 for the set itself. It grows with every direct share. The lowest value takes the lower ends of all bands. For the
highest value, each party distributes what its bands leave open, at most 1 in all, to the owners with the highest values.
"""

from collections.abc import Collection, Sequence

import numpy as np

from bonafide.matching.ownership.cycle_shares import TOLERANCE, Flags, Measure
from bonafide.matching.ownership.share_graph import Floats
from bonafide.matching.ownership.share_table import ChainStep, CycleStep, OverlappingBands, ShareTable

MAX_COLUMNS = 32
"""Sets of owners that are solved together; more are solved in turn, which bounds the memory."""
MAX_COMPARED = 4
"""Of up to so many owners, comparing all with each other is quicker than sorting them."""


def solve_shares(
    table: ShareTable, owner_sets: Sequence[Collection[int]], *, highest: bool, attributed_from: float | None = None
) -> list[float]:
    """The share of each set of owners in the subject (see `Measure`)."""
    return solve_attributed([table], owner_sets, Measure(highest, attributed_from))


def solve_attributed(tables: Sequence[ShareTable], owner_sets: Sequence[Collection[int]], measure: Measure) -> list[float]:
    """The share of each set of owners in the subject, the largest by any of the tables, which are of one subject.

    A party that counts as one of the owners by one table, such as by its shares, does so by all of them.
    """
    found: list[float] = []
    for first in range(0, len(owner_sets), MAX_COLUMNS):
        found += _solve_tables(tables, owner_sets[first : first + MAX_COLUMNS], measure).tolist()
    return found


def _solve_tables(tables: Sequence[ShareTable], owner_sets: Sequence[Collection[int]], measure: Measure) -> Floats:
    subject = tables[0].subject
    is_owner = _mark_owners(tables[0].size, owner_sets)
    while True:
        values = [_solve_together(table, is_owner, measure) for table in tables]
        if measure.attributed_from is not None and len(tables) > 1:
            counted = [each >= 1 - TOLERANCE for each in values]
            for each in counted:
                each[subject] = is_owner[subject]
            by_any = np.logical_or.reduce(counted)
            if any((each != by_any).any() for each in counted):
                is_owner |= by_any
                continue
        shares: Floats = np.max([each[subject] for each in values], axis=0)
        return shares


def _mark_owners(size: int, owner_sets: Sequence[Collection[int]]) -> Flags:
    """The parties (rows) of each set (columns). The last row is that of `NO_PARTY`."""
    is_owner = np.zeros((size + 1, len(owner_sets)), dtype=bool)
    for column, owners in enumerate(owner_sets):
        is_owner[list(owners), column] = True
    return is_owner


def _solve_together(table: ShareTable, is_owner: Flags, measure: Measure) -> Floats:
    """The share of each set (columns) in every party (rows)."""
    values = is_owner.astype(np.float64)
    weights = (table.high if measure.highest else table.low)[:, None]
    for step in table.steps:
        if isinstance(step, CycleStep):
            _solve_cycle(step, values, is_owner, measure)
            continue
        if step.last > step.first:
            held = values[table.owners[step.first : step.last]]
            held *= weights[step.first : step.last]
            values[step.owned] = np.add.reduceat(held, step.starts, axis=0)
        for bands in step.overlapping if measure.highest else ():
            values[bands.owned] = _add_up_overlapping(bands, values)
        _attribute(step, values, is_owner, measure, table.subject)
    return values


def _attribute(step: ChainStep, values: Floats, is_owner: Flags, measure: Measure, subject: int) -> None:
    """Set the values of owners to 1, and of parties that they control."""
    shares = np.minimum(values[step.parties], 1.0)
    if measure.attributed_from is not None:
        shares[(shares >= measure.attributed_from - TOLERANCE) & (step.parties != subject)[:, None]] = 1.0
    values[step.parties] = np.where(is_owner[step.parties], 1.0, shares)
    if measure.attributed_from is not None and step.control is not None:
        controlled = values[step.control.owners] >= 1 - TOLERANCE
        if not measure.highest:
            controlled &= step.control.is_certain[:, None]
        edges, columns = np.nonzero(controlled)
        values[step.control.owned[edges], columns] = 1.0


def _add_up_overlapping(bands: OverlappingBands, values: Floats) -> Floats:
    """The largest sums of weighted values: what the lower ends leave open goes to the owners with the highest values first."""
    held = values[bands.owners]
    least = np.einsum("pc,pcs->ps", bands.low, held)
    add = distribute_by_comparing if held.shape[1] <= MAX_COMPARED else distribute_by_sorting
    total: Floats = least + add(held, bands.width, bands.left[:, None])
    return total


def distribute_by_comparing(held: Floats, width: Floats, left: Floats) -> Floats:
    """What `left` gives, at most the width to each owner.

    By the duality of linear programs, this is the smallest of several sums. In each, what is left counts with the value of one
    owner (or with nothing), and the width of every owner counts with the part of its value that exceeds that value.
    """
    best: Floats = np.einsum("pc,pcs->ps", width, held)
    for owner in range(held.shape[1]):
        value = held[:, owner]
        more = np.maximum(held - value[:, None], 0.0)
        np.minimum(best, left * value + np.einsum("pc,pcs->ps", width, more), out=best)
    return best


def distribute_by_sorting(held: Floats, width: Floats, left: Floats) -> Floats:
    """The same for many owners."""
    order = np.argsort(-held, axis=1, kind="stable")
    widths = np.take_along_axis(np.broadcast_to(width[:, :, None], held.shape), order, axis=1)
    before = np.cumsum(widths, axis=1) - widths
    more = np.clip(left[:, None] - before, 0.0, widths)
    total: Floats = np.einsum("pcs,pcs->ps", more, np.take_along_axis(held, order, axis=1))
    return total


def _solve_cycle(step: CycleStep, values: Floats, is_owner: Flags, measure: Measure) -> None:
    entering, inside = values[step.owners], is_owner[step.parties]
    # Of a cycle in which the owners have nothing directly, they have nothing at all.
    for column in np.flatnonzero(entering.any(axis=0) | inside.any(axis=0)):
        values[step.parties, column] = step.solver.solve(entering[:, column], inside[:, column], measure)
