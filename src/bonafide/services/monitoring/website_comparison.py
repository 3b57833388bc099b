"""Compare a reading of a website with the one before it. Pure.

Only what concerns the identity of the business is compared. A value counts as changed when the site states another one in its
place, not when it is missing: texts and pages of sites change all the time.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from bonafide.i18n.message import Message
from bonafide.matching.identifiers.number_matching import build_number_keys
from bonafide.matching.screening.name_parsing import parse_organization_name
from bonafide.model.events.event import EventChange
from bonafide.model.monitoring.website_snapshots import WebsiteChangeKind, WebsiteSnapshot
from bonafide.model.search.website import WebsiteAnalysis, WebsiteStatus

GONE_AFTER = 3
"""Failures in a row after which a site is gone."""
FAILURE_SPACING = timedelta(days=1)
"""The least time between two failures that count."""
MIN_DOMAIN_AGE_CHANGE = timedelta(days=2)
"""A registration date that is later by less is the same one in another time zone or precision."""
NOT_REACHED = Message("The website could not be reached.")
INCOMPLETE = Message("Other pages of the website could be read than before, so its statements were not compared.")
NOT_READ = Message("The website does not permit programs to read it.")
OFFLINE = Message("No website could be reached recently, so the service is probably offline itself.")
_READ = frozenset({WebsiteStatus.SUCCESS, WebsiteStatus.PARTIAL})
_MISSING_PAGE = frozenset({404, 410})


@dataclass(frozen=True, slots=True)
class WebsiteReading:
    """A website as it was read. `domain` is the registrable domain of its home page after redirects."""

    analysis: WebsiteAnalysis
    domain: str
    is_service_offline: bool = False
    """Whether the service seems to have no connection, so that a failure is no evidence about the site."""

    @property
    def is_reached(self) -> bool:
        """Whether its home page was read."""
        return self.analysis.status in _READ

    @property
    def is_failed(self) -> bool:
        """Whether there is no site at the address: nobody responds, the response is an error, or the home page does not exist."""
        pages = self.analysis.pages
        is_missing = self.analysis.status is WebsiteStatus.INVALID and bool(pages) and pages[-1].status in _MISSING_PAGE
        return is_missing or self.analysis.status is WebsiteStatus.UNREACHABLE


@dataclass(frozen=True, slots=True)
class WebsiteChange:
    """One change of a website."""

    kind: WebsiteChangeKind
    change: EventChange


@dataclass(frozen=True, slots=True)
class ComparedWebsite:
    """The snapshot to store, what has changed, and why the site was not compared, or not completely."""

    snapshot: WebsiteSnapshot
    changes: tuple[WebsiteChange, ...]
    gap: Message | None


def compare_website(old: WebsiteSnapshot | None, reading: WebsiteReading) -> ComparedWebsite:
    """Compare a reading with the snapshot of the earlier ones. The first successful reading is a beginning, not a change."""
    before = old if old is not None else WebsiteSnapshot()
    changes = [*_compare_registration(before, reading)]
    domain = reading.analysis.domain
    created_at = domain.created_at if domain is not None and domain.created_at is not None else before.domain_created_at
    known = before.model_copy(update={"domain_created_at": created_at})
    if not reading.is_reached:
        return _count_failure(known, reading, changes)
    now = known.model_copy(
        update={"domain": reading.domain, "failures": 0, "failing_since": None, "failed_at": None, "is_gone": False}
    )
    if before.is_gone:
        changes.append(WebsiteChange(WebsiteChangeKind.BACK, EventChange(field="isReachable", from_=False, to=True)))
    if before.domain is not None and before.domain != reading.domain:
        changes.append(WebsiteChange(WebsiteChangeKind.MOVED, EventChange(field="domain", from_=before.domain, to=reading.domain)))
    stated = _read_statements(now, reading.analysis)
    if before.domain is None:
        return ComparedWebsite(stated, tuple(changes), None)
    if not _are_comparable(before, stated):
        # A second time, the pages have changed for good: the comparison begins anew.
        kept = stated if before.is_skipped else now.model_copy(update={"is_skipped": True})
        return ComparedWebsite(kept, tuple(changes), INCOMPLETE)
    return ComparedWebsite(stated, (*changes, *_compare_statements(before, stated)), None)


def compute_interval(snapshot: WebsiteSnapshot, interval: timedelta) -> timedelta:
    """When to read a site again: after the interval of the policy, or after a day until it is clear whether the site is gone."""
    is_in_doubt = 0 < snapshot.failures < GONE_AFTER
    return min(FAILURE_SPACING, interval) if is_in_doubt else interval


def is_same_name(name: str, others: Iterable[str]) -> bool:
    """Whether a name is one of the others but for its spelling and its legal form."""
    return parse_organization_name(name).core in {parse_organization_name(other).core for other in others}


def _compare_registration(before: WebsiteSnapshot, reading: WebsiteReading) -> Iterator[WebsiteChange]:
    """A domain that is registered later than it was before has lapsed in between, and anybody may have registered it."""
    domain, known = reading.analysis.domain, before.domain_created_at
    found = domain.created_at if domain is not None else None
    if found is not None and known is not None and found - known >= MIN_DOMAIN_AGE_CHANGE:
        days = known.date().isoformat(), found.date().isoformat()
        change = EventChange(field="domainCreatedOn", from_=days[0], to=days[1])
        yield WebsiteChange(WebsiteChangeKind.OWNER_CHANGED, change)


def _count_failure(known: WebsiteSnapshot, reading: WebsiteReading, changes: list[WebsiteChange]) -> ComparedWebsite:
    status, at = reading.analysis.status, reading.analysis.retrieved_at
    if reading.is_service_offline:
        return ComparedWebsite(known, tuple(changes), OFFLINE)
    if not reading.is_failed:
        if status is WebsiteStatus.BLOCKED and not known.is_gone:
            # The site responds, so it is not gone.
            known = known.model_copy(update={"failures": 0, "failing_since": None, "failed_at": None})
        return ComparedWebsite(known, tuple(changes), _explain_failure(reading.analysis, NOT_READ))
    if known.failed_at is None or at - known.failed_at >= FAILURE_SPACING:
        since = known.failing_since if known.failing_since is not None else at
        known = known.model_copy(update={"failures": known.failures + 1, "failing_since": since, "failed_at": at})
    if known.domain is not None and known.failures >= GONE_AFTER and not known.is_gone:
        known = known.model_copy(update={"is_gone": True})
        changes.append(WebsiteChange(WebsiteChangeKind.GONE, EventChange(field="isReachable", from_=True, to=False)))
    return ComparedWebsite(known, tuple(changes), _explain_failure(reading.analysis, NOT_REACHED))


def _explain_failure(analysis: WebsiteAnalysis, otherwise: Message) -> Message:
    problem = analysis.error
    return Message("The website was not read: {problem}", problem=problem) if problem is not None else otherwise


def _are_comparable(before: WebsiteSnapshot, now: WebsiteSnapshot) -> bool:
    """Whether both readings have all pages, or the same ones: a page that is missing may state what another one does not."""
    return (before.is_complete and now.is_complete) or before.pages == now.pages


def _read_statements(known: WebsiteSnapshot, analysis: WebsiteAnalysis) -> WebsiteSnapshot:
    """The snapshot with what the site states now; what it states nothing about stays as it was."""
    extracted, contact = analysis.extracted, analysis.extracted.contact_info
    stated: dict[str, Any] = {}
    if extracted.legal_name is not None:
        stated["legal_name"] = extracted.legal_name
    if extracted.registrations:
        stated["registrations"] = tuple(sorted({number.value for number in extracted.registrations}))
    if contact.emails or contact.phone_numbers:
        stated["email_domains"] = tuple(sorted({email.rpartition("@")[2].lower() for email in contact.emails}))
        stated["phone_numbers"] = tuple(sorted(set(contact.phone_numbers)))
    pages = sorted({page.url for page in analysis.pages if page.status is not None and page.note is None})
    is_complete = analysis.status is WebsiteStatus.SUCCESS
    return known.model_copy(update={**stated, "pages": tuple(pages), "is_complete": is_complete, "is_skipped": False})


def _compare_statements(before: WebsiteSnapshot, now: WebsiteSnapshot) -> Iterator[WebsiteChange]:
    if before.legal_name is not None and now.legal_name is not None and not is_same_name(now.legal_name, [before.legal_name]):
        change = EventChange(field="legalName", from_=before.legal_name, to=now.legal_name)
        yield WebsiteChange(WebsiteChangeKind.NAME_CHANGED, change)
    if _are_numbers_replaced(before.registrations, now.registrations):
        change = EventChange(field="registrations", from_=list(before.registrations), to=list(now.registrations))
        yield WebsiteChange(WebsiteChangeKind.NUMBERS_CHANGED, change)
    if before.contacts and now.contacts and set(before.contacts).isdisjoint(now.contacts):
        change = EventChange(field="contacts", from_=list(before.contacts), to=list(now.contacts))
        yield WebsiteChange(WebsiteChangeKind.CONTACTS_CHANGED, change)


def _are_numbers_replaced(before: Sequence[str], now: Sequence[str]) -> bool:
    """Whether a number is missing and another one is new. Numbers that are only added or left out are no change."""
    return _has_other(before, now) and _has_other(now, before)


def _has_other(numbers: Iterable[str], others: Iterable[str]) -> bool:
    """Whether one of the numbers is none of the others, in any spelling."""
    keys = {key for other in others for key in build_number_keys(other)}
    return any(build_number_keys(number).isdisjoint(keys) for number in numbers)
