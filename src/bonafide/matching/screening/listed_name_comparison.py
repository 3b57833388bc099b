"""How similar two names of organizations or ships on lists are, and why. People are compared by `person_name_comparison`."""

from functools import partial

from bonafide.matching.names.listed_words import create_word_comparator, weigh_listed_word
from bonafide.matching.names.name_features import legal_form, numbers, opposites, word_order
from bonafide.matching.names.normalization import NormalName
from bonafide.matching.scoring.alignment import align_names
from bonafide.matching.scoring.feature_table import Cap, Factor, FeatureTable
from bonafide.matching.scoring.name_comparison import NOTHING_TO_COMPARE, NameComparison
from bonafide.matching.scoring.tolerance import DEFAULT_TOLERANCE, Tolerance
from bonafide.matching.scoring.word_rarity import STATIC_RARITY, WordRarity
from bonafide.matching.screening.listed_name_features import (
    ComparedListedNames,
    business_on_ship,
    generic_words_only,
    listed_words,
    misspelt_word,
    one_word_only,
    places_differ,
)
from bonafide.model.entry import EntityKind

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
