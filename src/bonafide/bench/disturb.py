"""How people write a name otherwise than it is registered: recorded rules, in English and French, the same for the same chance.

Each word of a disturbed name remembers what it stands for, so that it can be told afterwards which words a reader could still make
out. Whether enough of them are left to tell who is meant is judged in `queries`, against all names.
"""

import re
import unicodedata
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from itertools import pairwise
from random import Random
from types import MappingProxyType

from bonafide.bench.slips import digit_slip, slip, slips
from bonafide.bench.written import (
    LITTLE,
    SPELLINGS,
    Word,
    Words,
    body_length,
    folded,
    in_capitals_of,
    looks_french,
    put,
    sound_places,
    telling_places,
)

SLIPPING, TWICE_SLIPPING = 4, 6
"""Letters of a word that one slip, and two, leave readable."""
SPLITTING, SHORTENING = 7, 7
"""Letters of a word that may be split in two, or cut short."""
SHORTEST_PART = 3
DIGITS = 5
"""Digits of a number that may be grouped, or have a slip: a shorter one is a street or a year, and another number another name."""


class Kind(StrEnum):
    """The ways."""

    EXACT = "as registered, any case"
    FORM = "legal form exchanged or dropped"
    SLIP = "one slip"
    TWO_SLIPS = "two slips in a word"
    SLIPS_IN_TWO = "slips in two words"
    DROPPED = "word dropped"
    ADDED = "word added"
    SWAPPED = "words swapped"
    ACCENTS = "accents lost"
    SHORTENED = "abbreviated or cut short"
    AND = "&, and, et"
    JOINED = "words joined"
    SPLIT = "word split"
    NUMBER = "number format"
    DIGIT = "digit slip"
    COMBINED = "two or three of these"


Rule = Callable[[Words, Random], Words | None]
"""Disturbs a name once; None where it does not apply."""


@dataclass(frozen=True, slots=True)
class Disturbed:
    """A text as somebody types it, and the words of the name that it still stands for."""

    text: str
    meant: str


_ANDS = {"&": ("and", "et"), "and": ("&",), "et": ("&",)}
_USUAL_FORMS = ("Inc.", "Ltd.", "Corp.", "Ltée", "Limited")
_ADDED = {
    "en": ("Canada", "Group", "Services", "Holdings", "International", "The", "Canadian", "Western", "Enterprises", "Solutions"),
    "fr": ("Québec", "Groupe", "Services", "Gestion", "International", "Les", "Canada", "Entreprises", "Solutions", "Montréal"),
}
_SHORT = {
    "construction": "Const.", "international": "Intl", "management": "Mgmt", "manufacturing": "Mfg", "association": "Assn",
    "services": "Svcs", "service": "Svc", "technologies": "Tech", "technology": "Tech", "developments": "Dev.", "group": "Grp",
    "development": "Dev.", "holdings": "Hldgs", "investments": "Inv.", "enterprises": "Ent.", "engineering": "Eng.",
    "transport": "Transp.", "properties": "Props", "industries": "Ind.", "equipment": "Equip.", "electric": "Elec.",
    "mechanical": "Mech.", "distribution": "Dist.", "marketing": "Mktg", "restaurant": "Rest.", "professional": "Prof.",
    "national": "Natl", "canadian": "Cdn", "mountain": "Mtn", "saint": "St", "sainte": "Ste", "montreal": "Mtl",
    "entreprises": "Entr.", "compagnie": "Cie", "investissements": "Invest.", "equipements": "Équip.", "immobiliere": "Immob.",
    "etablissements": "Éts",
}  # fmt: skip


def disturbed(name: str, kind: Kind, chance: Random) -> Disturbed | None:
    """The name, disturbed in this way; None where the way does not apply to it."""
    given = tuple(Word(word, word) for word in name.split())
    words = RULES[kind](given, chance) if given else None
    if words is None:
        return None
    return Disturbed(" ".join(word.shown for word in words), " ".join(word.meant for word in words if word.meant))


def _exact(words: Words, chance: Random) -> Words:
    case = chance.choice((str, str.upper, str.lower))
    return tuple(Word(case(word.shown), word.meant) for word in words)


