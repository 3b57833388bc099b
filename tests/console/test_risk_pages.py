"""The pages of risk rules: a draft is edited rule by rule, tried on past results, and activated; who may do what."""

from typing import Any

import httpx2
import pytest

from bonafide.model.accounts.organizations import World
from bonafide.model.accounts.users import Role
from bonafide.model.records.business_record import Author
from bonafide.model.risk.rules import RiskRules
from bonafide.runtime import Runtime
from bonafide.services.accounts.organizations import find_organization
from bonafide.services.risk.rule_versions import activate, read_draft, read_rules
from tests.support.console.organization_work import Desk
from tests.support.console.sessions import send, signed_in_client
from tests.support.pdf.sheets import text_of
from tests.support.services.business_records import sent
from tests.support.services.verifications import worked

pytestmark = pytest.mark.anyio
RISK, DRAFT = "/console/risk", "/console/risk/draft"
RULE = {"title": "The business is new", "when": "business.ageDays < 30", "points": "15", "reason": "It has no history."}
NUMBER = {"jurisdiction": "ON", "registrationNumber": "1000017"}
VERIFIED = {"legalName": "Sandbox Bakery Inc.", **NUMBER}
ANN = Author("ann@north.example")
WRONG = (
    ("when", "registry.actve", "did you mean “registry.active”"),
    ("when", "business.ageDays", "must be true or false"),
    ("points", "many", "must be a whole number"),
    ("points", "5000", "must be at most 1000"),
    ("title", "", "is required"),
)
"""A text of a field of a rule, and the problem with it."""


@pytest.fixture
def organization() -> str:
    return "north"


@pytest.fixture
async def owner(bare_runtime: Runtime) -> Any:
    async with await signed_in_client(bare_runtime) as client:
        yield client


async def draft_of(runtime: Runtime) -> RiskRules:
    draft = await read_draft(runtime, (await find_organization(runtime, "north", World.SANDBOX)).id)
    assert draft is not None
    return draft


async def started(owner: httpx2.AsyncClient) -> None:
    assert (await send(owner, RISK, DRAFT, **{"from": 0, "seen": ""})).status_code == 303


async def test_without_rules_the_built_in_ones_are_shown_and_said_not_to_be_in_use(owner: httpx2.AsyncClient) -> None:
    page = (await owner.get(RISK)).text
    assert "No rules are in use" in page
    for version in ("7", "x", "99999999999"):
        for unknown in (f"{RISK}/versions/{version}", f"{RISK}/versions/{version}/replay"):
            assert (await owner.get(unknown)).status_code == 404
    assert "sanctions.openHits &gt; 0" in page
    assert (await owner.get(DRAFT)).headers["location"] == RISK


async def test_a_draft_is_tried_and_activated_as_it_was_seen(bare_runtime: Runtime, owner: httpx2.AsyncClient) -> None:
    await started(owner)
    replay = f"{RISK}/versions/1/replay"
    page = (await owner.get(replay)).text
    assert "No past results" in page
    seen = (await draft_of(bare_runtime)).digest
    assert (await send(owner, f"{DRAFT}/rule", **RULE)).status_code == 303
    late = await send(owner, replay, f"{RISK}/versions/1/activate", seen=seen)
    assert (late.status_code, "have changed since you opened them" in late.text) == (409, True)
    current = (await draft_of(bare_runtime)).digest
    assert (await send(owner, replay, f"{RISK}/versions/1/activate", seen=current)).status_code == 303
    overview = (await owner.get(f"{RISK}?activated=yes")).text
    assert "Version 1 is in use." in overview
    assert "The business is new" in overview


async def test_rules_are_added_changed_and_removed_one_by_one(bare_runtime: Runtime, owner: httpx2.AsyncClient) -> None:
    await started(owner)
    before = await draft_of(bare_runtime)
    await send(owner, f"{DRAFT}/rule", **RULE)
    await send(owner, f"{DRAFT}/rule", **RULE)
    first, second = (await draft_of(bare_runtime)).rules[len(before.rules) :]
    assert (first.id, second.id, first.unknown_points) == ("the-business-is-new", "the-business-is-new-2", None)
    page = f"{DRAFT}/rules/{first.id}"
    assert (await send(owner, page, **RULE | {"points": "-5", "unknownPoints": "7"}, seen=first.digest)).status_code == 303
    changed = (await draft_of(bare_runtime)).rules[len(before.rules)]
    assert (changed.points, changed.unknown_points) == (-5, 7)
    stale = await send(owner, page, **RULE | {"points": "9"}, seen=first.digest)
    assert (stale.status_code, "Somebody else has changed this rule" in stale.text, 'value="9"' in stale.text) == (409, True, True)
    assert (await send(owner, page, f"{page}/remove", seen=first.digest)).status_code == 409
    assert (await send(owner, page, f"{page}/remove", seen=changed.digest)).status_code == 303
    assert (await owner.get(page)).status_code == 404
    assert [rule.id for rule in (await draft_of(bare_runtime)).rules] == [*(rule.id for rule in before.rules), second.id]


