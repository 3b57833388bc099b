"""Verifications: asked for with a form, waited for, and read with the differences marked."""

import re
from collections.abc import AsyncIterator
from html import unescape
from uuid import UUID

import httpx2
import pytest

from bonafide.model.accounts.users import Role
from bonafide.model.records.business_input import BusinessUpsert
from bonafide.model.records.business_record import Author
from bonafide.model.verification.results import VerifyResponse
from bonafide.services.records import business_records
from bonafide.services.verification.verification_job import run_step
from tests.support.console.organization_work import FRENCH, Desk, elsewhere
from tests.support.console.searches import marked_in, words_of
from tests.support.console.sessions import csrf_of, send

pytestmark = pytest.mark.anyio
VERIFICATIONS = "/console/verifications"
NEW = f"{VERIFICATIONS}/new"
HTMX = {"HX-Request": "true"}
CLAIM = {"legalName": "Sandbox Bakerie Inc.", "jurisdiction": "ON", "registrationNumber": "1000017"}
SLOW = {"legalName": "Sandbox Slow Registry Inc.", "jurisdiction": "BC", "registrationNumber": "BC1000033"}
PEOPLE = {"people.0.name": "Margaret Okafor", "people.0.role": "President", "people.1.name": "Nobody Atall", "people.1.role": ""}
_VALUE = re.compile(r'<input type="text" id="[^"]+" name="([^"]+)" value="([^"]*)"')


@pytest.fixture
async def analyst(desk: Desk) -> AsyncIterator[httpx2.AsyncClient]:
    async with desk.someone(Role.ANALYST) as client:
        yield client


def address(verification_id: UUID, file: str = "") -> str:
    return f"{VERIFICATIONS}/{verification_id}{file}"


def values(page: httpx2.Response) -> dict[str, str]:
    """What stands in the form's text fields."""
    return {name: unescape(value) for name, value in _VALUE.findall(page.text)}


async def stored_business(desk: Desk, **said: object) -> UUID:
    """The id of a business in the organization's records."""
    request = BusinessUpsert.model_validate(said)
    organization_id = (await desk.principal()).organization_id
    return (await business_records.upsert(desk.runtime, organization_id, request, Author("test"))).record.id


# -------------------------------------------------------------------------------------------------------------- the form


async def test_a_claim_is_compared_at_once_where_there_is_data(desk: Desk, analyst: httpx2.AsyncClient) -> None:
    answer = await send(analyst, NEW, VERIFICATIONS, **CLAIM, **PEOPLE, **{"address.city": "Ottawa"}, externalId="file 17")
    assert answer.status_code == 303
    document = VerifyResponse.model_validate_json((await analyst.get(f"{answer.headers['Location']}/result.json")).text)
    submitted = document.meta.submitted
    assert (document.meta.verified_by, document.meta.external_id) == (f"analyst@{desk.organization}.example", "file 17")
    assert [(person.name, person.roles) for person in submitted.people] == [
        ("Margaret Okafor", ("President",)),
        ("Nobody Atall", ()),
    ]
    assert submitted.address is not None
    assert submitted.address.city == "Ottawa"


async def test_without_an_address_none_is_compared(analyst: httpx2.AsyncClient) -> None:
    answer = await send(analyst, NEW, VERIFICATIONS, **CLAIM, **{"address.city": ""})
    document = VerifyResponse.model_validate_json((await analyst.get(f"{answer.headers['Location']}/result.json")).text)
    assert document.results.fields.address is None


async def test_what_is_wrong_stands_at_its_field_and_nothing_is_lost(analyst: httpx2.AsyncClient) -> None:
    answer = await send(analyst, NEW, VERIFICATIONS, **{**CLAIM, "jurisdiction": ""}, **PEOPLE)
    assert answer.status_code == 422
    assert 'aria-describedby="field-jurisdiction-problem"' in answer.text
    kept = values(answer)
    assert (kept["legalName"], kept["people.1.name"]) == ("Sandbox Bakerie Inc.", "Nobody Atall")
    for claim in ({**CLAIM, "registrationNumber": "---"}, {**CLAIM, "people.0.name": "", "people.0.role": "President"}):
        answer = await send(analyst, NEW, VERIFICATIONS, **claim)
        assert answer.status_code == 422
        assert "field-error" in answer.text


