"""The web site of a business in a search: read at the sandbox, compared with the match, and honest where nobody could look."""

from dataclasses import replace

import pytest

from bonafide.errors import SourceErrorCode
from bonafide.model.accounts.organizations import Principal, World
from bonafide.model.records.business_record import Author
from bonafide.model.search.match import FieldStatus
from bonafide.model.search.result import CheckError, SearchResult, SearchStatus
from bonafide.model.search.selection import MatchChoice
from bonafide.model.search.website import WebsiteAnalysis, WebsiteStatus
from bonafide.runtime import Runtime
from bonafide.services.records.business_records import upsert
from bonafide.services.search.execution import read_search
from bonafide.services.search.history import choose_match
from tests.support.services.business_records import body
from tests.support.services.runtimes import search

pytestmark = pytest.mark.anyio
BAKERY = "Sandbox Bakery Inc."
SITE = "https://bakery.sandbox.example"


def site_of(result: SearchResult) -> WebsiteAnalysis:
    assert result.website is not None
    return result.website


def error_of(result: SearchResult) -> CheckError | None:
    return result.errors.website_analysis if result.errors is not None else None


async def test_a_site_says_who_is_behind_it_and_is_compared_with_the_match(served_runtime: Runtime, north: Principal) -> None:
    result = await search(served_runtime, north, name=BAKERY, website=SITE)
    site = site_of(result)
    assert (site.status, result.meta.status, error_of(result)) == (WebsiteStatus.SUCCESS, SearchStatus.COMPLETED, None)
    assert site.extracted.legal_name == BAKERY
    assert {row.field for row in site.extracted.evidence} >= {"legalName", "addresses"}
    assert all(row.page.startswith(SITE) for row in site.extracted.evidence)
    assert result.businesses is not None
    assert site.comparison is not None
    assert site.comparison.match_id == str(result.businesses[0].match_id)
    assert {row.field: row.status for row in site.comparison.fields}["legalName"] is FieldStatus.MATCHED


async def test_its_industry_and_the_age_of_its_domain_are_told(served_runtime: Runtime, north: Principal) -> None:
    site = site_of(await search(served_runtime, north, name=BAKERY, website=SITE))
    assert site.industry is not None
    assert site.industry.reasoning != ""
    assert site.domain is not None
    assert site.domain.url == "bakery.sandbox.example"
    assert site.domain.created_at is not None


async def test_what_is_sent_is_what_is_read_later(served_runtime: Runtime, north: Principal) -> None:
    result = await search(served_runtime, north, name=BAKERY, website=SITE)
    stored = await read_search(served_runtime, north.organization_id, result.meta.search_id)
    assert (stored.body, stored.parse(SearchResult)) == (result.to_json(), result)


async def test_another_match_that_is_chosen_is_compared_instead(served_runtime: Runtime, north: Principal) -> None:
    result = await search(served_runtime, north, name="Sandbox Twin Holdings Inc.", website=SITE, match_selection=True)
    first, second = (result.businesses or ())[:2]
    for match in (second, first):
        choice = MatchChoice(match_id=str(match.match_id))
        await choose_match(served_runtime, north.organization_id, result.meta.search_id, choice)
        stored = await read_search(served_runtime, north.organization_id, result.meta.search_id)
        compared = site_of(stored.parse(SearchResult)).comparison
        assert compared is not None
        assert compared.match_id == str(match.match_id)


async def test_the_site_of_a_record_is_read_without_being_asked_for(served_runtime: Runtime, north: Principal) -> None:
    record = (await upsert(served_runtime, north.organization_id, body(name=BAKERY, website=SITE), Author("t"))).record
    result = await search(served_runtime, north, business_id=record.id)
    assert site_of(result).status is WebsiteStatus.SUCCESS
    assert result.comparison is not None
    assert site_of(result).comparison is not None


@pytest.mark.parametrize(
    "address", ["http://127.0.0.1/", "http://169.254.169.254/latest/meta-data/", "ftp://bakery.sandbox.example/"]
)
async def test_an_address_that_must_not_be_read_is_a_status_and_no_error(
    served_runtime: Runtime, north: Principal, address: str
) -> None:
    result = await search(served_runtime, north, name=BAKERY, website=address)
    assert site_of(result).status in {WebsiteStatus.REFUSED, WebsiteStatus.INVALID}
    assert site_of(result).pages == () or site_of(result).pages[0].size == 0
    assert (result.errors, result.meta.status) == (None, SearchStatus.COMPLETED)
    assert site_of(result).comparison is None


async def test_a_site_that_can_not_be_reached_is_an_error_and_the_rest_is_there(served_runtime: Runtime, north: Principal) -> None:
    result = await search(served_runtime, north, name=BAKERY, website="https://nobody.nowhere.example")
    error = error_of(result)
    assert error is not None or site_of(result).status is WebsiteStatus.INVALID
    assert result.businesses
    assert site_of(result).error is not None


async def test_where_no_sandbox_is_served_nobody_could_look(runtime: Runtime, north: Principal) -> None:
    result = await search(runtime, north, name=BAKERY, website=SITE)
    error = error_of(result)
    assert error is not None
    assert (result.website, error.code, result.meta.status) == (
        None,
        SourceErrorCode.UNAVAILABLE,
        SearchStatus.COMPLETED_WITH_ERRORS,
    )


async def test_where_nobody_is_asked_live_no_site_is(served_runtime: Runtime, north: Principal) -> None:
    settings = served_runtime.settings.model_copy(update={"ask_live": False})
    error = error_of(await search(replace(served_runtime, settings=settings), north, name=BAKERY, website=SITE))
    assert error is not None
    assert "ask_live" in error.message


async def test_an_analysis_without_an_address_is_told(served_runtime: Runtime, north: Principal) -> None:
    result = await search(served_runtime, north, name=BAKERY, website_analysis=True)
    error = error_of(result)
    assert error is not None
    assert (error.code, error.retryable, result.website) == (SourceErrorCode.INVALID_INPUT, False, None)


async def test_without_analysis_nothing_is_fetched(served_runtime: Runtime, north: Principal) -> None:
    runtime = replace(served_runtime, web_fetchers={})
    result = await search(runtime, north, name=BAKERY, website=SITE, website_analysis=False)
    assert (result.website, result.errors) == (None, None)


async def test_an_analysis_alone_that_comes_to_nothing_is_an_error(runtime: Runtime, north: Principal) -> None:
    result = await search(
        replace(runtime, web_fetchers={}), north, name=BAKERY, website=SITE, business_registry=False, regulatory_registry=False
    )
    assert result.meta.status is SearchStatus.ERROR
    assert World.SANDBOX not in runtime.web_fetchers
