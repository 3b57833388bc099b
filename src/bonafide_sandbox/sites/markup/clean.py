"""Render pages as clean, semantic HTML. Base class of all other markups.

Every markup renders the same blocks without adding or dropping facts.
"""

from collections.abc import Iterable
from html import escape

from bonafide_sandbox.sites.content.shop import Shop, ShopTeamMember
from bonafide_sandbox.sites.markup import json_ld
from bonafide_sandbox.sites.markup.content_blocks import (
    AddressBlock,
    ContactBlock,
    ContentBlock,
    FinePrintBlock,
    HeadingBlock,
    ListBlock,
    ParagraphBlock,
    QuoteBlock,
    ShopPage,
    TeamBlock,
)


class CleanMarkup:
    """Modern HTML with semantic elements."""

    charset = "utf-8"

    def __init__(self, shop: Shop) -> None:
        self.shop = shop

    def document(self, leaf: ShopPage, leaves: tuple[ShopPage, ...]) -> str:
        """Render the whole page."""
        menu = " ".join(self.anchor(other) for other in leaves if other.in_menu)
        small = " | ".join(self.anchor(other) for other in leaves if not other.in_menu)
        return (
            f'<!DOCTYPE html>\n<html lang="{"fr-CA" if self.shop.french else "en-CA"}">\n<head>\n<meta charset="utf-8">\n'
            f"<title>{self.text(leaf.title)}</title>\n{self.head(leaf)}\n</head>\n<body>\n{self.top(menu)}\n"
            f"{self.main(leaf)}\n{self.bottom(leaf.bottom, small)}\n</body>\n</html>\n"
        )

    def head(self, leaf: ShopPage) -> str:
        """Render the contents of the head other than the title."""
        description = f'<meta name="description" content="{escape(self.shop.text.about)}">'
        style = "<style>.x{color:#333}@media(max-width:600px){nav{display:none}}</style><script>window.dataLayer=[];</script>"
        named = f'<meta property="og:site_name" content="{escape(self.shop.brand)}">'
        return "\n".join([description, named, style, json_ld.build_script(self.shop) if leaf.path == "/" else ""])

    def top(self, menu: str) -> str:
        """Render the site name and menu."""
        return f'<header><a class="brand" href="/">{self.text(self.shop.brand)}</a><nav>{menu}</nav></header>'

    def main(self, leaf: ShopPage) -> str:
        """Render the main content."""
        return f"<main>\n<h1>{self.text(leaf.link)}</h1>\n{self.parts(leaf.parts)}\n</main>"

    def bottom(self, parts: tuple[ContentBlock, ...], links: str) -> str:
        """Render the footer shared by all pages."""
        return f"<footer>\n{self.parts(parts)}\n<small>{links}</small>\n</footer>"

    def anchor(self, leaf: ShopPage) -> str:
        """Render a link to a page."""
        return f'<a href="{leaf.path}">{self.text(leaf.link)}</a>'

    def parts(self, parts: Iterable[ContentBlock]) -> str:
        """Render content blocks in order."""
        return "\n".join(map(self.part, parts))

    def part(self, part: ContentBlock) -> str:
        """Render a content block."""
        match part:
            case AddressBlock():
                return self.where(part)
            case ContactBlock():
                return self.reach(part)
            case TeamBlock(members):
                return f'<div class="team">{"".join(map(self.member, members))}</div>'
            case _:
                return self.words(part)

    def words(self, part: HeadingBlock | ParagraphBlock | ListBlock | QuoteBlock | FinePrintBlock) -> str:
        """Render a text-only block."""
        match part:
            case HeadingBlock(text):
                return f"<h2>{self.text(text)}</h2>"
            case ListBlock(items):
                return f"<ul>{''.join(f'<li>{self.text(item)}</li>' for item in items)}</ul>"
            case QuoteBlock(text, by):
                return f"<blockquote><p>{self.text(text)}</p><cite>{self.text(by)}</cite></blockquote>"
            case FinePrintBlock(text):
                return f"<p><small>{self.text(text)}</small></p>"
            case ParagraphBlock(text):
                return f"<p>{self.text(text)}</p>"

    def where(self, part: AddressBlock) -> str:
        """Render an address."""
        return f"<address>{'<br>'.join(map(self.text, part.lines))}</address>"

    def reach(self, part: ContactBlock) -> str:
        """Render a line such as `Phone: (416) 555-0123`."""
        return f"<p>{self.text(part.label)}{self.colon}{self.linked(part)}</p>"

    @property
    def colon(self) -> str:
        """Return the colon, preceded by a space in French."""
        return " : " if self.shop.french else ": "

    def linked(self, part: ContactBlock) -> str:
        """Render the value of a contact line, as a link if it has a target."""
        shown = self.text(part.shown)
        return f'<a href="{part.link}">{shown}</a>' if part.link is not None else shown

    def member(self, member: ShopTeamMember) -> str:
        """Render a person."""
        return f"<article><h3>{self.text(member.name)}</h3><p>{self.text(member.role)}</p></article>"

    def text(self, text: str) -> str:
        """Escape text for HTML."""
        return escape(text, quote=False)
