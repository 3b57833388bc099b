"""Figures of each set of real names: F1, recall and false matches, for the product and for other programs.

The figures of the test and the control part are reported apart. The training part is only reported on request.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from bonafide_bench.quality.alerts import AlertFigures, measure_alerts
from bonafide_bench.quality.calibration import CalibrationCurve, calibrate
from bonafide_bench.quality.pair_scores import ScoredNamePair, score_as_business, score_by_product
from bonafide_bench.quality.peer_scores import PeerScores, applies_to_splink, load_peers
from bonafide_bench.real_names.name_pairs import HELD_OUT, NamePair, PairKind, PairSet, SetPart
from bonafide_bench.real_names.name_sets import SETS

THRESHOLDS = (0.7, 0.8, 0.85, 0.95)
PRODUCT, AS_BUSINESS = "bonafide", "bonafide, as businesses"
NOT_INSTALLED, NOT_APPLICABLE = "not installed", "does not apply"
_SPLINK = "Splink"
_CUTS = tuple(cut / 200 for cut in range(201))
OnSetProgress = Callable[[str, int, int], None]
"""Progress callback: the key of the set, sets read, and their total."""


@dataclass(frozen=True, slots=True)
class ProgramFigures:
    """One program on one part: the best F1 at any threshold, F1 at 0.85, and shares of pairs at each of `THRESHOLDS`.

    `found` are the shares of the same party, `false` those of different parties; None where the part has no such pairs.
    """

    best_f1: float | None
    f1: float | None
    found: tuple[float, ...] | None
    false: tuple[float, ...] | None


@dataclass(frozen=True, slots=True)
class SetFigures:
    """One part of a set: its source, its pairs, and the figures of each program, or why a program has none."""

    key: str
    goal: str
    part: SetPart
    source: str
    licence: str
    same: int
    different: int
    programs: Mapping[str, ProgramFigures | str]


@dataclass(frozen=True, slots=True)
class RealNameReport:
    """A run: the figures of each set, the alerts on people who are not listed, and the calibration of each kind."""

    sets: tuple[SetFigures, ...]
    alerts: tuple[AlertFigures, ...]
    curves: tuple[CalibrationCurve, ...]
    scored: tuple[ScoredNamePair, ...] = field(repr=False)


def measure_real_names(
    data: Path, told: OnSetProgress, *, people: int, most_pairs: int | None = None, sets: Sequence[PairSet] = SETS
) -> RealNameReport:
    """Score the held-out parts of all sets with every program, and screen `people` names of each source of unlisted people.

    `most_pairs` limits the pairs of each part. Raises `FileNotFoundError` if a file is missing.
    """
    peers = load_peers()
    figures: list[SetFigures] = []
    scored: list[ScoredNamePair] = []
    for done, one in enumerate(sets, start=1):
        for source in one.sources:
            if source.part in HELD_OUT:
                pairs = _thin_out(list(source.read(data)), most_pairs)
                own = [score_by_product(pair) for pair in pairs]
                scored += [ScoredNamePair(one.key, source.part, pair, score) for pair, score in zip(pairs, own, strict=True)]
                figures.append(_build_figures(one, source.part, pairs, _score_with_all(pairs, own, peers)))
        told(one.key, done, len(sets))
    alerts = measure_alerts(data, people) if people else ()
    curves = tuple(calibrate(kind, [item for item in scored if item.pair.kind is kind]) for kind in PairKind)
    return RealNameReport(tuple(figures), tuple(alerts), curves, tuple(scored))


def score_set(one: PairSet, part: SetPart, data: Path, most_pairs: int | None = None) -> list[ScoredNamePair]:
    """The pairs of one part with the scores of the product; empty if the set has no such part."""
    source = one.get_source(part)
    pairs = _thin_out(list(source.read(data)), most_pairs) if source is not None else []
    return [ScoredNamePair(one.key, part, pair, score_by_product(pair)) for pair in pairs]


def _thin_out(pairs: Sequence[NamePair], most: int | None) -> list[NamePair]:
    """Every n-th pair, so that at most `most` remain, in the same proportion of labels where they are in blocks."""
    return list(pairs) if most is None or len(pairs) <= most else [pairs[place * len(pairs) // most] for place in range(most)]


def _score_with_all(
    pairs: Sequence[NamePair], own: list[float], peers: Mapping[str, PeerScores | None]
) -> dict[str, list[float] | str]:
    scores: dict[str, list[float] | str] = {PRODUCT: own}
    if pairs and pairs[0].kind is PairKind.ORGANIZATION:
        scores[AS_BUSINESS] = [score_as_business(pair) for pair in pairs]
    for name, score in peers.items():
        if name == _SPLINK and pairs and not applies_to_splink(pairs[0].kind):
            scores[name] = NOT_APPLICABLE
        else:
            scores[name] = NOT_INSTALLED if score is None else score(pairs)
    return scores


def _build_figures(one: PairSet, part: SetPart, pairs: Sequence[NamePair], scores: Mapping[str, list[float] | str]) -> SetFigures:
    source = one.get_source(part)
    assert source is not None  # noqa: S101 - the caller has read it
    labels = [pair.same for pair in pairs]
    programs = {name: found if isinstance(found, str) else evaluate_program(found, labels) for name, found in scores.items()}
    return SetFigures(one.key, one.goal, part, source.source, source.licence, sum(labels), len(labels) - sum(labels), programs)


def evaluate_program(scores: Sequence[float], labels: Sequence[bool]) -> ProgramFigures:
    """The figures of one program on pairs with these scores and labels."""
    same = [score for score, label in zip(scores, labels, strict=True) if label]
    different = [score for score, label in zip(scores, labels, strict=True) if not label]
    both = bool(same) and bool(different)
    return ProgramFigures(
        best_f1=max(_compute_f1(same, different, cut) for cut in _CUTS) if both else None,
        f1=_compute_f1(same, different, THRESHOLDS[2]) if both else None,
        found=_compute_shares(same),
        false=_compute_shares(different),
    )


def _compute_f1(same: Sequence[float], different: Sequence[float], cut: float) -> float:
    right = _count_from(same, cut)
    return 2 * right / max(right + _count_from(different, cut) + len(same), 1)


def _compute_shares(scores: Sequence[float]) -> tuple[float, ...] | None:
    return tuple(_count_from(scores, threshold) / len(scores) for threshold in THRESHOLDS) if scores else None


def _count_from(scores: Iterable[float], cut: float) -> int:
    return sum(score >= cut for score in scores)
