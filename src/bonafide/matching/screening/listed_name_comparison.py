"""How similar two names of organizations or ships on lists are, and why. People are compared by `person_name_comparison`."""

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
from bonafide.matching.names.name_features import (
    ComparedNames,
    explain_common_words,
    legal_form,
    numbers,
    opposites,
    quote_words,
    word_order,
)
from bonafide.matching.names.normalization import NormalName
from bonafide.matching.scoring.alignment import WordAlignment, WordPair, align_names, weigh_lighter_side
from bonafide.matching.scoring.feature_table import Cap, Factor, FeatureFinding, FeatureTable
from bonafide.matching.scoring.name_comparison import NOTHING_TO_COMPARE, NameComparison
from bonafide.matching.scoring.screening_parameters import ARTICLE_WEIGHT
from bonafide.matching.scoring.tolerance import DEFAULT_TOLERANCE, Tolerance
from bonafide.matching.scoring.word_rarity import STATIC_RARITY, WordRarity
from bonafide.matching.text.word_classes import WordClass, classify_word
from bonafide.model.entry import EntityKind
from bonafide.model.search.match import WordDifference

_EXACT = frozenset({WordDifference.EQUAL, WordDifference.JOINED})
_SPELLINGS = frozenset({WordDifference.SLIP, WordDifference.SOUND})


@dataclass(frozen=True, slots=True)
class ComparedListedNames(ComparedNames):
    """As `ComparedNames`, with the kind of the listed party. Words that lists are full of weigh little."""

    kind: EntityKind

    def rate_pair(self, pair: WordPair) -> float:
        """How similar a pair is, however many names hold its words."""
        return pair.likeness.score

    @property
    def is_craft(self) -> bool:
        """Whether the listed party is a ship or an aircraft."""
        return self.kind in {EntityKind.VESSEL, EntityKind.AIRCRAFT}


def listed_words(names: ComparedListedNames, *, one_sided: float, conflict: float) -> FeatureFinding | None:
    """The weight of the words that both names have against the weight of those that only one has.

    As for businesses, with what lists are full of ("movement", "islamic", names of countries and towns) weighing little. Legal
    forms are no words, wherever they stand, and neither are "M/V" and the like before a ship's name.
    """
    if names.alignment.identical:
        return None
    return FeatureFinding(names.rate_words(one_sided, conflict), partial(_explain_words, names.alignment))


def _explain_words(found: WordAlignment) -> str:
    notes = [
        describe_listed_difference(pair)
        for pair in found.pairs
        if pair.likeness.difference not in {WordDifference.EQUAL, WordDifference.NEAR_NUMBER}
    ]
    notes += [f"{quote_words(found.left_only)} missing"] if found.left_only else []
    notes += [f"{quote_words(found.right_only)} added"] if found.right_only else []
    return "; ".join(notes) or "other words agree"


def places_differ(names: ComparedListedNames, *, limit: float) -> FeatureFinding | None:
    """A country or town in one name and another one in the other make two organizations: a bank of Iran is not the bank of Iraq."""
    asked = {parse_place(word): word for word in names.alignment.left_only}
    found = {parse_place(word): word for word in names.alignment.right_only}
    asked.pop(None, None)
    found.pop(None, None)
    if not asked or not found:
        return None
    return FeatureFinding(limit, f"'{next(iter(found.values()))}' is not '{next(iter(asked.values()))}'")


def generic_words_only(
    names: ComparedListedNames, *, limit: float, distinctive: float, words_enough: float
) -> FeatureFinding | None:
    """Agreement in words that many names hold ("national", "front", a place, a number) is never enough, unless all words agree.

    So many of them that stand in one name as in the other make a name all the same, where the list has one more common word.
    """
    found = names.alignment
    if found.complete or _count_matches_without_common_words(found) >= words_enough:
        return None
    weigh = partial(weigh_listed_word, rarity=STATIC_RARITY)
    weight = fsum([weigh_lighter_side(pair, weigh) for pair in found.pairs if _is_significant(pair) and not _is_number(pair)])
    return None if weight >= distinctive else FeatureFinding(limit, explain_common_words(found))


def _is_significant(pair: WordPair) -> bool:
    return any(map(is_distinctive, pair.left)) and any(map(is_distinctive, pair.right))


def _is_number(pair: WordPair) -> bool:
    return all(classify_word(word) is WordClass.NUMBER for word in pair.left)


