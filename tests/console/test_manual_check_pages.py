"""Pages of manual checks, and the decisions about discrepancies on the page of a verification."""

import re
from typing import Any
from uuid import UUID

import httpx2
import pytest

from bonafide.model.accounts.organizations import Principal
from bonafide.model.manual_checks.manual_check import ManualCheck, ManualCheckStatus
from bonafide.runtime import Runtime
from bonafide.services.manual_checks.reading import read_manual_check
from tests.support.console.organization_work import Desk
from tests.support.console.searches import words_of
from tests.support.console.sessions import csrf_of, send
from tests.support.services.business_records import sent
from tests.support.services.runtimes import principal_of
from tests.support.services.verifications import BAKERY, ordered

pytestmark = pytest.mark.anyio
CHECKS = "/console/manual-checks"
PDF = b"%PDF-1.7 a page of the register"
SEEN: dict[str, Any] = {
    "found": "true",
    "name": "Cod & Capelin Ltd.",
    "registrationNumber": "77001",
    "statusCode": "active",
    "address.city": "St. John's",
    "people.0.name": "Ada Sample",
    "people.0.role": "Director",
}


@pytest.fixture
async def runtime(desk: Desk) -> Runtime:
    return desk.runtime


@pytest.fixture
def organization(desk: Desk) -> str:
    return desk.organization


@pytest.fixture
async def north(analyst: httpx2.AsyncClient, desk: Desk) -> Principal:
    """A key of the analyst's organization."""
    assert not analyst.is_closed
    return await principal_of(desk.runtime, desk.organization)


async def create_check(client: httpx2.AsyncClient, runtime: Runtime, north: Principal) -> ManualCheck:
    """A check that was created with the button of a page, for a record."""
    organization = north.organization_id
    record = await sent(runtime, organization, name="Cod & Capelin Ltd.", jurisdiction="NL", registrationNumber="77001")
    answer = await send(client, CHECKS, businessId=str(record.id))
    assert answer.status_code == 303, answer.text
    check_id = UUID(answer.headers["Location"].rpartition("/")[2])
    return await read_manual_check(runtime, organization, check_id)


async def upload(client: httpx2.AsyncClient, page: str, **fields: Any) -> httpx2.Response:
    """Submit the form of a check with a file."""
    form = {"csrf": csrf_of(await client.get(page)), **fields}
    return await client.post(f"{page}/result", data=form, files={"file": ("page.pdf", PDF, "application/pdf")})


async def test_a_person_looks_and_records_what_the_register_states(
    analyst: httpx2.AsyncClient, viewer: httpx2.AsyncClient, runtime: Runtime, north: Principal
) -> None:
    assert "All caught up" in words_of(await analyst.get(CHECKS))
    check = await create_check(analyst, runtime, north)
    page = f"{CHECKS}/{check.id}"
    shown = await analyst.get(page)
    assert check.url in shown.text
    assert re.findall(r'data-copies="([^"]+)"', shown.text) == ["copy-name", "copy-number"]
    assert "Save result" not in words_of(await viewer.get(page))
    incomplete = await upload(analyst, page, **{**SEEN, "name": ""})
    assert incomplete.status_code == 422
    assert "Legal name : is required for a business that was found" in words_of(incomplete)
    more = await upload(analyst, page, **SEEN, more="true")
    assert 'name="people.3.name"' in more.text
    assert (await read_manual_check(runtime, north.organization_id, check.id)).attachments == ()
    done = await upload(analyst, page, **SEEN)
    assert done.status_code == 303, done.text
    stored = await read_manual_check(runtime, north.organization_id, check.id)
    assert (stored.status, len(stored.attachments)) == (ManualCheckStatus.DONE, 1)
    result = words_of(await analyst.get(page))
    assert "Confirmation of existence" in result
    assert "Ada Sample Director" in result
    file = await analyst.get(f"{page}/attachments/{stored.attachments[0].id}")
    assert (file.content, "attachment" in file.headers["Content-Disposition"]) == (PDF, True)
    refused = await upload(analyst, page, **SEEN)
    assert (refused.status_code, "recorded the result of this manual check on" in words_of(refused)) == (409, True)
    listed = words_of(await analyst.get(CHECKS, params={"status": "done"}))
    assert "Cod & Capelin Ltd. 77001" in listed


async def test_a_check_is_cancelled(analyst: httpx2.AsyncClient, runtime: Runtime, north: Principal) -> None:
    check = await create_check(analyst, runtime, north)
    page = f"{CHECKS}/{check.id}"
    assert (await send(analyst, page, f"{page}/cancel", note="Withdrawn.")).status_code == 303
    assert "Cancelled by" in words_of(await analyst.get(page))
    for chosen, is_listed in ({"status": "cancelled"}, True), ({"status": "all", "source": "nl"}, True), ({}, False):
        assert (str(check.name) in words_of(await analyst.get(CHECKS, params=chosen))) is is_listed


async def test_a_discrepancy_is_accepted_on_the_page_of_the_verification(
    analyst: httpx2.AsyncClient, viewer: httpx2.AsyncClient, runtime: Runtime, north: Principal
) -> None:
    claimed = {**BAKERY, "people": [{"name": "Nobody Known"}]}
    page = f"/console/verifications/{(await ordered(runtime, north, **claimed)).verification_id}"
    assert "Decisions about discrepancies 1 open" in words_of(await viewer.get(page))
    assert 'name="reasonCode"' not in (await viewer.get(page)).text
    empty = await send(analyst, page, f"{page}/discrepancies/accept", field="people.0")
    assert (empty.status_code, "Nothing was saved" in words_of(empty)) == (422, True)
    accepted = {"field": "people.0", "reasonCode": "discrepancy_explained", "note": "Appointed last week."}
    answer = await send(analyst, page, f"{page}/discrepancies/accept", **accepted)
    assert answer.headers["Location"] == f"{page}#discrepancies"
    shown = words_of(await viewer.get(page))
    assert "Decisions about discrepancies All accepted" in shown
    assert "Discrepancy explained by evidence" in shown
    assert "Appointed last week." in shown
    assert (await send(analyst, page, f"{page}/discrepancies/accept", **accepted)).status_code == 409
    assert "1 accepted" in words_of(await analyst.get("/console/verifications"))
    report = await analyst.get(f"{page}/report.pdf")
    assert report.status_code == 200
    await send(analyst, page, f"{page}/discrepancies/revoke", field="people.0", note="The wrong person.")
    assert "The wrong person." in words_of(await viewer.get(page))
