"""The facts that a site shows of its business.

How they are worded and marked up is for `wording`, `pages` and `markup`; that each is shown is a promise the tests hold.
"""

from dataclasses import dataclass
from enum import StrEnum

from bonafide_sandbox.generator.business import OfficeAddress, SandboxBusiness
from bonafide_sandbox.sites.content.seeded_choice import SeededChoice
from bonafide_sandbox.sites.content.trades import Trade, TradeText

SITES_DOMAIN = "sandbox.example"


class LegalNamePlacement(StrEnum):
    """Where a site says its business's legal name."""

    COPYRIGHT = "copyright"
    OPERATED = "operated"
    """In the fine print of every page: the brand is operated by it."""
    PRIVACY = "privacy"
    """On the page about privacy alone."""
    TERMS = "terms"
    """In the terms of use alone."""
    STRUCTURED = "structured"
    """As data for search engines alone."""
    NOWHERE = "nowhere"


class SiteLayout(StrEnum):
    """How much of a site is on a page."""

    ONE_PAGE = "one_page"
    """All but the policies."""
    PAGES = "pages"
    TEAM_APART = "team_apart"
    """The people have a page of their own."""


@dataclass(frozen=True, slots=True)
class ShopLocation:
    """Where the business is found: a door, or a post office box of the same town."""

    address: OfficeAddress
    phone: str
    """`+14165550123`."""
    box: str | None = None
    """The number of the box; then the site names no street."""
    label: str | None = None
    """What the place is called where there are several."""


@dataclass(frozen=True, slots=True)
class ShopTeamMember:
    """A person of the business, with the role in the site's words."""

    name: str
    role: str


@dataclass(frozen=True, slots=True)
class ShownNumber:
    """A number of registration: its kind, how it is labelled, how it is written."""

    kind: str
    label: str
    value: str


@dataclass(frozen=True, slots=True)
class Shop:
    """A business and its site."""

    host: str
    business: SandboxBusiness
    trade: Trade
    brand: str
    """What it calls itself."""
    french: bool
    name_shown: LegalNamePlacement
    places: tuple[ShopLocation, ...]
    people: tuple[ShopTeamMember, ...]
    numbers: tuple[ShownNumber, ...]
    emails: tuple[str, ...]
    free_phone: str | None
    fax: str | None
    privacy_officer: ShopTeamMember | None
    """Whom the policy names as answering for it, as the law of Quebec and of Canada wants it."""
    shows_postal_codes: bool
    layout: SiteLayout
    policies: frozenset[str]
    """Which of the pages `privacy` and `terms` there are."""
    chance: SeededChoice

    @property
    def text(self) -> TradeText:
        """Its trade's words in the site's language."""
        return self.trade.text(french=self.french)

    @property
    def legal_name(self) -> str:
        """As its register has it."""
        return self.business.name

    @property
    def phones(self) -> tuple[str, ...]:
        """All numbers that are shown but for the fax."""
        return tuple(dict.fromkeys([*(place.phone for place in self.places), *([self.free_phone] if self.free_phone else [])]))

    @property
    def year(self) -> int:
        """In which it began."""
        return self.business.registered_on.year
