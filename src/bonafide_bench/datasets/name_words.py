"""Split a name into words, and find its legal form and stop words.

Covers how names are written in English and French. `corruptions` has the rules that change a name.
"""

import unicodedata
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class TypedWord:
    """A word as displayed, and the original word it represents: empty if unrecognizable or not part of the name."""

    shown: str
    meant: str

    @property
    def is_sound(self) -> bool:
        """Whether the word is unchanged."""
        return self.shown == self.meant


TypedWords = tuple[TypedWord, ...]

STOP_WORDS = frozenset({
    "a", "an", "and", "at", "au", "aux", "d", "de", "des", "du", "en", "et", "for", "in", "l", "la", "le", "les", "of", "on", "or",
    "ou", "sur", "the", "un", "une", "&",
})  # fmt: skip
"""Connecting words."""
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


def fold_word(word: str) -> str:
    """A word in lower case, without accents and periods."""
    unmarked = "".join(char for char in unicodedata.normalize("NFKD", word) if not unicodedata.combining(char))
    return unmarked.casefold().replace(".", "").strip(",()")


SPELLINGS = {fold_word(form): group for group in _FORM_GROUPS for form in group}
"""All spellings of a legal form, by each of its folded spellings."""
_LONGEST_FORM = max(form.count(" ") for form in SPELLINGS) + 1
_FRENCH = frozenset({"de", "des", "du", "la", "le", "les", "et", "aux", "ltee", "limitee", "enr", "senc", "sencrl", "sec", "cie"})


def split_typed_words(name: str) -> TypedWords:
    """The words of an undisturbed name."""
    return tuple(TypedWord(word, word) for word in name.split())


def is_probably_french(words: TypedWords) -> bool:
    """Whether the name contains an accent or a French stop word."""
    return any(not word.meant.isascii() or fold_word(word.meant) in _FRENCH for word in words)


def count_body_words(words: TypedWords) -> int:
    """The number of words before the closing legal form."""
    for length in range(min(_LONGEST_FORM, len(words) - 1), 0, -1):
        if " ".join(fold_word(word.shown) for word in words[-length:]) in SPELLINGS:
            return len(words) - length
    return len(words)


def find_unchanged_words(words: TypedWords, letters: int) -> list[int]:
    """Positions of unchanged words with at least this many letters, without legal forms."""
    return [
        at
        for at, word in enumerate(words[: count_body_words(words)])
        if word.is_sound and word.shown.isalpha() and len(word.shown) >= letters
    ]


def find_distinctive_words(words: TypedWords) -> list[int]:
    """Positions of words that are neither stop words nor legal forms."""
    return [
        at for at, word in enumerate(words[: count_body_words(words)]) if word.is_sound and fold_word(word.shown) not in STOP_WORDS
    ]


def replace_words(words: TypedWords, at: int, *instead: TypedWord, over: int = 1) -> TypedWords:
    """Replace `over` words at a position with others."""
    return (*words[:at], *instead, *words[at + over :])


def match_capitals(pattern: str, word: str) -> str:
    """A word with the capitalization of another."""
    return word.upper() if pattern.isupper() and len(pattern) > 1 else word
