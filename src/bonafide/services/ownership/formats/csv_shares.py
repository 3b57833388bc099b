"""Shares as people write them in a sheet: `40 %`, `25-50%`, `>25%`, `at most 10%`. A number without a unit is in percent.

A number below 1 without a percent sign is refused, and 1 alone: a sheet may hold 0.4 for 40 % and for 0.4 %.
"""

import re
from decimal import Decimal
from typing import Any

from bonafide.i18n.message import Message
from bonafide.model.ownership.statement import ShareBand

_SEPARATOR = re.compile(r"\s*(?:[-–—]|\b(?:to|and|à|et)\b)\s*")
# The smallest fraction has 326 decimals in percent.
_END = re.compile(r"(?P<sign>>=|<=|[<>≥≤])?\s*(?P<number>\d{1,3}(?:[.,]\d{1,400})?)\s*%?")
_WORDS = (
    (re.compile(r"\b(?:more than|plus de)\b"), ">"),
    (re.compile(r"\b(?:less than|moins de)\b"), "<"),
    (re.compile(r"\b(?:at least|au moins)\b"), ">="),
    (re.compile(r"\b(?:at most|au plus)\b"), "<="),
)
_LOW_SIGNS = frozenset({">", ">=", "≥"})
_HIGH_SIGNS = frozenset({"<", "<=", "≤"})
_OPEN = frozenset({"<", ">"})
_MAX_ENDS = 2


def parse_share(text: str) -> dict[str, Any]:
    """The fields of a `ShareBand`. Raises `ValueError` with a `Message`."""
    plain = text.strip().casefold()
    for words, sign in _WORDS:
        plain = words.sub(sign, plain)
    ends = [_END.fullmatch(part) for part in _SEPARATOR.split(plain)]
    found = [(end["sign"] or "", Decimal(end["number"].replace(",", "."))) for end in ends if end is not None]
    if len(found) != len(ends) or len(found) > _MAX_ENDS:
        raise ValueError(Message("must be a percentage or a band of percentages, such as 40%, 25%-50% or >25%"))
    numbers = [number for _, number in found]
    if "%" not in plain and (any(0 < number < 1 for number in numbers) or 0 < max(numbers) <= 1):
        raise ValueError(Message("may be a fraction or a percentage: write the sign %"))
    if max(numbers) > 100:  # noqa: PLR2004 - percent
        raise ValueError(Message("must be at most 100 %"))
    return _build_band(found) if len(found) == _MAX_ENDS else _build_end(*found[0])


def _build_band(ends: list[tuple[str, Decimal]]) -> dict[str, Any]:
    (low_sign, low), (high_sign, high) = ends
    if low_sign in _HIGH_SIGNS or high_sign in _LOW_SIGNS:
        raise ValueError(Message("must be a percentage or a band of percentages, such as 40%, 25%-50% or >25%"))
    return {
        "min": float(low / 100),
        "max": float(high / 100),
        "exclusiveMin": low_sign in _OPEN,
        "exclusiveMax": high_sign in _OPEN,
    }


def _build_end(sign: str, number: Decimal) -> dict[str, Any]:
    fraction = float(number / 100)
    if sign in _LOW_SIGNS:
        return {"min": fraction, "exclusiveMin": sign in _OPEN}
    if sign in _HIGH_SIGNS:
        return {"max": fraction, "exclusiveMax": sign in _OPEN}
    return {"exact": fraction}


def format_share(share: ShareBand) -> str:
    """The share as `parse_share` reads it."""
    if share.exact is not None:
        return format_percent(share.exact)
    low = f"{'>' if share.exclusive_min else '>='}{format_percent(share.min)}" if share.min is not None else ""
    high = f"{'<' if share.exclusive_max else '<='}{format_percent(share.max)}" if share.max is not None else ""
    return f"{low} - {high}" if low and high else low or high


def format_percent(fraction: float) -> str:
    """A fraction as a percentage without needless digits: `57%`."""
    text = f"{Decimal(repr(fraction)) * 100:f}"
    return f"{text.rstrip('0').rstrip('.') if '.' in text else text}%"
