"""The stakes of a graph as arrays, in the steps in which they are solved: all parties whose owners are known at once.

Parties that own each other are a step of their own. The place of a party is the number of its row.
"""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from bonafide.matching.ownership.cycle_shares import CycleSolver
from bonafide.matching.ownership.share_graph import OwnershipComponent, ShareGraph, Stake

NO_PARTY = -1
"""The place in an array where there is no owner. Its share is 0."""
Floats = NDArray[np.float64]
Places = NDArray[np.intp]


@dataclass(frozen=True, slots=True)
class ChainStep:
    """Parties whose owners are all in earlier steps. Of all stakes, theirs are from `first` to `last`."""

    parties: Places
    owned: Places
    """The parties that have stakes, in the order of the stakes."""
    starts: Places
    """The first stake of each of them, from `first`."""
    first: int
    last: int
    overlapping: "tuple[OverlappingBands, ...]"
    control: "ControlRows | None"


@dataclass(frozen=True, slots=True)
class OverlappingBands:
    """Parties whose upper ends add up to more than 1: a row for each, a column for each owner. Empty columns have no width."""

    owned: Places
    owners: Places
    low: Floats
    width: Floats


@dataclass(frozen=True, slots=True)
class ControlRows:
    """Control without shares: an owned party and an owner for each."""

    owned: Places
    owners: Places
    is_certain: NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class CycleStep:
    """Parties that own or control each other, and all other owners of them."""

    parties: Places
    owners: Places
    solver: CycleSolver


class ShareTable:
    """The steps and stakes of one graph. `components` come owners first, with the subject among them."""

    def __init__(self, graph: ShareGraph, components: Sequence[OwnershipComponent], subject: str) -> None:
        self.graph = graph
        self.places: dict[str, int] = {}
        self.steps: list[ChainStep | CycleStep] = []
        self._owners: list[int] = []
        self._low: list[float] = []
        self._high: list[float] = []
        levels = self._assign_levels(components)
        for level in sorted(levels):
            chained = [component.parties[0] for component in levels[level] if not component.is_cycle]
            if chained:
                self.steps.append(self._build_chain(chained))
            self.steps += [self._build_cycle(component, subject) for component in levels[level] if component.is_cycle]
        self.levels = len(levels)
        self.subject = self.places[subject]
        self.owners = np.array(self._owners, dtype=np.intp)
        self.low, self.high = np.array(self._low), np.array(self._high)

    def _assign_levels(self, components: Sequence[OwnershipComponent]) -> dict[int, list[OwnershipComponent]]:
        """The components by the length of the longest chain that leads to them; each party gets its place."""
        places, stakes, controllers = self.places, self.graph.stakes, self.graph.controllers
        levels: dict[int, list[OwnershipComponent]] = defaultdict(list)
        level_of: dict[str, int] = {}
        for component in components:
            level = -1
            for party in component.parties:
                for stake in stakes.get(party, ()):
                    owner = stake.owner
                    if owner not in places:
                        places[owner] = len(places)
                    elif level_of.get(owner, -1) > level:
                        level = level_of[owner]
                for edge in controllers.get(party, ()):
                    places.setdefault(edge.owner, len(places))
                    level = max(level, level_of.get(edge.owner, -1))
            for party in component.parties:
                level_of[party] = level + 1
                places.setdefault(party, len(places))
            levels[level + 1].append(component)
        return levels

    def _build_chain(self, parties: Sequence[str]) -> ChainStep:
        """Add the stakes in the parties to those of all, and say where they are."""
        places, first = self.places, len(self._owners)
        owned, starts = [], []
        overlapping: dict[int, list[tuple[int, list[Stake]]]] = defaultdict(list)
        control = []
        for party in parties:
            stakes = self.graph.stakes.get(party)
            if stakes:
                place = places[party]
                owned.append(place)
                starts.append(len(self._owners) - first)
                self._owners += [places[stake.owner] for stake in stakes]
                self._low += [stake.low for stake in stakes]
                highs = [stake.high for stake in stakes]
                self._high += highs
                if sum(highs) > 1:
                    overlapping[1 << (len(stakes) - 1).bit_length()].append((place, stakes))
            if party in self.graph.controllers:
                control += [(places[party], places[edge.owner], edge.is_certain) for edge in self.graph.controllers[party]]
        return ChainStep(
            parties=np.array([places[party] for party in parties], dtype=np.intp),
            owned=np.array(owned, dtype=np.intp),
            starts=np.array(starts, dtype=np.intp),
            first=first,
            last=len(self._owners),
            overlapping=tuple(self._build_overlapping(each, columns) for columns, each in overlapping.items()),
            control=ControlRows(*(np.array(column) for column in zip(*control, strict=True))) if control else None,
        )

    def _build_overlapping(self, parties: Sequence[tuple[int, list[Stake]]], columns: int) -> OverlappingBands:
        empty = (NO_PARTY, 0.0, 0.0)
        rows = [
            [(self.places[stake.owner], stake.low, stake.high) for stake in stakes] + [empty] * (columns - len(stakes))
            for _, stakes in parties
        ]
        table = np.array(rows)
        owned = np.array([place for place, _ in parties], dtype=np.intp)
        return OverlappingBands(owned, table[:, :, 0].astype(np.intp), table[:, :, 1], table[:, :, 2] - table[:, :, 1])

    def _build_cycle(self, component: OwnershipComponent, subject: str) -> CycleStep:
        solver = CycleSolver(self.graph, component.parties, subject)
        parties, owners = ([self.places[party] for party in each] for each in (solver.parties, solver.owners))
        return CycleStep(np.array(parties, dtype=np.intp), np.array(owners, dtype=np.intp), solver)
