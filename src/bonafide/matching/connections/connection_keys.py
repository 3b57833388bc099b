"""The keys under which a person, an address, a phone number or a website is equal in two spellings.

A key is a digest, so that a stored one is short and has no personal data in clear. An address has several keys, because one that
lacks its postal code is still the same building: two addresses share what any of their keys says. Nothing is guessed: equal keys of
people are equal names only, and an address without a civic number or a box has no key.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from hashlib import blake2b
from urllib.parse import urlsplit

from bonafide.matching.addresses.address_comparison import ParsedAddress, parse_address
from bonafide.matching.addresses.terms import normalize_place_name, parse_province_code
from bonafide.matching.people.person_name_parsing import parse_person_name
from bonafide.model.entity import Address
from bonafide.model.query import AddressInput
from bonafide.model.records.business_record import CallerFields
from bonafide.model.records.connections import AddressLevel, ConnectionKind

DIGEST_BYTES = 16
KEY_CHARACTERS = 2 * DIGEST_BYTES
_MIN_NAME_PARTS = 2
"""A single name is shared by too many people to say anything."""
_EXTENSION = re.compile(r"(?:\bext(?:ension)?|\bposte|\bx|#|;ext=)\W*\d+\s*$", re.IGNORECASE)
_NATIONAL_DIGITS = 10
"""Of a number in North America, without the country code 1."""
_MIN_FOREIGN_DIGITS = 8
_SHARED_HOSTS = frozenset(
    {"facebook.com", "m.facebook.com", "fb.com", "instagram.com", "linkedin.com", "ca.linkedin.com", "twitter.com", "x.com"}
    | {"youtube.com", "tiktok.com", "yelp.ca", "yelp.com", "linktr.ee", "sites.google.com", "etsy.com", "github.com", "medium.com"}
)
"""Hosts with pages of many businesses: their sites are equal only with an equal path."""


@dataclass(frozen=True, slots=True)
class SharedTrait:
    """Something that businesses may share: what it is, as it was stated, and its keys."""

    kind: ConnectionKind
    value: str
    keys: frozenset[str]
    level: AddressLevel | None = None
    address: Address | None = None
    """The address, for a unit or a building."""


def list_record_traits(record: CallerFields) -> list[SharedTrait]:
    """The traits of a business record, each once, in the order of its people, addresses, phone and websites."""
    addresses = [AddressInput.model_validate(record.address.model_dump()).as_address(), *map(_join_unit, record.addresses)]
    sites = (record.website, *record.additional_websites)
    return _merge_equal_traits([
        *_list_people(person.name for person in record.people),
        *(trait for address in addresses for trait in _list_address_traits(address)),
        *_list_phones(record.phone_number),
        *(trait for site in sites if site is not None for trait in _list_websites(site)),
    ])  # fmt: skip


def list_address_keys(addresses: Iterable[Address]) -> frozenset[str]:
    """The keys of addresses, such as those of a register's entry."""
    return frozenset(key for address in addresses for trait in _list_address_traits(address) for key in trait.keys)


def _merge_equal_traits(traits: Iterable[SharedTrait]) -> list[SharedTrait]:
    distinct: dict[frozenset[str], SharedTrait] = {}
    for trait in traits:
        distinct.setdefault(trait.keys, trait)
    return list(distinct.values())


def _join_unit(address: Address) -> Address:
    """A record's further address, whose unit is a field of its own, as an entry's."""
    parts = {name: getattr(address, name) for name in AddressInput.model_fields}
    joined = AddressInput.model_construct(**parts).as_address()
    return joined if joined.raw is not None else address


def _build_key(*parts: str) -> str:
    return blake2b("\x1f".join(parts).encode(errors="surrogatepass"), digest_size=DIGEST_BYTES).hexdigest()


# -------------------------------------------------------------------------------------------------------------- people


def _list_people(names: Iterable[str]) -> Iterator[SharedTrait]:
    for name in names:
        parts = parse_person_name(name).parts
        if len(parts) >= _MIN_NAME_PARTS:
            # The order of given and family names differs between sources.
            key = _build_key(ConnectionKind.DIRECTOR, *sorted(parts))
            yield SharedTrait(ConnectionKind.DIRECTOR, name, frozenset({key}))


