"""Listed parties ranked from scratch: subject and entries are read for one comparison."""

from collections.abc import Iterable

from bonafide.matching.screening.name_parsing import parse_subject
from bonafide.matching.screening.party_matching import ListedNameComparator, ScreenedParty, parse_listed_entity, rank_parties
from bonafide.model.entry import ListedEntity
from bonafide.model.query import ScreeningSubject


def rank_listed(subject: ScreeningSubject, entries: Iterable[ListedEntity], *, floor: float) -> list[ScreenedParty]:
    """Those that score at least `floor`, best first."""
    return rank_parties(ListedNameComparator(parse_subject(subject)), map(parse_listed_entity, entries), floor=floor)
