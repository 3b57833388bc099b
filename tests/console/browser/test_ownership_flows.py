"""An analyst works on the ownership of a business with the keyboard alone, in both languages.

One flow types a structure of three levels and sees who owns it and why. The other one compares the declared owners with the
register, resolves a discrepancy, and prints the review.
"""

import re
from datetime import UTC, date, datetime

import pytest
from playwright.async_api import expect

from bonafide.i18n.catalog import translate
from bonafide.i18n.language import Language
from bonafide.i18n.message import Message
from bonafide.model.accounts.users import Role
from tests.support.browser.members import People
from tests.support.browser.tabs import NewTab, Tab, Visitor
from tests.support.pdf.sheets import text_of

pytestmark = [pytest.mark.anyio, pytest.mark.slow]
BAKERY = "Sandbox Bakery Inc."


@pytest.fixture(params=[True, False], ids=["with scripts", "without scripts"])
def scripts(request: pytest.FixtureRequest) -> bool:
    return bool(request.param)


@pytest.fixture(params=list(Language))
def language(request: pytest.FixtureRequest) -> Language:
    chosen: Language = request.param
    return chosen


class Typist:
    """Somebody who uses the keyboard only, and knows what follows what."""

    def __init__(self, tab: Tab) -> None:
        self._keyboard = tab.page.keyboard
        self._tab = tab

    async def go(self, fields: int = 1) -> None:
        """Press the tab key."""
        for _ in range(fields):
            await self._keyboard.press("Tab")

    async def go_to(self, name: str) -> None:
        """Press the tab key until the element of this name or id has the focus."""
        for _ in range(200):
            focused = await self._tab.page.locator(":focus").evaluate_all("all => all.map(one => one.name || one.id)")
            if name in focused:
                return
            await self.go()
        pytest.fail(f"the tab key never leads to {name}")

    async def follow(self, text: str) -> None:
        """Press the tab key until the link or button of this text has the focus, then the enter key."""
        for _ in range(200):
            focused = await self._tab.page.locator(":focus").evaluate_all("all => all.map(one => one.innerText.trim())")
            if text in focused:
                await self._keyboard.press("Enter")
                return
            await self.go()
        pytest.fail(f"the tab key never leads to {text}")

    async def set_day(self, day: date) -> None:
        """Fill the field of a date that has the focus. The order of its parts is the browser's own."""
        await self._tab.page.locator(":focus").fill(day.isoformat())

    async def type(self, text: str) -> None:
        """Type into the field that has the focus, or choose the option of a list that begins so."""
        await self._keyboard.type(text)

    async def row(self, *texts: str) -> None:
        """Fill the fields of a row, beginning with the one that has the focus; ends behind the last of `texts`."""
        for text in texts:
            if text:
                await self.type(text)
            await self.go()


def say(text: str, language: Language) -> str:
    return translate(Message(text), language)


async def test_three_levels_are_typed_and_the_ultimate_owner_is_explained(
    new_tab: NewTab, people: People, language: Language, *, scripts: bool
) -> None:
    tab = await new_tab(Visitor(session=await people.session(Role.ANALYST), scripts=scripts, language=language))
    async with people.api((await people.key()).text) as api:
        business = (await api.post("/businesses", json={"name": BAKERY})).json()["business"]["id"]
    await tab.open(f"/console/businesses/{business}/ownership")
    await tab.shows(say("Nobody has stated who owns this business", language))
    await tab.is_sound()
    await tab.follow(say("Declared by the business", language))
    hand = Typist(tab)
    kinds = {kind: say(kind, language) for kind in ("Business", "Person")}
    await hand.go_to("declaredBy")
    await hand.type("Jane Doe")
    await hand.go_to("parties.1.kind")
    await hand.row(kinds["Business"], "Holding Ltd.", "ON")
    await hand.go_to("parties.2.kind")
    await hand.row(kinds["Person"], "Jane Doe")
    await hand.go_to("interests.0.owner")
    await hand.row("2", "1", "", "50")
    await hand.go_to("interests.1.owner")
    await hand.row("3", "2", "", "60")
    await tab.page.keyboard.press("Enter")
    await tab.is_at(f"/console/businesses/{business}/ownership")
    chain = tab.main.locator("[aria-labelledby=owners] li")
    await expect(chain).to_have_count(1)
    words = await chain.inner_text()
    places = [words.index(part) for part in ("Jane Doe", "60", "Holding Ltd.", "50", BAKERY, "30")]
    assert places == sorted(places)
    await expect(tab.main.locator(".diagram svg[role=img]")).to_be_visible()
    await expect(tab.main.locator("[aria-labelledby=interests] tbody tr")).to_have_count(3)
    await tab.is_sound()
    await tab.main.locator("a[href$='/declared']").click()
    await tab.is_headed(re.compile(BAKERY))
    await tab.is_sound()


