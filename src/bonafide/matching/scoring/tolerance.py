"""The tolerance of a screening: how many typos are allowed, and whether name variants match.

The module has the two settings of a caller and the cost of typos. Other modules define which words are variants of each other.
"""

from dataclasses import dataclass

from rapidfuzz.distance import OSA

from bonafide.matching.scoring import score_parameters
from bonafide.matching.scoring import screening_parameters as weights
from bonafide.matching.scoring.word_similarity import WordSimilarity
from bonafide.model.search.match import WordDifference

SHORTEST_TYPO = 5
"""Shorter names that differ in one letter are usually different names: Sara and Safa, Lina and Nina."""
_LONG = 10
"""Words of this length may have one more typo."""
_TWO_TYPOS_FROM = 7
MAX_TYPOS = 2


@dataclass(frozen=True, slots=True)
class Tolerance:
    """`typos`: how many letters of a word may differ, 0 to 2. `variants`: whether nicknames, translations and the like match.

    `foreign`: one of the names is in another script, so that vowels may be missing and words may be spelt phonetically.
    """

    typos: int = 1
    variants: bool = True
    foreign: bool = False

    def count_allowed_typos(self, length: int, shortest: int = SHORTEST_TYPO) -> int:
        """How many letters of a word of this length may differ: none in short words, one more in long ones, at most two."""
        if self.typos == 0 or length < shortest:
            return 0
        allowed = self.typos + (length >= _LONG)
        return min(allowed, MAX_TYPOS if length >= _TWO_TYPOS_FROM else 1)


DEFAULT_TOLERANCE = Tolerance()


def compare_misspelt(one: str, other: str, cost: float, allowed: int) -> WordSimilarity | None:
    """The similarity of two words with at most `allowed` letters replaced, dropped, added or swapped; otherwise None."""
    if allowed == 0 or abs(len(one) - len(other)) > allowed:
        return None
    letters = OSA.distance(one, other, score_cutoff=allowed)
    if letters > allowed:
        return None
    length = max(len(one), len(other))
    first = 0.0
    if one[0] != other[0] and one[:2] != other[1::-1]:
        if length <= SHORTEST_TYPO:
            return WordSimilarity(weights.FIRST_OF_FIVE, WordDifference.SLIP, letters)
        first = score_parameters.FIRST_LETTER_TYPO
    return WordSimilarity(1.0 - cost * letters**1.5 / length**2 - first, WordDifference.SLIP, letters)
