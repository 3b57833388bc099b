"""How pages are marked up: clean HTML, and what content systems, site builders, 2003 and search-engine templates make of it.

Every markup shows the same parts; none adds or drops a fact.
"""

from collections.abc import Iterable
from html import escape

from bonafide.sandbox.sites import structured
from bonafide.sandbox.sites.parts import FinePrint, Heading, Leaf, Listing, Part, Prose, Quote, Reach, Team, Where
from bonafide.sandbox.sites.shop import Member, Shop


class Clean:
    """HTML of today, with elements that mean something."""

    charset = "utf-8"

    def __init__(self, shop: Shop) -> None:
        self.shop = shop

    def document(self, leaf: Leaf, leaves: tuple[Leaf, ...]) -> str:
        """The whole page."""
        menu = " ".join(self.anchor(other) for other in leaves if other.in_menu)
        small = " | ".join(self.anchor(other) for other in leaves if not other.in_menu)
        return (
            f'<!DOCTYPE html>\n<html lang="{"fr-CA" if self.shop.french else "en-CA"}">\n<head>\n<meta charset="utf-8">\n'
            f"<title>{self.text(leaf.title)}</title>\n{self.head(leaf)}\n</head>\n<body>\n{self.top(menu)}\n"
            f"{self.main(leaf)}\n{self.bottom(leaf.bottom, small)}\n</body>\n</html>\n"
        )

    def head(self, leaf: Leaf) -> str:
        """What stands in the head besides the title."""
        description = f'<meta name="description" content="{escape(self.shop.text.about)}">'
        style = "<style>.x{color:#333}@media(max-width:600px){nav{display:none}}</style><script>window.dataLayer=[];</script>"
        named = f'<meta property="og:site_name" content="{escape(self.shop.brand)}">'
        return "\n".join([description, named, style, structured.script(self.shop) if leaf.path == "/" else ""])

    def top(self, menu: str) -> str:
        """Name and menu."""
        return f'<header><a class="brand" href="/">{self.text(self.shop.brand)}</a><nav>{menu}</nav></header>'

    def main(self, leaf: Leaf) -> str:
        """What the page is about."""
        return f"<main>\n<h1>{self.text(leaf.link)}</h1>\n{self.parts(leaf.parts)}\n</main>"

    def bottom(self, parts: tuple[Part, ...], links: str) -> str:
        """What all pages end with."""
        return f"<footer>\n{self.parts(parts)}\n<small>{links}</small>\n</footer>"

    def anchor(self, leaf: Leaf) -> str:
        """A link to a page."""
        return f'<a href="{leaf.path}">{self.text(leaf.link)}</a>'

    def parts(self, parts: Iterable[Part]) -> str:
        """Parts in order."""
        return "\n".join(map(self.part, parts))

    def part(self, part: Part) -> str:
        """One part."""
        match part:
            case Where():
                return self.where(part)
            case Reach():
                return self.reach(part)
            case Team(members):
                return f'<div class="team">{"".join(map(self.member, members))}</div>'
            case _:
                return self.words(part)

    def words(self, part: Heading | Prose | Listing | Quote | FinePrint) -> str:
        """What is text alone."""
        match part:
            case Heading(text):
                return f"<h2>{self.text(text)}</h2>"
            case Listing(items):
                return f"<ul>{''.join(f'<li>{self.text(item)}</li>' for item in items)}</ul>"
            case Quote(text, by):
                return f"<blockquote><p>{self.text(text)}</p><cite>{self.text(by)}</cite></blockquote>"
            case FinePrint(text):
                return f"<p><small>{self.text(text)}</small></p>"
            case Prose(text):
                return f"<p>{self.text(text)}</p>"

    def where(self, part: Where) -> str:
        """An address."""
        return f"<address>{'<br>'.join(map(self.text, part.lines))}</address>"

    def reach(self, part: Reach) -> str:
        """A line such as `Phone: (416) 555-0123`."""
        return f"<p>{self.text(part.label)}{self.colon}{self.linked(part)}</p>"

    @property
    def colon(self) -> str:
        """French puts a space before it."""
        return " : " if self.shop.french else ": "

    def linked(self, part: Reach) -> str:
        """What is shown, as a link where it is one."""
        shown = self.text(part.shown)
        return f'<a href="{part.link}">{shown}</a>' if part.link is not None else shown

    def member(self, member: Member) -> str:
        """A person."""
        return f"<article><h3>{self.text(member.name)}</h3><p>{self.text(member.role)}</p></article>"

    def text(self, text: str) -> str:
        """Escaped."""
        return escape(text, quote=False)
