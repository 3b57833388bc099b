"""Render schema.org structured data as JSON-LD.

Microdata is a dialect of the page markup (`dialects.MicrodataMarkup`).
"""

import json
from typing import Any

from bonafide_sandbox.sites.content.formatting import format_legal_name, format_phone
from bonafide_sandbox.sites.content.shop import LegalNamePlacement, Shop, ShopLocation
from bonafide_sandbox.sites.content.trades import TABLE

DATA_SHARE = 0.45
"""Share of sites with JSON-LD."""
Node = dict[str, Any]


def has_json_ld(shop: Shop) -> bool:
    """Return whether the site has JSON-LD. Always true if the legal name appears only there."""
    return shop.name_shown is LegalNamePlacement.STRUCTURED or shop.chance.happens("json-ld", DATA_SHARE)


def build_script(shop: Shop) -> str:
    """Return the script element for the head of the home page, or an empty string."""
    if not has_json_ld(shop):
        return ""
    nodes = _nodes(shop)
    match shop.chance.pick("json-ld form", ("one", "graph", "list")):
        case "graph":
            document: Any = {"@context": "https://schema.org", "@graph": nodes}
        case "list":
            document = [{"@context": "http://schema.org", **node} for node in nodes]
        case _:
            document = {"@context": "https://schema.org/", **nodes[0]}
    text = json.dumps(document, ensure_ascii=shop.chance.happens("escaped json", 0.4), indent=shop.chance.pick("indent", (None, 2)))
    if shop.name_shown is not LegalNamePlacement.STRUCTURED and shop.chance.happens("broken json", 0.08):
        text = f"{text[:-1]},{text[-1]}"
    # Many templates escape slashes, which also keeps `</script>` from ending the element.
    return f'<script type="application/ld+json">{text.replace("/", chr(92) + "/")}</script>'


def _nodes(shop: Shop) -> list[Node]:
    site = f"https://{shop.host}/"
    business: Node = {
        "@type": shop.chance.pick(
            "json-ld type", (shop.trade.schema, "LocalBusiness", "Organization", [shop.trade.schema, "Organization"])
        ),
        "@id": f"{site}#organization",
        "name": shop.brand,
        "url": site,
        "description": shop.text.line,
        "telephone": _telephone(shop, shop.places[0]),
        "email": shop.chance.pick("json mail", (shop.emails[0], f"mailto:{shop.emails[0]}")),
        "address": _addresses(shop),
    }
    if shop.name_shown in {LegalNamePlacement.STRUCTURED, LegalNamePlacement.OPERATED}:
        business["legalName"] = format_legal_name(shop)
    business |= _people(shop) | _build_reviews(shop)
    page = {"@type": "WebPage", "@id": site, "name": f"{shop.brand} | {shop.text.line}", "isPartOf": {"@id": f"{site}#website"}}
    website = {"@type": "WebSite", "@id": f"{site}#website", "name": shop.brand, "publisher": {"@id": f"{site}#organization"}}
    return [business, website, page]


def _telephone(shop: Shop, place: ShopLocation) -> str:
    return place.phone if shop.chance.happens("plain telephone", 0.5) else format_phone(shop, place.phone)


def _addresses(shop: Shop) -> Any:
    nodes = [_address(shop, place) for place in shop.places]
    return nodes if len(nodes) > 1 else nodes[0]


def _address(shop: Shop, place: ShopLocation) -> Node:
    address = place.address
    code = {"postalCode": address.postal_code} if shop.shows_postal_codes else {}
    return {
        "@type": "PostalAddress",
        **_door(shop, place),
        "addressLocality": address.city,
        "addressRegion": address.province,
        **code,
        "addressCountry": "CA",
    }


def _door(shop: Shop, place: ShopLocation) -> Node:
    if place.box is not None:
        boxed = {"postOfficeBoxNumber": place.box}
        return boxed if shop.chance.happens("box property", 0.5) else {"streetAddress": f"PO Box {place.box}"}
    unit = f"{place.address.unit}-" if place.address.unit is not None else ""
    return {"streetAddress": f"{unit}{place.address.street}"}


def _people(shop: Shop) -> Node:
    if not shop.people or not shop.chance.happens("people in json-ld", 0.4):
        return {}
    return {"employee": [{"@type": "Person", "name": member.name, "jobTitle": member.role} for member in shop.people]}


def _build_reviews(shop: Shop) -> Node:
    """Return reviews by authors who are not associated with the business."""
    if not shop.chance.happens("reviews", 0.3):
        return {}
    author = {"@type": "Person", "name": shop.chance.pick("reviewer", TABLE["strangers"])}
    return {
        "aggregateRating": {"@type": "AggregateRating", "ratingValue": "4.8", "reviewCount": "57"},
        "review": [{"@type": "Review", "author": author, "reviewRating": {"@type": "Rating", "ratingValue": "5"}}],
    }
