"""Compare names of organizations and ships with listed names. `person_name_comparison` compares people."""

from dataclasses import dataclass
from functools import partial
from math import fsum

from bonafide.i18n.message import Message, join_messages
from bonafide.matching.names.listed_words import (
    create_word_comparator,
    is_business_word,
    is_distinctive,
    parse_place,
    weigh_listed_word,
)
from bonafide.matching.names.name_alignment import align_organization_names
from bonafide.matching.names.name_features import (
    ComparedNames,
    describe_difference,
    describe_equal_words,
    describe_unpaired_words,
    explain_common_words,
    initials,
    legal_form,
    numbers,
    opposites,
    other_entity,
    quote_words,
    rate_words_and_places,
    word_order,
)
from bonafide.matching.names.normalization import NormalName
from bonafide.matching.scoring.alignment import WordAlignment, WordPair, Words, weigh_lighter_side
from bonafide.matching.scoring.feature_table import Cap, Factor, FeatureFinding, FeatureTable
from bonafide.matching.scoring.name_comparison import NOTHING_TO_COMPARE, NameComparison
from bonafide.matching.scoring.screening_parameters import ARTICLE_WEIGHT
from bonafide.matching.scoring.tolerance import DEFAULT_TOLERANCE, Tolerance
from bonafide.matching.scoring.word_rarity import STATIC_RARITY, WordRarity
from bonafide.matching.text.word_classes import WordClass, classify_word
from bonafide.model.entry import EntityKind
from bonafide.model.search.match import WordDifference

_EXACT = frozenset({WordDifference.EQUAL, WordDifference.JOINED})
_VARIANTS = _EXACT | {
    WordDifference.EQUIVALENT,
    WordDifference.TRANSLATED,
    WordDifference.PLURAL,
    WordDifference.ACRONYM,
    WordDifference.OFFICIAL_NAME,
    WordDifference.CUT_OFF,
}
_SPELLINGS = frozenset({WordDifference.SLIP, WordDifference.SOUND})
_OTHER_PLACE = Message("different places: “{submitted}” and “{found}”")
_ONE_WORD_ONLY = Message("only one distinctive word matches: {words}")
_MISSPELT = Message("“{found}” is only similar to “{submitted}”")
_MISSPELT_BESIDE_COMMON = Message("“{found}” is only similar to “{submitted}”, and the other words are common")
_BUSINESS_ON_SHIP = Message("a business name compared with a ship or aircraft")


@dataclass(frozen=True, slots=True)
class ComparedListedNames(ComparedNames):
    """As `ComparedNames`, with the kind of the listed party. Words that are common in lists weigh little."""

    kind: EntityKind

    def rate_pair(self, pair: WordPair) -> float:
        """The similarity of a pair, regardless of how common its words are."""
        return pair.likeness.score

    @property
    def is_craft(self) -> bool:
        """Whether the listed party is a ship or an aircraft."""
        return self.kind in {EntityKind.VESSEL, EntityKind.AIRCRAFT}


def listed_words(names: ComparedListedNames, *, one_sided: float, conflict: float, place_added: float) -> FeatureFinding | None:
    """The weight of the words that both names have, compared with the weight of all words.

    As for businesses, but words that are common in lists ("movement", "islamic", names of countries and towns) weigh little. Legal
    forms are ignored in any position, as are prefixes of ships' names such as "M/V".
    """
    if names.alignment.identical:
        return None
    return FeatureFinding(rate_words_and_places(names, one_sided, conflict, place_added), partial(_explain_words, names.alignment))


def _explain_words(found: WordAlignment) -> Message:
    notes = [
        describe_difference(pair)
        for pair in found.pairs
        if pair.likeness.difference not in {WordDifference.EQUAL, WordDifference.NEAR_NUMBER}
    ]
    notes += describe_unpaired_words(found.left_only, found.right_only)
    return join_messages(notes) if notes else describe_equal_words(found)


def places_differ(names: ComparedListedNames, *, limit: float) -> FeatureFinding | None:
    """Different countries or towns make different organizations: a bank of Iran is not a bank of Iraq."""
    requested, found = _list_places(names.alignment.left_only), _list_places(names.alignment.right_only)
    submitted = [word for place, word in requested.items() if place not in found]
    others = [word for place, word in found.items() if place not in requested]
    if not submitted or not others:
        return None
    return FeatureFinding(limit, partial(_OTHER_PLACE.fill, submitted=submitted[0], found=others[0]))


def _list_places(alone: Words) -> dict[str, str]:
    """The words that name a place, by its code: "iran" and "iranian" have the same."""
    return {place: word for word in alone if (place := parse_place(word)) is not None}


def generic_words_only(
    names: ComparedListedNames, *, limit: float, distinctive: float, words_enough: float
) -> FeatureFinding | None:
    """Matching common words ("national", "front", a place, a number) are not sufficient unless all words match.

    An exception is a sufficient number of exactly matching common words, if the listed name only has further common words.
    """
    found = names.alignment
    if found.complete or _count_matches_without_common_words(found) >= words_enough:
        return None
    weigh = partial(weigh_listed_word, rarity=STATIC_RARITY)
    weight = fsum([weigh_lighter_side(pair, weigh) for pair in found.pairs if _is_significant(pair) and not _is_number(pair)])
    return None if weight >= distinctive else FeatureFinding(limit, partial(explain_common_words, found))


