"""Generated listed parties, and names to screen against them.

The output is deterministic for a given size. `measurements.screen` measures the screening.
"""

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from bonafide.model.entry import EntityKind, ListedEntity
from bonafide.model.jurisdiction import Jurisdiction
from bonafide_bench.datasets.typos import make_typo
from bonafide_sandbox.generator.businesses import create_businesses, create_unregistered
from bonafide_sandbox.world.builder import DEFAULT_SEED

MOST_BUSINESSES = 10_000_000
_LONG = 5
"""The minimum length of a word that gets a typo."""


@dataclass(frozen=True, slots=True)
class ScreeningProbe:
    """A name to screen, how it was made, and the position of the expected party; None for a name that is not listed."""

    text: str
    kind: str
    party: int | None


def create_parties(names: int) -> list[ListedEntity]:
    """Organizations and people with this many names in total: the sandbox's businesses and their directors."""
    found: list[ListedEntity] = []
    count = 0
    for business in create_businesses(DEFAULT_SEED, 0, MOST_BUSINESSES):
        others = tuple(dict.fromkeys([*business.other_names, *(former.name for former in business.former_names)]))
        found.append(_party(len(found), EntityKind.ORGANIZATION, business.name, others))
        for officer in business.people:
            given, _, family = officer.name.rpartition(" ")
            found.append(_party(len(found), EntityKind.PERSON, officer.name, (f"{family.upper()}, {given}",)))
        count += 1 + len(others) + 2 * len(business.people)
        if count >= names:
            break
    return found


def _party(number: int, kind: EntityKind, name: str, aliases: tuple[str, ...]) -> ListedEntity:
    return ListedEntity(entry_id=str(number), entity_type=kind, name=name, aliases=aliases, programs=("Made up",))


def create_party_sets(count: int, people: int) -> list[tuple[str, ...]]:
    """The names of `people` people for each of `count` businesses; no list has any of them on purpose."""
    found: list[tuple[str, ...]] = []
    names: list[str] = []
    for business in create_unregistered(DEFAULT_SEED, Jurisdiction.ON):
        names += [officer.name for officer in business.people]
        while len(names) >= people and len(found) < count:
            found.append(tuple(names[:people]))
            names = names[people:]
        if len(found) == count:
            break
    return found


def create_probes(parties: Sequence[ListedEntity], count: int) -> list[ScreeningProbe]:
    """Generate `count` names, alternating between a corrupted listed name and the name of an unlisted business."""
    chance = random.Random(DEFAULT_SEED)  # noqa: S311 - a sample, not a secret
    listed = _create_listed_probes(parties, chance)
    others = (business.name for business in create_unregistered(DEFAULT_SEED, Jurisdiction.ON))
    mixed = (
        probe for pair in zip(listed, (ScreeningProbe(name, "nobody's", None) for name in others), strict=False) for probe in pair
    )
    return list(islice(mixed, count))


def _create_listed_probes(parties: Sequence[ListedEntity], chance: random.Random) -> Iterator[ScreeningProbe]:
    while True:
        place = chance.randrange(len(parties))
        name = parties[place].name
        words = name.split()
        long = [word for word in words if len(word) >= _LONG and word.isalpha()]
        yield ScreeningProbe(name.upper(), "as listed", place)
        if len(words) > 1:
            yield ScreeningProbe(" ".join(chance.sample(words, len(words))), "in another order", place)
        if long:
            word = chance.choice(long)
            yield ScreeningProbe(name.replace(word, make_typo(word, chance), 1), "one slip", place)
