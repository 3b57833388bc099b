"""Split names as sanctions lists print them: quotation marks, abbreviations in brackets, several scripts.

A text that may as well be one name stays whole. What a list means by "strong" and "weak" is the list's business.
"""

import re
import unicodedata
from collections.abc import Iterator

from bonafide.matching.text.folding import fold

_BRACKET = re.compile(r"\s*\(([^()]*)\)")
_ABBREVIATION = re.compile(r"[^\W\d_][^\W_]*(?:[-/.][^\W_]+)*")
_LETTERS = range(2, 11)
"""Of an abbreviation that stands behind the name that it is short for."""
MIN_LONE_LENGTH = 3
"""Letters of an abbreviation that is worth finding alone: two are the initials of half the world."""
_ARTICLE = re.compile(r"(?:the|a|la|le|les|los|el|al)[ -]", re.IGNORECASE)
"""It may count in the abbreviation or not: Al-Example in Yemen is AEY, El Ejemplo del Sur EDS."""
_QUOTES = "“”\"„«»‘’'` "


def strip_quotes(text: str) -> str:
    """Without the quotation marks that enclose all of it: “The Butcher” is The Butcher, but Al-Basha'ir keeps its mark."""
    stripped = text.strip()
    return stripped.strip(_QUOTES) if stripped[:1] in _QUOTES and stripped[-1:] in _QUOTES else stripped


def expand_bracket_forms(name: str) -> Iterator[tuple[str, bool]]:
    """Other ways to write a name with its abbreviation in brackets, each with whether it is the bare abbreviation.

    `Global Example Fund (GEF)` is also `Global Example Fund` and `GEF`. Brackets that hold anything else give nothing.
    """
    short: list[str] = []
    plain = name
    for found in _BRACKET.finditer(name):
        if is_abbreviation(found[1], name[: found.start()]):
            short.append(found[1])
            plain = plain.replace(found[0], "", 1)
    if short:
        yield " ".join(plain.split()), False
        yield from ((text, True) for text in short if len(_keep_letters(text)) >= MIN_LONE_LENGTH)


def is_abbreviation(text: str, name: str) -> bool:
    """Whether the text can be short for the name: one word whose letters stand in it in order, beginning with its first letter."""
    short = _keep_letters(text)
    if _ABBREVIATION.fullmatch(text) is None or len(short) not in _LETTERS or not _is_mostly_upper(text):
        return False
    return _contains_in_order(_keep_letters(name), short) or _contains_in_order(
        _keep_letters(_ARTICLE.sub("", name.strip())), short
    )


def _contains_in_order(letters: str, short: str) -> bool:
    left = iter(letters)
    return letters[:1] == short[0] and all(letter in left for letter in short)


def _is_mostly_upper(text: str) -> bool:
    """Whether capitals outweigh the small letters, as in `HuM` and `AAS-T`."""
    return sum(map(str.isupper, text)) >= sum(map(str.islower, text))


def _keep_letters(text: str) -> str:
    return "".join(character for character in fold(text) if character.isalpha())


def split_by_script(text: str) -> list[str]:
    """A text in Latin letters and in another script as two names; any other text whole.

    `Anna Example (Анна)` and `Anna Example Анна` are `Anna Example` and `Анна`.
    """
    runs: list[tuple[bool, str]] = []
    for word in text.replace("(", " ( ").replace(")", " ) ").split():
        latin = _is_latin(word)
        if latin is None:
            continue
        if runs and runs[-1][0] == latin:
            runs[-1] = latin, f"{runs[-1][1]} {word}"
        else:
            runs.append((latin, word))
    return [run for _, run in runs] if len(runs) > 1 else [text]


def _is_latin(word: str) -> bool | None:
    """By the first letter; None for a word without letters."""
    letter = next((character for character in word if character.isalpha()), None)
    return unicodedata.name(letter, "").startswith("LATIN") if letter is not None else None
