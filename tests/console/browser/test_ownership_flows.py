"""An analyst types a structure of three levels with the keyboard alone, and sees in both languages who owns it and why."""

import re

import pytest
from playwright.async_api import expect

from bonafide.i18n.catalog import translate
from bonafide.i18n.language import Language
from bonafide.i18n.message import Message
from bonafide.model.accounts.users import Role
from tests.support.browser.members import People
from tests.support.browser.tabs import NewTab, Tab, Visitor

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
