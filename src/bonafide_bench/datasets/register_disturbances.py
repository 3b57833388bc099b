"""Disturb registered names as scanners, narrow fields and people do, and keep the queries that identify one business.

`corruptions` has the typing errors of people. The kinds here are those that a search of a register meets as well: characters that
optical recognition confuses, a name cut off by a field's width, initials in place of a name, a word left out, and a name spelled by
ear. A query is kept only if no other registered name is equal to it or nearer to it than the name that it was made from, since no
search can find what the query does not identify.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from random import Random
from types import MappingProxyType

import numpy as np
from rapidfuzz.fuzz import ratio
from rapidfuzz.process import cdist

from bonafide_bench.datasets.name_words import STOP_WORDS, count_body_words, find_distinctive_words, fold_word, split_typed_words

CUT_WIDTH = 26
"""The characters of a name that a narrow field keeps."""
MIN_ACRONYM_WORDS, MAX_ACRONYM_WORDS = 3, 8
MIN_WORDS_LEFT = 2
"""The minimum number of distinctive words after one is left out."""
LETTERS_PER_CONFUSION = 10
"""One character of so many is confused, and at least one of each name."""
MAX_SAME_ACRONYM = 5
"""The maximum number of businesses that an acronym may stand for: no search can put more among the first five."""
_MARKS_OF_PARTS = "/()[]"
"""Marks of names of several parts, which have no acronym."""
_ARTICLE_LAST = re.compile(r",\s+the\s*$", re.IGNORECASE)
"""A register sorts "The Whitehorse Star" as "WHITEHORSE STAR, THE"."""
MIN_SOUNDED_LETTERS = 4
"""The minimum length of a word that is spelled by ear."""


class DisturbanceKind(StrEnum):
    """The kinds of disturbance."""

    OCR = "characters confused by optical recognition"
    CUT = "cut off at 26 characters"
    ACRONYM = "acronym"
    MISSING = "word missing"
    PHONETIC = "spelled by ear"


@dataclass(frozen=True, slots=True)
class DisturbedQuery:
    """A disturbed name, its kind, and the records that it may stand for: those with the name that it was made from."""

    text: str
    kind: DisturbanceKind
    records: frozenset[int]


@dataclass(frozen=True, slots=True)
class DisturbedQueries:
    """The queries of all kinds, and the number of those of each kind that were left out because they identify no one name."""

    queries: tuple[DisturbedQuery, ...]
    ambiguous: Mapping[DisturbanceKind, int]


# Characters that optical recognition confuses, in both directions and in upper and lower case (Rice, Nagy and Nartker, "Optical
# Character Recognition: An Illustrated Guide to the Frontier", 1999): 0/O, 1/I/l, 5/S, 8/B, rn/m, cl/d, vv/w.
_CONFUSIONS: tuple[tuple[str, str], ...] = (
    ("0", "O"), ("1", "I"), ("1", "L"), ("I", "L"), ("5", "S"), ("8", "B"), ("RN", "M"), ("CL", "D"), ("VV", "W"),
)  # fmt: skip
_CONFUSED: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        seen: tuple(pair[1 - pair.index(seen)] for pair in _CONFUSIONS if seen in pair)
        for seen in sorted({text for pair in _CONFUSIONS for text in pair}, key=len, reverse=True)
    }
)

# Spellings of one sound in English and French names.
_SOUNDS: tuple[tuple[str, str], ...] = (
    ("PH", "F"), ("CK", "K"), ("C(?=[AOURL])", "K"), ("K", "C"), ("S(?=[EI])", "C"), ("C(?=[EI])", "S"), ("Z", "S"), ("X", "KS"),
    ("QU", "KW"), ("EE", "EA"), ("EA", "EE"), ("OO", "OU"), ("OU", "OO"), ("AI", "AY"), ("AY", "AI"), ("EY$", "Y"), ("Y$", "IE"),
    ("IE$", "Y"), ("EAU", "O"), ("AU", "O"), ("GH(?=T|$)", ""), ("WH", "W"), ("KN", "N"), ("WR", "R"), ("TION", "SHUN"),
    (r"([LNRSTPMF])\1", r"\1"), ("(?<=[AEIOU])([LNRT])(?=[AEIOU])", r"\1\1"), ("MB$", "M"), ("J", "G"), ("G(?=[EI])", "J"),
    ("I(?=[NLR])", "Y"),
)  # fmt: skip


def create_disturbed_queries(records: Mapping[int, Sequence[str]], count: int, chance: Random) -> DisturbedQueries:
    """`count` queries of each kind, fewer if the records have fewer names to which it applies. `records` are names by record."""
    register = _Register(records)
    queries: list[DisturbedQuery] = []
    ambiguous: Counter[DisturbanceKind] = Counter()
    for kind in DisturbanceKind:
        found = 0
        for name in register.shuffled(chance):
            text = DISTURBANCES[kind](name, chance)
            if text is None or _fold_name(text) == _fold_name(name):
                continue
            if register.identifies(text, name, kind):
                queries.append(DisturbedQuery(text, kind, register.find_records(name)))
                found += 1
            else:
                ambiguous[kind] += 1
            if found == count:
                break
    return DisturbedQueries(tuple(queries), MappingProxyType(dict(ambiguous)))


# ------------------------------------------------------------------------------------------------------------ kinds


def confuse_characters(name: str, chance: Random) -> str | None:
    """The name in capitals with one of ten characters confused, at least one; None if it has no such character."""
    text = name.upper()
    found = re.finditer("|".join(_CONFUSED), text)
    places = [(match.start(), match[0]) for match in found]
    if not places:
        return None
    wanted = min(len(places), max(1, sum(map(str.isalnum, text)) // LETTERS_PER_CONFUSION))
    for start, seen in sorted(chance.sample(places, wanted), reverse=True):
        text = text[:start] + chance.choice(_CONFUSED[seen]) + text[start + len(seen) :]
    return text


def cut_off(name: str, _chance: Random) -> str | None:
    """The first characters of a name; None if the name is not longer than the field."""
    return name[:CUT_WIDTH].rstrip() if len(name) > CUT_WIDTH else None


def take_initials(name: str, chance: Random) -> str | None:
    """The initials of a name without its legal form, with or without its function words; None for fewer than three words."""
    acronyms = list_name_acronyms(name)
    return chance.choice(acronyms) if acronyms else None


def list_name_acronyms(name: str) -> list[str]:
    """The initials of a name's words without its legal form: without function words, and with them if they differ."""
    if any(mark in name for mark in _MARKS_OF_PARTS):
        return []
    words = split_typed_words(re.sub(r"[^\w&\s'’.]", " ", _ARTICLE_LAST.sub("", name)))
    shown = [word.shown for word in words[: count_body_words(words)]]
    full = [fold_word(word) for word in shown]
    full = [word for word in full if word and word != "&"]
    if not all(word.isalpha() for word in full):
        return []
    plain = [word for word in full if word not in STOP_WORDS]
    if not MIN_ACRONYM_WORDS <= len(plain) <= MAX_ACRONYM_WORDS:
        return []
    readings = ("".join(word[0] for word in words).upper() for words in (plain, full))
    return [acronym for acronym in dict.fromkeys(readings) if len(acronym) <= MAX_ACRONYM_WORDS]


