"""Select the owners that may reach a threshold, so that only their shares are computed exactly.

One pass from the owners to the business gives an upper bound for all of them at once. It takes the upper end of every band, counts
whatever an owner may control in full, and counts an owner that may keep a cycle as the owner of all of it.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from bonafide.matching.ownership.share_bounds import MAX_EXACT
from bonafide.matching.ownership.share_graph import OwnershipComponent, ShareGraph
from bonafide.model.ownership.roll_up import DEEMED_OWNERSHIP

NEGLIGIBLE = 1e-4
"""Smaller values are dropped. What an owner loses thereby on one level of a structure is at most this in all."""
SLACK = 0.01
"""What an owner may lose on a hundred levels; thresholds of candidates are lower by it."""
ATTRIBUTED_FROM = DEEMED_OWNERSHIP - SLACK
Values = dict[str, float]


def bound_shares(graph: ShareGraph, components: Sequence[OwnershipComponent], subject: str) -> Values:
    """For each party without owners an upper bound of what it owns or controls of the subject. `components` come owners first."""
    held: dict[str, Values] = {}
    for component in components:
        if component.is_cycle:
            _bound_cycle(graph, component.parties, held)
        else:
            held[component.parties[0]] = _add_up(graph, held, component.parties[0])
    return held[subject]


def _add_up(graph: ShareGraph, held: dict[str, Values], party: str) -> Values:
    """What every owner may have of a party."""
    total = _add_stakes(graph, held, party)
    values = {owner: 1.0 if value >= ATTRIBUTED_FROM else value for owner, value in total.items() if value >= NEGLIGIBLE}
    if party not in graph.stakes:
        values[party] = 1.0
    for edge in graph.controllers.get(party, ()):
        values.update((owner, 1.0) for owner, value in held.get(edge.owner, {edge.owner: 1.0}).items() if value >= ATTRIBUTED_FROM)
    return values


def _add_stakes(graph: ShareGraph, held: dict[str, Values], party: str) -> Values:
    total: Values = {}
    for stake in graph.stakes.get(party, ()):
        values = held.get(stake.owner)
        if values is None:
            total[stake.owner] = total.get(stake.owner, 0.0) + stake.high
            continue
        for owner, value in values.items():
            total[owner] = total.get(owner, 0.0) + stake.high * value
    return total


def _bound_cycle(graph: ShareGraph, component: Sequence[str], held: dict[str, Values]) -> None:
    """The same for parties that own or control each other."""
    inside = frozenset(component)
    held.update((party, {}) for party in component)
    entering = {party: _add_stakes(graph, held, party) for party in component}
    owners = sorted({owner for values in entering.values() for owner in values})
    controllers = {edge.owner for party in component for edge in graph.controllers.get(party, ()) if edge.owner not in inside}
    limit = _find_limit(graph, component)
    bounds = np.ones((len(component), len(owners)))
    if limit is not None:
        bounds = limit @ np.array([[entering[party].get(owner, 0.0) for owner in owners] for party in component])
    is_whole = (bounds >= ATTRIBUTED_FROM).any(axis=0)
    columns = dict(zip(owners, np.where(is_whole, 1.0, bounds).T.tolist(), strict=True))
    whole = {owner for controller in controllers for owner in held.get(controller, {controller: 1.0})}
    for number, party in enumerate(component):
        values = {owner: column[number] for owner, column in columns.items() if column[number] >= NEGLIGIBLE}
        held[party] = values | dict.fromkeys(whole, 1.0)
    for party in component:
        if party not in graph.stakes:
            for each in component:
                held[each][party] = 1.0


def _find_limit(graph: ShareGraph, component: Sequence[str]) -> NDArray[np.float64] | None:
    """The limit of the series of the cycle's shares; None if the upper ends of the bands may give it none."""
    place = {party: number for number, party in enumerate(component)}
    matrix = np.zeros((len(component), len(component)))
    for owned, number in place.items():
        for stake in graph.stakes.get(owned, ()):
            if stake.owner in place:
                matrix[number, place[stake.owner]] += stake.high
    has_limit = len(matrix) <= MAX_EXACT and float(np.abs(np.linalg.eigvals(matrix)).max()) < 1 - NEGLIGIBLE
    return np.linalg.inv(np.eye(len(matrix)) - matrix).astype(np.float64) if has_limit else None
