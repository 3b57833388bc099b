"""Corruption rules: ways in which people write a name differently from its registration, in English and French.

Each word of a corrupted name keeps the original word it represents, so that callers know which words are still recognizable.
`name_queries` decides, against all names, whether enough of them remain to identify the business.
"""

import re
import unicodedata
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from itertools import pairwise
from random import Random
from types import MappingProxyType

from bonafide_bench.datasets.name_words import (
    SPELLINGS,
    STOP_WORDS,
    TypedWord,
    TypedWords,
    count_body_words,
    find_distinctive_words,
    find_unchanged_words,
    fold_word,
    is_probably_french,
    match_capitals,
    replace_words,
    split_typed_words,
)
from bonafide_bench.datasets.typos import make_digit_typo, make_typo, make_typos

MIN_TYPO_LETTERS, MIN_TWO_TYPOS_LETTERS = 4, 6
"""The minimum length of a word that gets one typo, and of a word that gets two."""
MIN_SPLIT_LETTERS, MIN_SHORTENED_LETTERS = 7, 7
"""The minimum length of a word that may be split in two, and of one that may be truncated."""
SHORTEST_PART = 3
MIN_DIGITS = 5
"""The minimum digits of a number that may be regrouped or get a typo.

A shorter number is a street or a year, where a changed digit makes a different name.
"""


class CorruptionKind(StrEnum):
    """The kinds of corruption."""

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


CorruptionRule = Callable[[TypedWords, Random], TypedWords | None]
"""Corrupts a name once; returns None if the rule does not apply."""


@dataclass(frozen=True, slots=True)
class CorruptedName:
    """The corrupted text, and the words of the name that are still recognizable in it."""

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


def corrupt_name(name: str, kind: CorruptionKind, chance: Random) -> CorruptedName | None:
    """Corrupt a name; returns None if this kind of corruption does not apply to it."""
    given = split_typed_words(name)
    words = RULES[kind](given, chance) if given else None
    if words is None:
        return None
    return CorruptedName(" ".join(word.shown for word in words), " ".join(word.meant for word in words if word.meant))


def _exact(words: TypedWords, chance: Random) -> TypedWords:
    case = chance.choice((str, str.upper, str.lower))
    return tuple(TypedWord(case(word.shown), word.meant) for word in words)


def _form(words: TypedWords, chance: Random) -> TypedWords | None:
    """Respell, replace or remove the legal form; a name without one gets one."""
    body = count_body_words(words)
    if body == len(words):
        return (*words, TypedWord(chance.choice(_USUAL_FORMS), ""))
    shown = " ".join(word.shown for word in words[body:])
    group = SPELLINGS[" ".join(fold_word(word.shown) for word in words[body:])]
    others = [form for form in (*group, *_USUAL_FORMS, "") if fold_word(form) != fold_word(shown)]
    other = match_capitals(shown, chance.choice(others))
    return (*words[:body], TypedWord(other, "")) if other else words[:body]


def _make_typo(words: TypedWords, chance: Random) -> TypedWords | None:
    places = find_unchanged_words(words, MIN_TYPO_LETTERS)
    return _put_typo(words, chance.choice(places), chance) if places else None


def _put_typo(words: TypedWords, at: int, chance: Random) -> TypedWords:
    return replace_words(words, at, TypedWord(make_typo(words[at].shown, chance), words[at].meant))


def _make_two_typos(words: TypedWords, chance: Random) -> TypedWords | None:
    places = find_unchanged_words(words, MIN_TWO_TYPOS_LETTERS)
    if not places:
        return None
    at = chance.choice(places)
    spoilt = make_typos(words[at].shown, 2, chance)
    return None if spoilt is None else replace_words(words, at, TypedWord(spoilt, words[at].meant))


