"""The keys under which a person, an address, a phone number or a website is equal in two spellings.

A key is a digest, so that a stored one is short and has no personal data in clear. An address has several keys, because one that
lacks its postal code is still the same building: two addresses share what any of their keys says. Nothing is guessed: equal keys of
people are equal names only, and an address without a civic number or a box has no key. Stored values are not validated again,
because earlier releases accepted what this one refuses.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from hashlib import blake2b
from urllib.parse import parse_qsl, urlencode, urlsplit

from bonafide.matching.addresses.address_comparison import ParsedAddress, parse_address
from bonafide.matching.addresses.street_parsing import ParsedStreet
from bonafide.matching.addresses.terms import normalize_place_name, parse_province_code
from bonafide.matching.people.person_name_parsing import parse_person_name
from bonafide.model.entity import Address
from bonafide.model.query import AddressInput
from bonafide.model.records.business_record import CallerFields, MainAddress, RecordAddress
from bonafide.model.records.connections import AddressLevel, ConnectionKind

DIGEST_BYTES = 16
"""The column of the keys holds two characters for each."""
_MIN_NAME_PARTS = 2
"""A single name is shared by too many people to say anything."""
_FIRST_DIGITS = re.compile(r"\d+", re.ASCII)
_EXTENSION = re.compile(r"(?:(?<![a-z])(?:ext(?:ension)?|poste|local|x)|#|;ext=)\W*\d+\W*$", re.IGNORECASE)
_INTERNATIONAL_PREFIX = re.compile(r"\D*(?:\+|011)", re.ASCII)
"""A plus sign, or the digits that are dialled for one in North America."""
_NATIONAL_DIGITS = 10
"""Of a number in North America, without the country code 1."""
_MIN_FOREIGN_DIGITS = 8
_SCHEME = re.compile(r"[a-z][a-z0-9+.-]*://", re.IGNORECASE)
_SHARED_DOMAINS = frozenset(
    {"facebook.com", "fb.com", "fb.me", "instagram.com", "threads.net", "linkedin.com", "twitter.com", "x.com", "bsky.app"}
    | {"youtube.com", "youtu.be", "tiktok.com", "pinterest.com", "pinterest.ca", "snapchat.com", "whatsapp.com", "wa.me", "t.me"}
    | {
        "google.com",
        "google.ca",
        "goo.gl",
        "g.page",
        "g.co",
        "apps.apple.com",
        "maps.apple.com",
        "amazon.ca",
        "amazon.com",
        "ebay.ca",
        "ebay.com",
    }
    | {"yelp.ca", "yelp.com", "yellowpages.ca", "pagesjaunes.ca", "canada411.ca", "411.ca", "bbb.org", "tripadvisor.ca"}
    | {
        "tripadvisor.com",
        "foursquare.com",
        "kijiji.ca",
        "homestars.com",
        "houzz.com",
        "trustedpros.ca",
        "indeed.com",
        "opentable.ca",
    }
    | {"ubereats.com", "doordash.com", "skipthedishes.com", "linktr.ee", "bit.ly", "calendly.com"}
)
"""Domains with pages of many businesses: their sites are equal only with an equal path and query."""
_SHARED_HOSTS = frozenset({"etsy.com", "medium.com", "github.com", "tumblr.com", "wordpress.com", "blogspot.com", "wixsite.com"})
"""The same, but each of their subdomains is a site of its own."""
_IRRELEVANT_PARAMETERS = frozenset(
    {"fbclid", "gclid", "igsh", "igshid", "mibextid", "hl", "lang", "locale", "ref", "si", "trk", "_rdr"}
)
"""Parameters of an address that name no page: language, and where the visitor comes from; so do those with `utm_`."""


@dataclass(frozen=True, slots=True)
class AddressQuery:
    """How the entries at one address are searched: by one line for each spelling of its place, from its parsed parts only.

    `number` has digits that each entry at the address contains, the civic number or that of the box; empty if there are none.
    """

    lines: tuple[str, ...]
    number: str


@dataclass(frozen=True, slots=True)
class SharedTrait:
    """Something that businesses may share: what it is, as it was stated, and its keys."""

    kind: ConnectionKind
    value: str
    keys: frozenset[str]
    level: AddressLevel | None = None
    queries: tuple[AddressQuery, ...] = ()
    """Those of the addresses of a unit or building."""


def list_record_traits(record: CallerFields) -> list[SharedTrait]:
    """The traits of a business record, each once, in the order of its people, addresses, phone and websites."""
    addresses: list[MainAddress | RecordAddress] = [record.address, *record.addresses]
    sites = (record.website, *record.additional_websites)
    return _merge_equal_traits([
        *_list_people(person.name for person in record.people),
        *(trait for address in addresses for trait in _list_stated_traits(address)),
        *_list_phones(record.phone_number),
        *(trait for site in sites if site is not None for trait in _list_websites(site)),
    ])  # fmt: skip


def list_address_keys(addresses: Iterable[Address]) -> frozenset[str]:
    """The keys of addresses, such as those of a register's entry."""
    return frozenset(key for address in addresses for trait in _list_address_traits(address) for key in trait.keys)


