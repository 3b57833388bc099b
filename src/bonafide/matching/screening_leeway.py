"""How freely a screened name is read: how many letters may be wrong, and whether variants of names are read for each other.

It holds the two settings of a caller and the arithmetic of slips. Which words are variants of each other is known elsewhere.
"""

from dataclasses import dataclass

from rapidfuzz.distance import OSA

from bonafide.matching import features
from bonafide.matching import screening_weights as weights
from bonafide.matching.likeness import Likeness
from bonafide.model.match import WordDifference as Way

SHORTEST_SLIP = 5
"""Sara and Safa, Lina and Nina are names of their own."""
_LONG = 10
"""From so many letters on one more may be wrong: the word is still recognised."""
_TWO_SLIPS_FROM = 7
MOST_SLIPS = 2


@dataclass(frozen=True, slots=True)
class Leeway:
    """`typos`: how many letters of a word may be wrong, 0 to 2. `variants`: whether nicknames, translations and the like count.

    `foreign`: one of the names is written in another script, so that vowels may be missing and any word may be spelt by ear.
    """

    typos: int = 1
    variants: bool = True
    foreign: bool = False

    def slips(self, length: int, shortest: int = SHORTEST_SLIP) -> int:
        """How many letters may be wrong in a word of so many: none in short ones, one more in long ones, never more than two."""
        if self.typos == 0 or length < shortest:
            return 0
        allowed = self.typos + (length >= _LONG)
        return min(allowed, MOST_SLIPS if length >= _TWO_SLIPS_FROM else 1)


USUAL = Leeway()


def misspelt(one: str, other: str, cost: float, allowed: int) -> Likeness | None:
    """The words as misspellings of each other: letters replaced, dropped, added or swapped, at most so many of them."""
    if allowed == 0 or abs(len(one) - len(other)) > allowed:
        return None
    letters = OSA.distance(one, other, score_cutoff=allowed)
    if letters > allowed:
        return None
    length = max(len(one), len(other))
    first = 0.0
    if one[0] != other[0] and one[:2] != other[1::-1]:
        if length <= SHORTEST_SLIP:
            return Likeness(weights.FIRST_OF_FIVE, Way.SLIP, letters)
        first = features.FIRST_LETTER_SLIP
    return Likeness(1.0 - cost * letters**1.5 / length**2 - first, Way.SLIP, letters)
