"""What all lists share: saved views, exports, the search of everything, time zones; and open hits in the list of searches."""

import csv
import io
import re
from collections.abc import AsyncIterator
from html import unescape
from typing import Any
from uuid import UUID

import httpx2
import pytest
from python_calamine import CalamineWorkbook
from sqlalchemy import select

from bonafide.model.accounts.users import Role
from bonafide.model.lists.saved_views import ListName
from bonafide.model.records.business_input import BusinessUpsert
from bonafide.model.records.business_record import Author
from bonafide.services.lists.saved_views import MAX_VIEWS
from bonafide.services.records import business_records
from bonafide.services.records.audit_check import verify_audit_log
from bonafide.store.database.tables import audit_entries
from tests.support.console.organization_work import FRENCH, OUTAGE, TWIN, Desk, elsewhere
from tests.support.console.searches import words_of
from tests.support.console.sessions import csrf_of, send, signed_in_client

pytestmark = pytest.mark.anyio
SEARCHES, BUSINESSES, VIEWS, FIND, PROFILE = (f"/console/{name}" for name in ("searches", "businesses", "views", "find", "profile"))
SOMEBODY = Author("ann@north.example")
SANCTIONED = "Sandbox Sanctioned Trading Ltd."
_CHIP = re.compile(r'<a class="chip" href="([^"]+)"[^>]*>([^<]+)')
_TIME = re.compile(r'<time datetime="([^"]+)"(?: title="([^"]+)")?>([^<]+)</time>')


@pytest.fixture
async def analyst(desk: Desk) -> AsyncIterator[httpx2.AsyncClient]:
    async with desk.someone(Role.ANALYST) as client:
        yield client


async def kept(desk: Desk, **said: Any) -> UUID:
    organization_id = (await desk.principal()).organization_id
    request = BusinessUpsert.model_validate(said)
    return (await business_records.upsert(desk.runtime, organization_id, request, SOMEBODY)).record.id


async def saved(client: httpx2.AsyncClient, query: str, **fields: str) -> httpx2.Response:
    return await send(client, f"{SEARCHES}?{query}", VIEWS, list="searches", query=query, **fields)


def chips(page: httpx2.Response) -> dict[str, str]:
    """The addresses of the views on a page, by name."""
    return {name.strip(): unescape(address) for address, name in _CHIP.findall(page.text)}


# ------------------------------------------------------------------------------------------------------------ open hits


async def test_open_hits_are_shown_and_filtered_and_a_dismissal_counts_at_once(desk: Desk, analyst: httpx2.AsyncClient) -> None:
    await desk.searched(TWIN, sanctionsScreening=True)
    hit = (await desk.searched(SANCTIONED, sanctionsScreening=True)).meta.search_id
    said = words_of(await analyst.get(f"{SEARCHES}?hits=open"))
    assert TWIN not in said
    assert "1 open hit" in said
    way = re.search(r'href="(/console/sanctions/dismiss[^"]*)"', (await analyst.get(f"{SEARCHES}/{hit}")).text)
    assert way is not None
    await send(analyst, unescape(way[1]), reason="Another company of that name.")
    said = words_of(await analyst.get(SEARCHES))
    assert "1 open hit" not in said
    assert "Hits dismissed" in said


# ---------------------------------------------------------------------------------------------------------- saved views


async def test_a_filter_is_saved_opened_made_the_default_and_deleted(desk: Desk, analyst: httpx2.AsyncClient) -> None:
    await desk.searched(TWIN)
    await desk.searched(OUTAGE)
    answer = await saved(analyst, "text=twin", name="Twins & co", isShared="")
    address = answer.headers["Location"]
    page = await analyst.get(address)
    assert OUTAGE not in words_of(page)
    assert chips(page)["Twins &amp; co"] == address
    assert 'aria-current="true">Twins' in page.text
    view = re.search(r"/console/views/([0-9a-f-]{36})/default", page.text)
    assert view is not None
    await send(analyst, address, f"{VIEWS}/{view[1]}/default", default="yes")
    opened = await analyst.get(SEARCHES)
    assert (opened.status_code, opened.headers["Location"]) == (303, address)
    assert OUTAGE in words_of(await analyst.get(f"{SEARCHES}?view=none"))
    gone = await send(analyst, address, f"{VIEWS}/{view[1]}/delete")
    assert gone.headers["Location"] == f"{SEARCHES}?view=none"
    assert (await analyst.get(SEARCHES)).status_code == 200
    assert chips(await analyst.get(SEARCHES)) == {}


