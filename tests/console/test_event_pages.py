"""The list of events and the timeline of a record: newest first, filtered, paged, linked to what they are about, nobody else's."""

import re
from html import unescape
from typing import Any
from uuid import UUID, uuid4

import httpx2
import pytest

from bonafide.console.businesses.record_fields import get_display_name
from bonafide.console.businesses.records import TIMELINE_ENTRIES
from bonafide.console.events import labels
from bonafide.console.events.event_view import SHOWN_LINES, build_event_view, find_page
from bonafide.console.events.pages import PAGE_SIZE
from bonafide.console.frame import code_labels
from bonafide.model.accounts.organizations import World
from bonafide.model.accounts.users import Role
from bonafide.model.events.event import EventSeverity, EventSubject, EventSubjectKind, EventType, NewEvent
from bonafide.model.events.event_data import ReportReadyData
from bonafide.model.events.event_types import build_example
from bonafide.model.records.business_input import BusinessUpsert
from bonafide.model.records.business_record import Author, BusinessRecord
from bonafide.runtime import Runtime
from bonafide.services.accounts.organizations import find_organization
from bonafide.services.events import recording
from bonafide.services.records import business_records
from tests.support.console.organization_work import Desk
from tests.support.console.searches import search_for, words_of
from tests.support.console.sessions import send, signed_in_client

pytestmark = pytest.mark.anyio
EVENTS, BUSINESSES = "/console/events", "/console/businesses"
ANN = Author("ann@north.example")
FRENCH = {"Accept-Language": "fr-CA"}
BODY = re.compile(r'<table class="folds events">.*?<tbody>(.*?)</tbody>', re.DOTALL)
TITLE = re.compile(r'<th scope="row"><(?:a href="[^"]+"|strong)>(.*?)</')
CREATED, CHANGED, ARCHIVED = "Business record created", "Business record changed", "Business record archived"


@pytest.fixture
async def runtime(desk: Desk) -> Runtime:
    return desk.runtime


@pytest.fixture
def organization(desk: Desk) -> str:
    return desk.organization


@pytest.fixture
async def organization_id(analyst: httpx2.AsyncClient, runtime: Runtime, organization: str) -> UUID:
    """The organization of the analyst."""
    assert not analyst.is_closed
    return (await find_organization(runtime, organization, World.SANDBOX)).id


async def save(runtime: Runtime, organization_id: UUID, **fields: Any) -> BusinessRecord:
    request = BusinessUpsert.model_validate(fields)
    return (await business_records.upsert(runtime, organization_id, request, ANN)).record


async def report(runtime: Runtime, organization_id: UUID, severity: EventSeverity = EventSeverity.INFO, count: int = 1) -> None:
    """Record events of stored reports; `report 1` is the first."""
    new = [
        NewEvent(
            EventType.REPORT_READY,
            EventSubject(kind=EventSubjectKind.REGISTRY_ENTRY, name=f"report {number}"),
            ReportReadyData(report_id=uuid4()),
            severity=severity,
        )
        for number in range(1, count + 1)
    ]
    async with runtime.store.write() as connection:
        await recording.record_events(connection, organization_id, new, runtime.clock())


def titles_in(page: httpx2.Response) -> list[str]:
    """The titles of the events of a page, in order."""
    assert page.status_code == 200, page.text
    return [unescape(title) for body in BODY.findall(page.text) for title in TITLE.findall(body)]


async def test_the_list_without_events_says_what_will_appear(analyst: httpx2.AsyncClient) -> None:
    said = words_of(await analyst.get(EVENTS))
    assert "No events yet" in said
    assert "Completed searches and verifications" in said
    assert 'aria-current="page"' in (await analyst.get(EVENTS)).text


async def test_changes_of_a_record_are_listed_newest_first(
    viewer: httpx2.AsyncClient, runtime: Runtime, organization_id: UUID
) -> None:
    record = await save(runtime, organization_id, externalId="1", name="Acme <b>Bakery</b>", city="Toronto")
    await save(runtime, organization_id, externalId="1", city="Hamilton")
    await save(runtime, organization_id, externalId="1", isArchived=True)
    page = await viewer.get(EVENTS)
    assert titles_in(page) == [ARCHIVED, CHANGED, CREATED]
    assert page.text.count(f'href="{BUSINESSES}/{record.id}">Acme &lt;b&gt;Bakery&lt;/b&gt;</a>') == 3
    said = words_of(page)
    assert "City: Toronto → changed to Hamilton" in said
    assert "Archived: No → changed to Yes" in said
    assert "Name: Acme <b>Bakery</b>" in said
    assert ANN.actor in said


