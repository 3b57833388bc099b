"""The numbers of single words, addresses and evidence that scores are made of.

The numbers of features are in the tables of features: `BUSINESS_NAME_FEATURES`, `PERSON_NAME_FEATURES`, `LISTED_NAME_FEATURES`.
"""

from collections.abc import Mapping
from math import floor
from types import MappingProxyType

from bonafide.matching.text.word_classes import WordClass
from bonafide.model.search.match import FieldStatus

# The weight of a word by its class. Two names are as similar as the weight of their common words is to the weight of all words.
WORD_WEIGHTS: Mapping[WordClass, float] = MappingProxyType({
    WordClass.FUNCTION: 0.1, WordClass.SHAPE: 0.3, WordClass.PLACE: 0.35, WordClass.TRADE: 0.5,
    WordClass.LETTER: 0.5, WordClass.ORDINARY: 0.7, WordClass.NUMBER: 1.0, WordClass.RARE: 1.0,
})  # fmt: skip
COMMON_UNLISTED = 0.6  # the lowest weight of an unlisted word, however many of the loaded names contain it
COINED_SHARE, COMMON_SHARE = (
    1 / 20_000,
    1 / 200,
)  # shares of names up to which it has its full weight, and from which it has the lowest
PRIOR_NAMES = 100_000  # assumed names without the word, added to the loaded ones: a few names can't make a word common

# How similar two unequal words are
JOINED = 0.97  # "bio tech", "biotech"
SCANNED = 0.95  # "b0ral", "boral": characters that optical character recognition confuses
PLURAL = 0.97  # "garden", "gardens"
EQUIVALENT = 0.92  # "group", "groupe"
TRANSLATED = 0.86  # "bakery", "boulangerie"
SHORTENED = 0.92  # "tech", "technologies": of a listed word
TRUNCATED = 0.6  # "nova", "novara": of a rare word
INITIAL = 0.75  # "j", "jean"
ACRONYM = 0.78  # "zht", "zephyrine harbour trust": the initials of three or more words
KNOWN_BODY = 0.97  # "cra", "agence du revenu du canada": names of one body of the table of known bodies
CUT_OFF = 0.96  # "zephyrine harbour consul", "zephyrine harbour consulting": a name that ends where a field of fixed width does
TYPO_COST = 3.2  # n wrong letters in a word of length L costs TYPO_COST * n**1.5 / L**2: 0.05 in 8 letters, 0.2 in 4
FIRST_LETTER_TYPO = 0.06  # additional cost when the first letter differs: typos there are rare
TWO_TYPOS_IN_SHORT = 0.35  # two typos in a word of six or seven letters: possibly the same word
NEAR_NUMBER = 0.5  # a long number with one digit wrong, missing or swapped: another name all the same, but worth showing
TYPO_BETWEEN_COMMON = 0.3  # a typo between two words that are both common in the loaded names: Roy is not Ray
TYPO_DOUBT = 2.0  # factor of the lower commonness of the two words; from 1 on the score is `TYPO_BETWEEN_COMMON`
OTHER_FIRST_LETTER = 0.65  # a five-letter word with another first letter, or without it: counts only together with other words
PERSON_TYPO_COST = 2.4  # as TYPO_COST; names of people are shorter, and written by ear

# Names of people
NICKNAME = 0.95
PARTICLE = 0.2  # the weight of "de", "van", "bin"
LONE_INITIAL = 0.4  # the weight of an initial without counterpart

# Addresses: the weight of each part that both sides have
ADDRESS_PARTS: Mapping[str, float] = MappingProxyType({
    "street": 0.4, "unit": 0.06, "postalCode": 0.3, "city": 0.2, "province": 0.1, "country": 0.1,
})  # fmt: skip
MERGED_CITY = 0.95  # North York, Toronto: one city since their merger
MISTYPED_POSTAL_CODE = 0.9  # one of the codes is invalid, and one character or look-alikes differ
SAME_AREA = 0.7  # postal codes of one delivery area: the first three characters agree
OTHER_STREET_NUMBER_CAP = 0.3
STREET_NUMBER_MISSING = 0.8
OTHER_STREET_TYPE = 0.8  # King Street, King Avenue
OTHER_DIRECTION = 0.5  # King Street West, King Street East
OTHER_UNIT = 0.85  # same street number with another letter: 12A, 12B
STREET_DETAIL_MISSING = 0.97  # type, direction or letter of the number on one side only
OTHER_BOX = 0.3

# The kind of the matched name, and the evidence beside the name
FORMER_NAME = 0.98
LANGUAGE_PART = 0.99  # one language of "Acme Bakery Ltd. / Boulangerie Acme ltée"
LEGAL_PART = 0.99  # "123456 Ontario Inc." of "123456 Ontario Inc. o/a Orla's Pizza"
TRADING_PART = 0.98  # and "Orla's Pizza"
WEAK_ALIAS_CAP = 0.9
SIMILAR_NAME = 0.4  # a name score from which an equal number is certain
EQUAL_NUMBER = (0.95, 0.05)  # score = first + second * name score
EQUAL_NUMBER_OTHER_NAME = (0.85, 0.1)
OTHER_NUMBER = -0.1
BELOW_EQUAL_NUMBER = 0.01  # entries without the requested number score at least so much less than the best entry with it
ADDRESS_SIMILAR, ADDRESS_OTHER = 0.85, 0.4  # from which an address agrees, below which it disagrees
ADDRESS_AGREES = 0.02
ADDRESS_DISAGREES = -0.03
EVIDENCE_CAP = 0.99  # highest score with an agreeing address: only equal names score 1

# Lowest scores of matched and of partly matched fields
MATCHED = 0.95
PARTIAL = 0.7

DECIMALS = 4
"""Scores are rounded to so many decimals, so that they don't depend on the order of additions."""


_TOLERANCE = 1e-6
"""Of the product in `truncate_score`: 0.29 * 100 is 28.999999999999996."""


def truncate_score(score: float) -> float:
    """The score rounded down to two decimals, as sentences, pages and documents show it.

    A score that misses a threshold, or 1, never reads as if it had reached it.
    """
    return floor(score * 100 + _TOLERANCE) / 100


def to_field_status(score: float) -> FieldStatus:
    """Whether a compared field is matched, partly matched or mismatched."""
    if score >= MATCHED:
        return FieldStatus.MATCHED
    return FieldStatus.PARTIAL if score >= PARTIAL else FieldStatus.MISMATCHED
