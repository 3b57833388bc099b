"""Rules for two names of one business: typos, legal forms, languages, changed names and trade names.

Each rule is an infinite generator of pairs with its own random source. Typos and spellings use the rules of `corruptions`.
"""

from collections.abc import Callable, Iterator, Mapping
from random import Random
from types import MappingProxyType

from bonafide_bench.datasets.corruptions import CorruptionKind, corrupt_name
from bonafide_bench.datasets.name_components import BusinessNameComponents, create_components, create_names

NamePairs = Iterator[tuple[str, str]]
PairRule = Callable[[Random], NamePairs]
POOL_SIZE = 2_000
"""The number of generated businesses from which the rules draw."""
BLOCK = 1_000
_TRADING = ("o/a", "dba", "doing business as", "operating as", "carrying on business as")
_FRENCH_TRADING = ("faisant affaire sous", "f.a.s.r.s.", "faisant affaires sous le nom de")
_WIDER = ("Group", "International", "Canada", "Solutions", "Holdings", "Industries", "Global")
_FRENCH_WIDER = ("Groupe", "Solutions", "Canada", "International", "Industries")


def draw_components(chance: Random) -> Iterator[tuple[BusinessNameComponents, bool]]:
    """Yield random businesses, alternating between English and French."""
    made = create_components(POOL_SIZE)
    while True:
        yield chance.choice(made), False
        yield chance.choice(made), True


def _create_corruption_rule(kind: CorruptionKind) -> PairRule:
    """Create a rule: names of any kind and their corrupted form, if every word is still recognizable."""

    def pairs(chance: Random) -> NamePairs:
        for name in create_names(BLOCK, chance):
            found = corrupt_name(name, kind, chance)
            if found is not None and (kind is not CorruptionKind.SHORTENED or len(found.meant.split()) == len(name.split())):
                yield name, found.text

    return pairs


def _without_form(chance: Random) -> NamePairs:
    for firm, french in draw_components(chance):
        words = firm.french if french else firm.english
        name = firm.name(chance.choice((firm.family, firm.brand)), french=french)
        yield name, name.removesuffix(f" {words.ending}")


def _in_both_languages(chance: Random) -> NamePairs:
    for firm, _ in draw_components(chance):
        who = chance.choice((firm.family, firm.brand, f"{firm.brand} {firm.second_brand}", f"{firm.given} {firm.family}"))
        yield firm.name(who, french=False), firm.name(who, french=True)


def _one_of_two_languages(chance: Random) -> NamePairs:
    for firm, french in draw_components(chance):
        who = chance.choice((firm.family, firm.brand))
        yield (
            f"{firm.name(who, french=french)} / {firm.name(who, french=not french)}",
            firm.name(who, french=chance.random() < 1 / 2),
        )


def _renamed(chance: Random) -> NamePairs:
    """The name of a business before and after it dropped its trade or added a broader word to its brand."""
    for firm, french in draw_components(chance):
        words = firm.french if french else firm.english
        who = chance.choice((firm.brand, f"{firm.brand} {firm.second_brand}"))
        wider = chance.choice(_FRENCH_WIDER if french else _WIDER)
        with_wider = f"{wider} {who} {words.ending}" if french else f"{who} {wider} {words.ending}"
        if chance.random() < 1 / 2:
            yield firm.name(who, french=french), f"{who} {words.ending}"
        else:
            yield f"{who} {words.ending}", with_wider


def _initials(chance: Random) -> NamePairs:
    for firm, french in draw_components(chance):
        spelled = chance.choice((f"{firm.given[0]}.", firm.given[0]))
        if chance.random() < 1 / 2:
            yield firm.name(f"{firm.given} {firm.family}", french=french), firm.name(f"{spelled} {firm.family}", french=french)
        else:
            dotted = chance.choice((".".join(firm.initials) + ".", " ".join(firm.initials)))
            yield firm.name(f"{firm.initials} {firm.brand}", french=french), firm.name(f"{dotted} {firm.brand}", french=french)


def _trading_name(chance: Random) -> NamePairs:
    """The legal name with its trade name ("… doing business as …"), and one of the two."""
    for firm, french in draw_components(chance):
        words = firm.french if french else firm.english
        number = f"{chance.randint(1_000_000, 9_999_999)} {words.city and ('Québec' if french else 'Ontario')} {words.ending}"
        legal = chance.choice((number, f"{firm.family} {firm.partner} {words.ending}"))
        trading = firm.name(firm.brand, french=french).removesuffix(f" {words.ending}")
        between = chance.choice(_FRENCH_TRADING if french else _TRADING)
        yield f"{legal} {between} {trading}", chance.choice((legal, trading, trading))


RULES: Mapping[str, PairRule] = MappingProxyType({
    "other case": _create_corruption_rule(CorruptionKind.EXACT),
    "without legal form": _without_form,
    "other legal form": _create_corruption_rule(CorruptionKind.FORM),
    "slip": _create_corruption_rule(CorruptionKind.SLIP),
    "two slips in a word": _create_corruption_rule(CorruptionKind.TWO_SLIPS),
    "slips in two words": _create_corruption_rule(CorruptionKind.SLIPS_IN_TWO),
    "accents lost": _create_corruption_rule(CorruptionKind.ACCENTS),
    "words swapped": _create_corruption_rule(CorruptionKind.SWAPPED),
    "words joined": _create_corruption_rule(CorruptionKind.JOINED),
    "word split": _create_corruption_rule(CorruptionKind.SPLIT),
    "& and et": _create_corruption_rule(CorruptionKind.AND),
    "abbreviated": _create_corruption_rule(CorruptionKind.SHORTENED),
    "number grouped": _create_corruption_rule(CorruptionKind.NUMBER),
    "initials": _initials,
    "other language": _in_both_languages,
    "one of two languages": _one_of_two_languages,
    "renamed": _renamed,
    "trading name": _trading_name,
})  # fmt: skip
"""The categories of pairs of the same business."""
