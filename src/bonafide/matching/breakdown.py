"""The words of two names as the comparison paired and weighed them: the part of an explanation that a program can read.

It repeats what the comparison did and decides nothing.
"""

from collections.abc import Callable
from dataclasses import dataclass

from bonafide.matching.alignment import Alignment, Pair, Words
from bonafide.matching.comparison import FeatureResult
from bonafide.matching.features import DECIMALS
from bonafide.model.match import ComparedWords, LoneWord, NameBreakdown, ScoreStep

NO_WORDS = Alignment((), (), ())
Results = tuple[FeatureResult, ...]


@dataclass(frozen=True, slots=True)
class Scale:
    """How words were weighed: a lone word, a pair, and how alike the words of a pair counted."""

    weight: Callable[[str], float]
    pair_weight: Callable[[Pair], float]
    likeness: Callable[[Pair], float]


def name_breakdown(alignment: Alignment, scale: Scale, factors: Results = (), caps: Results = ()) -> NameBreakdown:
    """The pairs and the lone words with what each counts, and the steps from them to the score."""
    return NameBreakdown(
        matched=tuple(_compared(pair, scale) for pair in alignment.pairs),
        missing=_lone(alignment.left_only, scale),
        added=_lone(alignment.right_only, scale),
        factors=_steps(factors),
        caps=_steps(caps),
    )


def _compared(pair: Pair, scale: Scale) -> ComparedWords:
    return ComparedWords(
        submitted=" ".join(pair.left),
        found=" ".join(pair.right),
        difference=pair.likeness.way,
        likeness=round(scale.likeness(pair), DECIMALS),
        weight=round(scale.pair_weight(pair), DECIMALS),
    )


def _lone(words: Words, scale: Scale) -> tuple[LoneWord, ...]:
    return tuple(LoneWord(word=word, weight=round(scale.weight(word), DECIMALS)) for word in words)


def _steps(results: Results) -> tuple[ScoreStep, ...]:
    return tuple(ScoreStep(feature=result.feature, score=round(result.score, DECIMALS), reason=result.reason) for result in results)
