"""Build the machine-readable explanation of a name comparison: the paired words, their weights and the steps to the score."""

from collections.abc import Iterable
from typing import Any

from bonafide.matching.scoring.alignment import AlignedNames, WordPair, Words
from bonafide.matching.scoring.name_comparison import FeatureResult
from bonafide.matching.scoring.score_parameters import DECIMALS
from bonafide.matching.scoring.unweighed_words import pair_unweighed_words
from bonafide.model.search.match import ComparedWords, LoneWord, NameBreakdown, ScoreStep


def build_name_breakdown(
    names: AlignedNames[Any], factors: Iterable[FeatureResult], caps: Iterable[FeatureResult]
) -> NameBreakdown:
    """All words of both names with their weights, and the steps from them to the score.

    Aligned words come first. Words that are not aligned, such as legal forms and articles, follow with the weight 0.
    """
    unweighed = pair_unweighed_words(names.query, names.candidate)
    return NameBreakdown(
        matched=(*(_to_compared_words(pair, names) for pair in names.alignment.pairs), *unweighed.matched),
        missing=(*_to_lone_words(names.alignment.left_only, names), *unweighed.missing),
        added=(*_to_lone_words(names.alignment.right_only, names), *unweighed.added),
        factors=_to_score_steps(factors),
        caps=_to_score_steps(caps),
    )


def _to_compared_words(pair: WordPair, names: AlignedNames[Any]) -> ComparedWords:
    return ComparedWords(
        submitted=" ".join(pair.left),
        found=" ".join(pair.right),
        difference=pair.likeness.difference,
        likeness=round(names.rate_pair(pair), DECIMALS),
        weight=round(names.weigh_pair(pair), DECIMALS),
    )


def _to_lone_words(words: Words, names: AlignedNames[Any]) -> tuple[LoneWord, ...]:
    return tuple(LoneWord(word=word, weight=round(names.weigh_word(word), DECIMALS)) for word in words)


def _to_score_steps(results: Iterable[FeatureResult]) -> tuple[ScoreStep, ...]:
    return tuple(ScoreStep(feature=result.feature, score=round(result.score, DECIMALS), reason=result.reason) for result in results)
