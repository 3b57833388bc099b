"""Monitoring in the console: the state of the organization, the section and form of a record, settings, several records at once."""

import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from html import unescape
from pathlib import Path

import httpx2
import pytest

from bonafide.model.accounts.account_settings import AccountSettings
from bonafide.model.accounts.organizations import Principal
from bonafide.model.accounts.users import Role
from bonafide.model.events.severity import EventSeverity
from bonafide.model.monitoring.policy import MonitoredKindsOverride, MonitoringPolicy, RecordMonitoring
from bonafide.model.records.business_record import BusinessRecord
from bonafide.runtime import Runtime
from bonafide.services.accounts.organizations import read_settings
from bonafide.services.records import business_records, change_feed
from bonafide.services.screening.standalone import get_official_lists
from tests.support.console.searches import runtime_over, words_of
from tests.support.console.sessions import send, signed_in_client
from tests.support.services.monitoring import changed, evaluate, monitored
from tests.support.services.runtimes import ManualClock, principal_of
from tests.support.services.sanctions_lists import NAME, SEMA, UN, load, load_lists, party

pytestmark = pytest.mark.anyio
LIST, MONITORING, SETTINGS = "/console/businesses", "/console/monitoring", "/console/settings"
FRENCH = {"Accept-Language": "fr-CA"}
WEBSITE_WATCHED = {"kinds": {"website": True}}
POLICY_FORM = {
    "part": "monitoring",
    "monitoring.enabled": "true",
    "monitoring.kinds.sent": "true",
    "monitoring.kinds.sanctions": "true",
    "monitoring.kinds.registry": "true",
    "monitoring.kinds.licences": "true",
    "monitoring.kinds.verificationAge": "true",
    "monitoring.minSeverity": "low",
    "monitoring.verificationMaxAgeDays": "365",
    "monitoring.websiteIntervalDays": "30",
}
"""The form of the settings as it is shown when nothing was ever set."""
_INPUT = re.compile(r'<input [^>]*?name="([^"]+)" value="([^"]*)"')
_UNTICKED = re.compile(r'<input type="checkbox"(?![^>]* checked)[^>]*>')
_SELECT = re.compile(r'<select [^>]*?name="([^"]+)".*?</select>', re.DOTALL)
_COUNT = re.compile(r"<div><dt>([^<]+)</dt><dd>([^<]+)</dd></div>")
_BADGE = re.compile(r"(?:Changed|No change): \d+")
_CHOSEN = re.compile(r'<option value="([^"]*)" selected>')


@asynccontextmanager
async def monitoring_over(database: Path, folder: Path) -> AsyncIterator[Runtime]:
    """Official sanctions lists that are loaded, no other source, and a clock that the test moves."""
    async with runtime_over(database, folder, folder, ManualClock()) as opened:
        load_lists(opened, {})
        yield opened


@pytest.fixture(scope="module")
async def runtime(sqlite_template: Path, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Runtime]:
    async with monitoring_over(sqlite_template, tmp_path_factory.mktemp("monitoring")) as opened:
        yield opened


@pytest.fixture
async def principal(runtime: Runtime, organization: str) -> Principal:
    return await principal_of(runtime, organization)


@pytest.fixture
async def owner(runtime: Runtime, organization: str, principal: Principal) -> AsyncIterator[httpx2.AsyncClient]:
    async with await signed_in_client(runtime, Role.OWNER, organization) as client:
        yield client


async def now(runtime: Runtime, principal: Principal, record: BusinessRecord) -> BusinessRecord:
    return await business_records.find_record(runtime, principal.organization_id, business_id=record.id)


async def policy_of(runtime: Runtime, principal: Principal) -> MonitoringPolicy:
    return (await read_settings(runtime, principal.organization_id)).monitoring


async def edited(client: httpx2.AsyncClient, record: BusinessRecord, **fields: str) -> httpx2.Response:
    """Open the record's form, change some fields, send it as a browser does."""
    address = f"{LIST}/{record.id}/edit"
    return await client.post(address, data={**form_in((await client.get(address)).text), **fields})


