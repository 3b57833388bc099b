"""The feature functions of business names. Each returns what it found and why; its docstring is its public documentation.

The numbers are in the tables that list the features: `business_name_comparison` and `listed_name_comparison`.
"""

import re
from dataclasses import dataclass
from functools import lru_cache, partial
from math import fsum

from bonafide.matching.names.legal_forms import LEGAL_FORMS
from bonafide.matching.names.normalization import NormalName
from bonafide.matching.scoring import score_parameters
from bonafide.matching.scoring.alignment import AlignedNames, WordAlignment, WordPair, Words, weigh_lighter_side
from bonafide.matching.scoring.feature_table import FeatureFinding
from bonafide.matching.scoring.word_rarity import STATIC_RARITY, WordRarity
from bonafide.matching.text.word_classes import WordClass, are_opposites, classify_word, has_opposite
from bonafide.model.search.match import WordDifference

_YEAR = re.compile(r"(?:19|20)\d\d")
_DISTINCTIVE = frozenset({WordClass.RARE, WordClass.NUMBER, WordClass.ORDINARY, WordClass.LETTER})
_EMPTY = frozenset({WordClass.SHAPE, WordClass.FUNCTION})
_SIGNIFICANT_COMMON = frozenset({WordClass.TRADE, WordClass.PLACE})
_COMMON = _EMPTY | _SIGNIFICANT_COMMON
_READ_AS = {
    WordDifference.PLURAL: "singular or plural",
    WordDifference.SHORTENED: "shortened",
    WordDifference.INITIAL: "initial",
    WordDifference.EQUIVALENT: "the same word otherwise spelt",
    WordDifference.TRANSLATED: "the same word in the other language",
    WordDifference.JOINED: "joined or split",
    WordDifference.NICKNAME: "a form of the same name",
}


@dataclass(frozen=True, slots=True)
class ComparedNames(AlignedNames[NormalName]):
    """Two business names and the alignment of their distinguishing words, which weigh what `rarity` measured."""

    rarity: WordRarity

    def rate_pair(self, pair: WordPair) -> float:
        """How similar a pair is. Two words that many names hold are hardly a typo: Ross is not Rossi, and Baker no bakery."""
        score = pair.likeness.score
        if pair.likeness.difference is not WordDifference.SLIP:
            return score
        common = min(self.rarity.commonness(pair.left[0]), self.rarity.commonness(pair.right[0]))
        doubt = min(score_parameters.TYPO_DOUBT * common, 1.0)
        return score - doubt * max(0.0, score - score_parameters.TYPO_BETWEEN_COMMON)


def words(names: ComparedNames, *, one_sided: float, conflict: float) -> FeatureFinding | None:
    """The weight of the words that both names have against the weight of those that only one has.

    Rare words weigh most, trades, places and words such as "group" little. A word that is in no list weighs the less, the more of
    the loaded registers' names hold it ("Tremblay" less than a coined word). Misspelt, shortened, joined and translated words count
    in part, and hardly when both spellings are words that many names hold. A word that is missing costs less than one in whose
    place stands another.
    """
    if names.query.core == names.candidate.core:
        return None
    return FeatureFinding(names.rate_words(one_sided, conflict), partial(_explain_words, names.alignment))


def _explain_words(found: WordAlignment) -> str:
    notes = [
        describe_difference(pair)
        for pair in found.pairs
        if pair.likeness.difference not in {WordDifference.EQUAL, WordDifference.NEAR_NUMBER}
    ]
    notes += _describe_unpaired(found.left_only, "missing") + _describe_unpaired(found.right_only, "added")
    return "; ".join(notes) or ("same words" if found.complete else "other words agree")


def _describe_unpaired(alone: Words, how: str) -> list[str]:
    # The feature `numbers` describes numbers.
    described = tuple(word for word in alone if classify_word(word) is not WordClass.NUMBER)
    return [f"{quote_words(described)} {how}"] if described else []


def word_order(names: ComparedNames, *, score: float) -> FeatureFinding | None:
    """The same words in another order are nearly the same name."""
    return None if names.alignment.in_order else FeatureFinding(score, "words in another order")


def legal_form(names: ComparedNames, *, missing: float, other_form: float, other_kind: float) -> FeatureFinding | None:
    """The legal forms, compared as groups of equivalent spellings (Ltd. is Limitée).

    A missing form costs least, another form of the same kind (Inc. for Ltd.) more, a form that makes another kind of entity most.
    """
    asked, found = names.query.legal_forms, names.candidate.legal_forms
    difference = None if asked == found else _compare_forms(asked, found)
    if difference is None:
        return None
    return FeatureFinding((missing, other_form, other_kind)[difference[0]], difference[1])


_MISSING, _OTHER_FORM, _OTHER_KIND = range(3)


@lru_cache(maxsize=2**10)
def _compare_forms(asked: tuple[str, ...], found: tuple[str, ...]) -> tuple[int, str] | None:
    """How the forms differ, and the difference in words; None for the same forms in another order."""
    missing, added = format_form_labels(set(asked) - set(found)), format_form_labels(set(found) - set(asked))
    if missing and added:
        same_kind = not {LEGAL_FORMS[key].kind for key in asked}.isdisjoint(LEGAL_FORMS[key].kind for key in found)
        return _OTHER_FORM if same_kind else _OTHER_KIND, f"legal form {added} instead of {missing}"
    if missing or added:
        return _MISSING, f"legal form {missing} missing" if missing else f"legal form {added} added"
    return None