def _is_significant(pair: WordPair) -> bool:
    return any(map(is_distinctive, pair.left)) and any(map(is_distinctive, pair.right))


def _is_number(pair: WordPair) -> bool:
    return all(classify_word(word) is WordClass.NUMBER for word in pair.left)


def one_word_only(
    names: ComparedListedNames, *, limit: float, rare: float, letters_rare: float, words_many: float
) -> FeatureFinding | None:
    """One matching distinctive word is not sufficient if other words differ, unless it is long and rare and the others are common.

    "Ocean Trading" is unlikely to refer to a ship called Ocean; "Zephyrine Trading" may well refer to Zephyrine. If all requested
    words are in the listed name, and its other words are common, the matching common words count as well: three are sufficient.
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
    return FeatureFinding(rare if is_rare else limit, partial(_ONE_WORD_ONLY.fill, words=quote_words(telling[0].left)))


def _count_matches_without_common_words(found: WordAlignment) -> int:
    """The number of exactly matching words if the requested name only omits common words of the listed one; otherwise 0."""
    leaves_out = not found.left_only and not any(map(is_distinctive, found.right_only))
    return len(found.pairs) if leaves_out and all(pair.likeness.difference in _EXACT for pair in found.pairs) else 0


def misspelt_word(
    names: ComparedListedNames, *, limit: float, letters_telling: float, letters_other: float
) -> FeatureFinding | None:
    """If the only distinctive word is misspelt, it must be long and the legal forms must be equal.

    In a name without distinctive words, misspelt words must not be short either.
    """
    found = names.alignment
    if not found.complete:
        return None
    telling = [pair for pair in found.pairs if _is_significant(pair)]
    only = found.pairs[0] if len(found.pairs) == 1 else telling[0] if len(telling) == 1 else None
    if only is not None:
        is_doubtful = only.likeness.difference not in _VARIANTS and not _may_be_misspelt(names, only, letters_telling)
        doubtful = [only] if is_doubtful else []
    else:
        doubtful = [pair for pair in found.pairs if pair.likeness.difference in _SPELLINGS and _count_letters(pair) < letters_other]
    if not doubtful or (only is None and telling):
        return None
    requested, listed = " ".join(doubtful[0].left), " ".join(doubtful[0].right)
    text = _MISSPELT if len(found.pairs) == 1 else _MISSPELT_BESIDE_COMMON
    return FeatureFinding(limit, partial(text.fill, submitted=requested, found=listed))


def _may_be_misspelt(names: ComparedListedNames, only: WordPair, letters: float) -> bool:
    others = len(names.alignment.pairs) > 1
    requested, listed = set(names.query.legal_forms), set(names.candidate.legal_forms)
    same_forms = requested == listed or (others and not (requested and listed))
    # Names of ships are often common words.
    shortest = letters - others + names.is_craft
    return (
        only.likeness.difference in _SPELLINGS and is_distinctive(only.left[0]) and same_forms and _count_letters(only) >= shortest
    )


def _count_letters(pair: WordPair) -> int:
    return max(len("".join(pair.left)), len("".join(pair.right)))


def business_on_ship(names: ComparedListedNames, *, limit: float, misspelt: float) -> FeatureFinding | None:
    """A ship has no legal form, trade or town: a business with its name is another party, possibly its owner."""
    if not names.is_craft:
        return None
    forms = set(names.query.legal_forms) - set(names.candidate.legal_forms)
    others = [word for word in names.alignment.left_only if is_business_word(word) or not is_distinctive(word)]
    if not forms and not others:
        return None
    return FeatureFinding(limit if names.alignment.identical else misspelt, _BUSINESS_ON_SHIP)


LISTED_NAME_FEATURES = FeatureTable[ComparedListedNames](
    Factor(listed_words, one_sided=0.6, conflict=0.9, place_added=0.88),  # shares of a word's weight, as for business names
    Factor(word_order, 0.98),
    Factor(legal_form, missing=0.99, other_form=0.98, other_kind=0.96),
    Cap(other_entity, 0.84),
    Cap(initials, 0.79),
    Cap(numbers, 0.6, missing=0.85, new_company=0.69),
    Cap(opposites, 0.65),
    Cap(places_differ, 0.65),
    Cap(generic_words_only, 0.65, distinctive=0.7, words_enough=5),  # the weight of distinctive words; matching common words
    Cap(one_word_only, 0.68, rare=0.79, letters_rare=6, words_many=2),  # one word is not alone if more than two match
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
    """Compare the requested name (`a`) with a listed one (`b`) of a party of this kind."""
    if not a.core or not b.core:
        return NOTHING_TO_COMPARE
    alignment = align_organization_names(a, b, create_word_comparator(tolerance))
    weigh_word = partial(weigh_listed_word, rarity=rarity)
    return LISTED_NAME_FEATURES.compare(ComparedListedNames(a, b, alignment, weigh_word, rarity, kind))
