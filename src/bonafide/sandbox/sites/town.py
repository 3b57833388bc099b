"""All sites of a world by their host: those of its businesses, those that mislead, those that are written by hand.

The hosts that mean harm are in `hostile`; nothing here answers a request.
"""

from dataclasses import replace
from functools import cached_property, lru_cache

from bonafide.sandbox.business import LIVE
from bonafide.sandbox.fixed import FIXED
from bonafide.sandbox.generator import MIN_SIZE, businesses
from bonafide.sandbox.sites.facts import SiteFacts
from bonafide.sandbox.sites.invent import SHOPKEEPERS, emails_of, open_shop
from bonafide.sandbox.sites.markup import Clean
from bonafide.sandbox.sites.misleading import MISLEADING
from bonafide.sandbox.sites.sent import Sent
from bonafide.sandbox.sites.shop import SITES_DOMAIN, Layout, Member, NameShown, Number, Place, Shop
from bonafide.sandbox.sites.site import Site
from bonafide.sandbox.sites.written import written_sites


class Town:
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
        return tuple(f"{label}.{SITES_DOMAIN}" for label in MISLEADING)

    @property
    def written(self) -> tuple[str, ...]:
        """Hosts of sites that are written by hand; they are not among the `hosts`."""
        return tuple(written_sites())

    def facts(self, host: str) -> SiteFacts | None:
        """What the site of a host says of its business; None where there is no site."""
        site = written_sites().get(host) or self.site(host)
        return site.facts if site is not None else None

    def page(self, host: str, path: str) -> Sent | None:
        """The page of a host at a path; None where there is none."""
        site = written_sites().get(host) or self.site(host)
        return site.page(path) if site is not None else None

    def site(self, host: str) -> Site | None:
        """The site of a host; None for a host that is no business's."""
        shop = self._shops.get(host)
        if shop is None:
            return None
        markup = Clean if host in FIXED_HOSTS else MISLEADING.get(host.partition(".")[0])
        return Site(shop, markup(shop) if markup is not None else None)

    @cached_property
    def _shops(self) -> dict[str, Shop]:
        fixed = ((host, open_shop(business, self._seed)) for host, business in FIXED_HOSTS.items())
        shops = {host: _fixed(shop, host) for host, shop in fixed if shop is not None}
        for business in businesses(self._seed, 0, MIN_SIZE):
            shop = open_shop(business, self._seed) if business.standing in LIVE and business.kind in SHOPKEEPERS else None
            if shop is not None:
                # The first comer has the name.
                shops.setdefault(shop.host, shop)
        for label, shop in zip(MISLEADING, list(shops.values())[len(FIXED_HOSTS) :], strict=False):
            shops[f"{label}.{SITES_DOMAIN}"] = _moved(shop, f"{label}.{SITES_DOMAIN}")
        return shops


@lru_cache(maxsize=4)
def town_of(seed: int) -> Town:
    """The town of a seed; it is the same for all who ask."""
    return Town(seed)


FIXED_HOSTS = {fixed.website.partition("://")[2]: fixed.business for fixed in FIXED if fixed.website is not None}


def _moved(shop: Shop, host: str) -> Shop:
    """The same business at another host."""
    moved = replace(shop, host=host)
    return replace(moved, emails=emails_of(moved))


def _fixed(shop: Shop, host: str) -> Shop:
    """A fixed business's shop: its site agrees with its register, and shows all that sites show."""
    business = shop.business
    account = f"{business.business_number} RT0001"
    return replace(
        shop,
        host=host,
        brand=business.name.rpartition(" ")[0],
        name_shown=NameShown.COPYRIGHT,
        places=(Place(business.address, shop.places[0].phone),),
        people=tuple(Member(officer.name, officer.roles[-1]) for officer in business.people),
        numbers=(Number("gst", "No de TPS" if shop.french else "GST/HST No.", account),),
        emails=(f"{'bonjour' if shop.french else 'hello'}@{host}",),
        free_phone=None,
        fax=None,
        privacy_officer=None,
        shows_postal_codes=True,
        layout=Layout.PAGES,
        policies=frozenset({"privacy", "terms"}),
    )
