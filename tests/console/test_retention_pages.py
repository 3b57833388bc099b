"""Retention and erasure in the console: owners set the policy and the hold, and erase a business after a confirmation."""

from collections.abc import AsyncIterator
from uuid import UUID

import httpx2
import pytest

from bonafide.app.worker import work_once
from bonafide.model.accounts.account_settings import AccountSettings
from bonafide.model.accounts.organizations import World
from bonafide.model.accounts.users import Role
from bonafide.runtime import Runtime
from bonafide.services.accounts.organizations import find_organization, read_settings
from tests.support.console.sessions import send, signed_in_client
from tests.support.services.business_records import sent

pytestmark = pytest.mark.anyio
PAGE, SETTINGS, RECORDS = "/console/settings/retention", "/console/settings", "/console/businesses"


@pytest.fixture
def runtime(bare_runtime: Runtime) -> Runtime:
    return bare_runtime


@pytest.fixture
async def owner(runtime: Runtime) -> AsyncIterator[httpx2.AsyncClient]:
    async with await signed_in_client(runtime) as client:
        yield client


async def find_id(runtime: Runtime) -> UUID:
    return (await find_organization(runtime, "north", World.SANDBOX)).id


async def read(runtime: Runtime) -> AccountSettings:
    return await read_settings(runtime, await find_id(runtime))


async def test_a_policy_is_saved_and_a_short_one_is_warned_of(owner: httpx2.AsyncClient, runtime: Runtime) -> None:
    assert "five years have passed" not in (await owner.get(PAGE)).text
    saved = await send(owner, PAGE, PAGE, **{"retention.searches": "1826", "retention.cases": "2000", "retention.events": "30"})
    assert saved.headers["location"] == f"{PAGE}?saved=yes"
    policy = (await read(runtime)).retention
    assert (policy.searches, policy.cases, policy.events, policy.reports) == (1826, 2000, 30, None)
    page = (await owner.get(PAGE)).text
    assert "before five years have passed: Searches." in page
    await send(owner, PAGE, PAGE, **{"retention.searches": ""})
    assert (await read(runtime)).retention == type(policy)()


async def test_a_number_of_days_that_is_none_is_shown_again_with_its_problem(owner: httpx2.AsyncClient, runtime: Runtime) -> None:
    page = await send(owner, PAGE, PAGE, **{"retention.searches": "soon", "retention.cases": "2000"})
    assert (page.status_code, 'value="soon"' in page.text, 'value="2000"' in page.text) == (422, True, True)
    assert page.text.count('aria-invalid="true"') == 1
    assert (await read(runtime)).retention.cases is None


async def test_no_other_form_lifts_a_legal_hold(owner: httpx2.AsyncClient, runtime: Runtime) -> None:
    await send(owner, PAGE, PAGE, legalHold="true")
    assert "A legal hold is in place" in (await owner.get(PAGE)).text
    form = {"part": "monitoring", "monitoring.enabled": "true", "monitoring.kinds.sent": "true", "monitoring.minSeverity": "high"}
    assert (await send(owner, SETTINGS, SETTINGS, **form)).status_code == 303
    settings = await read(runtime)
    assert (settings.legal_hold, settings.monitoring.min_severity.value) == (True, "high")
    await send(owner, PAGE, PAGE)
    assert not (await read(runtime)).legal_hold


async def test_a_business_is_erased_after_a_confirmation_with_a_reason(owner: httpx2.AsyncClient, runtime: Runtime) -> None:
    record = await sent(runtime, await find_id(runtime), name="Quillwander Inc.")
    address = f"{RECORDS}/{record.id}"
    assert f'href="{address}/erase"' in (await owner.get(address)).text
    refused = await send(owner, f"{address}/erase", f"{address}/erase", reason=" ")
    assert (refused.status_code, "Quillwander" in refused.text) == (422, True)
    erased = await send(owner, f"{address}/erase", f"{address}/erase", reason="File 2026-118")
    state = erased.headers["location"]
    assert erased.status_code == 303
    assert (await owner.get(address)).status_code == 404
    assert "being erased" in (await owner.get(state)).text
    assert await work_once(runtime, "worker")
    page = (await owner.get(state)).text
    assert ("Everything is erased." in page, "Quillwander" in page) == (True, False)
    assert "Quillwander" not in (await owner.get(RECORDS)).text


async def test_a_business_is_held_with_a_reason_until_the_hold_is_lifted(owner: httpx2.AsyncClient, runtime: Runtime) -> None:
    record = await sent(runtime, await find_id(runtime), name="Quillwander Inc.")
    address = f"{RECORDS}/{record.id}"
    hold, erase = f"{address}/legal-hold", f"{address}/erase"
    assert f'href="{hold}"' in (await owner.get(address)).text
    refused = await send(owner, hold, hold, held="yes", reason=" ")
    assert (refused.status_code, 'aria-invalid="true"' in refused.text) == (422, True)
    saved = await send(owner, hold, hold, held="yes", reason="Court file 118")
    assert (saved.status_code, saved.headers["location"]) == (303, address)
    for page in (address, hold, erase, PAGE):
        assert "Court file 118" in (await owner.get(page)).text, page
    assert f'href="{address}"' in (await owner.get(PAGE)).text
    assert (await send(owner, hold, erase, reason="File 118")).status_code == 409
    await send(owner, hold, hold, held="no", reason="Settled")
    for page in (address, hold, erase, PAGE):
        assert "Court file 118" not in (await owner.get(page)).text, page
    log = (await owner.get(f"{address}/audit")).text
    assert ("Legal hold set" in log, "Legal hold lifted" in log, "Settled" in log) == (True, True, True)
    assert (await send(owner, erase, erase, reason="File 118")).status_code == 303


async def test_nothing_is_erased_during_a_legal_hold_nor_by_an_analyst(owner: httpx2.AsyncClient, runtime: Runtime) -> None:
    record = await sent(runtime, await find_id(runtime), name="Quillwander Inc.")
    address = f"{RECORDS}/{record.id}"
    await send(owner, PAGE, PAGE, legalHold="true")
    held = await send(owner, f"{address}/erase", f"{address}/erase", reason="File 2026-118")
    assert held.status_code == 409
    assert (await owner.get(address)).status_code == 200
    async with await signed_in_client(runtime, Role.ANALYST) as analyst:
        paths = (PAGE, f"{address}/erase", f"{address}/legal-hold")
        assert [(await analyst.get(path)).status_code for path in paths] == [403, 403, 403]
        assert "/erase" not in (await analyst.get(address)).text
