"""Replace look-alike letters of other scripts in words of mixed script: "Sandboх" with a Cyrillic х is "Sandbox".

Words in one script are unchanged, whatever they look like: "РАО" stays Russian. `list_disguised_readings` returns further readings
of a name for screening, in which such words and digits in place of letters are replaced too.
"""

import re
import unicodedata
from collections.abc import Iterator, Sequence
from functools import lru_cache

from bonafide.matching.text.tables import read_table
from bonafide.model.invisible_characters import INVISIBLE

_TABLE: dict[str, str] = read_table("confusables")
_LATIN = "LATIN"
_EAST_ASIAN = frozenset({"CJK", "HIRAGANA", "KATAKANA", "HANGUL", "BOPOMOFO"})
"""Scripts that are used together, and together with Latin letters, within a word."""
_COMMON = frozenset({"MODIFIER", "KATAKANA-HIRAGANA"})
"""Letters that belong to no script in particular."""
_MAY_BE_FOREIGN = re.compile(r"[\u0370-\u1DFF\u2C00-\U0010FFFF]")
"""Characters outside the Latin blocks and the general punctuation."""
APOSTROPHES = "'’‘‛ʼ′´`＇ʹʻʽˈˋ՚׳ꞌꞋ"
_WORD = re.compile(rf"(?<!\w)(?:[ldLD]|[qQ][uU])[{APOSTROPHES}]|[^\W_][\w\u0300-\u036F]*(?:[{APOSTROPHES}][\w\u0300-\u036F]+)*")
"""A word with the apostrophes inside it, or an elided French article by itself."""
_DISGUISED_WORD = re.compile(r"[\w$@!|€]+")
_DISGUISES = str.maketrans("0234567890$@|€", "ozeasgtbgosale")
_ONES = ("i", "l")
"""The letters that the digit one is used for."""
_LEET = re.compile(r"[0-9$@|€]|!(?=\w)")
_SHORTEST_DISGUISE = 4


@lru_cache(maxsize=2**12)
def _find_script(letter: str) -> str | None:
    """The script of a letter by its name; None for other characters and for letters of no script in particular."""
    if not letter.isalpha() or letter in APOSTROPHES:
        return None
    name = unicodedata.name(unicodedata.normalize("NFKD", letter)[0], "")
    script = _LATIN if _LATIN in name else name.partition(" ")[0]
    return None if script in _COMMON else script


_LOOKALIKES = {source: letter for letter, sources in _TABLE.items() for source in sources}
LATIN_LOOKALIKES = {source: letter.lower() for source, letter in _LOOKALIKES.items() if _find_script(source) == _LATIN}
"""Latin letters beyond ASCII that look like an ASCII letter: small capitals, letters of phonetic alphabets."""
_BY_SCRIPT: dict[tuple[str | None, str], str] = {}
"""The letter of a script that looks like an ASCII letter."""
for _source in sorted(_LOOKALIKES, reverse=True):
    _BY_SCRIPT[_find_script(_source), _LOOKALIKES[_source]] = _source


def may_be_foreign(text: str) -> bool:
    """Whether the text has characters outside the Latin blocks and the general punctuation."""
    return _MAY_BE_FOREIGN.search(text) is not None


def unify_scripts(text: str) -> str:
    """The text with each word of mixed script in one script, as far as the letters of the others look like letters of it.

    Latin is preferred. Invisible characters are removed from a text with such words. Never raises.
    """
    if not may_be_foreign(text):
        return text
    return _WORD.sub(lambda word: _unify_word(word[0]), _compose(text))


def unify_folded(text: str) -> str:
    """The same for a folded text whose words have been joined or separated since."""
    return text if text.isascii() else unify_scripts(text).lower()


def find_mixed_words(text: str) -> list[str]:
    """The words whose letters are of several scripts, in order, each once. Chinese, Japanese and Korean words may be mixed."""
    if not may_be_foreign(text):
        return []
    words = _WORD.findall(_compose(text))
    return list(dict.fromkeys(word for word in words if len(_list_scripts(word)) > 1))


def list_disguised_readings(text: str) -> Iterator[str]:
    """Other readings of a name that may hide another one: "С0СА" may be read as "COCA", "S4ndbox" as "Sandbox"; usually none.

    Words in another script whose letters all look like Latin ones are read as Latin. Digits and signs in place of letters are read
    as letters in words of four characters or more, at least half of them letters.
    """
    latin = text
    if may_be_foreign(text):
        unified = unify_scripts(text)
        latin = _WORD.sub(lambda word: _convert(word[0], _LATIN) or word[0], unified)
        if latin != unified:
            yield latin
    if _LEET.search(latin) is not None:
        read = {_read_disguise(latin, one) for one in _ONES}
        yield from sorted(read - {latin})


def _compose(text: str) -> str:
    return INVISIBLE.sub("", unicodedata.normalize("NFC", text))


def _list_scripts(word: str) -> list[str]:
    scripts = dict.fromkeys(script for script in map(_find_script, word) if script is not None)
    return [] if not _EAST_ASIAN.isdisjoint(scripts) else list(scripts)


@lru_cache(maxsize=2**12)
def _unify_word(word: str) -> str:
    scripts = _list_scripts(word)
    if len(scripts) < 2:  # noqa: PLR2004 - one script, or none
        return word
    wanted = [_LATIN, *sorted(scripts, key=lambda script: -sum(_find_script(letter) == script for letter in word))]
    found = (_convert(word, script) for script in dict.fromkeys(wanted))
    # If no script has all letters, those that can be Latin are.
    return next((whole for whole in found if whole is not None), None) or _convert_partly(word)


def _convert(word: str, script: str) -> str | None:
    """The word in letters of one script that look the same; None if the script has not all of them."""
    letters = [letter if _find_script(letter) in {script, None} else _find_lookalike(letter, script) for letter in word]
    return None if None in letters else "".join(letter or "" for letter in letters)


def _convert_partly(word: str) -> str:
    return "".join(_find_lookalike(letter, _LATIN) or letter for letter in word)


def _find_lookalike(letter: str, script: str) -> str | None:
    base, marks = (decomposed := unicodedata.normalize("NFD", letter))[0], decomposed[1:]
    latin = base if base.isascii() else _LOOKALIKES.get(base)
    if latin is None:
        return None
    found = latin if script == _LATIN else _BY_SCRIPT.get((script, latin))
    return None if found is None else unicodedata.normalize("NFC", found + marks)


def _read_disguise(text: str, one: str) -> str:
    """The text with digits and signs read as letters, and the digit one as this letter."""
    return _DISGUISED_WORD.sub(lambda word: _read_digits(word[0], one), text)


def _read_digits(word: str, one: str) -> str:
    disguises: Sequence[str] = _LEET.findall(word)
    letters = sum(map(str.isalpha, word))
    if not disguises or len(word) < _SHORTEST_DISGUISE or letters < len(disguises):
        return word
    return word.replace("1", one).replace("!", one).translate(_DISGUISES)
