"""The words of two names as the comparison paired and weighed them: the part of an explanation that a program can read.

It repeats what the comparison did and decides nothing.
"""

from collections.abc import Callable
from dataclasses import dataclass

from bonafide.matching.scoring.alignment import WordAlignment, WordPair, Words
from bonafide.matching.scoring.name_comparison import FeatureResult
from bonafide.matching.scoring.score_parameters import DECIMALS
from bonafide.model.search.match import ComparedWords, LoneWord, NameBreakdown, ScoreStep

NO_WORDS = WordAlignment((), (), ())
FeatureResults = tuple[FeatureResult, ...]


@dataclass(frozen=True, slots=True)
class BreakdownWeights:
    """How words were weighed: a lone word, a pair, and how alike the words of a pair counted."""

    weight: Callable[[str], float]
    pair_weight: Callable[[WordPair], float]
    likeness: Callable[[WordPair], float]


def build_name_breakdown(
    alignment: WordAlignment, scale: BreakdownWeights, factors: FeatureResults = (), caps: FeatureResults = ()
) -> NameBreakdown:
    """The pairs and the lone words with what each counts, and the steps from them to the score."""
    return NameBreakdown(
        matched=tuple(_to_compared_words(pair, scale) for pair in alignment.pairs),
        missing=_to_lone_words(alignment.left_only, scale),
        added=_to_lone_words(alignment.right_only, scale),
        factors=_to_score_steps(factors),
        caps=_to_score_steps(caps),
    )


def _to_compared_words(pair: WordPair, scale: BreakdownWeights) -> ComparedWords:
    return ComparedWords(
        submitted=" ".join(pair.left),
        found=" ".join(pair.right),
        difference=pair.likeness.way,
        likeness=round(scale.likeness(pair), DECIMALS),
        weight=round(scale.pair_weight(pair), DECIMALS),
    )


def _to_lone_words(words: Words, scale: BreakdownWeights) -> tuple[LoneWord, ...]:
    return tuple(LoneWord(word=word, weight=round(scale.weight(word), DECIMALS)) for word in words)


def _to_score_steps(results: FeatureResults) -> tuple[ScoreStep, ...]:
    return tuple(ScoreStep(feature=result.feature, score=round(result.score, DECIMALS), reason=result.reason) for result in results)
