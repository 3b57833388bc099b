"""What a page consists of before it is marked up: headings, paragraphs, addresses, people, quotations."""

from dataclasses import dataclass

from bonafide.sandbox.sites.shop import Member, Place


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading within the page."""

    text: str


@dataclass(frozen=True, slots=True)
class Prose:
    """A paragraph."""

    text: str


@dataclass(frozen=True, slots=True)
class Listing:
    """A list of short items."""

    items: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Where:
    """An address in lines."""

    place: Place
    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Reach:
    """A way to reach the business: a label such as `Phone`, what is shown, and where a link leads, if it is one."""

    label: str
    shown: str
    link: str | None


@dataclass(frozen=True, slots=True)
class Team:
    """People with their roles."""

    members: tuple[Member, ...]


@dataclass(frozen=True, slots=True)
class Quote:
    """What a customer says."""

    text: str
    by: str


@dataclass(frozen=True, slots=True)
class FinePrint:
    """A line at the bottom of the page."""

    text: str


Part = Heading | Prose | Listing | Where | Reach | Team | Quote | FinePrint


@dataclass(frozen=True, slots=True)
class Leaf:
    """One page of a site."""

    path: str
    """With the slash: `/contact`."""
    link: str
    """What links to it say."""
    title: str
    parts: tuple[Part, ...]
    """What it is about."""
    bottom: tuple[Part, ...]
    """What all pages end with."""
    in_menu: bool = True
    """Otherwise only the bottom of pages links to it."""
