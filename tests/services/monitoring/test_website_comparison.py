"""What counts as a change of a website between two readings, and what does not."""

from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

import pytest

from bonafide.model.entity import RegistrationNumber
from bonafide.model.events.event import EventSeverity, NewEvent
from bonafide.model.monitoring.website_snapshots import WebsiteChangeKind, WebsiteSnapshot
from bonafide.model.records.business_record import BusinessRecord
from bonafide.model.search.website import ContactInfo, Domain, Extracted, WebsiteAnalysis, WebsitePage, WebsiteStatus
from bonafide.services.monitoring.website_comparison import (
    GONE_AFTER,
    INCOMPLETE,
    ComparedWebsite,
    WebsiteReading,
    compare_website,
    compute_interval,
)
from bonafide.services.monitoring.website_events import build_website_event

START = datetime(2026, 11, 1, 12, tzinfo=UTC)
REGISTERED = datetime(2004, 6, 12, 14, 33, tzinfo=UTC)
SITE, DOMAIN = "https://bakery.example.ca/", "example.ca"
NAME = "Quiet Harbour Bakery Limited"
BN, OTHER_BN = "835752437 RT0001", "990000010 RT0001"
MONTH = timedelta(days=30)
Kind = WebsiteChangeKind


def read(  # noqa: PLR0913 - each part of a reading
    days: float = 0,
    *,
    status: WebsiteStatus = WebsiteStatus.SUCCESS,
    name: str | None = NAME,
    numbers: tuple[str, ...] = (BN,),
    contacts: tuple[str, ...] = ("hello@example.ca", "+19025550123"),
    pages: tuple[str, ...] = (SITE, f"{SITE}contact"),
    domain: str = DOMAIN,
    created_at: datetime | None = REGISTERED,
    http_status: int = 200,
) -> WebsiteReading:
    """A reading of the site some days after the first one."""
    at = START + timedelta(days=days)
    extracted = Extracted(
        legal_name=name,
        registrations=tuple(RegistrationNumber(label="GST", value=number) for number in numbers),
        contact_info=ContactInfo(
            emails=tuple(one for one in contacts if "@" in one), phone_numbers=tuple(one for one in contacts if "@" not in one)
        ),
    )
    analysis = WebsiteAnalysis(
        status=status,
        url=f"https://{domain}/",
        extracted=extracted if status in {WebsiteStatus.SUCCESS, WebsiteStatus.PARTIAL} else Extracted(),
        domain=Domain(url=DOMAIN, created_at=created_at),
        retrieved_at=at,
        pages=tuple(WebsitePage(url=page, retrieved_at=at, status=http_status) for page in pages),
    )
    return WebsiteReading(analysis, domain)


def failed(days: float) -> WebsiteReading:
    return read(days, status=WebsiteStatus.UNREACHABLE, pages=())


def compare(*readings: WebsiteReading, old: WebsiteSnapshot | None = None) -> ComparedWebsite:
    """The comparison of the last reading with those before it."""
    compared = compare_website(old, readings[0])
    for reading in readings[1:]:
        compared = compare_website(compared.snapshot, reading)
    return compared


def kinds(compared: ComparedWebsite) -> list[WebsiteChangeKind]:
    return [change.kind for change in compared.changes]


def event_of(*readings: WebsiteReading, record: BusinessRecord) -> NewEvent | None:
    return build_website_event(compare(*readings), readings[-1].analysis, SITE, DOMAIN, record)


def test_the_first_reading_is_a_beginning() -> None:
    compared = compare(read())
    assert (compared.changes, compared.gap) == ((), None)
    assert compared.snapshot.legal_name == NAME
    assert compared.snapshot.contacts == ("example.ca", "+19025550123")


@pytest.mark.parametrize(
    "later",
    [
        {"name": "QUIET HARBOUR BAKERY LTD."},
        {"name": None},
        {"numbers": ("BN 83575 2437 RT0001",)},
        {"numbers": ()},
        {"numbers": (BN, OTHER_BN)},
        {"contacts": ("hello@example.ca", "+19025559999")},
        {"contacts": ()},
        {"pages": (SITE, f"{SITE}about")},
        {"created_at": None},
        {"created_at": REGISTERED + timedelta(hours=9)},
        {"created_at": REGISTERED - timedelta(days=400)},
    ],
    ids=lambda later: "-".join(map(str, later.items()))[:60],
)
def test_what_says_nothing_about_the_business_is_no_change(later: dict[str, Any]) -> None:
    compared = compare(read(), read(30, **later))
    assert (compared.changes, compared.gap) == ((), None)


@pytest.mark.parametrize(
    ("later", "kind", "field"),
    [
        ({"name": "Umbra Lantern Works Ltd."}, Kind.NAME_CHANGED, "legalName"),
        ({"numbers": (OTHER_BN,)}, Kind.NUMBERS_CHANGED, "registrations"),
        ({"contacts": ("info@umbra.example", "+14165550000")}, Kind.CONTACTS_CHANGED, "contacts"),
        ({"domain": "umbra.example"}, Kind.MOVED, "domain"),
        ({"created_at": START}, Kind.OWNER_CHANGED, "domainCreatedOn"),
    ],
    ids=lambda value: str(value)[:40],
)
def test_a_change_is_found_once(later: dict[str, Any], kind: WebsiteChangeKind, field: str) -> None:
    first, second = read(), read(30, **later)
    compared = compare(first, second)
    assert [(change.kind, change.change.field) for change in compared.changes] == [(kind, field)]
    assert compare(first, second, read(60, **later)).changes == ()


