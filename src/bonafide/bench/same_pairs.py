"""How one business comes to be written in two ways: slips, legal forms, the other language, a changed or a second name.

Each rule yields pairs without end from its own chance. Slips and spellings are the rules of `disturb`, on whole names.
"""

from collections.abc import Callable, Iterator, Mapping
from random import Random
from types import MappingProxyType

from bonafide.bench.disturb import Kind, disturbed
from bonafide.bench.firms import Firm, firms, whole_names

Pairs = Iterator[tuple[str, str]]
Rule = Callable[[Random], Pairs]
POOL = 2_000
"""Invented businesses of which each rule takes some."""
BLOCK = 1_000
_TRADING = ("o/a", "dba", "doing business as", "operating as", "carrying on business as")
_FRENCH_TRADING = ("faisant affaire sous", "f.a.s.r.s.", "faisant affaires sous le nom de")
_WIDER = ("Group", "International", "Canada", "Solutions", "Holdings", "Industries", "Global")
_FRENCH_WIDER = ("Groupe", "Solutions", "Canada", "International", "Industries")


def pool(chance: Random) -> Iterator[tuple[Firm, bool]]:
    """Businesses by chance, and whether French is spoken, in turn."""
    made = firms(POOL)
    while True:
        yield chance.choice(made), False
        yield chance.choice(made), True


def _disturbed(kind: Kind) -> Rule:
    """Whole names of any kind against themselves as people write them, as long as every word can still be made out."""

    def pairs(chance: Random) -> Pairs:
        for name in whole_names(BLOCK, chance):
            found = disturbed(name, kind, chance)
            if found is not None and (kind is not Kind.SHORTENED or len(found.meant.split()) == len(name.split())):
                yield name, found.text

    return pairs


def _without_form(chance: Random) -> Pairs:
    for firm, french in pool(chance):
        words = firm.french if french else firm.english
        name = firm.name(chance.choice((firm.family, firm.brand)), french=french)
        yield name, name.removesuffix(f" {words.ending}")


def _in_both_languages(chance: Random) -> Pairs:
    for firm, _ in pool(chance):
        who = chance.choice((firm.family, firm.brand, f"{firm.brand} {firm.second_brand}", f"{firm.given} {firm.family}"))
        yield firm.name(who, french=False), firm.name(who, french=True)


def _one_of_two_languages(chance: Random) -> Pairs:
    for firm, french in pool(chance):
        who = chance.choice((firm.family, firm.brand))
        yield (
            f"{firm.name(who, french=french)} / {firm.name(who, french=not french)}",
            firm.name(who, french=chance.random() < 1 / 2),
        )


def _renamed(chance: Random) -> Pairs:
    """What a business called itself before and after it dropped its trade, or put a wider word beside what it is known by."""
    for firm, french in pool(chance):
        words = firm.french if french else firm.english
        who = chance.choice((firm.brand, f"{firm.brand} {firm.second_brand}"))
        wider = chance.choice(_FRENCH_WIDER if french else _WIDER)
        with_wider = f"{wider} {who} {words.ending}" if french else f"{who} {wider} {words.ending}"
        if chance.random() < 1 / 2:
            yield firm.name(who, french=french), f"{who} {words.ending}"
        else:
            yield f"{who} {words.ending}", with_wider


def _initials(chance: Random) -> Pairs:
    for firm, french in pool(chance):
        spelled = chance.choice((f"{firm.given[0]}.", firm.given[0]))
        if chance.random() < 1 / 2:
            yield firm.name(f"{firm.given} {firm.family}", french=french), firm.name(f"{spelled} {firm.family}", french=french)
        else:
            dotted = chance.choice((".".join(firm.initials) + ".", " ".join(firm.initials)))
            yield firm.name(f"{firm.initials} {firm.brand}", french=french), firm.name(f"{dotted} {firm.brand}", french=french)


def _trading_name(chance: Random) -> Pairs:
    """The full style of a business that trades under another name, against one of the two."""
    for firm, french in pool(chance):
        words = firm.french if french else firm.english
        number = f"{chance.randint(1_000_000, 9_999_999)} {words.city and ('Québec' if french else 'Ontario')} {words.ending}"
        legal = chance.choice((number, f"{firm.family} {firm.partner} {words.ending}"))
        trading = firm.name(firm.brand, french=french).removesuffix(f" {words.ending}")
        between = chance.choice(_FRENCH_TRADING if french else _TRADING)
        yield f"{legal} {between} {trading}", chance.choice((legal, trading, trading))


RULES: Mapping[str, Rule] = MappingProxyType({
    "other case": _disturbed(Kind.EXACT),
    "without legal form": _without_form,
    "other legal form": _disturbed(Kind.FORM),
    "slip": _disturbed(Kind.SLIP),
    "two slips in a word": _disturbed(Kind.TWO_SLIPS),
    "slips in two words": _disturbed(Kind.SLIPS_IN_TWO),
    "accents lost": _disturbed(Kind.ACCENTS),
    "words swapped": _disturbed(Kind.SWAPPED),
    "words joined": _disturbed(Kind.JOINED),
    "word split": _disturbed(Kind.SPLIT),
    "& and et": _disturbed(Kind.AND),
    "abbreviated": _disturbed(Kind.SHORTENED),
    "number grouped": _disturbed(Kind.NUMBER),
    "initials": _initials,
    "other language": _in_both_languages,
    "one of two languages": _one_of_two_languages,
    "renamed": _renamed,
    "trading name": _trading_name,
})  # fmt: skip
"""Every category of pairs of one business."""
