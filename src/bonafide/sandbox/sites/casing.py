"""Names in capitals, as registers keep many, in the letters of a person who writes a site. It changes no other name."""

import re

_SMALL = frozenset({"and", "of", "the", "et", "de", "des", "du", "la", "le", "les", "en", "chez"})
_VOWELS = frozenset("AEIOUYÉÈ")
_WORD = re.compile(r"\w+(?:'S\b)?")


def cased(name: str) -> str:
    """The same name in small letters: `Fraser and Sons CNC Ltd.` for `FRASER AND SONS CNC LTD.`, initials kept."""
    if not name.isupper():
        return name
    written = _WORD.sub(lambda word: _cased(word[0]), name)
    return written[0].upper() + written[1:]


def _cased(word: str) -> str:
    if word.lower() in _SMALL:
        return word.lower()
    # Initials have no vowel, or are too short to be a word.
    initials = word not in {"LTD", "CORP"} and len(word) <= 4 and (_VOWELS.isdisjoint(word) or len(word) == 1)  # noqa: PLR2004
    return word if initials else word.capitalize()
