"""Normalize a registration number to its register's form before a live query.

Whether it has given it is for the register to say.
"""

from bonafide.errors import InvalidInput
from bonafide.matching.identifiers.number_formats import NUMBER_FORMATS, detect_number_types
from bonafide.matching.identifiers.number_labels import NumberType
from bonafide.matching.identifiers.number_matching import build_number_keys


def normalize_number(text: str, kind: NumberType) -> str | None:
    """The number without what stands around it (`NT 500-152`); None where it has another form or says that it is another kind."""
    stated = detect_number_types(text)
    if stated and kind not in stated:
        return None
    return next((key for key in sorted(build_number_keys(text)) if NUMBER_FORMATS[kind].fits(key)), None)


def require_number(text: str, kind: NumberType) -> str:
    """The same. Raises `InvalidInput` where the register can't have given it."""
    number = normalize_number(text, kind)
    if number is None:
        raise InvalidInput(f"{text!r} is not {NUMBER_FORMATS[kind].title}, which has {NUMBER_FORMATS[kind].form}")
    return number