def _make_typos_in_two_words(words: TypedWords, chance: Random) -> TypedWords | None:
    places = find_unchanged_words(words, MIN_TYPO_LETTERS)
    if len(places) < 2:  # noqa: PLR2004 - two
        return None
    for at in chance.sample(places, 2):
        words = _put_typo(words, at, chance)
    return words


def _dropped(words: TypedWords, chance: Random) -> TypedWords | None:
    places = find_distinctive_words(words)
    return replace_words(words, chance.choice(places)) if len(places) > 1 else None


def _added(words: TypedWords, chance: Random) -> TypedWords | None:
    present = {fold_word(word.shown) for word in words}
    added = [word for word in _ADDED["fr" if is_probably_french(words) else "en"] if fold_word(word) not in present]
    word, body = chance.choice(added), count_body_words(words)
    at = 0 if fold_word(word) in STOP_WORDS else chance.choice((0, body))
    return replace_words(words, at, TypedWord(match_capitals(words[0].shown, word), ""), over=0)


def _swapped(words: TypedWords, chance: Random) -> TypedWords | None:
    places = find_distinctive_words(words)
    pairs = [(one, other) for one, other in pairwise(places) if other == one + 1]
    if not pairs:
        return None
    one, other = chance.choice(pairs)
    return replace_words(words, one, words[other], words[one], over=2)


def _accents(words: TypedWords, _chance: Random) -> TypedWords | None:
    plain = tuple(TypedWord(_remove_accents(word.shown), word.meant) for word in words)
    return None if plain == words else plain


def _remove_accents(text: str) -> str:
    return "".join(char for char in unicodedata.normalize("NFKD", text) if not unicodedata.combining(char))


def _shortened(words: TypedWords, chance: Random) -> TypedWords | None:
    """Shorten a word. A known abbreviation still represents its word; any other truncated word does not."""
    known = [at for at in find_unchanged_words(words, 1) if fold_word(words[at].shown) in _SHORT]
    if known and chance.random() < 2 / 3:
        at = chance.choice(known)
        return replace_words(
            words, at, TypedWord(match_capitals(words[at].shown, _SHORT[fold_word(words[at].shown)]), words[at].meant)
        )
    places = find_unchanged_words(words, MIN_SHORTENED_LETTERS)
    if not places:
        return None
    at = chance.choice(places)
    return replace_words(words, at, TypedWord(words[at].shown[: chance.randint(SHORTEST_PART + 1, len(words[at].shown) - 2)], ""))


def _and(words: TypedWords, chance: Random) -> TypedWords | None:
    places = [at for at, word in enumerate(words) if word.shown.casefold() in _ANDS]
    if not places:
        return None
    at = chance.choice(places)
    other = chance.choice(_ANDS[words[at].shown.casefold()])
    return replace_words(words, at, TypedWord(match_capitals(words[0].shown, other), ""))


def _joined(words: TypedWords, chance: Random) -> TypedWords | None:
    places = [at for at in find_unchanged_words(words, SHORTEST_PART) if fold_word(words[at].shown) not in STOP_WORDS]
    pairs = [one for one, other in pairwise(places) if other == one + 1]
    if not pairs:
        return None
    at = chance.choice(pairs)
    one, other = words[at], words[at + 1]
    joined = one.shown + (other.shown if one.shown.isupper() else other.shown.lower())
    return replace_words(words, at, TypedWord(joined, f"{one.meant} {other.meant}"), over=2)


def _split(words: TypedWords, chance: Random) -> TypedWords | None:
    places = find_unchanged_words(words, MIN_SPLIT_LETTERS)
    if not places:
        return None
    at = chance.choice(places)
    shown = words[at].shown
    cut = chance.randint(SHORTEST_PART, len(shown) - SHORTEST_PART)
    return replace_words(words, at, TypedWord(shown[:cut], words[at].meant), TypedWord(shown[cut:], ""))


def _find_numbers(words: TypedWords) -> list[int]:
    return [at for at, word in enumerate(words) if word.is_sound and len(re.sub(r"\D", "", word.shown)) >= MIN_DIGITS]


