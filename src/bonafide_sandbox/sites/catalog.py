"""All web sites of a world by host: generated, misleading and handwritten ones.

The hosts that mean harm are in `hostile`; nothing here answers a request.
"""

from dataclasses import replace
from functools import cached_property, lru_cache

from bonafide_sandbox.generator.business import LIVE_STATUSES
from bonafide_sandbox.generator.businesses import MIN_SIZE, create_businesses
from bonafide_sandbox.generator.known_businesses import KNOWN_BUSINESSES
from bonafide_sandbox.sites.content.ground_truth import SiteFacts
from bonafide_sandbox.sites.content.shop import (
    SITES_DOMAIN,
    LegalNamePlacement,
    Shop,
    ShopLocation,
    ShopTeamMember,
    ShownNumber,
    SiteLayout,
)
from bonafide_sandbox.sites.content.shop_generation import SHOPKEEPERS, create_emails, create_shop
from bonafide_sandbox.sites.handwritten import load_handwritten_sites
from bonafide_sandbox.sites.markup.clean import CleanMarkup
from bonafide_sandbox.sites.markup.content_blocks import RenderedShopPage
from bonafide_sandbox.sites.markup.misleading import MISLEADING_MARKUPS
from bonafide_sandbox.sites.site import SandboxSite


class SiteCatalog:
    """The sites of a world's businesses. A world of any size has the same: they are all among its first businesses."""

    def __init__(self, seed: int) -> None:
        self._seed = seed

    @property
    def hosts(self) -> tuple[str, ...]:
        """Every business's host, the fixed ones first."""
        return tuple(self._shops)

    @property
    def misleading(self) -> tuple[str, ...]:
        """Of these the hosts that say something false beside the truth."""
        return tuple(f"{label}.{SITES_DOMAIN}" for label in MISLEADING_MARKUPS)

    @property
    def written(self) -> tuple[str, ...]:
        """Hosts of sites that are written by hand; they are not among the `hosts`."""
        return tuple(load_handwritten_sites())

    def facts(self, host: str) -> SiteFacts | None:
        """What the site of a host says of its business; None where there is no site."""
        site = load_handwritten_sites().get(host) or self.site(host)
        return site.facts if site is not None else None

    def page(self, host: str, path: str) -> RenderedShopPage | None:
        """The page of a host at a path; None where there is none."""
        site = load_handwritten_sites().get(host) or self.site(host)
        return site.page(path) if site is not None else None

    def site(self, host: str) -> SandboxSite | None:
        """The site of a host; None for a host that is no business's."""
        shop = self._shops.get(host)
        if shop is None:
            return None
        markup = CleanMarkup if host in KNOWN_HOSTS else MISLEADING_MARKUPS.get(host.partition(".")[0])
        return SandboxSite(shop, markup(shop) if markup is not None else None)

    @cached_property
    def _shops(self) -> dict[str, Shop]:
        fixed = ((host, create_shop(business, self._seed)) for host, business in KNOWN_HOSTS.items())
        shops = {host: _adapt_known_shop(shop, host) for host, shop in fixed if shop is not None}
        for business in create_businesses(self._seed, 0, MIN_SIZE):
            shop = (
                create_shop(business, self._seed) if business.standing in LIVE_STATUSES and business.kind in SHOPKEEPERS else None
            )
            if shop is not None:
                # The first comer has the name.
                shops.setdefault(shop.host, shop)
        for label, shop in zip(MISLEADING_MARKUPS, list(shops.values())[len(KNOWN_HOSTS) :], strict=False):
            shops[f"{label}.{SITES_DOMAIN}"] = _move_shop(shop, f"{label}.{SITES_DOMAIN}")
        return shops


@lru_cache(maxsize=4)
def load_catalog(seed: int) -> SiteCatalog:
    """The town of a seed; it is the same for all who ask."""
    return SiteCatalog(seed)


KNOWN_HOSTS = {fixed.website.partition("://")[2]: fixed.business for fixed in KNOWN_BUSINESSES if fixed.website is not None}


def _move_shop(shop: Shop, host: str) -> Shop:
    """The same business at another host."""
    moved = replace(shop, host=host)
    return replace(moved, emails=create_emails(moved))


def _adapt_known_shop(shop: Shop, host: str) -> Shop:
    """A fixed business's shop: its site agrees with its register, and shows all that sites show."""
    business = shop.business
    account = f"{business.business_number} RT0001"
    return replace(
        shop,
        host=host,
        brand=business.name.rpartition(" ")[0],
        name_shown=LegalNamePlacement.COPYRIGHT,
        places=(ShopLocation(business.address, shop.places[0].phone),),
        people=tuple(ShopTeamMember(officer.name, officer.roles[-1]) for officer in business.people),
        numbers=(ShownNumber("gst", "No de TPS" if shop.french else "GST/HST No.", account),),
        emails=(f"{'bonjour' if shop.french else 'hello'}@{host}",),
        free_phone=None,
        fax=None,
        privacy_officer=None,
        shows_postal_codes=True,
        layout=SiteLayout.PAGES,
        policies=frozenset({"privacy", "terms"}),
    )
