"""Canadian postal codes: found in a folded line, in one spelling, compared.

Only the shape is judged, with the letters that the post uses; that a code exists, and where, is not known here.
"""

import re

from bonafide.matching.scoring import score_parameters
from bonafide.matching.text.folding import fold

_FIRST, _LATER = "abceghjklmnprstvxy", "abceghjklmnprstvwxyz"
POSTAL_CODE = re.compile(rf"\b[{_FIRST}]\d[{_LATER}](?: ?- ?| {{0,2}})\d[{_LATER}]\d\b")
"""A postal code in a folded text: with a space, a hyphen or nothing in its middle."""
_COMPACT = re.compile(rf"[{_FIRST}]\d[{_LATER}]\d[{_LATER}]\d")
_AREA_CHARACTERS = 3


def format_postal_code(code: str) -> str:
    """The code in capitals with its space (`K2K 3G4`); what has not its shape as it is."""
    compact = _strip_spaces(code)
    return f"{compact[:_AREA_CHARACTERS]} {compact[_AREA_CHARACTERS:]}".upper() if _COMPACT.fullmatch(compact) is not None else code


def compare_postal_codes(asked: str, found: str) -> tuple[float, str]:
    """1 for the same code, `SAME_AREA` for another one of the same delivery area, else 0; and why."""
    one, other = _strip_spaces(asked), _strip_spaces(found)
    if one == other:
        return 1.0, "same postal code"
    area = one[:_AREA_CHARACTERS]
    if area == other[:_AREA_CHARACTERS] and _COMPACT.fullmatch(one) is not None and _COMPACT.fullmatch(other) is not None:
        return score_parameters.SAME_AREA, f"same delivery area {area.upper()}, other code"
    return 0.0, f"{found} instead of {asked}"


def _strip_spaces(text: str) -> str:
    return "".join(filter(str.isalnum, fold(text)))
