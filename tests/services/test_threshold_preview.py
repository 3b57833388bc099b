"""What other thresholds would make of past searches: as new searches would come out, told without looking anything up."""

from typing import Any
from uuid import uuid4

import pytest

from bonafide.model.accounts.account_settings import AccountSettings
from bonafide.model.accounts.organizations import Principal
from bonafide.model.search.result import SelectionStatus
from bonafide.runtime import Runtime
from bonafide.services.search.threshold_simulation import (
    MAX_EXAMPLES,
    CountShift,
    ScoreThresholds,
    StoredSearchScores,
    ThresholdSimulation,
    compare_thresholds,
    read_stored_scores,
    simulate_thresholds,
)
from tests.support.services.runtimes import search

AUTO, REVIEW, NONE = SelectionStatus.AUTO_SELECTED, SelectionStatus.NEEDS_REVIEW, SelectionStatus.NO_MATCH_FOUND
TODAY = ScoreThresholds.of(AccountSettings())


def thresholds(**changes: Any) -> ScoreThresholds:
    selection = {name: changes.pop(name) for name in list(changes) if name not in {"regulatory", "sanctions"}}
    settings = AccountSettings.model_validate({"matchSelection": selection})
    return ScoreThresholds(settings.match_selection, changes.get("regulatory", 0.85), changes.get("sanctions", 0.85))


def match(score: float) -> dict[str, Any]:
    return {"matchId": uuid4(), "source": "on", "match": {"score": score}}


def past(
    *scores: float,
    entries: tuple[float, ...] = (),
    hits: tuple[float, ...] | None = None,
    stored_from: float = 0.85,
    failed: bool = False,
) -> StoredSearchScores:
    params = {"regulatoryRegistry": True, "regulatoryRegistryThreshold": stored_from, "sanctionsThreshold": stored_from}
    return StoredSearchScores.model_validate({
        "meta": {
            "searchId": uuid4(),
            "searchedAt": "2026-11-20T14:33:00Z",
            "submitted": {"name": "Bakery", "params": params},
            "coverage": [{"source": "on", "kind": "registry", "jurisdiction": "ON", "status": "failed" if failed else "searched"}],
        },
        "businesses": [match(score) for score in scores],
        "regulatory": {"fintracMsb": [{"match": {"score": score}} for score in entries]},
        "sanctions": {"matches": [{"match": {"score": score}} for score in hits]} if hits is not None else None,
    })  # fmt: skip


def seen(searches: list[StoredSearchScores], **changes: Any) -> ThresholdSimulation:
    return compare_thresholds(searches, TODAY, thresholds(**changes))


def test_the_same_thresholds_change_nothing() -> None:
    found = seen([past(0.97), past(0.8), past(), past(0.97, 0.96, entries=(0.9,), hits=(0.88,))])
    assert (found.searches, found.changed, found.examples) == (4, 0, ())
    assert found.selections == {AUTO: CountShift(1, 0, 0), REVIEW: CountShift(2, 0, 0), NONE: CountShift(1, 0, 0)}
    assert (found.entries, found.hits) == (CountShift(1, 0, 0), CountShift(1, 0, 0))


def test_no_match_is_not_simulated_where_a_register_was_not_searched() -> None:
    assert seen([past(failed=True)]).selections[REVIEW] == CountShift(1, 0, 0)


def test_stricter_choice_by_rule_leaves_more_to_people() -> None:
    found = seen([past(0.99), past(0.96), past(0.8)], autoSelectThreshold=0.98)
    assert found.changed == 1
    assert found.selections[AUTO] == CountShift(1, 1, 0)
    assert found.selections[REVIEW] == CountShift(1, 0, 1)
    assert (found.selections[REVIEW].before, found.selections[REVIEW].after) == (1, 2)


def test_a_smaller_lead_and_a_higher_look_count_too() -> None:
    rivals = past(0.97, 0.95)
    assert seen([rivals], autoSelectMargin=0.01).selections[AUTO] == CountShift(0, 0, 1)
    assert seen([past(0.75)], reviewThreshold=0.8).selections[NONE] == CountShift(0, 0, 1)


def test_entries_and_hits_are_lost_above_a_threshold_and_gained_below_it() -> None:
    searches = [past(entries=(0.99, 0.9, 0.8), hits=(0.95, 0.86, 0.75), stored_from=0.7)]
    found = seen(searches, regulatory=0.95, sanctions=0.7)
    assert (found.entries, found.hits) == (CountShift(1, 1, 0), CountShift(2, 0, 1))
    assert (found.blind_entries, found.blind_hits) == (0, 0)


def test_searches_that_did_not_store_so_low_are_counted_as_blind() -> None:
    found = seen([past(hits=()), past(hits=(), stored_from=0.7), past()], regulatory=0.7, sanctions=0.7)
    assert (found.blind_entries, found.blind_hits) == (2, 1)


def test_examples_are_few_and_those_of_selection_come_first() -> None:
    searches = [past(0.99, entries=(0.86,)) for _ in range(MAX_EXAMPLES + 2)] + [past(0.96)]
    found = seen(searches, regulatory=0.9, autoSelectThreshold=0.98)
    assert found.changed == len(searches)
    assert len(found.examples) == MAX_EXAMPLES
    assert (found.examples[0].search_id, found.examples[0].best) == (searches[-1].meta.search_id, 0.96)
    assert (found.examples[0].before.selection, found.examples[0].after.selection) == (AUTO, REVIEW)


@pytest.mark.anyio
async def test_what_is_foreseen_of_a_search_is_what_it_would_have_been(runtime: Runtime, north: Principal) -> None:
    for name in ("Sandbox Bakery Inc.", "Sandbox Bakry Inc", "Sandbox Twin Holdings Inc.", "Sandbox Money Services"):
        result = await search(runtime, north, name=name, sanctionsScreening=True, matchSelection=True)
        assert result.match_selection is not None
        stored = {item.meta.search_id: item for item in await read_stored_scores(runtime, north.organization_id)}
        found = compare_thresholds([stored[result.meta.search_id]], TODAY, TODAY)
        assert found.selections[result.match_selection.status] == CountShift(1, 0, 0)
        assert found.entries.kept == sum(len(hits) for hits in (result.regulatory or {}).values()) + sum(
            len(hits) for hits in (result.listings or {}).values()
        )
    stricter = AccountSettings.model_validate({"matchSelection": {"autoSelectThreshold": 1.0}})
    assert (await simulate_thresholds(runtime, north.organization_id, stricter)).searches == 4


@pytest.mark.anyio
async def test_nothing_of_another_organizations_searches_is_counted(runtime: Runtime, north: Principal, south: Principal) -> None:
    await search(runtime, north, name="Sandbox Bakery Inc.")
    assert (await simulate_thresholds(runtime, south.organization_id, AccountSettings())).searches == 0
