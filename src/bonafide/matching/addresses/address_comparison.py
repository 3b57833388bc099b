"""Compare two Canadian addresses part by part, in English and French.

A street line is compared by number, name, type and direction, or otherwise by its box or rural route. Only parts that both sides
have are compared. Addresses are not looked up or corrected.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import NamedTuple

from bonafide.i18n.message import Message, join_messages
from bonafide.matching.addresses.line_parsing import parse_address_line
from bonafide.matching.addresses.postal_codes import compare_postal_codes
from bonafide.matching.addresses.street_parsing import ParsedStreet, parse_street
from bonafide.matching.addresses.terms import (
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


class _DifferenceTexts(NamedTuple):
    """The messages of a detail of a street that differs, or that only one side has."""

    differs: Message
    missing: Message
    added: Message

    def describe(self, submitted: str | None, found: str | None) -> Message:
        """The message for two values that are not equal."""
        if submitted is None:
            return self.added.fill(value=found or "")
        return self.missing.fill(value=submitted) if found is None else self.differs.fill(submitted=submitted, found=found)


_STREET_NUMBER = _DifferenceTexts(
    Message("street number {found} instead of {submitted}"),
    Message("street number {value} missing"),
    Message("street number {value} added"),
)
_STREET_TYPE = _DifferenceTexts(
    Message("street type {found} instead of {submitted}"),
    Message("street type {value} missing"),
    Message("street type {value} added"),
)
_DIRECTION = _DifferenceTexts(
    Message("direction {found} instead of {submitted}"),
    Message("direction {value} missing"),
    Message("direction {value} added"),
)
_INSTEAD_OF = Message("{found} instead of {submitted}")
_SAME_STREET_ADDRESS, _SAME_STREET_NUMBER = Message("same street address"), Message("same street number")
_SAME_BOX, _OTHER_BOX = Message("same post-office box"), Message("post-office box {found} instead of {submitted}")
_SAME_RURAL, _OTHER_RURAL = Message("same rural address"), Message("rural address {found} instead of {submitted}")
_NO_COMMON_STREET = Message("no street name in common")
_SAME_UNIT, _SAME_CITY, _SAME = Message("same unit"), Message("same city"), Message("same")
_NOT_PROVIDED, _NOT_PUBLISHED = Message("not provided"), Message("not published")
_SAME_ADDRESS, _NOT_COMPARABLE = Message("same address"), Message("no part of the addresses can be compared")
_PART_REASONS = {
    "street": Message("street: {reason}"),
    "unit": Message("unit: {reason}"),
    "city": Message("city: {reason}"),
    "province": Message("province: {reason}"),
    "postalCode": Message("postal code: {reason}"),
    "country": Message("country: {reason}"),
}


@dataclass(frozen=True, slots=True)
class StreetComparison:
    """How similar two street lines are (0 to 1), and why."""

    score: float
    reason: Message


def compare_streets(requested: ParsedStreet, found: ParsedStreet) -> StreetComparison:
    """Compare two street lines without their units. Symmetric; another street number makes another address."""
    if not requested.name or not found.name:
        return _compare_boxes(requested, found)
    score, reasons = _score_names(requested.name, found.name)
    for texts, one, other, factor in (
        (_STREET_TYPE, requested.kind, found.kind, score_parameters.OTHER_STREET_TYPE),
        (_DIRECTION, requested.direction, found.direction, score_parameters.OTHER_DIRECTION),
    ):
        if one != other:
            score *= score_parameters.STREET_DETAIL_MISSING if one is None or other is None else factor
            reasons.append(texts.describe(one, other))
    number, is_cap = _score_numbers(requested.number, found.number)
    if number < 1:
        reasons.insert(0, _STREET_NUMBER.describe(requested.number, found.number))
    score = min(score, number) if is_cap else score * number
    reason = join_messages(reasons) if reasons else _SAME_STREET_ADDRESS
    return StreetComparison(round(score, score_parameters.DECIMALS), reason)


def align_unit_spelling(requested: ParsedStreet, found: ParsedStreet) -> tuple[ParsedStreet, ParsedStreet]:
    """Both with the same spelling of a letter that is part of the number on one side only: "12B", "12 unit B"."""
    return _move_letter_to_unit(requested, found), _move_letter_to_unit(found, requested)


def _move_letter_to_unit(street: ParsedStreet, other: ParsedStreet) -> ParsedStreet:
    suffixed = _SUFFIXED.fullmatch(street.number or "")
    if suffixed is None or street.unit is not None or other.number != suffixed[1] or other.unit != suffixed[2]:
        return street
    return replace(street, number=suffixed[1], unit=suffixed[2])


def _score_numbers(one: str | None, other: str | None) -> tuple[float, bool]:
    """How similar two street numbers are, and whether that limits the score of the street."""
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
    """Whether a street number is within a range: 124 in "120-130"."""
    ends = _RANGE.fullmatch(numbers)
    if ends is None or not number.isdigit():
        return False
    first, last = int(ends[1]), int(ends[2])
    return first <= int(number) <= last and (int(number) - first) % 2 == 0


def _score_names(left: tuple[str, ...], right: tuple[str, ...]) -> tuple[float, list[Message]]:
    found = align_words(left, right, _compare_street_words)
    score = sum(pair.likeness.score for pair in found.pairs) / max(len(left), len(right))
    if score == 1:
        return score, []
    return score, [Message("street “{found}” instead of “{submitted}”", submitted=" ".join(left), found=" ".join(right))]


def _compare_street_words(one: str, other: str) -> WordSimilarity | None:
    if one == other:
        return EQUAL
    return compare_typos(one, other, score_parameters.TYPO_COST) if one.isalpha() and other.isalpha() else None


def _compare_boxes(requested: ParsedStreet, found: ParsedStreet) -> StreetComparison:
    """Compare lines of which one has no street name: by box, rural route or land description, or the number alone."""
    for same_text, other_text, one, other in (
        (_SAME_BOX, _OTHER_BOX, requested.box, found.box),
        (_SAME_RURAL, _OTHER_RURAL, requested.rural, found.rural),
    ):
        if one is not None and other is not None:
            if one == other:
                return StreetComparison(1.0, same_text)
            return StreetComparison(score_parameters.OTHER_BOX, other_text.fill(submitted=one, found=other))
    same = requested.name == found.name and requested.number is not None and requested.number == found.number
    return StreetComparison(1.0, _SAME_STREET_NUMBER) if same else StreetComparison(0.0, _NO_COMMON_STREET)


_NO_STREET = ParsedStreet()


@dataclass(frozen=True, slots=True)
class AddressRow:
    """One part of two addresses: the score (None if a side lacks the part), both values, and the reason."""

    field: str
    status: FieldStatus
    score: float | None
    submitted: str | None
    found: str | None
    reason: Message


@dataclass(frozen=True, slots=True)
class AddressComparison:
    """How similar two addresses are in the parts that both have; the score is None if they share none."""

    score: float | None
    rows: tuple[AddressRow, ...]

    @property
    def reason(self) -> Message:
        """The differences, in one sentence."""
        differing = [
            _PART_REASONS[row.field].fill(reason=row.reason) for row in self.rows if row.score is not None and row.score < 1
        ]
        if differing:
            return join_messages(differing)
        return _SAME_ADDRESS if any(row.score is not None for row in self.rows) else _NOT_COMPARABLE


@dataclass(frozen=True, slots=True)
class ParsedAddress:
    """A parsed address: `street` in normal form, all other parts as written; None for a missing part."""

    street: ParsedStreet
    line: str | None
    city: str | None
    province: str | None
    postal_code: str | None
    country: str | None


def compare_addresses(a: Address, b: Address) -> AddressComparison:
    """Compare a requested address (`a`) with a found one (`b`). Only the wording of the reasons is not symmetric.

    An address in one line (`raw`, or everything in `street`) is parsed first. Units are compared only if both sides have one.
    """
    requested, found = parse_address(a), parse_address(b)
    one, other = align_unit_spelling(requested.street, found.street)
    rows = (
        _compare_streets(one, other, requested.line, found.line),
        _compare_part("unit", _get_unit(one), _get_unit(other), _compare_units),
        *(_compare_part(part.field, getattr(requested, part.name), getattr(found, part.name), part.compare) for part in _PARTS),
    )
    compared = [(score_parameters.ADDRESS_PARTS[row.field], row.score) for row in rows if row.score is not None]
    if not compared:
        return AddressComparison(None, rows)
    score = sum(weight * score for weight, score in compared) / sum(weight for weight, _ in compared)
    return AddressComparison(round(score, score_parameters.DECIMALS), rows)


def _compare_streets(one: ParsedStreet, other: ParsedStreet, requested: str | None, found: str | None) -> AddressRow:
    def compare(_submitted: str, _found: str) -> tuple[float, Message]:
        comparison = compare_streets(one, other)
        return comparison.score, comparison.reason

    return _compare_part("street", _strip_unit(one, requested), _strip_unit(other, found), compare)


def _strip_unit(street: ParsedStreet, line: str | None) -> str | None:
    """The line without its unit; None if it is only a unit."""
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


_Compare = Callable[[str, str], tuple[float, Message]]


def _compare_part(field: str, requested: str | None, found: str | None, compare: _Compare) -> AddressRow:
    if requested is None:
        return AddressRow(field, FieldStatus.NOT_PROVIDED, None, None, found, _NOT_PROVIDED)
    if found is None:
        return AddressRow(field, FieldStatus.NOT_PUBLISHED, None, requested, None, _NOT_PUBLISHED)
    score, reason = compare(requested, found)
    return AddressRow(field, score_parameters.to_field_status(score), score, requested, found, reason)


def _compare_units(requested: str, found: str) -> tuple[float, Message]:
    return (1.0, _SAME_UNIT) if requested == found else (0.0, _INSTEAD_OF.fill(submitted=requested, found=found))


def _compare_cities(requested: str, found: str) -> tuple[float, Message]:
    one, other = normalize_place_name(requested), normalize_place_name(found)
    if one == other:
        return 1.0, _SAME_CITY
    if is_merged_into(one, other) or is_merged_into(other, one):
        former, city = (requested, found) if is_merged_into(one, other) else (found, requested)
        return score_parameters.MERGED_CITY, Message("{former} is part of {city}", former=former, city=city)
    words, others = tuple(one.split()), tuple(other.split())
    likeness = sum(pair.likeness.score for pair in align_words(words, others, _compare_city_words).pairs)
    score = round(likeness / max(len(words), len(others), 1), score_parameters.DECIMALS)
    return score, _INSTEAD_OF.fill(submitted=requested, found=found)


def _compare_city_words(one: str, other: str) -> WordSimilarity | None:
    return EQUAL if one == other else compare_typos(one, other, score_parameters.TYPO_COST)


def _compare_regions(requested: str, found: str, code: Callable[[str], str | None]) -> tuple[float, Message]:
    one, other = (code(text) or normalize_place_name(text) for text in (requested, found))
    return (1.0, _SAME) if one == other else (0.0, _INSTEAD_OF.fill(submitted=requested, found=found))


def _compare_provinces(requested: str, found: str) -> tuple[float, Message]:
    return _compare_regions(requested, found, parse_province_code)


def _compare_countries(requested: str, found: str) -> tuple[float, Message]:
    return _compare_regions(requested, found, parse_address_country)


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
"""The parts after the street: their names on the wire and in `ParsedAddress`."""


# ------------------------------------------------------------------------------------------------------------ parsing


def parse_address(address: Address) -> ParsedAddress:
    """The parts of an address from its fields, and otherwise from its line if no field has the street."""
    others = (address.city, address.province, address.postal_code)
    if address.street is not None and any(part is not None for part in others):
        return ParsedAddress(parse_street(address.street), address.street, *others, address.country)
    written = address.street if address.street is not None else address.raw
    if written is None:
        return ParsedAddress(_NO_STREET, None, *others, address.country)
    line = parse_address_line(written)
    street = line.street
    if address.city is not None and (street.number, street.kind, street.box, street.rural) == (None,) * 4:
        street = _NO_STREET  # the line adds nothing to the fields
    return ParsedAddress(
        street,
        line.line if street is not _NO_STREET else None,
        _first_given(address.city, line.city),
        _first_given(address.province, line.province),
        _first_given(address.postal_code, line.postal_code),
        _first_given(address.country, line.country),
    )


def _first_given(stated: str | None, parsed: str | None) -> str | None:
    return stated if stated is not None else parsed