async def test_a_row_is_added_for_another_person(analyst: httpx2.AsyncClient) -> None:
    rows = {f"people.{number}.{part}": f"{part} {number}" for number in range(3) for part in ("name", "role")}
    answer = await send(analyst, NEW, VERIFICATIONS, **CLAIM, **rows, add="true")
    assert answer.status_code == 200
    assert values(answer) | rows == values(answer)
    assert "people.3.name" in values(answer)


async def test_the_form_begins_with_what_a_stored_business_says(desk: Desk, analyst: httpx2.AsyncClient) -> None:
    place = {"street": "1 Main St", "city": "Guelph"}
    said = {"name": "Sandbox Bakery Inc.", "jurisdiction": "ON", "registrationNumber": "1000017"}
    business_id = await stored_business(desk, **said, **place, people=[{"name": "Ann Lee", "roles": ["Owner"]}])
    page = await analyst.get(f"{NEW}?business={business_id}")
    shown = values(page)
    assert (shown["legalName"], shown["address.city"], shown["people.0.name"]) == ("Sandbox Bakery Inc.", "Guelph", "Ann Lee")
    assert '<option value="ON" selected>' in page.text
    claim = {**CLAIM, "legalName": "Sandbox Bakery Inc."}
    answer = await send(analyst, NEW, VERIFICATIONS, **claim, businessId=business_id)
    page = await analyst.get(answer.headers["Location"])
    assert f"/console/businesses/{business_id}" in page.text
    # What was emptied in the form is not taken from the record all the same.
    document = VerifyResponse.model_validate_json((await analyst.get(f"{answer.headers['Location']}/result.json")).text)
    assert (document.meta.business_id, document.meta.submitted.people) == (business_id, ())


async def test_the_form_begins_with_what_was_verified_before(desk: Desk, analyst: httpx2.AsyncClient) -> None:
    before = await desk.verified(**CLAIM, people=[{"name": "Ann Lee"}])
    assert f"{NEW}?again={before}" in (await analyst.get(address(before))).text
    shown = values(await analyst.get(f"{NEW}?again={before}"))
    assert (shown["legalName"], shown["people.0.name"]) == ("Sandbox Bakerie Inc.", "Ann Lee")


# ------------------------------------------------------------------------------------------------------------- the result


async def test_what_differs_is_marked_within_the_words(desk: Desk, analyst: httpx2.AsyncClient) -> None:
    one = await desk.verified(**CLAIM, people=[{"name": "Margret Okafor", "role": "President"}])
    page = await analyst.get(address(one))
    assert "ie" in marked_in(page, "del")
    assert "y" in marked_in(page, "ins")
    said = words_of(page)
    assert "2 discrepancies, marked below." in said
    assert "(needs 0.95)" in said
    assert "Generated by rules." in said
    # Every sentence of the summary leads to what it rests on, which is on the page.
    targets = set(re.findall(r'href="#([^"]+)"', page.text)) - {"content"}
    assert {"claim", "statement", "field-legalName", "person-0"} <= targets
    assert all(f'id="{target}"' in page.text for target in targets)


async def test_a_number_that_the_register_does_not_have_is_said_to_be_missing(desk: Desk, analyst: httpx2.AsyncClient) -> None:
    for claim, said in (
        (
            {"legalName": "Sandbox Bakery Inc.", "jurisdiction": "ON", "registrationNumber": "1000017"},
            "All compared fields match the register, and the business is active.",
        ),
        (
            {"legalName": "Sandbox Dissolved Corp.", "jurisdiction": "FED", "registrationNumber": "1000058"},
            "the business is not active",
        ),
    ):
        assert said in words_of(await analyst.get(address(await desk.verified(**claim))))


