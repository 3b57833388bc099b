"""The features of a comparison of business names. Each says what it found and why; its docstring is its public documentation.

The numbers stand in `score_parameters`, what is compared with what is found by `alignment`.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache, partial
from math import fsum

from bonafide.matching.names.legal_forms import LEGAL_FORMS
from bonafide.matching.names.normalization import NormalName
from bonafide.matching.scoring import score_parameters
from bonafide.matching.scoring.alignment import WordAlignment, WordPair, Words
from bonafide.matching.scoring.name_comparison import FeatureResult, to_reason
from bonafide.matching.scoring.word_rarity import STATIC_RARITY, WordRarity
from bonafide.matching.text.word_classes import WordClass, are_opposites, classify_word, has_opposite
from bonafide.model.search.match import WordDifference as Way

_YEAR = re.compile(r"(?:19|20)\d\d")
_DISTINCTIVE = frozenset({WordClass.RARE, WordClass.NUMBER, WordClass.ORDINARY, WordClass.LETTER})
_EMPTY = frozenset({WordClass.SHAPE, WordClass.FUNCTION})
_SIGNIFICANT_COMMON = frozenset({WordClass.TRADE, WordClass.PLACE})
_COMMON = _EMPTY | _SIGNIFICANT_COMMON
_READ_AS = {
    Way.PLURAL: "singular or plural",
    Way.SHORTENED: "shortened",
    Way.INITIAL: "initial",
    Way.EQUIVALENT: "the same word otherwise spelt",
    Way.TRANSLATED: "the same word in the other language",
    Way.JOINED: "joined or split",
    Way.NICKNAME: "a form of the same name",
}


@dataclass(frozen=True, slots=True)
class ComparedNames:
    """Two names, the alignment of their distinguishing words, and what these weigh: `query` was asked for, `candidate` found."""

    query: NormalName
    candidate: NormalName
    alignment: WordAlignment
    rarity: WordRarity


Feature = Callable[[ComparedNames], FeatureResult | None]
"""Returns None when there is nothing to say: the names agree in it, or it does not apply."""


def weigh_pair(pair: WordPair, rarity: WordRarity) -> float:
    """What agreement in a pair is worth: the lighter side counts, because a misspelt "construction" is no rare word."""
    if pair.likeness.way is Way.EQUAL:
        return rarity.weight(pair.left[0])
    return min(_sum_weights(pair.left, rarity), _sum_weights(pair.right, rarity))


def _sum_weights(names: Words, rarity: WordRarity) -> float:
    return fsum([rarity.weight(word) for word in names])


def rate_pair(pair: WordPair, rarity: WordRarity) -> float:
    """How alike a pair is. A slip between two words that many names hold was hardly one: Ross is not Rossi, and Baker no bakery."""
    score = pair.likeness.score
    if pair.likeness.way is not Way.SLIP:
        return score
    common = min(rarity.commonness(pair.left[0]), rarity.commonness(pair.right[0]))
    doubt = min(score_parameters.TYPO_DOUBT * common, 1.0)
    return score - doubt * max(0.0, score - score_parameters.TYPO_BETWEEN_COMMON)


def words(compared: ComparedNames) -> FeatureResult:
    """The weight of the words that both names have against the weight of those that only one has.

    Rare words weigh most, trades, places and words such as "group" little. A word that is in no list weighs the less, the more of
    the loaded registers' names hold it ("Tremblay" less than a coined word). Misspelt, shortened, joined and translated words count
    in part, and hardly when both spellings are words that many names hold. A word that is missing costs less than one in whose
    place stands another.
    """
    found, rarity = compared.alignment, compared.rarity
    weights = [weigh_pair(pair, rarity) for pair in found.pairs]
    agreed = fsum([rate_pair(pair, rarity) * worth for pair, worth in zip(found.pairs, weights, strict=True)])
    missing, added = _sum_weights(found.left_only, rarity), _sum_weights(found.right_only, rarity)
    against = score_parameters.ONE_SIDED * (missing + added) + score_parameters.CONFLICT * min(missing, added)
    total = fsum(weights) + against
    return FeatureResult("words", agreed / total if total > 0 else 0.0, partial(_explain_words, found))


def _explain_words(found: WordAlignment) -> str:
    notes = [describe_difference(pair) for pair in found.pairs if pair.likeness.way not in {Way.EQUAL, Way.NEAR_NUMBER}]
    notes += _describe_unpaired(found.left_only, "missing") + _describe_unpaired(found.right_only, "added")
    return "; ".join(notes) or ("same words" if found.complete else "other words agree")


def _describe_unpaired(alone: Words, how: str) -> list[str]:
    # Of numbers the feature `numbers` speaks.
    told = tuple(word for word in alone if classify_word(word) is not WordClass.NUMBER)
    return [f"{quote_words(told)} {how}"] if told else []


def word_order(compared: ComparedNames) -> FeatureResult | None:
    """The same words in another order are nearly the same name."""
    if compared.alignment.in_order:
        return None
    return FeatureResult("word_order", score_parameters.WORD_ORDER, to_reason("words in another order"))


def legal_form(compared: ComparedNames) -> FeatureResult | None:
    """The legal forms, compared as groups of equivalent spellings (Ltd. is Limitée).

    A missing form costs least, another form of the same kind (Inc. for Ltd.) more, a form that makes another kind of entity most.
    """
    asked, found = compared.query.legal_forms, compared.candidate.legal_forms
    return None if asked == found else _compare_forms(asked, found)


@lru_cache(maxsize=2**10)
def _compare_forms(asked: tuple[str, ...], found: tuple[str, ...]) -> FeatureResult | None:
    missing, added = format_form_labels(set(asked) - set(found)), format_form_labels(set(found) - set(asked))
    if missing and added:
        same_kind = not {LEGAL_FORMS[key].kind for key in asked}.isdisjoint(LEGAL_FORMS[key].kind for key in found)
        score = score_parameters.LEGAL_FORM_OTHER if same_kind else score_parameters.LEGAL_KIND_OTHER
        reason = f"legal form {added} instead of {missing}"
    elif missing or added:
        score, reason = (
            score_parameters.LEGAL_FORM_MISSING,
            f"legal form {missing} missing" if missing else f"legal form {added} added",
        )
    else:
        return None
    return FeatureResult("legal_form", score, to_reason(reason))


def numbers(compared: ComparedNames) -> FeatureResult | None:
    """Numbers in names must be equal: 4261607 Canada is not 4261608 Canada, and Store 12 is not Store 21.

    A number that only one of the names has leaves a likely variant at best; a year not even that, because in Canada "Acme (2010)
    Ltd." is how a new company takes up the name of Acme Ltd.
    """
    found = compared.alignment
    for pair in found.pairs:
        if pair.likeness.way is Way.NEAR_NUMBER:
            near = f"number {pair.right[0]} instead of {pair.left[0]}, a similar one"
            return FeatureResult("numbers", score_parameters.NUMBERS_DIFFER_CAP, to_reason(near))
    missing, added = _list_numbers(found.left_only), _list_numbers(found.right_only)
    if not missing and not added:
        return None
    if missing and added:
        return FeatureResult("numbers", score_parameters.NUMBERS_DIFFER_CAP, to_reason(f"number {added} instead of {missing}"))
    reason = f"number {missing} missing" if missing else f"number {added} added"
    cap = score_parameters.NEW_COMPANY_CAP if _YEAR.fullmatch(missing or added) else score_parameters.NUMBER_MISSING_CAP
    return FeatureResult("numbers", cap, to_reason(reason))


def _list_numbers(among: Words) -> str:
    return " ".join([word for word in among if classify_word(word) is WordClass.NUMBER])


def opposites(compared: ComparedNames) -> FeatureResult | None:
    """Words that exclude each other make another name: north and south, old and new, upper and lower, one and two."""
    found = compared.alignment
    for asked in found.left_only:
        if has_opposite(asked):
            for other in found.right_only:
                if are_opposites(asked, other):
                    reason = f"'{other}' is not '{asked}'"
                    return FeatureResult("opposites", score_parameters.OPPOSITES_CAP, to_reason(reason))
    return None


def other_trade(compared: ComparedNames) -> FeatureResult | None:
    """What one family or brand does in another trade or place is another business, however much of the name is shared.

    It speaks where all that each name has beside the other is common words, a trade or a place among them on both sides.
    """
    missing, added = compared.alignment.left_only, compared.alignment.right_only
    if not missing or not added or not _names_trade(missing) or not _names_trade(added) or opposites(compared) is not None:
        return None
    return FeatureResult("other_trade", score_parameters.OTHER_TRADE_CAP, to_reason("another trade or place"))


def _names_trade(alone: Words) -> bool:
    classes = {classify_word(word) for word in alone}
    return classes <= _COMMON and not classes.isdisjoint(_SIGNIFICANT_COMMON)


def common_words_only(compared: ComparedNames) -> FeatureResult | None:
    """Agreement in common words alone (trades, places, "holdings", legal forms) is never enough, unless all words agree.

    Where one of the names only adds words that say nothing ("La Société Canadian Tire"), a place and a trade that agree will do.
    Which words are common is a matter of the table alone: no count of a register makes a word common here, or distinctive.
    """
    found = compared.alignment
    if found.complete:
        return None
    distinctive = fsum([weigh_pair(pair, STATIC_RARITY) for pair in found.pairs if _is_distinctive(pair)])
    if distinctive >= score_parameters.DISTINCTIVE_WEIGHT or _adds_only_empty_words(found):
        return None
    return FeatureResult("common_words_only", score_parameters.COMMON_WORDS_CAP, partial(_explain_common_words, found))


def _explain_common_words(found: WordAlignment) -> str:
    shared = quote_words(tuple(word for pair in found.pairs for word in pair.left))
    return f"only common words agree ({shared})" if shared else "no words agree"


def _adds_only_empty_words(found: WordAlignment) -> bool:
    """Whether enough common words agree, and all that one of the names has beside them is empty."""
    if found.left_only and found.right_only:
        return False
    agreed = fsum([weigh_pair(pair, STATIC_RARITY) for pair in found.pairs])
    return agreed >= score_parameters.ENOUGH_COMMON_WEIGHT and _EMPTY.issuperset(
        map(classify_word, (*found.left_only, *found.right_only))
    )


def _is_distinctive(pair: WordPair) -> bool:
    sides = (pair.left,) if pair.likeness.way is Way.EQUAL else (pair.left, pair.right)
    return not any(_DISTINCTIVE.isdisjoint(map(classify_word, side)) for side in sides)


def format_form_labels(keys: set[str]) -> str:
    """Legal forms as a person calls them; empty for none."""
    return ", ".join([LEGAL_FORMS[key].label for key in sorted(keys)])


def quote_words(names: Words) -> str:
    """Words for a sentence, in quotation marks."""
    return ", ".join(f"'{name}'" for name in names)


def describe_difference(pair: WordPair) -> str:
    """How a pair of unequal words was read, for a sentence."""
    letters = pair.likeness.letters
    way = f"{letters} letter{'s' if letters > 1 else ''}" if pair.likeness.way is Way.SLIP else _READ_AS[pair.likeness.way]
    return f"'{' '.join(pair.left)}' read as '{' '.join(pair.right)}' ({way})"


OTHER_FACTORS: tuple[Feature, ...] = (word_order, legal_form)
FACTORS: tuple[Feature, ...] = (words, *OTHER_FACTORS)
"""Multiplied with each other. The words come first: the others only lower what they make."""
CAPS: tuple[Feature, ...] = (numbers, opposites, other_trade, common_words_only)
"""Limits of the product."""
