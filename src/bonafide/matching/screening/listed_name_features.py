"""The features of a comparison of two names of organizations or ships on lists. A feature's docstring is its public documentation.

Where a rule is that of business names, the feature of `name_features` is used; what is said here differs. People are compared by
`person_names`.
"""

from dataclasses import dataclass
from functools import partial
from math import fsum

from bonafide.matching.names.listed_words import (
    create_word_comparator,
    describe_listed_difference,
    is_business_word,
    is_distinctive,
    parse_place,
    weigh_listed_word,
)
from bonafide.matching.names.name_features import ComparedNames, Feature, legal_form, numbers, opposites, quote_words, word_order
from bonafide.matching.names.normalization import NormalName
from bonafide.matching.scoring import score_parameters
from bonafide.matching.scoring import screening_parameters as weights
from bonafide.matching.scoring.alignment import WordAlignment, WordPair, Words, align_words
from bonafide.matching.scoring.name_comparison import FeatureResult, NameComparison, to_reason
from bonafide.matching.scoring.score_breakdown import NO_WORDS, BreakdownWeights, FeatureResults, build_name_breakdown
from bonafide.matching.scoring.tolerance import DEFAULT_TOLERANCE, Tolerance
from bonafide.matching.scoring.word_rarity import STATIC_RARITY, WordRarity
from bonafide.matching.scoring.word_similarity import EQUAL, JOINED
from bonafide.matching.text.word_classes import WordClass, classify_word
from bonafide.model.entry import EntityKind
from bonafide.model.search.match import NameBreakdown
from bonafide.model.search.match import WordDifference as Way


@dataclass(frozen=True, slots=True)
class ComparedListedNames(ComparedNames):
    """As `ComparedNames`, with what the listed party is."""

    kind: EntityKind


def compare_listed_names(
    a: NormalName,
    b: NormalName,
    kind: EntityKind = EntityKind.ORGANIZATION,
    rarity: WordRarity = STATIC_RARITY,
    leeway: Tolerance = DEFAULT_TOLERANCE,
) -> NameComparison:
    """Compare the name asked for (`a`) with one of the list (`b`), which is a party of this kind."""
    if not a.core or not b.core:
        return NameComparison(0.0, (), (), "no letters or digits to compare", partial(_build_breakdown, NO_WORDS, rarity))
    compared = ComparedListedNames(a, b, _align_names(a.core, b.core, leeway), rarity, kind)
    factors = tuple([result for feature in FACTORS if (result := feature(compared)) is not None])
    caps = tuple([result for feature in CAPS if (result := feature(compared)) is not None])
    verdict = "" if factors or caps else "same name"
    breakdown = partial(_build_breakdown, compared.alignment, rarity, factors, caps)
    return NameComparison(score_parameters.combine_scores(factors, caps), factors, caps, verdict, breakdown)


def _align_names(left: Words, right: Words, leeway: Tolerance) -> WordAlignment:
    if left == right:
        return WordAlignment(tuple([WordPair((word,), (word,), EQUAL, at, at) for at, word in enumerate(left)]), (), ())
    found = align_words(left, right, create_word_comparator(leeway))
    if not found.complete and "".join(left) == "".join(right):
        return WordAlignment((WordPair(left, right, JOINED, 0, 0),), (), ())
    return found


def _build_breakdown(
    found: WordAlignment, rarity: WordRarity, factors: FeatureResults = (), caps: FeatureResults = ()
) -> NameBreakdown:
    scale = BreakdownWeights(
        partial(weigh_listed_word, rarity=rarity), partial(weigh_listed_pair, rarity=rarity), lambda pair: pair.likeness.score
    )
    return build_name_breakdown(found, scale, factors, caps)


def weigh_listed_pair(pair: WordPair, rarity: WordRarity) -> float:
    """What agreement in a pair is worth: the lighter side counts, because a misspelt "shipping" is no rare word."""
    if pair.likeness.way is Way.EQUAL:
        return weigh_listed_word(pair.left[0], rarity)
    return min(_sum_weights(pair.left, rarity), _sum_weights(pair.right, rarity))


def _sum_weights(names: Words, rarity: WordRarity) -> float:
    return fsum([weigh_listed_word(word, rarity) for word in names])


