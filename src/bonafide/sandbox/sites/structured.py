"""Data for search engines in the vocabulary of schema.org, as plug-ins, shop platforms and hand-written templates put it on pages.

It is JSON-LD alone; microdata is a way to mark a page up, and lives in `microdata`.
"""

import json
from typing import Any

from bonafide.sandbox.sites.shop import NameShown, Place, Shop
from bonafide.sandbox.sites.trades import TABLE
from bonafide.sandbox.sites.wording import legal_shown, phone_shown

DATA_SHARE = 0.45
"""Of sites that have any."""
Node = dict[str, Any]


def has_data(shop: Shop) -> bool:
    """Whether the site has JSON-LD; one whose legal name stands nowhere else always has."""
    return shop.name_shown is NameShown.STRUCTURED or shop.chance.happens("json-ld", DATA_SHARE)


def script(shop: Shop) -> str:
    """The element for the head of the home page; empty for a site without."""
    if not has_data(shop):
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
    if shop.name_shown is not NameShown.STRUCTURED and shop.chance.happens("broken json", 0.08):
        text = f"{text[:-1]},{text[-1]}"
    # A slash may be escaped, and in many a template it is: it keeps `</script>` from ending the element.
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
    if shop.name_shown in {NameShown.STRUCTURED, NameShown.OPERATED}:
        business["legalName"] = legal_shown(shop)
    business |= _people(shop) | _praise(shop)
    page = {"@type": "WebPage", "@id": site, "name": f"{shop.brand} | {shop.text.line}", "isPartOf": {"@id": f"{site}#website"}}
    website = {"@type": "WebSite", "@id": f"{site}#website", "name": shop.brand, "publisher": {"@id": f"{site}#organization"}}
    return [business, website, page]


def _telephone(shop: Shop, place: Place) -> str:
    return place.phone if shop.chance.happens("plain telephone", 0.5) else phone_shown(shop, place.phone)


def _addresses(shop: Shop) -> Any:
    nodes = [_address(shop, place) for place in shop.places]
    return nodes if len(nodes) > 1 else nodes[0]


def _address(shop: Shop, place: Place) -> Node:
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


def _door(shop: Shop, place: Place) -> Node:
    if place.box is not None:
        boxed = {"postOfficeBoxNumber": place.box}
        return boxed if shop.chance.happens("box property", 0.5) else {"streetAddress": f"PO Box {place.box}"}
    unit = f"{place.address.unit}-" if place.address.unit is not None else ""
    return {"streetAddress": f"{unit}{place.address.street}"}


def _people(shop: Shop) -> Node:
    if not shop.people or not shop.chance.happens("people in json-ld", 0.4):
        return {}
    return {"employee": [{"@type": "Person", "name": member.name, "jobTitle": member.role} for member in shop.people]}


def _praise(shop: Shop) -> Node:
    """Reviews, whose authors are no people of the business."""
    if not shop.chance.happens("reviews", 0.3):
        return {}
    author = {"@type": "Person", "name": shop.chance.pick("reviewer", TABLE["strangers"])}
    return {
        "aggregateRating": {"@type": "AggregateRating", "ratingValue": "4.8", "reviewCount": "57"},
        "review": [{"@type": "Review", "author": author, "reviewRating": {"@type": "Rating", "ratingValue": "5"}}],
    }
