"""Sites written by hand, of kinds that the generated shops are not: a broker's, a franchise's, a law firm's, a charity's.

They are data (`written_sites.yml`): pages as they are sent, and what they say. None is a business of the registers.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from bonafide.sandbox.sites.facts import PlantedAddress, SiteFacts
from bonafide.sandbox.sites.sent import Sent
from bonafide.sandbox.sites.shop import SITES_DOMAIN
from bonafide.sandbox.tables import read_table


@dataclass(frozen=True, slots=True)
class WrittenSite:
    """One of them."""

    facts: SiteFacts
    pages: Mapping[str, str]

    def page(self, path: str) -> Sent | None:
        """The page at a path; None where there is none."""
        text = self.pages.get(path)
        return Sent(text.encode(), "text/html; charset=utf-8") if text is not None else None


@cache
def written_sites() -> Mapping[str, WrittenSite]:
    """By host."""
    table = read_table("written_sites")
    sites = ((f"{label}.{SITES_DOMAIN}", facts) for label, facts in table.items())
    return {host: WrittenSite(_facts(host, site["facts"]), site["pages"]) for host, site in sites}


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
