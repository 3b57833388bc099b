"""What is watched of a website, as it was last read."""

from enum import StrEnum

from bonafide.model.base import Document, Instant


class WebsiteChangeKind(StrEnum):
    """What has changed about a website."""

    GONE = "gone"
    """It could not be reached several times in a row."""
    BACK = "back"
    """It can be reached again after it was gone."""
    MOVED = "moved"
    """Its address leads to another domain."""
    OWNER_CHANGED = "owner_changed"
    """Its domain was registered anew."""
    NAME_CHANGED = "name_changed"
    """It states another name."""
    NUMBERS_CHANGED = "numbers_changed"
    """It states other registration numbers."""
    CONTACTS_CHANGED = "contacts_changed"
    """It states other phone numbers and email domains, and none of those before."""


class WebsiteSnapshot(Document):
    """The watched statements of a website, and how often it could not be reached since. Lists are sorted.

    A statement that the site no longer makes is kept until the site makes another one in its place.
    """

    domain: str | None = None
    """Registrable domain of the home page after redirects; null before the first successful reading."""
    domain_created_at: Instant | None = None
    """When the domain of the record's address was registered; null if its registry has never stated it."""
    legal_name: str | None = None
    """Name of the business."""
    registrations: tuple[str, ...] = ()
    """Registration numbers, including business numbers and tax accounts."""
    email_domains: tuple[str, ...] = ()
    """Domains of the email addresses."""
    phone_numbers: tuple[str, ...] = ()
    """Phone numbers in E.164 format."""
    pages: tuple[str, ...] = ()
    """URLs of the pages that were read."""
    is_complete: bool = True
    """Whether these are all pages that were selected."""
    is_skipped: bool = False
    """Whether the statements of the last reading were not compared with these."""
    failures: int = 0
    """Readings in a row that did not reach the site, counted at most once a day."""
    failing_since: Instant | None = None
    """First of these readings."""
    failed_at: Instant | None = None
    """Last of these readings that counts."""
    is_gone: bool = False
    """Whether the site was reported as gone, and has not been reached since."""

    @property
    def contacts(self) -> tuple[str, ...]:
        """Email domains and phone numbers."""
        return (*self.email_domains, *self.phone_numbers)
