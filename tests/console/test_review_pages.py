"""Review: one search at a time, why it waits, a decision with a button, and the decision taken back."""

import re
from collections.abc import AsyncIterator
from uuid import uuid4

import httpx2
import pytest

from bonafide.console.review.review_view import (
    RegisterCoverage,
    ReviewCause,
    ReviewReason,
    build_candidates,
    build_review_reason,
    count_searched_registers,
)
from bonafide.i18n.message import Message
from bonafide.model.accounts.account_settings import MatchSelectionSettings
from bonafide.model.accounts.users import Role
from bonafide.model.search.result import SearchResult, SelectionStatus
from bonafide.services.search.execution import open_search
from bonafide.services.search.selection_audit import read_choices
from bonafide.web.assets import get_asset_url
from tests.support.console.organization_work import FRENCH, OUTAGE, TWIN, Desk, elsewhere
from tests.support.console.searches import marked_in, words_of
from tests.support.console.sessions import csrf_of, send

pytestmark = pytest.mark.anyio
REVIEW = "/console/review"
NOBODY = "Zyzzyva Qwertz Unheard-of Ltd."
_KEYS = re.compile(r'data-key="([^"]+)"')
SETTINGS = MatchSelectionSettings(enabled=True)


@pytest.fixture
async def analyst(desk: Desk) -> AsyncIterator[httpx2.AsyncClient]:
    async with desk.someone(Role.ANALYST) as client:
        yield client


def of(queue: str, at: object = None, done: object = None) -> str:
    """The address of a queue."""
    said = "".join(f"&{name}={value}" for name, value in (("at", at), ("done", done)) if value is not None)
    return f"{REVIEW}?queue={queue}{said}"


async def now(desk: Desk, result: SearchResult) -> tuple[SelectionStatus | None, str | None, bool]:
    """What stands in the stored document, who has decided that, and whether it was put away."""
    opened = await open_search(desk.runtime, (await desk.principal()).organization_id, result.meta.search_id)
    selection = opened.result.match_selection
    return selection.status if selection is not None else None, opened.decided_by, opened.archived


# ------------------------------------------------------------------------------------------------------------- one by one


async def test_nothing_waits_where_nothing_was_searched(analyst: httpx2.AsyncClient) -> None:
    for queue in ("needs_review", "no_match_found", "incomplete"):
        assert "All caught up" in words_of(await analyst.get(of(queue)))


async def test_the_oldest_is_shown_with_its_candidates_and_the_reason(desk: Desk, analyst: httpx2.AsyncClient) -> None:
    await desk.searched(TWIN)
    await desk.searched("Something else of two names", jurisdictions=["ON"])
    await desk.searched("Sandbox Twin Holding")
    page = await analyst.get(REVIEW)
    said = words_of(page)
    assert "1 of 2" in said
    assert "Why it needs review" in said
    assert said.count("Select this match") == 2
    assert "Ontario · Business Corporation" in said
    assert {"Harold Twinning", "Priscilla Doublet"} <= set(re.findall(r"[A-Z][a-z]+ (?:Twinning|Doublet)", said))
    assert "Alberta · Named Alberta Corporation" in said
    assert set("12nxjo?") <= set(_KEYS.findall(page.text))


async def test_what_differs_between_the_candidates_is_marked(desk: Desk, analyst: httpx2.AsyncClient) -> None:
    result = await desk.searched(TWIN)
    one, other = build_candidates(result)
    assert one.differing == other.differing == {"jurisdiction", "entity_type", "incorporated", "address", "people"}
    page = await analyst.get(REVIEW)
    assert page.text.count('class="differs">Ontario<') == 1
    assert "<span>Yes</span>" in page.text
    assert "Marked values differ between the results." in words_of(page)


async def test_a_decision_may_have_a_note(desk: Desk, analyst: httpx2.AsyncClient) -> None:
    result = await desk.searched(TWIN)
    search_id = result.meta.search_id
    await send(analyst, REVIEW, f"{REVIEW}/{search_id}", queue="needs_review", choice="no_selection", note="A duplicate.")
    (made,) = await read_choices(desk.runtime, (await desk.principal()).organization_id, search_id)
    assert (made.status, made.note) == (SelectionStatus.NO_SELECTION, "A duplicate.")


