"""The facts of a site in canonical form: the ground truth for measurements, never served.

Values are canonical (a phone number in the form of E.164, numbers without spaces), never as the page spells them.
"""

from dataclasses import dataclass

from bonafide_sandbox.sites.content.shop import LegalNamePlacement, Shop, ShopLocation


@dataclass(frozen=True, slots=True)
class PlantedAddress:
    """An address that a site shows. `door` is the civic number, or that of a post office box."""

    door: str
    unit: str | None
    street: str | None
    """The street's name without its number; None for a box."""
    city: str
    province: str
    postal_code: str | None
    """None where the site leaves it out."""


@dataclass(frozen=True, slots=True)
class SiteFacts:
    """All that a site says of its business."""

    host: str
    language: str
    legal_name: str | None
    """None where the site does not say it."""
    brand: str
    addresses: tuple[PlantedAddress, ...]
    people: tuple[tuple[str, str], ...]
    """Name and role, in the site's words."""
    registrations: tuple[tuple[str, str], ...]
    """Kind and number, letters and digits alone."""
    emails: tuple[str, ...]
    phones: tuple[str, ...]
    fax: str | None
    """Neither wanted as a phone number nor wrong as one."""
    naics: str


def build_site_facts(shop: Shop) -> SiteFacts:
    """What a shop's site says."""
    return SiteFacts(
        host=shop.host,
        language="fr" if shop.french else "en",
        legal_name=None if shop.name_shown is LegalNamePlacement.NOWHERE else shop.legal_name,
        brand=shop.brand,
        addresses=tuple(_address(shop, place) for place in shop.places),
        people=tuple((member.name, member.role) for member in (*shop.people, shop.privacy_officer) if member is not None),
        registrations=tuple((number.kind, "".join(filter(str.isalnum, number.value))) for number in shop.numbers),
        emails=shop.emails,
        phones=shop.phones,
        fax=shop.fax,
        naics=shop.trade.naics,
    )


def _address(shop: Shop, place: ShopLocation) -> PlantedAddress:
    address, boxed = place.address, place.box is not None
    return PlantedAddress(
        door=place.box if place.box is not None else address.street_number,
        unit=None if boxed else address.unit,
        street=None if boxed else address.street_name,
        city=address.city,
        province=address.province,
        postal_code=address.postal_code if shop.shows_postal_codes else None,
    )
