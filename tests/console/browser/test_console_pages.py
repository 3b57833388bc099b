"""Every page there is, found from the routes: light, read by everybody, safe, and whole on a phone and in both themes."""

import pytest

from bonafide.i18n.language import Language
from bonafide.model.accounts.users import Role
from bonafide_bench.seeding.console_pages import build_page_address
from tests.support.browser.members import LivedInBy
from tests.support.browser.page_addresses import NOWHERE, every_template
from tests.support.browser.page_audit import MAX_PAGE_BYTES, weight_of
from tests.support.browser.tabs import NewTab, Visitor

pytestmark = [pytest.mark.anyio, pytest.mark.slow]


@pytest.fixture(scope="session")
async def owner_session(lived_in: LivedInBy) -> str:
    return await lived_in.people.session(Role.OWNER)


@pytest.mark.parametrize("template", every_template())
async def test_a_page_is_light_accessible_and_whole(
    template: str, owner_session: str, new_tab: NewTab, lived_in: LivedInBy
) -> None:
    tab = await new_tab(Visitor(session=owner_session))
    assert await tab.open(build_page_address(template, lived_in.made)) == (404 if template == NOWHERE else 200)
    sent = await weight_of(tab.page)
    assert sum(sent.values()) < MAX_PAGE_BYTES, sent
    await tab.is_sound()


async def test_the_pages_before_the_console_are_too(new_tab: NewTab, lived_in: LivedInBy) -> None:
    tab = await new_tab(Visitor())
    for address in ("/console/sign-in", await lived_in.people.invitation("new@hautes-terres.example")):
        await tab.open(address)
        assert sum((await weight_of(tab.page)).values()) < MAX_PAGE_BYTES
        await tab.is_sound()


@pytest.mark.parametrize("template", ["/console/searches/{id}", "/console/review", "/console/events", "/console/settings"])
async def test_a_page_is_whole_in_french(template: str, owner_session: str, new_tab: NewTab, lived_in: LivedInBy) -> None:
    """Its words are longer."""
    tab = await new_tab(Visitor(session=owner_session, language=Language.FRENCH))
    await tab.open(build_page_address(template, lived_in.made))
    assert await tab.page.locator("html").get_attribute("lang") == "fr"
    await tab.is_sound()