async def test_what_differs_in_a_name_is_marked_within_it(desk: Desk, analyst: httpx2.AsyncClient) -> None:
    await desk.searched("Sandbox Twyn Holdings Inc.")
    assert marked_in(await analyst.get(REVIEW), "ins") == ["i", "i"]


async def test_a_match_is_chosen_with_its_button_and_the_next_is_shown(desk: Desk, analyst: httpx2.AsyncClient) -> None:
    first, second = await desk.searched(TWIN), await desk.searched(TWIN)
    match = (first.businesses or ())[1]
    answer = await send(
        analyst,
        REVIEW,
        f"{REVIEW}/{first.meta.search_id}",
        queue="needs_review",
        choice=match.match_id,
        next=second.meta.search_id,
    )
    assert answer.headers["Location"] == of("needs_review", second.meta.search_id, first.meta.search_id)
    assert await now(desk, first) == (SelectionStatus.SELECTED, f"analyst@{desk.organization}.example", False)
    page = words_of(await analyst.get(answer.headers["Location"]))
    assert "Selected by a reviewer" in page
    assert "1 of 1" in page


@pytest.mark.parametrize("choice", ["no_match_found", "no_selection"])
async def test_none_is_chosen_and_that_is_taken_back(desk: Desk, analyst: httpx2.AsyncClient, choice: str) -> None:
    one = await desk.searched(TWIN)
    address = f"{REVIEW}/{one.meta.search_id}"
    await send(analyst, REVIEW, address, queue="needs_review", choice=choice)
    assert await now(desk, one) == (SelectionStatus(choice), f"analyst@{desk.organization}.example", False)
    done = of("needs_review", done=one.meta.search_id)
    assert "All caught up" in words_of(await analyst.get(done))
    answer = await send(analyst, done, f"{address}/undo", queue="needs_review")
    assert answer.headers["Location"] == of("needs_review", one.meta.search_id)
    assert await now(desk, one) == (SelectionStatus.NEEDS_REVIEW, None, False)
    assert "1 of 1" in words_of(await analyst.get(answer.headers["Location"]))


async def test_what_failed_is_seen_archived_and_taken_out_again(desk: Desk, analyst: httpx2.AsyncClient) -> None:
    one = await desk.searched(OUTAGE, matchSelection=False)
    page = words_of(await analyst.get(of("incomplete")))
    assert "Some of the requested checks couldn’t be completed." in page
    assert "is out of service for this name" in page
    assert "Search again" in page
    address = f"{REVIEW}/{one.meta.search_id}"
    await send(analyst, of("incomplete"), address, queue="incomplete", choice="archive")
    assert (await now(desk, one))[2]
    await send(analyst, of("incomplete", done=one.meta.search_id), f"{address}/undo", queue="incomplete")
    assert not (await now(desk, one))[2]


async def test_nobody_could_look_is_not_nothing_found(desk: Desk, analyst: httpx2.AsyncClient) -> None:
    await desk.searched(OUTAGE)
    page = words_of(await analyst.get(of("needs_review")))
    assert "No registers could be checked." in page
    assert Message("No register was searched.") in page
    await desk.searched(NOBODY, jurisdictions=["ON"])
    page = words_of(await analyst.get(of("no_match_found")))
    assert "The registers checked have no similar entry." in page


# ---------------------------------------------------------------------------------------------------------------- access


async def test_a_choice_that_no_button_sends_changes_nothing(desk: Desk, analyst: httpx2.AsyncClient) -> None:
    one = await desk.searched(TWIN)
    address = f"{REVIEW}/{one.meta.search_id}"
    assert (await send(analyst, REVIEW, address, queue="needs_review")).status_code == 400
    assert (await send(analyst, REVIEW, address, queue="nowhere", choice="no_selection")).status_code == 400
    assert (await send(analyst, REVIEW, address, queue="needs_review", choice=uuid4())).status_code == 400
    assert await now(desk, one) == (SelectionStatus.NEEDS_REVIEW, None, False)


async def test_a_viewer_sees_the_case_and_has_no_say(desk: Desk) -> None:
    one = await desk.searched(TWIN)
    async with desk.someone(Role.VIEWER) as viewer:
        page = await viewer.get(REVIEW)
        assert TWIN in words_of(page)
        assert "Select this match" not in page.text
        assert not set("12nxu") & set(_KEYS.findall(page.text))
        form = {"csrf": csrf_of(page), "queue": "needs_review", "choice": "no_selection"}
        for address in (f"{REVIEW}/{one.meta.search_id}", f"{REVIEW}/{one.meta.search_id}/undo"):
            assert (await viewer.post(address, data=form)).status_code == 403
    assert await now(desk, one) == (SelectionStatus.NEEDS_REVIEW, None, False)