def listed_words(compared: ComparedNames) -> FeatureResult | None:
    """The weight of the words that both names have against the weight of those that only one has.

    As for businesses, with what lists are full of ("movement", "islamic", names of countries and towns) weighing little. Legal
    forms are no words, wherever they stand, and neither are "M/V" and the like before a ship's name.
    """
    found, rarity = compared.alignment, compared.rarity
    if found.complete and all(pair.likeness.way is Way.EQUAL for pair in found.pairs):
        return None
    worth = [weigh_listed_pair(pair, rarity) for pair in found.pairs]
    agreed = fsum([pair.likeness.score * weight for pair, weight in zip(found.pairs, worth, strict=True)])
    missing, added = _sum_weights(found.left_only, rarity), _sum_weights(found.right_only, rarity)
    against = score_parameters.ONE_SIDED * (missing + added) + score_parameters.CONFLICT * min(missing, added)
    total = fsum(worth) + against
    return FeatureResult("listed_words", agreed / total if total > 0 else 0.0, partial(_explain_words, found))


def _explain_words(found: WordAlignment) -> str:
    notes = [describe_listed_difference(pair) for pair in found.pairs if pair.likeness.way not in {Way.EQUAL, Way.NEAR_NUMBER}]
    notes += [f"{quote_words(found.left_only)} missing"] if found.left_only else []
    notes += [f"{quote_words(found.right_only)} added"] if found.right_only else []
    return "; ".join(notes) or "other words agree"


def places_differ(compared: ComparedNames) -> FeatureResult | None:
    """A country or town in one name and another one in the other make two organizations: a bank of Iran is not the bank of Iraq."""
    asked = {parse_place(word): word for word in compared.alignment.left_only}
    found = {parse_place(word): word for word in compared.alignment.right_only}
    asked.pop(None, None)
    found.pop(None, None)
    if not asked or not found:
        return None
    reason = f"'{next(iter(found.values()))}' is not '{next(iter(asked.values()))}'"
    return FeatureResult("places_differ", weights.PLACES_DIFFER_CAP, to_reason(reason))


def generic_words_only(compared: ComparedNames) -> FeatureResult | None:
    """Agreement in words that many names hold ("national", "front", a place, a number) is never enough, unless all words agree.

    So many of them that stand in one name as in the other make a name all the same, where the list has one more common word.
    """
    found = compared.alignment
    if found.complete or _count_matches_without_common_words(found) >= weights.LONG_NAME_WORDS:
        return None
    telling = fsum(
        [weigh_listed_pair(pair, STATIC_RARITY) for pair in found.pairs if _is_significant(pair) and not _is_number(pair)]
    )
    if telling >= score_parameters.DISTINCTIVE_WEIGHT:
        return None
    shared = quote_words(tuple(word for pair in found.pairs for word in pair.left))
    reason = f"only common words agree ({shared})" if shared else "no words agree"
    return FeatureResult("generic_words_only", score_parameters.COMMON_WORDS_CAP, to_reason(reason))


def _is_significant(pair: WordPair) -> bool:
    return any(map(is_distinctive, pair.left)) and any(map(is_distinctive, pair.right))


def _is_number(pair: WordPair) -> bool:
    return all(classify_word(word) is WordClass.NUMBER for word in pair.left)


def one_word_only(compared: ComparedNames) -> FeatureResult | None:
    """One word that agrees is not enough where other words don't; it is worth a look if it is long and rare and they say little.

    "Ocean Trading" may be anybody's name beside a ship called Ocean; "Zephyrine Trading" may well be Zephyrine's. Where all words
    asked for are in the listed name, which has only common ones beside them, those that agree count as well: three make a name.
    """
    found = compared.alignment
    telling = [pair for pair in found.pairs if _is_significant(pair)]
    if found.complete or len(telling) != 1:
        return None
    alone = (*found.left_only, *found.right_only)
    exact = telling[0].likeness.way in _EXACT
    if exact and all(weigh_listed_word(word, compared.rarity) <= weights.ARTICLE_WEIGHT for word in alone):
        return None
    word = "".join(min(telling[0].left, telling[0].right, key=lambda side: len("".join(side))))
    is_rare = classify_word(word) is WordClass.RARE and len(word) >= weights.TELLING_LETTERS
    is_rare &= exact and not _is_on_craft(compared) and not any(map(is_distinctive, alone))
    shared = _count_matches_without_common_words(found)
    if (is_rare and len(found.pairs) > weights.MANY_WORDS) or shared > weights.MANY_WORDS:
        return None
    is_rare |= shared == weights.MANY_WORDS
    cap = weights.ONE_RARE_WORD_CAP if is_rare else weights.ONE_WORD_CAP
    return FeatureResult("one_word_only", cap, to_reason(f"only {quote_words(telling[0].left)} agrees of the telling words"))


