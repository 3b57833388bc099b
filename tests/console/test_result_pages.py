"""The page of a result: what was found and why, what nobody could look at, and which match a person chooses."""

from collections.abc import AsyncIterator
from datetime import date, timedelta
from enum import StrEnum
from pathlib import Path
from uuid import uuid4

import httpx2
import pytest

from bonafide.console.frame import code_labels
from bonafide.console.frame.code_labels import Labels
from bonafide.console.searches import results
from bonafide.console.searches.result_view import SHOWN_IN_FULL
from bonafide.i18n.language import Language
from bonafide.i18n.message import Message
from bonafide.model.accounts.organizations import KeyRequest, Principal, World
from bonafide.model.accounts.users import Role
from bonafide.model.entity import StatusCode
from bonafide.model.entry import EntityKind, SourceKind
from bonafide.model.jurisdiction import Jurisdiction
from bonafide.model.loading import Route
from bonafide.model.query import SearchRequest
from bonafide.model.records.business_record import Author
from bonafide.model.screening.dismissals import DismissalRequest
from bonafide.model.search.match import FieldStatus, RelatedMatch, Relation, WordDifference
from bonafide.model.search.result import CheckErrors, CoverageStatus, SearchResult, SearchStatus, SelectionStatus
from bonafide.model.search.website import Industry, WebsiteAnalysis, WebsiteStatus
from bonafide.runtime import Runtime
from bonafide.services.accounts import api_access
from bonafide.services.screening.dismissals import dismiss
from bonafide.services.search.execution import begin_search
from bonafide.store.records import searches
from tests.support.console.searches import ALL_CHECKS, document_of, marked_in, runtime_over, search_for, way_to_result, words_of
from tests.support.console.sessions import csrf_of, send, signed_in_client
from tests.support.loaded_sandbox import LOADED_AT

pytestmark = pytest.mark.anyio
BAKERY = "Sandbox Bakery Inc."
LISTED = "Sandbox Sanctioned Trading Ltd."
TWINS = "Sandbox Twin Holdings Inc."


@pytest.fixture(scope="module")
async def runtime(sqlite_template: Path, sandbox_data: Path, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Runtime]:
    async with runtime_over(sqlite_template, tmp_path_factory.mktemp("results"), sandbox_data) as opened:
        yield opened


async def principal_of(runtime: Runtime, organization: str) -> Principal:
    key = await api_access.create_key(runtime, KeyRequest(organization=organization, world=World.SANDBOX))
    return await api_access.authenticate(runtime, key.text)


async def store(runtime: Runtime, organization: str, document: SearchResult) -> None:
    """Put another document in the place of a search's own."""
    organization_id = (await principal_of(runtime, organization)).organization_id
    async with runtime.store.write() as connection:
        await searches.replace_document(connection, organization_id, document.meta.search_id, document.to_stored())


async def choose(client: httpx2.AsyncClient, address: str, **choice: object) -> httpx2.Response:
    return await send(client, address, f"{address}/selection", **choice)


# --------------------------------------------------------------------------------------------------------------- what is found


@pytest.mark.slow
async def test_a_match_says_where_it_is_from_how_old_it_is_and_who_is_behind_it(analyst: httpx2.AsyncClient) -> None:
    said = words_of(await analyst.get(await search_for(analyst, BAKERY, checks=ALL_CHECKS)))
    for text in (
        "Ontario Business Registry",
        "1000017",
        "Active",
        "Data as of",
        "Imported file",
        "Director",
        "Former names",
        "1.00",
    ):
        assert text in said


async def test_a_score_below_one_is_explained_with_the_difference_marked_within_the_word(analyst: httpx2.AsyncClient) -> None:
    page = await analyst.get(await search_for(analyst, "Sandbox Bakury Inc."))
    assert "Why 0.9" in words_of(page)
    assert "“bakury” matched with “bakery” (1 letter differs)" in page.text
    assert "u" in marked_in(page, "del")
    assert "e" in marked_in(page, "ins")
    assert "Spelling difference" in words_of(page)