async def test_anothers_search_is_neither_shown_nor_decided(desk: Desk, analyst: httpx2.AsyncClient) -> None:
    other = elsewhere(desk)
    foreign = await other.searched(TWIN)
    await desk.searched(TWIN)
    address = f"{REVIEW}/{foreign.meta.search_id}"
    assert (await analyst.get(of("needs_review", foreign.meta.search_id))).status_code == 404
    assert (await send(analyst, REVIEW, address, queue="needs_review", choice="no_selection")).status_code == 404
    assert (await send(analyst, REVIEW, address, queue="incomplete", choice="archive")).status_code == 404
    assert (await send(analyst, REVIEW, f"{address}/undo", queue="needs_review")).status_code == 404
    assert "Chosen" not in words_of(await analyst.get(of("needs_review", done=foreign.meta.search_id)))
    assert await now(other, foreign) == (SelectionStatus.NEEDS_REVIEW, None, False)


async def test_keys_are_there_only_for_whoever_wants_them(desk: Desk, analyst: httpx2.AsyncClient) -> None:
    await desk.searched(TWIN)
    assert get_asset_url("review.js") in (await analyst.get(REVIEW)).text
    await send(analyst, "/console/profile", name="Ann", language="")
    page = await analyst.get(REVIEW)
    assert get_asset_url("review.js") not in page.text
    assert _KEYS.findall(page.text) == []
    assert 'class="key"' not in page.text
    assert "Select this match" in page.text


async def test_the_case_is_told_in_french(desk: Desk, analyst: httpx2.AsyncClient) -> None:
    await desk.searched(TWIN)
    page = words_of(await analyst.get(REVIEW, headers=FRENCH))
    assert "Pourquoi l’examiner Le meilleur résultat obtient un score de 1,00 et le deuxième, de 1,00." in page
    assert "Sélectionner cette correspondance" in page


# --------------------------------------------------------------------------------------------------------------- reasons


def decided(result: SearchResult, status: SelectionStatus) -> SearchResult:
    """The result as if it had come to this."""
    assert result.match_selection is not None
    selection = result.match_selection.model_copy(update={"status": status, "selected_match_id": None})
    return result.model_copy(update={"match_selection": selection})


async def test_reasons_are_told_apart(desk: Desk) -> None:
    twin = await desk.searched(TWIN)
    best = (twin.businesses or ())[0].match.score
    assert build_review_reason(twin, SETTINGS) == ReviewReason(ReviewCause.RIVAL, best, best)
    alone = twin.model_copy(update={"businesses": (twin.businesses or ())[:1]})
    assert build_review_reason(alone, SETTINGS) == ReviewReason(ReviewCause.OTHERWISE_TODAY, best)
    assert build_review_reason(await desk.searched(NOBODY), SETTINGS) == ReviewReason(ReviewCause.NOTHING_FOUND)
    assert build_review_reason(twin.model_copy(update={"match_selection": None}), SETTINGS) is None


async def test_a_score_too_low_is_a_reason_by_itself(desk: Desk) -> None:
    like = await desk.searched("Sandbox Twin Holding", limit=1)
    best = (like.businesses or ())[0].match.score
    assert 0.7 < best < 1
    strict = SETTINGS.model_copy(update={"auto_select_threshold": 1.0})
    assert build_review_reason(decided(like, SelectionStatus.NEEDS_REVIEW), strict) == ReviewReason(ReviewCause.LOW, best)
    stricter = strict.model_copy(update={"review_threshold": 1.0})
    assert build_review_reason(decided(like, SelectionStatus.NO_MATCH_FOUND), stricter) == ReviewReason(ReviewCause.ALL_LOW, best)


async def test_registers_that_nobody_could_look_at_are_counted(desk: Desk) -> None:
    outage = count_searched_registers(await desk.searched(OUTAGE))
    assert outage == RegisterCoverage(0, outage.requested)
    # Beside Ontario's register stands the one of all Canada, which no program may ask.
    assert count_searched_registers(await desk.searched(TWIN, jurisdictions=["ON"])) == RegisterCoverage(1, 2)
