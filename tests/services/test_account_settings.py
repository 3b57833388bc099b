"""Account settings: what is sent is set and kept, what it changes about searches, and that it stands in the trail."""

from typing import Any
from uuid import UUID

import pytest
from pydantic import ValidationError

from bonafide.errors import ValidationFailed
from bonafide.model.accounts.account_settings import AccountSettings, SettingsChange
from bonafide.model.accounts.organizations import Principal
from bonafide.model.jurisdiction import Jurisdiction
from bonafide.model.search.result import SelectionStatus
from bonafide.runtime import Runtime
from bonafide.services.accounts.organizations import change_settings, read_settings, read_settings_audit_log
from tests.support.services.business_records import AUTHOR
from tests.support.services.runtimes import principal_of, search

pytestmark = pytest.mark.anyio
TWINS = "Sandbox Twin Holdings Inc."


@pytest.fixture
async def organization(empty_runtime: Runtime) -> UUID:
    return (await principal_of(empty_runtime, "north")).organization_id


async def put(runtime: Runtime, organization_id: UUID, **change: Any) -> AccountSettings:
    return await change_settings(runtime, organization_id, SettingsChange.model_validate(change), AUTHOR)


async def test_nothing_set_means_the_defaults_of_the_contract(empty_runtime: Runtime, organization: UUID) -> None:
    settings = await read_settings(empty_runtime, organization)
    assert (settings.search.business_registry, settings.search.sanctions_screening) == (True, False)
    assert (settings.search.regulatory_registry_threshold, settings.search.sanctions_threshold) == (0.85, 0.85)
    verification = settings.verification
    assert (verification.legal_name.threshold, verification.registration_number.threshold) == (0.95, 1.0)
    assert (verification.address.threshold, verification.people.threshold, verification.people.enabled) == (0.95, 0.95, True)
    selection = settings.match_selection
    assert (selection.auto_select_threshold, selection.auto_select_margin, selection.review_threshold) == (0.95, 0.05, 0.7)
    assert not selection.enabled


async def test_what_is_sent_is_set_and_the_rest_stays(empty_runtime: Runtime, organization: UUID) -> None:
    await put(empty_runtime, organization, search={"sanctionsScreening": True})
    await put(empty_runtime, organization, search={"sanctionsThreshold": 0.9}, verification={"people": {"enabled": False}})
    settings = await read_settings(empty_runtime, organization)
    assert (settings.search.sanctions_screening, settings.search.sanctions_threshold) == (True, 0.9)
    assert (settings.verification.people.enabled, settings.verification.people.threshold) == (False, 0.95)
    assert settings.match_selection == AccountSettings().match_selection


async def test_each_organization_has_its_own(empty_runtime: Runtime, organization: UUID) -> None:
    await put(empty_runtime, organization, search={"sanctionsScreening": True})
    south = (await principal_of(empty_runtime, "south")).organization_id
    assert await read_settings(empty_runtime, south) == AccountSettings()
    assert (await read_settings_audit_log(empty_runtime, south, 10, 0)).entries == ()


async def test_changes_are_in_the_trail(empty_runtime: Runtime, organization: UUID) -> None:
    await put(empty_runtime, organization, search={"sanctionsScreening": True}, verification={"people": {"threshold": 0.9}})
    await put(empty_runtime, organization, search={"sanctionsScreening": True})
    page = await read_settings_audit_log(empty_runtime, organization, 10, 0)
    assert [(entry.field, entry.old, entry.new) for entry in page.entries] == [
        ("search.sanctionsScreening", False, True),
        ("verification.people.threshold", 0.95, 0.9),
    ]
    assert {(entry.actor, entry.request_id) for entry in page.entries} == {(AUTHOR.actor, AUTHOR.request_id)}