def form_in(page: str) -> dict[str, str]:
    fields = {name: unescape(value) for name, value in _INPUT.findall(_UNTICKED.sub("", page))}
    for select in _SELECT.finditer(page):
        chosen = _CHOSEN.search(select[0])
        fields[select[1]] = chosen[1] if chosen is not None else ""
    return fields


def section_of(page: httpx2.Response) -> str:
    """The section of a record's page, as plain text."""
    found = re.search(r'<section [^>]*id="monitoring".*?</section>', page.text, re.DOTALL)
    assert found is not None
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", found[0])).split())


# ------------------------------------------------------------------------------------------------------------- a record


async def test_a_record_shows_its_state_before_and_after_its_evaluation(
    runtime: Runtime, principal: Principal, analyst: httpx2.AsyncClient
) -> None:
    record = await monitored(runtime, principal, "Quiet Harbour Bakery Inc.")
    page = f"{LIST}/{record.id}"
    before = section_of(await analyst.get(page))
    assert "Monitoring Never evaluated" in before
    assert "An evaluation is queued." in before
    await evaluate(runtime)
    answer = await analyst.get(page)
    after = section_of(answer)
    assert "Monitoring Current" in after
    assert "Sanctions lists No change: 10" in after
    assert "Register entry Nothing to compare" in after
    assert "Age of the verification Never verified" in after
    assert f'href="/console/sources/{SEMA}"' in answer.text
    assert "Consolidated Canadian Autonomous Sanctions List" in after


async def test_changes_and_missing_evaluations_are_shown(sqlite_template: Path, tmp_path: Path) -> None:
    async with monitoring_over(sqlite_template, tmp_path) as runtime:
        principal = await principal_of(runtime, "north")
        record = await monitored(runtime, principal, NAME)
        await evaluate(runtime)
        load(runtime, SEMA, party())
        await evaluate(runtime)
        nameless = await changed(runtime, principal, await monitored(runtime, principal, "Alder", externalId="crm-9"), name=None)
        await evaluate(runtime)
        async with await signed_in_client(runtime) as client:
            said = section_of(await client.get(f"{LIST}/{record.id}"))
            assert {"Changed: 1", "No change: 9"} <= set(_BADGE.findall(said))
            said = section_of(await client.get(f"{LIST}/{nameless.id}"))
            assert "Sanctions lists Not evaluated: 10" in said
            assert "The record has no name that could be screened." in said


async def test_the_switch_begins_and_ends_monitoring_and_is_audited(
    runtime: Runtime, principal: Principal, analyst: httpx2.AsyncClient
) -> None:
    record = await monitored(runtime, principal, NAME, isMonitored=False)
    page = f"{LIST}/{record.id}"
    assert "This record isn’t monitored." in section_of(await analyst.get(page))
    answer = await send(analyst, page, f"{page}/switch", monitored="yes")
    assert answer.headers["Location"] == f"{page}#monitoring"
    assert (await now(runtime, principal, record)).is_monitored
    assert "Never evaluated Stop monitoring" in section_of(await analyst.get(page))
    await send(analyst, page, f"{page}/switch", monitored="no")
    assert not (await now(runtime, principal, record)).is_monitored
    log = await change_feed.read_audit_log(runtime, principal.organization_id, record.id, 50, 0)
    switched = [entry for entry in log.entries if entry.field == "isMonitored"]
    assert [(entry.old, entry.new) for entry in switched] == [(False, True), (True, False)]
    assert all(entry.actor.startswith("analyst@") for entry in switched)


