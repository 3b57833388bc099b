"""Estimate the width of text, and break it into lines, without knowing the font that displays it."""

import unicodedata
from collections.abc import Iterator

_NARROW = frozenset("iljtfrI.,:;'’|!()[]{}/\\-· \u00a0\u202f")
_WIDE = frozenset("mwMWŒœÆæ@%&—…")
_WIDTH_NARROW, _WIDTH_WIDE, _WIDTH_CAPITAL, _WIDTH = 0.38, 0.96, 0.72, 0.61
"""In units of the font size: those of DejaVu Sans, which is one of the widest sans-serif fonts."""
BOLD = 1.12
"""How much wider bold letters are."""
ELLIPSIS = "…"


def estimate_width(text: str, size: float, *, is_bold: bool = False) -> float:
    """The width of a text in a font of this size: rather too much than too little."""
    return sum(map(_estimate_character, text)) * size * (BOLD if is_bold else 1.0)


def _estimate_character(character: str) -> float:
    if unicodedata.combining(character):
        return 0.0
    if unicodedata.east_asian_width(character) in {"W", "F"}:
        return 1.0
    if character in _NARROW:
        return _WIDTH_NARROW
    if character in _WIDE:
        return _WIDTH_WIDE
    return _WIDTH_CAPITAL if character.isupper() else _WIDTH


def wrap_text(text: str, size: float, width: float, max_lines: int) -> list[str]:
    """The text in lines of at most this width, and at most `max_lines`; the last one ends in an ellipsis if text is left out."""
    lines: list[str] = []
    line = ""
    for word in _split_words(text, size, width):
        longer = f"{line} {word}" if line else word
        if line and estimate_width(longer, size) > width:
            lines.append(line)
            line = word
        else:
            line = longer
    lines.append(line)
    if len(lines) <= max_lines:
        return lines
    return [*lines[: max_lines - 1], _shorten(lines[max_lines - 1], size, width)]


def _split_words(text: str, size: float, width: float) -> Iterator[str]:
    """The words; one that is wider than a line is split."""
    for word in text.split():
        part = ""
        for character in word:
            if part and estimate_width(part + character, size) > width:
                yield part
                part = ""
            part += character
        yield part


def _shorten(line: str, size: float, width: float) -> str:
    while line and estimate_width(line + ELLIPSIS, size) > width:
        line = line[:-1]
    return line + ELLIPSIS
