"""Correct words that optical character recognition misread: "c0nstruct1on" for "construction", "tvvo" for "two".

Corrections are only possible readings: `index.search.query_expansion` looks them up if a register does not contain the word as
written. The pairs are the usual confusions of printed text (Rice, Nagy and Nartker, "Optical Character Recognition: An Illustrated
Guide to the Frontier", 1999): 0/O, 1/I/l, 5/S, 8/B, rn/m, cl/d, vv/w.
"""

import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from itertools import combinations, islice, product
from types import MappingProxyType

MAX_CORRECTIONS = 32
"""The maximum number of corrections of a word."""
_TWO_CHANGES_UP_TO = 4
"""A word with at most so many confusable places may be misread at two of them, and one with more at one: few corrections result."""
_MIN_LETTERS = 2
"""The minimum number of letters of a word whose digits are read as letters: "4x4" and "a1" are words of their own."""

_LETTERS_OF_DIGIT: Mapping[str, tuple[str, ...]] = MappingProxyType({"0": ("o",), "1": ("l", "i"), "5": ("s",), "8": ("b",)})
_DIGIT_OF_LETTER: Mapping[str, str] = MappingProxyType(
    {letter: digit for digit, letters in _LETTERS_OF_DIGIT.items() for letter in letters}
)
_LETTERS_OF_LETTERS: Mapping[str, str] = MappingProxyType(
    {"rn": "m", "m": "rn", "cl": "d", "d": "cl", "vv": "w", "w": "vv", "i": "l", "l": "i"}
)
_CONFUSED_LETTERS = re.compile("rn|cl|vv|[mdwil]")
_CONFUSED_DIGITS = frozenset(_LETTERS_OF_DIGIT)
_CACHED_WORDS = 2**12


@lru_cache(maxsize=_CACHED_WORDS)
def list_scan_corrections(word: str) -> tuple[str, ...]:
    """The words, in lower case, as which a folded word may have been printed; without the word itself.

    In a word that is mostly digits every letter is read as a digit, and in any other word every confusable digit as a letter.
    """
    digits = sum(map(str.isdecimal, word))
    letters = sum(map(str.isalpha, word))
    if digits > letters:
        return _correct_number(word) if letters > 0 else ()
    if digits > 0 and letters < _MIN_LETTERS:
        return ()
    corrections = dict.fromkeys(
        changed for read in islice(_list_letter_readings(word), MAX_CORRECTIONS) for changed in _change_letters(read)
    )
    corrections.pop(word, None)
    return tuple(islice(corrections, MAX_CORRECTIONS))


def read_digits_as_letters(word: str) -> str:
    """A folded word of letters with its digits read as letters; any other word unchanged."""
    if _CONFUSED_DIGITS.isdisjoint(word) or not _MIN_LETTERS <= sum(map(str.isalpha, word)) > sum(map(str.isdecimal, word)):
        return word
    return next(_list_letter_readings(word))


def _correct_number(word: str) -> tuple[str, ...]:
    corrected = "".join([_DIGIT_OF_LETTER.get(character, character) for character in word])
    return (corrected,) if corrected.isdecimal() else ()


def _list_letter_readings(word: str) -> Iterator[str]:
    return map("".join, product(*(_LETTERS_OF_DIGIT.get(character, (character,)) for character in word)))


def _change_letters(word: str) -> Iterator[str]:
    """The word itself, and the word with letters at one or two places read as others."""
    yield word
    places = [(found.start(), found[0]) for found in _CONFUSED_LETTERS.finditer(word)]
    for start, letters in places:
        yield word[:start] + _LETTERS_OF_LETTERS[letters] + word[start + len(letters) :]
    for (first, one), (second, other) in combinations(places, 2) if len(places) <= _TWO_CHANGES_UP_TO else ():
        changed = word[:first] + _LETTERS_OF_LETTERS[one] + word[first + len(one) : second]
        yield changed + _LETTERS_OF_LETTERS[other] + word[second + len(other) :]
