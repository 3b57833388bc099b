"""Characters from any keyboard, folded to plain ones: case, accents, ligatures, widths, quotes and dashes.

It knows characters, not words: what an apostrophe or a full stop means inside a name is decided in `names`.
"""

import unicodedata

APOSTROPHES = "'’‘‛ʼ′´`＇ʹ"
DASHES = "-‐‑‒–—―−﹣－/⁄∕"
"""A slash joins and separates words as a dash does: "Inc./Ltée", "24/7"."""
_KEPT = "'.,-&()"
"""Punctuation that still means something to `names`; all other is a space."""
_LETTERS = {
    "œ": "oe", "æ": "ae", "ø": "o", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "ı": "i", "ħ": "h", "ŧ": "t", "ŋ": "n",
}  # fmt: skip
"""Letters that Unicode doesn't decompose, though keyboards without them write them so."""
_NOT_LETTERS = "™®©℠"
"""Signs that compatibility decomposition would turn into letters ("Acme™" is not "Acmetm")."""


def _decimal(character: str) -> str:
    digit = unicodedata.decimal(character, None)
    return character if digit is None else str(digit)


def _is_word(character: str) -> bool:
    # Vowel signs of Indic scripts are marks (M), not letters, and belong to the word.
    return unicodedata.category(character)[0] in "LNM"


def _unmarked(text: str) -> str:
    decomposed = unicodedata.normalize("NFKD", unicodedata.normalize("NFKD", text).casefold())
    # Combining class 0 keeps the vowel signs that make a different word; the others are accents and points.
    return "".join(_LETTERS.get(character, character) for character in decomposed if unicodedata.combining(character) == 0)


def _folded(character: str) -> str:
    if character in APOSTROPHES:
        return "'"
    if character in DASHES:
        return "-"
    if character in "+＋＆":
        return "&"
    if character in _NOT_LETTERS:
        return " "
    unmarked = _unmarked(character)
    if unmarked == "" and unicodedata.combining(character) != 0:
        return ""
    plain = unicodedata.normalize("NFC", "".join(_decimal(part) for part in unmarked))
    return "".join(part if _is_word(part) or part in _KEPT else " " for part in plain) or " "


class _FoldTable(dict[int, str]):
    """Fills itself: at most one entry for each character of Unicode, made when the character is first seen."""

    def __missing__(self, code: int) -> str:
        folded = self[code] = _folded(chr(code))
        return folded


_TABLE = _FoldTable()
for _code in range(0x250):  # ASCII and Latin: what nearly every Canadian name is written in
    _TABLE[_code]


def fold(text: str) -> str:
    """The text in plain lower-case characters; of punctuation only `'.,-&()` is left, all other is a space.

    Letters of scripts without a Latin form are kept, in lower case and without accents or points. Never raises.
    """
    if text.isascii():
        return text.translate(_TABLE)
    return unicodedata.normalize("NFC", text).translate(_TABLE)
