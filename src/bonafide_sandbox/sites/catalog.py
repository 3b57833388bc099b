"""All web sites of a world by host: generated, misleading and handwritten ones.

Malicious hosts are in `hostile`. `serving` handles requests.
"""

from dataclasses import replace
from functools import cached_property, lru_cache

import numpy as np

from bonafide_sandbox.generator.business import LIVE_STATUSES, SandboxBusiness
from bonafide_sandbox.generator.businesses import MIN_SIZE
from bonafide_sandbox.generator.changes.business_changes import EvolvedBusiness, WorldPopulation
from bonafide_sandbox.generator.changes.known_changes import evolve_known_businesses
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
from bonafide_sandbox.sites.site_changes import find_site_changes


class SiteCatalog:
    """The sites of a world's businesses. They belong to the first businesses, so worlds of every size have the same sites.

    A site follows the changes of its business at the same host, and remains when the register's entry is gone. The calendar may end
    a site, or give it another owner.
    """

    def __init__(self, seed: int, day: int = 0) -> None:
        self._seed = seed
        self._day = day

    @property
    def hosts(self) -> tuple[str, ...]:
        """Return the hosts of all businesses, the fixed ones first."""
        return tuple(self._shops)

    @property
    def misleading(self) -> tuple[str, ...]:
        """Return the subset of hosts that mix false content with correct content."""
        return tuple(f"{label}.{SITES_DOMAIN}" for label in MISLEADING_MARKUPS)

    @property
    def written(self) -> tuple[str, ...]:
        """Return the hosts of handwritten sites. These are not included in `hosts`."""
        return tuple(load_handwritten_sites())

    def facts(self, host: str) -> SiteFacts | None:
        """Return what the site of a host states about its business, or None if there is no site."""
        site = load_handwritten_sites().get(host) or self.site(host)
        return site.facts if site is not None else None

    def page(self, host: str, path: str) -> RenderedShopPage | None:
        """Return the page of a host at a path, or None if there is none."""
        site = load_handwritten_sites().get(host) or self.site(host)
        return site.page(path) if site is not None else None

    def site(self, host: str) -> SandboxSite | None:
        """Return the site of a host, or None if the host belongs to no business or no longer has a site."""
        shop, change = self._shops.get(host), find_site_changes(self._day).get(host)
        if shop is None or (change is not None and change.is_gone):
            return None
        markup = CleanMarkup if host in KNOWN_HOSTS else MISLEADING_MARKUPS.get(host.partition(".")[0])
        return SandboxSite(shop, markup(shop) if markup is not None else None)

    @cached_property
    def _shops(self) -> dict[str, Shop]:
        fixed = ((host, create_shop(business, self._seed)) for host, business in _find_known_hosts(self._day).items())
        shops = {host: _adapt_known_shop(shop, host) for host, shop in fixed if shop is not None}
        for evolved in WorldPopulation(self._seed, MIN_SIZE, self._day).create(np.arange(MIN_SIZE, dtype=np.int64)):
            shop = self._create_shop(evolved)
            if shop is not None:
                # If two shops have the same host, the first one keeps it.
                shops.setdefault(shop.host, shop)
        for label, shop in zip(MISLEADING_MARKUPS, list(shops.values())[len(KNOWN_HOSTS) :], strict=False):
            shops[f"{label}.{SITES_DOMAIN}"] = _move_shop(shop, f"{label}.{SITES_DOMAIN}")
        return shops

    def _create_shop(self, evolved: EvolvedBusiness) -> Shop | None:
        """Return the shop of a generated business on the day."""
        first, now = evolved.first, evolved.now
        if first.standing not in LIVE_STATUSES or first.kind not in SHOPKEEPERS:
            return None
        shop = create_shop(first, self._seed)
        if shop is None or now is None or now is first:
            return shop
        # The number decides what the shop is like, so a shop whose business has another number stays the same.
        changed = create_shop(replace(now, number=first.number), self._seed)
        return _move_shop(replace(changed, business=now), shop.host) if changed is not None else shop


@lru_cache(maxsize=4)
def load_catalog(seed: int, day: int = 0) -> SiteCatalog:
    """Return the cached catalog of a seed on a day."""
    return SiteCatalog(seed, day)


def _find_known_hosts(day: int) -> dict[str, SandboxBusiness]:
    """Return the fixed businesses that have a site, by host."""
    fixed = evolve_known_businesses(day)
    found = {known.website.partition("://")[2]: known.business for known in fixed if known.website is not None}
    for host, change in find_site_changes(day).items():
        if change.owner is not None:
            owner = change.owner
            found[host] = replace(found[host], name=owner.name, business_number=owner.business_number)
    return found


KNOWN_HOSTS = frozenset(_find_known_hosts(0))


def _move_shop(shop: Shop, host: str) -> Shop:
    """Return the same business at another host."""
    moved = replace(shop, host=host)
    return replace(moved, emails=create_emails(moved))


def _adapt_known_shop(shop: Shop, host: str) -> Shop:
    """Return a fixed business's shop, with site content that agrees with its register and includes every kind of detail."""
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
