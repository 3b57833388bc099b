"""Every number that a score is made of, on one screen, and how feature results become one score.

A comparison of two names is made of features: named pure functions whose docstrings are their documentation (`name_features`,
`person_names`). Factors are multiplied, caps limit the product. Nothing here looks at a name.
"""

from collections.abc import Iterable, Mapping
from types import MappingProxyType

from bonafide.matching.scoring.name_comparison import FeatureResult
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
ONE_SIDED = 0.6  # of a word's weight, when only one name has it
CONFLICT = 0.9  # more, of the weight for which each name has something else

# How alike two unequal words are
JOINED = 0.97  # "bio tech", "biotech"
PLURAL = 0.97  # "garden", "gardens"
EQUIVALENT = 0.92  # "group", "groupe"
TRANSLATED = 0.8  # "bakery", "boulangerie"
SHORTENED = 0.92  # "tech", "technologies": of a listed word
TRUNCATED = 0.6  # "nova", "novara": of a rare word
INITIAL = 0.75  # "j", "jean"
TYPO_COST = 3.2  # a slip of n letters in a word of length L costs SLIP * n**1.5 / L**2: 0.05 in 8 letters, 0.2 in 4
FIRST_LETTER_TYPO = 0.06  # more, when the first letter differs: people rarely slip there
TWO_TYPOS_IN_SHORT = 0.35  # two slips in a word of six or seven letters: it may be meant
NEAR_NUMBER = 0.5  # a long number with one digit wrong, missing or swapped: another name all the same, but worth showing
TYPO_BETWEEN_COMMON = 0.3  # and what is left of a slip between two words that many of the loaded names hold: Roy is not Ray
TYPO_DOUBT = 2.0  # times how common the less common of the two is, of the way down to that
OTHER_FIRST_LETTER = 0.65  # a five-letter word with another first letter, or without it: too little alone, something beside others
PERSON_TYPO_COST = 2.4  # as SLIP; names of people are shorter, and written by ear

# Factors and caps on business names
WORD_ORDER = 0.98
LEGAL_FORM_MISSING = 0.99
LEGAL_FORM_OTHER = 0.98  # another form of the same kind: Inc., Ltd.
LEGAL_KIND_OTHER = 0.96  # a form of another kind: Inc., LLP
NUMBERS_DIFFER_CAP = 0.6
NUMBER_MISSING_CAP = 0.85
NEW_COMPANY_CAP = 0.69  # a year that only one of the names has: "Acme (2010) Ltd." took the name of Acme Ltd. up again
OPPOSITES_CAP = 0.65
OTHER_TRADE_CAP = 0.65
COMMON_WORDS_CAP = 0.65
ENOUGH_COMMON_WEIGHT = 0.8  # of agreeing common words, when one of the names only adds empty ones
DISTINCTIVE_WEIGHT = 0.7  # of agreeing words that aren't common; with less, only common words agree

# Names of people
PERSON_ORDER = 0.99
NICKNAME = 0.95
PERSON_ONE_SIDED = 0.22  # of a part that only one of the names has: a middle name
PERSON_CONFLICT = 1.5
PARTICLE = 0.2  # the weight of "de", "van", "bin"
LONE_INITIAL = 0.4  # the weight of an initial without counterpart
GENERATION_MISSING_CAP = 0.94
GENERATIONS_DIFFER_CAP = 0.65
FAMILY_NAME_CAP = 0.8  # nothing in the other name stands for a part that is known to be the family name
ONE_PART_CAP = 0.65  # only one full part to go by

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


def combine_scores(factors: Iterable[FeatureResult], caps: Iterable[FeatureResult]) -> float:
    """The product of the factors, limited by the lowest cap."""
    score = 1.0
    for factor in factors:
        score *= factor.score
    return round(min([score, *(cap.score for cap in caps)]), DECIMALS)


def to_field_status(score: float) -> FieldStatus:
    """Whether a field that was compared is matched, partly matched or mismatched."""
    if score >= MATCHED:
        return FieldStatus.MATCHED
    return FieldStatus.PARTIAL if score >= PARTIAL else FieldStatus.MISMATCHED