async def test_a_registration_elsewhere_is_named_with_how_it_is_known(
    runtime: Runtime, analyst: httpx2.AsyncClient, organization: str
) -> None:
    address = await search_for(analyst, TWINS, checks=["business_registry", "match_selection"])
    result = await document_of(analyst, address)
    first, second = result.businesses or ()
    link = RelatedMatch(match_id=second.match_id, relation=Relation.HOME_REGISTRATION, evidence=Message("same business number"))
    linked = result.model_copy(update={"businesses": (first.model_copy(update={"related_matches": (link,)}), second)})
    await store(runtime, organization, linked)
    page = await analyst.get(address)
    assert f"Related registrations {code_labels.JURISDICTION[second.jurisdiction]}" in words_of(page)
    assert "home registration same business number" in words_of(page)
    assert f'href="?match={second.match_id}#match-{second.match_id}"' in page.text


async def test_regulators_that_list_it_say_what_they_list(analyst: httpx2.AsyncClient) -> None:
    said = words_of(await analyst.get(await search_for(analyst, "Sandbox Money Services Inc.")))
    assert "Money services businesses (FINTRAC)" in said
    assert "Payment service providers (Bank of Canada)" in said
    assert "Checked, no match (16)" in said


async def test_a_match_far_down_is_shown_in_full_by_its_link(analyst: httpx2.AsyncClient) -> None:
    address = await search_for(analyst, "Sandbox")
    result = await document_of(analyst, address)
    assert result.businesses is not None
    assert len(result.businesses) > SHOWN_IN_FULL
    last = result.businesses[-1]
    assert f'id="match-{last.match_id}"' not in (await analyst.get(address)).text
    assert f'id="match-{last.match_id}"' in (await analyst.get(f"{address}?match={last.match_id}")).text
    assert (await analyst.get(f"{address}?match=none")).status_code == 200


async def test_what_callers_and_registers_say_is_text_and_no_markup(analyst: httpx2.AsyncClient) -> None:
    page = await analyst.get(await search_for(analyst, "<script>alert(1)</script> Bakery & Sons"))
    assert "<script>alert" not in page.text
    assert "&lt;script&gt;alert(1)&lt;/script&gt; Bakery &amp; Sons" in page.text


# ------------------------------------------------------------------------------------------------ what nobody could look at


async def test_registers_that_do_not_answer_are_not_said_to_have_nothing(analyst: httpx2.AsyncClient) -> None:
    address = await search_for(analyst, "Sandbox Outage Ltd.", checks=["business_registry", "match_selection"])
    page = await analyst.get(address)
    said = words_of(page)
    rows = [row for row in (await document_of(analyst, address)).meta.coverage if row.kind == SourceKind.REGISTRY]
    assert f"Unavailable 0 of {len(rows)} checked" in said
    assert "No business registers could be checked." in said
    assert "No match" not in said
    assert "None of the results is this business." not in said
    assert all(row.status is CoverageStatus.FAILED and row.note is not None and row.note in said for row in rows)


async def test_what_was_found_nowhere_leaves_open_what_was_not_looked_at(analyst: httpx2.AsyncClient) -> None:
    address = await search_for(analyst, "Qwxz Vbnm Unheard", checks=["business_registry", "match_selection"])
    rows = [row for row in (await document_of(analyst, address)).meta.coverage if row.kind == SourceKind.REGISTRY]
    looked = sum(row.status is CoverageStatus.SEARCHED for row in rows)
    said = words_of(await analyst.get(address))
    assert "weren’t checked or have outdated data" in said
    assert "The operator must accept the terms of Canada's Business Registries first" in said
    assert 0 < looked < len(rows)
    assert f"None of the registers checked ({looked} of {len(rows)}) has a business with a similar name." in said
    assert "The others couldn’t be checked." in said


async def test_a_check_that_was_not_asked_for_is_not_said_to_have_found_nothing(analyst: httpx2.AsyncClient) -> None:
    page = await analyst.get(await search_for(analyst, BAKERY, checks=["match_selection"]))
    said = words_of(page)
    assert said.count("Not requested") >= 4
    assert "No match" not in said
    for check in ("Business registers weren’t checked", "Regulators weren’t checked", "Sanctions weren’t screened"):
        assert check in said
    assert "Website check not requested." in said


