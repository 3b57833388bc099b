"""Alberta's gaming registrants: web pages of ten articles each, followed by an empty page.

The markup of the articles is known only from another program that parses it. The surrounding page is an assumption.
"""

from collections.abc import Sequence
from html import escape
from pathlib import Path

from bonafide.model.jurisdiction import Jurisdiction
from bonafide_sandbox.generator.business import SandboxBusiness
from bonafide_sandbox.generator.known_businesses import KnownBusiness
from bonafide_sandbox.writers.framework.holder_selection import HolderSelection
from bonafide_sandbox.writers.framework.manifest import DeliveryRoute
from bonafide_sandbox.writers.framework.writer import ListWriterFactory, TargetFile

LIMIT = 150
ONE_IN = 6
PAGE_REGISTRANTS = 10
SOURCE = "aglcGamingRegistrants"
URL = "https://aglc.ca/gaming-registrants?page={page}"
OPERATOR, WORKER = "iGaming - Operator", "Gaming Worker - Casino"
CLASSES = (OPERATOR, OPERATOR, "Gaming Supplier", "Casino Facility", "Racing Entertainment Centre")
BRANDS = ("Lucky Loon", "Prairie Spins", "Chinook Casino", "Sasquatch Slots", "Northern Jackpot", "Wild Rose Bets")
FIRST_NODE = 40_000
_PAGE = """<!DOCTYPE html>
<html lang="en" dir="ltr">
<head><meta charset="utf-8" /><title>Gaming Registrants | AGLC</title></head>
<body>
<main role="main"><h1 class="page-title">Gaming Registrants</h1>
<div class="view-content">
{articles}</div>
</main>
</body>
</html>
"""
_ARTICLE = """<article data-history-node-id="{node}" class="node node--type-gaming-registrant">
<h2> <span>{name}</span> </h2>
<div>{lines}</div>
<p class="stream">{kind}</p>
</article>
"""


class GamingRegistrantsWriter:
    """Writes one article per registrant and class. The pages are built in memory and written on `close`."""

    def __init__(self, folder: Path, seed: int) -> None:
        self._folder = folder
        self._articles: list[str] = []
        self._delisted = 0
        self._holders = HolderSelection(seed, Jurisdiction.AB, ONE_IN, LIMIT, self._add)

    @property
    def targets(self) -> Sequence[TargetFile]:
        """Return the pages written so far, plus the empty page that ends pagination."""
        pages = -(-len(self._articles) // PAGE_REGISTRANTS)
        return [
            TargetFile(
                SOURCE,
                f"registrants_{page + 1}",
                f"{SOURCE}/registrants_{page + 1}.html",
                DeliveryRoute.DOWNLOAD if page < pages else DeliveryRoute.PAGE,
                URL.format(page=page),
            )
            for page in range(pages + 1)
        ]

    def take(self, business: SandboxBusiness) -> None:
        """Keep the business if it is selected as a holder."""
        self._holders.take(business)

    def list_known(self, fixed: KnownBusiness) -> None:
        """Add a fixed business as an operator without its own brand."""
        self._put(fixed.business.name, (), OPERATOR)

    def close(self) -> None:
        """Write the pages."""
        for page, target in enumerate(self.targets):
            path = self._folder / target.path
            path.parent.mkdir(parents=True, exist_ok=True)
            first = page * PAGE_REGISTRANTS
            articles = "".join(self._articles[first : first + PAGE_REGISTRANTS])
            path.write_text(_PAGE.format(articles=articles), encoding="utf-8")

    def _add(self, business: SandboxBusiness) -> None:
        grain = business.random_bits // 32
        kind, brand = CLASSES[grain % len(CLASSES)], f"{BRANDS[grain // 8 % len(BRANDS)]} {grain % 97}"
        name = f"{business.name} o/a {brand}" if grain % 4 == 0 else business.name
        host = f"{brand.lower().replace(' ', '')}.example"
        lines = (brand, f"{host} play.{host}") if kind == OPERATOR else ()
        registrations = [(name, lines, kind)]
        if grain % 7 == 0:
            registrations.append((name, (), CLASSES[-2]))
        if grain % 13 == 1 and business.people:
            registrations.append((business.people[0].name, (), WORKER))
        if business.is_delisted:
            # Their nodes are not used for the next registrants.
            self._delisted += len(registrations)
            return
        for registration in registrations:
            self._put(*registration)

    def _put(self, name: str, lines: Sequence[str], kind: str) -> None:
        paragraphs = "".join(f"<p><strong>{escape(line)}</strong></p>" for line in lines)
        node = FIRST_NODE + (len(self._articles) + self._delisted) * 3
        self._articles.append(_ARTICLE.format(node=node, name=escape(name), lines=paragraphs, kind=escape(kind)))


WRITERS = (ListWriterFactory("aglcGamingRegistrants", (Jurisdiction.AB,), GamingRegistrantsWriter),)
