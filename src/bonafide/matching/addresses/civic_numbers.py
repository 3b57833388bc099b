"""Parse the number at the start of a street line: "123", "5-123", "123 1/2", "8392-8398".

"123 10 Ave SW" has a street named 10, "800 123 Main St" a unit. `designators` parses units with a designator.
"""

import re
from dataclasses import dataclass

from bonafide.matching.addresses import terms
from bonafide.matching.addresses.designators import ORDINAL, normalize_unit
from bonafide.matching.addresses.tokens import AddressTokens

VALUE = re.compile(r"[a-z]{0,3}\d{1,6}[a-z]{0,2}|\d{1,4}\.\d|[a-z]")
"""A number, with letters before or after it, or with a tenth of a kilometre."""
_FRENCH_ORDINAL = re.compile(r"\d+e")
_COMPASS = frozenset("nsewo")
_CLOSE = 10
_CLOSE_LONG = 98
_LONG_NUMBER = 4
"""Digits from which two close numbers are a range rather than a unit and a number."""


@dataclass(frozen=True, slots=True)
class CivicNumber:
    """The unit and the street number, None if missing, and the index of the word after them."""

    unit: str | None
    number: str | None
    after: int


@dataclass(slots=True)
class _NumberHead:
    """The numbers at the start of a line, the sign before each, and the index of the first word after them."""

    values: list[str]
    joints: list[str]
    places: list[int]
    after: int


def parse_civic_number(tokens: AddressTokens, start: int, end: int) -> CivicNumber:
    """Parse the numbers at the start of the words from `start` up to `end`. Other words belong to the street's name.

    "km 102 Alaska Highway" and "102 km Alaska Highway" have the number 102.
    """
    words = tokens.words
    if end - start > 2 and words[start] in terms.MILEPOSTS and words[start + 1][0].isdigit():  # noqa: PLR2004 - word, number, name
        return _parse_number(words, start + 1, end)
    civic = _parse_number(words, start, end)
    has_kilometres = civic.number is not None and civic.after + 1 < end and words[civic.after] in terms.KILOMETRES
    return CivicNumber(civic.unit, civic.number, civic.after + 1) if has_kilometres else civic


def _parse_number(words: list[str], start: int, end: int) -> CivicNumber:
    head = _parse_head(words, start, end)
    if not head.values:
        return CivicNumber(None, None, start)
    if _is_last_street_name(words, head, end):
        head.after = head.places.pop()
        head.values.pop()
    if not head.values or not head.values[-1][0].isdigit():
        return CivicNumber(None, None, head.after if head.values == [] else start)
    return _build_civic_number(words, head, end)


def _parse_head(words: list[str], start: int, end: int) -> _NumberHead:
    head = _NumberHead([], [], [], start)
    joint, place = "", start
    while place < end:
        word = words[place]
        if word in {"-", "&"}:
            joint = word
        elif VALUE.fullmatch(word) is None or not _is_counted(words, place, end, head):
            break
        else:
            head.values.append(word)
            head.joints.append(joint)
            head.places.append(place)
            head.after, joint = place + 1, ""
        place += 1
    return head


def _is_counted(words: list[str], place: int, end: int, head: _NumberHead) -> bool:
    """Whether a word that looks like a number is one: ordinals are street names, and single letters begin them."""
    word = words[place]
    follower = words[place + 1] if place + 1 < end else ""
    if ORDINAL.fullmatch(word) is not None:
        return follower == "-" or (_FRENCH_ORDINAL.fullmatch(word) is not None and follower not in terms.TYPES and not head.values)
    if word.isalpha():
        return not head.values and (follower == "-" or follower.isdigit())
    return word[0].isdigit() or follower == "-" or follower[:1].isdigit()


def _is_last_street_name(words: list[str], head: _NumberHead, end: int) -> bool:
    """Whether the last number is the street's name: the type follows it directly, and then at most a direction."""
    place = head.after
    if place >= end or words[place] not in terms.TYPES or words[place] in terms.FRENCH_TYPES:
        return False
    behind = [word for word in words[place + 1 : end] if word not in terms.DIRECTIONS]
    if not behind:
        return True
    if len(head.values) == 1 or any(word in terms.SURE_TYPES and word not in terms.SAINTS for word in behind):
        return False
    return head.joints[-1] == "" and words[place] in terms.SURE_TYPES


def _build_civic_number(words: list[str], head: _NumberHead, end: int) -> CivicNumber:
    values, joints, after = head.values, head.joints, head.after
    if values[-2:] == ["1", "2"] and joints[-1] == "-" and len(values) > 2:  # noqa: PLR2004 - a number and its half
        return CivicNumber(_format_unit(values[:-3]), f"{values[-3]} 1/2", after)
    if len(values) == 1:
        suffix = words[after] if after + 1 < end and len(words[after]) == 1 and words[after].isalpha() else ""
        is_suffix = suffix != "" and suffix not in _COMPASS and words[after + 1] not in terms.TYPES
        return CivicNumber(None, values[0] + suffix if is_suffix else values[0], after + 1 if is_suffix else after)
    if joints[-1] == "&" or (joints[-1] == "-" and _is_range(values[-2], values[-1])):
        return CivicNumber(_format_unit(values[:-2]), f"{values[-2]}-{values[-1]}", after)
    return CivicNumber(_format_unit(values[:-1]), values[-1], after)


def _format_unit(values: list[str]) -> str | None:
    return normalize_unit("-".join(values)) if values else None


def _is_range(one: str, other: str) -> bool:
    """Whether two numbers are a range of street numbers: on one side of the street, and close to each other."""
    if not (one.isdigit() and other.isdigit() and len(one) == len(other) >= _LONG_NUMBER - 1):
        return False
    distance = int(other) - int(one)
    return distance % 2 == 0 and 0 < distance <= (_CLOSE_LONG if len(one) >= _LONG_NUMBER else _CLOSE)