async def test_where_nothing_is_loaded_nothing_is_known(sqlite_template: Path, tmp_path: Path) -> None:
    async with runtime_over(sqlite_template, tmp_path, tmp_path) as bare, await signed_in_client(bare, Role.ANALYST) as client:
        said = words_of(await client.get(await search_for(client, BAKERY, checks=ALL_CHECKS)))
        assert said.count("Unavailable 0 of") == 3
        assert "No business registers could be checked." in said
        assert "No regulators could be checked." in said
        assert "No sanctions lists could be screened. No result isn’t a clear result." in said
        assert "No match" not in said


async def test_old_data_is_said_to_be_old(analyst: httpx2.AsyncClient) -> None:
    address = await search_for(analyst, BAKERY)
    odbus = next(row for row in (await document_of(analyst, address)).meta.coverage if row.source == "odbus")
    said = words_of(await analyst.get(address))
    assert odbus.as_of == date(2022, 5, 1)
    assert "Data as of 1 May 2022, 1,664 days old" in said


@pytest.mark.slow
async def test_data_that_is_older_than_it_should_be_proves_no_absence(
    sqlite_template: Path, sandbox_data: Path, tmp_path: Path
) -> None:
    later = LOADED_AT + timedelta(days=3000)
    async with (
        runtime_over(sqlite_template, tmp_path, sandbox_data, lambda: later) as aged,
        await signed_in_client(aged, Role.ANALYST) as client,
    ):
        page = await client.get(await search_for(client, BAKERY, checks=ALL_CHECKS))
        assert "have outdated data" in words_of(page)
        assert "Corporations Canada (opens in a new tab) Outdated data The data is from" in words_of(page)
        assert "3,000 days old" in words_of(page)


# --------------------------------------------------------------------------------------------------------------- sanctions


async def test_a_hit_is_open_until_somebody_dismisses_it_and_then_still_there(
    runtime: Runtime, analyst: httpx2.AsyncClient, organization: str
) -> None:
    address = await search_for(analyst, LISTED, checks=ALL_CHECKS)
    before = await analyst.get(address)
    assert "1 open hit" in words_of(before)
    assert f"/console/sanctions/dismiss?search={address.rpartition('/')[2]}&amp;match=0" in before.text
    result = await document_of(analyst, address)
    assert result.sanctions is not None
    (hit,) = result.sanctions.matches
    seen = {"source": hit.source, "entryId": hit.entry_id, "digest": hit.digest}
    request = DismissalRequest.model_validate({"subject": {"name": LISTED}, "hit": seen, "reason": "Another <company>."})
    await dismiss(runtime, await principal_of(runtime, organization), request, Author("analyst@north.example"))
    after = words_of(await analyst.get(address))
    assert "All hits dismissed" in after
    assert "Dismissed by analyst@north.example: Another <company>." in after
    assert "Open hit" not in after
    assert "Dismiss hit" not in after


# --------------------------------------------------------------------------------------------------------------- the choice


async def test_a_person_chooses_a_match_and_changes_their_mind(analyst: httpx2.AsyncClient, organization: str) -> None:
    address = await search_for(analyst, TWINS, checks=["business_registry", "match_selection"])
    assert "No result has a clear lead. Select a match." in words_of(await analyst.get(address))
    second = ((await document_of(analyst, address)).businesses or ())[1]
    answer = await choose(analyst, address, matchId=second.match_id)
    assert (answer.status_code, answer.headers["Location"]) == (303, f"{address}#selection")
    chosen = await analyst.get(address)
    assert "Selected by a reviewer" in words_of(chosen)
    assert f"analyst@{organization}.example" in words_of(chosen)
    assert chosen.text.count("is-chosen") == 1
    selection = (await document_of(analyst, address)).match_selection
    assert selection is not None
    assert selection.selected_match_id == second.match_id
    await choose(analyst, address, status="no_match_found")
    assert "None of the results is this business." in words_of(await analyst.get(address))
    await choose(analyst, address, status="no_selection")
    assert "This search was closed without a match." in words_of(await analyst.get(address))
    await send(analyst, address, f"{address}/reopen")
    assert "Select a match." in words_of(await analyst.get(address))


