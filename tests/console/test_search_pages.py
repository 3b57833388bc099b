"""The search page: a box for a name or a number, what it offers, what else may be said, and how a search is followed."""

from collections.abc import AsyncIterator
from dataclasses import replace
from html import unescape
from pathlib import Path

import httpx2
import pytest

from bonafide.concurrency.work_limiter import WorkLimiter
from bonafide.console.searches.new_search import is_registration_number
from bonafide.model.accounts.organizations import KeyRequest, World
from bonafide.model.accounts.users import Role
from bonafide.model.jurisdiction import Jurisdiction
from bonafide.model.records.business_input import BusinessUpsert
from bonafide.model.records.business_record import Author
from bonafide.model.search.match import FieldStatus
from bonafide.model.search.result import CoverageStatus
from bonafide.runtime import Runtime
from bonafide.services.accounts import api_access
from bonafide.services.records import business_records
from tests.support.console.searches import document_of, runtime_over, search_for, way_to_result, words_of
from tests.support.console.sessions import csrf_of, send, signed_in_client

pytestmark = pytest.mark.anyio
SEARCH = "/console/search"


@pytest.fixture(scope="module")
async def runtime(sqlite_template: Path, sandbox_data: Path, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Runtime]:
    async with runtime_over(sqlite_template, tmp_path_factory.mktemp("search"), sandbox_data) as opened:
        yield opened


async def stored(runtime: Runtime, organization: str, **said: object) -> str:
    """The id of a business in the organization's records."""
    key = await api_access.create_key(runtime, KeyRequest(organization=organization, world=World.SANDBOX))
    principal = await api_access.authenticate(runtime, key.text)
    request = BusinessUpsert.model_validate(said)
    return str((await business_records.upsert(runtime, principal.organization_id, request, Author("test"))).record.id)


# --------------------------------------------------------------------------------------------------------------- the box


async def test_a_name_is_searched_for_whoever_asks(analyst: httpx2.AsyncClient, organization: str) -> None:
    result = await document_of(analyst, await search_for(analyst, "Sandbox Bakery Inc."))
    assert (result.meta.submitted.name, result.meta.searched_by) == ("Sandbox Bakery Inc.", f"analyst@{organization}.example")
    assert result.businesses is not None
    assert result.businesses[0].legal_name.name == "Sandbox Bakery Inc."


async def test_a_number_in_the_box_finds_whose_it_is(analyst: httpx2.AsyncClient) -> None:
    result = await document_of(analyst, await search_for(analyst, "ON 1000017"))
    assert result.meta.submitted.params.registration_number == "ON 1000017"
    assert [match.legal_name.name for match in result.businesses or ()] == ["Sandbox Bakery Inc."]


@pytest.mark.parametrize("number", ["1000017", "BC1000033", "NEQ 1160000017", "123456789 RC0001", "529900T8BM49AURSDO55"])
async def test_what_is_a_number(number: str) -> None:
    assert is_registration_number(number)


@pytest.mark.parametrize("name", ["1234567 Ontario Inc.", "9876-5432 Québec inc.", "Studio 54", "12345678 BC Ltd", "24/7", "3M"])
async def test_a_name_with_a_number_in_it_is_a_name(name: str) -> None:
    assert not is_registration_number(name)


async def test_a_script_is_told_where_the_result_is(analyst: httpx2.AsyncClient) -> None:
    headers = {"X-CSRF-Token": csrf_of(await analyst.get(SEARCH)), "HX-Request": "true"}
    answer = await analyst.post(SEARCH, data={"name": "Sandbox Bakery Inc."}, headers=headers)
    assert answer.headers.get("HX-Redirect") is not None or way_to_result(answer)


async def test_when_too_many_search_a_person_is_told_to_come_back(runtime: Runtime, organization: str) -> None:
    full = replace(runtime, work_limiter=WorkLimiter(1, 0))
    async with await signed_in_client(full, Role.ANALYST, organization) as client, full.work_limiter.slot("somebody", 1):
        answer = await send(client, SEARCH, name="Sandbox Bakery Inc.")
        assert answer.status_code == 503
        assert "The service is at capacity." in answer.text
        assert (await client.get(SEARCH)).status_code == 200
    async with await signed_in_client(full, Role.ANALYST, f"{organization}-2") as client:
        await search_for(client, "Sandbox Bakery Inc.")
    assert full.work_limiter.under_way == 0


