"""All parties of all lists in memory, for finding those that a subject may be: by names of people, by other names, by numbers.

Lists are small beside registers: a hundred thousand names take some tens of megabytes, and one name is looked for in about a
millisecond. It finds; `listed` scores. Where parties come from, and when they are read anew, is the caller's business.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from bonafide.matching.listed import names_of
from bonafide.matching.names import NormalName
from bonafide.matching.rarity import STATIC, Rarity
from bonafide.matching.screening_field import ListedField
from bonafide.matching.screening_leeway import Leeway
from bonafide.matching.screening_names import ListedName, Reading, ReadSubject
from bonafide.matching.screening_numbers import number_keys
from bonafide.matching.transliteration import is_foreign
from bonafide.model.entry import EntityKind

MARGIN = 0.03
"""By how much an estimate may be below the score."""
LIFT = 0.1
"""By how much evidence may lift a name."""


@dataclass(frozen=True, slots=True)
class Party:
    """A listed party as the roll knows it: what it is, its names in their normal form, and its numbers."""

    kind: EntityKind
    names: tuple[ListedName, ...]
    numbers: tuple[str, ...]


def party_of(kind: EntityKind, names: Iterable[str], numbers: Iterable[str]) -> Party:
    """Read a party's names."""
    return Party(kind, names_of(kind, names), tuple(numbers))


@dataclass(frozen=True, slots=True)
class Found:
    """A party that the subject may be: its place among the parties, the estimate, and which of its names came near."""

    place: int
    estimate: float
    likely: tuple[int, ...]


class Roll:
    """The parties, and where each of their words and numbers stands."""

    def __init__(self, parties: Sequence[Party]) -> None:
        self.parties = parties
        self._people = _Names(parties, of_people=True)
        self._others = _Names(parties, of_people=False)
        self._numbers: dict[str, list[int]] = defaultdict(list)
        for place, party in enumerate(parties):
            for number in party.numbers:
                for key in number_keys(number):
                    self._numbers[key].append(place)

    @property
    def name_count(self) -> int:
        """How many names there are."""
        return len(self._people.field) + len(self._others.field)

    def find(self, subject: ReadSubject, floor: float, rarity: Rarity = STATIC) -> list[Found]:
        """The parties that may score at least `floor`, the best by estimate first."""
        asked = subject.subject
        has_evidence = bool(asked.date_of_birth is not None or asked.countries)
        least = floor - MARGIN - (LIFT if has_evidence else 0.0)
        leeway = Leeway(asked.typo_tolerance, asked.name_variants, is_foreign(asked.name))
        found: dict[int, Found] = {}
        if asked.entity_type in {None, EntityKind.PERSON}:
            for person in subject.people:
                for parts in readings_of(person.name):
                    self._people.search(parts, least, leeway, rarity, found)
        if asked.entity_type is not EntityKind.PERSON:
            for business in subject.businesses:
                self._others.search(business.core, least, leeway, rarity, found)
        for key in subject.numbers.keys:
            for place in self._numbers.get(key, ()):
                found[place] = Found(place, 1.0, ())
        return sorted(found.values(), key=lambda one: (-one.estimate, one.place))


class _Names:
    """The names of one kind, and whose each is."""

    def __init__(self, parties: Sequence[Party], *, of_people: bool) -> None:
        words: list[tuple[str, ...]] = []
        foreign: set[str] = set()
        owners, places = [], []
        for owner, party in enumerate(parties):
            if (party.kind is EntityKind.PERSON) is of_people:
                for place, name in enumerate(party.names):
                    for reading in readings_of(name.reading):
                        words.append(reading)
                        owners.append(owner)
                        places.append(place)
                        if is_foreign(name.text):
                            foreign.update(reading)
        self.field = ListedField(words, foreign, of_people=of_people)
        self._owners, self._places = np.array(owners, np.int32), np.array(places, np.int32)

    def search(self, words: Sequence[str], floor: float, leeway: Leeway, rarity: Rarity, found: dict[int, Found]) -> None:
        estimates = self.field.search(words, floor, leeway, rarity)
        owners, places = self._owners[estimates.names].tolist(), self._places[estimates.names].tolist()
        for owner, place, score in zip(owners, places, estimates.scores.tolist(), strict=True):
            known = found.get(owner)
            if known is None:
                found[owner] = Found(owner, score, (place,))
            elif place not in known.likely:
                found[owner] = Found(owner, max(score, known.estimate), (*known.likely, place))


def readings_of(name: Reading) -> list[tuple[str, ...]]:
    """The words by which a name is found, once for each way to read it."""
    if isinstance(name, NormalName):
        return [name.core]
    return [name.parts] if name.joined is None else [name.parts, name.joined.parts]