def _form(words: Words, chance: Random) -> Words | None:
    """Another spelling of the form, another form, or none; a name without a form gets one."""
    body = body_length(words)
    if body == len(words):
        return (*words, Word(chance.choice(_USUAL_FORMS), ""))
    shown = " ".join(word.shown for word in words[body:])
    group = SPELLINGS[" ".join(folded(word.shown) for word in words[body:])]
    others = [form for form in (*group, *_USUAL_FORMS, "") if folded(form) != folded(shown)]
    other = in_capitals_of(shown, chance.choice(others))
    return (*words[:body], Word(other, "")) if other else words[:body]


def _slip(words: Words, chance: Random) -> Words | None:
    places = sound_places(words, SLIPPING)
    return _with_slip(words, chance.choice(places), chance) if places else None


def _with_slip(words: Words, at: int, chance: Random) -> Words:
    return put(words, at, Word(slip(words[at].shown, chance), words[at].meant))


def _two_slips(words: Words, chance: Random) -> Words | None:
    places = sound_places(words, TWICE_SLIPPING)
    if not places:
        return None
    at = chance.choice(places)
    spoilt = slips(words[at].shown, 2, chance)
    return None if spoilt is None else put(words, at, Word(spoilt, words[at].meant))


def _slips_in_two(words: Words, chance: Random) -> Words | None:
    places = sound_places(words, SLIPPING)
    if len(places) < 2:  # noqa: PLR2004 - two
        return None
    for at in chance.sample(places, 2):
        words = _with_slip(words, at, chance)
    return words


def _dropped(words: Words, chance: Random) -> Words | None:
    places = telling_places(words)
    return put(words, chance.choice(places)) if len(places) > 1 else None


def _added(words: Words, chance: Random) -> Words | None:
    present = {folded(word.shown) for word in words}
    added = [word for word in _ADDED["fr" if looks_french(words) else "en"] if folded(word) not in present]
    word, body = chance.choice(added), body_length(words)
    at = 0 if folded(word) in LITTLE else chance.choice((0, body))
    return put(words, at, Word(in_capitals_of(words[0].shown, word), ""), over=0)


def _swapped(words: Words, chance: Random) -> Words | None:
    places = telling_places(words)
    pairs = [(one, other) for one, other in pairwise(places) if other == one + 1]
    if not pairs:
        return None
    one, other = chance.choice(pairs)
    return put(words, one, words[other], words[one], over=2)


def _accents(words: Words, _chance: Random) -> Words | None:
    plain = tuple(Word(_unaccented(word.shown), word.meant) for word in words)
    return None if plain == words else plain


def _unaccented(text: str) -> str:
    return "".join(char for char in unicodedata.normalize("NFKD", text) if not unicodedata.combining(char))


def _shortened(words: Words, chance: Random) -> Words | None:
    """A known abbreviation still stands for its word; from the beginning of any other word nobody could tell the rest."""
    known = [at for at in sound_places(words, 1) if folded(words[at].shown) in _SHORT]
    if known and chance.random() < 2 / 3:
        at = chance.choice(known)
        return put(words, at, Word(in_capitals_of(words[at].shown, _SHORT[folded(words[at].shown)]), words[at].meant))
    places = sound_places(words, SHORTENING)
    if not places:
        return None
    at = chance.choice(places)
    return put(words, at, Word(words[at].shown[: chance.randint(SHORTEST_PART + 1, len(words[at].shown) - 2)], ""))


def _and(words: Words, chance: Random) -> Words | None:
    places = [at for at, word in enumerate(words) if word.shown.casefold() in _ANDS]
    if not places:
        return None
    at = chance.choice(places)
    other = chance.choice(_ANDS[words[at].shown.casefold()])
    return put(words, at, Word(in_capitals_of(words[0].shown, other), ""))