# ------------------------------------------------------------------------------------------------------------- more said


async def test_without_the_ticks_the_settings_of_the_account_decide(analyst: httpx2.AsyncClient) -> None:
    params = (await document_of(analyst, await search_for(analyst, "Sandbox Bakery"))).meta.submitted.params
    assert (params.business_registry, params.sanctions_screening, params.match_selection) == (True, False, False)


async def test_the_ticks_say_what_is_checked(analyst: httpx2.AsyncClient) -> None:
    address = await search_for(analyst, "Sandbox Bakery", checks=["sanctions_screening", "match_selection"])
    params = (await document_of(analyst, address)).meta.submitted.params
    assert (params.business_registry, params.regulatory_registry) == (False, False)
    assert (params.sanctions_screening, params.match_selection) == (True, True)


async def test_registers_and_thresholds_are_as_the_form_says(analyst: httpx2.AsyncClient) -> None:
    address = await search_for(analyst, "Sandbox Bakery", jurisdictions=["ON", "QC"], sanctionsThreshold="0.9")
    result = await document_of(analyst, address)
    assert result.meta.submitted.params.jurisdictions == (Jurisdiction.ON, Jurisdiction.QC)
    assert result.meta.submitted.params.sanctions_threshold == 0.9
    alberta = next(row for row in result.meta.coverage if row.jurisdiction is Jurisdiction.AB)
    assert alberta.status is CoverageStatus.NOT_REQUESTED


async def test_an_address_is_compared(analyst: httpx2.AsyncClient) -> None:
    place = {"address.street": "100 King Street West", "address.city": "Toronto", "address.postalCode": "M5X 1A9"}
    result = await document_of(analyst, way_to_result(await send(analyst, SEARCH, name="Sandbox Bakery", **place)))
    assert result.businesses is not None
    compared = {field.field: field.status for field in result.businesses[0].match.fields}
    assert compared["address"] in {FieldStatus.MATCHED, FieldStatus.PARTIAL}


async def test_a_stored_business_fills_the_form_and_is_searched_with(
    runtime: Runtime, analyst: httpx2.AsyncClient, organization: str
) -> None:
    business = await stored(runtime, organization, name="Sandbox Bakery Inc.", website="https://bakery.sandbox.example")
    page = await analyst.get(f"{SEARCH}?business={business}")
    assert 'value="Sandbox Bakery Inc."' in page.text
    assert 'value="https://bakery.sandbox.example"' in page.text
    result = await document_of(analyst, await search_for(analyst, "", businessId=business))
    assert str(result.meta.submitted.business_id) == business
    assert result.comparison is not None


@pytest.mark.parametrize("given", ["no id", "00000000-0000-4000-8000-000000000000"])
async def test_a_business_that_is_not_there_is_not_found(analyst: httpx2.AsyncClient, given: str) -> None:
    assert (await analyst.get(SEARCH, params={"business": given})).status_code == 404


async def test_a_business_of_another_organization_is_not_found(runtime: Runtime, analyst: httpx2.AsyncClient) -> None:
    foreign = await stored(runtime, "south", name="Sandbox Bakery Inc.")
    assert (await analyst.get(SEARCH, params={"business": foreign})).status_code == 404
    assert (await send(analyst, SEARCH, name="Sandbox", businessId=foreign)).status_code == 404


