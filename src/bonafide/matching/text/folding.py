"""Fold characters to plain lower-case ones: case, accents, ligatures, widths, quotes and dashes, look-alike letters.

It handles characters only; `punctuation` interprets apostrophes and periods inside names.
"""

import re
import unicodedata
from collections.abc import Sequence

from bonafide.matching.text.confusables import APOSTROPHES, LATIN_LOOKALIKES, may_be_foreign, unify_scripts

DASHES = "-‐‑‒–—―−﹘﹣－⁃/⁄∕"
"""A slash joins and separates words like a dash: "Inc./Ltée", "24/7"."""
_KEPT = "'.,-&()"
"""Punctuation that `punctuation` interprets; all other is a space."""
_LETTERS = {
    "œ": "oe", "æ": "ae", "ø": "o", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "ı": "i", "ħ": "h", "ŧ": "t", "ŋ": "n",
    "ə": "e", "ɬ": "l", "ƚ": "l", "ƛ": "l", "ɣ": "g", "ɨ": "i", "ʔ": "", "ʕ": "", "ɂ": "", "ˀ": "",
}  # fmt: skip
"""Letters that Unicode doesn't decompose, and their usual spelling on a keyboard, including letters of First Nations' names."""
_STYLED_LETTER = re.compile(
    r"(?:LATIN LETTER SMALL CAPITAL|NEGATIVE (?:CIRCLED|SQUARED) LATIN CAPITAL LETTER|REGIONAL INDICATOR SYMBOL LETTER) ([A-Z])"
)
"""The names of letters in another form that compatibility decomposition leaves as they are, and the letter."""
_NOT_LETTERS = "™®©℠"
"""Signs that compatibility decomposition would replace by letters ("Acme™" is not "Acmetm")."""
_NUMERO = re.compile(r"\b[nN][°º]|№")
"""The sign for "number", which is "No." on most keyboards."""
_NOT_ASCII = re.compile(r"[^\x00-\x7f]")
_MAX_PASSES = 5
# Default_Ignorable_Code_Point of Unicode beyond the format characters (Cf): invisible and without meaning.
_IGNORABLE = frozenset(
    [0x034F, *range(0x115F, 0x1161), 0x17B4, 0x17B5, *range(0x180B, 0x180F), 0x2065, 0x3164, *range(0xFE00, 0xFE10), 0xFFA0]
)
_IGNORABLE_PLANE = range(0xE0000, 0xE1000)


def _is_ignorable(character: str) -> bool:
    """Whether the character is invisible: a zero-width space or joiner, a soft hyphen, a mark of direction, a variant selector."""
    code = ord(character)
    return unicodedata.category(character) == "Cf" or code in _IGNORABLE or code in _IGNORABLE_PLANE


def _decimal(character: str) -> str:
    digit = unicodedata.decimal(character, None)
    return character if digit is None else str(digit)


def _is_word(character: str) -> bool:
    # Vowel signs of Indic scripts are marks (M), not letters, and belong to the word.
    return unicodedata.category(character)[0] in "LNM"


def _strip_marks(text: str) -> str:
    decomposed = unicodedata.normalize("NFKD", unicodedata.normalize("NFKD", text).casefold())
    # Combining class 0 keeps the vowel signs that make a different word; the others are accents and points.
    return "".join(_spell_letter(character) for character in decomposed if unicodedata.combining(character) == 0)


def _spell_letter(character: str) -> str:
    """The ASCII spelling of a Latin letter, if it has one."""
    styled = _STYLED_LETTER.fullmatch(unicodedata.name(character, ""))
    if styled is not None:
        return styled[1].lower()
    return _LETTERS.get(character, LATIN_LOOKALIKES.get(character, character))


_MEANT: dict[str, str] = {
    **dict.fromkeys(APOSTROPHES, "'"),
    **dict.fromkeys(DASHES, "-"),
    **dict.fromkeys("+＋＆", "&"),
    **dict.fromkeys("[{", "("),
    **dict.fromkeys("]}", ")"),
    **dict.fromkeys(_NOT_LETTERS, " "),
}
"""Characters and the plain one that they represent."""


def _fold_character(character: str) -> str:
    if character in _MEANT:
        return _MEANT[character]
    if _is_ignorable(character):
        return ""
    unmarked = _strip_marks(character)
    if unmarked == "" and (unicodedata.combining(character) != 0 or character.casefold() in _LETTERS):
        return ""
    plain = unicodedata.normalize("NFC", "".join(_decimal(part) for part in unmarked))
    return "".join(part if _is_word(part) or part in _KEPT else " " for part in plain) or " "


class _FoldTable(dict[int, str]):
    """Adds an entry for each character when it first occurs."""

    def __missing__(self, code: int) -> str:
        folded = self[code] = _fold_character(chr(code))
        return folded


_TABLE = _FoldTable()
for _code in range(0x250):  # ASCII and Latin: what nearly every Canadian name is written in
    _TABLE[_code]


def fold(text: str) -> str:
    """The text in plain lower-case characters; of punctuation only `'.,-&()` is kept, all other is a space.

    Letters of other scripts are kept, in lower case and without accents or points, except look-alike letters in words of mixed
    script. Never raises.
    """
    folded = text
    for _ in range(_MAX_PASSES):
        if folded.isascii():
            return folded.translate(_TABLE)
        before = folded
        folded = _NUMERO.sub("no ", unify_scripts(unicodedata.normalize("NFC", folded))).translate(_TABLE)
        # Only letters that are not Latin may have another look-alike once they are folded.
        if folded == before or folded.isascii():
            break
    return folded


_ASCII = bytes(ord(fold(chr(code))) for code in range(0x80)).replace(b"\n", b" ") + bytes(range(0x80, 0x100))
"""The result of `fold` for each ASCII character, which is always one byte."""
_ASCII_LINES = _ASCII[:0x0A] + b"\n" + _ASCII[0x0B:]


def _fold_latin(lines: str) -> str | None:
    """Lines in Latin letters with all characters beyond ASCII folded, as by `fold`; None if other letters occur in between."""
    for _ in range(_MAX_PASSES):
        if may_be_foreign(lines):
            return None
        before = lines
        lines = _NOT_ASCII.sub(_fold_match, _NUMERO.sub("no ", unicodedata.normalize("NFC", lines)))
        if lines == before or lines.isascii():
            break
    return lines


def _fold_match(found: re.Match[str]) -> str:
    return _TABLE[ord(found[0])]


def fold_lines(texts: Sequence[str]) -> str:
    """Each text folded, one per line: as `fold`, but faster for many texts. Line breaks in a text are spaces."""
    lines = "\n".join(texts)
    if not lines.isascii():
        folded = _fold_latin(lines)
        lines = folded if folded is not None else "\n".join([text if text.isascii() else fold(text) for text in texts])
    if lines.count("\n") >= len(texts) > 0:
        lines = "\n".join([fold(text) for text in texts])
    return lines.encode().translate(_ASCII_LINES).decode()
