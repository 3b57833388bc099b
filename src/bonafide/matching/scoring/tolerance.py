"""How freely a screened name is read: how many typos are allowed and whether name variants count.

It holds the two settings of a caller and the arithmetic of slips. Which words are variants of each other is known elsewhere.
"""

from dataclasses import dataclass

from rapidfuzz.distance import OSA

from bonafide.matching.scoring import score_parameters
from bonafide.matching.scoring import screening_parameters as weights
from bonafide.matching.scoring.word_similarity import WordSimilarity
from bonafide.model.search.match import WordDifference

SHORTEST_TYPO = 5
"""Sara and Safa, Lina and Nina are names of their own."""
_LONG = 10
"""From so many letters on one more may be wrong: the word is still recognised."""
_TWO_TYPOS_FROM = 7
MAX_TYPOS = 2


@dataclass(frozen=True, slots=True)
class Tolerance:
    """`typos`: how many letters of a word may be wrong, 0 to 2. `variants`: whether nicknames, translations and the like count.

    `foreign`: one of the names is written in another script, so that vowels may be missing and any word may be spelt by ear.
    """

    typos: int = 1
    variants: bool = True
    foreign: bool = False

    def count_allowed_typos(self, length: int, shortest: int = SHORTEST_TYPO) -> int:
        """How many letters may be wrong in a word of so many: none in short ones, one more in long ones, never more than two."""
        if self.typos == 0 or length < shortest:
            return 0
        allowed = self.typos + (length >= _LONG)
        return min(allowed, MAX_TYPOS if length >= _TWO_TYPOS_FROM else 1)


DEFAULT_TOLERANCE = Tolerance()


def compare_misspelt(one: str, other: str, cost: float, allowed: int) -> WordSimilarity | None:
    """The words as misspellings of each other: letters replaced, dropped, added or swapped, at most so many of them."""
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
