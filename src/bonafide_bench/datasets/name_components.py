"""Components of generated business names in English and French.

The words are those of the sandbox. None of these businesses exists in the sandbox's registries.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from random import Random

import numpy as np

from bonafide_sandbox.generator import addresses
from bonafide_sandbox.generator.businesses import MAX_SIZE, create_block
from bonafide_sandbox.generator.name_patterns import ENGLISH, FRENCH, SLOTS, SlotContext
from bonafide_sandbox.generator.registers import assign_registers
from bonafide_sandbox.generator.seeded_random import SeededRandom

SEED = 1867
FIRST = 2 * MAX_SIZE
"""The first index that is outside any sandbox world, whatever its size."""
_SHARED = ("family", "partner", "given", "brand", "second_brand", "initials")
_SLOTS_BY_FIELD = {
    "family": "surname",
    "partner": "surname2",
    "given": "given",
    "brand": "coined",
    "second_brand": "coined2",
    "initials": "initials",
    "trade": "trade",
    "other_trade": "trade2",
    "place": "place",
    "ending": "ending",
}


@dataclass(frozen=True, slots=True)
class LocalizedComponents:
    """The trade, place and legal form of a business in one language."""

    trade: str
    other_trade: str
    place: str
    city: str
    ending: str


@dataclass(frozen=True, slots=True)
class BusinessNameComponents:
    """The owner and brand of a business, and its localized components in both languages."""

    family: str
    partner: str
    given: str
    brand: str
    second_brand: str
    initials: str
    english: LocalizedComponents
    french: LocalizedComponents

    def name(self, who: str, *, french: bool) -> str:
        """`who` with the trade and the legal form, in the word order of the language."""
        words = self.french if french else self.english
        return f"{words.trade} {who} {words.ending}" if french else f"{who} {words.trade} {words.ending}"


def create_components(count: int) -> list[BusinessNameComponents]:
    """Generate `count` businesses; the first ones are the same for any count."""
    indices = np.arange(FIRST, FIRST + count, dtype=np.int64)
    draws = SeededRandom.of(SEED, indices)
    settled = addresses.draw_cities(draws, assign_registers(indices)[0])
    in_quebec = np.arange(count) % 2 == 0
    slates = [SlotContext(draws, settled.city_names, in_quebec, language) for language in (ENGLISH, FRENCH)]
    columns = [{name: SLOTS[slot](slate).tolist() for name, slot in _SLOTS_BY_FIELD.items()} for slate in slates]
    cities = settled.city_names.tolist()

    def wording(language: int, at: int) -> LocalizedComponents:
        own = columns[language]
        return LocalizedComponents(own["trade"][at], own["other_trade"][at], own["place"][at], cities[at], own["ending"][at])

    shared = [columns[ENGLISH][name] for name in _SHARED]
    return [
        BusinessNameComponents(family, partner, given, brand, second_brand, initials, wording(ENGLISH, at), wording(FRENCH, at))
        for at, (family, partner, given, brand, second_brand, initials) in enumerate(zip(*shared, strict=True))
    ]


def create_names(count: int, chance: Random) -> Iterator[str]:
    """Yield names as registries write them, of all kinds and patterns, half of them French."""
    while True:
        start = FIRST + chance.randrange(MAX_SIZE)
        made = create_block(SEED, np.arange(start, start + count, dtype=np.int64))
        english = [business.name for business in made if not business.french]
        french = [business.name for business in made if business.french]
        for pair in zip(english, french, strict=False):
            yield from pair