def leave_out_word(name: str, chance: Random) -> str | None:
    """The name without one of its distinctive words; None if fewer than two remain."""
    words = split_typed_words(name)
    places = find_distinctive_words(words)
    if len(places) <= MIN_WORDS_LEFT:
        return None
    left_out = chance.choice(places)
    return " ".join(word.shown for at, word in enumerate(words) if at != left_out)


def spell_by_ear(name: str, chance: Random) -> str | None:
    """The name in capitals with one or two sounds spelled in another way; None if no rule applies to its words."""
    words = split_typed_words(name.upper())
    shown = [word.shown for word in words]
    places = [at for at in find_distinctive_words(words) if shown[at].isalpha() and len(shown[at]) >= MIN_SOUNDED_LETTERS]
    wanted = chance.choice((1, 1, 2))
    for at in chance.sample(places, len(places)):
        ways = [changed for sound, spelling in _SOUNDS if (changed := re.sub(sound, spelling, shown[at], count=1)) != shown[at]]
        if ways:
            shown[at] = chance.choice(ways)
            wanted -= 1
        if wanted == 0:
            break
    text = " ".join(shown)
    return None if text == name.upper() else text


Disturbance = Callable[[str, Random], str | None]
DISTURBANCES: Mapping[DisturbanceKind, Disturbance] = MappingProxyType({
    DisturbanceKind.OCR: confuse_characters,
    DisturbanceKind.CUT: cut_off,
    DisturbanceKind.ACRONYM: take_initials,
    DisturbanceKind.MISSING: leave_out_word,
    DisturbanceKind.PHONETIC: spell_by_ear,
})  # fmt: skip
"""The rule of each kind."""


# ------------------------------------------------------------------------------------------------------------ unambiguous queries


class _Register:
    """All names of a register, to find out which of them a query identifies."""

    def __init__(self, records: Mapping[int, Sequence[str]]) -> None:
        self._records: dict[str, set[int]] = defaultdict(set)
        self._acronyms: dict[str, set[str]] = defaultdict(set)
        self._names: dict[str, str] = {}
        words: Counter[str] = Counter()
        for record, names in records.items():
            for name in names:
                form = _fold_name(name)
                self._records[form].add(record)
                self._names.setdefault(form, name)
        for form, name in self._names.items():
            words.update(set(form.split()))
            for acronym in list_name_acronyms(name):
                self._acronyms[acronym.lower()].add(form)
        self._words = words
        self._forms = sorted(self._names)

    def shuffled(self, chance: Random) -> list[str]:
        """One spelling of each name, in random order."""
        return chance.sample(list(self._names.values()), len(self._names))

    def find_records(self, name: str) -> frozenset[int]:
        """The records with this name."""
        return frozenset(self._records[_fold_name(name)])

    def identifies(self, text: str, name: str, kind: DisturbanceKind) -> bool:
        """Whether a query made from the name stands for it and for no other."""
        asked, meant = _fold_name(text), _fold_name(name)
        if not asked or asked in self._records:
            return False
        if kind is DisturbanceKind.ACRONYM:
            holders = set().union(*(self._records[form] for form in self._acronyms[asked]))
            return len(holders) + self._words[asked] <= MAX_SAME_ACRONYM
        own = ratio(asked, meant)
        near = np.flatnonzero(cdist([asked], self._forms, scorer=ratio, score_cutoff=own, dtype=np.float64)[0] >= own)
        return all(self._forms[place] == meant for place in near.tolist())


_NOT_LETTERS = re.compile(r"[^\w&]+|_")
_AMPERSAND = re.compile(r"\s*&\s*")


def _fold_name(name: str) -> str:
    """A name in lower case without accents, punctuation and legal form."""
    words = split_typed_words(_AMPERSAND.sub(" and ", name))
    return " ".join(_NOT_LETTERS.sub(" ", " ".join(fold_word(word.shown) for word in words[: count_body_words(words)])).split())
