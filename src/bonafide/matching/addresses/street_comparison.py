"""How alike two Canadian street lines are, English or French: number, name, type, direction; else box or rural route.

Units are compared beside it, in `addresses`; how a line is taken apart is the business of `street_parsing`.
"""

import re
from dataclasses import dataclass, replace

from bonafide.matching.addresses.street_parsing import ParsedStreet
from bonafide.matching.scoring import score_parameters
from bonafide.matching.scoring.alignment import align_words
from bonafide.matching.scoring.word_similarity import EQUAL, WordSimilarity, compare_typos

_SUFFIXED = re.compile(r"(\d+)([a-z])")
_RANGE = re.compile(r"(\d+)-(\d+)")


@dataclass(frozen=True, slots=True)
class StreetComparison:
    """How alike two street lines are (0 to 1), and why."""

    score: float
    reason: str


def compare_streets(asked: ParsedStreet, found: ParsedStreet) -> StreetComparison:
    """Compare two street lines but for their units. Symmetric; another street number makes another address."""
    if not asked.name or not found.name:
        return _compare_boxes(asked, found)
    score, reasons = _score_names(asked.name, found.name)
    for label, one, other, factor in (
        ("street type", asked.kind, found.kind, score_parameters.OTHER_STREET_TYPE),
        ("direction", asked.direction, found.direction, score_parameters.OTHER_DIRECTION),
    ):
        if one != other:
            score *= score_parameters.STREET_DETAIL_MISSING if one is None or other is None else factor
            reasons.append(_describe_difference(label, one, other))
    number, is_cap = _score_numbers(asked.number, found.number)
    if number < 1:
        reasons.insert(0, _describe_difference("street number", asked.number, found.number))
    score = min(score, number) if is_cap else score * number
    return StreetComparison(round(score, score_parameters.DECIMALS), "; ".join(reasons) or "same street address")


def align_unit_spelling(asked: ParsedStreet, found: ParsedStreet) -> tuple[ParsedStreet, ParsedStreet]:
    """The two with one spelling of a letter that one has at its number and the other as its unit: "12B", "12 unit B"."""
    return _move_letter_to_unit(asked, found), _move_letter_to_unit(found, asked)


def _move_letter_to_unit(street: ParsedStreet, other: ParsedStreet) -> ParsedStreet:
    suffixed = _SUFFIXED.fullmatch(street.number or "")
    if suffixed is None or street.unit is not None or other.number != suffixed[1] or other.unit != suffixed[2]:
        return street
    return replace(street, number=suffixed[1], unit=suffixed[2])


def _score_numbers(one: str | None, other: str | None) -> tuple[float, bool]:
    """How alike two street numbers are, and whether that is the most that the whole can be."""
    if one == other:
        return 1.0, False
    if one is None or other is None:
        return score_parameters.STREET_NUMBER_MISSING, False
    if _digits(one) == _digits(other):
        has_both = one != _digits(one) and other != _digits(other)
        return (score_parameters.OTHER_UNIT if has_both else score_parameters.STREET_DETAIL_MISSING), False
    if _is_within(one, other) or _is_within(other, one):
        return score_parameters.STREET_DETAIL_MISSING, False
    return score_parameters.OTHER_STREET_NUMBER_CAP, True


def _digits(number: str) -> str:
    suffixed = _SUFFIXED.fullmatch(number)
    return suffixed[1] if suffixed is not None else number.removesuffix(" 1/2")


def _is_within(number: str, numbers: str) -> bool:
    """Whether a door is one of a row: 124 of "120-130"."""
    ends = _RANGE.fullmatch(numbers)
    if ends is None or not number.isdigit():
        return False
    first, last = int(ends[1]), int(ends[2])
    return first <= int(number) <= last and (int(number) - first) % 2 == 0


def _describe_difference(label: str, asked: str | None, found: str | None) -> str:
    if asked is None:
        return f"{label} {found} added"
    return f"{label} {asked} missing" if found is None else f"{label} {found} instead of {asked}"


def _score_names(left: tuple[str, ...], right: tuple[str, ...]) -> tuple[float, list[str]]:
    found = align_words(left, right, _compare_street_words)
    score = sum(pair.likeness.score for pair in found.pairs) / max(len(left), len(right))
    return score, [] if score == 1 else [f"street '{' '.join(right)}' for '{' '.join(left)}'"]


def _compare_street_words(one: str, other: str) -> WordSimilarity | None:
    if one == other:
        return EQUAL
    return compare_typos(one, other, score_parameters.TYPO_COST) if one.isalpha() and other.isalpha() else None


def _compare_boxes(asked: ParsedStreet, found: ParsedStreet) -> StreetComparison:
    """Of lines of which one has no street's name: the box, else the rural route or land description, else the number alone."""
    for label, one, other in (("box", asked.box, found.box), ("rural address", asked.rural, found.rural)):
        if one is not None and other is not None:
            same = one == other
            return (
                StreetComparison(1.0, f"same {label}")
                if same
                else StreetComparison(score_parameters.OTHER_BOX, _describe_difference(label, one, other))
            )
    same = asked.name == found.name and asked.number is not None and asked.number == found.number
    return StreetComparison(1.0, "same street number") if same else StreetComparison(0.0, "no street name in common")
