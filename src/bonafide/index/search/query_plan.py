"""A query as one segment sees it: the term variants of each word, weighed, and what a name earns by holding them.

A slot weighs what its likeliest sense weighs (by frequency times odds), never more than the word itself: a slip in "construction"
stays as light as "construction". A word of a name then weighs, on both sides of the comparison, at most what the slot weighs that
it stands for; so a name with exactly the query's words scores exactly 1. This module reads no names.
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
    """A query against one segment: S slots, and T words of the segment that stand for them.

    `weights` (S): what a slot weighs; `total`: what all slots weigh. `gains` (S by T): how much of a slot's weight a name earns by
    holding a word. `excess` (T): how much heavier the word is than what it stands for here. `slots` (T): the slots it stands for.
    `frequencies` (T): its names.
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
        """The most that a name earns that holds words of these columns only."""
        return float(np.minimum(self.gains[:, columns].sum(axis=1), self.weights).sum())

    def compute_max_excess(self, columns: Sequence[int]) -> float:
        """The most by which a name's words of these columns weigh more than what they stand for, with one word for each slot."""
        most: dict[int, float] = {}
        for column in columns:
            slot = self.slots[column][0]
            most[slot] = max(most.get(slot, 0.0), float(self.excess[column]))
        return sum(most.values())

    def select_best_per_slot(self, columns: Sequence[int]) -> list[int]:
        """Of these columns those that earn most in any slot, in the order given."""
        gains = self.gains[:, columns]
        places = gains.argmax(axis=1)[gains.any(axis=1)]
        return [columns[place] for place in sorted(set(places.tolist()))]

    def compute_min_words(self, columns: Sequence[int], shared: float) -> int:
        """How many words of these columns a name must hold at least to earn so much."""
        most = np.sort(np.minimum(self.gains[:, columns].sum(axis=1), self.weights))[::-1]
        slots = int(np.cumsum(most).searchsorted(shared)) + 1
        return -(-slots // max(len(self.slots[column]) for column in columns))


class TermVariant(NamedTuple):
    """A word of the segment (`token`) that one slot, or two neighbours run together (`slots`), may stand for.

    `similarity` is 0 to 1; `odds` say how likely the word is meant, before its frequency is considered. `other_half` is the other
    word where a slot is read as two.
    """

    token: int
    slots: tuple[int, ...]
    similarity: float
    odds: float
    other_half: int | None = None


LEGAL_FORM_WEIGHT = 3_000
"""A word of a legal form, or as empty as one, weighs no more than a word that one name in twenty holds.

It is rare where it is not taken for a form, and then says no more than elsewhere.
"""


class _WeightedVariant(NamedTuple):
    """A sense with what the slots weigh if they are meant so, and in how many names that is to be expected.

    `weigh_listed_word` and `frequency` are those of its word alone.
    """

    sense: TermVariant
    weight: int
    likelihood: float
    word_weight: int
    frequency: int


class QueryPlanner:
    """Makes plans for one opened segment of so many names."""

    def __init__(self, vocabulary: SegmentVocabulary, postings: NamePostings, names: int) -> None:
        self._vocabulary = vocabulary
        self._postings = postings
        self._names = names
        # In a segment of changes words weigh what they weigh in the large one beside it.
        self._rarest = max(compute_rarest_weight(names), int(vocabulary.weights.max(initial=0)))

    def plan(self, words: Sequence[str], senses: Sequence[TermVariant], most: int) -> QueryPlan:
        """The plan of a query's words, of each at most so many senses."""
        kept = _select_likeliest(self._weigh(senses), most)
        ceilings = [
            LEGAL_FORM_WEIGHT if is_legal_form((word,)) or classify_word(word) is WordClass.SHAPE else self._rarest
            for word in words
        ]
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
                # Two words that stand side by side by chance.
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
    """At most so many of each slot; those most similar come first, then the likeliest."""
    taken: Counter[tuple[int, ...]] = Counter()
    kept = []
    for weighed in sorted(senses, key=lambda weighed: (weighed.sense.similarity < 1, -weighed.likelihood)):
        taken[weighed.sense.slots] += 1
        if taken[weighed.sense.slots] <= most:
            kept.append(weighed)
    return sorted(kept, key=lambda weighed: -weighed.sense.similarity)


def _cap_pair_weight(weights: list[int], left: int, right: int, total: int) -> None:
    """Let two slots together weigh at most so much, in their proportion."""
    before = weights[left] + weights[right]
    if total < before:
        weights[left] = weights[left] * total // before
        weights[right] = total - weights[left]


def _build_plan(weights: Sequence[int], senses: Sequence[_WeightedVariant]) -> QueryPlan:
    """Lay the senses out as a table; a word that stands for slots in several ways earns the best of them in each."""
    columns: dict[int, int] = {}
    for weighed in senses:
        columns.setdefault(weighed.sense.token, len(columns))
    gains = [[0.0] * len(columns) for _ in weights]
    excess, frequencies = [-1.0] * len(columns), [0] * len(columns)
    for (token, slots, similarity, *_), weight, _, word_weight, frequency in senses:
        column, total = columns[token], sum([weights[slot] for slot in slots])
        # A word that is half of what a slot stands for earns its part of it.
        value = min(word_weight, total * (word_weight / weight))
        if excess[column] < 0:
            excess[column], frequencies[column] = word_weight - value, frequency
        for slot in slots:
            gains[slot][column] = max(gains[slot][column], similarity * value * weights[slot] / total)
    return QueryPlan(
        total=sum(weights),
        weights=np.array(weights, np.int64),
        tokens=np.array(list(columns), np.int64),
        gains=np.array(gains).reshape(len(weights), len(columns)),
        excess=np.array(excess),
        frequencies=np.array(frequencies, np.int64),
        slots=[[slot for slot, gain in enumerate(column) if gain > 0] for column in zip(*gains, strict=True)],
    )