def _count_matches_without_common_words(found: WordAlignment) -> int:
    """How many words agree exactly, where the name asked for only leaves out common words of the listed one; 0 elsewhere."""
    leaves_out = not found.left_only and not any(map(is_distinctive, found.right_only))
    return len(found.pairs) if leaves_out and all(pair.likeness.way in _EXACT for pair in found.pairs) else 0


def misspelt_word(compared: ComparedNames) -> FeatureResult | None:
    """Where the only telling word is misspelt, little else says that it is the same: it must be long, and the legal forms equal.

    In a name without any telling word, what is misspelt must not be short either.
    """
    found = compared.alignment
    if not found.complete:
        return None
    telling = [pair for pair in found.pairs if _is_significant(pair)]
    only = found.pairs[0] if len(found.pairs) == 1 else telling[0] if len(telling) == 1 else None
    if only is not None:
        doubtful = [only] if only.likeness.way not in _EXACT and not _may_be_misspelt(compared, only) else []
    else:
        doubtful = [
            pair for pair in found.pairs if pair.likeness.way in _SPELLINGS and _count_letters(pair) < weights.SPELT_LETTERS
        ]
    if not doubtful or (only is None and telling):
        return None
    asked, listed = doubtful[0].left[0], doubtful[0].right[0]
    return FeatureResult(
        "misspelt_word", weights.MISSPELT_CAP, to_reason(f"'{listed}' is not quite '{asked}', and little else agrees")
    )


_EXACT = frozenset({Way.EQUAL, Way.JOINED})
_SPELLINGS = frozenset({Way.SLIP, Way.SOUND})


def _may_be_misspelt(compared: ComparedNames, only: WordPair) -> bool:
    others = len(compared.alignment.pairs) > 1
    asked, listed = set(compared.query.legal_forms), set(compared.candidate.legal_forms)
    same_forms = asked == listed or (others and not (asked and listed))
    # Ships bear words that anybody may bear.
    shortest = weights.TELLING_LETTERS - others + _is_on_craft(compared)
    return only.likeness.way in _SPELLINGS and is_distinctive(only.left[0]) and same_forms and _count_letters(only) >= shortest


def _count_letters(pair: WordPair) -> int:
    return max(len("".join(pair.left)), len("".join(pair.right)))


def business_on_ship(compared: ComparedNames) -> FeatureResult | None:
    """A ship has no legal form, no trade and no town: a business of its name is another party, if perhaps its owner."""
    if not _is_on_craft(compared):
        return None
    forms = set(compared.query.legal_forms) - set(compared.candidate.legal_forms)
    others = [word for word in compared.alignment.left_only if is_business_word(word) or not is_distinctive(word)]
    if not forms and not others:
        return None
    exact = compared.alignment.complete and all(pair.likeness.way is Way.EQUAL for pair in compared.alignment.pairs)
    cap = weights.SHIP_CAP if exact else weights.MISSPELT_CAP
    return FeatureResult("business_on_ship", cap, to_reason("the name of a business on a ship or aircraft"))


def _is_on_craft(compared: ComparedNames) -> bool:
    return isinstance(compared, ComparedListedNames) and compared.kind in {EntityKind.VESSEL, EntityKind.AIRCRAFT}


FACTORS: tuple[Feature, ...] = (listed_words, word_order, legal_form)
"""Multiplied with each other."""
CAPS: tuple[Feature, ...] = (numbers, opposites, places_differ, generic_words_only, one_word_only, misspelt_word, business_on_ship)
"""Limits of the product."""
