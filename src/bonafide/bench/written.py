"""A name taken apart into words, each with what it stands for; where its legal form begins, and which of its words are little.

It knows how names are written in English and French. What may happen to one stands in `disturb`.
"""

import unicodedata
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Word:
    """A word as it is shown, and what it stands for: empty when nobody could tell, or when it is no word of the name."""

    shown: str
    meant: str

    @property
    def is_sound(self) -> bool:
        """Whether nothing has happened to it."""
        return self.shown == self.meant


Words = tuple[Word, ...]

LITTLE = frozenset({
    "a", "an", "and", "at", "au", "aux", "d", "de", "des", "du", "en", "et", "for", "in", "l", "la", "le", "les", "of", "on", "or",
    "ou", "sur", "the", "un", "une", "&",
})  # fmt: skip
"""Words that hold others together."""
_FORM_GROUPS = (
    ("Inc.", "Incorporated", "Incorporée", "Inc"),
    ("Ltd.", "Limited", "Ltée", "Limitée", "Ltd"),
    ("Corp.", "Corporation", "Corp"),
    ("Co.", "Company", "Cie", "Compagnie"),
    ("LLP", "L.L.P.", "S.E.N.C.R.L.", "Limited Liability Partnership"),
    ("LP", "L.P.", "S.E.C.", "Limited Partnership", "Société en commandite"),
    ("ULC", "U.L.C.", "Unlimited Liability Company"),
    ("S.E.N.C.", "General Partnership", "Société en nom collectif"),
)


def folded(word: str) -> str:
    """A word in small letters without accents and full stops."""
    unmarked = "".join(char for char in unicodedata.normalize("NFKD", word) if not unicodedata.combining(char))
    return unmarked.casefold().replace(".", "").strip(",()")


SPELLINGS = {folded(form): group for group in _FORM_GROUPS for form in group}
"""The spellings of each legal form, by any of them, folded."""
_LONGEST_FORM = max(form.count(" ") for form in SPELLINGS) + 1
_FRENCH = frozenset({"de", "des", "du", "la", "le", "les", "et", "aux", "ltee", "limitee", "enr", "senc", "sencrl", "sec", "cie"})


def looks_french(words: Words) -> bool:
    """Whether the name has an accent or a little word of French."""
    return any(not word.meant.isascii() or folded(word.meant) in _FRENCH for word in words)


def body_length(words: Words) -> int:
    """How many words stand before the legal form at the end."""
    for length in range(min(_LONGEST_FORM, len(words) - 1), 0, -1):
        if " ".join(folded(word.shown) for word in words[-length:]) in SPELLINGS:
            return len(words) - length
    return len(words)


def sound_places(words: Words, letters: int) -> list[int]:
    """Where sound words of at least so many letters stand, legal forms apart."""
    return [
        at
        for at, word in enumerate(words[: body_length(words)])
        if word.is_sound and word.shown.isalpha() and len(word.shown) >= letters
    ]


def telling_places(words: Words) -> list[int]:
    """Where words stand that are neither little nor a legal form."""
    return [at for at, word in enumerate(words[: body_length(words)]) if word.is_sound and folded(word.shown) not in LITTLE]


def put(words: Words, at: int, *instead: Word, over: int = 1) -> Words:
    """The words with others instead of those at a place; `over` is how many make room."""
    return (*words[:at], *instead, *words[at + over :])


def in_capitals_of(pattern: str, word: str) -> str:
    """A word in the capitals of another."""
    return word.upper() if pattern.isupper() and len(pattern) > 1 else word