async def test_many_changes_are_folded(viewer: httpx2.AsyncClient, runtime: Runtime, organization_id: UUID) -> None:
    fields = {"name": "Acme", "city": "Perth", "street": "1 Main St", "email": "a@b.example", "notes": "x" * 3000}
    await save(runtime, organization_id, **fields)
    page = await viewer.get(EVENTS)
    (body,) = BODY.findall(page.text)
    shown, folded = body.split("<details>")
    assert (shown.count("<li>"), folded.count("<li>")) == (SHOWN_LINES, len(fields) - SHOWN_LINES)
    assert f"{len(fields) - SHOWN_LINES} more" in words_of(page)
    assert "x" * 200 not in page.text


async def test_filters_select(viewer: httpx2.AsyncClient, runtime: Runtime, organization_id: UUID) -> None:
    acme = await save(runtime, organization_id, name="Acme")
    await save(runtime, organization_id, name="Other")
    await report(runtime, organization_id, EventSeverity.CRITICAL)
    stored = "Business report stored"
    assert titles_in(await viewer.get(EVENTS)) == [stored, CREATED, CREATED]
    assert titles_in(await viewer.get(f"{EVENTS}?type=business.created")) == [CREATED, CREATED]
    assert titles_in(await viewer.get(f"{EVENTS}?severity=high")) == [stored]
    assert titles_in(await viewer.get(f"{EVENTS}?severity=info")) == [stored, CREATED, CREATED]
    assert '<span class="badge bad">Critical</span>' in (await viewer.get(f"{EVENTS}?severity=critical")).text
    of_acme = await viewer.get(f"{EVENTS}?business={acme.id}")
    assert titles_in(of_acme) == [CREATED]
    assert "Events of this business only: Acme" in words_of(of_acme)
    assert f'type="hidden" name="business" value="{acme.id}"' in of_acme.text
    nothing = words_of(await viewer.get(f"{EVENTS}?business={acme.id}&type=report.ready"))
    assert "No matching events" in nothing


@pytest.mark.parametrize("query", ["type=no.such", "severity=loud", "business=acme", "type=&severity=&business="])
async def test_invalid_filters_are_ignored(viewer: httpx2.AsyncClient, runtime: Runtime, organization_id: UUID, query: str) -> None:
    await save(runtime, organization_id, name="Acme")
    assert titles_in(await viewer.get(f"{EVENTS}?{query}")) == [CREATED]


@pytest.mark.parametrize("cursor", ["", "x", "ZTEuLTE", "1"])
async def test_an_invalid_cursor_is_refused(viewer: httpx2.AsyncClient, cursor: str) -> None:
    assert (await viewer.get(f"{EVENTS}?cursor={cursor}")).status_code == 400


async def test_older_pages_follow_without_gap_or_repetition(
    viewer: httpx2.AsyncClient, runtime: Runtime, organization_id: UUID
) -> None:
    total = 2 * PAGE_SIZE + 3
    await report(runtime, organization_id, EventSeverity.HIGH, total)
    await save(runtime, organization_id, name="Filtered out")
    address: str | None = f"{EVENTS}?type=report.ready&severity=high"
    listed: list[str] = []
    while address is not None:
        page = await viewer.get(address)
        assert ("Go to newest" in page.text) == (len(listed) > 0)
        listed += re.findall(r"report \d+", BODY.findall(page.text)[0])
        found = re.search(r'rel="next" href="([^"]+)"', page.text)
        address = unescape(found[1]) if found is not None else None
    assert listed == [f"report {number}" for number in range(total, 0, -1)]


async def test_events_of_another_organization_are_absent(
    viewer: httpx2.AsyncClient, runtime: Runtime, organization_id: UUID
) -> None:
    record = await save(runtime, organization_id, name="Quillwander")
    assert titles_in(await viewer.get(EVENTS)) == [CREATED]
    async with await signed_in_client(runtime, Role.OWNER, f"n{uuid4().hex}") as stranger:
        for address in (EVENTS, f"{EVENTS}?business={record.id}"):
            page = await stranger.get(address)
            assert titles_in(page) == []
            assert "Quillwander" not in page.text


