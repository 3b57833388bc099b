"""Render pages in the style of content management systems, site builders and old templates. Dialects change markup, never text."""

from collections.abc import Iterable
from itertools import groupby

from typing_extensions import override

from bonafide_sandbox.sites.content.shop import Shop, ShopTeamMember
from bonafide_sandbox.sites.content.trades import TABLE
from bonafide_sandbox.sites.markup.clean import CleanMarkup
from bonafide_sandbox.sites.markup.content_blocks import (
    AddressBlock,
    ContactBlock,
    ContentBlock,
    FinePrintBlock,
    ParagraphBlock,
    QuoteBlock,
    ShopPage,
)

NO_BREAK = "&nbsp;"
ZERO_WIDTH = "&#8203;"
FAX = frozenset({"Fax", "Téléc."})


class BlockMarkup(CleanMarkup):
    """A content management system's blocks: many classes, typographic apostrophes, obfuscated e-mail addresses."""

    @override
    def main(self, leaf: ShopPage) -> str:
        return (
            f'<div id="page" class="site"><div class="entry-content wp-block-group is-layout-constrained"><h1 class="entry-title">'
            f"{self.text(leaf.link)}</h1>{self.parts(leaf.parts)}</div></div>"
        )

    @override
    def where(self, part: AddressBlock) -> str:
        return f'<p class="has-text-align-center wp-block-paragraph">{"<br />".join(map(self.text, part.lines))}</p>'

    @override
    def member(self, member: ShopTeamMember) -> str:
        return (
            f'<figure class="wp-block-image size-large"><img decoding="async" src="/wp-content/uploads/face.jpg" alt=""/></figure>'
            f'<h4 class="wp-block-heading"><strong>{self.text(member.name)}</strong></h4><p><em>{self.text(member.role)}</em></p>'
        )

    @override
    def linked(self, part: ContactBlock) -> str:
        if "@" not in part.shown:
            return super().linked(part)
        if not self.shop.chance.happens("protected mail", 0.4):
            # The system encodes every character of an e-mail address as a numeric entity to deter harvesting.
            coded = "".join(f"&#{ord(sign)};" for sign in part.shown)
            return f'<a href="mailto:{coded}">{coded}</a>'
        hidden = _obfuscate_email(part.shown)
        return f'<a href="/cdn-cgi/l/email-protection" class="__cf_email__" data-cfemail="{hidden}">[email&#160;protected]</a>'

    @override
    def text(self, text: str) -> str:
        return super().text(text).replace("'", "&#8217;").replace(" - ", " &#8211; ")


def _obfuscate_email(address: str) -> str:
    """Obfuscate an e-mail address like a content delivery network: a key byte, then every byte XORed with it, in hexadecimal."""
    key = 0x5A
    return bytes([key, *(byte ^ key for byte in address.encode())]).hex()


class CardMarkup(CleanMarkup):
    """A grid of cards and icons, as in CSS frameworks."""

    @override
    def main(self, leaf: ShopPage) -> str:
        column = f'<div class="col-md-8"><h2>{self.text(leaf.link)}</h2>{self.parts(leaf.parts)}</div>'
        return f'<div class="container"><div class="row">{column}</div></div>'

    @override
    def bottom(self, parts: tuple[ContentBlock, ...], links: str) -> str:
        return f'<footer class="bg-dark"><div class="container"><div class="row">{self.parts(parts)}</div>{links}</div></footer>'

    @override
    def where(self, part: AddressBlock) -> str:
        rows = "".join(f"<li>{self.text(line)}</li>" for line in part.lines)
        return f'<ul class="list-unstyled"><i class="fa fa-map-marker" aria-hidden="true"></i>{rows}</ul>'

    @override
    def reach(self, part: ContactBlock) -> str:
        return f'<li><i class="fa fa-phone"></i><span class="sr-only">{self.text(part.label)}</span> {self.linked(part)}</li>'

    @override
    def member(self, member: ShopTeamMember) -> str:
        name = f'<h5 class="card-title">{self.text(member.name)}</h5>'
        role = f'<h6 class="card-subtitle text-muted">{self.text(member.role)}</h6>'
        # Some frameworks put the subtitle first.
        titled = f"{role}{name}" if self.shop.chance.happens("role on top", 0.3) else f"{name}{role}"
        bio = f'<p class="card-text">{self.text(self._bio())}</p>' if self.shop.chance.happens("bios", 0.4) else ""
        return (
            '<div class="col-md-4"><div class="card"><img class="card-img-top" src="/img/1.jpg" alt="">'
            f'<div class="card-body">{titled}{bio}</div></div></div>'
        )

    def _bio(self) -> str:
        """Return a biography that mentions another business."""
        before = self.shop.chance.pick("earlier", TABLE["others"])
        return (
            f"Chez nous depuis 2011, après six ans chez {before}"
            if self.shop.french
            else f"With us since 2011, after six years at {before}"
        )


