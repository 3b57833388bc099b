"""Phonetic keys of words of people's names, regardless of spelling: Khaled and Halid, Zhukov and Joukov, Husayn and Hussein.

The keys are designed for names that were transliterated into Latin letters in the English, French and German ways. They are coarse:
two words with one key are only candidates, and `compare_name_parts` compares their letters as well.
"""

import re
from functools import lru_cache

_GROUPS = (
    ("shch", "S"), ("tsch", "S"), ("sch", "S"), ("tch", "S"), ("ch", "S"), ("sh", "S"), ("ts", "S"), ("tz", "S"), ("cz", "S"),
    ("dzh", "J"), ("zh", "J"), ("dj", "J"), ("dz", "J"), ("gh", "K"), ("kh", "H"), ("ph", "F"), ("th", "T"), ("dh", "T"),
    ("ck", "K"), ("qu", "K"), ("x", "KS"), ("ce", "Se"), ("ci", "Si"), ("cy", "Sy"),
    ("c", "K"), ("q", "K"), ("k", "K"), ("g", "K"), ("h", "H"), ("s", "S"), ("z", "S"), ("j", "J"),
    ("f", "F"), ("v", "F"), ("t", "T"), ("d", "T"), ("b", "B"), ("p", "P"), ("m", "M"), ("n", "N"), ("r", "R"), ("l", "L"),
)  # fmt: skip
"""Letters with similar sounds in names, longest first; w and y are consonants at the beginning of a word and vowels inside it."""
_SOUND = re.compile("|".join(letters for letters, _ in _GROUPS))
_SOUNDS = dict(_GROUPS)
_DOUBLED = re.compile(r"(.)\1+")
_NOT_SOUNDS = re.compile(r"[^A-Z]")
_VOWEL = re.compile(r"[aeiou]")
SHORTEST_CONSONANTAL = 2


@lru_cache(maxsize=2**16)
def build_sound_key(word: str) -> str:
    """The consonants of a word in classes of sounds, with an "A" for an initial vowel; "" for a word without letters."""
    begins = "A" if word[:1] in "aeiouy" else "F" if word[:1] == "w" else ""
    return begins + _consonants(word)


@lru_cache(maxsize=2**16)
def build_consonant_skeleton(word: str) -> str:
    """The same without the initial vowel, as Arabic and Hebrew write a word."""
    return ("F" if word[:1] == "w" else "") + _consonants(word)


def is_consonantal(word: str) -> bool:
    """Whether the word has no vowels after its first letter because its script writes none."""
    return len(word) >= SHORTEST_CONSONANTAL and word.isalpha() and _VOWEL.search(word, 1) is None


def _consonants(word: str) -> str:
    sounds = _SOUND.sub(lambda found: _SOUNDS[found[0]], word)
    # A doubled letter is one sound; the same sound on both sides of a vowel is two.
    return _NOT_SOUNDS.sub("", _DOUBLED.sub(r"\1", sounds))
