"""A page before and after rendering: content blocks, the page that holds them, and its rendered bytes."""

from dataclasses import dataclass

from bonafide_sandbox.sites.content.shop import ShopLocation, ShopTeamMember


@dataclass(frozen=True, slots=True)
class HeadingBlock:
    """A heading within the page."""

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
    """An address in lines."""

    place: ShopLocation
    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ContactBlock:
    """A way to reach the business: a label such as `Phone`, what is shown, and where a link leads, if it is one."""

    label: str
    shown: str
    link: str | None


@dataclass(frozen=True, slots=True)
class TeamBlock:
    """People with their roles."""

    members: tuple[ShopTeamMember, ...]


@dataclass(frozen=True, slots=True)
class QuoteBlock:
    """What a customer says."""

    text: str
    by: str


@dataclass(frozen=True, slots=True)
class FinePrintBlock:
    """A line at the bottom of the page."""

    text: str


ContentBlock = HeadingBlock | ParagraphBlock | ListBlock | AddressBlock | ContactBlock | TeamBlock | QuoteBlock | FinePrintBlock


@dataclass(frozen=True, slots=True)
class ShopPage:
    """One page of a site."""

    path: str
    """With the slash: `/contact`."""
    link: str
    """What links to it say."""
    title: str
    parts: tuple[ContentBlock, ...]
    """What it is about."""
    bottom: tuple[ContentBlock, ...]
    """What all pages end with."""
    in_menu: bool = True
    """Otherwise only the bottom of pages links to it."""


@dataclass(frozen=True, slots=True)
class RenderedShopPage:
    """The bytes of a page, and what the server says of them."""

    body: bytes
    media_type: str
    """The whole header: with the charset, or without where the page is to say it."""