class SiteBuilderMarkup(CleanMarkup):
    """A site builder's output: one box per line of text, nested spans, zero-width characters."""

    @override
    def main(self, leaf: ShopPage) -> str:
        grid = f'<div data-mesh-id="inline-gridContainer">{self._box(leaf.link, "h1")}{self.parts(leaf.parts)}</div>'
        return f'<div id="SITE_CONTAINER">{grid}</div>'

    @override
    def part(self, part: ContentBlock) -> str:
        match part:
            case ParagraphBlock(text) | FinePrintBlock(text):
                return self._box(text)
            case QuoteBlock(text, by):
                return f"{self._box(f'“{text}”')}{self._box(f'– {by}')}"
            case _:
                return super().part(part)

    @override
    def where(self, part: AddressBlock) -> str:
        return f'<div data-testid="richTextElement">{"".join(map(self._line, part.lines))}{self._line("")}</div>'

    @override
    def reach(self, part: ContactBlock) -> str:
        label = f'<span style="font-weight:bold">{self.text(part.label)}:</span>'
        return f'<div data-testid="richTextElement"><p class="font_8">{label}{NO_BREAK}<span>{self.linked(part)}</span></p></div>'

    @override
    def member(self, member: ShopTeamMember) -> str:
        return f'<div role="listitem">{self._box(member.name, "h6")}{self._box(member.role)}</div>'

    def _box(self, text: str, element: str = "p") -> str:
        return f'<div data-testid="richTextElement">{self._line(text, element)}</div>'

    def _line(self, text: str, element: str = "p") -> str:
        shown = self.text(text) if text else ZERO_WIDTH
        return (
            f'<{element} class="font_8"><span style="letter-spacing:0em;"><span class="color_15">{shown}</span></span></{element}>'
        )


class TableMarkup(CleanMarkup):
    """Circa 2003: table layout, upper-case tags, unclosed elements and Windows-1252 characters."""

    charset = "windows-1252"

    @override
    def document(self, leaf: ShopPage, leaves: tuple[ShopPage, ...]) -> str:
        menu = "<BR>".join(self.anchor(other) for other in leaves)
        return (
            '<HTML><HEAD><META HTTP-EQUIV="Content-Type" CONTENT="text/html; charset=windows-1252">\n'
            f"<TITLE>{self.text(leaf.title)}</TITLE>\n{self.head(leaf)}</HEAD>\n<BODY BGCOLOR=#FFFFCC>\n"
            f"<TABLE WIDTH=760 BORDER=0><TR><TD COLSPAN=2><CENTER><FONT SIZE=+3>{self.text(self.shop.brand)}</FONT></CENTER>\n"
            f'<TR><TD WIDTH=150 VALIGN=top>{menu}<TD><FONT FACE="Arial">{self.parts(leaf.parts)}</FONT>\n'
            f"<TR><TD COLSPAN=2><HR>{self.parts(leaf.bottom)}</TABLE></BODY></HTML>\n"
        )

    @override
    def part(self, part: ContentBlock) -> str:
        match part:
            case ParagraphBlock(text):
                return f"<P>{self.text(text)}"
            case FinePrintBlock(text):
                return f"<BR><FONT SIZE=-2>{self.text(text)}</FONT>"
            case _:
                return super().part(part)

    @override
    def where(self, part: AddressBlock) -> str:
        return f"<P><B>{'<BR>'.join(map(self.text, part.lines))}</B>"

    @override
    def reach(self, part: ContactBlock) -> str:
        return f"<TABLE BORDER=1><TR><TD>{self.text(part.label)}:</TD><TD>{self.linked(part)}</TD></TR></TABLE>"

    @override
    def member(self, member: ShopTeamMember) -> str:
        return f"<TABLE><TR><TD><B>{self.text(member.name)}</B><TD>{self.text(member.role)}</TR></TABLE>"

    @override
    def text(self, text: str) -> str:
        return super().text(text).replace("©", "&copy;").replace("\N{NO-BREAK SPACE}", NO_BREAK)