def _joined(words: Words, chance: Random) -> Words | None:
    places = [at for at in sound_places(words, SHORTEST_PART) if folded(words[at].shown) not in LITTLE]
    pairs = [one for one, other in pairwise(places) if other == one + 1]
    if not pairs:
        return None
    at = chance.choice(pairs)
    one, other = words[at], words[at + 1]
    joined = one.shown + (other.shown if one.shown.isupper() else other.shown.lower())
    return put(words, at, Word(joined, f"{one.meant} {other.meant}"), over=2)


def _split(words: Words, chance: Random) -> Words | None:
    places = sound_places(words, SPLITTING)
    if not places:
        return None
    at = chance.choice(places)
    shown = words[at].shown
    cut = chance.randint(SHORTEST_PART, len(shown) - SHORTEST_PART)
    return put(words, at, Word(shown[:cut], words[at].meant), Word(shown[cut:], ""))


def _numbers(words: Words) -> list[int]:
    return [at for at, word in enumerate(words) if word.is_sound and len(re.sub(r"\D", "", word.shown)) >= DIGITS]


def _number(words: Words, chance: Random) -> Words | None:
    """Grouped otherwise: 9123-4567, 91234567, 91 234 567, 91,234,567."""
    places = _numbers(words)
    if not places:
        return None
    at = chance.choice(places)
    digits = re.sub(r"\D", "", words[at].shown)
    thousands = f"{int(digits):,}" if digits[0] != "0" else digits
    written = (digits, f"{digits[:4]}-{digits[4:]}", thousands, thousands.replace(",", " "))
    other = [form for form in written if form != words[at].shown]
    return put(words, at, Word(chance.choice(other), words[at].meant))


def _digit(words: Words, chance: Random) -> Words | None:
    places = _numbers(words)
    if not places:
        return None
    at = chance.choice(places)
    return put(words, at, Word(digit_slip(words[at].shown, chance), words[at].meant))


def _combined(words: Words, chance: Random) -> Words | None:
    """Two or three different ways, one on what the other left; at least two must apply."""
    applied = 0
    wanted = chance.choice((2, 2, 3))
    for rule in chance.sample(_COMBINABLE, len(_COMBINABLE)):
        changed = rule(words, chance)
        if changed is not None and changed != words:
            words, applied = changed, applied + 1
        if applied == wanted:
            return words
    return words if applied > 1 else None


_COMBINABLE: tuple[Rule, ...] = (
    _form, _slip, _slip, _dropped, _added, _swapped, _accents, _shortened, _and, _joined, _split, _number,
)  # fmt: skip


def _unequal(rule: Rule) -> Rule:
    """A rule that changes nothing has not applied."""

    def changed(words: Words, chance: Random) -> Words | None:
        found = rule(words, chance)
        return None if found == words else found

    return changed


RULES: Mapping[Kind, Rule] = MappingProxyType({
    Kind.EXACT: _exact,
    Kind.FORM: _unequal(_form),
    Kind.SLIP: _slip,
    Kind.TWO_SLIPS: _two_slips,
    Kind.SLIPS_IN_TWO: _slips_in_two,
    Kind.DROPPED: _dropped,
    Kind.ADDED: _added,
    Kind.SWAPPED: _unequal(_swapped),
    Kind.ACCENTS: _accents,
    Kind.SHORTENED: _shortened,
    Kind.AND: _and,
    Kind.JOINED: _joined,
    Kind.SPLIT: _split,
    Kind.NUMBER: _number,
    Kind.DIGIT: _digit,
    Kind.COMBINED: _combined,
})  # fmt: skip
"""Every way by its rule."""
SHARES: Mapping[Kind, int] = MappingProxyType({
    Kind.EXACT: 10, Kind.FORM: 16, Kind.SLIP: 26, Kind.TWO_SLIPS: 12, Kind.SLIPS_IN_TWO: 12, Kind.DROPPED: 10, Kind.ADDED: 10,
    Kind.SWAPPED: 12, Kind.ACCENTS: 7, Kind.SHORTENED: 9, Kind.AND: 6, Kind.JOINED: 8, Kind.SPLIT: 8, Kind.NUMBER: 8, Kind.DIGIT: 6,
    Kind.COMBINED: 14,
})  # fmt: skip
"""How often each way is taken, of all of them together: slips are what people do most."""