async def test_a_choice_may_have_a_note(analyst: httpx2.AsyncClient, organization: str) -> None:
    address = await search_for(analyst, TWINS, checks=["business_registry", "match_selection"])
    await choose(analyst, address, status="no_match_found", note="Asked <Priscilla>,\nwho has never heard of it.")
    said = words_of(await analyst.get(address))
    assert f"analyst@{organization}.example · No match: Asked <Priscilla>, who has never heard of it." in said
    too_long = await choose(analyst, address, status="no_selection", note="x" * 10_001)
    assert too_long.status_code == 400


@pytest.mark.parametrize("choice", [{"matchId": "another"}, {"status": "perhaps"}, {}])
async def test_what_can_not_be_chosen_is_refused(analyst: httpx2.AsyncClient, choice: dict[str, str]) -> None:
    address = await search_for(analyst, TWINS, checks=["business_registry", "match_selection"])
    assert (await choose(analyst, address, **choice)).status_code == 400
    assert "Select a match." in words_of(await analyst.get(address))


async def test_a_viewer_reads_everything_and_changes_nothing(analyst: httpx2.AsyncClient, viewer: httpx2.AsyncClient) -> None:
    address = await search_for(analyst, LISTED, checks=ALL_CHECKS)
    page = await viewer.get(address)
    main = page.text.partition("<main")[2]
    assert "Why " in words_of(page)
    assert 'method="post"' not in main
    assert "/console/sanctions/dismiss?" not in main
    token = csrf_of(page)
    for action in ("selection", "reopen", "again", "archive"):
        assert (await viewer.post(f"{address}/{action}", data={"csrf": token, "status": "no_selection"})).status_code == 403
    assert (await viewer.get(f"{address}/result.json")).status_code == 200


# --------------------------------------------------------------------------------------------------------------- around it


async def test_the_report_and_the_document_come_with_the_session(analyst: httpx2.AsyncClient) -> None:
    address = await search_for(analyst, BAKERY, checks=ALL_CHECKS)
    page = await analyst.get(address)
    assert f'href="{address}/report.pdf"' in page.text
    report = await analyst.get(f"{address}/report.pdf")
    assert (report.status_code, report.headers["Content-Type"]) == (200, "application/pdf")
    assert report.content.startswith(b"%PDF")
    assert report.headers["Content-Disposition"] == 'attachment; filename="sandbox-bakery-inc-2026-11-20.pdf"'
    document = await analyst.get(f"{address}/result.json")
    assert document.headers["Content-Type"].startswith("application/json")
    assert document.json()["meta"]["searchId"] == address.rpartition("/")[2]
    first = ((await document_of(analyst, address)).businesses or ())[0]
    profile = await analyst.get(f"{address}/matches/{first.match_id}/report.pdf")
    assert profile.content.startswith(b"%PDF")
    assert (await analyst.get(f"{address}/matches/{uuid4()}/report.pdf")).status_code == 404
    assert (await analyst.get(f"{address}/matches/none/report.pdf")).status_code == 404


async def test_a_search_is_put_away_taken_out_and_made_again(analyst: httpx2.AsyncClient) -> None:
    address = await search_for(analyst, "Sandbox Bakery", checks=["business_registry"], jurisdictions=["ON"])
    await send(analyst, address, f"{address}/archive", archived="true")
    assert "Restore" in words_of(await analyst.get(address))
    await send(analyst, address, f"{address}/archive", archived="false")
    assert "Restore" not in words_of(await analyst.get(address))
    again = way_to_result(await send(analyst, address, f"{address}/again"))
    assert again != address
    was, now = await document_of(analyst, address), await document_of(analyst, again)
    assert now.meta.submitted == was.meta.submitted


async def test_a_search_under_way_has_a_page_that_looks_again(
    runtime: Runtime, analyst: httpx2.AsyncClient, organization: str
) -> None:
    search = await begin_search(runtime, await principal_of(runtime, organization), SearchRequest(name="Sandbox Bakery"))
    page = await analyst.get(f"/console/searches/{search.search_id}")
    assert (page.status_code, page.headers["Refresh"]) == (200, "3")
    assert "This search is in progress." in words_of(page)


