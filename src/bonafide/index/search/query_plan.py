"""Plan a query for one segment: the weighted term variants of each word, and what each contributes to a name's score.

A slot has the weight of its likeliest variant (by frequency times odds), never more than the word itself: a typo in "construction"
weighs as little as "construction". On both sides of the comparison, a word of a name weighs at most as much as its slot, so a name
with exactly the query's words scores exactly 1. This module reads no names.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from bonafide.index.format.postings import NamePostings, TokenIds
from bonafide.index.format.vocabulary import SegmentVocabulary, compute_rarest_weight
from bonafide.matching.names.legal_forms import is_legal_form
from bonafide.matching.text.word_classes import WordClass, classify_word


@dataclass(frozen=True, slots=True)
class QueryPlan:
    """A query against one segment: S slots, and T words of the segment that match them.

    `weights` (S): the weight of each slot; `total`: their sum. `gains` (S by T): the part of a slot's weight that a name gains by
    containing a word. `excess` (T): the weight of the word beyond that of its slots. `slots` (T): the slots it matches.
    `frequencies` (T): the number of its names.
    """

    weights: NDArray[np.int64]
    tokens: TokenIds
    gains: NDArray[np.float64]
    excess: NDArray[np.float64]
    slots: list[list[int]]
    frequencies: NDArray[np.int64]
    total: int

    def is_within(self, other: "QueryPlan") -> bool:
        """Whether all words of this plan are in another."""
        return set(self.tokens.tolist()) <= set(other.tokens.tolist())

    def has_same_weights(self, other: "QueryPlan") -> bool:
        """Whether the slots of another plan weigh the same."""
        return bool(np.array_equal(self.weights, other.weights))

    def compute_max_shared(self, columns: Sequence[int]) -> float:
        """The maximum gain of a name that contains words of these columns only."""
        return float(np.minimum(self.gains[:, columns].sum(axis=1), self.weights).sum())

    def compute_max_excess(self, columns: Sequence[int]) -> float:
        """The maximum excess of a name's words of these columns, with one word for each slot."""
        most: dict[int, float] = {}
        for column in columns:
            slot = self.slots[column][0]
            most[slot] = max(most.get(slot, 0.0), float(self.excess[column]))
        return sum(most.values())

    def select_best_per_slot(self, columns: Sequence[int]) -> list[int]:
        """The columns with the highest gain in any slot, in the given order."""
        gains = self.gains[:, columns]
        places = gains.argmax(axis=1)[gains.any(axis=1)]
        return [columns[place] for place in sorted(set(places.tolist()))]

    def compute_min_words(self, columns: Sequence[int], shared: float) -> int:
        """The minimum number of words of these columns that a name must contain for a gain of `shared`."""
        most = np.sort(np.minimum(self.gains[:, columns].sum(axis=1), self.weights))[::-1]
        slots = int(np.cumsum(most).searchsorted(shared)) + 1
        return -(-slots // max(len(self.slots[column]) for column in columns))


class TermVariant(NamedTuple):
    """A word of the segment (`token`) that may match one slot, or two adjacent joined slots (`slots`).

    `similarity` is 0 to 1; `odds` say how likely the word is meant, before its frequency is considered. `other_half` is the other
    word where a slot is read as two.
    """

    token: int
    slots: tuple[int, ...]
    similarity: float
    odds: float
    other_half: int | None = None


LEGAL_FORM_WEIGHT = 3_000
"""The maximum weight of a word of a legal form or of similarly little meaning: that of a word in one name of twenty.

Such a word is rare where it is not parsed as a legal form, but is no more distinctive there.
"""


def has_form_weight(word: str) -> bool:
    """Whether a word is that of a legal form, or of similarly little meaning."""
    return is_legal_form((word,)) or classify_word(word) is WordClass.SHAPE


def find_rarest_weight(weights: NDArray[np.uint16], names: int) -> int:
    """The weight of a word in one name, in a segment with this number of names and these weights of words."""
    # Words of a delta have the weights of the base.
    return max(compute_rarest_weight(names), int(weights.max(initial=0)))


class _WeightedVariant(NamedTuple):
    """A variant with the weight of its slots if it is meant, and the number of names in which that is expected.

    `word_weight` and `frequency` are those of its word alone.
    """

    sense: TermVariant
    weight: int
    likelihood: float
    word_weight: int
    frequency: int


class QueryPlanner:
    """Creates plans for one opened segment with this number of names."""

    def __init__(self, vocabulary: SegmentVocabulary, postings: NamePostings, names: int) -> None:
        self._vocabulary = vocabulary
        self._postings = postings
        self._names = names
        self._rarest = find_rarest_weight(vocabulary.weights, names)

    def plan(self, words: Sequence[str], senses: Sequence[TermVariant], most: int) -> QueryPlan:
        """The plan of a query's words with at most `most` variants per word."""
        kept = _select_likeliest(self._weigh(senses), most)
        ceilings = [LEGAL_FORM_WEIGHT if has_form_weight(word) else self._rarest for word in words]
        return _build_plan(self._slot_weights(ceilings, kept), kept)

    def _weigh(self, senses: Sequence[TermVariant]) -> list[_WeightedVariant]:
        tokens = np.array([sense.token for sense in senses], np.int64)
        weights, frequencies = self._vocabulary.weights[tokens].tolist(), self._postings.frequencies(tokens).tolist()
        words = {sense.token: own for sense, *own in zip(senses, weights, frequencies, strict=True)}
        weighed = []
        for sense, weight, frequency in zip(senses, weights, frequencies, strict=True):
            if sense.other_half is None:
                weighed.append(_WeightedVariant(sense, weight, sense.odds * frequency, weight, frequency))
            else:
                other_weight, other_frequency = words[sense.other_half]
                # The two words may be adjacent by coincidence.
                likelihood = sense.odds * frequency * other_frequency / self._names
                weighed.append(_WeightedVariant(sense, weight + other_weight, likelihood, weight, frequency))
        return weighed

    def _slot_weights(self, ceilings: list[int], senses: Sequence[_WeightedVariant]) -> list[int]:
        best, weights = [0.0] * len(ceilings), list(ceilings)
        for sense, weight, likelihood, *_ in senses:
            if len(sense.slots) == 1:
                (slot,) = sense.slots
                if sense.similarity == 1:
                    ceilings[slot] = min(ceilings[slot], weight)
                if likelihood > best[slot]:
                    best[slot], weights[slot] = likelihood, weight
        weights = list(map(min, ceilings, weights))
        for sense, weight, likelihood, *_ in senses:
            if len(sense.slots) > 1:
                left, right = sense.slots
                if likelihood > best[left] * best[right] / self._names:
                    _cap_pair_weight(weights, left, right, weight)
        return weights


def _select_likeliest(senses: Sequence[_WeightedVariant], most: int) -> list[_WeightedVariant]:
    """At most `most` variants of each slot, ordered by similarity, then by likelihood."""
    taken: Counter[tuple[int, ...]] = Counter()
    kept = []
    for weighed in sorted(senses, key=lambda weighed: (weighed.sense.similarity < 1, -weighed.likelihood)):
        taken[weighed.sense.slots] += 1
        if taken[weighed.sense.slots] <= most:
            kept.append(weighed)
    return sorted(kept, key=lambda weighed: -weighed.sense.similarity)


def _cap_pair_weight(weights: list[int], left: int, right: int, total: int) -> None:
    """Scale the weights of two slots so that their sum is at most `total`."""
    before = weights[left] + weights[right]
    if total < before:
        weights[left] = weights[left] * total // before
        weights[right] = total - weights[left]


_GAIN_UNITS = 2**20
"""The parts of a weight in which gains are counted: sums of such multiples are exact, in any order."""


def _round_gain(gain: float) -> float:
    return round(gain * _GAIN_UNITS) / _GAIN_UNITS


def _build_plan(weights: Sequence[int], senses: Sequence[_WeightedVariant]) -> QueryPlan:
    """Build the table of variants; a word that matches slots in several ways gains the best of them in each."""
    columns: dict[int, int] = {}
    for weighed in senses:
        columns.setdefault(weighed.sense.token, len(columns))
    gains = [[0.0] * len(columns) for _ in weights]
    excess, frequencies = [-1.0] * len(columns), [0] * len(columns)
    for (token, slots, similarity, *_), weight, _, word_weight, frequency in senses:
        column, total = columns[token], sum([weights[slot] for slot in slots])
        # A word that is half of a slot's variant gains its part of the weight.
        value = min(word_weight, total * (word_weight / weight))
        if excess[column] < 0:
            excess[column], frequencies[column] = _round_gain(word_weight - value), frequency
        for slot in slots:
            gains[slot][column] = max(gains[slot][column], _round_gain(similarity * value * weights[slot] / total))
    return QueryPlan(
        total=sum(weights),
        weights=np.array(weights, np.int64),
        tokens=np.array(list(columns), np.int64),
        gains=np.array(gains).reshape(len(weights), len(columns)),
        excess=np.array(excess),
        frequencies=np.array(frequencies, np.int64),
        slots=[[slot for slot, gain in enumerate(column) if gain > 0] for column in zip(*gains, strict=True)],
    )