async def test_a_shared_view_is_everybodys_and_recorded_a_personal_one_is_neither(desk: Desk, analyst: httpx2.AsyncClient) -> None:
    await saved(analyst, "text=a", name="Mine")
    shared = await saved(analyst, "status=error", name="Failed", isShared="true", isDefault="true")
    organization_id = (await desk.principal()).organization_id
    async with desk.runtime.store.read() as connection:
        told = (await connection.execute(select(audit_entries.c.new).where(audit_entries.c.field == "savedView"))).scalars().all()
    assert [text for text in told if '"Failed"' in text]
    assert not [text for text in told if '"Mine"' in text]
    assert (await verify_audit_log(desk.runtime, organization_id)).is_whole
    async with desk.someone(Role.VIEWER) as viewer, elsewhere(desk).someone(Role.ANALYST) as stranger:
        assert (await viewer.get(SEARCHES)).headers["Location"] == shared.headers["Location"]
        page = await viewer.get(f"{SEARCHES}?view=none")
        assert set(chips(page)) == {"All", "Failed"}
        view = re.search(r"view=([0-9a-f-]{36})", chips(page)["Failed"])
        assert view is not None
        assert (await send(viewer, page.url.path + "?view=none", f"{VIEWS}/{view[1]}/delete")).status_code == 403
        assert (await send(stranger, PROFILE, f"{VIEWS}/{view[1]}/delete")).status_code == 404
        assert chips(await stranger.get(SEARCHES)) == {}
        assert (await saved(viewer, "text=b", name="Theirs", isShared="true")).status_code == 403


async def test_a_view_needs_a_name_and_a_list_and_there_is_a_most(analyst: httpx2.AsyncClient) -> None:
    assert (await saved(analyst, "text=a", name=" ")).status_code == 400
    page = await analyst.get(f"{SEARCHES}?text=a")
    unknown = await analyst.post(VIEWS, data={"csrf": csrf_of(page), "list": "narnia", "query": "", "name": "x"})
    assert unknown.status_code == 404
    form = {"csrf": csrf_of(page), "list": ListName.ALERTS.value, "query": "severity=high&x=1", "name": "High"}
    for _ in range(MAX_VIEWS):
        assert (await analyst.post(VIEWS, data=form)).headers["Location"].startswith("/console/alerts?severity=high&view=")
    assert (await analyst.post(VIEWS, data=form)).status_code == 409


# -------------------------------------------------------------------------------------------------------------- exports


async def test_a_filtered_list_is_exported_and_the_export_recorded(desk: Desk, analyst: httpx2.AsyncClient) -> None:
    await desk.searched("=Twin")
    await desk.searched(OUTAGE)
    plain = await analyst.get("/console/exports/searches.csv?text=twin")
    assert plain.headers["Content-Disposition"] == f'attachment; filename="searches-{desk.clock():%Y-%m-%d}.csv"'
    rows = list(csv.reader(io.StringIO(plain.content.decode("utf-8-sig"))))
    assert rows[0][:4] == ["ID", "Name", "Match", "Jurisdiction"]
    assert [row[1] for row in rows[1:]] == ["'=Twin"]
    book = CalamineWorkbook.from_filelike(io.BytesIO((await analyst.get("/console/exports/searches.xlsx?text=twin")).content))
    sheet = book.get_sheet_by_index(0).to_python()
    assert sheet[0] == rows[0]
    assert sheet[1][1] == "=Twin"
    async with desk.runtime.store.read() as connection:
        told = select(audit_entries.c.new).where(
            audit_entries.c.field == "export", audit_entries.c.actor == f"analyst@{desk.organization}.example"
        )
        assert len((await connection.execute(told)).scalars().all()) == 2
    french = (await analyst.get("/console/exports/searches.csv", headers=FRENCH)).content.decode("utf-8-sig")
    assert french.startswith("ID;")


@pytest.mark.parametrize("name", [name.value for name in ListName if name is not ListName.CASES])
async def test_each_list_is_exported_in_both_forms(desk: Desk, analyst: httpx2.AsyncClient, name: str) -> None:
    await desk.verified(legalName="Sandbox Bakery Inc.", jurisdiction="ON", registrationNumber="1000017")
    await kept(desk, name="Sandbox Bakery Inc.")
    plain = await analyst.get(f"/console/exports/{name}.csv")
    assert plain.status_code == 200
    book = CalamineWorkbook.from_filelike(io.BytesIO((await analyst.get(f"/console/exports/{name}.xlsx")).content))
    rows = list(csv.reader(io.StringIO(plain.content.decode("utf-8-sig"))))
    assert len(book.get_sheet_by_index(0).to_python()) == len(rows)
    assert len(rows) == (2 if name in {"verifications", "businesses"} else 1)