async def test_the_name_of_a_number_that_was_not_found_can_be_searched(desk: Desk, analyst: httpx2.AsyncClient) -> None:
    verification = await desk.verified(legalName="Sandbox Bakery Inc.", jurisdiction="ON", registrationNumber="1999999")
    await run_step(desk.runtime, (await desk.principal()).organization_id, verification)
    page = await analyst.get(address(verification))
    assert "This number wasn’t found in the register, so nothing was compared." in words_of(page)
    link = re.search(r'href="([^"]+)">Search this name instead<', page.text)
    assert link is not None
    assert 'value="Sandbox Bakery Inc."' in (await analyst.get(unescape(link[1]))).text


async def test_files_are_read_with_the_session_alone(desk: Desk, analyst: httpx2.AsyncClient) -> None:
    one = await desk.verified(**CLAIM)
    page = await analyst.get(address(one))
    files = re.findall(rf'href="({VERIFICATIONS}/{one}/[^"]+)"', page.text)
    assert [file.rpartition("/")[2] for file in files] == ["report.pdf", "result.json", "register.pdf", "0"]
    starts = {"report.pdf": b"%PDF-", "result.json": b"{", "register.pdf": b"%PDF-", "0": b""}
    for file in files:
        answer = await analyst.get(file)
        assert answer.status_code == 200
        assert answer.headers["Content-Disposition"].startswith("attachment; ")
        assert answer.content.startswith(starts[file.rpartition("/")[2]])
    assert (await analyst.get(address(one, "/evidence/0"))).headers["Content-Type"] == "application/octet-stream"
    for number in ("1", "x", "99999"):
        assert (await analyst.get(address(one, f"/evidence/{number}"))).status_code == 404


# ---------------------------------------------------------------------------------------------------------- under way


async def test_one_under_way_says_where_it_stands_and_looks_again(desk: Desk, analyst: httpx2.AsyncClient) -> None:
    one = await desk.verified(**SLOW)
    page = await analyst.get(address(one))
    assert "Queued" in words_of(page)
    assert f'hx-get="{address(one)}?shown=pending"' in page.text
    assert 'http-equiv="refresh"' in page.text
    # Nothing new is nothing to be read out; what is new is one part of the page.
    assert (await analyst.get(f"{address(one)}?shown=pending", headers=HTMX)).status_code == 204
    part = await analyst.get(f"{address(one)}?shown=processing", headers=HTMX)
    assert "Queued" in words_of(part)
    assert "<html" not in part.text
    assert (await analyst.get(address(one, "/report.pdf"))).status_code == 409


async def test_one_that_failed_says_why_and_stops_looking(desk: Desk) -> None:
    one = await desk.verified(**SLOW)
    desk.clock.advance(seconds=desk.runtime.settings.verification_deadline_s)
    async with desk.someone(Role.ANALYST) as analyst:
        page = await analyst.get(address(one))
        said = words_of(page)
        assert "This verification failed and has no result." in said
        assert "was not completed within" in said
        assert "hx-get" not in page.text
        assert 'http-equiv="refresh"' not in page.text
        assert "Verify again" in said
        over = await analyst.get(f"{address(one)}?shown=pending", headers=HTMX)
        assert (over.status_code, over.headers["HX-Refresh"]) == (204, "true")


# ------------------------------------------------------------------------------------------------------- list and access


async def test_the_list_says_what_each_came_to(desk: Desk, analyst: httpx2.AsyncClient) -> None:
    assert "No verifications" in words_of(await analyst.get(VERIFICATIONS))
    first = await desk.verified(**CLAIM)
    await desk.verified(**SLOW)
    page = await analyst.get(VERIFICATIONS)
    said = words_of(page)
    assert said.index("Sandbox Slow Registry Inc.") < said.index("Sandbox Bakerie Inc.")
    assert "Queued" in said
    assert "Discrepancies" in said
    assert address(first) in page.text
    assert "Sandbox Slow" not in words_of(await analyst.get(f"{VERIFICATIONS}?text=BAKER&outcome=discrepancies&jurisdiction=ON"))
    assert "No matching verifications" in words_of(await analyst.get(f"{VERIFICATIONS}?person=nobody"))
    assert (await analyst.get(f"{VERIFICATIONS}?cursor=x")).status_code == 400


