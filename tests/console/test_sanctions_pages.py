"""The sanctions pages: a name is screened and each hit explained; a hit is dismissed with a reason, and the decision taken back."""

import re
from collections.abc import AsyncIterator
from html import unescape
from pathlib import Path
from uuid import uuid4

import httpx2
import pytest

from bonafide.model.accounts.users import Role
from bonafide.runtime import Runtime
from tests.support.console.searches import runtime_over, search_for, words_of
from tests.support.console.sessions import send, signed_in_client

pytestmark = pytest.mark.anyio
SANCTIONS, DISMISSALS = "/console/sanctions", "/console/sanctions/dismissals"
LISTED = "Sandbox Sanctioned Trading Ltd."
ASKED = f"{SANCTIONS}?query=Sandbox+Sanctioned+Trading+Ltd."
FRENCH = {"Accept-Language": "fr-CA"}
_DISMISS = re.compile(r'href="(/console/sanctions/dismiss\?[^"]+)"')
_DECISION = re.compile(r'href="(/console/sanctions/dismissals/[0-9a-f-]{36})"')


@pytest.fixture(scope="module")
async def runtime(sqlite_template: Path, sandbox_data: Path, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Runtime]:
    async with runtime_over(sqlite_template, tmp_path_factory.mktemp("sanctions"), sandbox_data) as opened:
        yield opened


async def way_to_dismiss(client: httpx2.AsyncClient, address: str = ASKED) -> str:
    """Where the page's first hit can be dismissed."""
    found = _DISMISS.search((await client.get(address)).text)
    assert found is not None
    return unescape(found[1])


async def dismissed(client: httpx2.AsyncClient, **said: object) -> str:
    """Dismiss the hit; the address of the decision."""
    answer = await send(client, await way_to_dismiss(client), **{"reason": "Another company of that name.", **said})
    assert (answer.status_code, answer.headers["Location"]) == (303, ASKED)
    found = _DECISION.search((await client.get(DISMISSALS)).text)
    assert found is not None
    return found[1]


# ------------------------------------------------------------------------------------------------------------ screening


@pytest.mark.slow
async def test_a_hit_is_explained(analyst: httpx2.AsyncClient) -> None:
    answer = await analyst.get(f"{SANCTIONS}?query=Sandbox+Sanctioned+Trade+Limited&threshold=0.7&dateOfBirth=1961")
    said = words_of(answer)
    assert "1 hit for “Sandbox Sanctioned Trade Limited”" in said
    assert "“trade” matched with “trading”" in said
    assert "Matched name Sandbox Sanctioned Trading Ltd." in said
    assert "Programs Belarus" in said
    assert "Consolidated Canadian Autonomous Sanctions List · Data as of 2" in said
    assert "the list states no date of birth that can be compared" in said


async def test_which_lists_were_looked_at_and_how_old_they_are_is_told(analyst: httpx2.AsyncClient) -> None:
    said = words_of(await analyst.get(f"{SANCTIONS}?query=Qwertz+Yuiop+Unheard-of"))
    assert "No hits for “Qwertz Yuiop Unheard-of”" in said
    assert "No matches on the 10 lists below" in said
    assert "un-sanctions-consolidated" in said
    assert "20 Nov 2026, 14:33" in said


async def test_a_name_that_cannot_be_screened_is_not_reported_as_clear(analyst: httpx2.AsyncClient) -> None:
    said = words_of(await analyst.get(f"{SANCTIONS}?query=Inc."))
    assert "“Inc.” wasn’t screened" in said
    assert "The name wasn’t screened. No result isn’t a clear result." in said
    assert "No hits" not in said
    assert "No matches" not in said
    result = words_of(await analyst.get(await search_for(analyst, "Inc.", ["sanctions_screening"])))
    assert "The name wasn’t screened. No result isn’t a clear result." in result
    assert "No matches on sanctions lists." not in result


async def test_a_look_alike_letter_is_a_warning_beside_the_hit(analyst: httpx2.AsyncClient) -> None:
    said = words_of(await analyst.get(f"{SANCTIONS}?query=Sandbo%D1%85+Sanctioned+Trading+Ltd."))
    assert "1 hit for “Sandboх Sanctioned Trading Ltd.”" in said
    assert "Letters of several scripts are mixed in “Sandboх”." in said


async def test_a_list_that_could_not_be_screened_is_told_first(sqlite_template: Path, tmp_path: Path) -> None:
    async with (
        runtime_over(sqlite_template, tmp_path, tmp_path) as nothing_loaded,
        await signed_in_client(nothing_loaded, Role.ANALYST) as client,
    ):
        said = words_of(await client.get(ASKED))
    assert "No lists could be screened. No result isn’t a clear result." in said
    assert "Swiss sanctions: " in said
    assert "No matches on" not in said


