"""The loss that the fit reduces: the logistic loss of scores against labels, plus a penalty for changed numbers.

Each set and each of its labels has the same weight, so that a large set does not outweigh a small one.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from bonafide_bench.fitting.number_ranges import NumberKind, compute_range
from bonafide_bench.quality.pair_scores import ScoredNamePair

Floats = NDArray[np.float64]
LOWEST = 0.5
"""Lower scores count as this one: such entries are never shown, and no number can make them match."""
MIDPOINT = 0.8
"""The score that stands for an even chance: between the default thresholds of review (0.7) and of alerts (0.85)."""
SLOPE = 25.0
"""Of the logistic function: 0.95 stands for a probability of 0.98, and 0.7 for one of 0.08."""
PENALTY = 0.01
"""The loss of moving one number by the whole width of its range."""
LEAST_GAIN = 0.0002
"""A change that reduces the loss by less stays out."""


@dataclass(frozen=True, slots=True)
class FittedNumber:
    """A number to fit: its key, its present value, and its range."""

    key: str
    value: float
    low: float
    high: float

    def compute_penalty(self, value: float) -> float:
        """The penalty of another value."""
        return PENALTY * ((value - self.value) / (self.high - self.low)) ** 2


def create_fitted_number(key: str, kind: NumberKind, name: str, value: float) -> FittedNumber | None:
    """The number with its range; None if it is not fitted."""
    limits = compute_range(kind, name, value)
    return None if limits is None or limits[0] >= limits[1] else FittedNumber(key, value, *limits)


@dataclass(frozen=True, slots=True)
class LabelledScores:
    """The labels of pairs (1 for the same party, 0 for different ones) and their weights, which add up to 1."""

    labels: Floats
    weights: Floats

    def compute_loss(self, scores: Sequence[float] | Floats) -> float:
        """The weighted logistic loss of scores in the order of the labels."""
        return float(np.sum(self.weights * self.compute_losses(scores)))

    def compute_losses(self, scores: Sequence[float] | Floats) -> Floats:
        """The logistic loss of each pair."""
        logits = SLOPE * (np.maximum(np.asarray(scores, dtype=np.float64), LOWEST) - MIDPOINT)
        losses: Floats = np.logaddexp(0.0, np.where(self.labels > 0, -logits, logits))
        return losses


def weigh_pairs(pairs: Sequence[ScoredNamePair]) -> LabelledScores:
    """The labels and weights of pairs."""
    groups = [(item.set_key, item.pair.same) for item in pairs]
    counts: dict[tuple[str, bool], int] = {}
    for group in groups:
        counts[group] = counts.get(group, 0) + 1
    weights = np.array([1 / (counts[group] * len(counts)) for group in groups])
    return LabelledScores(np.array([float(item.pair.same) for item in pairs]), weights)


def summarize_losses(pairs: Sequence[ScoredNamePair], scores: Sequence[float]) -> Mapping[str, float]:
    """The mean loss of the pairs of each kind of name, each set and label with the same weight."""
    found = {}
    for kind in dict.fromkeys(item.pair.kind for item in pairs):
        places = [place for place, item in enumerate(pairs) if item.pair.kind is kind]
        own = [pairs[place] for place in places]
        found[kind.value] = weigh_pairs(own).compute_loss([scores[place] for place in places])
    return found
