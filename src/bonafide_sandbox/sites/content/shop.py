"""The facts that a site shows about its business.

`formatting` and `markup` word and render them. Tests verify that every fact is shown.
"""

from dataclasses import dataclass
from enum import StrEnum

from bonafide_sandbox.generator.business import OfficeAddress, SandboxBusiness
from bonafide_sandbox.sites.content.seeded_choice import SeededChoice
from bonafide_sandbox.sites.content.trades import Trade, TradeText

SITES_DOMAIN = "sandbox.example"


class LegalNamePlacement(StrEnum):
    """Where a site states the legal name of its business."""

    COPYRIGHT = "copyright"
    OPERATED = "operated"
    """In the fine print of every page, which states that the company operates the brand."""
    PRIVACY = "privacy"
    """Only on the privacy page."""
    TERMS = "terms"
    """Only in the terms of use."""
    STRUCTURED = "structured"
    """Only in structured data for search engines."""
    NOWHERE = "nowhere"


class SiteLayout(StrEnum):
    """How content is divided between pages."""

    ONE_PAGE = "one_page"
    """Everything except the policies is on one page."""
    PAGES = "pages"
    TEAM_APART = "team_apart"
    """The people are on a separate page."""


@dataclass(frozen=True, slots=True)
class ShopLocation:
    """A location of the business: a street address, or a post office box in the same city."""

    address: OfficeAddress
    phone: str
    """In the form `+14165550123`."""
    box: str | None = None
    """The post office box number. If set, the site shows no street address."""
    label: str | None = None
    """The name of the location, if there are several."""


@dataclass(frozen=True, slots=True)
class ShopTeamMember:
    """A person at the business, with the role as written on the site."""

    name: str
    role: str


@dataclass(frozen=True, slots=True)
class ShownNumber:
    """A registration number: its kind, its label and its written form."""

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
    """The name under which the business presents itself."""
    french: bool
    name_shown: LegalNamePlacement
    places: tuple[ShopLocation, ...]
    people: tuple[ShopTeamMember, ...]
    numbers: tuple[ShownNumber, ...]
    emails: tuple[str, ...]
    free_phone: str | None
    fax: str | None
    privacy_officer: ShopTeamMember | None
    """The person responsible for privacy whom the policy names, as Quebec and federal law require."""
    shows_postal_codes: bool
    layout: SiteLayout
    policies: frozenset[str]
    """The policy pages that exist: `privacy`, `terms`, both or neither."""
    chance: SeededChoice

    @property
    def text(self) -> TradeText:
        """Return the trade's texts in the site's language."""
        return self.trade.text(french=self.french)

    @property
    def legal_name(self) -> str:
        """Return the legal name as registered."""
        return self.business.name

    @property
    def phones(self) -> tuple[str, ...]:
        """Return all phone numbers shown, except the fax number."""
        return tuple(dict.fromkeys([*(place.phone for place in self.places), *([self.free_phone] if self.free_phone else [])]))

    @property
    def year(self) -> int:
        """Return the year in which the business was registered."""
        return self.business.registered_on.year
