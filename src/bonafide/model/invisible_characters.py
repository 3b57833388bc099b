"""Find and remove invisible characters in names: marks of direction, zero-width characters, fillers, variation selectors.

They change how a name is displayed, or how it compares, without being seen. Requests that store a name are refused if it has one;
screenings and searches remove them and warn; names from sources are cleaned when they are loaded.
"""

import re
import unicodedata

INVISIBLE = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2028-\u202e\u2060-\u206f\u2800\u3164\ufe00-\ufe0f"
    "\ufeff\uffa0\ufff9-\ufffb\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff]"
)
"""One character that is not displayed: Default_Ignorable_Code_Point of Unicode, format characters and blanks that are no spaces."""
_BLANKS = frozenset("\u2028\u2029\u2800")
"""Invisible characters that separate words."""
_JOINERS = frozenset("\u200c\u200d")
"""They join or separate letters in the spelling of Persian, of languages of India and of others, and parts of emoji."""
_EMOJI_SELECTORS = frozenset("\ufe0e\ufe0f")
_FIRST_JOINED = "\u0600"
"""The first script whose spelling uses joiners."""


def find_invisible_characters(text: str) -> list[str]:
    """The invisible characters of a text as code points ("U+202E"), in order, each once.

    Omitted are joiners between letters of scripts that use them, and the selectors and joiners of emoji.
    """
    if text.isascii():
        return []
    found = (match for match in INVISIBLE.finditer(text) if not _is_spelling(text, match.start()))
    return list(dict.fromkeys(f"U+{ord(match[0]):04X}" for match in found))


def remove_invisible_characters(text: str) -> str:
    """The text without the characters that `find_invisible_characters` finds, trimmed if there were any."""
    if text.isascii() or not find_invisible_characters(text):
        return text
    return INVISIBLE.sub(_remove, text).strip()


def _remove(match: re.Match[str]) -> str:
    if match[0] in _BLANKS:
        return " "
    return match[0] if _is_spelling(match.string, match.start()) else ""


def _is_spelling(text: str, place: int) -> bool:
    """Whether the invisible character at `place` belongs to the spelling of a word or to an emoji."""
    before, after = text[place - 1 : place], text[place + 1 : place + 2]
    if text[place] in _EMOJI_SELECTORS:
        return _is_symbol(before)
    if text[place] not in _JOINERS:
        return False
    is_within_word = before >= _FIRST_JOINED and after >= _FIRST_JOINED and _is_letter(before) and _is_letter(after)
    return is_within_word or ((_is_symbol(before) or before in _EMOJI_SELECTORS) and _is_symbol(after))


def _is_letter(character: str) -> bool:
    return character != "" and unicodedata.category(character)[0] in "LM"


def _is_symbol(character: str) -> bool:
    return character != "" and unicodedata.category(character)[0] == "S"