async def test_a_record_has_the_last_entries_of_its_timeline(
    viewer: httpx2.AsyncClient, runtime: Runtime, organization_id: UUID
) -> None:
    record = await save(runtime, organization_id, externalId="1", name="Acme")
    await save(runtime, organization_id, externalId="2", name="Other")
    for number in range(TIMELINE_ENTRIES):
        await save(runtime, organization_id, externalId="1", notes=f"Note {number}")
    page = await viewer.get(f"{BUSINESSES}/{record.id}")
    timeline = page.text.partition('<ol class="plain-list timeline"')[2].partition("</ol>")[0]
    assert timeline.count(CHANGED) == TIMELINE_ENTRIES
    assert CREATED not in timeline
    assert f'href="{EVENTS}?business={record.id}"' in page.text
    assert titles_in(await viewer.get(f"{EVENTS}?business={record.id}")) == [*[CHANGED] * TIMELINE_ENTRIES, CREATED]


async def test_the_pages_that_events_lead_to_exist(analyst: httpx2.AsyncClient, desk: Desk) -> None:
    """What the console and the service do: a search, a screening with a hit, a record, a verification."""
    await search_for(analyst, "Sandbox Bakery Inc.")
    screening = await send(analyst, "/console/sanctions", query="Sandbox Sanctioned Trading Ltd.")
    assert screening.status_code == 303
    created = await send(analyst, f"{BUSINESSES}/new", name="Acme")
    assert created.status_code == 303
    await desk.verified(legalName="Sandbox Bakery Incorporated", jurisdiction="ON", registrationNumber="1000017")
    page = await analyst.get(EVENTS)
    found = titles_in(page)
    assert {"Search completed", "New hit on a sanctions list", CREATED} <= set(found)
    assert '<span class="badge warn">High</span>' in page.text
    links = re.findall(r'<th scope="row"><a href="([^"]+)"', BODY.findall(page.text)[0])
    assert len(links) >= 3
    for link in links:
        assert (await analyst.get(link)).status_code == 200, link


async def test_the_pages_are_french(viewer: httpx2.AsyncClient, runtime: Runtime, organization_id: UUID) -> None:
    record = await save(runtime, organization_id, externalId="1", name="Acme", city="Toronto")
    await save(runtime, organization_id, externalId="1", city="Hamilton")
    listed = await viewer.get(f"{EVENTS}?business={record.id}", headers=FRENCH)
    assert titles_in(listed) == ["Fiche d’entreprise modifiée", "Fiche d’entreprise créée"]
    for page in (listed, await viewer.get(f"{BUSINESSES}/{record.id}", headers=FRENCH)):
        assert "Ville : Toronto → devenu Hamilton" in words_of(page)


def test_every_type_and_severity_has_its_words() -> None:
    assert set(labels.TITLE) == set(EventType)
    assert sorted(one for _, types in labels.TYPE_GROUPS for one in types) == sorted(EventType)
    assert set(code_labels.SEVERITY) == set(EventSeverity)
    assert [*labels.MIN_SEVERITY] == [*EventSeverity][1:]


WITHOUT_PAGE = {EventType.REPORT_READY, EventType.DATA_ERASED}
"""The console has no page of what these events are about."""


@pytest.mark.parametrize("event_type", EventType)
def test_the_example_of_each_type_can_be_shown(event_type: EventType) -> None:
    example = build_example(event_type)
    shown = build_event_view(example)
    assert [line.is_change for line in shown.lines].count(True) == len(example.changes)
    assert (shown.page is None) == (event_type in WITHOUT_PAGE)
    assert shown.business_name == (example.business.name if example.business is not None else None)


@pytest.mark.parametrize(
    "path", [None, "", "/v1/business-reports/x", "/v1/search/..", f"/v1/search/{UUID(int=1)}/x", "//evil.example"]
)
def test_a_path_without_a_page_is_no_link(path: str | None) -> None:
    assert find_page(path) is None


async def test_the_name_of_a_business_is_that_of_its_other_pages(
    viewer: httpx2.AsyncClient, runtime: Runtime, organization_id: UUID
) -> None:
    record = await save(runtime, organization_id, externalId="crm-9")
    assert f'href="{BUSINESSES}/{record.id}">{get_display_name(record)}</a>' in (await viewer.get(EVENTS)).text
