"""The sanctions pages: a name is screened, each hit explained, the screening kept and repeated; a hit is dismissed and reopened."""

import re
from collections.abc import AsyncIterator
from html import unescape
from pathlib import Path
from uuid import uuid4

import httpx2
import pytest

from bonafide.model.accounts.users import Role
from bonafide.model.ownership.statement import OwnershipStatement
from bonafide.model.records.business_input import BusinessUpsert
from bonafide.model.records.business_record import Author
from bonafide.model.screening.requests import ScreeningRequest
from bonafide.runtime import Runtime
from bonafide.services.ownership.statements import replace_statement
from bonafide.services.records import business_records
from bonafide.services.screening.history import create_screening
from tests.support.console.searches import runtime_over, search_for, words_of
from tests.support.console.sessions import send, signed_in_client
from tests.support.services.runtimes import principal_of

pytestmark = pytest.mark.anyio
SANCTIONS, DISMISSALS = "/console/sanctions", "/console/sanctions/dismissals"
LISTED = "Sandbox Sanctioned Trading Ltd."
SCREENINGS = f"{SANCTIONS}/screenings"
AUTHOR = Author("analyst@north.example")
FRENCH = {"Accept-Language": "fr-CA"}
_DISMISS = re.compile(r'href="(/console/sanctions/dismiss\?[^"]+)"')
_DECISION = re.compile(r'href="(/console/sanctions/dismissals/[0-9a-f-]{36})"')


@pytest.fixture(scope="module")
async def runtime(sqlite_template: Path, sandbox_data: Path, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Runtime]:
    async with runtime_over(sqlite_template, tmp_path_factory.mktemp("sanctions"), sandbox_data) as opened:
        yield opened


async def screened(client: httpx2.AsyncClient, query: str = LISTED, **said: object) -> str:
    """Screen a name with the form; the address of the screening."""
    answer = await send(client, SANCTIONS, query=query, **said)
    assert answer.status_code == 303, words_of(answer)
    address: str = answer.headers["Location"]
    return address


async def shown(client: httpx2.AsyncClient, query: str = LISTED, **said: object) -> str:
    """What the page of a new screening says."""
    return words_of(await client.get(await screened(client, query, **said)))


async def way_to_dismiss(client: httpx2.AsyncClient, address: str) -> str:
    """Where the page's first hit can be dismissed."""
    found = _DISMISS.search((await client.get(address)).text)
    assert found is not None
    return unescape(found[1])


async def dismissed(client: httpx2.AsyncClient, **said: object) -> str:
    """Dismiss the hit of a new screening; the address of the decision."""
    address = await screened(client)
    answer = await send(client, await way_to_dismiss(client, address), **{"reason": "Another company of that name.", **said})
    assert (answer.status_code, answer.headers["Location"]) == (303, address)
    found = _DECISION.search((await client.get(DISMISSALS)).text)
    assert found is not None
    return found[1]


# ------------------------------------------------------------------------------------------------------------ screening


@pytest.mark.slow
async def test_a_hit_is_explained(analyst: httpx2.AsyncClient) -> None:
    said = await shown(analyst, "Sandbox Sanctioned Trade Limited", threshold=0.7, dateOfBirth=1961)
    assert "1 hit for “Sandbox Sanctioned Trade Limited”" in said
    assert "“trade” matched with “trading”" in said
    assert "Matched name Sandbox Sanctioned Trading Ltd." in said
    assert "Programs Belarus" in said
    assert "Consolidated Canadian Autonomous Sanctions List · Data as of 2" in said
    assert "the list states no date of birth that can be compared" in said


async def test_which_lists_were_looked_at_and_how_old_they_are_is_told(analyst: httpx2.AsyncClient) -> None:
    said = await shown(analyst, "Qwertz Yuiop Unheard-of")
    assert "No hits for “Qwertz Yuiop Unheard-of”" in said
    assert "No matches on the 10 lists below" in said
    assert "un-sanctions-consolidated" in said
    assert "20 Nov 2026, 14:33" in said


async def test_a_name_that_cannot_be_screened_is_not_reported_as_clear(analyst: httpx2.AsyncClient) -> None:
    said = await shown(analyst, "Inc.")
    assert "“Inc.” wasn’t screened" in said
    assert "The name wasn’t screened. No result isn’t a clear result." in said
    assert "No hits" not in said
    assert "No matches" not in said
    result = words_of(await analyst.get(await search_for(analyst, "Inc.", ["sanctions_screening"])))
    assert "The name wasn’t screened. No result isn’t a clear result." in result
    assert "No matches on sanctions lists." not in result


async def test_a_look_alike_letter_is_a_warning_beside_the_hit(analyst: httpx2.AsyncClient) -> None:
    said = await shown(analyst, "Sandbo\u0445 Sanctioned Trading Ltd.")
    assert "1 hit for “Sandboх Sanctioned Trading Ltd.”" in said
    assert "Letters of several scripts are mixed in “Sandboх”." in said