def one_word_only(
    names: ComparedListedNames, *, limit: float, rare: float, letters_rare: float, words_many: float
) -> FeatureFinding | None:
    """One word that agrees is not enough where other words don't; it is worth a look if it is long and rare and they say little.

    "Ocean Trading" may be anybody's name beside a ship called Ocean; "Zephyrine Trading" may well be Zephyrine's. Where all words
    asked for are in the listed name, which has only common ones beside them, those that agree count as well: three make a name.
    """
    found = names.alignment
    telling = [pair for pair in found.pairs if _is_significant(pair)]
    if found.complete or len(telling) != 1:
        return None
    alone = (*found.left_only, *found.right_only)
    exact = telling[0].likeness.difference in _EXACT
    if exact and all(names.weigh_word(word) <= ARTICLE_WEIGHT for word in alone):
        return None
    word = "".join(min(telling[0].left, telling[0].right, key=lambda side: len("".join(side))))
    is_rare = classify_word(word) is WordClass.RARE and len(word) >= letters_rare
    is_rare &= exact and not names.is_craft and not any(map(is_distinctive, alone))
    shared = _count_matches_without_common_words(found)
    if (is_rare and len(found.pairs) > words_many) or shared > words_many:
        return None
    is_rare |= shared == words_many
    return FeatureFinding(rare if is_rare else limit, f"only {quote_words(telling[0].left)} agrees of the telling words")


def _count_matches_without_common_words(found: WordAlignment) -> int:
    """How many words agree exactly, where the requested name only leaves out common words of the listed one; 0 elsewhere."""
    leaves_out = not found.left_only and not any(map(is_distinctive, found.right_only))
    return len(found.pairs) if leaves_out and all(pair.likeness.difference in _EXACT for pair in found.pairs) else 0


def misspelt_word(
    names: ComparedListedNames, *, limit: float, letters_telling: float, letters_other: float
) -> FeatureFinding | None:
    """Where the only telling word is misspelt, little else says that it is the same: it must be long, and the legal forms equal.

    In a name without any telling word, what is misspelt must not be short either.
    """
    found = names.alignment
    if not found.complete:
        return None
    telling = [pair for pair in found.pairs if _is_significant(pair)]
    only = found.pairs[0] if len(found.pairs) == 1 else telling[0] if len(telling) == 1 else None
    if only is not None:
        is_doubtful = only.likeness.difference not in _EXACT and not _may_be_misspelt(names, only, letters_telling)
        doubtful = [only] if is_doubtful else []
    else:
        doubtful = [pair for pair in found.pairs if pair.likeness.difference in _SPELLINGS and _count_letters(pair) < letters_other]
    if not doubtful or (only is None and telling):
        return None
    asked, listed = doubtful[0].left[0], doubtful[0].right[0]
    return FeatureFinding(limit, f"'{listed}' is not quite '{asked}', and little else agrees")


def _may_be_misspelt(names: ComparedListedNames, only: WordPair, letters: float) -> bool:
    others = len(names.alignment.pairs) > 1
    asked, listed = set(names.query.legal_forms), set(names.candidate.legal_forms)
    same_forms = asked == listed or (others and not (asked and listed))
    # Ships have names that anybody may have.
    shortest = letters - others + names.is_craft
    return (
        only.likeness.difference in _SPELLINGS and is_distinctive(only.left[0]) and same_forms and _count_letters(only) >= shortest
    )


def _count_letters(pair: WordPair) -> int:
    return max(len("".join(pair.left)), len("".join(pair.right)))


def business_on_ship(names: ComparedListedNames, *, limit: float, misspelt: float) -> FeatureFinding | None:
    """A ship has no legal form, no trade and no town: a business of its name is another party, if perhaps its owner."""
    if not names.is_craft:
        return None
    forms = set(names.query.legal_forms) - set(names.candidate.legal_forms)
    others = [word for word in names.alignment.left_only if is_business_word(word) or not is_distinctive(word)]
    if not forms and not others:
        return None
    return FeatureFinding(limit if names.alignment.identical else misspelt, "the name of a business on a ship or aircraft")


LISTED_NAME_FEATURES = FeatureTable[ComparedListedNames](
    Factor(listed_words, one_sided=0.6, conflict=0.9),  # shares of a word's weight, as for business names
    Factor(word_order, 0.98),
    Factor(legal_form, missing=0.99, other_form=0.98, other_kind=0.96),
    Cap(numbers, 0.6, missing=0.85, new_company=0.69),
    Cap(opposites, 0.65),
    Cap(places_differ, 0.65),
    Cap(generic_words_only, 0.65, distinctive=0.7, words_enough=5),  # the weight of distinctive words; common words that agree
    Cap(one_word_only, 0.68, rare=0.79, letters_rare=6, words_many=2),  # with more than two words agreeing, one is not alone
    Cap(misspelt_word, 0.69, letters_telling=6, letters_other=5),  # letters from which a misspelt word is recognised
    Cap(business_on_ship, 0.79, misspelt=0.69),
)


def compare_listed_names(
    a: NormalName,
    b: NormalName,
    kind: EntityKind = EntityKind.ORGANIZATION,
    rarity: WordRarity = STATIC_RARITY,
    tolerance: Tolerance = DEFAULT_TOLERANCE,
) -> NameComparison:
    """Compare the requested name (`a`) with one of the list (`b`), which is a party of this kind."""
    if not a.core or not b.core:
        return NOTHING_TO_COMPARE
    alignment = align_names(a.core, b.core, create_word_comparator(tolerance))
    weigh_word = partial(weigh_listed_word, rarity=rarity)
    return LISTED_NAME_FEATURES.compare(ComparedListedNames(a, b, alignment, weigh_word, rarity, kind))
