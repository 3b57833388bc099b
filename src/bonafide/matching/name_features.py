"""The features of a comparison of business names. Each says what it found and why; its docstring is its public documentation.

The numbers stand in `features`, what is compared with what is found by `alignment`.
"""

from collections.abc import Callable
from dataclasses import dataclass
from math import fsum

from bonafide.matching import features
from bonafide.matching.alignment import Alignment, Pair
from bonafide.matching.comparison import FeatureResult
from bonafide.matching.legal_forms import FORMS
from bonafide.matching.likeness import Way
from bonafide.matching.names import NormalName
from bonafide.matching.words import WordClass, are_opposites, word_class

_DISTINCTIVE = frozenset({WordClass.RARE, WordClass.NUMBER, WordClass.ORDINARY, WordClass.LETTER})
_READ_AS = {
    Way.PLURAL: "singular or plural",
    Way.SHORTENED: "shortened",
    Way.INITIAL: "initial",
    Way.EQUIVALENT: "the same word otherwise spelt or in the other language",
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


def weight(word: str) -> float:
    """How much a word tells of which business is meant, from 0 to 1."""
    return features.WORD_WEIGHTS[word_class(word)]


def pair_weight(pair: Pair) -> float:
    """What agreement in a pair is worth: the lighter side counts, because a misspelt "construction" is no rare word."""
    return min(fsum(map(weight, pair.left)), fsum(map(weight, pair.right)), 1.0 if len(pair.left) == len(pair.right) else 2.0)


def words(compared: Compared) -> FeatureResult:
    """The weight of the words that both names have against the weight of those that only one has.

    Rare words weigh most, trades, places and words such as "group" little. Misspelt, shortened, joined and translated words count
    in part. A word that is missing costs less than one in whose place stands another.
    """
    found = compared.alignment
    agreed = fsum(pair.likeness.score * pair_weight(pair) for pair in found.pairs)
    possible = fsum(pair_weight(pair) for pair in found.pairs)
    missing, added = fsum(map(weight, found.left_only)), fsum(map(weight, found.right_only))
    against = features.ONE_SIDED * (missing + added) + features.CONFLICT * min(missing, added)
    total = possible + against
    notes = [read_as(pair) for pair in found.pairs if pair.likeness.way is not Way.EQUAL]
    notes += [f"{quoted(found.left_only)} missing"] if found.left_only else []
    notes += [f"{quoted(found.right_only)} added"] if found.right_only else []
    score = agreed / total if total > 0 else 0.0
    return _result("words", score, compared, "; ".join(notes) or "same words")


def word_order(compared: Compared) -> FeatureResult | None:
    """The same words in another order are nearly the same name."""
    if compared.alignment.in_order:
        return None
    return _result("word_order", features.WORD_ORDER, compared, "words in another order")


def legal_form(compared: Compared) -> FeatureResult | None:
    """The legal forms, compared as groups of equivalent spellings (Ltd. is Limitée).

    A missing form costs least, another form of the same kind (Inc. for Ltd.) more, a form that makes another kind of entity most.
    """
    asked, found = set(compared.query.legal_forms), set(compared.candidate.legal_forms)
    if asked == found:
        return None
    if found < asked:
        score, reason = features.LEGAL_FORM_MISSING, f"legal form {labels(asked - found)} missing"
    elif asked < found:
        score, reason = features.LEGAL_FORM_MISSING, f"legal form {labels(found - asked)} added"
    else:
        alike = {FORMS[key].kind for key in asked} & {FORMS[key].kind for key in found}
        score = features.LEGAL_FORM_OTHER if alike else features.LEGAL_KIND_OTHER
        reason = f"legal form {labels(found - asked)} instead of {labels(asked - found)}"
    query, candidate = labels(asked), labels(found)
    return FeatureResult("legal_form", score, query, candidate, reason)


def numbers(compared: Compared) -> FeatureResult | None:
    """Numbers in names must be equal: 4261607 Canada is not 4261608 Canada, and Store 12 is not Store 21."""
    found = compared.alignment
    asked = [word for word in found.left_only if word_class(word) is WordClass.NUMBER]
    other = [word for word in found.right_only if word_class(word) is WordClass.NUMBER]
    if not asked or not other:
        return None
    reason = f"number {' '.join(other)} instead of {' '.join(asked)}"
    return FeatureResult("numbers", features.NUMBERS_DIFFER_CAP, " ".join(asked), " ".join(other), reason)


def opposites(compared: Compared) -> FeatureResult | None:
    """Words that exclude each other make another name: north and south, old and new, upper and lower, one and two."""
    found = compared.alignment
    for asked in found.left_only:
        for other in found.right_only:
            if are_opposites(asked, other):
                return FeatureResult("opposites", features.OPPOSITES_CAP, asked, other, f"'{other}' is not '{asked}'")
    return None


def common_words_only(compared: Compared) -> FeatureResult | None:
    """Agreement in common words alone (trades, places, "holdings", legal forms) is never enough, unless all words agree."""
    found = compared.alignment
    if found.complete or fsum(pair_weight(pair) for pair in found.pairs if _is_distinctive(pair)) >= features.DISTINCTIVE_WEIGHT:
        return None
    shared = quoted(tuple(word for pair in found.pairs for word in pair.left))
    reason = f"only common words agree ({shared})" if shared else "no words agree"
    return _result("common_words_only", features.COMMON_WORDS_CAP, compared, reason)


def _is_distinctive(pair: Pair) -> bool:
    return all(any(word_class(word) in _DISTINCTIVE for word in side) for side in (pair.left, pair.right))


def _result(feature: str, score: float, compared: Compared, reason: str) -> FeatureResult:
    return FeatureResult(feature, score, " ".join(compared.query.core), " ".join(compared.candidate.core), reason)


def labels(keys: set[str]) -> str:
    """Legal forms as a person calls them; empty for none."""
    return ", ".join(FORMS[key].label for key in FORMS if key in keys)


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
