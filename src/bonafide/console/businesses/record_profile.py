"""What the page of a business record states first: verified, sanctions, status and age, its checks and cases, and where it is."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime
from uuid import UUID

from bonafide.console.events.event_view import find_page
from bonafide.console.frame import code_labels
from bonafide.errors import NotFound
from bonafide.i18n.message import Message
from bonafide.matching.addresses.terms import parse_province_code
from bonafide.model.cases.case import CaseListItem
from bonafide.model.events.event import Event, EventType
from bonafide.model.jurisdiction import Jurisdiction
from bonafide.model.records.business_record import BusinessRecord, VerificationStatus
from bonafide.model.records.connections import ConnectedRecord, ConnectionKind
from bonafide.model.records.timeline import TimelineEntry
from bonafide.model.screening.history import ScreeningOutcome
from bonafide.model.search.match import BusinessMatch, FieldMatch, FieldStatus
from bonafide.model.search.result import SearchResult
from bonafide.runtime import Runtime
from bonafide.services.cases.queue import list_queue
from bonafide.services.cases.timeline import read_checks
from bonafide.services.lookup.connections import read_connected_records
from bonafide.services.screening.record_hits import count_record_hits
from bonafide.services.search.execution import read_search
from bonafide.store.cases.case_queue import CaseOrder
from bonafide.store.cases.cases import CaseFilter

SHOWN_CHECKS = 8
SHOWN_CASES = 5
SHOWN_RELATED = 5
SHARED: dict[ConnectionKind, Message] = {
    ConnectionKind.DIRECTOR: Message("Person of the same name"),
    ConnectionKind.ADDRESS: Message("Same address"),
    ConnectionKind.PHONE: Message("Same phone number"),
    ConnectionKind.WEBSITE: Message("Same website"),
}
_YEAR, _DAY = re.compile(r"\d{4}"), re.compile(r"\d{4}-\d\d-\d\d")
_CHECK_TITLES = {
    EventType.SEARCH_COMPLETED: Message("Search"),
    EventType.VERIFICATION_COMPLETED: Message("Verification"),
    EventType.VERIFICATION_FAILED: Message("Verification"),
    EventType.REPORT_READY: Message("Business report"),
}


@dataclass(frozen=True, slots=True)
class LinkedCheck:
    """One check: its page, and its outcome with the colour of the outcome. `open_hits` is 0 without a screening."""

    title: Message
    page: str | None
    outcome: Message | None
    colour: str
    open_hits: int
    at: datetime


@dataclass(frozen=True, slots=True)
class RecordProfile:
    """The state of a record. `match` is the registration that its last search has selected."""

    colour: str
    open_hits: int
    match: BusinessMatch | None
    formed: date | str | None
    """When it was incorporated, by the record or else by the registration: the day, or a text of a month or a year."""
    age_years: int | None
    discrepancies: Sequence[FieldMatch]
    """The fields in which the record differs from the match of its last search."""
    checks: Sequence[LinkedCheck]
    cases: Sequence[CaseListItem]
    related: Sequence[tuple[ConnectionKind, ConnectedRecord]]
    places: frozenset[Jurisdiction]
    """The provinces and territories of its registration and its addresses."""


async def read_record_profile(runtime: Runtime, organization_id: UUID, record: BusinessRecord) -> RecordProfile:
    """Read what the page of a record states first."""
    result = await _read_last_search(runtime, organization_id, record)
    match = _find_selected(result)
    comparison = result.comparison if result is not None else None
    fields = comparison.fields if comparison is not None else ()
    hits = await count_record_hits(runtime, organization_id, record.id)
    cases = await list_queue(runtime, organization_id, CaseFilter(business_id=record.id), CaseOrder.NEWEST, SHOWN_CASES)
    formed = _find_formation(record, match)
    return RecordProfile(
        colour=_choose_colour(record, hits, match),
        open_hits=hits,
        match=match,
        formed=formed,
        age_years=_count_years(formed, runtime.clock().date()),
        discrepancies=[item for item in fields if item.status in {FieldStatus.PARTIAL, FieldStatus.MISMATCHED}],
        checks=[_build_check(entry) for entry in await read_checks(runtime, organization_id, record.id, SHOWN_CHECKS)],
        cases=cases.cases,
        related=(await read_connected_records(runtime, organization_id, record))[:SHOWN_RELATED],
        places=_list_places(record),
    )


async def _read_last_search(runtime: Runtime, organization_id: UUID, record: BusinessRecord) -> SearchResult | None:
    """The document of the last search; None without one, and once it has been deleted."""
    if record.last_search_job_id is None:
        return None
    try:
        document = await read_search(runtime, organization_id, record.last_search_job_id)
    except NotFound:
        return None
    return document.parse(SearchResult)


def _find_selected(result: SearchResult | None) -> BusinessMatch | None:
    selection = result.match_selection if result is not None else None
    if result is None or selection is None:
        return None
    return next((match for match in result.businesses or () if match.match_id == selection.selected_match_id), None)


def _choose_colour(record: BusinessRecord, open_hits: int, match: BusinessMatch | None) -> str:
    """Red for hits and a failed verification, green only for a verified business without hits that is not known to be inactive."""
    if open_hits > 0 or record.verification_status is VerificationStatus.FAILED:
        return "bad"
    is_abnormal = match is not None and code_labels.STATUS_COLOUR.get(match.status_code, "bad") != "good"
    if record.has_unresolved_discrepancies or record.verification_status is VerificationStatus.DISCREPANCIES or is_abnormal:
        return "warn"
    return "good" if record.verification_status is VerificationStatus.VERIFIED else ""


def _find_formation(record: BusinessRecord, match: BusinessMatch | None) -> date | str | None:
    """The day, if it is known, else the month or the year as it is stored."""
    given = record.incorporation_date
    if given is not None:
        return date.fromisoformat(given) if _DAY.fullmatch(given) else given
    if record.incorporation_year is not None:
        return str(record.incorporation_year)
    return match.incorporation_date if match is not None else None


def _count_years(formed: date | str | None, today: date) -> int | None:
    """The full years since the formation; None for an unknown or a future one.

    The first day of a month alone counts, and the last day of a year alone.
    """
    text = formed.isoformat() if isinstance(formed, date) else formed or ""
    year = _YEAR.match(text)
    if year is None:
        return None
    rest = text[5:]
    is_before = rest == "" or rest > today.isoformat()[5 : len(text)]
    years = today.year - int(year[0]) - is_before
    return years if years >= 0 else None


def _list_places(record: BusinessRecord) -> frozenset[Jurisdiction]:
    stated = [record.address.province, *(address.province for address in record.addresses)]
    provinces = [province for province in stated if province is not None]
    codes = {code.upper() for province in provinces if (code := parse_province_code(province)) is not None}
    registered = {record.jurisdiction} - {None, Jurisdiction.FED}
    return frozenset({*(place for place in Jurisdiction if place.value in codes), *(place for place in registered if place)})


def _build_check(entry: TimelineEntry) -> LinkedCheck:
    if entry.event is None:
        item = entry.screening
        assert item is not None  # noqa: S101 - an entry is an event or a screening
        # The number of open hits states the outcome already.
        label = code_labels.SCREENING_OUTCOME[item.outcome] if item.outcome is not ScreeningOutcome.HITS else None
        colour = code_labels.SCREENING_OUTCOME_COLOUR[item.outcome]
        page = f"/console/sanctions/screenings/{item.id}"
        return LinkedCheck(Message("Sanctions screening"), page, label, colour, item.open_hits, item.screened_at)
    event = entry.event
    outcome, colour = _find_outcome(event)
    hits = event.data.get("openHits")
    title = _CHECK_TITLES.get(event.type, Message("Check"))
    return LinkedCheck(
        title, find_page(event.links.resource), outcome, colour, hits if isinstance(hits, int) else 0, event.occurred_at
    )


def _find_outcome(event: Event) -> tuple[Message | None, str]:
    """The outcome of a check and its colour, in the words of its own page."""
    if event.type is EventType.VERIFICATION_FAILED:
        return code_labels.STANDING["failed"], "bad"
    if event.type is EventType.VERIFICATION_COMPLETED:
        status = str(event.data["status"])
        return code_labels.OUTCOME[status], code_labels.OUTCOME_COLOUR[status]
    if event.type is EventType.SEARCH_COMPLETED:
        selection, status = event.data.get("selection"), str(event.data["status"])
        if isinstance(selection, str):
            return code_labels.SELECTION[selection], code_labels.SELECTION_COLOUR[selection]
        return code_labels.SEARCH_STATUS[status], code_labels.SEARCH_STATUS_COLOUR[status]
    return None, ""
