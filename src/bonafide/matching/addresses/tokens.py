"""An address line as words with their places in the text, so that what is recognised can be shown as it was written.

Commas, line breaks, brackets and semicolons separate the parts of a line. The meaning of words is decided by the parsers.
"""

import re
import unicodedata
from dataclasses import dataclass

from bonafide.matching.text.folding import fold

MAX_CHARACTERS = 400
"""Longer texts are truncated: addresses are shorter, and callers may send anything."""
_TOKEN = re.compile(r"[^\s,#&()-]+(?:(?<=\D)-(?=\D)[^\s,#&()-]+)*|[,#&()-]")
"""A hyphen is inside a word between two letters; beside a digit it is a word of its own ("5-123", "A-021")."""
_STOP = re.compile(r"(?<=\w\w)(?!(?<=\d)\.\d\b)\.-?|\.(?!-?[a-z]\b|(?<=\d\.)\d\b)")
"""A full stop that isn't between two initials ("N.-B.") or before a tenth ("km 1422.5")."""
_TENTHS = re.compile(r"\d+\.\d")
_PARTING = frozenset(",()")
_BLANKS = "".join(character for character in map(chr, range(0x3001)) if character.isspace() or not character.isprintable())
_PARTS = str.maketrans({**dict.fromkeys(_BLANKS, " "), **dict.fromkeys("\r\n;|", ",")})
"""Line breaks separate like commas; other invisible characters are spaces."""


@dataclass(slots=True)
class AddressTokens:
    """The folded words of a line, with their positions in `text`, and whether a separator precedes each."""

    text: str
    words: list[str]
    starts: list[int]
    ends: list[int]
    parted: list[bool]

    def __len__(self) -> int:
        return len(self.words)

    def spelled(self, start: int, end: int) -> str | None:
        """The original text from one word up to another, without surrounding separators; None if it is empty."""
        if start >= end:
            return None
        first, last = self.starts[start], self.ends[end - 1]
        if "." in self.text[self.starts[end - 1] : last] and self.text[last : last + 1] == ".":
            last += 1  # "N.B."
        return self.text[first:last].strip(" ,-") or None

    def cut(self, end: int) -> None:
        """Remove the words from an index on."""
        for column in (self.words, self.starts, self.ends, self.parted):
            del column[end:]


def normalize_text(text: str) -> tuple[str, str]:
    """The text with commas as the only separators, and the same text folded, character by character."""
    text = text[:MAX_CHARACTERS].translate(_PARTS)
    folded = fold(text)
    if not text.isascii():
        text = unicodedata.normalize("NFC", text)
        if len(folded) != len(text):
            text = "".join(map(_fold_character, text))
            folded = fold(text)
    if "#" in text:
        folded = "".join("#" if written == "#" else plain for written, plain in zip(text, folded, strict=False))
    return text, folded


def _fold_character(character: str) -> str:
    """The character, or what it folds to where that is not one: "œ", "½"."""
    plain = fold(character)
    if character == "½":
        return " 1/2"
    return character if len(plain) == 1 else plain


def tokenize_address(text: str, folded: str) -> AddressTokens:
    """The words of a text and its folded form."""
    tokens = AddressTokens(text, [], [], [], [])
    words, starts, ends, parted = tokens.words, tokens.starts, tokens.ends, tokens.parted
    if "." in folded:
        folded = _STOP.sub(lambda found: " " * len(found[0]), folded)
    after_parting = True
    for found in _TOKEN.finditer(folded):
        word = found[0]
        if word in _PARTING:
            after_parting = True
            continue
        words.append(word.replace(".-", "").replace(".", "") if "." in word and _TENTHS.fullmatch(word) is None else word)
        start, end = found.span()
        starts.append(start)
        ends.append(end)
        parted.append(after_parting)
        after_parting = False
    return tokens
