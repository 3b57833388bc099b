"""Transliterate names from other scripts into Latin letters: Cyrillic, Greek, Arabic, Hebrew, Chinese, Korean and others.

The letters come from `anyascii`, corrected by our own table (`transliteration.yml`). The preferred Latin
spelling of a name can't be derived from its letters; `phonetics` matches spellings that sound alike.
"""

import re
import unicodedata
from functools import lru_cache

from anyascii import anyascii

from bonafide.matching.text.confusables import unify_scripts
from bonafide.matching.text.tables import read_table

_TABLE = read_table("transliteration")
_LETTERS: dict[str, str] = _TABLE["letters"]
_WORDS: dict[str, str] = _TABLE["words"]
_PAIRS: dict[str, str] = _TABLE["pairs"]
_BEGINNINGS: dict[str, str] = _TABLE["beginnings"]
_PAIR = re.compile("|".join(map(re.escape, _PAIRS)))
_WORD = re.compile(r"[^\W\d_]+")
_LATIN_END = 0x250
"""Code points below this are Latin letters, with or without accents, which `folding` handles."""
_LATIN_EXTENDED = range(0x1E00, 0x1F00)
_SYLLABLES = (range(0x2E80, 0x3040), range(0x3100, 0xA4D0), range(0xAC00, 0xD7B0), range(0xF900, 0xFB00))
"""Chinese characters and Korean syllables: each is a separate word, because there are no spaces between names."""
_ARTICLE = "ال"
_SERVANT = "عبد"
_SHORTEST_BEHIND_ARTICLE = 2
_MARKS = str.maketrans("", "", "'`\"")


def transliterate(text: str) -> str:
    """The text with every word of another script in Latin letters; Latin text is unchanged. Never raises.

    Words of mixed script are transliterated as `unify_scripts` returns them.
    """
    if text.isascii() or not any(map(_is_non_latin_letter, text)):
        return text
    return _WORD.sub(_transliterate_match, _strip_marks(unify_scripts(text)))


def is_non_latin(text: str) -> bool:
    """Whether the text contains letters of a non-Latin script that don't replace Latin ones in words of mixed script."""
    return not text.isascii() and any(map(_is_non_latin_letter, unify_scripts(text)))


def _is_non_latin_letter(character: str) -> bool:
    code = ord(character)
    return code >= _LATIN_END and code not in _LATIN_EXTENDED and character.isalpha() and not _is_latin_letter(character)


@lru_cache(maxsize=2**12)
def _is_latin_letter(character: str) -> bool:
    return "LATIN" in unicodedata.name(character, "") or unicodedata.category(character) == "Lm"


def _strip_marks(text: str) -> str:
    """The text in composed letters without vowel points, which only some lists print."""
    composed = unicodedata.normalize("NFKC", text)
    return "".join(character for character in composed if unicodedata.combining(character) == 0)


def _transliterate_match(found: re.Match[str]) -> str:
    word = found[0]
    return word if word.isascii() or not any(map(_is_non_latin_letter, word)) else _transliterate_word(word)


@lru_cache(maxsize=2**14)
def _transliterate_word(word: str) -> str:
    known = _WORDS.get(word)
    if known is not None:
        return known
    for prefix, read in ((_SERVANT + _ARTICLE, "abd al"), (_ARTICLE, "al")):
        rest = word.removeprefix(prefix)
        if rest != word and len(rest) >= _SHORTEST_BEHIND_ARTICLE:
            return f"{read} {_WORDS.get(rest) or _spell_letters(rest)}"
    return _spell_letters(word)


def _spell_letters(word: str) -> str:
    # An initial long vowel of an Arabic word is written as two letters.
    for letters, vowel in _BEGINNINGS.items():
        if word.startswith(letters):
            return vowel + _spell_letters(word.removeprefix(letters))
    paired = _PAIR.sub(lambda pair: _PAIRS[pair[0]], word)
    return " ".join("".join(map(_transliterate_letter, paired)).split())


def _transliterate_letter(character: str) -> str:
    if character in _LETTERS:
        return _LETTERS[character]
    plain = anyascii(character).translate(_MARKS)
    return f" {plain} " if any(ord(character) in syllables for syllables in _SYLLABLES) else plain
