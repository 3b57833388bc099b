"""Typos: a letter or digit omitted, doubled, replaced, or swapped with its neighbour.

Operates on single words; `corruptions` decides which words of a name are changed, and how often.
"""

import unicodedata
from random import Random

from rapidfuzz.distance import OSA

_KEYBOARD = ("qwertyuiop", "asdfghjkl", "zxcvbnm")
_TRIES = 20
"""How many times two typos that cancel each other out are redrawn."""


def _neighbours() -> dict[str, str]:
    """The keys next to each key in its row."""
    return {key: row[max(0, at - 1) : at] + row[at + 1 : at + 2] for row in _KEYBOARD for at, key in enumerate(row)}


_NEIGHBOURS = _neighbours()


def make_typo(word: str, chance: Random) -> str:
    """The word with one typo. The result always differs from the word."""
    ways = (_omit_letter, _double_letter, _replace_letter, _swap_letters)
    changed = [found for way in chance.sample(ways, len(ways)) if (found := way(word, chance)) != word]
    return changed[0]


def make_typos(word: str, count: int, chance: Random) -> str | None:
    """The word with exactly this many typos, none cancelling another; None if no such result was drawn."""
    for _ in range(_TRIES):
        spoilt = word
        for _ in range(count):
            spoilt = make_typo(spoilt, chance)
        if OSA.distance(word, spoilt) == count:
            return spoilt
    return None


def make_digit_typo(number: str, chance: Random) -> str:
    """The number with one digit replaced, or two different adjacent digits swapped."""
    places = [at for at, char in enumerate(number) if char.isdecimal()]
    swaps = [at for at in places if number[at + 1 : at + 2].isdecimal() and number[at] != number[at + 1]]
    if swaps and chance.random() < 1 / 2:
        return _swap_at(number, chance.choice(swaps))
    at = chance.choice(places)
    other = chance.choice([digit for digit in "0123456789" if digit != number[at]])
    return number[:at] + other + number[at + 1 :]


def _omit_letter(word: str, chance: Random) -> str:
    at = chance.randrange(len(word))
    return word[:at] + word[at + 1 :]


def _double_letter(word: str, chance: Random) -> str:
    at = chance.randrange(len(word))
    return word[: at + 1] + word[at:]


def _replace_letter(word: str, chance: Random) -> str:
    """Replace a letter with a neighbouring key; an accented letter (é) counts as its base letter."""
    at = chance.randrange(len(word))
    plain = unicodedata.normalize("NFD", word[at].lower())[0]
    other = chance.choice(_NEIGHBOURS.get(plain, "e"))
    return word[:at] + (other.upper() if word[at].isupper() else other) + word[at + 1 :]


def _swap_letters(word: str, chance: Random) -> str:
    places = [at for at in range(len(word) - 1) if word[at].lower() != word[at + 1].lower()]
    return _swap_at(word, chance.choice(places)) if places else word


def _swap_at(word: str, at: int) -> str:
    """Swap two adjacent letters; capitalization keeps its position ("Maple" becomes "Ample")."""
    first, second = word[at], word[at + 1]
    if first.isupper() and second.islower():
        first, second = first.lower(), second.upper()
    return word[:at] + second + first + word[at + 2 :]
