"""Graphs of shares that tests draw: the stakes and controllers of each party by name."""

from dataclasses import dataclass, field
from typing import NamedTuple

from bonafide.matching.ownership.ownership_levels import find_levels
from bonafide.matching.ownership.share_graph import ControlRow, ShareGraph, add_up_stakes
from bonafide.matching.ownership.share_table import ShareTable
from bonafide.model.ownership.statement import InterestKind


class DrawnStake(NamedTuple):
    """A direct share of an owner, with the lowest and the highest value."""

    owner: str
    low: float
    high: float


class DrawnControl(NamedTuple):
    """Control without shares by an owner."""

    owner: str
    kind: InterestKind


@dataclass(slots=True)
class DrawnGraph:
    """The direct owners and controllers of each party."""

    stakes: dict[str, list[DrawnStake]] = field(default_factory=dict)
    controllers: dict[str, list[DrawnControl]] = field(default_factory=dict)

    def number_parties(self) -> dict[str, int]:
        """The number of each party in the table."""
        owners = [stake.owner for stakes in self.stakes.values() for stake in stakes]
        controllers = [edge.owner for edges in self.controllers.values() for edge in edges]
        parties = dict.fromkeys((*self.stakes, *self.controllers, *owners, *controllers))
        return {party: number for number, party in enumerate(parties)}

    def build_table(self, subject: str) -> ShareTable:
        """The table of the parties above the subject."""
        numbers = self.number_parties()
        rows = [
            (numbers[owned], numbers[stake.owner], stake.low, stake.high)
            for owned, stakes in self.stakes.items()
            for stake in stakes
        ]
        controllers = {
            numbers[owned]: [ControlRow(numbers[owned], numbers[edge.owner], edge.kind) for edge in edges]
            for owned, edges in self.controllers.items()
        }
        graph = ShareGraph(len(numbers), add_up_stakes(len(numbers), rows), controllers)
        return ShareTable(graph, find_levels(graph, numbers[subject]), numbers[subject])
