"""The counts in the navigation: how much waits on a page."""

from collections.abc import Mapping
from dataclasses import dataclass

from bonafide.i18n.message import Message, plural_message
from bonafide.services.overview.open_work import MAX_COUNTED
from bonafide.store.overview.open_work import OpenWorkCounts

CASES = "/console/cases"
REVIEW = "/console/review"
SANCTIONS = "/console/sanctions"
DISCREPANCIES = "/console/discrepancies"
ALERTS = "/console/alerts"
MANUAL_CHECKS = "/console/manual-checks"


@dataclass(frozen=True, slots=True)
class NavigationCount:
    """A count beside the name of a page. `text` says what is counted, for people who do not see where it is."""

    shown: str
    text: Message
    is_urgent: bool = False


def describe_open_work(work: OpenWorkCounts) -> Mapping[str, NavigationCount]:
    """The counts by the address of the page. Pages on which nothing waits are left out."""
    counts = {
        REVIEW: (
            work.searches_to_review,
            plural_message("{n} search to review", "{n} searches to review", work.searches_to_review),
        ),
        SANCTIONS: (work.open_hits, plural_message("{n} open hit", "{n} open hits", work.open_hits)),
        DISCREPANCIES: (
            work.discrepancies,
            plural_message("{n} open discrepancy", "{n} open discrepancies", work.discrepancies),
        ),
        MANUAL_CHECKS: (
            work.manual_checks,
            plural_message("{n} open manual check", "{n} open manual checks", work.manual_checks),
        ),
        ALERTS: (work.alerts, plural_message("{n} open alert", "{n} open alerts", work.alerts)),
    }
    described = {
        address: NavigationCount(format_count(count), text, is_urgent=address == SANCTIONS)
        for address, (count, text) in counts.items()
        if count > 0
    }
    if work.cases > 0:
        own, every = format_count(work.own_cases), format_count(work.cases)
        text = Message("{own} assigned to you, {count} open", own=own, count=every)
        described[CASES] = NavigationCount(f"{own}/{every}" if work.own_cases > 0 else every, text)
    return described


def format_count(count: int) -> str:
    """The count; `99+` where counting ended."""
    return str(count) if count < MAX_COUNTED else f"{MAX_COUNTED - 1}+"
