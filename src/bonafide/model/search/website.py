"""What a business's own web site says of who is behind it, with the page and the words that each value came from.

A site is its owner's claim, never proof: no value here is from a register.
"""

from enum import StrEnum
from typing import Annotated

from pydantic import Field

from bonafide.i18n.message import Message
from bonafide.model.base import Document, Instant
from bonafide.model.entity import Address, RegistrationNumber, VisibleName
from bonafide.model.search.match import FieldMatch


class WebsiteStatus(StrEnum):
    """What came of reading a site."""

    SUCCESS = "success"
    """Every page that was wanted was read."""
    PARTIAL = "partial"
    """Some pages could not be read, or what was read holds next to no text (a page that is drawn by a script)."""
    BLOCKED = "blocked"
    """The site does not want programs: robots.txt, 401, 403, 429, or a challenge."""
    UNREACHABLE = "unreachable"
    """Its name has no address, nobody answers, or what answers fails."""
    REFUSED = "refused"
    """An address that must not be fetched."""
    INVALID = "invalid"
    """No web address, or no page behind it."""


class FoundBy(StrEnum):
    """How a value was found on a page."""

    JSON_LD = "json_ld"
    MICRODATA = "microdata"
    META = "meta"
    LINK = "link"
    """An address of a link: `mailto:`, `tel:`."""
    TEXT = "text"


class WebsiteEvidence(Document):
    """Where one value of `extracted` was found. `value` is equal to the value there, or to the address's or person's line."""

    field: str
    """`legalName`, `descriptions`, `addresses`, `people`, `registrations`, `emails` or `phoneNumbers`."""
    value: str
    """The extracted value."""
    page: str
    """URL of the page."""
    found_by: FoundBy
    """How the value was found."""
    snippet: str
    """Surrounding text, at most 240 characters."""


class WebsitePerson(Document):
    """A person whom the site names, with the roles in its own words."""

    name: VisibleName
    """Full name."""
    roles: tuple[str, ...] = ()
    """Roles in the website's own words."""


class ContactInfo(Document):
    """How the site says that its business can be reached. Phone numbers are in the form of E.164 (`+14165550123`)."""

    emails: tuple[str, ...] = ()
    """Email addresses."""
    phone_numbers: tuple[str, ...] = ()
    """Phone numbers in E.164 format."""


class Extracted(Document):
    """What the pages state; each value has a row in `evidence`."""

    legal_name: VisibleName | None = None
    """Legal name stated on the website."""
    descriptions: Annotated[tuple[str, ...], Field(examples=[["Packaged foods for restaurants in southern Ontario"]])] = ()
    """Descriptions of the business."""
    addresses: tuple[Address, ...] = ()
    """Addresses on the website."""
    people: tuple[WebsitePerson, ...] = ()
    """People named on the website."""
    registrations: tuple[RegistrationNumber, ...] = ()
    """Registration numbers on the website."""
    contact_info: ContactInfo = ContactInfo()
    """Contact details."""
    evidence: tuple[WebsiteEvidence, ...] = ()
    """Where each value was found."""


class IndustryCandidate(Document):
    """A class of NAICS Canada 2022 that the site's words point to. `score` is comparable within one analysis."""

    naics_code: str
    """NAICS code."""
    naics_code_name: str
    """Title of the class."""
    score: float = Field(ge=0, le=1)
    """Score, comparable within one analysis."""
    evidence: Message
    """The closest official phrase, and the words of the website that match it."""


class Industry(Document):
    """The industry by the site's words; no code rather than a guess. `reasoning` says why either way."""

    naics_code: str | None
    """NAICS code; null if no class is certain enough."""
    naics_code_name: str | None
    """Title of the class."""
    reasoning: Message
    """Explanation of the classification."""
    confidence: float = Field(ge=0, le=1)
    """Confidence from 0 to 1."""
    candidates: tuple[IndustryCandidate, ...] = ()
    """Best classes, best first."""


class Domain(Document):
    """The registered domain, and when it was created by its registry's own word (RDAP); null with the reason in `note`."""

    url: str
    """Registrable domain."""
    created_at: Instant | None
    """When the domain was registered."""
    source: str | None = None
    """RDAP URL that was queried."""
    note: Annotated[Message | None, Field(examples=["The RDAP server did not respond."])] = None
    """Why the registration date is unknown."""


class WebsitePage(Document):
    """One page that was asked for."""

    url: str
    """URL of the page."""
    retrieved_at: Instant
    """When the page was requested."""
    status: int | None = None
    """HTTP status; null without a response."""
    size: int = 0
    """Number of bytes read."""
    note: Annotated[Message | None, Field(examples=["robots.txt disallows this page."])] = None
    """Why the page was not read."""


class WebsiteComparison(Document):
    """The site's statements against the registry match that it was compared with; fields as in `match.fields`."""

    match_id: str
    """ID of the match that was compared."""
    fields: tuple[FieldMatch, ...]
    """Compared fields."""


class WebsiteAnalysis(Document):
    """The `website` section of a search."""

    status: WebsiteStatus
    """Outcome of the analysis."""
    url: str
    """URL of the home page after redirects, or the given URL."""
    extracted: Extracted = Extracted()
    """Statements of the website."""
    industry: Industry | None = None
    """Industry classification."""
    domain: Domain | None = None
    """Domain registration."""
    error: Annotated[Message | None, Field(examples=["The website did not respond in time."])] = None
    """Why the status is not `success`."""
    retrieved_at: Instant
    """When the website was read."""
    pages: tuple[WebsitePage, ...] = ()
    """Pages that were requested."""
    comparison: WebsiteComparison | None = None
    """Comparison with the best registry match."""
