"""Risk rules in a browser by keyboard alone: a rule is written, tried on past results and activated; a result states its points."""

import pytest
from playwright.async_api import expect

from bonafide.model.accounts.users import Role
from tests.support.browser.members import People
from tests.support.browser.tabs import NewTab, Tab, Visitor

pytestmark = [pytest.mark.anyio, pytest.mark.slow]
MOST_STOPS = 120
"""More than any of these pages has places where the tabulator key stops."""
_LABEL = "() => document.activeElement.labels?.[0]?.textContent.trim() ?? ''"
_TEXT = "() => document.activeElement.labels?.length ? '' : document.activeElement.textContent.trim()"


async def go_to(tab: Tab, text: str, shown: str) -> None:
    """Move the focus to the element for which the script `shown` returns this text."""
    await tab.page.wait_for_load_state()
    for _ in range(MOST_STOPS):
        await tab.page.keyboard.press("Tab")
        if await tab.page.evaluate(shown) == text:
            return
    raise AssertionError(f"{text} can't be reached on {tab.page.url}")


async def enter(tab: Tab, text: str) -> None:
    """Press Enter on the link or the button of this text."""
    await go_to(tab, text, _TEXT)
    await tab.page.keyboard.press("Enter")


async def write(tab: Tab, field: str, text: str) -> None:
    """Type into the field of this label, in place of what it has."""
    await go_to(tab, field, _LABEL)
    await tab.page.keyboard.press("Control+A")
    await tab.page.keyboard.type(text)


async def test_a_rule_is_written_tried_and_activated_by_keyboard(new_tab: NewTab, people: People) -> None:
    async with people.api((await people.key()).text) as api:
        found = (await api.post("/search", json={"name": "Sandbox Bakery Inc."})).raise_for_status().json()
        tab = await new_tab(Visitor(session=await people.session(Role.OWNER)))
        await tab.open("/console/risk")
        await enter(tab, "Edit as a draft")
        await tab.is_headed("Draft (version 1)")
        await enter(tab, "Add a rule")
        await tab.is_headed("New rule")
        await write(tab, "Title", "The register has the business")
        await write(tab, "Condition", "registry.fond")
        await write(tab, "Points", "100")
        await write(tab, "Reason", "Only for this test.")
        await enter(tab, "Save to the draft")
        await tab.shows("did you mean “registry.found”?")
        await tab.is_sound()
        await write(tab, "Condition", "registry.found")
        await enter(tab, "Save to the draft")
        await tab.shows("The draft was saved.")
        await enter(tab, "Try on past results")
        await tab.is_headed("Version 1 on past results")
        await tab.is_sound()
        await enter(tab, "Activate version 1")
        await tab.shows("Version 1 is in use.")
        await tab.is_sound()
        again = (await api.post("/search", json={"name": "Sandbox Bakery Inc."})).raise_for_status().json()
    await tab.open(f"/console/searches/{found['meta']['searchId']}")
    await tab.shows("There is no rating yet.")
    await tab.open(f"/console/searches/{again['meta']['searchId']}")
    await expect(tab.main.locator("#risk")).to_contain_text("The register has the business")
    await tab.is_sound()
