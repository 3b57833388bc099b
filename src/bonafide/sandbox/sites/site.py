"""One business's site: its pages by path, with the files that programs look at first.

Which sites there are is not known here.
"""

from bonafide.sandbox.sites.dialects import dialect_of
from bonafide.sandbox.sites.facts import SiteFacts, facts_of
from bonafide.sandbox.sites.markup import Clean
from bonafide.sandbox.sites.pages import leaves_of
from bonafide.sandbox.sites.parts import Leaf
from bonafide.sandbox.sites.sent import Sent
from bonafide.sandbox.sites.shop import Shop

HTML = "text/html"


class Site:
    """One business's site."""

    def __init__(self, shop: Shop, markup: Clean | None = None) -> None:
        self.shop = shop
        self.markup = markup if markup is not None else dialect_of(shop)
        self.leaves = leaves_of(shop)
        self._by_path = {leaf.path: leaf for leaf in self.leaves}

    @property
    def facts(self) -> SiteFacts:
        """What the site says of its business."""
        return facts_of(self.shop)

    def page(self, path: str) -> Sent | None:
        """The page at a path; None where there is none."""
        if path == "/robots.txt":
            return self._robots()
        if path == "/sitemap.xml":
            return self._sitemap()
        leaf = self._by_path.get(path)
        return self._sent(leaf) if leaf is not None else None

    def _sent(self, leaf: Leaf) -> Sent:
        text = self.markup.document(leaf, self.leaves)
        # Half of old servers leave it to the page to say in which characters it is.
        said = f"{HTML}; charset=utf-8" if self.markup.charset == "utf-8" else HTML
        return Sent(text.encode(self.markup.charset, "xmlcharrefreplace"), said)

    def _robots(self) -> Sent | None:
        if not self.shop.chance.happens("robots", 0.6):
            return None
        mapped = f"Sitemap: https://{self.shop.host}/sitemap.xml\n" if self._mapped else ""
        return Sent(f"User-agent: *\nDisallow: /wp-admin/\nDisallow: /cart\n{mapped}".encode(), "text/plain")

    @property
    def _mapped(self) -> bool:
        return self.shop.chance.happens("sitemap", 0.5)

    def _sitemap(self) -> Sent | None:
        if not self._mapped:
            return None
        places = "".join(f"<url><loc>https://{self.shop.host}{leaf.path}</loc></url>" for leaf in self.leaves)
        head = '<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">'
        return Sent(f"{head}{places}</urlset>".encode(), "application/xml")