async def test_what_is_wrong_is_said_at_the_field(owner: httpx2.AsyncClient) -> None:
    await started(owner)
    for field, text, problem in WRONG:
        refused = await send(owner, f"{DRAFT}/rule", **RULE | {field: text})
        assert (refused.status_code, RULE["reason"] in refused.text) == (422, True)
        assert problem in refused.text.split(f'id="field-{field}-problem">')[1].split("</p>")[0]


async def test_bands_are_saved_together(bare_runtime: Runtime, owner: httpx2.AsyncClient) -> None:
    await started(owner)
    seen = {
        f"seen.{place}.{name}": value
        for place, band in enumerate((await draft_of(bare_runtime)).bands)
        for name, value in (("name", band.name), ("from", band.from_))
    }
    wanted = {"bands.0.name": "fine", "bands.0.from": "0", "bands.1.name": "", "bands.1.from": "", "bands.2.name": "bad"}
    refused = await send(owner, DRAFT, f"{DRAFT}/bands", **seen, **wanted, **{"bands.2.from": "-3"})
    assert (refused.status_code, "must be above `from` of the band before it" in refused.text) == (400, True)
    assert (await send(owner, DRAFT, f"{DRAFT}/bands", **seen, **wanted, **{"bands.2.from": "40"})).status_code == 303
    assert [(band.name, band.from_) for band in (await draft_of(bare_runtime)).bands] == [("fine", 0), ("bad", 40)]
    stale = await send(owner, DRAFT, f"{DRAFT}/bands", **seen, **wanted, **{"bands.2.from": "50"})
    assert (stale.status_code, "Somebody else has changed the bands" in stale.text) == (409, True)


async def test_a_draft_is_not_replaced_unseen(bare_runtime: Runtime, owner: httpx2.AsyncClient) -> None:
    await started(owner)
    assert (await send(owner, RISK, DRAFT, **{"from": 0, "seen": ""})).status_code == 409
    await send(owner, f"{DRAFT}/rule", **RULE)
    seen = (await draft_of(bare_runtime)).digest
    assert seen in (await owner.get(f"{RISK}/versions/0")).text
    assert (await send(owner, f"{RISK}/versions/0", DRAFT, **{"from": 0, "seen": seen})).status_code == 303
    assert "the-business-is-new" not in {rule.id for rule in (await draft_of(bare_runtime)).rules}


async def test_viewers_read_analysts_try_and_owners_decide(bare_runtime: Runtime, owner: httpx2.AsyncClient) -> None:
    await started(owner)
    for role, may_try in ((Role.ANALYST, 200), (Role.VIEWER, 403)):
        async with await signed_in_client(bare_runtime, role) as client:
            for page in (RISK, f"{RISK}/facts", DRAFT, f"{RISK}/versions/0"):
                read = await client.get(page)
                assert (read.status_code, "Save bands" in read.text, "Edit as a draft" in read.text) == (200, False, False)
            assert (await client.get(f"{RISK}/versions/1/replay")).status_code == may_try
            for refused in (f"{DRAFT}/bands", f"{DRAFT}/rule", f"{RISK}/versions/1/activate", DRAFT):
                assert (await send(client, "/console/profile", refused, seen="")).status_code == 403
    organization_id = (await find_organization(bare_runtime, "north", World.SANDBOX)).id
    assert [one.status for one in (await read_rules(bare_runtime, organization_id)).versions] == ["draft"]


async def test_a_rating_is_on_the_pages_of_the_result_the_verification_and_the_record(desk: Desk) -> None:
    principal = await desk.principal()
    record = await sent(desk.runtime, principal.organization_id, name="Sandbox Bakery Inc.", **NUMBER)
    page = f"/console/businesses/{record.id}"
    async with desk.someone(Role.OWNER) as client:
        assert 'id="risk"' not in (await client.get(page)).text, "no rules are in use"
        await activate(desk.runtime, principal.organization_id, 0, ANN)
        assert "There is no rating yet." in (await client.get(page)).text
        result = await desk.searched("Sandbox Bakery Inc.", businessId=str(record.id))
        verification = await desk.verified(**VERIFIED, businessId=str(record.id))
        await worked(desk.runtime)
        for address in (page, f"/console/searches/{result.meta.search_id}", f"/console/verifications/{verification}"):
            section = (await client.get(address)).text.split('id="risk"')[1].split("</section>")[0]
            for words in ("Rules, version 1", "No website was submitted.", "Not known:", "Not complete"):
                assert words in section, (address, words)
        report = await client.get(f"/console/verifications/{verification}/report.pdf")
        assert "Risk rating" in text_of(report.content)
