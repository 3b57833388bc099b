"""Lists by keyboard: the palette and the single keys, and an action on several records that reports itself."""

import pytest
from playwright.async_api import expect

from bonafide.model.accounts.users import Role
from tests.support.browser.members import People
from tests.support.browser.tabs import NewTab, Visitor

pytestmark = [pytest.mark.anyio, pytest.mark.slow]


async def test_everything_is_found_and_an_action_is_chosen_by_keyboard(people: People, new_tab: NewTab) -> None:
    tab = await new_tab(Visitor(session=await people.session(Role.ANALYST)))
    key = await people.key()
    async with people.api(key.text) as api:
        for name in ("Otter Bakery Ltd.", "Otter Foods Ltd."):
            (await api.post("/businesses", json={"name": name})).raise_for_status()
    await tab.open("/console/searches")
    await tab.press_key("/")
    await expect(tab.page.locator("#text")).to_be_focused()
    await tab.page.keyboard.type("a/?")
    await expect(tab.page.locator("#text")).to_have_value("a/?")
    await tab.press_key("Control+k")
    palette = tab.page.get_by_role("dialog", name="Find")
    box, options = palette.get_by_role("combobox"), palette.get_by_role("option")
    await expect(box).to_be_focused()
    await tab.page.keyboard.type("otter")
    await expect(options).to_have_count(3)
    await expect(box).to_have_attribute("aria-expanded", "true")
    await tab.is_sound()
    await tab.press_key("ArrowDown")
    await expect(palette.get_by_role("option", selected=True)).to_contain_text("Otter Bakery")
    await tab.press_key("Enter")
    await tab.is_headed("Otter Bakery Ltd.")
    await tab.press_key("?")
    await expect(tab.page.get_by_role("dialog", name="Keyboard shortcuts")).to_be_visible()
    await tab.press_key("Escape")
    await expect(tab.page.get_by_role("dialog")).to_have_count(0)
    await tab.open("/console/businesses?text=otter")
    await tab.is_sound()
    await tab.page.get_by_label("Select all on this page").focus()
    await tab.press_key("Space")
    await tab.page.get_by_role("button", name="Archive", exact=True).focus()
    await tab.press_key("Enter")
    await tab.is_headed("Archive: 2 records")
    await tab.shows("All done.")
    await tab.is_sound()


async def test_without_scripts_the_link_leads_to_the_same_results(people: People, new_tab: NewTab) -> None:
    tab = await new_tab(Visitor(session=await people.session(Role.ANALYST), scripts=False))
    await tab.open("/console/searches")
    await tab.follow("Find", within=tab.side)
    await tab.is_headed("Find")
    await tab.fill({"Business, search, verification, case number or page": "sources"})
    await tab.press("Find")
    await tab.follow("Sources")
    await tab.is_headed("Sources")
