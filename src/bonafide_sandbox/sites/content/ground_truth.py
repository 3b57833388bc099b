"""The facts of a site in canonical form: the ground truth for evaluation. Never served.

Values are canonical (E.164 phone numbers, numbers without spaces), whatever the page's formatting.
"""

from dataclasses import dataclass

from bonafide_sandbox.sites.content.shop import LegalNamePlacement, Shop, ShopLocation


@dataclass(frozen=True, slots=True)
class PlantedAddress:
    """An address shown on a site. `door` is the street number or the post office box number."""

    door: str
    unit: str | None
    street: str | None
    """The street name without the number, or None for a post office box."""
    city: str
    province: str
    postal_code: str | None
    """None if the site omits it."""


@dataclass(frozen=True, slots=True)
class SiteFacts:
    """Everything that a site states about its business."""

    host: str
    language: str
    legal_name: str | None
    """None if the site does not state it."""
    brand: str
    addresses: tuple[PlantedAddress, ...]
    people: tuple[tuple[str, str], ...]
    """Name and role, as written on the site."""
    registrations: tuple[tuple[str, str], ...]
    """Kind and number, with letters and digits only."""
    emails: tuple[str, ...]
    phones: tuple[str, ...]
    fax: str | None
    """Neither expected as a phone number nor counted as an error."""
    naics: str


def build_site_facts(shop: Shop) -> SiteFacts:
    """Return what a shop's site states."""
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
