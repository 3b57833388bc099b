"""Mentions of third parties: customers, clients, data processors, the privacy authority and the site's designer.

They test that extraction does not attribute every name, address and number on a page to the site's owner.
"""

from bonafide_sandbox.sites.content.shop import Shop
from bonafide_sandbox.sites.content.trades import TABLE
from bonafide_sandbox.sites.markup.content_blocks import (
    ContentBlock,
    FinePrintBlock,
    HeadingBlock,
    ListBlock,
    ParagraphBlock,
    QuoteBlock,
)


def build_testimonials(shop: Shop) -> tuple[ContentBlock, ...]:
    """Return customer testimonials with names, titles and companies."""
    if not shop.chance.happens("testimonials", 0.5):
        return ()
    texts = shop.chance.some("quote", TABLE["quotes"]["fr" if shop.french else "en"], 2)
    people = shop.chance.some("stranger", TABLE["strangers"], 2)
    firms = shop.chance.some("quoting firm", TABLE["others"], 2)
    title = "présidente" if shop.french else "President"
    signed = (f"{people[0]}, {title}, {firms[0]}", f"{people[1]}, {shop.business.address.city}")
    heading = HeadingBlock("Témoignages" if shop.french else "What our customers say")
    return (heading, *(QuoteBlock(text, by) for text, by in zip(texts, signed, strict=True)))


def build_clients(shop: Shop) -> tuple[ContentBlock, ...]:
    """Return companies that are clients of the business."""
    if not shop.chance.happens("clients", 0.25):
        return ()
    return (
        HeadingBlock("Nos clients" if shop.french else "Proud to work with"),
        ListBlock(shop.chance.some("client", TABLE["others"], 4)),
    )


def build_site_credit(shop: Shop) -> tuple[FinePrintBlock, ...]:
    """Return the site designer's credit, shown in the fine print of every page."""
    agency = shop.chance.pick("agency", TABLE["agencies"])
    if shop.french:
        lines: tuple[str, ...] = (f"Conception : {agency}", f"Site Web réalisé par {agency}", "Propulsé par WordPress")
    else:
        lines = (
            f"Site by {agency}",
            f"Website designed by {agency}",
            f"Web design: {agency}",
            "Powered by Shopify",
            "Theme by Northpaw",
        )
    return (FinePrintBlock(shop.chance.pick("credit", lines)),) if shop.chance.happens("credited", 0.5) else ()


def build_map_credit(shop: Shop) -> tuple[FinePrintBlock, ...]:
    """Return the credit of the map provider."""
    shown = shop.chance.happens("map", 0.25)
    line = shop.chance.pick("map credit", ("© OpenStreetMap contributors", "Map data ©2026 Google"))
    return (FinePrintBlock(line),) if shown else ()


def build_data_processors(shop: Shop) -> tuple[ContentBlock, ...]:
    """Return the data processors named in the privacy policy, and the supervisory authority with its address."""
    parts: list[ContentBlock] = []
    if shop.chance.happens("processors", 0.5):
        text = (
            "Notre boutique est hébergée par Shopify Inc. Nous utilisons Google Analytics, un service de Google LLC, "
            "1600 Amphitheatre Parkway, Mountain View, CA 94043, États-Unis."
            if shop.french
            else "Our store is hosted on Shopify Inc., which provides the online platform. We use Google Analytics, a service of "
            "Google LLC, 1600 Amphitheatre Parkway, Mountain View, CA 94043, USA."
        )
        parts.append(ParagraphBlock(text))
    if shop.chance.happens("authority", 0.5):
        text = (
            "Vous pouvez porter plainte au Commissariat à la protection de la vie privée du Canada, 30, rue Victoria, Gatineau "
            "(Québec) K1A 1H3, téléphone 1-800-282-1376."
            if shop.french
            else "You may complain to the Office of the Privacy Commissioner of Canada, 30 Victoria Street, Gatineau, Quebec "
            "K1A 1H3, toll-free 1-800-282-1376, www.priv.gc.ca."
        )
        parts.append(ParagraphBlock(text))
    return tuple(parts)
