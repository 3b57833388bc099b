"""Find postal codes in address lines, valid or mistyped, and compare them.

Of a valid code, only the format and the letters are checked. A mistyped code has a letter in place of a digit or the reverse, or a
character too few. It is recognised only where a postal code may be, so that the city and the province before it are found.
"""

import re
from typing import NamedTuple

from rapidfuzz.distance import OSA

from bonafide.i18n.message import Message
from bonafide.matching.addresses import terms
from bonafide.matching.scoring import score_parameters
from bonafide.matching.text.folding import fold

_FIRST, _LATER = "abceghjklmnprstvxy", "abceghjklmnprstvwxyz"
_POSTAL_CODE = re.compile(rf"\b[{_FIRST}]\d[{_LATER}](?: ?- ?| {{0,2}})\d[{_LATER}]\d\b")
"""A postal code in a folded text: with a space, a hyphen or nothing in its middle."""
_COMPACT = re.compile(rf"[{_FIRST}]\d[{_LATER}]\d[{_LATER}]\d")
_NEARLY = re.compile(
    r"(?<![\w'.])(?=[a-z]{0,3}[ -]{0,3}[a-z]{0,2}\d)(?=(?P<area>[a-z\d]{2,4})(?: ?- ?| {0,2})(?P<unit>[a-z\d]{1,3})(?!\w))"
)
"""Five or six characters that may be a mistyped code, at each beginning of a word."""
_SHAPE = "ldldld"
"""Letters and digits of a code, in turn."""
_CUT_SHAPES = frozenset(_SHAPE[:place] + _SHAPE[place + 1 :] for place in range(len(_SHAPE)))
_TO_DIGIT = dict(zip("odqilzsgb", "000112568", strict=True))
_TO_LETTER = dict(zip("12568", "lzsgb", strict=True))
"""Characters that are read or typed for each other."""
_FEWEST_DIGITS, _MOST_LOOK_ALIKES = 2, 2
_OTHER_WORDS = frozenset(
    {"po", "box", "bag", "rr", "lot", "no", *terms.TYPES, *terms.DIRECTIONS, *terms.UNITS, *terms.BUILDINGS, *terms.FLOORS}
    | {*terms.LEVELS, *terms.STATIONS, *terms.RURAL}
)
"""Words before a number that is not a postal code: "Box 5A1"."""
_LONGEST_REGION = max(len(name.split()) for name in (*terms.PROVINCES, *terms.COUNTRIES))
_AREA_CHARACTERS = 3


class PostalCodeSpan(NamedTuple):
    """The start and the end of a postal code in a text."""

    start: int
    end: int


def find_postal_code(folded: str) -> PostalCodeSpan | None:
    """The first valid postal code in a folded line, otherwise the last mistyped one; None if there is neither."""
    valid = _POSTAL_CODE.search(folded)
    if valid is not None:
        return PostalCodeSpan(*valid.span())
    for found in reversed(list(_NEARLY.finditer(folded))):
        if _is_nearly_code(found["area"] + found["unit"]) and _is_mistyped(folded, found):
            return PostalCodeSpan(found.start(), found.end("unit"))
    return None


def _is_mistyped(folded: str, found: re.Match[str]) -> bool:
    """Whether a text with the shape of a mistyped code is where a code may be: at the end, or before the city."""
    compact = found["area"] + found["unit"]
    before, behind = folded[: found.start()].rstrip(" "), folded[found.end("unit") :].strip(" ,.\r\n")
    if _ends_with_province(before) and (behind == "" or terms.parse_address_country(behind) is not None):
        return True
    if found["area"] in _OTHER_WORDS or not compact[0].isalpha():
        return False
    begins_part = before == "" or before[-1] in ",\r\n)"
    if behind == "" or terms.parse_address_country(behind) is not None:
        return begins_part or len(compact) == len(_SHAPE)
    # Before a city; "B4B-492 Main St" is a unit and a street number.
    is_cut = len(compact) < len(_SHAPE) and any(map(str.isdigit, found["area"]))
    is_likely = is_cut or suggest_postal_code(compact) is not None
    has_hyphen = "-" in folded[found.start() : found.end("unit")]
    return before != "" and begins_part and is_likely and not has_hyphen and behind[0].isalpha()


