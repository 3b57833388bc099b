"""Pair the individuals of a declaration with those of a register: one to one, with the highest sum of similarities."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

import networkx as nx

from bonafide.matching.people.person_name_comparison import compare_person_names
from bonafide.matching.people.person_name_parsing import parse_listed_person_name
from bonafide.matching.scoring.name_comparison import NameComparison
from bonafide.model.ownership.owner_comparison import StatedOwner

SAME_PERSON = 0.85
"""The score from which two names may be those of one person: an initial in place of a given name has 0.875."""
_SCALE = 1_000_000
"""Weights are whole numbers, so that their sums are exact and the pairing is the same on any machine."""
_AGREEMENT = 50_000
"""What an equal date of birth, first day or address adds: less than the difference between a slip and another name."""


@dataclass(frozen=True, slots=True)
class OwnerPair:
    """The places of two individuals in their lists, and the comparison of their names."""

    declared_at: int
    registry_at: int
    comparison: NameComparison


def pair_owners(declared: Sequence[StatedOwner], registry: Sequence[StatedOwner], day: date) -> tuple[OwnerPair, ...]:
    """The pairs of individuals that may be one person, in the order of the declaration."""
    found: dict[tuple[int, int], NameComparison] = {}
    graph: nx.Graph[tuple[str, int]] = nx.Graph()
    for at, owner in enumerate(declared):
        for other_at, other in enumerate(registry):
            if are_different_births(owner, other):
                continue
            comparison = compare_person_names(owner.name, other.name)
            if comparison.score >= SAME_PERSON:
                found[at, other_at] = comparison
                weight = _weigh(comparison, owner, other, day)
                graph.add_edge(("declared", at), ("registry", other_at), weight=weight)
    chosen = (sorted(edge) for edge in nx.max_weight_matching(graph))
    places = sorted((one[1], other[1]) for one, other in chosen)
    return tuple(OwnerPair(at, other_at, found[at, other_at]) for at, other_at in places)


def select_similar_names(owners: Sequence[StatedOwner], others: Sequence[StatedOwner]) -> list[StatedOwner]:
    """The owners whose name has a part of the name of any of the others: of many, only few are worth a comparison."""
    parts = {part for other in others for part in parse_listed_person_name(other.name).parts}
    return [owner for owner in owners if not parts.isdisjoint(parse_listed_person_name(owner.name).parts)] if parts else []


def are_different_births(one: StatedOwner, other: StatedOwner) -> bool:
    """Whether both sides state a date of birth, and not the same: these are two people."""
    return not agree_as_far_as_stated(one.date_of_birth, other.date_of_birth)


def agree_as_far_as_stated(one: str | None, other: str | None) -> bool:
    """Whether two dates are equal as precisely as both are stated. A date that is not stated agrees with any."""
    return one is None or other is None or one[:10].startswith(other[:10]) or other[:10].startswith(one[:10])


def _weigh(comparison: NameComparison, one: StatedOwner, other: StatedOwner, day: date) -> int:
    agreements = (
        _is_same(one.date_of_birth, other.date_of_birth),
        _is_same(one.from_, other.from_),
        _is_same(one.address, other.address),
        one.has_ended(day) == other.has_ended(day),
    )
    return round(comparison.score * _SCALE) + _AGREEMENT * sum(agreements)


def _is_same(one: str | None, other: str | None) -> bool:
    return one is not None and one == other