def _merge_equal_traits(traits: Iterable[SharedTrait]) -> list[SharedTrait]:
    """The traits, those with a common key as one. Traits of different kinds or levels have none."""
    owners: dict[str, SharedTrait] = {}
    for trait in traits:
        first, *others = dict.fromkeys([*(owners[key] for key in sorted(trait.keys) if key in owners), trait])
        keys = first.keys.union(*(other.keys for other in others))
        queries = dict.fromkeys(query for one in (first, *others) for query in one.queries)
        owners.update(dict.fromkeys(sorted(keys), replace(first, keys=keys, queries=tuple(queries))))
    return list(dict.fromkeys(owners.values()))


def _build_key(*parts: str) -> str:
    return blake2b("\x1f".join(parts).encode(errors="surrogatepass"), digest_size=DIGEST_BYTES).hexdigest()


# -------------------------------------------------------------------------------------------------------------- people


def _list_people(names: Iterable[str]) -> Iterator[SharedTrait]:
    for name in names:
        parsed = parse_person_name(name)
        if len(parsed.parts) >= _MIN_NAME_PARTS:
            # The order of given and family names differs between sources.
            generation = () if parsed.generation is None else (f"generation {parsed.generation}",)
            key = _build_key(ConnectionKind.DIRECTOR, *sorted(parsed.parts), *generation)
            yield SharedTrait(ConnectionKind.DIRECTOR, name, frozenset({key}))


# ----------------------------------------------------------------------------------------------------------- addresses


def _list_stated_traits(address: MainAddress | RecordAddress) -> list[SharedTrait]:
    """The traits of an address that a record states: of its parts, or otherwise of its line."""
    parts = {name: getattr(address, name) or None for name in AddressInput.model_fields}
    line = address.raw if isinstance(address, RecordAddress) else None
    if parts["street"] is None and line is not None:
        # Without a street the other parts only complete the line.
        others = {name: parts[name] for name in ("city", "province", "postal_code", "country")}
        return list(_list_address_traits(Address(raw=_prefix_unit(line, parts["unit"]), **others)))
    traits = list(_list_address_traits(AddressInput.model_construct(**parts).as_address()))
    if traits or line is None:
        return traits
    return list(_list_address_traits(Address(raw=_prefix_unit(line, parts["unit"]))))


def _prefix_unit(line: str, unit: str | None) -> str:
    """A line with its unit as Canada Post writes it, unless the line has one."""
    if unit is None or parse_address(Address(raw=line)).street.unit is not None:
        return line
    return f"{unit}-{line}" if unit.isalnum() and line[:1].isdigit() else f"{unit}, {line}"


