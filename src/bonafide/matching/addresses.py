"""How alike two Canadian addresses are, part by part, in English and French.

Only parts that both sides have are compared. Nothing is looked up or corrected: that a place exists is not known here.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass

from bonafide.matching import features
from bonafide.matching.alignment import align
from bonafide.matching.folding import fold
from bonafide.matching.likeness import EQUAL, Likeness, slip
from bonafide.matching.streets import compare_streets
from bonafide.matching.tables import read_table
from bonafide.model.entity import Address
from bonafide.model.match import FieldStatus

_TABLE = read_table("provinces")
_PROVINCES: dict[str, str] = {name: code for code, names in _TABLE["provinces"].items() for name in names}
_COUNTRIES: dict[str, str] = {name: code for code, names in _TABLE["countries"].items() for name in names}
_SAINTS = {"st": "saint", "ste": "sainte", "mtl": "montreal"}

_POSTAL_CODE = re.compile(r"\b[a-z]\d[a-z] ?-?\d[a-z]\d\b", re.IGNORECASE)
_CANADIAN = re.compile(r"[A-Z]\d[A-Z]\d[A-Z]\d")
_AREA_CHARACTERS = 3


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
        differing = [f"{_LABELS[row.field]}: {row.reason}" for row in self.rows if row.score is not None and row.score < 1]
        compared = [row for row in self.rows if row.score is not None]
        return "; ".join(differing) or ("same address" if compared else "no part of the addresses can be compared")


def compare_addresses(a: Address, b: Address) -> AddressComparison:
    """Compare the address asked for (`a`) with the address found (`b`). Symmetric but for the wording.

    An address that has nothing but its line (`raw`) is taken apart first.
    """
    asked, found = parts_of(a), parts_of(b)
    rows = tuple(_row(field, getattr(asked, name), getattr(found, name)) for field, name in _FIELDS.items())
    compared = [(features.ADDRESS_PARTS[row.field], row.score) for row in rows if row.score is not None]
    if not compared:
        return AddressComparison(None, rows)
    score = sum(weight * score for weight, score in compared) / sum(weight for weight, _ in compared)
    return AddressComparison(round(score, features.DECIMALS), rows)


def _row(field: str, asked: str | None, found: str | None) -> AddressRow:
    if asked is None:
        return AddressRow(field, FieldStatus.NOT_PROVIDED, None, None, found, "not given")
    if found is None:
        return AddressRow(field, FieldStatus.NOT_PUBLISHED, None, asked, None, "not published")
    score, reason = _COMPARERS[field](asked, found)
    return AddressRow(field, features.field_status(score), score, asked, found, reason)


def _compare_street(asked: str, found: str) -> tuple[float, str]:
    comparison = compare_streets(asked, found)
    return comparison.score, comparison.reason


def _compare_postal_codes(asked: str, found: str) -> tuple[float, str]:
    one, other = (_compact(text) for text in (asked, found))
    if one == other:
        return 1.0, "same postal code"
    if one[:_AREA_CHARACTERS] == other[:_AREA_CHARACTERS] and _CANADIAN.fullmatch(one) and _CANADIAN.fullmatch(other):
        return features.SAME_AREA, f"same delivery area {one[:_AREA_CHARACTERS]}, other code"
    return 0.0, f"{found} instead of {asked}"


def _compact(text: str) -> str:
    return "".join(filter(str.isalnum, fold(text))).upper()


def _compare_cities(asked: str, found: str) -> tuple[float, str]:
    one, other = _city(asked), _city(found)
    if one == other:
        return 1.0, "same city"
    likeness = sum(pair.likeness.score for pair in align(one, other, _city_likeness).pairs)
    return round(likeness / max(len(one), len(other)), features.DECIMALS), f"{found} instead of {asked}"


def _city(text: str) -> tuple[str, ...]:
    words = "".join(character if character.isalnum() else " " for character in fold(text).replace("'", "")).split()
    return tuple(_SAINTS.get(word, word) for word in words)


def _city_likeness(one: str, other: str) -> Likeness | None:
    return EQUAL if one == other else slip(one, other, features.SLIP)


def _compare_regions(asked: str, found: str, codes: dict[str, str]) -> tuple[float, str]:
    one, other = (codes.get(plain, plain) for plain in (" ".join(_city(asked)), " ".join(_city(found))))
    return (1.0, "the same") if one == other else (0.0, f"{found} instead of {asked}")


def _compare_provinces(asked: str, found: str) -> tuple[float, str]:
    return _compare_regions(asked, found, _PROVINCES)


def _compare_countries(asked: str, found: str) -> tuple[float, str]:
    return _compare_regions(asked, found, _COUNTRIES)


_FIELDS = {"street": "street", "postalCode": "postal_code", "city": "city", "province": "province", "country": "country"}
"""The parts that are compared: their names on the wire and in `Address`."""
_LABELS = {"street": "street", "postalCode": "postal code", "city": "city", "province": "province", "country": "country"}
_COMPARERS: dict[str, Callable[[str, str], tuple[float, str]]] = {
    "street": _compare_street,
    "postalCode": _compare_postal_codes,
    "city": _compare_cities,
    "province": _compare_provinces,
    "country": _compare_countries,
}


def parts_of(address: Address) -> Address:
    """The address in parts. One that has only its line is split at the commas: street, city, province, postal code, country."""
    parts = (address.street, address.city, address.postal_code)
    if address.raw is None or any(part is not None for part in parts):
        return address
    postal = _POSTAL_CODE.search(address.raw)
    pieces = [piece.strip() for piece in _POSTAL_CODE.sub("", address.raw).split(",") if piece.strip() != ""]
    pieces, country = _split_region(pieces, _COUNTRIES)
    pieces, province = _split_region(pieces, _PROVINCES)
    *street, city = pieces if len(pieces) > 1 else [*pieces, None]
    return Address(
        street=", ".join(piece for piece in street if piece is not None) or None,
        city=city,
        province=province if province is not None else address.province,
        postal_code=postal[0] if postal is not None else None,
        country=country if country is not None else address.country,
        raw=address.raw,
    )


def _split_region(pieces: list[str], codes: dict[str, str]) -> tuple[list[str], str | None]:
    """The pieces without the province or country at their end, which may share its piece with the city ("Toronto ON")."""
    if len(pieces) > 1:
        *before, last = pieces
        if " ".join(_city(last)) in codes:
            return before, last
        city, _, word = last.rpartition(" ")
        if city != "" and " ".join(_city(word)) in codes:
            return [*before, city], word
    return pieces, None
