"""What the page of a business record states first: its verdict, its checks, its cases, related businesses and its location."""

from collections.abc import AsyncIterator
from datetime import date
from typing import Any

import httpx2
import pytest

from bonafide.console.businesses.record_profile import LinkedCheck, RecordProfile, read_record_profile
from bonafide.i18n.message import Message
from bonafide.model.accounts.users import Role
from bonafide.model.jurisdiction import Jurisdiction
from bonafide.model.records.business_input import BusinessUpsert
from bonafide.model.records.business_record import Author, BusinessRecord
from bonafide.services.records import business_records
from tests.support.console.organization_work import Desk
from tests.support.console.searches import words_of
from tests.support.console.sessions import send

pytestmark = pytest.mark.anyio
SCREENING = "/console/sanctions"
BAKERY: dict[str, Any] = {
    "name": "Sandbox Bakery Inc.",
    "jurisdiction": "ON",
    "registrationNumber": "1000017",
    "phoneNumber": "416 555 0100",
}


@pytest.fixture
async def analyst(desk: Desk) -> AsyncIterator[httpx2.AsyncClient]:
    async with desk.someone(Role.ANALYST) as client:
        yield client


async def save(desk: Desk, **fields: Any) -> BusinessRecord:
    organization_id = (await desk.principal()).organization_id
    request = BusinessUpsert.model_validate(fields)
    return (await business_records.upsert(desk.runtime, organization_id, request, Author("ann@north.example"))).record


async def profile_of(desk: Desk, record: BusinessRecord) -> RecordProfile:
    organization_id = (await desk.principal()).organization_id
    now = await business_records.find_record(desk.runtime, organization_id, business_id=record.id)
    return await read_record_profile(desk.runtime, organization_id, now)


def outcomes_of(checks: list[LinkedCheck]) -> list[tuple[Message, Message | None, int]]:
    return [(check.title, check.outcome, check.open_hits) for check in checks]


async def test_a_record_that_was_never_checked_is_neither_good_nor_bad(desk: Desk, analyst: httpx2.AsyncClient) -> None:
    record = await save(desk, name="Acme")
    profile = await profile_of(desk, record)
    assert (profile.colour, profile.open_hits, list(profile.checks), profile.age_years) == ("", 0, [], None)
    said = words_of(await analyst.get(f"/console/businesses/{record.id}"))
    assert "Not verified Never" in said
    assert "No checks yet" in said


async def test_a_verified_business_is_good_and_its_checks_are_listed(desk: Desk, analyst: httpx2.AsyncClient) -> None:
    record = await save(desk, **BAKERY)
    await desk.searched(BAKERY["name"], business_id=record.id, jurisdictions=["ON"])
    verification = await desk.verified(
        legalName=BAKERY["name"], jurisdiction="ON", registrationNumber="1000017", businessId=str(record.id)
    )
    profile = await profile_of(desk, record)
    assert profile.colour == "good"
    assert profile.formed == date(2001, 4, 17)
    assert profile.age_years == 25
    assert profile.checks[0].page == f"/console/verifications/{verification}"
    assert outcomes_of(list(profile.checks)) == [
        (Message("Verification"), Message("Verified"), 0),
        (Message("Search"), Message("Auto-selected"), 0),
    ]
    page = await analyst.get(f"/console/businesses/{record.id}")
    assert "Register status Active" in words_of(page)
    assert page.text.count('class="here"') == 1


async def test_an_open_hit_is_red_whatever_else_is_in_order(desk: Desk, analyst: httpx2.AsyncClient) -> None:
    record = await save(desk, **BAKERY)
    await desk.verified(legalName=BAKERY["name"], jurisdiction="ON", registrationNumber="1000017", businessId=str(record.id))
    desk.clock.advance(seconds=1)
    listed = "Sandbox Sanctioned Trading Ltd."
    await send(analyst, SCREENING, SCREENING, query=listed, businessId=str(record.id))
    profile = await profile_of(desk, record)
    assert (profile.colour, profile.open_hits) == ("bad", 1)
    assert profile.checks[0].open_hits == 1
    assert "1 open sanctions hit · Verified" in words_of(await analyst.get(f"/console/businesses/{record.id}"))


async def test_a_record_that_shares_a_phone_number_is_related(desk: Desk, analyst: httpx2.AsyncClient) -> None:
    record = await save(desk, **BAKERY)
    other = await save(desk, name="Acme", phoneNumber="+1 416 555 0100", province="Québec")
    assert [found.id for _, found in (await profile_of(desk, record)).related] == [other.id]
    page = await analyst.get(f"/console/businesses/{record.id}")
    assert "Acme Same phone number" in words_of(page)
    assert (await profile_of(desk, other)).places == {Jurisdiction.QC}


@pytest.mark.parametrize(
    ("fields", "formed", "years"),
    [
        ({"incorporationDate": "2006-11-20"}, date(2006, 11, 20), 20),
        ({"incorporationDate": "2006-11-21"}, date(2006, 11, 21), 19),
        ({"incorporationDate": "2006-11"}, "2006-11", 20),
        ({"incorporationDate": "2006-12"}, "2006-12", 19),
        ({"incorporationYear": 2006}, "2006", 19),
        ({"incorporationYear": 2026}, "2026", None),
    ],
)
async def test_the_age_is_counted_in_full_years(desk: Desk, fields: dict[str, Any], formed: date | str, years: int | None) -> None:
    profile = await profile_of(desk, await save(desk, name="Acme", **fields))
    assert (profile.formed, profile.age_years) == (formed, years)
