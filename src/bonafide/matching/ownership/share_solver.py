"""The lowest and the highest effective share of sets of parties in a business, through chains, cycles and bands.

The effective share of a set of owners in a party is the sum over its direct owners of the direct share times the value of that
owner, which is 1 for the set itself. It grows with every direct share. The lowest value takes the lower ends of all bands. For the
highest value, each party distributes what its bands leave open, at most 1 in all, to the owners with the highest values.
"""

from collections.abc import Collection, Sequence

import numpy as np

from bonafide.matching.ownership.cycle_shares import TOLERANCE, Flags, Measure
from bonafide.matching.ownership.share_table import NO_PARTY, ChainStep, CycleStep, Floats, OverlappingBands, Places, ShareTable

MAX_COLUMNS = 32
"""Sets of owners that are solved together; more are solved in turn, which bounds the memory."""


def solve_shares(
    table: ShareTable, owner_sets: Sequence[Collection[str]], *, highest: bool, attributed_from: float | None = None
) -> list[float]:
    """The share of each set of owners in the subject (see `Measure`)."""
    return solve_attributed([table], owner_sets, Measure(highest, attributed_from))


def solve_attributed(tables: Sequence[ShareTable], owner_sets: Sequence[Collection[str]], measure: Measure) -> list[float]:
    """The share of each set of owners in the subject, the largest by any of the tables, which are of one subject.

    A party that counts as one of the owners by one table, such as by its shares, does so by all of them.
    """
    places = _match_places(tables)
    found: list[float] = []
    for first in range(0, len(owner_sets), MAX_COLUMNS):
        found += _solve_tables(tables, places, owner_sets[first : first + MAX_COLUMNS], measure).tolist()
    return found


def _match_places(tables: Sequence[ShareTable]) -> Places:
    """The places of each party but the subject in the tables: a row for each table. A single table needs none."""
    if len(tables) == 1:
        return np.empty((1, 0), dtype=np.intp)
    names = list(tables[0].places)
    del names[tables[0].subject]
    parties = dict.fromkeys([*names, *(name for table in tables[1:] for name in table.places if name not in tables[0].places)])
    return np.array([[table.places.get(party, NO_PARTY) for party in parties] for table in tables], dtype=np.intp)


def _solve_tables(tables: Sequence[ShareTable], places: Places, owner_sets: Sequence[Collection[str]], measure: Measure) -> Floats:
    is_owner = [_mark_owners(table, owner_sets) for table in tables]
    while True:
        values = [_solve_together(table, owners, measure) for table, owners in zip(tables, is_owner, strict=True)]
        counted = [each[of_table] >= 1 - TOLERANCE for each, of_table in zip(values, places, strict=True)]
        by_any = np.logical_or.reduce(counted)
        is_more = False
        for owners, of_table, by_table in zip(is_owner, places, counted, strict=True):
            parties, columns = np.nonzero(by_any & ~by_table & (of_table != NO_PARTY)[:, None])
            owners[of_table[parties], columns] = True
            is_more = is_more or len(parties) > 0
        if measure.attributed_from is None or not is_more:
            shares: Floats = np.max([each[table.subject] for each, table in zip(values, tables, strict=True)], axis=0)
            return shares


def _mark_owners(table: ShareTable, owner_sets: Sequence[Collection[str]]) -> Flags:
    """The parties (rows) of each set (columns). The last row is that of `NO_PARTY`."""
    is_owner = np.zeros((len(table.places) + 1, len(owner_sets)), dtype=bool)
    for column, owners in enumerate(owner_sets):
        is_owner[[place for owner in owners if (place := table.places.get(owner)) is not None], column] = True
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
    order = np.argsort(-held, axis=1, kind="stable")
    width = np.take_along_axis(np.broadcast_to(bands.width[:, :, None], held.shape), order, axis=1)
    before = np.cumsum(width, axis=1) - width
    left = (1 - bands.low.sum(axis=1))[:, None, None]
    more = np.clip(left - before, 0.0, width)
    total: Floats = (bands.low[:, :, None] * held).sum(axis=1) + (more * np.take_along_axis(held, order, axis=1)).sum(axis=1)
    return total


def _solve_cycle(step: CycleStep, values: Floats, is_owner: Flags, measure: Measure) -> None:
    entering, inside = values[step.owners], is_owner[step.parties]
    # Of a cycle in which the owners have nothing directly, they have nothing at all.
    for column in np.flatnonzero(entering.any(axis=0) | inside.any(axis=0)):
        values[step.parties, column] = step.solver.solve(entering[:, column], inside[:, column], measure)