async def test_a_discrepancy_is_found_resolved_and_printed(
    new_tab: NewTab, people: People, language: Language, *, scripts: bool
) -> None:
    tab = await new_tab(Visitor(session=await people.session(Role.ANALYST), scripts=scripts, language=language))
    business = await declare_owners(people)
    await tab.open(f"/console/businesses/{business}/ownership-reviews/new")
    await tab.is_sound()
    hand = Typist(tab)
    await hand.go_to("individuals.0.name")
    await hand.type("Jane Doe")
    await hand.go_to("consultedOn")
    await hand.set_day(datetime.now(UTC).date())
    await hand.go_to("riskRating")
    await hand.type(say("High risk", language))
    await hand.go_to("foundOn")
    await tab.page.keyboard.press("Enter")
    review = f"/console/businesses/{business}/ownership-reviews/[0-9a-f-]{{36}}"
    await tab.is_at(review)
    await tab.shows(say("Missing in the register", language))
    await tab.is_sound()
    await hand.follow("Jean Tremblay")
    await tab.is_at(f"/console/businesses/{business}/discrepancies/[0-9a-f-]{{36}}")
    await tab.is_sound()
    for decision in ("Record the report", "Change the class", "Resolve"):
        await hand.follow(say(decision, language))
        await expect(tab.main.locator(".tabs [aria-current]")).to_have_text(say(decision, language))
        await tab.is_sound()
    await hand.go_to("resolution")
    await hand.type("BO-1: the register was corrected.")
    await hand.follow(say("Resolve", language))
    await tab.shows("BO-1: the register was corrected.", within=tab.main.locator("[aria-labelledby=decisions]"))
    await tab.is_sound()
    await hand.follow(say("View review", language))
    await tab.is_at(review)
    async with tab.page.expect_download() as saved:
        await hand.follow(say("PDF report", language))
    printed = " ".join(text_of((await (await saved.value).path()).read_bytes()).split())
    assert f"Jean Tremblay {say('Missing in the register', language)} {say('Resolved', language)}" in printed
    assert "BO-1: the register was corrected." in printed


async def declare_owners(people: People) -> str:
    """A federal corporation with two declared owners; returns the ID of its record."""
    async with people.api((await people.key()).text) as api:
        created = await api.post("/businesses", json={"name": BAKERY, "jurisdiction": "FED"})
        business: str = created.raise_for_status().json()["business"]["id"]
        owners = {"jane": ("Jane Doe", 0.6), "jean": ("Jean Tremblay", 0.4)}
        statement = {
            "asOf": "2026-01-01",
            "parties": [
                {"id": "business", "kind": "business", "name": BAKERY, "businessId": business},
                *({"id": one, "kind": "person", "name": name} for one, (name, _) in owners.items()),
            ],
            "interests": [
                {"id": one, "owner": one, "owned": "business", "kind": "shares", "share": {"exact": share}}
                for one, (_, share) in owners.items()
            ],
        }
        (await api.put(f"/businesses/{business}/ownership", json=statement)).raise_for_status()
    return business
