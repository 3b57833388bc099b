"""Which characters a document can show, and how it writes those that it can't.

A PDF/A may not hold a character without a glyph, and a reader must see what a name really holds. Characters that are not in
`characters.yml`, the list of what the embedded fonts have, and invisible ones are written by their code points. Nothing is dropped
or transliterated.
"""

import re
import unicodedata
from collections.abc import Mapping
from typing import Any

from bonafide.package_data import read_yaml

_NO_BREAK_SPACES = "\u00a0\u202f"
"""French sets them before its high punctuation; any other space is printed as a plain one."""
_SPACE = re.compile(rf"[^\S{_NO_BREAK_SPACES}]")


MAX_MARKS = 3
"""On one letter; a pile of them hides the lines above and below."""


def _build_character_class(ranges: list[str]) -> str:
    """Ranges like `0300-033F` as the inside of a character class."""
    return "".join(rf"\U{first:0>8}-\U{last:0>8}" for first, last in (pair.split("-") for pair in ranges))


def _compile_undisplayable() -> re.Pattern[str]:
    scripts = {script: _build_character_class(ranges) for script, ranges in read_yaml(__package__, "characters.yml").items()}
    marks = scripts["marks"]
    return re.compile(f"[^{''.join(scripts.values())}]+|(?<=[{marks}]{{{MAX_MARKS}}})[{marks}]+")


_UNDISPLAYABLE = _compile_undisplayable()


def _format_code_points(hidden: re.Match[str]) -> str:
    return f"⟨{' '.join(f'U+{ord(character):04X}' for character in hidden[0])}⟩"


def escape_undisplayable(text: str) -> str:
    """The text with each run of characters that can't be shown written as `⟨U+1403 U+14C4⟩`."""
    return _UNDISPLAYABLE.sub(_format_code_points, _SPACE.sub(" ", unicodedata.normalize("NFC", text)))


def escape_value(value: Any) -> Any:
    """A JSON value with all of its texts in characters that can be shown; keys stay as they are."""
    if isinstance(value, str):
        return escape_undisplayable(value)
    if isinstance(value, Mapping):
        return {key: escape_value(item) for key, item in value.items()}
    return [escape_value(item) for item in value] if isinstance(value, list) else value