def _ends_with_province(text: str) -> bool:
    words = text.replace(",", " ").replace("(", " ").replace(")", " ").split()
    return any(terms.parse_province_code(" ".join(words[-count:])) is not None for count in range(1, _LONGEST_REGION + 1))


def _is_nearly_code(compact: str) -> bool:
    """Whether characters have the shape of a code without one of them, or with some letters for digits or the reverse."""
    if not len(_SHAPE) - 1 <= len(compact) <= len(_SHAPE):
        return False
    shape = "".join(["d" if character.isdigit() else "l" for character in compact])
    if len(compact) == len(_SHAPE) - 1:
        return shape in _CUT_SHAPES
    if shape.count("d") < _FEWEST_DIGITS:
        return False
    wrong = [place for place in range(len(_SHAPE)) if shape[place] != _SHAPE[place]]
    return len(wrong) <= 1 or (len(wrong) <= _MOST_LOOK_ALIKES and suggest_postal_code(compact) is not None)


def suggest_postal_code(text: str) -> str | None:
    """The valid code that a mistyped one may mean, with characters that look alike replaced ("M5V 2TO" is `M5V 2T0`); else None."""
    compact = _strip_spaces(text)
    if len(compact) != len(_SHAPE):
        return None
    replaced = "".join(
        (_TO_DIGIT if kind == "d" else _TO_LETTER).get(character, character) if character.isdigit() != (kind == "d") else character
        for character, kind in zip(compact, _SHAPE, strict=True)
    )
    return format_postal_code(replaced) if replaced != compact and _COMPACT.fullmatch(replaced) is not None else None


def format_postal_code(code: str) -> str:
    """The code in capitals with its space (`K2K 3G4`); a text of another format is unchanged."""
    compact = _strip_spaces(code)
    return f"{compact[:_AREA_CHARACTERS]} {compact[_AREA_CHARACTERS:]}".upper() if _COMPACT.fullmatch(compact) is not None else code


_SAME_POSTAL_CODE = Message("same postal code")
_MISTYPED = Message("“{mistyped}” is not a postal code; one character differs from {code}")
_LOOK_ALIKE = Message("“{mistyped}” is not a postal code; it looks like {code}")


def compare_postal_codes(requested: str, found: str) -> tuple[float, Message]:
    """1 for the same code, `MISTYPED_POSTAL_CODE` for a code and an invalid one that differs in one character or in look-alikes.

    `SAME_AREA` for another valid code of the same delivery area, otherwise 0; with the reason.
    """
    one, other = _strip_spaces(requested), _strip_spaces(found)
    if one == other:
        return 1.0, _SAME_POSTAL_CODE
    is_valid, is_other_valid = (_COMPACT.fullmatch(code) is not None for code in (one, other))
    if is_valid != is_other_valid:
        return _compare_mistyped(*((found, requested) if is_valid else (requested, found)), requested, found)
    area = one[:_AREA_CHARACTERS]
    if is_valid and area == other[:_AREA_CHARACTERS]:
        return score_parameters.SAME_AREA, Message("different code in the same delivery area {area}", area=area.upper())
    return _compare_other(requested, found)


def _compare_mistyped(mistyped: str, code: str, requested: str, found: str) -> tuple[float, Message]:
    valid = format_postal_code(code)
    if suggest_postal_code(mistyped) == valid:
        return score_parameters.MISTYPED_POSTAL_CODE, _LOOK_ALIKE.fill(mistyped=mistyped, code=valid)
    if OSA.distance(_strip_spaces(mistyped), _strip_spaces(code), score_cutoff=1) <= 1:
        return score_parameters.MISTYPED_POSTAL_CODE, _MISTYPED.fill(mistyped=mistyped, code=valid)
    return _compare_other(requested, found)


def _compare_other(requested: str, found: str) -> tuple[float, Message]:
    return 0.0, Message("{found} instead of {submitted}", submitted=requested, found=found)


def _strip_spaces(text: str) -> str:
    return "".join(filter(str.isalnum, fold(text)))
