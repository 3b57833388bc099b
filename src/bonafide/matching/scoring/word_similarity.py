"""How similar two single words are, and in which way: misspelt, shortened, joined, translated.

The effect of a differing word on a name is decided in `alignment` and `name_features`.
"""

from dataclasses import dataclass
from functools import lru_cache

from rapidfuzz.distance import OSA

from bonafide.matching.scoring import score_parameters
from bonafide.matching.text.word_classes import (
    WordClass,
    are_equivalent,
    are_opposites,
    classify_word,
    is_frequent,
    is_listed,
    is_short_form,
)
from bonafide.model.search.match import WordDifference

ONE_TYPO_FROM, _TWO_TYPOS_FROM, MAX_TYPOS = 4, 8, 2
"""Lengths from which a word may have one typo, and two: "cat" and "car" are different words."""
_FIRST_LETTER_TYPO_FROM = 6
"""Length from which the first letter may differ: Tom's and Mom's are different names, "alue" and "Value" perhaps not."""
TWO_TYPOS_DOUBTFUL = 6
"""Length from which a word with two typos may still be the same word."""
_SHORTEST_NEAR_NUMBER = 5
"""Digits from which a number that differs in one digit may be a typo; years and street numbers are shorter."""
_SAME_STEM = 3
_SHORTEST_SHORT_FORM = 3
SHORTEST_SCANNED = 4
"""Letters from which a word may be a misread one."""
_SCANNED_LETTERS = str.maketrans("0158i", "olsbl")
SCANNED_PAIRS = (("rn", "m"), ("cl", "d"), ("vv", "w"))
"""Characters that optical character recognition confuses."""
_SHORTEST_TRUNCATION = 4


@dataclass(frozen=True, slots=True)
class WordSimilarity:
    """How similar two words are (0 to 1), how they differ, and in how many letters if it is a typo."""

    score: float
    difference: WordDifference
    letters: int = 0


EQUAL = WordSimilarity(1.0, WordDifference.EQUAL)
JOINED = WordSimilarity(score_parameters.JOINED, WordDifference.JOINED)
_EQUIVALENT = WordSimilarity(score_parameters.EQUIVALENT, WordDifference.EQUIVALENT)
_TRANSLATED = WordSimilarity(score_parameters.TRANSLATED, WordDifference.TRANSLATED)
_PLURAL = WordSimilarity(score_parameters.PLURAL, WordDifference.PLURAL)
_OTHER_FIRST_LETTER = WordSimilarity(score_parameters.OTHER_FIRST_LETTER, WordDifference.SLIP, 1)
_TWO_TYPOS = WordSimilarity(score_parameters.TWO_TYPOS_IN_SHORT, WordDifference.SLIP, 2)
_SCANNED = WordSimilarity(score_parameters.SCANNED, WordDifference.SLIP, 1)
_NEAR_NUMBER = WordSimilarity(score_parameters.NEAR_NUMBER, WordDifference.NEAR_NUMBER, 1)
INITIAL = WordSimilarity(score_parameters.INITIAL, WordDifference.INITIAL)
_SHORTENED = WordSimilarity(score_parameters.SHORTENED, WordDifference.SHORTENED)
_TRUNCATED = WordSimilarity(score_parameters.TRUNCATED, WordDifference.SHORTENED)


@lru_cache(maxsize=2**15)
def compare_words(one: str, other: str) -> WordSimilarity | None:
    """How similar two words of business names are; None if they are different words."""
    if one == other:
        return EQUAL
    if are_equivalent(one, other):
        # "Groupe" and "group" are recognisably the same; "boulangerie" and "bakery" are not, and both may exist in one town.
        return _EQUIVALENT if one[:_SAME_STEM] == other[:_SAME_STEM] or not (one.isalpha() and other.isalpha()) else _TRANSLATED
    # Shorter first, then alphabetical, so that the result does not depend on the order of the arguments.
    short, long = (one, other) if (len(one), one) < (len(other), other) else (other, one)
    begins = long.startswith(short)
    if not begins and (len(long) - len(short) > MAX_TYPOS or _differ_too_much(short, long)):
        return None
    readings = [
        reading
        for reading in (_compare_misspelt(short, long), _compare_truncated(short, long) if begins else None)
        if reading is not None
    ]
    if not readings or are_opposites(short, long):
        return None
    best = max(readings, key=lambda reading: reading.score)
    if best is _SCANNED:
        return best
    return best if WordClass.NUMBER not in {classify_word(short), classify_word(long)} else _limit_number(short, best)


