"""Score labelled pairs: people and listed parties as screening does, businesses of registers as a search does."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from bonafide.matching.names.best_name_match import compare_name_texts
from bonafide.matching.screening.name_parsing import parse_subject
from bonafide.matching.screening.party_matching import ListedNameComparator, compare_party_names, parse_listed_names
from bonafide.model.entry import EntityKind, ListedEntity
from bonafide.model.query import ScreeningSubject
from bonafide_bench.real_names.name_pairs import NamePair, SetPart

ScoreNames = Callable[[str, str, EntityKind | None], float]
"""Scores a submitted name and one name of a party from 0 to 1. The kind is None for a business of a register."""


@dataclass(frozen=True, slots=True)
class ScoredNamePair:
    """A pair, the set and the part that it belongs to, and its score."""

    set_key: str
    part: SetPart
    pair: NamePair
    score: float


def score_by_product(pair: NamePair) -> float:
    """The score that screening (or, for a business of a register, a search) gives to the best of the party's names."""
    if pair.entity_kind is None:
        return max(compare_name_texts(pair.submitted, name).score for name in pair.names)
    return score_listed(pair.submitted, pair.names, pair.entity_kind)


def score_listed(submitted: str, names: Sequence[str], kind: EntityKind) -> float:
    """The best score of a party's names in screening, without evidence beside the name."""
    screened = parse_subject(ScreeningSubject(submitted, entity_type=kind))
    entry = ListedEntity(entry_id="1", entity_type=kind, name=names[0], aliases=tuple(names[1:]))
    return compare_party_names(ListedNameComparator(screened), entry, parse_listed_names(kind, names))[0].score


def score_as_business(pair: NamePair) -> float:
    """The score of the comparison of business names, whatever the kind of the party."""
    return max(compare_name_texts(pair.submitted, name).score for name in pair.names)


def score_pairs(pairs: Iterable[NamePair], score: ScoreNames) -> list[float]:
    """The best score of each pair's names by a function that compares two names."""
    return [max(score(pair.submitted, name, pair.entity_kind) for name in pair.names) for pair in pairs]