@pytest.mark.parametrize(
    ("fields", "problem"),
    [
        ({"name": ""}, "name-problem"),
        ({"name": "&&"}, "name-problem"),
        ({"name": "Sandbox", "sanctionsThreshold": "2"}, "field-sanctionsThreshold-problem"),
        ({"name": "Sandbox", "regulatoryRegistryThreshold": "much"}, "field-regulatoryRegistryThreshold-problem"),
        ({"name": "Sandbox", "address.city": "x" * 600}, "field-address-city-problem"),
    ],
)
async def test_what_can_not_be_searched_for_is_said_at_its_field(
    analyst: httpx2.AsyncClient, fields: dict[str, str], problem: str
) -> None:
    page = await send(analyst, SEARCH, **fields)
    assert page.status_code == 422
    assert f'id="{problem}"' in page.text
    assert f'aria-describedby="{problem}"' in page.text or f'{problem}"' in page.text
    assert all(f'value="{value}"' in unescape(page.text) for value in fields.values() if value != "")


async def test_a_refused_form_keeps_its_ticks(analyst: httpx2.AsyncClient) -> None:
    wanted = {"jurisdictions": ["ON"], "checks": ["sanctions_screening"], "hasChecks": "true", "sanctionsThreshold": "7"}
    page = await send(analyst, SEARCH, name="Sandbox", **wanted)
    assert page.text.count(" checked") == 2
    assert 'value="ON" checked' in page.text
    assert 'value="sanctions_screening" checked' in page.text


# ---------------------------------------------------------------------------------------------------------- what is offered


async def test_registered_businesses_are_offered_for_the_beginning_of_a_name(analyst: httpx2.AsyncClient) -> None:
    offered = await analyst.get(f"{SEARCH}/suggestions", params={"name": "sandbox  bak"})
    assert 'role="option"' in offered.text
    assert 'data-name="Sandbox Bakery Inc." data-number="1000017"' in offered.text
    assert "<html" not in offered.text


@pytest.mark.parametrize("typed", ["", "s", "  s  ", "qqqzzzxxx", "<script>"])
async def test_nothing_is_offered_for_too_little_or_for_nothing_known(analyst: httpx2.AsyncClient, typed: str) -> None:
    offered = await analyst.get(f"{SEARCH}/suggestions", params={"name": typed})
    assert (offered.status_code, offered.text.strip()) == (200, "")


# ------------------------------------------------------------------------------------------------------- following a search


async def test_a_search_that_takes_longer_is_followed_source_by_source(runtime: Runtime, organization: str) -> None:
    hurried = replace(runtime, settings=runtime.settings.model_copy(update={"lookup_timeout_s": 1.0}))
    async with await signed_in_client(hurried, Role.ANALYST, organization) as analyst:
        page = await send(analyst, SEARCH, name="Sandbox Timeout Ltd.")
        address = way_to_result(page)
        assert page.status_code == 200
        assert "Searching for “Sandbox Timeout Ltd.”" in words_of(page)
        assert "Alberta Corporate Registry did not respond within 1 s" in words_of(page)
        rows = (await document_of(analyst, address)).meta.coverage
        assert page.text.count("<li><span>") == sum(row.status is not CoverageStatus.NOT_REQUESTED for row in rows)
        assert page.text.rstrip().endswith("</html>")
        assert "Search complete." in words_of(page)


# ----------------------------------------------------------------------------------------------------------------- the page


async def test_the_last_searches_stand_below(analyst: httpx2.AsyncClient) -> None:
    assert "No searches yet." in words_of(await analyst.get(SEARCH))
    address = await search_for(analyst, "Sandbox <Bakery>")
    page = await analyst.get(SEARCH)
    assert f'<a href="{address}">Sandbox &lt;Bakery&gt;</a>' in page.text


async def test_a_viewer_searches_nothing(runtime: Runtime, organization: str) -> None:
    async with await signed_in_client(runtime, Role.VIEWER, organization) as viewer:
        assert (await viewer.get(SEARCH)).status_code == 403
        assert (await viewer.get(f"{SEARCH}/suggestions?name=sandbox")).status_code == 403
        assert (await send(viewer, "/console/searches", SEARCH, name="Sandbox")).status_code == 403


async def test_the_page_speaks_french(analyst: httpx2.AsyncClient) -> None:
    page = await analyst.get(SEARCH, headers={"Accept-Language": "fr-CA"})
    assert '<html lang="fr' in page.text
    assert "Nom ou numéro de l’entreprise" in words_of(page)
    assert "Île-du-Prince-Édouard" in words_of(page)