def numbers(names: ComparedNames, *, limit: float, missing: float, new_company: float) -> FeatureFinding | None:
    """Numbers in names must be equal: 4261607 Canada is not 4261608 Canada, and Store 12 is not Store 21.

    A number that only one of the names has leaves a likely variant at best; a year not even that, because in Canada "Acme (2010)
    Ltd." is how a new company takes up the name of Acme Ltd.
    """
    found = names.alignment
    for pair in found.pairs:
        if pair.likeness.difference is WordDifference.NEAR_NUMBER:
            return FeatureFinding(limit, f"number {pair.right[0]} instead of {pair.left[0]}, a similar one")
    absent, added = _join_numbers(found.left_only), _join_numbers(found.right_only)
    if not absent and not added:
        return None
    if absent and added:
        return FeatureFinding(limit, f"number {added} instead of {absent}")
    reason = f"number {absent} missing" if absent else f"number {added} added"
    return FeatureFinding(new_company if _YEAR.fullmatch(absent or added) else missing, reason)


def _join_numbers(among: Words) -> str:
    return " ".join([word for word in among if classify_word(word) is WordClass.NUMBER])


def opposites(names: ComparedNames, *, limit: float) -> FeatureFinding | None:
    """Words that exclude each other make another name: north and south, old and new, upper and lower, one and two."""
    found = _find_opposites(names.alignment)
    return None if found is None else FeatureFinding(limit, f"'{found[1]}' is not '{found[0]}'")


def _find_opposites(found: WordAlignment) -> tuple[str, str] | None:
    for asked in found.left_only:
        if has_opposite(asked):
            for other in found.right_only:
                if are_opposites(asked, other):
                    return asked, other
    return None


def other_trade(names: ComparedNames, *, limit: float) -> FeatureFinding | None:
    """What one family or brand does in another trade or place is another business, however much of the name is shared.

    It applies where all that each name has beside the other is common words, a trade or a place among them on both sides.
    """
    missing, added = names.alignment.left_only, names.alignment.right_only
    if not missing or not added or not _names_trade(missing) or not _names_trade(added):
        return None
    return None if _find_opposites(names.alignment) is not None else FeatureFinding(limit, "another trade or place")


def _names_trade(alone: Words) -> bool:
    classes = {classify_word(word) for word in alone}
    return classes <= _COMMON and not classes.isdisjoint(_SIGNIFICANT_COMMON)


def common_words_only(names: ComparedNames, *, limit: float, distinctive: float, enough: float) -> FeatureFinding | None:
    """Agreement in common words alone (trades, places, "holdings", legal forms) is never enough, unless all words agree.

    Where one of the names only adds words that say nothing ("La Société Canadian Tire"), a place and a trade that agree will do.
    Which words are common is a matter of the table alone: no count of a register makes a word common here, or distinctive.
    """
    found = names.alignment
    if found.complete:
        return None
    weight = fsum([weigh_lighter_side(pair, STATIC_RARITY.weight) for pair in found.pairs if _is_distinctive(pair)])
    if weight >= distinctive or _adds_only_empty_words(found, enough):
        return None
    return FeatureFinding(limit, partial(explain_common_words, found))


def explain_common_words(found: WordAlignment) -> str:
    """Which words agree, where these are common ones."""
    shared = quote_words(tuple(word for pair in found.pairs for word in pair.left))
    return f"only common words agree ({shared})" if shared else "no words agree"


def _adds_only_empty_words(found: WordAlignment, enough: float) -> bool:
    """Whether common words of enough weight agree, and all that one of the names has beside them is empty."""
    if found.left_only and found.right_only:
        return False
    agreed = fsum([weigh_lighter_side(pair, STATIC_RARITY.weight) for pair in found.pairs])
    return agreed >= enough and _EMPTY.issuperset(map(classify_word, (*found.left_only, *found.right_only)))


def _is_distinctive(pair: WordPair) -> bool:
    sides = (pair.left,) if pair.likeness.difference is WordDifference.EQUAL else (pair.left, pair.right)
    return not any(_DISTINCTIVE.isdisjoint(map(classify_word, side)) for side in sides)


def format_form_labels(keys: set[str]) -> str:
    """Labels of legal forms for a sentence; empty for none."""
    return ", ".join([LEGAL_FORMS[key].label for key in sorted(keys)])


def quote_words(names: Words) -> str:
    """Words for a sentence, in quotation marks."""
    return ", ".join(f"'{name}'" for name in names)


def describe_difference(pair: WordPair) -> str:
    """How a pair of unequal words was read, for a sentence."""
    letters = pair.likeness.letters
    kind = pair.likeness.difference
    way = f"{letters} letter{'s' if letters > 1 else ''}" if kind is WordDifference.SLIP else _READ_AS[kind]
    return f"'{' '.join(pair.left)}' read as '{' '.join(pair.right)}' ({way})"