def _differ_too_much(short: str, long: str) -> bool:
    """Whether the words, of which neither begins the other, can't be spellings of one word. Decides nearly all comparisons."""
    if OSA.distance(short, long, score_cutoff=MAX_TYPOS) <= MAX_TYPOS:
        return False
    # Several misread pairs of letters are more than two typos: "rnrn" is read for "mm".
    return not any(pair in long for pair, _ in SCANNED_PAIRS)


def are_two_words(one: str, other: str) -> bool:
    """Whether both words are frequent, so that they are rather two words than one and its misspelling: "mining" and "dining"."""
    return is_frequent(one) and is_frequent(other)


def is_scanned_alike(one: str, other: str) -> bool:
    """Whether two words differ only in characters that optical character recognition confuses: "b0ral" and "boral".

    Two frequent words are two words, and two numbers two numbers.
    """
    if min(len(one), len(other)) < SHORTEST_SCANNED or fold_scanned(one) != fold_scanned(other):
        return False
    return not (one.isdecimal() or other.isdecimal() or are_two_words(one, other))


@lru_cache(maxsize=2**15)
def fold_scanned(word: str) -> str:
    """The word with one character for each that optical character recognition confuses."""
    for scanned, meant in SCANNED_PAIRS:
        if scanned in word:
            word = word.replace(scanned, meant)
    return word.translate(_SCANNED_LETTERS)


def _limit_number(short: str, reading: WordSimilarity) -> WordSimilarity | None:
    """The similarity if one of the words is a number: a typo makes a similar number, any other difference another number."""
    return _NEAR_NUMBER if reading.difference is WordDifference.SLIP and len(short) >= _SHORTEST_NEAR_NUMBER else None


def _compare_truncated(short: str, long: str) -> WordSimilarity | None:
    """The similarity of a word and its beginning."""
    if len(short) == 1:
        # "J" may be John, but "M" for Mountain or Maintenance would be a guess.
        return None if is_listed(long) else INITIAL
    if long == short + "s" and len(short) >= _SHORTEST_SHORT_FORM:
        return _PLURAL
    if is_listed(long) and len(short) >= _SHORTEST_SHORT_FORM and (is_short_form(short) or not is_listed(short)):
        return _SHORTENED
    rare = not is_listed(short) and not is_listed(long)
    return _TRUNCATED if rare and len(short) >= _SHORTEST_TRUNCATION and len(long) <= 2 * len(short) else None


def _compare_misspelt(short: str, long: str) -> WordSimilarity | None:
    if is_listed(short) and is_listed(long):
        return None
    found = compare_typos(short, long, score_parameters.TYPO_COST)
    found = found if found is not None else _compare_two_typos(short, long)
    if (found is not None or "rn" in long or "cl" in long or "vv" in long) and is_scanned_alike(short, long):
        return _SCANNED
    return None if found is None or are_two_words(short, long) else found


def _compare_two_typos(short: str, long: str) -> WordSimilarity | None:
    """Two typos in a short word: similar enough to find "Poulin" for "Piuin", too different to treat them as equal."""
    if not TWO_TYPOS_DOUBTFUL <= len(long) < _TWO_TYPOS_FROM or short[0] != long[0]:
        return None
    return _TWO_TYPOS if OSA.distance(short, long, score_cutoff=MAX_TYPOS) <= MAX_TYPOS else None


def compare_typos(one: str, other: str, cost: float) -> WordSimilarity | None:
    """The similarity of two words that differ in replaced, dropped, added or swapped letters; None if they differ too much."""
    length = max(len(one), len(other))
    allowed = 0 if length < ONE_TYPO_FROM else 1 if length < _TWO_TYPOS_FROM else MAX_TYPOS
    if allowed == 0 or abs(len(one) - len(other)) > allowed:
        return None
    letters = OSA.distance(one, other, score_cutoff=allowed)
    if letters > allowed:
        return None
    first = 0.0
    if one[0] != other[0] and one[:2] != other[1::-1]:
        if length < _FIRST_LETTER_TYPO_FROM:
            return _OTHER_FIRST_LETTER if length == _FIRST_LETTER_TYPO_FROM - 1 else None
        first = score_parameters.FIRST_LETTER_TYPO
    return WordSimilarity(1.0 - cost * letters**1.5 / length**2 - first, WordDifference.SLIP, letters)