# ----------------------------------------------------------------------------------------------------------- addresses


def _list_address_traits(address: Address) -> Iterator[SharedTrait]:
    """The unit and the building of an address; a post-office box is a unit without a building."""
    parsed = parse_address(address)
    shown = address.raw or address.street or ""
    street = parsed.street
    if street.number is not None and street.name:
        buildings = [_build_key(ConnectionKind.ADDRESS, AddressLevel.BUILDING, *place) for place in _list_places(parsed)]
        unit = street.unit if street.unit is not None else f"floor {street.floor}" if street.floor is not None else None
        if buildings and unit is not None:
            units = frozenset(_build_key(AddressLevel.UNIT, building, unit.casefold()) for building in buildings)
            yield SharedTrait(ConnectionKind.ADDRESS, shown, units, AddressLevel.UNIT, address)
        if buildings:
            yield SharedTrait(ConnectionKind.ADDRESS, shown, frozenset(buildings), AddressLevel.BUILDING, address)
    elif street.box is not None:
        boxes = frozenset(_build_key(ConnectionKind.ADDRESS, AddressLevel.UNIT, *area) for area in _list_box_areas(parsed))
        if boxes:
            yield SharedTrait(ConnectionKind.ADDRESS, shown, boxes, AddressLevel.UNIT, address)


def _list_places(parsed: ParsedAddress) -> Iterator[tuple[str, ...]]:
    """The spellings of the place of a building: by its postal code, and by its city, where type and direction count."""
    street = parsed.street
    code, city = _compact_postal_code(parsed), _build_city(parsed)
    if code is not None:
        yield ("code", code, str(street.number), *street.name)
    if city is not None:
        yield ("city", *city, str(street.number), *street.name, street.kind or "", street.direction or "")


def _list_box_areas(parsed: ParsedAddress) -> Iterator[tuple[str, ...]]:
    box, station = str(parsed.street.box), parsed.street.station or ""
    code, city = _compact_postal_code(parsed), _build_city(parsed)
    if code is not None:
        yield ("code", code, "box", box)
    if city is not None:
        yield ("city", *city, "box", box, station)


def _compact_postal_code(parsed: ParsedAddress) -> str | None:
    code = "".join(filter(str.isalnum, parsed.postal_code or "")).casefold()
    return code or None


def _build_city(parsed: ParsedAddress) -> tuple[str, str] | None:
    """City and province; None without both, because many provinces have a city of the same name."""
    province = parse_province_code(parsed.province) if parsed.province is not None else None
    return (province, normalize_place_name(parsed.city)) if province is not None and parsed.city is not None else None


# ------------------------------------------------------------------------------------------------- phones and websites


def _list_phones(text: str | None) -> Iterator[SharedTrait]:
    number = _normalize_phone(text) if text is not None else None
    if text is not None and number is not None:
        yield SharedTrait(ConnectionKind.PHONE, text, frozenset({_build_key(ConnectionKind.PHONE, number)}))


def _normalize_phone(text: str) -> str | None:
    """The digits of a number without its extension, with the country code; None for what is no complete number."""
    plain = _EXTENSION.sub("", text.strip())
    digits = "".join(character for character in plain if character.isascii() and character.isdigit())
    if plain.startswith("+") and not digits.startswith("1"):
        return digits if len(digits) >= _MIN_FOREIGN_DIGITS else None
    national = digits.removeprefix("1")
    return f"1{national}" if len(national) == _NATIONAL_DIGITS else None


def _list_websites(text: str) -> Iterator[SharedTrait]:
    site = _normalize_website(text)
    if site is not None:
        yield SharedTrait(ConnectionKind.WEBSITE, text, frozenset({_build_key(ConnectionKind.WEBSITE, site)}))


def _normalize_website(text: str) -> str | None:
    """The host of a site without `www.`, with the path where many businesses share the host; None for what is no address."""
    try:
        parts = urlsplit(text if "://" in text else f"//{text}")
        host = (parts.hostname or "").rstrip(".").removeprefix("www.")
    except ValueError:
        return None
    if "." not in host:
        return None
    if host not in _SHARED_HOSTS:
        return host
    path = parts.path.strip("/").casefold()
    return f"{host}/{path}" if path else None
