"""The numbers of single words, addresses and evidence that scores are made of.

The numbers of features are in the tables of features: `BUSINESS_NAME_FEATURES`, `PERSON_NAME_FEATURES`, `LISTED_NAME_FEATURES`.
"""

from collections.abc import Mapping
from types import MappingProxyType

from bonafide.matching.text.word_classes import WordClass
from bonafide.model.search.match import FieldStatus

# How much a word tells. Two names are as alike as the weight of what they share against the weight of what they don't.
WORD_WEIGHTS: Mapping[WordClass, float] = MappingProxyType({
    WordClass.FUNCTION: 0.1, WordClass.SHAPE: 0.3, WordClass.PLACE: 0.35, WordClass.TRADE: 0.5,
    WordClass.LETTER: 0.5, WordClass.ORDINARY: 0.7, WordClass.NUMBER: 1.0, WordClass.RARE: 1.0,
})  # fmt: skip
COMMON_UNLISTED = 0.6  # the least that a word in no list weighs, however many of the loaded names hold it
COINED_SHARE, COMMON_SHARE = 1 / 20_000, 1 / 200  # shares of names up to which it counts in full, and from which it counts least
PRIOR_NAMES = 100_000  # names without the word that are thought to stand beside the loaded ones: few names can't make it common

# How alike two unequal words are
JOINED = 0.97  # "bio tech", "biotech"
PLURAL = 0.97  # "garden", "gardens"
EQUIVALENT = 0.92  # "group", "groupe"
TRANSLATED = 0.8  # "bakery", "boulangerie"
SHORTENED = 0.92  # "tech", "technologies": of a listed word
TRUNCATED = 0.6  # "nova", "novara": of a rare word
INITIAL = 0.75  # "j", "jean"
TYPO_COST = 3.2  # n wrong letters in a word of length L costs TYPO_COST * n**1.5 / L**2: 0.05 in 8 letters, 0.2 in 4
FIRST_LETTER_TYPO = 0.06  # more, when the first letter differs: people rarely slip there
TWO_TYPOS_IN_SHORT = 0.35  # two slips in a word of six or seven letters: it may be meant
NEAR_NUMBER = 0.5  # a long number with one digit wrong, missing or swapped: another name all the same, but worth showing
TYPO_BETWEEN_COMMON = 0.3  # and what is left of a slip between two words that many of the loaded names hold: Roy is not Ray
TYPO_DOUBT = 2.0  # times how common the less common of the two is, of the way down to that
OTHER_FIRST_LETTER = 0.65  # a five-letter word with another first letter, or without it: too little alone, something beside others
PERSON_TYPO_COST = 2.4  # as TYPO_COST; names of people are shorter, and written by ear

# Names of people
NICKNAME = 0.95
PARTICLE = 0.2  # the weight of "de", "van", "bin"
LONE_INITIAL = 0.4  # the weight of an initial without counterpart

# Addresses: what each part that both sides have counts
ADDRESS_PARTS: Mapping[str, float] = MappingProxyType({
    "street": 0.4, "unit": 0.06, "postalCode": 0.3, "city": 0.2, "province": 0.1, "country": 0.1,
})  # fmt: skip
MERGED_CITY = 0.95  # North York, Toronto: of one city since they merged
SAME_AREA = 0.7  # postal codes of one delivery area: the first three characters agree
OTHER_STREET_NUMBER_CAP = 0.3
STREET_NUMBER_MISSING = 0.8
OTHER_STREET_TYPE = 0.8  # King Street, King Avenue
OTHER_DIRECTION = 0.5  # King Street West, King Street East
OTHER_UNIT = 0.85  # of doors of one number: 12A, 12B
STREET_DETAIL_MISSING = 0.97  # type, direction or letter of the number stands on one side only
OTHER_BOX = 0.3

# Which name of an entry, and the evidence beside it
FORMER_NAME = 0.98
LANGUAGE_PART = 0.99  # one language of "Acme Bakery Ltd. / Boulangerie Acme ltée"
LEGAL_PART = 0.99  # "123456 Ontario Inc." of "123456 Ontario Inc. o/a Orla's Pizza"
TRADING_PART = 0.98  # and "Orla's Pizza"
WEAK_ALIAS_CAP = 0.9
SIMILAR_NAME = 0.4  # a name score from which an equal number is certain
EQUAL_NUMBER = (0.95, 0.05)  # the score is the first and the second times the name's score
EQUAL_NUMBER_OTHER_NAME = (0.85, 0.1)
OTHER_NUMBER = -0.1
ADDRESS_SIMILAR, ADDRESS_OTHER = 0.85, 0.4  # from which an address agrees, below which it disagrees
ADDRESS_AGREES = 0.02
ADDRESS_DISAGREES = -0.03
EVIDENCE_CAP = 0.99  # that an agreeing address may lift to: only an equal name is 1

# From which score a field counts as matched, and as partly matched
MATCHED = 0.95
PARTIAL = 0.7

DECIMALS = 4
"""Scores are rounded, so that they read well and don't depend on the order of additions."""


def to_field_status(score: float) -> FieldStatus:
    """Whether a field that was compared is matched, partly matched or mismatched."""
    if score >= MATCHED:
        return FieldStatus.MATCHED
    return FieldStatus.PARTIAL if score >= PARTIAL else FieldStatus.MISMATCHED
