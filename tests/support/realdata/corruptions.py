"""How people write a name otherwise than it is registered: one function for each way, on the text alone.

Each gets the name, a seeded source of chance and the list that the name is from, and returns None where it does not apply. Whether
the result can still be answered is judged in `queries`.
"""

import re
import unicodedata
from collections.abc import Callable, Mapping
from enum import StrEnum
from random import Random
from types import MappingProxyType

from tests.support.realdata.name_list import NameList, plain_words

LONG_WORD = 5
"""Letters of a word that a slip leaves readable."""
SHORTEST_PART = 3
LETTERS = "abcdefghijklmnopqrstuvwxyz"
LITTLE_WORDS = frozenset({
    "the", "of", "and", "et", "de", "du", "des", "la", "le", "les", "a", "an", "in", "at", "on", "for", "al", "el", "bin",
    "&", "-", "/",
})  # fmt: skip
"""Where they stand, the order of the words matters."""
FORM_SPELLINGS: Mapping[str, tuple[str, ...]] = MappingProxyType({
    "inc": ("Incorporated",), "incorporated": ("Inc.",), "ltd": ("Limited", "Ltée"), "limited": ("Ltd.", "Ltée"),
    "ltée": ("Ltd.", "Limitée"), "ltee": ("Ltd.", "Limitée"), "corp": ("Corporation",), "corporation": ("Corp.",),
    "co": ("Company",), "company": ("Co.",), "llp": ("Limited Liability Partnership",), "ulc": ("Unlimited Liability Company",),
    "jsc": ("Joint Stock Company",), "llc": ("Limited Liability Company",), "lp": ("Limited Partnership",),
    "limited partnership": ("LP",), "limited liability partnership": ("LLP",), "limited liability company": ("LLC",),
    "joint stock company": ("JSC",),
})  # fmt: skip
ACRONYMS = ("l.l.c", "l.l.p", "l.p", "u.l.c")
_A_FORM = "|".join(map(re.escape, sorted([*FORM_SPELLINGS, *ACRONYMS], key=len, reverse=True)))
_FORM = re.compile(rf"[\s,]+({_A_FORM})\.?$", re.IGNORECASE)
_FORMS = re.compile(rf"(?:[\s,]+(?:{_A_FORM})\.?)+$", re.IGNORECASE)
_LETTERS_ONLY = re.compile(r"[^\W\d_]+")
_AND = re.compile(r"(?<=\s)(?:and|et)(?=\s)", re.IGNORECASE)
_JOINING_MARKS = re.compile(r"['’.]")
_OTHER_MARKS = re.compile(r"[^\w\s&]")


class Kind(StrEnum):
    """The ways."""

    AS_REGISTERED = "as registered"
    ONE_TYPO = "one typo"
    TWO_TYPOS = "two typos"
    REORDERED = "words reordered"
    NO_ACCENTS = "accents removed"
    NO_FORM = "legal form dropped"
    OTHER_FORM = "legal form respelt"
    OTHER_CASE = "other case"
    AMPERSAND = "& and 'and'"
    NO_PUNCTUATION = "punctuation removed"
    SPACING = "joined or split"
    NO_GENERIC_WORD = "generic word dropped"


Disturbance = Callable[[str, Random, NameList], str | None]


def as_registered(name: str, _chance: Random, _names: NameList) -> str | None:
    return name


def one_typo(name: str, chance: Random, names: NameList) -> str | None:
    return _with_typos(name, chance, names, 1)


def two_typos(name: str, chance: Random, names: NameList) -> str | None:
    return _with_typos(name, chance, names, 2)


def _with_typos(name: str, chance: Random, names: NameList, count: int) -> str | None:
    long_words = [word for word in _LETTERS_ONLY.finditer(name) if len(word[0]) >= LONG_WORD]
    if len(long_words) < count:
        return None
    for word in sorted(chance.sample(long_words, count), key=re.Match.start, reverse=True):
        misspelt = _misspelt(word[0], chance)
        if names.knows(misspelt):
            return None
        name = name[: word.start()] + misspelt + name[word.end() :]
    return name


def _misspelt(word: str, chance: Random) -> str:
    """The word with a letter dropped, doubled, replaced or swapped with the next."""
    at = chance.randrange(len(word))
    letter, rest = word[at], word[at + 1 :]
    other = chance.choice(LETTERS)
    slips = ["", letter * 2, other.upper() if letter.isupper() else other, None]
    slip = chance.choice(slips)
    return word[:at] + (rest[:1] + letter + rest[1:] if slip is None else slip + rest)