async def test_a_viewer_reads_and_asks_for_nothing(desk: Desk) -> None:
    one = await desk.verified(**CLAIM)
    async with desk.someone(Role.VIEWER) as viewer:
        page = await viewer.get(address(one))
        assert page.status_code == 200
        assert "Verify again" not in page.text
        assert "New verification" not in (await viewer.get(VERIFICATIONS)).text
        assert (await viewer.get(NEW)).status_code == 403
        token = csrf_of(await viewer.get("/console/profile"))
        assert (await viewer.post(VERIFICATIONS, data={"csrf": token, **CLAIM})).status_code == 403
        assert (await viewer.get(address(one, "/report.pdf"))).status_code == 200


async def test_anothers_verification_is_not_there(desk: Desk, analyst: httpx2.AsyncClient) -> None:
    other = elsewhere(desk)
    foreign = await other.verified(**CLAIM)
    business = await stored_business(other, name="Theirs", jurisdiction="ON", registrationNumber="1000017")
    for path in ("", "/report.pdf", "/result.json", "/register.pdf", "/evidence/0"):
        assert (await analyst.get(address(foreign, path))).status_code == 404
    assert (await analyst.get(f"{NEW}?again={foreign}")).status_code == 404
    assert (await analyst.get(f"{NEW}?business={business}")).status_code == 404
    assert (await send(analyst, NEW, VERIFICATIONS, **CLAIM, businessId=business)).status_code == 404
    assert "No verifications" in words_of(await analyst.get(VERIFICATIONS))


async def test_the_pages_speak_french(desk: Desk, analyst: httpx2.AsyncClient) -> None:
    one = await desk.verified(**CLAIM)
    page = words_of(await analyst.get(address(one), headers=FRENCH))
    assert "Écarts" in page
    assert "Données du registre" in page
    assert "La demande concerne" in page
    assert "même numéro (Numéro de société de l’Ontario)" in page
    assert "Nouvelle vérification" in words_of(await analyst.get(VERIFICATIONS, headers=FRENCH))


# ------------------------------------------------------------------------------------------------------------- screening

LISTED = {"legalName": "Sandbox Sanctioned Trading Ltd.", "jurisdiction": "ON", "registrationNumber": "1000017"}


async def test_the_parties_are_screened_if_the_form_asks_for_it(analyst: httpx2.AsyncClient) -> None:
    answer = await send(analyst, NEW, VERIFICATIONS, **LISTED, sanctionsScreening="true")
    page = await analyst.get(answer.headers["Location"])
    said = words_of(page)
    assert "Sandbox Sanctioned Trading Ltd" in said
    assert "Dismiss hit…" in said
    assert "open hit" in said
    again = await analyst.get(f"{NEW}?again={answer.headers['Location'].rpartition('/')[2]}")
    assert re.search(r'name="sanctionsScreening"[^>]* checked', again.text)
    plain = await analyst.get((await send(analyst, NEW, VERIFICATIONS, **LISTED)).headers["Location"])
    assert 'id="sanctions"' not in plain.text


async def test_a_hit_of_a_verification_is_dismissed_and_stays_visible(analyst: httpx2.AsyncClient) -> None:
    answer = await send(analyst, NEW, VERIFICATIONS, **LISTED, sanctionsScreening="true")
    location = answer.headers["Location"]
    found = re.search(r'href="(/console/sanctions/dismiss\?verification=[^"]+)"', (await analyst.get(location)).text)
    assert found is not None
    form = unescape(found.group(1))
    dismissed = await send(analyst, form, form, reason="Our customer was formed in 2025.")
    assert (dismissed.status_code, dismissed.headers["Location"]) == (303, location)
    said = words_of(await analyst.get(location))
    assert "Previously dismissed (1)" in said
    assert "Our customer was formed in 2025." in said


async def test_a_hit_that_is_not_there_cannot_be_dismissed(analyst: httpx2.AsyncClient) -> None:
    answer = await send(analyst, NEW, VERIFICATIONS, **LISTED)
    verification = answer.headers["Location"].rpartition("/")[2]
    for parameters in (
        f"verification={verification}&match=0",
        "verification=nothing&match=0",
        f"verification={UUID(int=0)}&match=0",
    ):
        assert (await analyst.get(f"/console/sanctions/dismiss?{parameters}")).status_code == 404
