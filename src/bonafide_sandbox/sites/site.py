"""The web site of one business: its pages by path, `robots.txt` and `sitemap.xml`.

`catalog` lists the sites that exist.
"""

from bonafide_sandbox.sites.content.ground_truth import SiteFacts, build_site_facts
from bonafide_sandbox.sites.content.shop import Shop
from bonafide_sandbox.sites.markup.clean import CleanMarkup
from bonafide_sandbox.sites.markup.content_blocks import RenderedShopPage, ShopPage
from bonafide_sandbox.sites.markup.dialects import choose_dialect
from bonafide_sandbox.sites.markup.pages import build_pages

HTML = "text/html"


class SandboxSite:
    """The web site of one business."""

    def __init__(self, shop: Shop, markup: CleanMarkup | None = None) -> None:
        self.shop = shop
        self.markup = markup if markup is not None else choose_dialect(shop)
        self.all_pages = build_pages(shop)
        self._by_path = {leaf.path: leaf for leaf in self.all_pages}

    @property
    def facts(self) -> SiteFacts:
        """Return what the site states about its business."""
        return build_site_facts(self.shop)

    def page(self, path: str) -> RenderedShopPage | None:
        """Return the page at a path, or None if there is none."""
        if path == "/robots.txt":
            return self._robots()
        if path == "/sitemap.xml":
            return self._sitemap()
        leaf = self._by_path.get(path)
        return self._sent(leaf) if leaf is not None else None

    def _sent(self, leaf: ShopPage) -> RenderedShopPage:
        text = self.markup.document(leaf, self.all_pages)
        # Half of the old servers leave the charset to the page itself.
        content_type = f"{HTML}; charset=utf-8" if self.markup.charset == "utf-8" else HTML
        return RenderedShopPage(text.encode(self.markup.charset, "xmlcharrefreplace"), content_type)

    def _robots(self) -> RenderedShopPage | None:
        if not self.shop.chance.happens("robots", 0.6):
            return None
        mapped = f"Sitemap: https://{self.shop.host}/sitemap.xml\n" if self._mapped else ""
        return RenderedShopPage(f"User-agent: *\nDisallow: /wp-admin/\nDisallow: /cart\n{mapped}".encode(), "text/plain")

    @property
    def _mapped(self) -> bool:
        return self.shop.chance.happens("sitemap", 0.5)

    def _sitemap(self) -> RenderedShopPage | None:
        if not self._mapped:
            return None
        places = "".join(f"<url><loc>https://{self.shop.host}{leaf.path}</loc></url>" for leaf in self.all_pages)
        head = '<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">'
        return RenderedShopPage(f"{head}{places}</urlset>".encode(), "application/xml")