async def test_why_a_record_is_not_monitored_is_told(runtime: Runtime, principal: Principal, owner: httpx2.AsyncClient) -> None:
    overridden = await monitored(runtime, principal, "Birch Ltd.", monitoring={"enabled": False})
    archived = await monitored(runtime, principal, "Cedar Ltd.", isArchived=True)
    plain = await monitored(runtime, principal, "Alder Ltd.")
    assert "but its own settings turn monitoring off." in section_of(await owner.get(f"{LIST}/{overridden.id}"))
    assert "but it is archived." in section_of(await owner.get(f"{LIST}/{archived.id}"))
    await send(owner, SETTINGS, **{name: value for name, value in POLICY_FORM.items() if name != "monitoring.enabled"})
    assert "but the settings of the organization turn monitoring off." in section_of(await owner.get(f"{LIST}/{plain.id}"))


async def test_a_form_sent_as_it_is_shown_changes_no_override(
    runtime: Runtime, principal: Principal, analyst: httpx2.AsyncClient
) -> None:
    overrides = {"enabled": True, "minSeverity": "high", "verificationMaxAgeDays": 30, "kinds": {"licences": False}}
    for record in (
        await monitored(runtime, principal, "Alder Ltd."),
        await monitored(runtime, principal, "Birch Ltd.", monitoring=overrides),
    ):
        assert (await edited(analyst, record)).status_code == 303
        assert await now(runtime, principal, record) == record


async def test_a_record_overrides_the_policy_and_returns_to_it(
    runtime: Runtime, principal: Principal, analyst: httpx2.AsyncClient
) -> None:
    record = await monitored(runtime, principal, "Alder Ltd.")
    chosen = {
        "monitoring.kinds.registry": "false",
        "monitoring.minSeverity": "high",
        "monitoring.verificationMaxAgeDays": "30",
        "monitoring.kinds.website": "true",
        "monitoring.websiteIntervalDays": "7",
    }
    await edited(analyst, record, **chosen)
    assert (await now(runtime, principal, record)).monitoring == RecordMonitoring(
        kinds=MonitoredKindsOverride(registry=False, website=True),
        min_severity=EventSeverity.HIGH,
        verification_max_age_days=30,
        website_interval_days=7,
    )
    said = section_of(await analyst.get(f"{LIST}/{record.id}"))
    assert "Alerts High and above (set for this record)" in said
    assert "Verification due 30 days after the last one (set for this record)" in said
    assert "Website read every (days) 7 (set for this record)" in said
    assert "Not watched Register entry" in said
    assert "Lowest severity of alerts No value High" in words_of(await analyst.get(f"{LIST}/{record.id}/audit"))
    await edited(analyst, record, **dict.fromkeys(chosen, ""))
    assert (await now(runtime, principal, record)).monitoring == RecordMonitoring()


async def test_the_website_of_a_record_is_shown_with_its_last_reading(
    runtime: Runtime, principal: Principal, analyst: httpx2.AsyncClient
) -> None:
    record = await monitored(runtime, principal, "Alder Ltd.", website="https://alder.example", monitoring=WEBSITE_WATCHED)
    unnamed = await monitored(runtime, principal, "Birch Ltd.", monitoring=WEBSITE_WATCHED)
    await evaluate(runtime)
    assert "https://alder.example Not stated Never Not evaluated It has not been queried yet." in section_of(
        await analyst.get(f"{LIST}/{record.id}")
    )
    assert "Website Nothing to compare The record has no website." in section_of(await analyst.get(f"{LIST}/{unnamed.id}"))


async def test_one_person_of_a_record_is_not_monitored(runtime: Runtime, principal: Principal, analyst: httpx2.AsyncClient) -> None:
    record = await monitored(runtime, principal, "Alder Ltd.", people=[{"name": "Ada Okafor"}, {"name": "Cy Lund"}])
    await edited(analyst, record, **{"people.1.isMonitored": "false", "people.2.name": "Noor Hart"})
    people = (await now(runtime, principal, record)).people
    assert [(person.name, person.is_monitored) for person in people] == [
        ("Ada Okafor", True),
        ("Cy Lund", False),
        ("Noor Hart", True),
    ]
    page = words_of(await analyst.get(f"{LIST}/{record.id}"))
    assert "Name Monitored with the business Ada Okafor Yes Cy Lund No Noor Hart Yes" in page
    assert (await edited(analyst, record)).status_code == 303
    assert (await now(runtime, principal, record)).people == people
    await edited(analyst, record, **{"people.1.isMonitored": "true"})
    assert all(person.is_monitored for person in (await now(runtime, principal, record)).people)


