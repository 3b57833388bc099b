"""Names from patterns (`{surname} {trade} {ending}`) whose slots are filled a column at a time.

A pattern is chosen among those of a business's kind and language; which names a business has at all is decided in `names`.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np

from bonafide.sandbox import coined, people
from bonafide.sandbox.business import Kind
from bonafide.sandbox.draws import Draws, Integers, Truths
from bonafide.sandbox.registers import KINDS
from bonafide.sandbox.tables import Words, read_table, words
from bonafide.sandbox.weights import Weights

ENGLISH, FRENCH = 0, 1
COINED_WORDS = 8_000_000
COINED_FLATTENING = 200
LETTERS = words([*"BCDFGHJLMNPRSTVW"])
"""Of initials: without vowels and K, they spell nothing."""

_WORDS = read_table("words")
_PATTERNS = read_table("patterns")


def _both(pairs: dict[str, str]) -> tuple[Words, Words]:
    return words(pairs), words(list(pairs.values()))


_TRADES = _both(_WORDS["trades"])
_CAUSES = _both(_WORDS["causes"])
_PRACTICES = _both(_PATTERNS["practices"])
_ADJECTIVES = words(_WORDS["adjectives"])
_QUALIFIERS = words(_WORDS["qualifiers"])
_PLACES = words(_WORDS["places"])
_ENDINGS = tuple(words(_PATTERNS["endings"][language]) for language in ("english", "french"))
_ENDING_WEIGHTS = tuple(Weights.of([list(_PATTERNS["endings"][language].values())]) for language in ("english", "french"))


@dataclass(frozen=True, slots=True)
class Slate:
    """What the slots of some rows are filled from."""

    draws: Draws
    cities: Words
    in_quebec: Truths
    language: int

    def zipf(self, purpose: str, entries: Words, flattening: float) -> Words:
        """Words of a list that stands in the order of frequency."""
        drawn: Words = entries[self.draws.zipf(purpose, len(entries), flattening)]
        return drawn

    def evenly(self, purpose: str, entries: Words) -> Words:
        """Words of a list, each as often as the others."""
        drawn: Words = entries[self.draws.below(purpose, len(entries))]
        return drawn

    def second(self, purpose: str) -> "Slate":
        """The same rows for a second word of a kind."""
        return Slate(self.draws.stream(purpose), self.cities, self.in_quebec, self.language)


def _surname(slate: Slate) -> Words:
    return people.surnames(slate.draws, people.traditions_of(slate.draws, slate.in_quebec))


def _given(slate: Slate) -> Words:
    return people.given_names(slate.draws, people.traditions_of(slate.draws, slate.in_quebec))


def _coined(slate: Slate) -> Words:
    return coined.brands(slate.draws.zipf("coined", COINED_WORDS, COINED_FLATTENING))


def _trade(slate: Slate) -> Words:
    return slate.zipf("trade", _TRADES[slate.language], 8)


def _second_trade(slate: Slate) -> Words:
    """Another trade than the first: so many places further on."""
    count = len(_TRADES[slate.language])
    places = slate.draws.zipf("trade", count, 8) + 1 + slate.draws.zipf("second trade", count - 1, 8)
    drawn: Words = _TRADES[slate.language][places % count]
    return drawn


def _initials(slate: Slate) -> Words:
    first, second, third = (slate.evenly(f"letter {place}", LETTERS) for place in range(3))
    joined: Words = first + second + np.where(slate.draws.chance("third letter", 0.6), third, "")
    return joined


def _dotted(slate: Slate) -> Words:
    dotted: Words = slate.evenly("letter 0", LETTERS) + "." + slate.evenly("letter 1", LETTERS) + "."
    return dotted


def _ending(slate: Slate) -> Words:
    places = _ENDING_WEIGHTS[slate.language].pick(0, slate.draws.unit("ending"))
    drawn: Words = _ENDINGS[slate.language][places]
    return drawn


SLOTS: Mapping[str, Callable[[Slate], Words]] = {
    "surname": _surname,
    "surname2": lambda slate: _surname(slate.second("second surname")),
    "given": _given,
    "coined": _coined,
    "coined2": lambda slate: _coined(slate.second("second coined")),
    "trade": _trade,
    "trade2": _second_trade,
    "adjective": lambda slate: slate.zipf("adjective", _ADJECTIVES, 20),
    "adjective2": lambda slate: slate.zipf("second adjective", _ADJECTIVES, 20),
    "qualifier": lambda slate: slate.zipf("adjective", _QUALIFIERS, 20),
    "place": lambda slate: slate.zipf("place", _PLACES, 15),
    "city": lambda slate: slate.cities,
    "cause": lambda slate: slate.zipf("cause", _CAUSES[slate.language], 6),
    "practice": lambda slate: slate.evenly("practice", _PRACTICES[slate.language]),
    "initials": _initials,
    "dotted": _dotted,
    "ending": _ending,
}


@dataclass(frozen=True, slots=True)
class Pattern:
    """One form of a name: the text with `%s` for each slot, and the slots in order."""

    text: str
    slots: tuple[str, ...]

    @classmethod
    def of(cls, written: str) -> "Pattern":
        """From `{surname} {trade}`."""
        slots = tuple(re.findall(r"\{(\w+)\}", written))
        return cls(re.sub(r"\{\w+\}", "%s", written.replace("%", "%%")), slots)

    def fill(self, slate: Slate) -> list[str]:
        """A name for each row."""
        columns = [SLOTS[slot](slate).tolist() for slot in self.slots]
        return [self.text % row for row in zip(*columns, strict=True)]


@dataclass(frozen=True, slots=True)
class Family:
    """The patterns of a kind of business, in both languages, with their weights."""

    forms: tuple[tuple[Pattern, Pattern], ...]
    weights: Weights

    @classmethod
    def of(cls, rows: list[tuple[float, str, str]]) -> "Family":
        """From rows of weight, English and French form."""
        forms = tuple((Pattern.of(english), Pattern.of(french)) for _, english, french in rows)
        return cls(forms, Weights.of([[weight for weight, _, _ in rows]]))


_FAMILIES = {kind: Family.of(_PATTERNS[kind]) for kind in KINDS if kind in _PATTERNS}
_FAMILIES[Kind.EXTRA_PROVINCIAL] = _FAMILIES[Kind.COMPANY]


def compose(draws: Draws, kinds: Integers, french: Truths, cities: Words, in_quebec: Truths) -> Words:
    """A name for each row, by its kind's number and its language."""
    names = np.empty(len(draws), dtype=object)
    for place, kind in enumerate(KINDS):
        family = _FAMILIES[kind]
        of_kind = np.flatnonzero(kinds == place)
        chosen = family.weights.pick(0, draws.at(of_kind).unit("pattern"))
        languages = french[of_kind].astype(np.int64)
        for number, language in np.unique(np.stack([chosen, languages]), axis=1).T.tolist():
            rows = of_kind[(chosen == number) & (languages == language)]
            slate = Slate(draws.at(rows), cities[rows], in_quebec[rows], language)
            names[rows] = family.forms[number][language].fill(slate)
    return names
