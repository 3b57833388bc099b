"""How similar two business names are, and why.

It compares names in normal form. `entries.ranking` adds numbers and addresses.
"""

from collections.abc import Iterable
from dataclasses import replace

from bonafide.i18n.message import Message
from bonafide.matching.names.candidate_filter import CandidateFilter
from bonafide.matching.names.name_alignment import align_organization_names
from bonafide.matching.names.name_features import (
    ComparedNames,
    common_words_only,
    initials,
    legal_form,
    numbers,
    opposites,
    other_entity,
    other_trade,
    word_order,
    words,
)
from bonafide.matching.names.normalization import NormalName
from bonafide.matching.scoring.feature_table import Cap, Factor, FeatureTable
from bonafide.matching.scoring.name_comparison import NOTHING_TO_COMPARE, NameComparison
from bonafide.matching.scoring.word_rarity import STATIC_RARITY, WordRarity
from bonafide.matching.scoring.word_similarity import compare_words

_SAME_WORDS = Message("same words")
BUSINESS_NAME_FEATURES = FeatureTable[ComparedNames](
    # The words come first, because the other factors only lower their score. An unpaired word counts with 0.6 of its weight, and
    # with 0.9 in addition as far as both names have unpaired words.
    Factor(words, one_sided=0.6, conflict=0.9, place_added=0.88),
    Factor(word_order, 0.98),
    Factor(legal_form, missing=0.99, other_form=0.98, other_kind=0.96),  # Inc. for Ltd.; Inc. for LLP
    Cap(other_entity, 0.84),
    Cap(initials, 0.79),
    Cap(numbers, 0.6, missing=0.85, new_company=0.69),  # a new company: "Acme (2010) Ltd." took over the name of Acme Ltd.
    Cap(opposites, 0.65),
    Cap(other_trade, 0.65),
    Cap(common_words_only, 0.65, distinctive=0.7, enough=0.8),  # weights of matching words: of distinctive ones, and of all
)


def create_candidate_filters(requested: Iterable[NormalName], rarity: WordRarity) -> list[CandidateFilter]:
    """For each requested name, a filter of candidates for which `compare_above` returns None."""
    numbers = BUSINESS_NAME_FEATURES.get_numbers(words.__name__)
    return [CandidateFilter(name, rarity, numbers["one_sided"], numbers["conflict"]) for name in requested]


def compare_business_names(a: NormalName, b: NormalName, rarity: WordRarity = STATIC_RARITY) -> NameComparison:
    """Compare the requested name (`a`) with the found one (`b`). Both orders give the same score; the reason describes `b`."""
    comparison = compare_above(a, b, rarity, 0.0)
    assert comparison is not None  # noqa: S101 - no score is below 0
    return comparison


def compare_above(a: NormalName, b: NormalName, rarity: WordRarity, floor: float) -> NameComparison | None:
    """As `compare_business_names`; None if the score of the words alone is below `floor`, as for most candidates."""
    if not a.core or not b.core:
        return NOTHING_TO_COMPARE
    names = ComparedNames(a, b, align_organization_names(a, b, compare_words), rarity.weight, rarity)
    comparison = BUSINESS_NAME_FEATURES.compare_above(names, floor)
    if comparison is not None and comparison.factors and a.core == b.core:
        return replace(comparison, verdict=_SAME_WORDS)
    return comparison
