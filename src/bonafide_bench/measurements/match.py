"""`bonafide bench match`: precision and recall of the score on labelled pairs, and false matches of unregistered names.

As in a search, words are weighted by their frequency in the loaded sandbox. Nothing is asserted.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import islice
from uuid import uuid4

from bonafide.matching.entries.query import Query
from bonafide.matching.names.best_name_match import compare_name_texts
from bonafide.matching.scoring.word_rarity import WordRarity
from bonafide.model.accounts.organizations import World
from bonafide.model.jurisdiction import Jurisdiction
from bonafide.runtime import Runtime
from bonafide.services.indexing.word_rarity import get_loaded_rarity
from bonafide.services.lookup.source_lookup import query_sources
from bonafide.services.results.match_building import build_registry_matches
from bonafide_bench.datasets.labelled_pairs import LabelledPair, create_labelled_pairs
from bonafide_sandbox.generator.businesses import create_unregistered
from bonafide_sandbox.world.builder import DEFAULT_SEED
from bonafide_sandbox.world.simulated_failures import find_search_failure

THRESHOLDS = (0.7, 0.85, 0.95)
STEP = 0.005
"""The step between candidate thresholds, starting with the lowest threshold that the API accepts."""
OnCountProgress = Callable[[int, int], None]
"""Progress callback: unregistered names searched for, and their total."""


@dataclass(frozen=True, slots=True)
class ThresholdFigures:
    """Precision, recall and F1 of classifying pairs at or above the threshold as the same business."""

    threshold: float
    precision: float
    recall: float
    f1: float


@dataclass(frozen=True, slots=True)
class CategoryFigures:
    """The pairs of one rule: their number, and the share with a score at or above each threshold.

    For pairs of the same business the share is the recall, for others the false match rate. `examples` are misclassified at the
    best threshold.
    """

    category: str
    same: bool
    pairs: int
    shares: tuple[float, ...]
    examples: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class UnregisteredFigures:
    """Names of unregistered businesses: how many were searched for, and how many are identical to a registered name.

    `false_matches` counts those of the rest with a match at or above each threshold; `examples` have the highest scores.
    """

    asked: int
    borne: int
    false_matches: tuple[int, ...]
    examples: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class MatchReport:
    """The results of a run; `thresholds` are the columns of all shares and counts, the best threshold last."""

    thresholds: tuple[float, ...]
    decisions: tuple[ThresholdFigures, ...]
    categories: tuple[CategoryFigures, ...]
    strangers: UnregisteredFigures


@dataclass(frozen=True, slots=True)
class ScoredPair:
    """A labelled pair and its score."""

    pair: LabelledPair
    score: float


async def measure_matching(runtime: Runtime, of_a_category: int, strangers_asked: int, told: OnCountProgress) -> MatchReport:
    """Measure on the loaded sandbox."""
    rarity = await get_loaded_rarity(runtime, World.SANDBOX)
    scored = score_pairs(create_labelled_pairs(of_a_category), rarity)
    best = find_best_threshold(scored)
    thresholds = (*THRESHOLDS, best.threshold)
    return MatchReport(
        thresholds=thresholds,
        decisions=tuple(evaluate_threshold(scored, threshold) for threshold in thresholds),
        categories=tuple(_evaluate_categories(scored, thresholds)),
        strangers=await _measure_unregistered(runtime, strangers_asked, thresholds, told),
    )


# ---------------------------------------------------------------------------------------------------------------- pairs


def score_pairs(pairs: Sequence[LabelledPair], rarity: WordRarity) -> list[ScoredPair]:
    """Score every pair, with word weights from the loaded registries."""
    return [ScoredPair(pair, compare_name_texts(pair.a, pair.b, rarity).score) for pair in pairs]


def evaluate_threshold(scored: Sequence[ScoredPair], threshold: float) -> ThresholdFigures:
    """Precision, recall and F1 at this threshold."""
    called = [item.pair.same for item in scored if item.score >= threshold]
    right, same = sum(called), sum(item.pair.same for item in scored)
    precision, recall = right / max(len(called), 1), right / max(same, 1)
    return ThresholdFigures(threshold, precision, recall, 2 * right / max(len(called) + same, 1))


def find_best_threshold(scored: Sequence[ScoredPair]) -> ThresholdFigures:
    """The threshold with the highest F1; the lowest one if several are equal."""
    steps = round((1 - THRESHOLDS[0]) / STEP)
    return max(
        (evaluate_threshold(scored, round(THRESHOLDS[0] + STEP * step, 3)) for step in range(steps + 1)), key=lambda item: item.f1
    )


def _evaluate_categories(scored: Sequence[ScoredPair], thresholds: Sequence[float]) -> Iterable[CategoryFigures]:
    for same, category in dict.fromkeys((item.pair.same, item.pair.category) for item in scored):
        own = [item for item in scored if (item.pair.same, item.pair.category) == (same, category)]
        shares = tuple(sum(item.score >= threshold for item in own) / len(own) for threshold in thresholds)
        wrong = [item for item in own if (item.score >= thresholds[-1]) is not same]
        yield CategoryFigures(category, same, len(own), shares, tuple(map(_format_pair, wrong)))


def _format_pair(item: ScoredPair) -> str:
    return f"{item.pair.a} | {item.pair.b} ({item.score:.2f})"


# ------------------------------------------------------------------------------------------------------------ unregistered names


async def _measure_unregistered(
    runtime: Runtime, count: int, thresholds: Sequence[float], told: OnCountProgress
) -> UnregisteredFigures:
    registers = runtime.list_registers()
    rarity = await get_loaded_rarity(runtime, World.SANDBOX)
    best: list[tuple[float, str]] = []
    for done, name in enumerate(create_unregistered_names(count), start=1):
        query = Query(name=name, limit=1)
        matches = build_registry_matches(uuid4(), query, await query_sources(runtime, World.SANDBOX, query, registers), rarity)
        best += [(match.match.score, f"{name} | {match.match.fields[0].found} ({match.match.score:.2f})") for match in matches]
        told(done, count)
    unknown = sorted((item for item in best if item[0] < 1), reverse=True)
    false_matches = tuple(sum(score >= threshold for score, _ in unknown) for threshold in thresholds)
    return UnregisteredFigures(count, len(best) - len(unknown), false_matches, tuple(shown for _, shown in unknown))


def create_unregistered_names(count: int) -> list[str]:
    """Names of businesses outside any sandbox world, evenly distributed over the registries' jurisdictions."""
    each = -(-count // len(Jurisdiction))
    names = [
        business.name
        for jurisdiction in Jurisdiction
        for business in islice(create_unregistered(DEFAULT_SEED, jurisdiction), each)
        if find_search_failure(business.name) is None
    ]
    return names[:count]
