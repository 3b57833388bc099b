"""Content blocks, the pages that contain them, and rendered pages."""

from dataclasses import dataclass

from bonafide_sandbox.sites.content.shop import ShopLocation, ShopTeamMember


@dataclass(frozen=True, slots=True)
class HeadingBlock:
    """A heading within a page."""

    text: str


@dataclass(frozen=True, slots=True)
class ParagraphBlock:
    """A paragraph."""

    text: str


@dataclass(frozen=True, slots=True)
class ListBlock:
    """A list of short items."""

    items: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class AddressBlock:
    """An address, as lines."""

    place: ShopLocation
    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ContactBlock:
    """A contact method: a label such as `Phone`, the text shown, and the link target if there is one."""

    label: str
    shown: str
    link: str | None


@dataclass(frozen=True, slots=True)
class TeamBlock:
    """People with their roles."""

    members: tuple[ShopTeamMember, ...]


@dataclass(frozen=True, slots=True)
class QuoteBlock:
    """A customer testimonial."""

    text: str
    by: str


@dataclass(frozen=True, slots=True)
class FinePrintBlock:
    """A line of fine print at the bottom of the page."""

    text: str


ContentBlock = HeadingBlock | ParagraphBlock | ListBlock | AddressBlock | ContactBlock | TeamBlock | QuoteBlock | FinePrintBlock


@dataclass(frozen=True, slots=True)
class ShopPage:
    """A page of a site."""

    path: str
    """Includes the leading slash: `/contact`."""
    link: str
    """The text of links to the page."""
    title: str
    parts: tuple[ContentBlock, ...]
    """The main content."""
    bottom: tuple[ContentBlock, ...]
    """The footer shared by all pages."""
    in_menu: bool = True
    """If false, only the footer links to the page."""


@dataclass(frozen=True, slots=True)
class RenderedShopPage:
    """The bytes of a page and its content type."""

    body: bytes
    media_type: str
    """The full `Content-Type` value, without a charset if the page itself declares it."""