async def test_a_list_that_could_not_be_screened_is_told_first(sqlite_template: Path, tmp_path: Path) -> None:
    async with (
        runtime_over(sqlite_template, tmp_path, tmp_path) as nothing_loaded,
        await signed_in_client(nothing_loaded, Role.ANALYST) as client,
    ):
        said = await shown(client)
    assert "No lists could be screened. No result isn’t a clear result." in said
    assert "Swiss sanctions: " in said
    assert "No matches on" not in said


async def test_the_address_fills_in_the_form_and_screens_nothing(analyst: httpx2.AsyncClient) -> None:
    answer = await analyst.get(f"{SANCTIONS}?query=Acme&countries=by+ru&entityType=organization&sources=un-sanctions-consolidated")
    assert answer.status_code == 200
    assert 'value="BY RU"' in answer.text
    assert '<option value="organization" selected>' in answer.text
    assert "No screenings yet" in words_of(await analyst.get(SCREENINGS))


@pytest.mark.parametrize(
    ("field", "value", "problem"),
    [
        ("countries", "Narnia", "must be two-letter country codes"),
        ("countries", "XX", "must be two-letter country codes"),
        ("dateOfBirth", "soon", "must be a date"),
        ("threshold", "0.1", "must be at least 0.7"),
        ("sources", "narnia", "“narnia” is not an official list"),
        ("query", "", "is required"),
    ],
)
async def test_what_can_not_be_asked_is_told_at_its_field(
    analyst: httpx2.AsyncClient, field: str, value: str, problem: str
) -> None:
    answer = await send(analyst, SANCTIONS, **{"query": LISTED, field: value})
    assert (answer.status_code, problem in words_of(answer)) == (422, True)


async def test_it_is_there_in_french(analyst: httpx2.AsyncClient) -> None:
    analyst.headers.update(FRENCH)
    said = words_of(await send(analyst, SANCTIONS, query=LISTED, threshold=0.5))
    assert "Nom d’une entreprise, d’une personne" in said
    assert "doit être au moins 0.7" in said


async def test_ownership_by_listed_parties_is_told_with_its_chains(
    runtime: Runtime, analyst: httpx2.AsyncClient, organization: str
) -> None:
    principal = await principal_of(runtime, organization)
    wanted = BusinessUpsert(name="Qwertz Yuiop Unheard-of")
    business_id = (await business_records.upsert(runtime, principal.organization_id, wanted, AUTHOR)).record.id
    statement = OwnershipStatement.model_validate(
        {
            "asOf": "2026-11-01",
            "parties": [
                {"id": "b", "kind": "business", "name": wanted.name, "businessId": str(business_id)},
                {"id": "l", "kind": "business", "name": LISTED},
            ],
            "interests": [{"id": "1", "owner": "l", "owned": "b", "kind": "shares", "share": {"exact": 0.6}}],
        }
    )
    await replace_statement(runtime, principal.organization_id, business_id, statement, AUTHOR)
    request = ScreeningRequest.model_validate({"query": wanted.name, "businessId": str(business_id)})
    answer = await create_screening(runtime, principal, request)
    said = words_of(await analyst.get(f"{SCREENINGS}/{answer.meta.screening_id}"))
    assert "Sanctioned by ownership" in said
    assert "Owners with open hits own or control 60% of the business" in said
    assert f"{LISTED} has 60% of the shares of Qwertz Yuiop Unheard-of" in said
    assert "dismissed after the screening" not in said


# ---------------------------------------------------------------------------------------------------------------- history


async def test_every_screening_is_kept_and_found_again(analyst: httpx2.AsyncClient, organization: str) -> None:
    await screened(analyst)
    clear = await screened(analyst, "Qwertz Yuiop Unheard-of")
    said = words_of(await analyst.get(SCREENINGS))
    assert "Qwertz Yuiop Unheard-of" in said
    assert LISTED in said
    assert f"analyst@{organization}.example" in said
    assert LISTED not in words_of(await analyst.get(f"{SCREENINGS}?text=QWERTZ"))
    assert "Qwertz" not in words_of(await analyst.get(f"{SCREENINGS}?outcome=hits")).replace("QWERTZ", "")
    assert "No matching screenings" in words_of(await analyst.get(f"{SCREENINGS}?until=2001-01-01"))
    assert "Clear" in words_of(await analyst.get(clear))
    assert (await analyst.get(f"{SCREENINGS}?cursor=nonsense")).status_code == 400


async def test_a_repeated_screening_shows_what_has_changed(analyst: httpx2.AsyncClient) -> None:
    first = await screened(analyst)
    answer = await send(analyst, first, f"{first}/again")
    assert answer.status_code == 303
    again = answer.headers["Location"]
    assert again != first
    said = words_of(await analyst.get(again))
    assert "Changes since the previous screening" in said
    assert "No hit is new, changed or gone." in said
    assert first in (await analyst.get(again)).text


