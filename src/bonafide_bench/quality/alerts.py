"""Alerts on people who are on no list: the share of names for which screening finds any listed party."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from bonafide.matching.screening.name_parsing import parse_subject
from bonafide.matching.screening.party_matching import ListedNameComparator, ParsedListedEntity, rank_parties
from bonafide.matching.screening.screening_index import ScreeningIndex, build_indexed_party
from bonafide.model.entry import EntityKind, ListedEntity
from bonafide.model.query import ScreeningSubject
from bonafide_bench.real_names.labelled_files import read_unlisted_names
from bonafide_bench.real_names.listed_sets import read_parties
from bonafide_bench.real_names.name_pairs import SetPart
from bonafide_bench.real_names.sanctions_lists import READERS, european_union, ofac
from bonafide_bench.real_names.unlisted_people import create_common_names, recombine_listed_names

ALERT_THRESHOLDS = (0.7, 0.8, 0.85)
_SHOWN = 10


@dataclass(frozen=True, slots=True)
class AlertFigures:
    """Names from one source: how many were screened, the share with an alert at each threshold, and the highest-scoring ones."""

    key: str
    part: SetPart
    names: int
    shares: tuple[float, ...]
    examples: tuple[str, ...]


def measure_alerts(data: Path, people: int) -> Iterator[AlertFigures]:
    """Screen up to `people` names of each source against all lists; names only."""
    parties = read_parties(data, READERS)
    index = ScreeningIndex([build_indexed_party(one.entity_type, one.list_search_names(), ()) for one in parties])
    for (key, part), read in SOURCES.items():
        yield screen_names(key, part, index, parties, read(data, people))


def screen_names(
    key: str, part: SetPart, index: ScreeningIndex, parties: Sequence[ListedEntity], names: Sequence[str]
) -> AlertFigures:
    """Screen names that no list has."""
    best = sorted((find_best_party(index, parties, name) for name in names), reverse=True)
    shares = tuple(sum(score >= threshold for score, _ in best) / max(len(best), 1) for threshold in ALERT_THRESHOLDS)
    return AlertFigures(key, part, len(best), shares, tuple(text for score, text in best[:_SHOWN] if score > 0))


def find_best_party(index: ScreeningIndex, parties: Sequence[ListedEntity], name: str) -> tuple[float, str]:
    """The highest score of any listed party, and both names as text; 0 if none scores at least the lowest threshold."""
    subject = parse_subject(ScreeningSubject(name, entity_type=EntityKind.PERSON))
    floor = ALERT_THRESHOLDS[0]
    near = (
        ParsedListedEntity(parties[one.place], index.parties[one.place].names, one.likely) for one in index.find(subject, floor)
    )
    ranked = rank_parties(ListedNameComparator(subject), near, floor=floor)
    return (ranked[0].score, f"{name} | {ranked[0].matched_name} ({ranked[0].score:.2f})") if ranked else (0.0, "")


def _read_made_up(data: Path, people: int) -> list[str]:
    return read_unlisted_names(data)[:people]


def _read_common(_data: Path, people: int) -> list[str]:
    return create_common_names(people)


def _recombine(data: Path, people: int) -> list[str]:
    return recombine_listed_names(data, (ofac, european_union), people)


SOURCES: Mapping[tuple[str, SetPart], Callable[[Path, int], list[str]]] = {
    ("made-up people (opensanctions/yente, MIT)", SetPart.TRAIN): _read_made_up,
    ("common Canadian names (word lists of the sandbox)", SetPart.TEST): _read_common,
    ("parts of listed names recombined (OFAC, European Union)", SetPart.CONTROL): _recombine,
}
"""The names that are screened. Made-up people are training material; they are shown because a goal is stated for them."""
