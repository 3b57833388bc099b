"""How the feed and the regulations write a group: abbreviations, translations and spellings in brackets behind each name.

A bracket of several words is another name of the group, one word is an abbreviation or a single spelling and tells little alone.
"""

import re
from collections.abc import Iterable, Iterator

from bonafide.sources.shared.lists.name_variants import MIN_LONE_LENGTH, strip_quotes

_BRACKET = re.compile(r"\s*\(([^()]*)\)")
_WITHIN = re.compile(r"\s*[,;/]\s*")
MAX_INITIALS = 3
"""Capital letters alone up to so many ("HM", "AWD") are weak, whoever lists them: half the world has such initials."""


def strip_brackets(text: str) -> str:
    """The name without its brackets; the whole where nothing else is left."""
    return " ".join(_BRACKET.sub("", text).split()) or text


def generate_name_forms(texts: Iterable[str]) -> Iterator[tuple[str, bool]]:
    """Every name in the texts, the main one first, each with whether it is weak: without its brackets, then what those hold."""
    for place, text in enumerate(texts):
        name = strip_brackets(text)
        yield name, _is_initials(name)
        for found in _BRACKET.finditer(text):
            if " " not in found[1]:
                yield from _generate_one_word_forms(found[1], is_main=place == 0)
                continue
            pieces = [strip_quotes(piece) for piece in _WITHIN.split(found[1])]
            yield from ((piece, False) for piece in pieces if " " in piece)
            yield from (form for piece in pieces if " " not in piece for form in _generate_one_word_forms(piece, is_main=False))


def _generate_one_word_forms(word: str, *, is_main: bool) -> Iterator[tuple[str, bool]]:
    """An abbreviation, always weak; behind the main name any other word for the group too, but nowhere a mere spelling."""
    shouted = sum(map(str.isupper, word)) >= sum(map(str.islower, word))
    if len(word) >= MIN_LONE_LENGTH and (shouted or (is_main and word[0].isupper())):
        yield word, True


def _is_initials(name: str) -> bool:
    return name.isalpha() and name.isupper() and len(name) <= MAX_INITIALS
