"""Stored screenings: what they keep, and how a repeated one differs from the one before."""

import pytest

from bonafide.model.accounts.organizations import Principal
from bonafide.model.screening.history import ScreeningChanges, ScreeningOutcome
from bonafide.model.screening.requests import ScreeningAnswer
from bonafide.runtime import Runtime
from bonafide.services.screening import history
from bonafide.services.screening.comparison import compare_screenings
from bonafide.store.records.screenings import ScreeningFilter
from tests.support.services.runtimes import principal_of
from tests.support.services.sanctions_lists import NAME, SEMA, UN, dismissed, load, load_lists, party, screened

pytestmark = pytest.mark.anyio


@pytest.fixture
async def principal(empty_runtime: Runtime) -> Principal:
    return await principal_of(empty_runtime, "north")


async def repeated(runtime: Runtime, principal: Principal, previous: ScreeningAnswer) -> ScreeningChanges:
    changes = (await history.repeat_screening(runtime, principal, previous.meta.screening_id)).changes
    assert changes is not None
    return changes


async def outcome(runtime: Runtime, principal: Principal, query: str) -> ScreeningOutcome:
    """That of a new screening, as the list has it."""
    answer = await screened(runtime, principal, query)
    page = await history.list_screenings(runtime, principal.organization_id, ScreeningFilter(), 100)
    (item,) = [item for item in page.screenings if item.id == answer.meta.screening_id]
    return item.outcome


async def test_each_list_has_its_load(empty_runtime: Runtime, principal: Principal) -> None:
    load(empty_runtime, SEMA, party())
    before = await screened(empty_runtime, principal)
    assert (await screened(empty_runtime, principal)).lists == before.lists
    load(empty_runtime, SEMA, party(), party("Another Party", "2"))
    after = await screened(empty_runtime, principal)
    (old,), (new,) = before.lists, after.lists
    assert old.generation is not None
    assert old.generation != new.generation


async def test_the_outcome_is_clear_only_if_everything_was_screened(empty_runtime: Runtime, principal: Principal) -> None:
    assert await outcome(empty_runtime, principal, "Nobody At All") is ScreeningOutcome.INCOMPLETE
    load_lists(empty_runtime, {SEMA: [party()]})
    assert await outcome(empty_runtime, principal, "Nobody At All") is ScreeningOutcome.CLEAR
    assert await outcome(empty_runtime, principal, NAME) is ScreeningOutcome.HITS
    assert await outcome(empty_runtime, principal, "Inc.") is ScreeningOutcome.INCOMPLETE
    await dismissed(empty_runtime, principal)
    assert await outcome(empty_runtime, principal, NAME) is ScreeningOutcome.CLEAR


async def test_a_repeated_screening_names_new_changed_and_gone_hits(empty_runtime: Runtime, principal: Principal) -> None:
    load_lists(empty_runtime, {SEMA: [party(entry_id="1"), party(entry_id="2"), party(entry_id="3")]})
    first = await screened(empty_runtime, principal)
    unchanged = await repeated(empty_runtime, principal, first)
    assert (unchanged.new, unchanged.gone, unchanged.changed) == ((), (), ())
    load(empty_runtime, SEMA, party(entry_id="1"), party(entry_id="2", remarks="Amended."), party(entry_id="4"))
    changes = await repeated(empty_runtime, principal, first)
    assert [hit.entry_id for hit in changes.new] == ["4"]
    assert [hit.entry_id for hit in changes.gone] == ["3"]
    assert [hit.entry_id for hit in changes.changed] == ["2"]
    assert changes.new[0].previous_score is None
    assert changes.gone[0].score is None
    assert {hit.subject for hit in (*changes.new, *changes.gone, *changes.changed)} == {NAME}


async def test_a_list_that_only_one_of_them_screened_says_nothing_about_its_hits(
    empty_runtime: Runtime, principal: Principal
) -> None:
    load(empty_runtime, SEMA, party())
    first = await screened(empty_runtime, principal)
    load(empty_runtime, UN, party())
    changes = await repeated(empty_runtime, principal, first)
    assert (changes.new, changes.lists_not_compared) == ((), (UN,))


async def test_hits_beyond_the_stored_ones_are_not_compared(empty_runtime: Runtime, principal: Principal) -> None:
    load(empty_runtime, SEMA, party())
    answer = await screened(empty_runtime, principal)
    many = answer.model_copy(update={"screening": answer.screening.model_copy(update={"total_matches": 101})})
    changes = compare_screenings(many, answer)
    assert (changes.new, changes.gone, changes.subjects_not_compared) == ((), (), (NAME,))


async def test_a_dismissal_is_shown_in_an_earlier_screening_and_not_stored_in_it(
    empty_runtime: Runtime, principal: Principal
) -> None:
    load(empty_runtime, SEMA, party())
    first = await screened(empty_runtime, principal)
    await dismissed(empty_runtime, principal)
    shown = await history.open_screening(empty_runtime, principal.organization_id, first.meta.screening_id)
    assert shown.screening.open_hits == 0
    stored = await history.read_screening(empty_runtime, principal.organization_id, first.meta.screening_id)
    assert stored.parse(ScreeningAnswer) == first
