"""The features of a comparison of business names. Each says what it found and why; its docstring is its public documentation.

The numbers stand in `features`, what is compared with what is found by `alignment`.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from math import fsum

from bonafide.matching import features
from bonafide.matching.alignment import Alignment, Pair
from bonafide.matching.comparison import FeatureResult
from bonafide.matching.legal_forms import FORMS
from bonafide.matching.likeness import Way
from bonafide.matching.names import NormalName
from bonafide.matching.words import WordClass, are_opposites, word_class

_DISTINCTIVE = frozenset({WordClass.RARE, WordClass.NUMBER, WordClass.ORDINARY, WordClass.LETTER})
_EMPTY = frozenset({WordClass.SHAPE, WordClass.FUNCTION})
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
    """Two names and the alignment of their distinguishing words: `query` was asked for, `candidate` was found."""

    query: NormalName
    candidate: NormalName
    alignment: Alignment


Feature = Callable[[Compared], FeatureResult | None]
"""Returns None when there is nothing to say: the names agree in it, or it does not apply."""


@lru_cache(maxsize=2**14)
def weight(word: str) -> float:
    """How much a word tells of which business is meant, from 0 to 1."""
    return features.WORD_WEIGHTS[word_class(word)]


def pair_weight(pair: Pair) -> float:
    """What agreement in a pair is worth: the lighter side counts, because a misspelt "construction" is no rare word."""
    if pair.likeness.way is Way.EQUAL:
        return weight(pair.left[0])
    return min(fsum(map(weight, pair.left)), fsum(map(weight, pair.right)))


def words(compared: Compared) -> FeatureResult:
    """The weight of the words that both names have against the weight of those that only one has.

    Rare words weigh most, trades, places and words such as "group" little. Misspelt, shortened, joined and translated words count
    in part. A word that is missing costs less than one in whose place stands another.
    """
    found = compared.alignment
    weights = [pair_weight(pair) for pair in found.pairs]
    agreed = fsum(pair.likeness.score * worth for pair, worth in zip(found.pairs, weights, strict=True))
    possible = fsum(weights)
    missing, added = fsum(map(weight, found.left_only)), fsum(map(weight, found.right_only))
    against = features.ONE_SIDED * (missing + added) + features.CONFLICT * min(missing, added)
    total = possible + against
    notes = [read_as(pair) for pair in found.pairs if pair.likeness.way not in {Way.EQUAL, Way.NEAR_NUMBER}]
    notes += _rest(found.left_only, "missing") + _rest(found.right_only, "added")
    score = agreed / total if total > 0 else 0.0
    return _result("words", score, compared, "; ".join(notes) or ("same words" if found.complete else "other words agree"))


def _rest(alone: tuple[str, ...], how: str) -> list[str]:
    # Of numbers the feature `numbers` speaks.
    said = tuple(word for word in alone if word_class(word) is not WordClass.NUMBER)
    return [f"{quoted(said)} {how}"] if said else []


def word_order(compared: Compared) -> FeatureResult | None:
    """The same words in another order are nearly the same name."""
    if compared.alignment.in_order:
        return None
    return _result("word_order", features.WORD_ORDER, compared, "words in another order")


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
    return FeatureResult("legal_form", score, labels(set(asked)), labels(set(found)), reason)


def numbers(compared: Compared) -> FeatureResult | None:
    """Numbers in names must be equal: 4261607 Canada is not 4261608 Canada, and Store 12 is not Store 21.

    A number that only one of the names has leaves a likely variant at best.
    """
    asked, found = _numbers(compared.alignment.left_only), _numbers(compared.alignment.right_only)
    for pair in compared.alignment.pairs:
        if pair.likeness.way is Way.NEAR_NUMBER:
            reason = f"number {pair.right[0]} instead of {pair.left[0]}, a similar one"
            return FeatureResult("numbers", features.NUMBERS_DIFFER_CAP, pair.left[0], pair.right[0], reason)
    if not asked and not found:
        return None
    if asked and found:
        return FeatureResult("numbers", features.NUMBERS_DIFFER_CAP, asked, found, f"number {found} instead of {asked}")
    reason = f"number {asked} missing" if asked else f"number {found} added"
    return FeatureResult("numbers", features.NUMBER_MISSING_CAP, asked, found, reason)


def _numbers(among: tuple[str, ...]) -> str:
    return " ".join(word for word in among if word_class(word) is WordClass.NUMBER)


def opposites(compared: Compared) -> FeatureResult | None:
    """Words that exclude each other make another name: north and south, old and new, upper and lower, one and two."""
    found = compared.alignment
    for asked in found.left_only:
        for other in found.right_only:
            if are_opposites(asked, other):
                return FeatureResult("opposites", features.OPPOSITES_CAP, asked, other, f"'{other}' is not '{asked}'")
    return None


def common_words_only(compared: Compared) -> FeatureResult | None:
    """Agreement in common words alone (trades, places, "holdings", legal forms) is never enough, unless all words agree.

    Where one of the names only adds words that say nothing ("La Société Canadian Tire"), a place and a trade that agree will do.
    """
    found = compared.alignment
    distinctive = fsum([pair_weight(pair) for pair in found.pairs if _is_distinctive(pair)])
    if found.complete or distinctive >= features.DISTINCTIVE_WEIGHT or _adds_nothing(found):
        return None
    shared = quoted(tuple(word for pair in found.pairs for word in pair.left))
    reason = f"only common words agree ({shared})" if shared else "no words agree"
    return _result("common_words_only", features.COMMON_WORDS_CAP, compared, reason)


def _adds_nothing(found: Alignment) -> bool:
    """Whether enough common words agree, and all that one of the names has beside them is empty."""
    added = (*found.left_only, *found.right_only)
    one_sided = not found.left_only or not found.right_only
    agreed = fsum(map(pair_weight, found.pairs))
    return one_sided and agreed >= features.ENOUGH_COMMON_WEIGHT and _EMPTY.issuperset(map(word_class, added))


def _is_distinctive(pair: Pair) -> bool:
    sides = (pair.left,) if pair.likeness.way is Way.EQUAL else (pair.left, pair.right)
    return not any(_DISTINCTIVE.isdisjoint(map(word_class, side)) for side in sides)


def _result(feature: str, score: float, compared: Compared, reason: str) -> FeatureResult:
    return FeatureResult(feature, score, " ".join(compared.query.core), " ".join(compared.candidate.core), reason)


def labels(keys: set[str]) -> str:
    """Legal forms as a person calls them; empty for none."""
    return ", ".join([FORMS[key].label for key in sorted(keys)])


def quoted(names: tuple[str, ...]) -> str:
    """Words for a sentence, in quotation marks."""
    return ", ".join(f"'{name}'" for name in names)


def read_as(pair: Pair) -> str:
    """How a pair of unequal words was read, for a sentence."""
    letters = pair.likeness.letters
    way = f"{letters} letter{'s' if letters > 1 else ''}" if pair.likeness.way is Way.SLIP else _READ_AS[pair.likeness.way]
    return f"'{' '.join(pair.left)}' read as '{' '.join(pair.right)}' ({way})"


FACTORS: tuple[Feature, ...] = (words, word_order, legal_form)
"""Multiplied with each other."""
CAPS: tuple[Feature, ...] = (numbers, opposites, common_words_only)
"""Limits of the product."""