async def test_days_that_are_no_number_are_told_at_their_field(
    runtime: Runtime, principal: Principal, analyst: httpx2.AsyncClient
) -> None:
    record = await monitored(runtime, principal, "Alder Ltd.")
    answer = await edited(analyst, record, **{"monitoring.verificationMaxAgeDays": "soon", "monitoring.minSeverity": "high"})
    assert answer.status_code == 422
    assert 'href="#field-monitoring-verificationMaxAgeDays">Verification due after days</a>' in answer.text
    assert 'id="field-monitoring-verificationMaxAgeDays-problem">must be a whole number' in answer.text
    assert form_in(answer.text)["monitoring.minSeverity"] == "high"
    assert await now(runtime, principal, record) == record


async def test_a_viewer_reads_all_of_it_and_changes_nothing(
    runtime: Runtime, principal: Principal, viewer: httpx2.AsyncClient
) -> None:
    record = await monitored(runtime, principal, "Alder", isMonitored=False)
    assert (await viewer.get(MONITORING)).status_code == 200
    for address in (LIST, f"{LIST}/{record.id}"):
        assert 'name="action"' not in (page := (await viewer.get(address)).text)
        assert 'name="monitored" value="yes">' not in page
    assert (await send(viewer, "/console/profile", LIST, business=str(record.id), action="monitor")).status_code == 403
    assert not (await now(runtime, principal, record)).is_monitored


# ----------------------------------------------------------------------------------------------------------- the overview


async def test_the_overview_counts_records_by_status(runtime: Runtime, principal: Principal, analyst: httpx2.AsyncClient) -> None:
    await monitored(runtime, principal, "Quiet Harbour Bakery Inc.")
    await evaluate(runtime)
    await monitored(runtime, principal, "Alder Ltd.")
    waiting = await monitored(runtime, principal, "Birch Ltd.")
    answer = await analyst.get(MONITORING)
    assert f'<a href="{LIST}/{waiting.id}#monitoring">Birch Ltd.</a>' in answer.text
    assert dict(_COUNT.findall(answer.text)) == {
        "Current": "1",
        "Overdue": "0",
        "Never evaluated": "2",
        "Evaluations queued": "2",
    }
    assert "2 records have never been evaluated." in words_of(answer)
    assert "Oldest evaluation of a record by itself: 20 Nov 2026" in words_of(answer)
    await evaluate(runtime)
    said = words_of(await analyst.get(MONITORING))
    assert "never been evaluated" not in said
    assert "None. Nothing keeps records from being evaluated." in said


async def test_the_overview_lists_sources_that_hold_evaluations_up(sqlite_template: Path, tmp_path: Path) -> None:
    async with runtime_over(sqlite_template, tmp_path, tmp_path, ManualClock()) as runtime:
        load(runtime, UN, party())
        await monitored(runtime, await principal_of(runtime, "north"), "Alder Ltd.")
        await evaluate(runtime)
        async with await signed_in_client(runtime) as client:
            page = (await client.get(MONITORING)).text
    held_up, others = page.split('id="held-up"')[1].split('id="up-to-date"')
    assert held_up.count("Can’t be evaluated") == len(get_official_lists(runtime)) - 1
    assert "No data is loaded." in held_up
    assert (f"/console/sources/{SEMA}" in held_up, f"/console/sources/{UN}" in others) == (True, True)


async def test_the_overview_of_one_organization_leaves_others_out(runtime: Runtime, analyst: httpx2.AsyncClient) -> None:
    await monitored(runtime, await principal_of(runtime, "elsewhere"), "Birch Ltd.")
    assert "never been evaluated" not in words_of(await analyst.get(MONITORING))