async def test_nothing_of_another_organization_is_there(runtime: Runtime, analyst: httpx2.AsyncClient) -> None:
    address = await search_for(analyst, TWINS, checks=["business_registry", "match_selection"])
    (first, _) = (await document_of(analyst, address)).businesses or ()
    async with await signed_in_client(runtime, Role.OWNER, f"s{uuid4().hex}") as south:
        for path in ("", "/report.pdf", "/result.json", f"/matches/{first.match_id}/report.pdf", f"?match={first.match_id}"):
            assert (await south.get(f"{address}{path}")).status_code == 404, path
        token = csrf_of(await south.get("/console/search"))
        for action in ("selection", "reopen", "again", "archive"):
            fields = {"csrf": token, "status": "no_selection", "archived": "true"}
            assert (await south.post(f"{address}/{action}", data=fields)).status_code == 404, action
    assert "Select a match." in words_of(await analyst.get(address))


@pytest.mark.parametrize("name", ["no-id", "00000000-0000-4000-8000-000000000000"])
async def test_a_search_that_is_not_there_is_not_found(viewer: httpx2.AsyncClient, name: str) -> None:
    page = await viewer.get(f"/console/searches/{name}")
    assert (page.status_code, "Page not found" in page.text) == (404, True)


async def test_the_page_and_its_reasons_speak_french(analyst: httpx2.AsyncClient) -> None:
    address = await search_for(analyst, "Sandbox Bakury Inc.", checks=ALL_CHECKS)
    page = await analyst.get(address, headers={"Accept-Language": "fr-CA"})
    said = words_of(page)
    nobody = "Aucune correspondance dans les listes de sanctions."
    for text in ("2 sources n’ont pas été consultées", "Pourquoi 0,9", "rapproché de", "Registres d’entreprises", nobody):
        assert text in said
    assert "matched with" not in said


async def test_the_industry_of_a_website_has_its_title_in_the_readers_language(
    runtime: Runtime, analyst: httpx2.AsyncClient, organization: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    address = await search_for(analyst, BAKERY, checks=["business_registry"])
    industry = Industry(naics_code="311811", naics_code_name="Retail bakeries", reasoning=Message("reason"), confidence=0.9)
    url = "https://bakery.example"
    website = WebsiteAnalysis(status=WebsiteStatus.SUCCESS, url=url, industry=industry, retrieved_at=LOADED_AT)
    result = await document_of(analyst, address)
    await store(runtime, organization, result.model_copy(update={"website": website}))
    assert "311811 Retail bakeries" in words_of(await analyst.get(address, headers={"Accept-Language": "fr-CA"}))
    titles = {("311811", Language.FRENCH): "Boulangeries de détail"}
    monkeypatch.setattr(results, "get_naics_title", lambda *wanted: titles[wanted[2:]])
    assert "311811 Boulangeries de détail" in words_of(await analyst.get(address, headers={"Accept-Language": "fr-CA"}))
    assert "311811 Retail bakeries" in words_of(await analyst.get(address, headers={"Accept-Language": "en-CA"}))


# --------------------------------------------------------------------------------------------------------------- words


@pytest.mark.parametrize(
    ("said", "codes"),
    [
        (code_labels.STATUS, StatusCode),
        (code_labels.JURISDICTION, Jurisdiction),
        (code_labels.FIELD_STATUS, FieldStatus),
        (code_labels.WORD_DIFFERENCE, WordDifference),
        (code_labels.COVERAGE, CoverageStatus),
        (code_labels.SOURCE_KIND, SourceKind),
        (code_labels.SEARCH_STATUS, SearchStatus),
        (code_labels.SELECTION, SelectionStatus),
        (code_labels.RELATION, Relation),
        (code_labels.ROUTE, Route),
        (code_labels.PARTY, EntityKind),
        (code_labels.WEBSITE_STATUS, WebsiteStatus),
    ],
)
def test_every_code_has_a_word(said: Labels, codes: type[StrEnum]) -> None:
    assert set(codes) - said.keys() == set()


def test_every_check_has_a_name() -> None:
    assert set(CheckErrors.model_fields) - code_labels.CHECK.keys() == set()