def _number(words: TypedWords, chance: Random) -> TypedWords | None:
    """Regroup the digits: 9123-4567, 91234567, 91 234 567, 91,234,567."""
    places = _find_numbers(words)
    if not places:
        return None
    at = chance.choice(places)
    digits = re.sub(r"\D", "", words[at].shown)
    thousands = f"{int(digits):,}" if digits[0] != "0" else digits
    written = (digits, f"{digits[:4]}-{digits[4:]}", thousands, thousands.replace(",", " "))
    other = [form for form in written if form != words[at].shown]
    return replace_words(words, at, TypedWord(chance.choice(other), words[at].meant))


def _digit(words: TypedWords, chance: Random) -> TypedWords | None:
    places = _find_numbers(words)
    if not places:
        return None
    at = chance.choice(places)
    return replace_words(words, at, TypedWord(make_digit_typo(words[at].shown, chance), words[at].meant))


def _combined(words: TypedWords, chance: Random) -> TypedWords | None:
    """Apply two or three kinds of corruption in sequence; at least two must apply."""
    applied = 0
    wanted = chance.choice((2, 2, 3))
    for rule in chance.sample(_COMBINABLE, len(_COMBINABLE)):
        changed = rule(words, chance)
        if changed is not None and changed != words:
            words, applied = changed, applied + 1
        if applied == wanted:
            return words
    return words if applied > 1 else None


_COMBINABLE: tuple[CorruptionRule, ...] = (
    _form, _make_typo, _make_typo, _dropped, _added, _swapped, _accents, _shortened, _and, _joined, _split, _number,
)  # fmt: skip


def _require_change(rule: CorruptionRule) -> CorruptionRule:
    """Wrap a rule so that it returns None if it changes nothing."""

    def changed(words: TypedWords, chance: Random) -> TypedWords | None:
        found = rule(words, chance)
        return None if found == words else found

    return changed


RULES: Mapping[CorruptionKind, CorruptionRule] = MappingProxyType({
    CorruptionKind.EXACT: _exact,
    CorruptionKind.FORM: _require_change(_form),
    CorruptionKind.SLIP: _make_typo,
    CorruptionKind.TWO_SLIPS: _make_two_typos,
    CorruptionKind.SLIPS_IN_TWO: _make_typos_in_two_words,
    CorruptionKind.DROPPED: _dropped,
    CorruptionKind.ADDED: _added,
    CorruptionKind.SWAPPED: _require_change(_swapped),
    CorruptionKind.ACCENTS: _accents,
    CorruptionKind.SHORTENED: _shortened,
    CorruptionKind.AND: _and,
    CorruptionKind.JOINED: _joined,
    CorruptionKind.SPLIT: _split,
    CorruptionKind.NUMBER: _number,
    CorruptionKind.DIGIT: _digit,
    CorruptionKind.COMBINED: _combined,
})  # fmt: skip
"""The rule of each kind."""
SHARES: Mapping[CorruptionKind, int] = MappingProxyType(
    {
        CorruptionKind.EXACT: 10,
        CorruptionKind.FORM: 16,
        CorruptionKind.SLIP: 26,
        CorruptionKind.TWO_SLIPS: 12,
        CorruptionKind.SLIPS_IN_TWO: 12,
        CorruptionKind.DROPPED: 10,
        CorruptionKind.ADDED: 10,
        CorruptionKind.SWAPPED: 12,
        CorruptionKind.ACCENTS: 7,
        CorruptionKind.SHORTENED: 9,
        CorruptionKind.AND: 6,
        CorruptionKind.JOINED: 8,
        CorruptionKind.SPLIT: 8,
        CorruptionKind.NUMBER: 8,
        CorruptionKind.DIGIT: 6,
        CorruptionKind.COMBINED: 14,
    }
)
"""The relative frequency of each kind; typos are the most frequent."""
