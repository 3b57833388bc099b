"""An analyst works twenty mixed cases from the queue to the decision by keyboard alone, in both languages; two decide at once."""

import asyncio
import re

import httpx2
import pytest
from playwright.async_api import expect

from bonafide.i18n.catalog import translate
from bonafide.i18n.language import Language
from bonafide.i18n.message import Message
from bonafide.model.accounts.users import Role
from bonafide.model.events.event import EventBusiness
from bonafide.model.query import SearchRequest
from bonafide.model.verification.requests import VerifyRequest
from bonafide.runtime import Runtime
from bonafide.services.accounts import api_access
from bonafide.services.search.execution import create_search
from bonafide.services.verification.lifecycle import create_verification
from bonafide.services.verification.spec import VerificationRequester
from tests.support.browser.members import People
from tests.support.browser.page_audit import MAX_PAGE_BYTES, weight_of
from tests.support.browser.tabs import NewTab, Tab, Visitor
from tests.support.console.organization_work import TWIN
from tests.support.services.business_records import sent
from tests.support.services.cases import follow, open_discrepancy, record_overdue
from tests.support.services.sanctions_lists import screened

pytestmark = [pytest.mark.anyio, pytest.mark.slow]
LISTED = "Sandbox Sanctioned Trading Ltd."
CLAIM = {"legalName": "Another Bakery Ltd.", "jurisdiction": "ON", "registrationNumber": "1000017"}
OF_EACH_KIND = 4
CASES = 20
REASONS = {
    "sanctions_hit": ("2", "Match with a listed party"),
    "match_selection": ("3", "Documents or answers are missing"),
    "verification_discrepancy": ("1", "Discrepancy explained by evidence"),
    "ownership_discrepancy": ("2", "Existence or identity not confirmed"),
    "alert": ("1", "Identity and existence confirmed"),
}
"""The key of the decision about a case of each kind, and its reason."""
AUDITED = {"sanctions_hit", "alert"}
"""The kinds whose pages differ: a link to compare the hit, or what the alert reports and its button. The others have less."""


@pytest.fixture(params=list(Language))
def language(request: pytest.FixtureRequest) -> Language:
    chosen: Language = request.param
    return chosen


class Typist:
    """Somebody who uses the keyboard only."""

    def __init__(self, tab: Tab, language: Language) -> None:
        self.tab = tab
        self._language = language

    def say(self, text: str) -> str:
        return translate(Message(text), self._language)

    async def press(self, *keys: str) -> None:
        for key in keys:
            await self.tab.press_key(key)

    async def go_to(self, name: str) -> None:
        """Press the tab key until the field of this name has the focus."""
        for _ in range(100):
            if name in await self.tab.page.locator(":focus").evaluate_all("all => all.map(one => one.name || one.id)"):
                return
            await self.press("Tab")
        pytest.fail(f"the tab key never leads to {name}")

    async def select(self, option: str) -> None:
        """Press the arrow key until the list that has the focus shows this option. Playwright has no key for the letter É."""
        options = await self.tab.page.locator(":focus option").all_inner_texts()
        for _ in range(options.index(option)):
            await self.press("ArrowDown")
        await expect(self.tab.page.locator(":focus option:checked")).to_have_text(option)

    async def decide(self, key: str, reason: str, note: str, *, is_audited: bool = False) -> None:
        """Choose a decision by its key, a reason and a note, and save them. An audit is of the page with the form."""
        await self.press(key)
        await expect(self.tab.page.locator("#reason")).to_be_focused()
        if is_audited:
            await self.tab.is_sound()
        await self.select(self.say(reason))
        await self.press("Tab")
        await self.tab.page.keyboard.type(note)
        await self.press("Tab", "Enter")
        await self.tab.shows(self.say("Your decision is saved."))


async def open_cases(runtime: Runtime, people: People) -> None:
    """Twenty cases: four each with a hit, a match to select, discrepancies of a verification and of owners, and an alert."""
    created = await people.key()
    organization_id, principal = created.key.organization_id, await api_access.authenticate(runtime, created.text)
    requester = VerificationRequester(identity=principal.identity, request_id="test")

    async def add_record(name: str) -> EventBusiness:
        return EventBusiness.from_record(await sent(runtime, organization_id, name=name))

    for number in range(OF_EACH_KIND):
        await screened(runtime, principal, LISTED, businessId=str((await add_record(f"Hit {number}")).id))
        search = {"name": TWIN, "matchSelection": True, "businessId": str((await add_record(f"Selection {number}")).id)}
        await create_search(runtime, principal, SearchRequest.model_validate(search), respond_async=False)
        claim = {**CLAIM, "businessId": str((await add_record(f"Claim {number}")).id)}
        await create_verification(runtime, principal, VerifyRequest.model_validate(claim), requester)
        await open_discrepancy(runtime, organization_id, name=f"Owners {number}")
    await record_overdue(runtime, organization_id, *[await add_record(f"Overdue {number}") for number in range(OF_EACH_KIND)])
    await follow(runtime)


