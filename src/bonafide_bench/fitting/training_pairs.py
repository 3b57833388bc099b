"""The pairs that numbers are fitted on: the training parts of all sets, and near listed names of people who are on no list."""

from collections.abc import Callable, Sequence
from pathlib import Path

from bonafide.matching.screening.name_parsing import parse_subject
from bonafide.matching.screening.party_matching import ListedNameComparator, ParsedListedEntity, rank_parties
from bonafide.matching.screening.screening_index import ScreeningIndex, build_indexed_party
from bonafide.model.entry import EntityKind, ListedEntity
from bonafide.model.query import ScreeningSubject
from bonafide_bench.quality.pair_scores import ScoredNamePair
from bonafide_bench.quality.set_figures import score_set
from bonafide_bench.real_names.labelled_files import read_unlisted_names
from bonafide_bench.real_names.listed_sets import read_parties
from bonafide_bench.real_names.name_pairs import NamePair, PairSet, SetPart
from bonafide_bench.real_names.name_sets import SETS
from bonafide_bench.real_names.sanctions_lists import READERS

ALERTS_KEY = "alerts"
_NEAREST = 3
_LOWEST = 0.55
"""The lowest score of a listed name that a changed number could turn into an alert."""
OnStageProgress = Callable[[str, int, int], None]


def read_training_pairs(
    data: Path, told: OnStageProgress, *, people: int, most_pairs: int, sets: Sequence[PairSet] = SETS
) -> list[ScoredNamePair]:
    """At most `most_pairs` of each set, and the nearest listed names of `people` made-up people, with their present scores.

    Raises `FileNotFoundError` if a file is missing.
    """
    found: list[ScoredNamePair] = []
    for done, one in enumerate(sets, start=1):
        found += score_set(one, SetPart.TRAIN, data, most_pairs)
        told(f"set “{one.key}”", done, len(sets))
    if people:
        found += find_near_parties(read_parties(data, READERS), read_unlisted_names(data)[:people])
    return found


def find_near_parties(parties: Sequence[ListedEntity], names: Sequence[str]) -> list[ScoredNamePair]:
    """The nearest listed parties of names that no list has, as pairs of different people."""
    people = [party for party in parties if party.entity_type is EntityKind.PERSON]
    index = ScreeningIndex([build_indexed_party(one.entity_type, one.list_search_names(), ()) for one in people])
    return [found for name in names for found in _find_nearest(index, people, name)]


def _find_nearest(index: ScreeningIndex, people: Sequence[ListedEntity], name: str) -> list[ScoredNamePair]:
    subject = parse_subject(ScreeningSubject(name, entity_type=EntityKind.PERSON))
    near = (
        ParsedListedEntity(people[one.place], index.parties[one.place].names, one.likely) for one in index.find(subject, _LOWEST)
    )
    ranked = rank_parties(ListedNameComparator(subject), near, floor=_LOWEST)[:_NEAREST]
    return [
        ScoredNamePair(
            ALERTS_KEY, SetPart.TRAIN, NamePair(name, (party.matched_name,), same=False, entity_kind=EntityKind.PERSON), party.score
        )
        for party in ranked
    ]