def _list_address_traits(address: Address) -> Iterator[SharedTrait]:
    """The unit and the building of an address; a post-office box is a unit, and without a street one without a building."""
    parsed = parse_address(address)
    shown = address.raw or address.street or ""
    street = parsed.street
    if street.number is not None and street.name:
        places = list(_list_places(parsed))
        queries = (_build_query(parsed),) if places else ()
        buildings = [_build_key(ConnectionKind.ADDRESS, AddressLevel.BUILDING, *place) for place in places]
        unit = _get_unit(street)
        if buildings and unit is not None:
            units = frozenset(_build_key(AddressLevel.UNIT, building, unit.casefold()) for building in buildings)
            yield SharedTrait(ConnectionKind.ADDRESS, shown, units, AddressLevel.UNIT, queries)
        if buildings:
            yield SharedTrait(ConnectionKind.ADDRESS, shown, frozenset(buildings), AddressLevel.BUILDING, queries)
    elif street.box is not None:
        boxes = frozenset(_build_key(ConnectionKind.ADDRESS, AddressLevel.UNIT, *area) for area in _list_box_areas(parsed))
        if boxes:
            yield SharedTrait(ConnectionKind.ADDRESS, shown, boxes, AddressLevel.UNIT, (_build_query(parsed),))


def _get_unit(street: ParsedStreet) -> str | None:
    """The unit in a building: a suite, otherwise a floor, otherwise a box."""
    if street.unit is not None:
        return street.unit
    if street.floor is not None:
        return f"floor {street.floor}"
    return f"box {street.box}" if street.box is not None else None


def _build_query(parsed: ParsedAddress) -> AddressQuery:
    """The query of an address, without its care-of lines, which would make its entries dissimilar."""
    street = parsed.street
    if street.name:
        parts = [f"{street.number} {street.spelled}", street.unit or street.floor, f"box {street.box}" if street.box else None]
        number = str(street.number)
    else:
        parts = [f"box {street.box}", street.station]
        number = str(street.box)
    line = ", ".join(part for part in parts if part is not None)
    digits = _FIRST_DIGITS.search(number)
    areas = [area for area in (parsed.postal_code, parsed.city) if area is not None]
    return AddressQuery(tuple(f"{line}, {area}" for area in areas), digits[0] if digits is not None else "")


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
    prefix = _INTERNATIONAL_PREFIX.match(plain)
    number = plain[prefix.end() :] if prefix is not None else plain
    digits = "".join(character for character in number if character.isascii() and character.isdigit())
    if prefix is not None and not digits.startswith("1"):
        return digits if len(digits) >= _MIN_FOREIGN_DIGITS else None
    national = digits.removeprefix("1")
    return f"1{national}" if len(national) == _NATIONAL_DIGITS else None


def _list_websites(text: str) -> Iterator[SharedTrait]:
    site = _normalize_website(text)
    if site is not None:
        yield SharedTrait(ConnectionKind.WEBSITE, text, frozenset({_build_key(ConnectionKind.WEBSITE, site)}))


def _normalize_website(text: str) -> str | None:
    """The host of a site without `www.`, or the page where many businesses share the host; None for what is no address."""
    try:
        parts = urlsplit(text if _SCHEME.match(text) is not None else f"//{text}")
        host = (parts.hostname or "").rstrip(".").removeprefix("www.")
    except ValueError:
        return None
    if "." not in host:
        return None
    shared = _find_shared_domain(host)
    if shared is None:
        return host
    path = parts.path.strip("/").casefold()
    parameters = [
        (name, value)
        for name, value in sorted(parse_qsl(parts.query, keep_blank_values=True, errors="surrogatepass"))
        if name not in _IRRELEVANT_PARAMETERS and not name.startswith("utm_")
    ]
    page = f"{path}?{urlencode(parameters, errors='surrogatepass')}" if parameters else path
    return f"{shared}/{page}" if page else None


def _find_shared_domain(host: str) -> str | None:
    """The domain with pages of many businesses that a host belongs to: `fr-ca.facebook.com` is `facebook.com`."""
    if host in _SHARED_HOSTS:
        return host
    labels = host.split(".")
    domains = (".".join(labels[place:]) for place in range(len(labels) - 1))
    return next((domain for domain in domains if domain in _SHARED_DOMAINS), None)
