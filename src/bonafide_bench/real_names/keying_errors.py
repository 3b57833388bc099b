"""Errors of people who key names in, and of text recognition.

Letters: Damerau (1964) found that four fifths of keying errors are one letter omitted, inserted, replaced or swapped with its
neighbour. Inserted and replacing letters are neighbours on a QWERTY keyboard. The confusions of text recognition are those that
Tong and Evans (1996) and Kukich (1992) list as the most frequent ones of printed text.
"""

import re
from collections.abc import Callable, Iterator
from random import Random

from bonafide_bench.datasets.typos import make_typo

RECOGNITION_ERRORS = (
    ("0", "O"), ("O", "0"), ("1", "I"), ("I", "1"), ("l", "1"), ("l", "I"), ("5", "S"), ("S", "5"), ("8", "B"), ("B", "8"),
    ("rn", "m"), ("m", "rn"), ("cl", "d"), ("d", "cl"), ("vv", "w"), ("w", "vv"),
)  # fmt: skip
"""What is printed, and what is recognised."""
_LONG_WORD = re.compile(r"[^\W\d_]{5,}")
_SHORT_WORD = re.compile(r"[^\W\d_]{3,4}")
_LETTERS = "abcdefghijklmnopqrstuvwxyz"
_FEWEST_PARTS = 3
KeyingError = Callable[[str, Random], str | None]
"""Changes a name; returns None if the error cannot occur in it."""


def misspell_word(name: str, chance: Random) -> str | None:
    """One keying error in a word of five or more letters."""
    found = _choose_word(_LONG_WORD, name, chance)
    return None if found is None else name[: found.start()] + make_typo(found[0], chance) + name[found.end() :]


def reorder_words(name: str, chance: Random) -> str | None:
    """The words in another order, without commas."""
    words = name.replace(",", " ").split()
    orders = [chance.sample(words, len(words)) for _ in range(5)]
    return next((" ".join(order) for order in orders if order != words), None)


def omit_middle_word(name: str, chance: Random) -> str | None:
    """A name of three or more words without one of the words between the first and the last."""
    words = name.replace(",", " ").split()
    if len(words) < _FEWEST_PARTS:
        return None
    at = chance.randrange(1, len(words) - 1)
    return " ".join(words[:at] + words[at + 1 :])


def shift_space(name: str, chance: Random) -> str | None:
    """A space one letter too early or too late."""
    places = [found.start() for found in re.finditer(r"(?<=\w\w) (?=\w\w)", name)]
    if not places:
        return None
    at = chance.choice(places)
    if chance.random() < 1 / 2:
        return f"{name[: at - 1]} {name[at - 1]}{name[at + 1 :]}"
    return f"{name[:at]}{name[at + 1]} {name[at + 2 :]}"


def misrecognise(name: str, chance: Random) -> str | None:
    """One confusion of text recognition, in capitals or as written."""
    text = name.upper() if chance.random() < 1 / 2 else name
    places = [(found.start(), one, other) for one, other in RECOGNITION_ERRORS for found in re.finditer(re.escape(one), text)]
    if not places:
        return None
    at, one, other = chance.choice(places)
    return text[:at] + other + text[at + len(one) :]


def swap_in_short_word(name: str, chance: Random) -> str | None:
    """Two different neighbouring letters of a word of three or four letters swapped; names of three or more words only."""
    return _change_short_word(name, chance, _swap)


def drop_in_short_word(name: str, chance: Random) -> str | None:
    """A letter of a word of three or four letters omitted; names of three or more words only."""
    return _change_short_word(name, chance, lambda word, at, _: word[:at] + word[at + 1 :])


def replace_in_short_word(name: str, chance: Random) -> str | None:
    """A letter of a word of three or four letters replaced; names of three or more words only."""
    return _change_short_word(name, chance, _replace)


def _change_short_word(name: str, chance: Random, change: Callable[[str, int, Random], str]) -> str | None:
    if len(name.split()) < _FEWEST_PARTS:
        return None
    found = _choose_word(_SHORT_WORD, name, chance)
    if found is None:
        return None
    changed = change(found[0], chance.randrange(len(found[0])), chance)
    return None if changed == found[0] else name[: found.start()] + changed + name[found.end() :]


def _choose_word(pattern: re.Pattern[str], name: str, chance: Random) -> re.Match[str] | None:
    found = [word for word in re.finditer(rf"\b{pattern.pattern}\b", name) if word[0].isascii()]
    return chance.choice(found) if found else None


def _swap(word: str, at: int, _chance: Random) -> str:
    at = min(at, len(word) - 2)
    return word[:at] + word[at + 1] + word[at] + word[at + 2 :]


def _replace(word: str, at: int, chance: Random) -> str:
    other = chance.choice([letter for letter in _LETTERS if letter != word[at].lower()])
    return word[:at] + (other.upper() if word[at].isupper() else other) + word[at + 1 :]


KEYED_IN: tuple[KeyingError, ...] = (misspell_word, misspell_word, reorder_words, omit_middle_word, shift_space, misrecognise)
"""The errors of people and of text recognition; a spelling error is twice as frequent as each other one."""


def create_errors(names: list[str], error: KeyingError, seed: str) -> Iterator[tuple[int, str]]:
    """Yield the position of a name and the name with the error, in random order, each name once if the error can occur in it."""
    chance = Random(seed)  # noqa: S311 - a sample, not a secret
    for place in chance.sample(range(len(names)), len(names)):
        text = error(names[place], chance)
        if text is not None and text != names[place]:
            yield place, text
