"""The features of a comparison of business names. Each says what it found and why; its docstring is its public documentation.

The numbers stand in `features`, what is compared with what is found by `alignment`.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache, partial
from math import fsum

from bonafide.matching import features
from bonafide.matching.alignment import Alignment, Pair, Words
from bonafide.matching.comparison import FeatureResult, said
from bonafide.matching.legal_forms import FORMS
from bonafide.matching.names import NormalName
from bonafide.matching.rarity import STATIC, Rarity
from bonafide.matching.words import WordClass, are_opposites, has_opposite, word_class
from bonafide.model.match import WordDifference as Way

_YEAR = re.compile(r"(?:19|20)\d\d")
_DISTINCTIVE = frozenset({WordClass.RARE, WordClass.NUMBER, WordClass.ORDINARY, WordClass.LETTER})
_EMPTY = frozenset({WordClass.SHAPE, WordClass.FUNCTION})
_TELLING_COMMON = frozenset({WordClass.TRADE, WordClass.PLACE})
_COMMON = _EMPTY | _TELLING_COMMON
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
class Compared:
    """Two names, the alignment of their distinguishing words, and what these weigh: `query` was asked for, `candidate` found."""

    query: NormalName
    candidate: NormalName
    alignment: Alignment
    rarity: Rarity


Feature = Callable[[Compared], FeatureResult | None]
"""Returns None when there is nothing to say: the names agree in it, or it does not apply."""


def pair_weight(pair: Pair, rarity: Rarity) -> float:
    """What agreement in a pair is worth: the lighter side counts, because a misspelt "construction" is no rare word."""
    if pair.likeness.way is Way.EQUAL:
        return rarity.weight(pair.left[0])
    return min(_sum(pair.left, rarity), _sum(pair.right, rarity))


def _sum(names: Words, rarity: Rarity) -> float:
    return fsum([rarity.weight(word) for word in names])


def pair_likeness(pair: Pair, rarity: Rarity) -> float:
    """How alike a pair is. A slip between two words that many names hold was hardly one: Ross is not Rossi, and Baker no bakery."""
    score = pair.likeness.score
    if pair.likeness.way is not Way.SLIP:
        return score
    common = min(rarity.commonness(pair.left[0]), rarity.commonness(pair.right[0]))
    doubt = min(features.SLIP_DOUBT * common, 1.0)
    return score - doubt * max(0.0, score - features.SLIP_BETWEEN_COMMON)


def words(compared: Compared) -> FeatureResult:
    """The weight of the words that both names have against the weight of those that only one has.

    Rare words weigh most, trades, places and words such as "group" little. A word that is in no list weighs the less, the more of
    the loaded registers' names hold it ("Tremblay" less than a coined word). Misspelt, shortened, joined and translated words count
    in part, and hardly when both spellings are words that many names hold. A word that is missing costs less than one in whose
    place stands another.
    """
    found, rarity = compared.alignment, compared.rarity
    weights = [pair_weight(pair, rarity) for pair in found.pairs]
    agreed = fsum([pair_likeness(pair, rarity) * worth for pair, worth in zip(found.pairs, weights, strict=True)])
    missing, added = _sum(found.left_only, rarity), _sum(found.right_only, rarity)
    against = features.ONE_SIDED * (missing + added) + features.CONFLICT * min(missing, added)
    total = fsum(weights) + against
    return FeatureResult("words", agreed / total if total > 0 else 0.0, partial(_tell_words, found))


def _tell_words(found: Alignment) -> str:
    notes = [read_as(pair) for pair in found.pairs if pair.likeness.way not in {Way.EQUAL, Way.NEAR_NUMBER}]
    notes += _rest(found.left_only, "missing") + _rest(found.right_only, "added")
    return "; ".join(notes) or ("same words" if found.complete else "other words agree")


def _rest(alone: Words, how: str) -> list[str]:
    # Of numbers the feature `numbers` speaks.
    told = tuple(word for word in alone if word_class(word) is not WordClass.NUMBER)
    return [f"{quoted(told)} {how}"] if told else []


def word_order(compared: Compared) -> FeatureResult | None:
    """The same words in another order are nearly the same name."""
    if compared.alignment.in_order:
        return None
    return FeatureResult("word_order", features.WORD_ORDER, said("words in another order"))


def legal_form(compared: Compared) -> FeatureResult | None:
    """The legal forms, compared as groups of equivalent spellings (Ltd. is Limitée).

    A missing form costs least, another form of the same kind (Inc. for Ltd.) more, a form that makes another kind of entity most.
    """
    asked, found = compared.query.legal_forms, compared.candidate.legal_forms
    return None if asked == found else _form_difference(asked, found)


@lru_cache(maxsize=2**10)
def _form_difference(asked: tuple[str, ...], found: tuple[str, ...]) -> FeatureResult | None:
    missing, added = labels(set(asked) - set(found)), labels(set(found) - set(asked))
    if missing and added:
        same_kind = not {FORMS[key].kind for key in asked}.isdisjoint(FORMS[key].kind for key in found)
        score = features.LEGAL_FORM_OTHER if same_kind else features.LEGAL_KIND_OTHER
        reason = f"legal form {added} instead of {missing}"
    elif missing or added:
        score, reason = features.LEGAL_FORM_MISSING, f"legal form {missing} missing" if missing else f"legal form {added} added"
    else:
        return None
    return FeatureResult("legal_form", score, said(reason))


def numbers(compared: Compared) -> FeatureResult | None:
    """Numbers in names must be equal: 4261607 Canada is not 4261608 Canada, and Store 12 is not Store 21.

    A number that only one of the names has leaves a likely variant at best; a year not even that, because in Canada "Acme (2010)
    Ltd." is how a new company takes up the name of Acme Ltd.
    """
    found = compared.alignment
    for pair in found.pairs:
        if pair.likeness.way is Way.NEAR_NUMBER:
            near = f"number {pair.right[0]} instead of {pair.left[0]}, a similar one"
            return FeatureResult("numbers", features.NUMBERS_DIFFER_CAP, said(near))
    missing, added = _numbers(found.left_only), _numbers(found.right_only)
    if not missing and not added:
        return None
    if missing and added:
        return FeatureResult("numbers", features.NUMBERS_DIFFER_CAP, said(f"number {added} instead of {missing}"))
    reason = f"number {missing} missing" if missing else f"number {added} added"
    cap = features.NEW_COMPANY_CAP if _YEAR.fullmatch(missing or added) else features.NUMBER_MISSING_CAP
    return FeatureResult("numbers", cap, said(reason))


def _numbers(among: Words) -> str:
    return " ".join([word for word in among if word_class(word) is WordClass.NUMBER])


def opposites(compared: Compared) -> FeatureResult | None:
    """Words that exclude each other make another name: north and south, old and new, upper and lower, one and two."""
    found = compared.alignment
    for asked in found.left_only:
        if has_opposite(asked):
            for other in found.right_only:
                if are_opposites(asked, other):
                    reason = f"'{other}' is not '{asked}'"
                    return FeatureResult("opposites", features.OPPOSITES_CAP, said(reason))
    return None


def other_trade(compared: Compared) -> FeatureResult | None:
    """What one family or brand does in another trade or place is another business, however much of the name is shared.

    It speaks where all that each name has beside the other is common words, a trade or a place among them on both sides.
    """
    missing, added = compared.alignment.left_only, compared.alignment.right_only
    if not missing or not added or not _tells_trade(missing) or not _tells_trade(added) or opposites(compared) is not None:
        return None
    return FeatureResult("other_trade", features.OTHER_TRADE_CAP, said("another trade or place"))


def _tells_trade(alone: Words) -> bool:
    classes = {word_class(word) for word in alone}
    return classes <= _COMMON and not classes.isdisjoint(_TELLING_COMMON)


def common_words_only(compared: Compared) -> FeatureResult | None:
    """Agreement in common words alone (trades, places, "holdings", legal forms) is never enough, unless all words agree.

    Where one of the names only adds words that say nothing ("La Société Canadian Tire"), a place and a trade that agree will do.
    Which words are common is a matter of the table alone: no count of a register makes a word common here, or distinctive.
    """
    found = compared.alignment
    if found.complete:
        return None
    distinctive = fsum([pair_weight(pair, STATIC) for pair in found.pairs if _is_distinctive(pair)])
    if distinctive >= features.DISTINCTIVE_WEIGHT or _adds_nothing(found):
        return None
    return FeatureResult("common_words_only", features.COMMON_WORDS_CAP, partial(_tell_common, found))


def _tell_common(found: Alignment) -> str:
    shared = quoted(tuple(word for pair in found.pairs for word in pair.left))
    return f"only common words agree ({shared})" if shared else "no words agree"


def _adds_nothing(found: Alignment) -> bool:
    """Whether enough common words agree, and all that one of the names has beside them is empty."""
    if found.left_only and found.right_only:
        return False
    agreed = fsum([pair_weight(pair, STATIC) for pair in found.pairs])
    return agreed >= features.ENOUGH_COMMON_WEIGHT and _EMPTY.issuperset(map(word_class, (*found.left_only, *found.right_only)))


def _is_distinctive(pair: Pair) -> bool:
    sides = (pair.left,) if pair.likeness.way is Way.EQUAL else (pair.left, pair.right)
    return not any(_DISTINCTIVE.isdisjoint(map(word_class, side)) for side in sides)


def labels(keys: set[str]) -> str:
    """Legal forms as a person calls them; empty for none."""
    return ", ".join([FORMS[key].label for key in sorted(keys)])


def quoted(names: Words) -> str:
    """Words for a sentence, in quotation marks."""
    return ", ".join(f"'{name}'" for name in names)


def read_as(pair: Pair) -> str:
    """How a pair of unequal words was read, for a sentence."""
    letters = pair.likeness.letters
    way = f"{letters} letter{'s' if letters > 1 else ''}" if pair.likeness.way is Way.SLIP else _READ_AS[pair.likeness.way]
    return f"'{' '.join(pair.left)}' read as '{' '.join(pair.right)}' ({way})"


OTHER_FACTORS: tuple[Feature, ...] = (word_order, legal_form)
FACTORS: tuple[Feature, ...] = (words, *OTHER_FACTORS)
"""Multiplied with each other. The words come first: the others only lower what they make."""
CAPS: tuple[Feature, ...] = (numbers, opposites, other_trade, common_words_only)
"""Limits of the product."""
