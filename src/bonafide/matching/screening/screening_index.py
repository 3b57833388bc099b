"""An in-memory index of all listed parties, searched by people's names, other names and numbers.

Lists are small compared with registers: a hundred thousand names take some tens of megabytes, and a search takes about a
millisecond. It finds candidates; `party_matching` scores them. The caller loads and reloads the parties.
"""

from array import array
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from bonafide.matching.names.name_alignment import FIELD_WIDTHS
from bonafide.matching.names.normalization import NormalName
from bonafide.matching.scoring.tolerance import Tolerance
from bonafide.matching.scoring.word_rarity import STATIC_RARITY, WordRarity
from bonafide.matching.screening.candidate_names import CandidateNames
from bonafide.matching.screening.name_parsing import ListedName, ParsedScreeningName, ParsedSubject, build_identifier_keys
from bonafide.matching.screening.party_matching import parse_listed_names
from bonafide.matching.text.transliteration import is_non_latin
from bonafide.model.entry import EntityKind

MARGIN = 0.03
"""The maximum by which an estimate is below the score."""
MAX_LIFT = 0.1
"""The maximum by which evidence raises the score of a name."""


@dataclass(frozen=True, slots=True)
class IndexedParty:
    """A listed party in the index: its kind, its names in normal form, and its numbers."""

    kind: EntityKind
    names: tuple[ListedName, ...]
    numbers: tuple[str, ...]


def build_indexed_party(kind: EntityKind, names: Iterable[str], numbers: Iterable[str]) -> IndexedParty:
    """Parse a party's names."""
    return IndexedParty(kind, parse_listed_names(kind, names), tuple(numbers))


@dataclass(frozen=True, slots=True)
class PartyCandidate:
    """A candidate party: its index, the estimate, and the indexes of its similar names."""

    place: int
    estimate: float
    likely: tuple[int, ...]


class ScreeningIndex:
    """An index of parties by words and numbers."""

    def __init__(self, parties: Sequence[IndexedParty]) -> None:
        self.parties = parties
        self._people = _Names(parties, of_people=True)
        self._others = _Names(parties, of_people=False)
        self._numbers: dict[str, list[int]] = defaultdict(list)
        for place, party in enumerate(parties):
            for number in party.numbers:
                for key in build_identifier_keys(number):
                    self._numbers[key].append(place)

    @property
    def name_count(self) -> int:
        """The number of names."""
        return len(self._people.field) + len(self._others.field)

    def find(self, subject: ParsedSubject, floor: float, rarity: WordRarity = STATIC_RARITY) -> list[PartyCandidate]:
        """The parties that may score at least `floor`, the best by estimate first."""
        requested = subject.subject
        has_evidence = bool(requested.date_of_birth is not None or requested.countries)
        least = floor - MARGIN - (MAX_LIFT if has_evidence else 0.0)
        tolerance = Tolerance(requested.typo_tolerance, requested.name_variants, is_non_latin(requested.name))
        found: dict[int, PartyCandidate] = {}
        if requested.entity_type in {None, EntityKind.PERSON}:
            for person in subject.people:
                for parts in list_readings(person.name):
                    self._people.search(parts, least, tolerance, rarity, found)
        if requested.entity_type is not EntityKind.PERSON:
            for business in subject.businesses:
                is_cut_off = len(business.text) in FIELD_WIDTHS
                self._others.search(business.core, least, tolerance, rarity, found, is_cut_off=is_cut_off)
        for key in subject.numbers.keys:
            for place in self._numbers.get(key, ()):
                found[place] = PartyCandidate(place, 1.0, ())
        return sorted(found.values(), key=lambda one: (-one.estimate, one.place))


class _Names:
    """The names of one kind, with their parties."""

    def __init__(self, parties: Sequence[IndexedParty], *, of_people: bool) -> None:
        words: list[tuple[str, ...]] = []
        foreign: set[str] = set()
        owners, places = [], []
        for owner, party in enumerate(parties):
            if (party.kind is EntityKind.PERSON) is of_people:
                for place, name in enumerate(party.names):
                    for reading in list_readings(name.reading):
                        words.append(reading)
                        owners.append(owner)
                        places.append(place)
                        if is_non_latin(name.text):
                            foreign.update(reading)
        self.field = CandidateNames(words, foreign, of_people=of_people)
        # Lists of so many integers would take several times the memory.
        self._owners, self._places = array("i", owners), array("i", places)

    def search(
        self,
        words: Sequence[str],
        floor: float,
        tolerance: Tolerance,
        rarity: WordRarity,
        found: dict[int, PartyCandidate],
        *,
        is_cut_off: bool = False,
    ) -> None:
        estimates = self.field.search(words, floor, tolerance, rarity, is_cut_off=is_cut_off)
        for name, score in zip(estimates.names, estimates.scores, strict=True):
            owner, place = self._owners[name], self._places[name]
            known = found.get(owner)
            if known is None:
                found[owner] = PartyCandidate(owner, score, (place,))
            elif place not in known.likely:
                found[owner] = PartyCandidate(owner, max(score, known.estimate), (*known.likely, place))


def list_readings(name: ParsedScreeningName) -> list[tuple[str, ...]]:
    """The words by which a name is found, for each of its parsed forms."""
    if isinstance(name, NormalName):
        return [name.core]
    return [name.parts] if name.joined is None else [name.parts, name.joined.parts]