async def kinds_of(api: httpx2.AsyncClient) -> dict[str, str]:
    """The first kind of the open items of each case that has not ended, by the ID of the case."""
    listed = (await api.get("/cases", params={"limit": 100})).raise_for_status().json()["cases"]
    return {case["id"]: case["openItems"][0]["kind"] for case in listed if case["status"] != "decided" and case["openItems"]}


async def test_twenty_mixed_cases_are_worked_by_keyboard(
    new_tab: NewTab, runtime: Runtime, people: People, api: httpx2.AsyncClient, language: Language
) -> None:
    await open_cases(runtime, people)
    kinds = await kinds_of(api)
    assert len(kinds) == CASES
    tab = await new_tab(Visitor(session=await people.session(Role.ANALYST), language=language))
    hand = Typist(tab, language)
    await tab.open("/console/cases")
    await tab.is_sound()
    await hand.press("j", "x", "j", "x", "a")
    await tab.is_at(r"/console/cases\?done=2")
    await hand.press("j", "Enter")
    looked_at, is_dismissed = set[str](), False
    for number in range(CASES):
        await tab.page.wait_for_url(re.compile(r"/console/cases/[0-9a-f-]{36}(?!.*done=)"))
        case_id = re.findall(r"/console/cases/([0-9a-f-]{36})", tab.page.url)[0]
        kind = kinds.pop(case_id)
        assert sum((await weight_of(tab.page)).values()) < MAX_PAGE_BYTES
        if kind == "sanctions_hit" and not is_dismissed:
            is_dismissed = True
            await dismiss_hit(hand)
            await hand.decide("1", "The listed party is somebody else", "Another date of birth.")
        else:
            key, reason = REASONS[kind]
            await hand.decide(key, reason, f"Note {number}.", is_audited=kind in AUDITED - looked_at)
            looked_at.add(kind)
        if number < CASES - 1:
            await hand.press("Enter")
    await tab.is_sound()
    assert looked_at == set(REASONS)
    assert kinds == {}
    listed = (await api.get("/cases", params={"limit": 100})).json()["cases"]
    assert sorted(case["outcome"] or case["status"] for case in listed) == [*["approved"] * 9, *["rejected"] * 7, *["waiting"] * 4]


async def dismiss_hit(hand: Typist) -> None:
    """From a case to its hit, and back with the hit dismissed."""
    await hand.press("o")
    await hand.tab.is_headed(hand.say("Dismiss hit"))
    await hand.go_to("reason")
    await hand.tab.page.keyboard.type("Another date of birth.")
    await hand.go_to("onlyThisBusiness")
    await hand.press("Space", "Tab", "Enter")
    await hand.tab.page.wait_for_url(re.compile(r"/console/cases/[0-9a-f-]{36}"))


async def test_of_two_analysts_who_decide_at_once_one_is_told_what_the_other_decided(
    new_tab: NewTab, runtime: Runtime, people: People, api: httpx2.AsyncClient
) -> None:
    await open_discrepancy(runtime, (await people.key()).key.organization_id, name="Contended Ltd.")
    await follow(runtime)
    (case_id,) = await kinds_of(api)
    people_at_work = {role: await new_tab(Visitor(session=await people.session(role))) for role in (Role.ANALYST, Role.OWNER)}
    for (role, tab), decision in zip(people_at_work.items(), ("approve", "reject"), strict=True):
        await tab.open(f"/console/cases/{case_id}?decision={decision}")
        await tab.choose("Reason", "Other reason, see the note")
        await tab.fill({"Note (optional)": f"Note of the {role}."})
    await asyncio.gather(*(
        tab.press(name, within=tab.main.locator("form[action$='/decision']"))
        for tab, name in zip(people_at_work.values(), ("Approve", "Reject"), strict=True)
    ))  # fmt: skip
    for tab in people_at_work.values():
        await tab.shows(re.compile(r"Your decision is saved\.|Nothing was saved\."))
    outcome = (await api.get(f"/cases/{case_id}")).json()
    (decision,) = outcome["decisions"]
    winner = next(role for role in people_at_work if people.email(role) == decision["decidedBy"])
    (loser,) = people_at_work.keys() - {winner}
    await people_at_work[winner].shows("Your decision is saved.")
    told = people_at_work[loser].main.locator(".notice.warn")
    await expect(told).to_contain_text(f"{people.email(winner)} {outcome['outcome']} this case")
    await expect(told).to_contain_text(f"Note of the {loser}.")
    await people_at_work[loser].is_sound()
