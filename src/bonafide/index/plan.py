"""What each reading of a query is worth: the noisy channel, settled before any name is looked at.

A slot weighs what its likeliest reading weighs (by frequency times odds), never more than the word itself: a slip in "construction"
stays as light as "construction". A word of a name then weighs, on both sides of the comparison, at most what the slot weighs that
it stands for; so a name with exactly the query's words scores exactly 1. This module reads no names.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from bonafide.index.expand import Reading
from bonafide.index.postings import Postings, Tokens
from bonafide.index.vocabulary import Vocabulary, weight_of_rarest

MAX_READINGS = 24
"""Readings of a query's slot that are followed: the likeliest."""


@dataclass(frozen=True, slots=True)
class Plan:
    """A query against one segment: S slots, and T words of the segment that stand for them.

    `weights` (S) and `gains` (S by T): what a slot weighs, and how much of it a name earns by holding a word. `excess` (T): how
    much heavier the word is than what it stands for here. `home` (T): the slot it stands for best. `frequencies` (T): its names.
    """

    weights: NDArray[np.int64]
    tokens: Tokens
    gains: NDArray[np.float64]
    excess: NDArray[np.float64]
    home: NDArray[np.int64]
    frequencies: NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class _Worth:
    """Weight and likelihood of readings, from the weights and frequencies of the words concerned."""

    weights: Mapping[int, int]
    frequencies: Mapping[int, int]
    names: int

    def weight(self, reading: Reading) -> int:
        """What the slots would weigh if they were meant so."""
        return self.weights[reading.token] + (self.weights[reading.other_half] if reading.other_half is not None else 0)

    def likelihood(self, reading: Reading) -> float:
        """How many names are expected in which the slots are meant so."""
        expected = self.frequencies[reading.token]
        if reading.other_half is None:
            return reading.odds * expected
        # Of two words that stand side by side by chance.
        return reading.odds * expected * self.frequencies[reading.other_half] / self.names


def make_plan(slots: int, readings: Sequence[Reading], vocabulary: Vocabulary, postings: Postings, names: int) -> Plan:
    """The plan of a query with so many slots."""
    tokens = np.array([reading.token for reading in readings], np.int64)
    known, frequencies = tokens.tolist(), postings.frequencies(tokens).tolist()
    worth = _Worth(
        dict(zip(known, vocabulary.weights[tokens].tolist(), strict=True)), dict(zip(known, frequencies, strict=True)), names
    )
    kept = _likeliest(readings, worth)
    weights = _slot_weights(slots, kept, worth)
    return _tabulate(weights, kept, worth)


def _likeliest(readings: Iterable[Reading], worth: _Worth) -> list[Reading]:
    """At most `MAX_READINGS` of each slot; those most similar come first, then the likeliest."""
    taken: Counter[tuple[int, ...]] = Counter()
    kept = []
    for reading in sorted(readings, key=lambda reading: (reading.similarity < 1, -worth.likelihood(reading))):
        taken[reading.slots] += 1
        if taken[reading.slots] <= MAX_READINGS:
            kept.append(reading)
    return sorted(kept, key=lambda reading: -reading.similarity)


def _slot_weights(slots: int, readings: Sequence[Reading], worth: _Worth) -> list[int]:
    ceilings = [weight_of_rarest(worth.names)] * slots
    best: list[tuple[float, int]] = [(0.0, weight) for weight in ceilings]
    for reading in readings:
        if len(reading.slots) == 1:
            slot, weight, likelihood = reading.slots[0], worth.weight(reading), worth.likelihood(reading)
            if reading.similarity == 1:
                ceilings[slot] = weight
            if likelihood > best[slot][0]:
                best[slot] = likelihood, weight
    weights = [min(ceiling, weight) for ceiling, (_, weight) in zip(ceilings, best, strict=True)]
    for reading in readings:
        if len(reading.slots) > 1:
            left, right = reading.slots
            if worth.likelihood(reading) > best[left][0] * best[right][0] / worth.names:
                _lower(weights, left, right, worth.weight(reading))
    return weights


def _lower(weights: list[int], left: int, right: int, total: int) -> None:
    """Let two slots together weigh at most so much, in their proportion."""
    before = weights[left] + weights[right]
    if total < before:
        weights[left] = weights[left] * total // before
        weights[right] = total - weights[left]


def _tabulate(weights: Sequence[int], readings: Sequence[Reading], worth: _Worth) -> Plan:
    """Lay the readings out as a table; a word that is read in several ways earns the best of them in each slot."""
    columns: dict[int, int] = {}
    for reading in readings:
        columns.setdefault(reading.token, len(columns))
    gains = [[0.0] * len(columns) for _ in weights]
    excess, home = [0.0] * len(columns), [-1] * len(columns)
    for token, slots, similarity, _, other_half in readings:
        column, weight, total = columns[token], worth.weights[token], sum(weights[slot] for slot in slots)
        share = 1.0 if other_half is None else weight / (weight + worth.weights[other_half])
        value = min(weight, total * share)
        if home[column] < 0:
            excess[column], home[column] = weight - value, slots[0]
        for slot in slots:
            gains[slot][column] = max(gains[slot][column], similarity * value * weights[slot] / total)
    tokens = np.array(list(columns), np.int64)
    frequencies = np.array([worth.frequencies[token] for token in columns], np.int64)
    return Plan(np.array(weights), tokens, np.array(gains), np.array(excess), np.array(home), frequencies)
