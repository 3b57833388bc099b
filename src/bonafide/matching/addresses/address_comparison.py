"""Compare two Canadian addresses part by part, in English and French.

A street line is compared by number, name, type and direction, or else by its box or rural route. Only parts that both sides have
are compared. Nothing is looked up or corrected: that a place exists is not known here.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import NamedTuple

from bonafide.matching.addresses.line_parsing import parse_address_line
from bonafide.matching.addresses.street_parsing import ParsedStreet, parse_street
from bonafide.matching.addresses.terms import (
    compare_postal_codes,
    is_merged_into,
    normalize_place_name,
    parse_address_country,
    parse_province_code,
)
from bonafide.matching.scoring import score_parameters
from bonafide.matching.scoring.alignment import align_words
from bonafide.matching.scoring.word_similarity import EQUAL, WordSimilarity, compare_typos
from bonafide.model.entity import Address
from bonafide.model.search.match import FieldStatus

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


_NO_STREET = ParsedStreet()


@dataclass(frozen=True, slots=True)
class AddressRow:
    """One part of two addresses: how alike (None when a side has none), what each side says, and why."""

    field: str
    status: FieldStatus
    score: float | None
    submitted: str | None
    found: str | None
    reason: str


@dataclass(frozen=True, slots=True)
class AddressComparison:
    """How alike two addresses are over the parts that both have; None when they have none in common."""

    score: float | None
    rows: tuple[AddressRow, ...]

    @property
    def reason(self) -> str:
        """What differs, in one sentence."""
        differing = [
            f"{_LABELS.get(row.field, row.field)}: {row.reason}" for row in self.rows if row.score is not None and row.score < 1
        ]
        compared = [row for row in self.rows if row.score is not None]
        return "; ".join(differing) or ("same address" if compared else "no part of the addresses can be compared")


@dataclass(frozen=True, slots=True)
class ParsedAddress:
    """An address taken apart: `street` in one spelling, all others as they are written, None where it has none."""

    street: ParsedStreet
    line: str | None
    city: str | None
    province: str | None
    postal_code: str | None
    country: str | None


def compare_addresses(a: Address, b: Address) -> AddressComparison:
    """Compare the address asked for (`a`) with the address found (`b`). Symmetric but for the wording.

    An address that has nothing but its line (`raw`, or everything in `street`) is taken apart first. A unit is compared only where
    both have one.
    """
    asked, found = parse_address(a), parse_address(b)
    one, other = align_unit_spelling(asked.street, found.street)
    rows = (
        _compare_streets(one, other, asked.line, found.line),
        _compare_part("unit", _get_unit(one), _get_unit(other), _compare_units),
        *(_compare_part(part.field, getattr(asked, part.name), getattr(found, part.name), part.compare) for part in _PARTS),
    )
    compared = [(score_parameters.ADDRESS_PARTS[row.field], row.score) for row in rows if row.score is not None]
    if not compared:
        return AddressComparison(None, rows)
    score = sum(weight * score for weight, score in compared) / sum(weight for weight, _ in compared)
    return AddressComparison(round(score, score_parameters.DECIMALS), rows)


def _compare_streets(one: ParsedStreet, other: ParsedStreet, asked: str | None, found: str | None) -> AddressRow:
    def compare(_asked: str, _found: str) -> tuple[float, str]:
        comparison = compare_streets(one, other)
        return comparison.score, comparison.reason

    return _compare_part("street", _strip_unit(one, asked), _strip_unit(other, found), compare)


def _strip_unit(street: ParsedStreet, line: str | None) -> str | None:
    """The line as it is shown beside its unit; None where it says nothing but the unit."""
    beside = (street.box, street.rural, street.station)
    if street.name == () and street.number is None and beside == (None,) * 3:
        return None
    if (street.unit is None and street.floor is None) or beside != (None,) * 3:
        return line
    number = street.number.upper() if street.number is not None else None
    return " ".join(part for part in (number, street.spelled) if part is not None)


def _get_unit(street: ParsedStreet) -> str | None:
    if street.unit is not None:
        return street.unit.upper()
    return f"floor {street.floor}" if street.floor is not None else None


_Compare = Callable[[str, str], tuple[float, str]]


def _compare_part(field: str, asked: str | None, found: str | None, compare: _Compare) -> AddressRow:
    if asked is None:
        return AddressRow(field, FieldStatus.NOT_PROVIDED, None, None, found, "not given")
    if found is None:
        return AddressRow(field, FieldStatus.NOT_PUBLISHED, None, asked, None, "not published")
    score, reason = compare(asked, found)
    return AddressRow(field, score_parameters.to_field_status(score), score, asked, found, reason)


def _compare_units(asked: str, found: str) -> tuple[float, str]:
    return (1.0, "same unit") if asked == found else (0.0, f"{found} instead of {asked}")


def _compare_cities(asked: str, found: str) -> tuple[float, str]:
    one, other = normalize_place_name(asked), normalize_place_name(found)
    if one == other:
        return 1.0, "same city"
    if is_merged_into(one, other) or is_merged_into(other, one):
        former, city = (asked, found) if is_merged_into(one, other) else (found, asked)
        return score_parameters.MERGED_CITY, f"{former} is part of {city}"
    words, others = tuple(one.split()), tuple(other.split())
    likeness = sum(pair.likeness.score for pair in align_words(words, others, _compare_city_words).pairs)
    return round(likeness / max(len(words), len(others), 1), score_parameters.DECIMALS), f"{found} instead of {asked}"


def _compare_city_words(one: str, other: str) -> WordSimilarity | None:
    return EQUAL if one == other else compare_typos(one, other, score_parameters.TYPO_COST)


def _compare_regions(asked: str, found: str, code: Callable[[str], str | None]) -> tuple[float, str]:
    one, other = (code(text) or normalize_place_name(text) for text in (asked, found))
    return (1.0, "the same") if one == other else (0.0, f"{found} instead of {asked}")


def _compare_provinces(asked: str, found: str) -> tuple[float, str]:
    return _compare_regions(asked, found, parse_province_code)


def _compare_countries(asked: str, found: str) -> tuple[float, str]:
    return _compare_regions(asked, found, parse_address_country)


class _AddressPart(NamedTuple):
    field: str
    name: str
    compare: _Compare


_PARTS = (
    _AddressPart("city", "city", _compare_cities),
    _AddressPart("province", "province", _compare_provinces),
    _AddressPart("postalCode", "postal_code", compare_postal_codes),
    _AddressPart("country", "country", _compare_countries),
)
"""The parts behind the street: their names on the wire and here."""
_LABELS = {"postalCode": "postal code"}


# ----------------------------------------------------------------------------------------------------------------- taking apart


def parse_address(address: Address) -> ParsedAddress:
    """The address in parts: what the fields say, and what they don't say from the line where no field has the street."""
    others = (address.city, address.province, address.postal_code)
    if address.street is not None and any(part is not None for part in others):
        return ParsedAddress(parse_street(address.street), address.street, *others, address.country)
    written = address.street if address.street is not None else address.raw
    if written is None:
        return ParsedAddress(_NO_STREET, None, *others, address.country)
    line = parse_address_line(written)
    street = line.street
    if address.city is not None and (street.number, street.kind, street.box, street.rural) == (None,) * 4:
        street = _NO_STREET  # the line says no more than the fields
    return ParsedAddress(
        street,
        line.line if street is not _NO_STREET else None,
        _first_given(address.city, line.city),
        _first_given(address.province, line.province),
        _first_given(address.postal_code, line.postal_code),
        _first_given(address.country, line.country),
    )


def _first_given(said: str | None, read: str | None) -> str | None:
    return said if said is not None else read
