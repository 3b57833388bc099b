"""Ratings of results and business records, the events of a change of band, and replays on past results."""

from typing import Any

import pytest

from bonafide.model.accounts.organizations import Principal
from bonafide.model.events.event import AlertStatus, Event, EventAlert, EventSeverity, EventType
from bonafide.model.records.business_record import Author, BusinessRecord
from bonafide.model.risk.facts import StoredFacts
from bonafide.model.risk.rating import RiskAssessment
from bonafide.model.risk.rules import RiskRulesInput
from bonafide.model.search.result import SearchResult, SelectionStatus
from bonafide.model.search.selection import MatchChoice
from bonafide.runtime import Runtime
from bonafide.services.cases.causes import list_effects
from bonafide.services.records.audit_check import verify_audit_log
from bonafide.services.records.business_records import find_record
from bonafide.services.risk.replay import replay_rules
from bonafide.services.risk.rule_versions import activate, save_draft
from bonafide.services.search.execution import read_search
from bonafide.services.search.history import choose_match
from bonafide.store.risk import risk_facts
from tests.support.services.business_records import sent
from tests.support.services.events import list_events
from tests.support.services.runtimes import search
from tests.support.services.sanctions_lists import screened
from tests.support.services.verifications import BAKERY, ordered, worked

pytestmark = pytest.mark.anyio
ANN = Author("ann@north.example")
BANDS = [{"name": "low", "from": 0}, {"name": "medium", "from": 20}, {"name": "high", "from": 60}]


def rule(name: str, when: str, points: int, unknown: int | None = None) -> dict[str, Any]:
    return {"id": name, "title": name, "when": when, "points": points, "unknownPoints": unknown, "reason": name}


async def activated(runtime: Runtime, north: Principal, *rules: dict[str, Any]) -> int:
    draft = await save_draft(runtime, north.organization_id, RiskRulesInput.model_validate({"rules": rules, "bands": BANDS}), ANN)
    return (await activate(runtime, north.organization_id, draft.version, ANN)).version


def rating(result: SearchResult | BusinessRecord) -> RiskAssessment:
    assert result.risk is not None
    return result.risk


async def current(runtime: Runtime, north: Principal, record: BusinessRecord) -> BusinessRecord:
    return await find_record(runtime, north.organization_id, business_id=record.id)


async def band_events(runtime: Runtime, north: Principal) -> list[Event]:
    return [event for event in await list_events(runtime, north.organization_id) if event.type is EventType.RISK_BAND_CHANGED]


async def bakery(runtime: Runtime, north: Principal, **fields: Any) -> BusinessRecord:
    known = {"externalId": "crm-1", "name": "Sandbox Bakery Inc.", "jurisdiction": "ON", "registrationNumber": "1000017"}
    return await sent(runtime, north.organization_id, **{**known, **fields})


async def test_without_active_rules_nothing_is_rated(runtime: Runtime, north: Principal) -> None:
    record = await bakery(runtime, north)
    result = await search(runtime, north, business_id=record.id)
    assert (result.risk, (await current(runtime, north, record)).risk) == (None, None)
    assert '"risk"' not in result.to_json()
    async with runtime.store.read() as connection:
        assert await risk_facts.get_document(connection, north.organization_id, record.id) is None


async def test_a_result_is_stored_with_the_points_and_their_facts(runtime: Runtime, north: Principal) -> None:
    version = await activated(runtime, north, rule("active", "registry.active", 25), rule("hits", "sanctions.openHits > 0", 50, 5))
    result = await search(runtime, north, name="Sandbox Bakery Inc.", sanctions_screening=False)
    found = rating(result)
    assert (found.band, found.points, found.version, found.is_complete) == ("medium", 30, version, False)
    (contribution,), (unknown,) = found.contributions, found.unknown
    assert [(fact.path, fact.value, fact.source) for fact in contribution.facts] == [("registry.active", True, "on")]
    assert (unknown.rule_id, unknown.missing) == ("hits", ("sanctions.openHits",))
    stored = (await read_search(runtime, north.organization_id, result.meta.search_id)).parse(SearchResult)
    assert stored.risk == found


async def test_a_match_that_needs_a_review_is_not_the_business_until_it_is_selected(runtime: Runtime, north: Principal) -> None:
    await activated(runtime, north, rule("inactive", "!registry.active", 25))
    result = await search(runtime, north, name="Sandbox Twin Holdings Inc.", match_selection=True)
    assert result.match_selection is not None
    assert result.match_selection.status is SelectionStatus.NEEDS_REVIEW
    assert rating(result).unknown[0].missing == ("registry.active",)
    assert result.businesses is not None
    chosen = str(result.businesses[0].match_id)
    await choose_match(runtime, north.organization_id, result.meta.search_id, MatchChoice(match_id=chosen), ANN)
    selected = (await read_search(runtime, north.organization_id, result.meta.search_id)).parse(SearchResult)
    assert rating(selected).is_complete