async def test_a_screening_is_printed_and_downloaded(analyst: httpx2.AsyncClient, viewer: httpx2.AsyncClient) -> None:
    address = await screened(analyst)
    for reader in (analyst, viewer):
        printed = await reader.get(f"{address}/report.pdf")
        assert printed.content.startswith(b"%PDF-")
        assert (await reader.get(f"{address}/result.json")).json()["screening"]["totalMatches"] == 1
    assert (await send(viewer, "/console/profile", f"{address}/again")).status_code == 403


async def test_a_viewer_screens_nobody_and_reads_the_decisions(analyst: httpx2.AsyncClient, viewer: httpx2.AsyncClient) -> None:
    decision = await dismissed(analyst)
    assert (await send(viewer, "/console/profile", SANCTIONS, query=LISTED)).status_code == 403
    assert "Your role is read-only." in words_of(await viewer.get(SANCTIONS))
    page = await viewer.get(decision)
    assert page.status_code == 200
    assert "Revoke" not in words_of(page)


# ----------------------------------------------------------------------------------------------------------- dismissing


async def test_a_dismissed_hit_stays_visible_with_its_reason(analyst: httpx2.AsyncClient, organization: str) -> None:
    await dismissed(analyst, reason="<b>Another</b> company.", until="2027-03-01")
    said = await shown(analyst)
    assert "Previously dismissed (1)" in said
    assert "<b>Another</b> company." in said
    assert f"by analyst@{organization}.example" in said
    assert "until 1 Mar 2027" in said


@pytest.mark.parametrize(
    ("form", "problem"),
    [
        ({"reason": " "}, "is required"),
        ({"reason": "x", "until": "2001-01-01"}, "must be in the future"),
    ],
)
async def test_a_hit_is_not_dismissed_without_a_reason_or_until_yesterday(
    analyst: httpx2.AsyncClient, form: dict[str, str], problem: str
) -> None:
    answer = await send(analyst, await way_to_dismiss(analyst, await screened(analyst)), **form)
    assert (answer.status_code, problem in words_of(answer)) == (422, True)
    assert "No dismissed hits" in words_of(await analyst.get(DISMISSALS))


async def test_a_decision_is_taken_back_and_stays_in_the_trail(analyst: httpx2.AsyncClient, organization: str) -> None:
    decision = await dismissed(analyst)
    answer = await send(analyst, decision, f"{decision}/revoke", reason="It was them.")
    assert (answer.status_code, answer.headers["Location"]) == (303, decision)
    said = words_of(await analyst.get(decision))
    assert f"Revoked analyst@{organization}.example" in said
    assert "It was them." in said
    assert "Dismissed before" not in await shown(analyst)
    assert "Revoked" in words_of(await analyst.get(f"{DISMISSALS}?active=no"))
    assert "No matching dismissals" in words_of(await analyst.get(f"{DISMISSALS}?active=yes"))


async def test_a_hit_of_a_search_is_dismissed_from_its_result(analyst: httpx2.AsyncClient) -> None:
    result = await search_for(analyst, LISTED, ["sanctions_screening"])
    address = f"{SANCTIONS}/dismiss?search={result.rsplit('/', 1)[1]}&match=0"
    answer = await send(analyst, address, reason="Somebody else.")
    assert (answer.status_code, answer.headers["Location"]) == (303, result)
    assert "Somebody else." in await shown(analyst)


@pytest.mark.parametrize(
    "hit",
    [
        "screening=x&match=0",
        "screening=00000000-0000-4000-8000-000000000000&match=0",
        "search=x&match=0",
        "search=00000000-0000-4000-8000-000000000000&match=0",
        "",
    ],
)
async def test_a_hit_that_there_is_not_is_a_page_that_does_not_exist(analyst: httpx2.AsyncClient, hit: str) -> None:
    assert (await analyst.get(f"{SANCTIONS}/dismiss?{hit}")).status_code == 404


async def test_another_organization_sees_nothing_of_it(runtime: Runtime, analyst: httpx2.AsyncClient) -> None:
    decision, address = await dismissed(analyst), await screened(analyst)
    async with await signed_in_client(runtime, Role.OWNER, f"s{uuid4().hex}") as south:
        for part in ("", "/report.pdf", "/result.json"):
            assert (await south.get(f"{address}{part}")).status_code == 404
        assert (await send(south, SANCTIONS, f"{address}/again")).status_code == 404
        assert "No screenings yet" in words_of(await south.get(SCREENINGS))
        assert (await south.get(decision)).status_code == 404
        assert (await send(south, DISMISSALS.removesuffix("/dismissals"), f"{decision}/revoke")).status_code == 404
        assert "No dismissed hits" in words_of(await south.get(DISMISSALS))
        assert "Dismissed before" not in await shown(south)


async def test_a_viewer_decides_nothing(analyst: httpx2.AsyncClient, viewer: httpx2.AsyncClient) -> None:
    decision, way = await dismissed(analyst), f"{SANCTIONS}/dismiss?screening=x&match=0"
    assert (await viewer.get(way)).status_code == 403
    assert (await send(viewer, "/console/profile", way, reason="x")).status_code == 403
    assert (await send(viewer, "/console/profile", f"{decision}/revoke")).status_code == 403