async def test_the_address_says_what_was_asked(analyst: httpx2.AsyncClient) -> None:
    answer = await analyst.get(f"{ASKED}&countries=by+ru&entityType=organization&sources=un-sanctions-consolidated")
    assert answer.status_code == 200
    assert 'value="BY RU"' in answer.text
    assert '<option value="organization" selected>' in answer.text
    assert "No match" in words_of(answer)


@pytest.mark.parametrize(
    ("asked", "problem"),
    [
        ("countries=Narnia", "must be two-letter country codes"),
        ("countries=XX", "must be two-letter country codes"),
        ("dateOfBirth=soon", "must be a date"),
        ("threshold=0.1", "must be at least 0.7"),
        ("sources=narnia", "“narnia” is not an official list"),
    ],
)
async def test_what_can_not_be_asked_is_told_at_its_field(analyst: httpx2.AsyncClient, asked: str, problem: str) -> None:
    answer = await analyst.get(f"{ASKED}&{asked}")
    assert (answer.status_code, problem in words_of(answer)) == (422, True)


async def test_it_is_there_in_french(analyst: httpx2.AsyncClient) -> None:
    said = words_of(await analyst.get(f"{ASKED}&threshold=0.5", headers=FRENCH))
    assert "Nom d’une entreprise, d’une personne" in said
    assert "doit être au moins 0.7" in said


async def test_a_viewer_screens_nobody_and_reads_the_decisions(analyst: httpx2.AsyncClient, viewer: httpx2.AsyncClient) -> None:
    decision = await dismissed(analyst)
    assert (await viewer.get(ASKED)).status_code == 403
    assert "Your role is read-only." in words_of(await viewer.get(SANCTIONS))
    shown = await viewer.get(decision)
    assert shown.status_code == 200
    assert "Revoke" not in words_of(shown)


# ----------------------------------------------------------------------------------------------------------- dismissing


async def test_a_dismissed_hit_stays_visible_with_its_reason(analyst: httpx2.AsyncClient, organization: str) -> None:
    await dismissed(analyst, reason="<b>Another</b> company.", until="2027-03-01")
    said = words_of(await analyst.get(ASKED))
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
    answer = await send(analyst, await way_to_dismiss(analyst), **form)
    assert (answer.status_code, problem in words_of(answer)) == (422, True)
    assert "No dismissed hits" in words_of(await analyst.get(DISMISSALS))


async def test_a_decision_is_taken_back_and_stays_in_the_trail(analyst: httpx2.AsyncClient, organization: str) -> None:
    decision = await dismissed(analyst)
    answer = await send(analyst, decision, f"{decision}/revoke", reason="It was them.")
    assert (answer.status_code, answer.headers["Location"]) == (303, decision)
    said = words_of(await analyst.get(decision))
    assert f"Revoked analyst@{organization}.example" in said
    assert "It was them." in said
    assert "Dismissed before" not in words_of(await analyst.get(ASKED))
    assert "Revoked" in words_of(await analyst.get(f"{DISMISSALS}?active=no"))
    assert "No dismissed hits" in words_of(await analyst.get(f"{DISMISSALS}?active=yes"))


async def test_a_hit_of_a_search_is_dismissed_from_its_result(analyst: httpx2.AsyncClient) -> None:
    result = await search_for(analyst, LISTED, ["sanctions_screening"])
    address = f"{SANCTIONS}/dismiss?search={result.rsplit('/', 1)[1]}&match=0"
    answer = await send(analyst, address, reason="Somebody else.")
    assert (answer.status_code, answer.headers["Location"]) == (303, result)
    assert "Somebody else." in words_of(await analyst.get(ASKED))


@pytest.mark.parametrize(
    "hit",
    ["query=Qwertz&list=x&party=y", "search=x&match=0", "search=00000000-0000-4000-8000-000000000000&match=0", "", "query=&list="],
)
async def test_a_hit_that_there_is_not_is_a_page_that_does_not_exist(analyst: httpx2.AsyncClient, hit: str) -> None:
    assert (await analyst.get(f"{SANCTIONS}/dismiss?{hit}")).status_code == 404


async def test_another_organization_sees_nothing_of_it(runtime: Runtime, analyst: httpx2.AsyncClient) -> None:
    decision = await dismissed(analyst)
    async with await signed_in_client(runtime, Role.OWNER, f"s{uuid4().hex}") as south:
        assert (await south.get(decision)).status_code == 404
        assert (await send(south, DISMISSALS.removesuffix("/dismissals"), f"{decision}/revoke")).status_code == 404
        assert "No dismissed hits" in words_of(await south.get(DISMISSALS))
        assert "Dismissed before" not in words_of(await south.get(ASKED))


async def test_a_viewer_decides_nothing(analyst: httpx2.AsyncClient, viewer: httpx2.AsyncClient) -> None:
    decision, way = await dismissed(analyst), f"{SANCTIONS}/dismiss?query=x&list=y&party=z"
    assert (await viewer.get(way)).status_code == 403
    assert (await send(viewer, "/console/profile", way, reason="x")).status_code == 403
    assert (await send(viewer, "/console/profile", f"{decision}/revoke")).status_code == 403