@pytest.mark.parametrize("file_name", ["narnia.csv", "searches.pdf", "searches", "cases.csv"])
async def test_what_can_not_be_exported_is_not_there(analyst: httpx2.AsyncClient, file_name: str) -> None:
    assert (await analyst.get(f"/console/exports/{file_name}")).status_code == 404


# ----------------------------------------------------------------------------------------------------------------- find


async def test_everything_of_the_organization_is_found_by_words(desk: Desk, analyst: httpx2.AsyncClient) -> None:
    business = await kept(desk, name="Éclair <Bakery>", registrationNumber="1000017", jurisdiction="ON")
    await kept(elsewhere(desk), name="Éclair elsewhere")
    search = (await desk.searched("Eclair Foods")).meta.search_id
    verification = await desk.verified(legalName="Sandbox Bakery Inc.", jurisdiction="ON", registrationNumber="1000017")
    page = await analyst.get(f"{FIND}?q=eclair")
    assert "Éclair &lt;Bakery&gt;" in page.text
    assert f'href="/console/businesses/{business}"' in page.text
    assert f'href="/console/searches/{search}"' in page.text
    assert "elsewhere" not in page.text
    assert f'href="/console/verifications/{verification}"' in (await analyst.get(f"{FIND}?q=10000")).text
    assert "Pages" in words_of(await analyst.get(f"{FIND}?q=%00"))
    assert "Search the registers for “zzzz”" in words_of(await analyst.get(f"{FIND}?q=zzzz"))
    async with desk.someone(Role.VIEWER) as viewer:
        assert "Nothing was found" in words_of(await viewer.get(f"{FIND}?q=zzzz"))
    options = (await analyst.get(f"{FIND}?q=eclair", headers={"HX-Request": "true"})).text
    assert options.count('role="option"') == 3
    assert "<html" not in options


async def test_pages_are_found_that_the_person_may_open(desk: Desk, analyst: httpx2.AsyncClient) -> None:
    assert 'href="/console/sources"' in (await analyst.get(f"{FIND}?q=sour")).text.partition("<main")[2]
    assert 'href="/console/members"' not in (await analyst.get(FIND)).text
    async with desk.someone(Role.OWNER) as owner:
        assert 'href="/console/members"' in (await owner.get(FIND)).text.partition("<main")[2]


# ----------------------------------------------------------------------------------------------------------- time zones


async def test_times_are_those_of_the_person_or_else_of_the_organization(desk: Desk, analyst: httpx2.AsyncClient) -> None:
    await desk.searched(TWIN)
    (machine, title, shown), *_ = _TIME.findall((await analyst.get(SEARCHES)).text)
    assert (title, shown.endswith("\u00a0UTC")) == ("", True)
    async with await signed_in_client(desk.runtime, Role.OWNER, desk.organization) as owner:
        await send(owner, "/console/settings", part="notifications", **{"notifications.timeZone": "America/St_Johns"})
    (again, title, local), *_ = _TIME.findall((await analyst.get(SEARCHES)).text)
    assert (again, title) == (machine, shown)
    assert local.endswith("\u00a0NST")
    answer = await send(analyst, PROFILE, timeZone="America/Vancouver", shortcuts="true")
    assert answer.headers["Location"] == f"{PROFILE}?done=saved"
    (_, _, own), *_ = _TIME.findall((await analyst.get(SEARCHES, headers=FRENCH)).text)
    assert own.endswith("\u00a0HNP")
    assert (await send(analyst, PROFILE, timeZone="Mars/Olympus")).status_code == 422


async def test_days_of_a_filter_begin_in_the_time_zone(desk: Desk, analyst: httpx2.AsyncClient) -> None:
    midnight = desk.clock().replace(hour=0, minute=0, second=0)
    desk.clock.advance(seconds=(midnight - desk.clock()).total_seconds() + 26 * 3600)
    await desk.searched(TWIN)
    utc, before = desk.clock().date(), (midnight).date()
    assert TWIN in words_of(await analyst.get(f"{SEARCHES}?since={utc}"))
    await send(analyst, PROFILE, timeZone="America/Vancouver")
    assert TWIN not in words_of(await analyst.get(f"{SEARCHES}?since={utc}"))
    assert TWIN in words_of(await analyst.get(f"{SEARCHES}?since={before}&until={before}"))
