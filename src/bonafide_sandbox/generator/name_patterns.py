"""Build names from patterns (`{surname} {trade} {ending}`), one column of slots at a time.

The pattern depends on the business's kind and language. `business_names` decides which names a business has.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np

from bonafide_sandbox.generator import invented_words, people
from bonafide_sandbox.generator.business import BusinessKind
from bonafide_sandbox.generator.data_tables import WordArray, read_table, to_word_array
from bonafide_sandbox.generator.registers import KINDS
from bonafide_sandbox.generator.seeded_random import BoolArray, IntArray, SeededRandom
from bonafide_sandbox.generator.weighted_choice import CumulativeWeights

ENGLISH, FRENCH = 0, 1
COINED_WORDS = 8_000_000
COINED_FLATTENING = 200
LETTERS = to_word_array([*"BCDFGHJLMNPRSTVW"])
"""Letters for initials. Without vowels and K, they form no words."""

_WORDS = read_table("words")
_PATTERNS = read_table("patterns")


def _both(pairs: dict[str, str]) -> tuple[WordArray, WordArray]:
    return to_word_array(pairs), to_word_array(list(pairs.values()))


_TRADES = _both(_WORDS["trades"])
_CAUSES = _both(_WORDS["causes"])
_PRACTICES = _both(_PATTERNS["practices"])
_ADJECTIVES = to_word_array(_WORDS["adjectives"])
_QUALIFIERS = to_word_array(_WORDS["qualifiers"])
_PLACES = to_word_array(_WORDS["places"])
_ENDINGS = tuple(to_word_array(_PATTERNS["endings"][language]) for language in ("english", "french"))
_ENDING_WEIGHTS = tuple(CumulativeWeights.of([list(_PATTERNS["endings"][language].values())]) for language in ("english", "french"))


@dataclass(frozen=True, slots=True)
class SlotContext:
    """The values available to fill the slots of a set of rows."""

    draws: SeededRandom
    cities: WordArray
    in_quebec: BoolArray
    language: int

    def zipf(self, purpose: str, entries: WordArray, flattening: float) -> WordArray:
        """Choose words with Zipf-distributed frequency from a list ordered by frequency."""
        drawn: WordArray = entries[self.draws.zipf(purpose, len(entries), flattening)]
        return drawn

    def evenly(self, purpose: str, entries: WordArray) -> WordArray:
        """Choose words uniformly from a list."""
        drawn: WordArray = entries[self.draws.below(purpose, len(entries))]
        return drawn

    def second(self, purpose: str) -> "SlotContext":
        """Return an independent context for a second word of the same kind."""
        return SlotContext(self.draws.stream(purpose), self.cities, self.in_quebec, self.language)


def _surname(slate: SlotContext) -> WordArray:
    return people.draw_surnames(slate.draws, people.draw_traditions(slate.draws, slate.in_quebec))


def _given(slate: SlotContext) -> WordArray:
    return people.draw_given_names(slate.draws, people.draw_traditions(slate.draws, slate.in_quebec))


def _coined(slate: SlotContext) -> WordArray:
    return invented_words.create_brands(slate.draws.zipf("coined", COINED_WORDS, COINED_FLATTENING))


def _trade(slate: SlotContext) -> WordArray:
    return slate.zipf("trade", _TRADES[slate.language], 8)


def _second_trade(slate: SlotContext) -> WordArray:
    """Choose a trade different from the first, by a fixed offset."""
    count = len(_TRADES[slate.language])
    places = slate.draws.zipf("trade", count, 8) + 1 + slate.draws.zipf("second trade", count - 1, 8)
    drawn: WordArray = _TRADES[slate.language][places % count]
    return drawn


def _initials(slate: SlotContext) -> WordArray:
    first, second, third = (slate.evenly(f"letter {place}", LETTERS) for place in range(3))
    joined: WordArray = first + second + np.where(slate.draws.chance("third letter", 0.6), third, "")
    return joined


def _dotted(slate: SlotContext) -> WordArray:
    dotted: WordArray = slate.evenly("letter 0", LETTERS) + "." + slate.evenly("letter 1", LETTERS) + "."
    return dotted


def _ending(slate: SlotContext) -> WordArray:
    places = _ENDING_WEIGHTS[slate.language].pick(0, slate.draws.unit("ending"))
    drawn: WordArray = _ENDINGS[slate.language][places]
    return drawn


SLOTS: Mapping[str, Callable[[SlotContext], WordArray]] = {
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
class SlotPattern:
    """A name pattern: the text with `%s` for each slot, and the slots in order."""

    text: str
    slots: tuple[str, ...]

    @classmethod
    def of(cls, written: str) -> "SlotPattern":
        """Parse a pattern such as `{surname} {trade}`."""
        slots = tuple(re.findall(r"\{(\w+)\}", written))
        return cls(re.sub(r"\{\w+\}", "%s", written.replace("%", "%%")), slots)

    def fill(self, slate: SlotContext) -> list[str]:
        """Generate a name for each row."""
        columns = [SLOTS[slot](slate).tolist() for slot in self.slots]
        return [self.text % row for row in zip(*columns, strict=True)]


@dataclass(frozen=True, slots=True)
class PatternFamily:
    """The weighted patterns of one kind of business, in both languages."""

    forms: tuple[tuple[SlotPattern, SlotPattern], ...]
    weights: CumulativeWeights

    @classmethod
    def of(cls, rows: list[tuple[float, str, str]]) -> "PatternFamily":
        """Build a family from rows of weight, English pattern and French pattern."""
        forms = tuple((SlotPattern.of(english), SlotPattern.of(french)) for _, english, french in rows)
        return cls(forms, CumulativeWeights.of([[weight for weight, _, _ in rows]]))


_FAMILIES = {kind: PatternFamily.of(_PATTERNS[kind]) for kind in KINDS if kind in _PATTERNS}
_FAMILIES[BusinessKind.EXTRA_PROVINCIAL] = _FAMILIES[BusinessKind.COMPANY]


def compose_names(draws: SeededRandom, kinds: IntArray, french: BoolArray, cities: WordArray, in_quebec: BoolArray) -> WordArray:
    """Generate a name for each row from its kind's number and its language."""
    names = np.empty(len(draws), dtype=object)
    for place, kind in enumerate(KINDS):
        family = _FAMILIES[kind]
        of_kind = np.flatnonzero(kinds == place)
        chosen = family.weights.pick(0, draws.at(of_kind).unit("pattern"))
        languages = french[of_kind].astype(np.int64)
        for number, language in np.unique(np.stack([chosen, languages]), axis=1).T.tolist():
            rows = of_kind[(chosen == number) & (languages == language)]
            slate = SlotContext(draws.at(rows), cities[rows], in_quebec[rows], language)
            names[rows] = family.forms[number][language].fill(slate)
    return names
