"""Handwritten web sites of kinds that are not generated, read from `written_sites.yml`.

Each has its pages as served and the facts that they state. None belongs to a registered business.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from bonafide_sandbox.generator.data_tables import read_table
from bonafide_sandbox.sites.content.ground_truth import PlantedAddress, SiteFacts
from bonafide_sandbox.sites.content.shop import SITES_DOMAIN
from bonafide_sandbox.sites.markup.content_blocks import RenderedShopPage


@dataclass(frozen=True, slots=True)
class HandwrittenSite:
    """A handwritten site."""

    facts: SiteFacts
    pages: Mapping[str, str]

    def page(self, path: str) -> RenderedShopPage | None:
        """Return the page at a path, or None if there is none."""
        text = self.pages.get(path)
        return RenderedShopPage(text.encode(), "text/html; charset=utf-8") if text is not None else None


@cache
def load_handwritten_sites() -> Mapping[str, HandwrittenSite]:
    """Return the handwritten sites by host."""
    table = read_table("written_sites")
    sites = ((f"{label}.{SITES_DOMAIN}", facts) for label, facts in table.items())
    return {host: HandwrittenSite(_facts(host, site["facts"]), site["pages"]) for host, site in sites}


def _facts(host: str, facts: dict[str, Any]) -> SiteFacts:
    numbers = facts.get("registrations", {})
    return SiteFacts(
        host=host,
        language=facts.get("language", "en"),
        legal_name=facts["legal_name"],
        brand=facts["brand"],
        addresses=tuple(PlantedAddress(**address) for address in facts["addresses"]),
        people=tuple(facts["people"].items()),
        registrations=tuple((kind, "".join(filter(str.isalnum, number))) for kind, number in numbers.items()),
        emails=tuple(facts["emails"]),
        phones=tuple(facts["phones"]),
        fax=facts.get("fax"),
        naics=facts["naics"],
    )
