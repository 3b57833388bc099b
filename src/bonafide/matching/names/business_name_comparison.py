"""How alike two business names are, and why.

It works on names in their normal form and knows no entry, number or address; `rank` weighs those.
"""

from functools import partial

from bonafide.matching.names.name_features import CAPS, OTHER_FACTORS, ComparedNames, legal_form, rate_pair, weigh_pair, words
from bonafide.matching.names.normalization import NormalName
from bonafide.matching.scoring import score_parameters
from bonafide.matching.scoring.alignment import WordAlignment, WordPair, Words, align_words
from bonafide.matching.scoring.name_comparison import NameComparison
from bonafide.matching.scoring.score_breakdown import NO_WORDS, BreakdownWeights, FeatureResults, build_name_breakdown
from bonafide.matching.scoring.word_rarity import STATIC_RARITY, WordRarity
from bonafide.matching.scoring.word_similarity import EQUAL, JOINED, compare_words
from bonafide.model.search.match import NameBreakdown


def compare_business_names(a: NormalName, b: NormalName, rarity: WordRarity = STATIC_RARITY) -> NameComparison:
    """Compare the name asked for (`a`) with the name found (`b`). The score is the same both ways; the reason is told from `a`."""
    comparison = compare_above(a, b, rarity, 0.0)
    assert comparison is not None  # noqa: S101 - no score is below 0
    return comparison


def compare_above(a: NormalName, b: NormalName, rarity: WordRarity, floor: float) -> NameComparison | None:
    """As `compare_business_names`; None where the words alone show that the score is below `floor`. Most candidates end here."""
    if a.core == b.core and a.core:
        return _compare_same_words(a, b, rarity)
    if not a.core or not b.core:
        return NameComparison(0.0, (), (), "no letters or digits to compare", partial(_build_breakdown, NO_WORDS, rarity, (), ()))
    compared = ComparedNames(a, b, _align_names(a.core, b.core), rarity)
    first = words(compared)
    if first.score < floor:
        return None
    factors = (first, *[result for feature in OTHER_FACTORS if (result := feature(compared)) is not None])
    caps = tuple([result for feature in CAPS if (result := feature(compared)) is not None])
    breakdown = partial(_build_breakdown, compared.alignment, rarity, factors, caps)
    return NameComparison(score_parameters.combine_scores(factors, caps), factors, caps, "", breakdown)


def _compare_same_words(a: NormalName, b: NormalName, rarity: WordRarity) -> NameComparison:
    form = legal_form(ComparedNames(a, b, NO_WORDS, rarity))
    factors = () if form is None else (form,)
    verdict = "same name" if form is None else "same words"
    return NameComparison(
        score_parameters.combine_scores(factors, ()), factors, (), verdict, partial(_build_same_breakdown, a.core, rarity, factors)
    )


def _align_names(left: Words, right: Words) -> WordAlignment:
    found = align_words(left, right, compare_words)
    if not found.complete and "".join(left) == "".join(right):
        # The breaks fall in the middle of words: "North ern Lights", "Northern Ligh ts".
        return WordAlignment((WordPair(left, right, JOINED, 0, 0),), (), ())
    return found


def _build_breakdown(found: WordAlignment, rarity: WordRarity, factors: FeatureResults, caps: FeatureResults) -> NameBreakdown:
    scale = BreakdownWeights(rarity.weight, partial(weigh_pair, rarity=rarity), partial(rate_pair, rarity=rarity))
    return build_name_breakdown(found, scale, factors, caps)


def _build_same_breakdown(core: Words, rarity: WordRarity, factors: FeatureResults) -> NameBreakdown:
    pairs = tuple(WordPair((word,), (word,), EQUAL, at, at) for at, word in enumerate(core))
    return _build_breakdown(WordAlignment(pairs, (), ()), rarity, factors, ())
