"""The names in a name of a listed party: outside and inside of brackets, on both sides of a slash, in two scripts.

Lists print several names in one text where their parser can't be sure that it may be taken apart. A part is only one more way to
read the name, at a small loss; which of its words mean something is decided elsewhere.
"""

import re
from collections.abc import Iterator

from bonafide.matching.transliteration import is_foreign

_BRACKETS = re.compile(r"\(([^()]*)\)")
_KNOWN_AS = re.compile(r"(?:a\.?k\.?a|f\.?k\.?a|formerly|previously|also)\b", re.IGNORECASE)
_LATIN = re.compile(r"[A-Za-z]")
_FEWEST_LETTERS, _FEWEST_OF_SEVERAL = 6, 4
"""Of a part of one word, and of several; a shorter one is an acronym, which others have too."""


def parts_of(text: str) -> list[str]:
    """The names in a name, each once; mostly none."""
    found = dict.fromkeys(part for part in _parts(text) if part != text)
    return [part for part in found if sum(map(str.isalpha, part)) >= (_FEWEST_LETTERS if " " not in part else _FEWEST_OF_SEVERAL)]


def _parts(text: str) -> Iterator[str]:
    if "(" in text:
        yield " ".join(_BRACKETS.sub(" ", text).split())
        yield from (inner for inner in map(str.strip, _BRACKETS.findall(text)) if " " in inner and _KNOWN_AS.match(inner) is None)
    if " / " in text:
        yield from map(str.strip, text.split(" / "))
    if is_foreign(text):
        foreign = [word for word in text.split() if is_foreign(word)]
        # A word of both scripts has a letter that only looks like one of the other: the name is in one script.
        if not any(map(_LATIN.search, foreign)):
            yield " ".join(word for word in text.split() if word not in foreign)
            yield " ".join(foreign)