def test_a_statement_that_was_left_out_for_a_while_is_compared_with_the_last_one() -> None:
    assert kinds(compare(read(), read(30, name=None), read(60, name="Umbra Lantern Works Ltd."))) == [Kind.NAME_CHANGED]


def test_a_site_is_gone_after_failures_on_several_days_only() -> None:
    reported = [kinds(compare(read(), *map(failed, range(1, days + 1)))) for days in range(1, GONE_AFTER + 2)]
    assert reported == [[]] * (GONE_AFTER - 1) + [[Kind.GONE], []]
    assert kinds(compare(read(), *(failed(1 + hour / 24) for hour in range(GONE_AFTER + 3)))) == []
    assert compare(read(), failed(1)).gap is not None


def test_a_site_that_responds_in_between_is_not_gone() -> None:
    assert kinds(compare(read(), failed(1), failed(2), read(3), failed(4), failed(5))) == []
    blocked = read(3, status=WebsiteStatus.BLOCKED, pages=())
    compared = compare(read(), failed(1), failed(2), blocked, failed(4))
    assert (kinds(compared), compared.snapshot.failures) == ([], 1)


def test_a_home_page_that_does_not_exist_any_more_is_a_failure_and_a_refused_address_is_none() -> None:
    missing = read(1, status=WebsiteStatus.INVALID, http_status=404)
    refused = read(1, status=WebsiteStatus.REFUSED, pages=())
    assert [compare(read(), one).snapshot.failures for one in (missing, refused)] == [1, 0]
    assert compare(read(), refused).gap is not None


def test_a_site_that_was_never_read_can_not_be_gone() -> None:
    compared = compare(*map(failed, range(GONE_AFTER + 2)))
    assert (compared.changes, compared.snapshot.is_gone) == ((), False)
    assert compare(failed(0), read(1)).changes == ()


def test_a_site_that_is_back_is_compared_with_what_it_was() -> None:
    gone = compare(read(), *map(failed, range(1, GONE_AFTER + 1))).snapshot
    assert gone.is_gone
    assert kinds(compare(read(40), old=gone)) == [Kind.BACK]
    assert kinds(compare(read(40, name="Umbra Lantern Works Ltd.", created_at=START), old=gone)) == [
        Kind.OWNER_CHANGED,
        Kind.BACK,
        Kind.NAME_CHANGED,
    ]


def test_a_domain_that_is_registered_anew_is_found_without_its_pages() -> None:
    unread = read(30, status=WebsiteStatus.UNREACHABLE, pages=(), created_at=START)
    compared = compare(read(), unread)
    assert kinds(compared) == [Kind.OWNER_CHANGED]
    assert compared.gap is not None


def test_a_reading_of_other_pages_is_not_compared_and_the_next_one_begins_anew() -> None:
    partly: dict[str, Any] = {"status": WebsiteStatus.PARTIAL, "pages": (SITE,), "name": "Harbour Web Design Inc."}
    once, twice = compare(read(), read(30, **partly)), compare(read(), read(30, **partly), read(60, **partly))
    assert (once.changes, once.gap, once.snapshot.legal_name) == ((), INCOMPLETE, NAME)
    assert (twice.changes, twice.gap, twice.snapshot.legal_name) == ((), INCOMPLETE, "Harbour Web Design Inc.")
    later = compare(read(), read(30, **partly), read(60, **partly), read(90, **{**partly, "name": NAME}))
    assert (kinds(later), later.gap) == ([Kind.NAME_CHANGED], None)


def test_a_site_that_is_read_partly_each_time_is_compared() -> None:
    partly: dict[str, Any] = {"status": WebsiteStatus.PARTIAL, "pages": (SITE,)}
    assert kinds(compare(read(**partly), read(30, **partly, numbers=(OTHER_BN,)))) == [Kind.NUMBERS_CHANGED]


def test_a_site_in_doubt_is_read_again_after_a_day() -> None:
    after = [compute_interval(compare(read(), *map(failed, range(1, n + 1))).snapshot, MONTH).days for n in range(GONE_AFTER + 2)]
    assert after == [30, *[1] * (GONE_AFTER - 1), 30, 30]
    assert compute_interval(compare(read(), failed(1)).snapshot, timedelta(hours=6)) == timedelta(hours=6)


@pytest.mark.parametrize(
    ("later", "expected"),
    [
        ({"created_at": START}, (EventSeverity.HIGH, True)),
        ({"name": "Umbra Lantern Works Ltd."}, (EventSeverity.MEDIUM, False)),
        ({"name": "The Lantern"}, (EventSeverity.LOW, True)),
        ({"name": "The Lantern", "domain": "lantern.example"}, (EventSeverity.MEDIUM, True)),
        ({"numbers": (OTHER_BN,), "name": None}, (EventSeverity.MEDIUM, None)),
        ({"contacts": ("info@umbra.example",)}, (EventSeverity.LOW, True)),
    ],
    ids=lambda value: str(value)[:40],
)
def test_an_event_has_the_highest_severity_of_its_changes(
    later: dict[str, Any], expected: tuple[EventSeverity, bool | None]
) -> None:
    record = BusinessRecord(id=UUID(int=7), name=NAME, operating_names=("The Lantern",), created_at=START, updated_at=START)
    event = event_of(read(), read(30, **later), record=record)
    assert event is not None
    assert (event.severity, event.data.model_dump()["is_name_of_record"]) == expected
    assert event_of(read(), read(30), record=record) is None