async def test_the_overview_says_that_monitoring_is_off(runtime: Runtime, principal: Principal, owner: httpx2.AsyncClient) -> None:
    await monitored(runtime, principal, "Alder Ltd.")
    await send(owner, SETTINGS, **{name: value for name, value in POLICY_FORM.items() if name != "monitoring.enabled"})
    said = words_of(await owner.get(MONITORING))
    assert "Monitoring is turned off in the settings of the organization." in said
    assert f'href="{SETTINGS}#monitoring"' in (await owner.get(MONITORING)).text


# ---------------------------------------------------------------------------------------------------------- the settings


async def test_the_policy_as_it_is_shown_changes_nothing(runtime: Runtime, principal: Principal, owner: httpx2.AsyncClient) -> None:
    page = (await owner.get(SETTINGS)).text
    shown = {name: value for name, value in form_in(page).items() if name.startswith("monitoring.")}
    assert shown == {name: value for name, value in POLICY_FORM.items() if name != "part"}
    answer = await send(owner, SETTINGS, **POLICY_FORM)
    assert answer.headers["Location"] == f"{SETTINGS}?saved=monitoring#monitoring"
    assert await read_settings(runtime, principal.organization_id) == AccountSettings()


async def test_the_policy_is_changed(runtime: Runtime, principal: Principal, owner: httpx2.AsyncClient) -> None:
    form = {name: value for name, value in POLICY_FORM.items() if not name.startswith("monitoring.kinds.")}
    form |= {"monitoring.kinds.sent": "true", "monitoring.minSeverity": "info", "monitoring.verificationMaxAgeDays": " "}
    await send(owner, SETTINGS, **form)
    policy = await policy_of(runtime, principal)
    assert not any(policy.kinds.model_dump().values())
    assert (policy.enabled, policy.min_severity, policy.verification_max_age_days) == (True, EventSeverity.INFO, None)
    assert (await read_settings(runtime, principal.organization_id)).notifications == AccountSettings().notifications


@pytest.mark.parametrize("days", ["0", "3651", "soon"])
async def test_days_that_can_not_be_are_refused(
    runtime: Runtime, principal: Principal, owner: httpx2.AsyncClient, days: str
) -> None:
    answer = await send(owner, SETTINGS, **{**POLICY_FORM, "monitoring.verificationMaxAgeDays": days})
    assert answer.status_code == 422
    assert 'id="field-monitoring-verificationMaxAgeDays-problem"' in answer.text
    assert form_in(answer.text)["monitoring.verificationMaxAgeDays"] == days
    assert await policy_of(runtime, principal) == MonitoringPolicy()


async def test_roles_of_emails_can_all_be_cleared(runtime: Runtime, principal: Principal, owner: httpx2.AsyncClient) -> None:
    form = {
        "part": "notifications",
        "notifications.immediateMinSeverity": "high",
        "notifications.digest": "off",
        "notifications.timeZone": "UTC",
        "notifications.immediateRoles.sent": "true",
        "notifications.digestRoles.sent": "true",
    }
    assert form.items() <= form_in((await owner.get(SETTINGS)).text).items() | {("part", "notifications")}
    await send(owner, SETTINGS, **form)
    roles = (await read_settings(runtime, principal.organization_id)).notifications.immediate_roles
    assert not any(roles.model_dump().values())


# ---------------------------------------------------------------------------------------------------------------- French


async def test_all_of_it_is_there_in_french(runtime: Runtime, principal: Principal, owner: httpx2.AsyncClient) -> None:
    record = await monitored(runtime, principal, "Alder Ltd.")
    assert "Surveillance Jamais évaluée" in section_of(await owner.get(f"{LIST}/{record.id}", headers=FRENCH))
    assert "Ce qui est surveillé" in words_of(await owner.get(MONITORING, headers=FRENCH))
    assert "Cesser la surveillance" in words_of(await owner.get(LIST, headers=FRENCH))
    assert "Gravité minimale des alertes" in words_of(await owner.get(SETTINGS, headers=FRENCH))