class PlainMarkup(CleanMarkup):
    """Minimal markup: paragraphs and line breaks, contact details on one line, people as `name, role`."""

    @override
    def parts(self, parts: Iterable[ContentBlock]) -> str:
        """Render consecutive contact blocks side by side."""
        runs = groupby(parts, key=lambda part: isinstance(part, ContactBlock))
        return "\n".join(self._side_by_side(run) if reaching else super(PlainMarkup, self).parts(run) for reaching, run in runs)

    def _side_by_side(self, run: Iterable[ContentBlock]) -> str:
        separator = self.shop.chance.pick("reach separator", (" | ", "<br>", " &bull; ", "<br>\n"))
        return f"<p>{separator.join(map(self.part, run))}</p>"

    @override
    def where(self, part: AddressBlock) -> str:
        return f"<p>{self.text(', '.join(part.lines))}</p>"

    @override
    def reach(self, part: ContactBlock) -> str:
        return f"{self.text(part.label)} {self.linked(part)}"

    @override
    def member(self, member: ShopTeamMember) -> str:
        form = self.shop.chance.pick("member form", ("{}, {}", "{} - {}", "{} – {}", "{} ({})"))
        return f"<p>{self.text(form.format(member.name, member.role))}</p>"


class DefinitionListMarkup(CleanMarkup):
    """Contact details as a definition list, people in a table with headings."""

    @override
    def where(self, part: AddressBlock) -> str:
        label = "Adresse" if self.shop.french else "Address"
        return f"<dl><dt>{label}</dt>{''.join(f'<dd>{self.text(line)}</dd>' for line in part.lines)}</dl>"

    @override
    def reach(self, part: ContactBlock) -> str:
        return f"<dl><dt>{self.text(part.label)}</dt><dd>{self.linked(part)}</dd></dl>"

    @override
    def member(self, member: ShopTeamMember) -> str:
        return f"<table><tbody><tr><td>{self.text(member.name)}</td><td>{self.text(member.role)}</td></tr></tbody></table>"


class MicrodataMarkup(CleanMarkup):
    """Text with schema.org microdata attributes, as in shop themes."""

    @override
    def bottom(self, parts: tuple[ContentBlock, ...], links: str) -> str:
        kind = self.shop.trade.schema
        name = f'<span itemprop="name">{self.text(self.shop.brand)}</span>'
        return f'<footer itemscope itemtype="http://schema.org/{kind}">{name}{self.parts(parts)}{links}</footer>'

    @override
    def main(self, leaf: ShopPage) -> str:
        kind = f"https://schema.org/{self.shop.trade.schema}"
        return f'<main itemscope itemtype="{kind}"><h1>{self.text(leaf.link)}</h1>{self.parts(leaf.parts)}</main>'

    @override
    def where(self, part: AddressBlock) -> str:
        address, box = part.place.address, part.place.box
        door = f"{address.unit}-{address.street}" if address.unit is not None else address.street
        first = ("streetAddress", door) if box is None else ("postOfficeBoxNumber", box)
        code = (("postalCode", address.postal_code),) if self.shop.shows_postal_codes else ()
        pairs = (first, ("addressLocality", address.city), ("addressRegion", address.province), *code)
        spans = ", ".join(f'<span itemprop="{name}">{self.text(value)}</span>' for name, value in pairs)
        label = "" if box is None else "C.P. " if self.shop.french else "P.O. Box "
        return f'<div itemprop="address" itemscope itemtype="http://schema.org/PostalAddress">{label}{spans}</div>'

    @override
    def linked(self, part: ContactBlock) -> str:
        if "@" in part.shown:
            return f'<span itemprop="email">{self.text(part.shown)}</span>'
        return f'<span itemprop="{"faxNumber" if part.label in FAX else "telephone"}">{self.text(part.shown)}</span>'

    @override
    def member(self, member: ShopTeamMember) -> str:
        return (
            '<div itemprop="employee" itemscope itemtype="http://schema.org/Person">'
            f'<span itemprop="name">{self.text(member.name)}</span> <span itemprop="jobTitle">{self.text(member.role)}</span></div>'
        )


DIALECTS: tuple[type[CleanMarkup], ...] = (
    CleanMarkup,
    BlockMarkup,
    CardMarkup,
    SiteBuilderMarkup,
    TableMarkup,
    PlainMarkup,
    DefinitionListMarkup,
    MicrodataMarkup,
)


def choose_dialect(shop: Shop) -> CleanMarkup:
    """Choose the markup of a shop's site."""
    return shop.chance.pick("dialect", DIALECTS)(shop)