async def test_a_record_is_rated_by_all_of_its_checks(runtime: Runtime, north: Principal) -> None:
    await activated(
        runtime,
        north,
        rule("active", "registry.active", 1),
        rule("verified", 'verification.status == "discrepancies"', 2),
        rule("screened", "sanctions.openHits == 0", 4),
        rule("alone", "connections.sharedAddress == 0", 8),
    )
    record = await bakery(runtime, north, street="1 King St W", city="Toronto", province="ON")
    await search(runtime, north, business_id=record.id, sanctions_screening=False)
    found = rating(await current(runtime, north, record))
    assert {one.rule_id for one in found.contributions} == {"active", "alone"}
    await screened(runtime, north, "Sandbox Bakery Inc.", business_id=record.id)
    assert {one.rule_id for one in rating(await current(runtime, north, record)).contributions} == {"active", "alone", "screened"}
    await ordered(runtime, north, **BAKERY, businessId=str(record.id))
    await worked(runtime)
    found = rating(await current(runtime, north, record))
    assert {one.rule_id for one in found.contributions} == {"active", "alone", "screened", "verified"}
    assert (await verify_audit_log(runtime, north.organization_id)).is_whole


async def test_what_a_later_check_does_not_find_out_is_not_known_any_more(runtime: Runtime, north: Principal) -> None:
    await activated(runtime, north, rule("active", "registry.active", 1))
    record = await bakery(runtime, north)
    await search(runtime, north, business_id=record.id)
    assert rating(await current(runtime, north, record)).is_complete
    await search(runtime, north, business_id=record.id, business_registry=False)
    assert not rating(await current(runtime, north, record)).is_complete


async def test_a_change_of_band_is_an_event_and_the_same_band_is_none(runtime: Runtime, north: Principal) -> None:
    await activated(runtime, north, rule("active", "registry.active", 5))
    record = await bakery(runtime, north)
    for _ in range(2):
        await search(runtime, north, business_id=record.id)
    assert await band_events(runtime, north) == [], "the first rating is in the lowest band"
    await activated(runtime, north, rule("active", "registry.active", 70))
    await search(runtime, north, business_id=record.id)
    await search(runtime, north, business_id=record.id)
    await activated(runtime, north, rule("active", "registry.active", 20))
    await search(runtime, north, business_id=record.id)
    rise, fall = await band_events(runtime, north)
    assert (rise.severity, rise.data["previousBand"], rise.data["band"]) == (EventSeverity.HIGH, "low", "high")
    assert (rise.data["ruleIds"], rise.data["version"], rise.data["previousVersion"]) == (["active"], 2, 1)
    assert rise.business is not None
    assert rise.business.id == record.id
    assert (fall.severity, fall.data["band"]) == (EventSeverity.LOW, "medium")
    assert (rise.alert, fall.alert) == (EventAlert(status=AlertStatus.OPEN), None)
    assert list_effects(fall) == [], "it opens no case"


async def test_a_first_rating_above_the_lowest_band_is_an_event_without_an_alert(runtime: Runtime, north: Principal) -> None:
    await activated(runtime, north, rule("active", "registry.active", 70))
    record = await bakery(runtime, north)
    await search(runtime, north, business_id=record.id)
    (first,) = await band_events(runtime, north)
    assert (first.data["previousBand"], first.data["band"]) == (None, "high")
    assert (first.severity, first.alert) == (EventSeverity.INFO, None)
    assert list_effects(first) == [], "it opens no case"


async def test_a_replay_counts_bands_before_and_after_and_changes_nothing(runtime: Runtime, north: Principal) -> None:
    mine = north.organization_id
    await activated(runtime, north, rule("active", "registry.active", 5))
    results = [await search(runtime, north, name=name) for name in ("Sandbox Bakery Inc.", "Nobody Has This Name")]
    bands = [{"name": "low", "from": 0}, {"name": "severe", "from": 50}]
    sent_rules = RiskRulesInput.model_validate({"rules": [rule("active", "registry.active", 90, 0)], "bands": bands})
    draft = await save_draft(runtime, mine, sent_rules, ANN)
    replay = await replay_rules(runtime, mine, draft.version, None)
    assert (replay.version, replay.active_version, replay.results, replay.changed) == (draft.version, 1, 2, 1)
    counts = {band.name: (band.before, band.after) for band in replay.bands}
    assert counts == {"low": (2, 1), "severe": (0, 1), "medium": (0, 0), "high": (0, 0)}
    (example,) = replay.examples
    assert (example.search_id, example.after.band, example.after.points) == (results[0].meta.search_id, "severe", 90)
    assert example.before is not None
    assert (example.before.band, example.before.points) == ("low", 5)
    later = await replay_rules(runtime, mine, draft.version, results[-1].meta.searched_at.replace(year=2100))
    assert (later.results, later.examples) == (0, ())
    stored = (await read_search(runtime, mine, results[0].meta.search_id)).parse(SearchResult)
    assert rating(stored).band == "low"


async def test_a_replay_rates_a_result_as_the_search_did(runtime: Runtime, north: Principal) -> None:
    await activate(runtime, north.organization_id, 0, ANN)
    record = await bakery(runtime, north, naicsCode="459993")
    found = rating(await search(runtime, north, business_id=record.id))
    replay = await replay_rules(runtime, north.organization_id, 1, None)
    assert {band.name: band.after for band in replay.bands}[found.band] == replay.results == 1
    assert replay.changed == 0


async def test_facts_of_one_organization_are_not_those_of_another(runtime: Runtime, north: Principal, south: Principal) -> None:
    await activated(runtime, north, rule("active", "registry.active", 5))
    record = await bakery(runtime, north)
    await search(runtime, north, business_id=record.id)
    async with runtime.store.read() as connection:
        stored = await risk_facts.get_document(connection, north.organization_id, record.id)
        assert await risk_facts.get_document(connection, south.organization_id, record.id) is None
    assert stored is not None
    assert StoredFacts.model_validate_json(stored).by_path()["registry.active"].value is True
    assert (await search(runtime, south, name="Sandbox Bakery Inc.")).risk is None
