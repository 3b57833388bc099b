"""What a business's own web site says of who is behind it, with the page and the words that each value came from.

A site is its owner's claim, never proof: no value here is from a register.
"""

from enum import StrEnum

from pydantic import Field

from bonafide.i18n.message import Message
from bonafide.model.base import Document, Instant
from bonafide.model.entity import Address, RegistrationNumber
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
    page: str
    """The page's address."""
    found_by: FoundBy
    snippet: str
    """The words around it, at most 240 characters."""


class WebsitePerson(Document):
    """A person whom the site names, with the roles in its own words."""

    name: str
    roles: tuple[str, ...] = ()


class ContactInfo(Document):
    """How the site says that its business can be reached. Phone numbers are in the form of E.164 (`+14165550123`)."""

    emails: tuple[str, ...] = ()
    phone_numbers: tuple[str, ...] = ()


class Extracted(Document):
    """What the pages state; each value has a row in `evidence`."""

    legal_name: str | None = None
    descriptions: tuple[str, ...] = ()
    addresses: tuple[Address, ...] = ()
    people: tuple[WebsitePerson, ...] = ()
    registrations: tuple[RegistrationNumber, ...] = ()
    contact_info: ContactInfo = ContactInfo()
    evidence: tuple[WebsiteEvidence, ...] = ()


class IndustryCandidate(Document):
    """A class of NAICS Canada 2022 that the site's words point to. `score` is comparable within one analysis."""

    naics_code: str
    naics_code_name: str
    score: float = Field(ge=0, le=1)
    evidence: Message
    """The nearest official phrase, and the words of the site that match it."""


class Industry(Document):
    """The industry by the site's words; no code rather than a guess. `reasoning` says why either way."""

    naics_code: str | None
    naics_code_name: str | None
    reasoning: Message
    confidence: float = Field(ge=0, le=1)
    candidates: tuple[IndustryCandidate, ...] = ()
    """The best few, best first, also where none is sure enough."""


class Domain(Document):
    """The registered domain, and when it was created by its registry's own word (RDAP); null with the reason in `note`."""

    url: str
    """The registrable domain (`example.ca`)."""
    created_at: Instant | None
    source: str | None = None
    """The RDAP address that was asked."""
    note: Message | None = None


class WebsitePage(Document):
    """One page that was asked for."""

    url: str
    retrieved_at: Instant
    status: int | None = None
    """The HTTP status; null where none came."""
    size: int = 0
    """Bytes that were read."""
    note: Message | None = None
    """Why it was not read, if it was not."""


class WebsiteComparison(Document):
    """The site's statements against the registry match that it was compared with; fields as in `match.fields`."""

    match_id: str
    fields: tuple[FieldMatch, ...]


class WebsiteAnalysis(Document):
    """The `website` section of a search."""

    status: WebsiteStatus
    url: str
    """The address of the home page after redirects, or what was given."""
    extracted: Extracted = Extracted()
    industry: Industry | None = None
    domain: Domain | None = None
    error: Message | None = None
    """Why the status is not `success`."""
    retrieved_at: Instant
    pages: tuple[WebsitePage, ...] = ()
    comparison: WebsiteComparison | None = None