def reordered(name: str, chance: Random, _names: NameList) -> str | None:
    """Two neighbouring words change places, or the first goes to the end; legal forms stay where they are."""
    body, form = _form_apart(name)
    words = body.split()
    if len(words) < 2 or not LITTLE_WORDS.isdisjoint(body.casefold().split()):
        return None
    at = chance.randrange(len(words) - 1)
    moved = [*words[1:], words[0]] if chance.random() < 1 / 2 else [*words[:at], words[at + 1], words[at], *words[at + 2 :]]
    return " ".join(moved) + form


def without_accents(name: str, _chance: Random, _names: NameList) -> str | None:
    return "".join(char for char in unicodedata.normalize("NFKD", name) if not unicodedata.combining(char))


def without_form(name: str, _chance: Random, _names: NameList) -> str | None:
    return _form_apart(name)[0]


def with_other_form(name: str, chance: Random, _names: NameList) -> str | None:
    """The same legal form in another spelling, or in French."""
    form = _FORM.search(name)
    if form is None:
        return None
    return f"{name[: form.start()]} {chance.choice(FORM_SPELLINGS[form[1].casefold().replace('.', '')])}"


def in_other_case(name: str, chance: Random, _names: NameList) -> str | None:
    return chance.choice([name.upper(), name.lower()])


def with_other_and(name: str, _chance: Random, _names: NameList) -> str | None:
    return name.replace("&", " and ") if "&" in name else _AND.sub("&", name)


def without_punctuation(name: str, _chance: Random, _names: NameList) -> str | None:
    return " ".join(_OTHER_MARKS.sub(" ", _JOINING_MARKS.sub("", name)).split())


def joined_or_split(name: str, chance: Random, names: NameList) -> str | None:
    """Two neighbouring words run together, or a word taken apart into two that other names of the list hold."""
    body, form = _form_apart(name)
    ways = [*_joined(body.split()), *_split(body.split(), names)]
    return " ".join(chance.choice(ways)) + form if ways else None


def _joined(words: list[str]) -> list[list[str]]:
    good = [word.isalpha() and len(word) >= SHORTEST_PART and word.casefold() not in LITTLE_WORDS for word in words]
    pairs = [at for at in range(len(words) - 1) if good[at] and good[at + 1]]
    return [[*words[:at], words[at] + words[at + 1], *words[at + 2 :]] for at in pairs]


def _split(words: list[str], names: NameList) -> list[list[str]]:
    return [
        [*words[:at], word[:cut], word[cut:], *words[at + 1 :]]
        for at, word in enumerate(words)
        if word.isalpha()
        for cut in range(SHORTEST_PART, len(word) - SHORTEST_PART + 1)
        if names.knows(word[:cut]) and names.knows(word[cut:])
    ]


def without_generic_word(name: str, chance: Random, names: NameList) -> str | None:
    body, form = _form_apart(name)
    words = body.split()
    generic = [at for at in range(len(words)) if _can_be_left_out(words, at, names)]
    if not generic:
        return None
    del words[chance.choice(generic)]
    return " ".join(words) + form


def _can_be_left_out(words: list[str], at: int, names: NameList) -> bool:
    """Whether the word is a generic one, and not what a little word before it needs ("School of Dance")."""
    plain, before = plain_words(words[at]), words[at - 1].casefold() if at > 0 else ""
    return len(plain) == 1 and names.common.is_generic(plain[0]) and LITTLE_WORDS.isdisjoint({plain[0], before})


def _form_apart(name: str) -> tuple[str, str]:
    """The name without the legal forms at its end ("Company Limited"), and those forms with what stands before them."""
    forms = _FORMS.search(name)
    return (name, "") if forms is None else (name[: forms.start()], forms[0])


DISTURBANCES: Mapping[Kind, Disturbance] = MappingProxyType({
    Kind.AS_REGISTERED: as_registered,
    Kind.ONE_TYPO: one_typo,
    Kind.TWO_TYPOS: two_typos,
    Kind.REORDERED: reordered,
    Kind.NO_ACCENTS: without_accents,
    Kind.NO_FORM: without_form,
    Kind.OTHER_FORM: with_other_form,
    Kind.OTHER_CASE: in_other_case,
    Kind.AMPERSAND: with_other_and,
    Kind.NO_PUNCTUATION: without_punctuation,
    Kind.SPACING: joined_or_split,
    Kind.NO_GENERIC_WORD: without_generic_word,
})  # fmt: skip
