"""How alike two single words are, and in which way: misspelt, shortened, joined, translated.

It compares words only; what a differing word means for a name is decided in `alignment` and `name_features`.
"""

from dataclasses import dataclass
from functools import lru_cache

from rapidfuzz.distance import OSA

from bonafide.matching import features
from bonafide.matching.words import WordClass, are_equivalent, are_opposites, is_listed, is_short_form, word_class
from bonafide.model.match import WordDifference as Way

_ONE_SLIP_FROM, _TWO_SLIPS_FROM, _MOST_SLIPS = 4, 8, 2
"""Lengths from which one slip, and two, leave a word recognisable: "cat" and "car" are two words."""
_FIRST_LETTER_SLIP_FROM = 6
"""And from which the first letter may be the wrong one: Tom's and Mom's are two names, "alue" and "Value" perhaps not."""
_TWO_SLIPS_DOUBTFUL = 6
"""And from which two slips leave a word that might be the one that was meant."""
_SHORTEST_NEAR_NUMBER = 5
"""Digits from which a number that differs in one may be a misread one; of a year or a street number it never is."""
_SAME_STEM = 3
_SHORTEST_SHORT_FORM = 3
_SHORTEST_TRUNCATION = 4


@dataclass(frozen=True, slots=True)
class Likeness:
    """How alike two words are (0 to 1), in which way, and by how many letters they differ when it is a slip."""

    score: float
    way: Way
    letters: int = 0


EQUAL = Likeness(1.0, Way.EQUAL)
JOINED = Likeness(features.JOINED, Way.JOINED)
_EQUIVALENT = Likeness(features.EQUIVALENT, Way.EQUIVALENT)
_TRANSLATED = Likeness(features.TRANSLATED, Way.TRANSLATED)
_PLURAL = Likeness(features.PLURAL, Way.PLURAL)
_OTHER_FIRST_LETTER = Likeness(features.OTHER_FIRST_LETTER, Way.SLIP, 1)
_TWO_SLIPS = Likeness(features.TWO_SLIPS_IN_SHORT, Way.SLIP, 2)
_NEAR_NUMBER = Likeness(features.NEAR_NUMBER, Way.NEAR_NUMBER, 1)
INITIAL = Likeness(features.INITIAL, Way.INITIAL)
_SHORTENED = Likeness(features.SHORTENED, Way.SHORTENED)
_TRUNCATED = Likeness(features.TRUNCATED, Way.SHORTENED)


@lru_cache(maxsize=2**15)
def word_likeness(one: str, other: str) -> Likeness | None:
    """How alike two words of business names are; None when one can't be read for the other."""
    if one == other:
        return EQUAL
    if are_equivalent(one, other):
        # "Groupe" is "group" to any reader; that "boulangerie" is "bakery" has to be known, and both may stand in one town.
        return _EQUIVALENT if one[:_SAME_STEM] == other[:_SAME_STEM] else _TRANSLATED
    # Shorter first, and by the alphabet when equally long: the same whichever name was given first.
    short, long = (one, other) if (len(one), one) < (len(other), other) else (other, one)
    begins = long.startswith(short)
    if not begins and len(long) - len(short) > _MOST_SLIPS:
        return None
    readings = [reading for reading in (_misspelt(short, long), _begun(short, long) if begins else None) if reading is not None]
    if not readings or are_opposites(short, long):
        return None
    best = max(readings, key=lambda reading: reading.score)
    return best if WordClass.NUMBER not in {word_class(short), word_class(long)} else _as_number(short, best)


def _as_number(short: str, reading: Likeness) -> Likeness | None:
    """What a reading is worth where a number is involved: a slip makes a similar number, and nothing else counts."""
    return _NEAR_NUMBER if reading.way is Way.SLIP and len(short) >= _SHORTEST_NEAR_NUMBER else None


def _begun(short: str, long: str) -> Likeness | None:
    """The short word as the beginning that it is of the long one."""
    if len(short) == 1:
        # "J" may be John; that "M" is Mountain or Maintenance would be a guess.
        return None if is_listed(long) else INITIAL
    if long == short + "s" and len(short) >= _SHORTEST_SHORT_FORM:
        return _PLURAL
    if is_listed(long) and len(short) >= _SHORTEST_SHORT_FORM and (is_short_form(short) or not is_listed(short)):
        return _SHORTENED
    rare = not is_listed(short) and not is_listed(long)
    return _TRUNCATED if rare and len(short) >= _SHORTEST_TRUNCATION and len(long) <= 2 * len(short) else None


def _misspelt(short: str, long: str) -> Likeness | None:
    # "Mining" is not a slip of "dining": between two known words a slip is less likely than another meaning.
    if is_listed(short) and is_listed(long):
        return None
    found = slip(short, long, features.SLIP)
    return found if found is not None else _slipped_twice(short, long)


def _slipped_twice(short: str, long: str) -> Likeness | None:
    """Two slips in a word too short to be sure of: enough to find "Poulin" for "Piuin", too little to call them the same."""
    if not _TWO_SLIPS_DOUBTFUL <= len(long) < _TWO_SLIPS_FROM or short[0] != long[0]:
        return None
    return _TWO_SLIPS if OSA.distance(short, long, score_cutoff=_MOST_SLIPS) <= _MOST_SLIPS else None


def slip(one: str, other: str, cost: float) -> Likeness | None:
    """The words as misspellings of each other: letters replaced, dropped, added or swapped. None when they are too different."""
    length = max(len(one), len(other))
    allowed = 0 if length < _ONE_SLIP_FROM else 1 if length < _TWO_SLIPS_FROM else _MOST_SLIPS
    if allowed == 0 or abs(len(one) - len(other)) > allowed:
        return None
    letters = OSA.distance(one, other, score_cutoff=allowed)
    if letters > allowed:
        return None
    first = 0.0
    if one[0] != other[0] and one[:2] != other[1::-1]:
        if length < _FIRST_LETTER_SLIP_FROM:
            return _OTHER_FIRST_LETTER if length == _FIRST_LETTER_SLIP_FROM - 1 else None
        first = features.FIRST_LETTER_SLIP
    return Likeness(1.0 - cost * letters**1.5 / length**2 - first, Way.SLIP, letters)
