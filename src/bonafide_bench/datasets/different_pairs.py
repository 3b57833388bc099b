"""Rules for similar names of two different businesses: same family, town or trade, consecutive numbers, opposite directions.

Each rule is an infinite generator of pairs with its own random source.
"""

from collections.abc import Mapping
from functools import cache
from itertools import combinations
from random import Random
from types import MappingProxyType

from rapidfuzz.distance import OSA

from bonafide_bench.datasets.same_pairs import NamePairs, PairRule, draw_components
from bonafide_bench.datasets.typos import make_digit_typo
from bonafide_sandbox.generator.data_tables import read_table, to_word_array

_DIRECTIONS = (("North", "South"), ("East", "West"), ("Northern", "Southern"), ("Eastern", "Western"), ("Upper", "Lower"))
_FRENCH_DIRECTIONS = (("Nord", "Sud"), ("Est", "Ouest"), ("Haute", "Basse"))
_ORDINALS = (("First", "Second"), ("First", "Third"), ("One", "Two"), ("Old", "New"))
_FRENCH_ORDINALS = (("Premier", "Deuxième"), ("Un", "Deux"), ("Ancien", "Nouveau"))
_PHASES = (("I", "II"), ("II", "III"), ("Phase 1", "Phase 2"), ("2", "3"))
_NUMBERED = ("Ontario", "Canada", "Alberta", "B.C.", "Manitoba")
_YEARS = (1985, 2024)


def _siblings(chance: Random) -> NamePairs:
    """The same family name with two trades."""
    for firm, french in draw_components(chance):
        other = firm.french.other_trade if french else firm.english.other_trade
        words_ = firm.french if french else firm.english
        twin = f"{other} {firm.family} {words_.ending}" if french else f"{firm.family} {other} {words_.ending}"
        yield firm.name(firm.family, french=french), twin


def _numbered(chance: Random) -> NamePairs:
    for _ in draw_components(chance):
        number = str(chance.randint(1_000_000, 9_999_999))
        other = str(int(number) + 1) if chance.random() < 1 / 2 else make_digit_typo(number, chance)
        place = chance.choice(_NUMBERED)
        yield f"{number} {place} Inc.", f"{other} {place} Inc."


def _create_opposite_rule(pairs: tuple[tuple[str, str], ...], french_pairs: tuple[tuple[str, str], ...]) -> PairRule:
    """Create a rule: one name with two mutually exclusive words, before or after it."""

    def made(chance: Random) -> NamePairs:
        for firm, french in draw_components(chance):
            who = chance.choice((firm.family, firm.brand))
            one, other = chance.choice(french_pairs if french else pairs)
            whose = (f"{who} {one}", f"{who} {other}") if french or chance.random() < 1 / 2 else (f"{one} {who}", f"{other} {who}")
            yield firm.name(whose[0], french=french), firm.name(whose[1], french=french)

    return made


def _phases(chance: Random) -> NamePairs:
    for firm, french in draw_components(chance):
        one, other = chance.choice(_PHASES)
        yield firm.name(f"{firm.brand} {one}", french=french), firm.name(f"{firm.brand} {other}", french=french)


def _years(chance: Random) -> NamePairs:
    """A company and a later one that reuses its name with a year; or two of the latter."""
    for firm, french in draw_components(chance):
        words_ = firm.french if french else firm.english
        name = firm.name(chance.choice((firm.family, firm.brand)), french=french).removesuffix(words_.ending)
        one, other = chance.sample(range(*_YEARS), 2)
        yield (
            f"{name}({one}) {words_.ending}",
            f"{name}({other}) {words_.ending}" if chance.random() < 1 / 2 else name + words_.ending,
        )


def _other_family(chance: Random) -> NamePairs:
    """The same trade and town with two family names, half of them with a partner's name."""
    for firm, french in draw_components(chance):
        city = firm.english.city
        if chance.random() < 1 / 2:
            yield firm.name(f"{city} {firm.family}", french=french), firm.name(f"{city} {firm.partner}", french=french)
        else:
            yield firm.name(firm.family, french=french), firm.name(firm.partner, french=french)


def _other_partner(chance: Random) -> NamePairs:
    for (firm, french), (other, _) in zip(draw_components(chance), draw_components(chance), strict=False):
        link = "et" if french else "&"
        yield (
            firm.name(f"{firm.family} {link} {firm.partner}", french=french),
            firm.name(f"{firm.family} {link} {other.partner}", french=french),
        )


@cache
def _near_surnames() -> tuple[tuple[str, str], ...]:
    """Surnames that differ in one letter: Robert and Roberts, Carter and Cartier."""
    traditions = read_table("people")["traditions"].values()
    listed = sorted({name for tradition in traditions for name in to_word_array(tradition["surnames"]).tolist()})
    return tuple((one, other) for one, other in combinations(listed, 2) if OSA.distance(one, other, score_cutoff=1) == 1)


def _near_surname(chance: Random) -> NamePairs:
    for firm, french in draw_components(chance):
        one, other = chance.choice(_near_surnames())
        yield firm.name(one, french=french), firm.name(other, french=french)


def _generic(chance: Random) -> NamePairs:
    """Names that consist only of a place, a trade and generic words."""
    for firm, french in draw_components(chance):
        words_ = firm.french if french else firm.english
        where = chance.choice((words_.place, words_.city))
        one, other = (f"{where} {trade} Services" for trade in (words_.trade, words_.other_trade))
        if chance.random() < 1 / 2:
            one, other = (f"{place} {words_.trade}" for place in (words_.place, words_.city))
        yield f"{one} {words_.ending}", f"{other} {words_.ending}"


def _stores(chance: Random) -> NamePairs:
    for firm, french in draw_components(chance):
        one, other = chance.sample(range(2, 400), 2)
        shop = chance.choice(("#{}", "Store {}", "Magasin {}" if french else "No. {}"))
        name = f"{firm.french.trade} {firm.brand}" if french else f"{firm.brand} {firm.english.trade}"
        yield f"{name} {shop.format(one)}", f"{name} {shop.format(other)}"


def _holdings(chance: Random) -> NamePairs:
    """The holding company of one family and a company or holding company of another."""
    for firm, french in draw_components(chance):
        words_ = firm.french if french else firm.english
        own, other = (f"Gestion {who}" if french else f"{who} Holdings" for who in (firm.family, firm.partner))
        yield f"{own} {words_.ending}", chance.choice((f"{other} {words_.ending}", firm.name(firm.partner, french=french)))


def _other_town(chance: Random) -> NamePairs:
    for (firm, french), (other, _) in zip(draw_components(chance), draw_components(chance), strict=False):
        one, two = (
            f"{firm.family} {city}" if french else f"{city} {firm.family}" for city in (firm.english.city, other.english.city)
        )
        if firm.english.city != other.english.city:
            yield firm.name(one, french=french), firm.name(two, french=french)


RULES: Mapping[str, PairRule] = MappingProxyType({
    "sibling": _siblings,
    "numbered neighbour": _numbered,
    "opposite direction": _create_opposite_rule(_DIRECTIONS, _FRENCH_DIRECTIONS),
    "other ordinal": _create_opposite_rule(_ORDINALS, _FRENCH_ORDINALS),
    "other phase": _phases,
    "other year": _years,
    "other family": _other_family,
    "other partner": _other_partner,
    "near surname": _near_surname,
    "generic words": _generic,
    "other store": _stores,
    "other family's holding": _holdings,
    "other town": _other_town,
})  # fmt: skip
"""The categories of pairs of different businesses."""
