"""Calibration: the share of true matches among the pairs of a score, by kind of name.

The curve is fitted by isotonic regression: the non-decreasing function of the score that is nearest to the labels.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Protocol

from bonafide_bench.real_names.name_pairs import NamePair, PairKind

BANDS = ((0.5, 0.7), (0.7, 0.8), (0.8, 0.85), (0.85, 0.95), (0.95, 1.01))
"""Lowest score of each band, and the score from which the next one begins."""


class ScoredLabel(Protocol):
    """A pair with a score."""

    @property
    def pair(self) -> NamePair:
        """The labelled pair."""

    @property
    def score(self) -> float:
        """Its score."""


@dataclass(frozen=True, slots=True)
class BandFigures:
    """The pairs with a score in a band: their number and the share of true matches; None without pairs."""

    low: float
    high: float
    pairs: int
    share: float | None


@dataclass(frozen=True, slots=True)
class CalibrationCurve:
    """One kind: its bands, and the points (score, share of true matches) of the isotonic curve, by rising score."""

    kind: PairKind
    bands: tuple[BandFigures, ...]
    points: tuple[tuple[float, float], ...]


def calibrate(kind: PairKind, scored: Iterable[ScoredLabel]) -> CalibrationCurve:
    """The bands and the curve of pairs of one kind, with same and different parties weighted equally.

    Equal weights make the figures independent of how many pairs of either label the sets happen to have.
    """
    items = [(item.score, item.pair.same) for item in scored]
    weights = weigh_labels([same for _, same in items])
    rows = [(score, same, weight) for (score, same), weight in zip(items, weights, strict=True)]
    bands = tuple(_build_band(low, high, [row for row in rows if low <= row[0] < high]) for low, high in BANDS)
    return CalibrationCurve(kind, bands, tuple(fit_isotonic(rows)))


def weigh_labels(labels: Sequence[bool]) -> list[float]:
    """A weight for each pair, so that both labels have the same sum; 1 if only one label occurs."""
    same = sum(labels)
    different = len(labels) - same
    if not same or not different:
        return [1.0] * len(labels)
    return [len(labels) / (2 * same) if label else len(labels) / (2 * different) for label in labels]


def _build_band(low: float, high: float, rows: Sequence[tuple[float, bool, float]]) -> BandFigures:
    total = sum(weight for _, _, weight in rows)
    matched = sum(weight for _, same, weight in rows if same)
    return BandFigures(low, high, len(rows), matched / total if rows else None)


def fit_isotonic(rows: Iterable[tuple[float, bool, float]]) -> list[tuple[float, float]]:
    """The points of the isotonic regression of labels on scores (pool adjacent violators), two for each step of the curve.

    `rows` are scores, labels and weights.
    """
    blocks: list[list[float]] = []  # lowest score, highest score, weight of matches, weight
    for score, same, weight in _merge_equal_scores(rows):
        blocks.append([score, score, same, weight])
        while len(blocks) > 1 and blocks[-2][2] * blocks[-1][3] >= blocks[-1][2] * blocks[-2][3]:
            _, high, matched, total = blocks.pop()
            blocks[-1][1] = high
            blocks[-1][2] += matched
            blocks[-1][3] += total
    return [(score, matched / total) for low, high, matched, total in blocks for score in dict.fromkeys((low, high))]


def _merge_equal_scores(rows: Iterable[tuple[float, bool, float]]) -> list[tuple[float, float, float]]:
    merged: dict[float, list[float]] = {}
    for score, same, weight in rows:
        found = merged.setdefault(score, [0.0, 0.0])
        found[0] += weight * same
        found[1] += weight
    return [(score, matched, total) for score, (matched, total) in sorted(merged.items())]