@pytest.mark.parametrize(
    "change",
    [
        {"search": {"sanctionsThreshold": 0.69}},
        {"search": {"sanctionScreening": True}},
        {"verification": {"legalName": {"enabled": False}}},
        {"verification": {"people": {"threshold": 1.01}}},
        {"matchSelection": {"reviewThreshold": 0.4}},
        {"matchSelection": {"autoSelectMargin": -0.1}},
        {"search": None},
        {"searches": {}},
    ],
    ids=str,
)
def test_what_is_no_setting_is_refused(change: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        SettingsChange.model_validate(change)


async def test_thresholds_that_contradict_each_other_are_refused(empty_runtime: Runtime, organization: UUID) -> None:
    await put(empty_runtime, organization, matchSelection={"autoSelectThreshold": 0.9})
    with pytest.raises(ValidationFailed):
        await put(empty_runtime, organization, matchSelection={"reviewThreshold": 0.91})
    assert (await read_settings(empty_runtime, organization)).match_selection.review_threshold == 0.7
    both = await put(empty_runtime, organization, matchSelection={"reviewThreshold": 0.96, "autoSelectThreshold": 0.97})
    assert both.match_selection.review_threshold == 0.96


class TestSearches:
    async def test_flags_and_thresholds_are_defaults_and_the_request_wins(self, runtime: Runtime, north: Principal) -> None:
        await put(
            runtime,
            north.organization_id,
            search={"regulatoryRegistry": False, "sanctionsScreening": True, "sanctionsThreshold": 0.9},
        )
        params = (await search(runtime, north, name="Sandbox Bakery Inc.")).meta.submitted.params
        assert (params.regulatory_registry, params.sanctions_screening, params.sanctions_threshold) == (False, True, 0.9)
        own = {"regulatory_registry": True, "sanctions_screening": False, "sanctions_threshold": 0.75}
        params = (await search(runtime, north, name="Sandbox Bakery Inc.", **own)).meta.submitted.params
        assert (params.regulatory_registry, params.sanctions_screening, params.sanctions_threshold) == (True, False, 0.75)

    async def test_a_web_site_is_analysed_unless_the_account_does_not_want_it(self, runtime: Runtime, north: Principal) -> None:
        asked = {"name": "Sandbox Bakery Inc.", "website": "https://bakery.sandbox.example"}
        assert (await search(runtime, north, **asked)).meta.submitted.params.website_analysis
        await put(runtime, north.organization_id, search={"websiteAnalysis": False})
        assert not (await search(runtime, north, **asked)).meta.submitted.params.website_analysis

    async def test_match_selection_runs_when_the_account_wants_it(self, runtime: Runtime, north: Principal) -> None:
        assert (await search(runtime, north, name=TWINS)).match_selection is None
        await put(runtime, north.organization_id, matchSelection={"enabled": True})
        assert (await search(runtime, north, name=TWINS)).match_selection is not None
        assert (await search(runtime, north, name=TWINS, match_selection=False)).match_selection is None

    @pytest.mark.parametrize(
        ("name", "settings", "expected"),
        [
            (TWINS, {}, SelectionStatus.NEEDS_REVIEW),
            (TWINS, {"autoSelectMargin": 0.0}, SelectionStatus.AUTO_SELECTED),
            ("Sandbox Bakry Inc.", {"autoSelectThreshold": 0.7, "reviewThreshold": 0.7}, SelectionStatus.AUTO_SELECTED),
            ("Sandbox Bakry Inc.", {"autoSelectThreshold": 1.0, "reviewThreshold": 0.7}, SelectionStatus.NEEDS_REVIEW),
            ("Sandbox Bakry Inc.", {"autoSelectThreshold": 1.0, "reviewThreshold": 1.0}, SelectionStatus.NO_MATCH_FOUND),
        ],
    )
    async def test_thresholds_of_the_account_decide_what_is_selected(
        self, runtime: Runtime, north: Principal, name: str, settings: dict[str, float], expected: SelectionStatus
    ) -> None:
        await put(runtime, north.organization_id, matchSelection={"enabled": True, **settings})
        result = await search(runtime, north, name=name, jurisdictions=[Jurisdiction.ON, Jurisdiction.AB])
        assert result.match_selection is not None
        assert result.match_selection.status is expected
