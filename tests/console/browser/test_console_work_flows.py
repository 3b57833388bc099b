"""What an analyst does in the console, from the first click to what comes of it; each with scripts and without."""

import re

import httpx2
import pytest
from playwright.async_api import expect

from bonafide.model.accounts.users import Role
from tests.support.browser.members import PASSWORD, People
from tests.support.browser.tabs import NewTab, Tab, Visitor

pytestmark = [pytest.mark.anyio, pytest.mark.slow]
BAKERY, TWIN = "Sandbox Bakery Inc.", "Sandbox Twin Holdings Inc."
NAME = "Business name or number"
LISTED = "Sandbox Sanctioned Trading Ltd."


@pytest.fixture(params=[True, False], ids=["with scripts", "without scripts"])
def scripts(request: pytest.FixtureRequest) -> bool:
    return bool(request.param)


@pytest.fixture
async def analyst(new_tab: NewTab, people: People, *, scripts: bool) -> Tab:
    """An analyst's browser, with nothing in it yet."""
    return await new_tab(Visitor(session=await people.session(Role.ANALYST), scripts=scripts))


async def searched(api: httpx2.AsyncClient, *names: str) -> None:
    """Searches of a program, the first of them the oldest."""
    for name in names:
        (await api.post("/search", json={"name": name, "matchSelection": True})).raise_for_status()


# -------------------------------------------------------------------------------------------------------------- sign in


async def test_somebody_signs_in_after_a_slip_and_out_again(new_tab: NewTab, people: People, *, scripts: bool) -> None:
    email = await people.add(Role.ANALYST)
    tab = await new_tab(Visitor(scripts=scripts))
    await tab.open("/console/profile?from=link")
    await tab.is_at(r"/console/sign-in\?next=.*")
    await tab.fill({"Email": email, "Password": "not this one"})
    await tab.press("Sign in")
    await tab.shows("The email address or password is incorrect.")
    await tab.fill({"Password": PASSWORD})
    await tab.press("Sign in")
    await tab.is_at(r"/console/profile\?from=link")
    await tab.press("Sign out", within=tab.side)
    await tab.is_at("/console/sign-in")
    await tab.open("/console/searches")
    await tab.is_at(r"/console/sign-in\?next=.*")


# --------------------------------------------------------------------------------------------------------------- search


async def test_a_business_is_found_its_score_explained_and_printed(analyst: Tab) -> None:
    await analyst.open("/console/search")
    if analyst.scripts:
        await analyst.fill({NAME: "sandbox bak"})
        await expect(analyst.page.get_by_role("option").first).to_contain_text(BAKERY)
        await analyst.is_sound()
        await analyst.press_key("ArrowDown")
        await analyst.press_key("Enter")
        await analyst.shows("Ontario, 1000017")
    else:
        await analyst.fill({NAME: BAKERY})
    await analyst.press("Search")
    await analyst.is_headed(BAKERY)
    await analyst.unfold("Why")
    await analyst.shows("Submitted", within=analyst.main.locator("details.why").first)
    await analyst.shows(re.compile(r"\d sources? w\w+’t checked or ha"))
    assert (await analyst.save("PDF")).startswith(b"%PDF")


async def test_a_person_follows_a_search_while_a_source_is_slow(analyst: Tab) -> None:
    await analyst.open("/console/search?name=Sandbox+Timeout+Ltd.")
    await analyst.press("Search")
    under_way = analyst.page.locator("main:has(h1:text('Searching for “Sandbox Timeout Ltd.”')) #answers li")
    await expect(under_way.first).to_be_visible()
    await analyst.is_headed("Sandbox Timeout Ltd.")
    await analyst.shows("TIMEOUT")


async def test_a_person_chooses_a_match_takes_it_back_and_chooses_none(analyst: Tab) -> None:
    await analyst.open(f"/console/search?name={TWIN}")
    await analyst.unfold("More details and options")
    await analyst.tick("Select the match automatically")
    await analyst.press("Search")
    await analyst.is_headed(TWIN)
    chosen = analyst.main.locator("#selection")
    await analyst.shows("Needs review", within=chosen)
    await analyst.press(f"Select this match {TWIN}, Ontario")
    await analyst.shows("Selected by a reviewer", within=chosen)
    await analyst.press("Undo selection")
    await analyst.shows("Needs review", within=chosen)
    await analyst.press("None of these")
    await analyst.shows("None of the results is this business.", within=chosen)


async def test_a_search_without_a_name_says_so_where_it_is_missing(analyst: Tab) -> None:
    await analyst.open("/console/search")
    await analyst.main.locator("form[data-search]").evaluate("form => { form.noValidate = true }")
    await analyst.press("Search")
    await expect(analyst.field(NAME)).to_have_attribute("aria-invalid", "true")
    await analyst.is_sound()


# ------------------------------------------------------------------------------------------------------------- searches


async def test_searches_are_narrowed_put_away_and_taken_out_again(analyst: Tab, api: httpx2.AsyncClient) -> None:
    await searched(api, BAKERY, TWIN, "Sandbox Outage Ltd.")
    rows = analyst.main.locator("tbody tr")
    await analyst.open("/console/searches")
    await expect(rows).to_have_count(3)
    await analyst.fill({"Search by name": "bakery"})
    await analyst.press("Filter")
    await expect(rows).to_have_count(1)
    await analyst.press(f"Archive {BAKERY}")
    await analyst.shows("Searches archived: 1.")
    await analyst.follow("Reset")
    await expect(rows).to_have_count(2)
    await analyst.tick("Select all on this page" if analyst.scripts else f"Select {TWIN}")
    await analyst.press("Archive selected")
    await analyst.shows("Searches archived: 2." if analyst.scripts else "Searches archived: 1.")
    await analyst.choose("Archive", "Archived")
    await analyst.press("Filter")
    await expect(rows).to_have_count(3 if analyst.scripts else 2)
    await analyst.press(f"Restore {BAKERY}")
    await analyst.shows("Searches restored: 1.")
    await expect(rows).to_have_count(2 if analyst.scripts else 1)


# --------------------------------------------------------------------------------------------------------------- review


async def test_searches_that_wait_are_decided_without_leaving_the_keyboard(
    new_tab: NewTab, people: People, api: httpx2.AsyncClient
) -> None:
    await searched(api, TWIN, "Sandbox Twin Holdings")
    tab = await new_tab(Visitor(session=await people.session(Role.ANALYST)))
    await tab.open("/console/review")
    await tab.shows("1 of 2")
    await tab.press_key("j")
    await tab.shows("2 of 2")
    await tab.press_key("k")
    await tab.shows("1 of 2")
    await tab.press_key("?")
    await tab.shows("Select that match")
    await tab.press_key("1")
    await tab.shows("Selected by a reviewer")
    await tab.press_key("u")
    await tab.shows("1 of 2")
    await tab.press_key("c")
    await tab.page.keyboard.type("not this name, x")
    await tab.press_key("Tab")
    await tab.press_key("n")
    await tab.shows("No match", within=tab.main.get_by_role("status"))
    await tab.press_key("x")
    await tab.shows("All caught up")


async def test_they_are_decided_with_buttons_too(new_tab: NewTab, people: People, api: httpx2.AsyncClient) -> None:
    await searched(api, TWIN, "Sandbox Twin Holdings")
    tab = await new_tab(Visitor(session=await people.session(Role.ANALYST), scripts=False))
    await tab.open("/console/review")
    await tab.follow("Skip")
    await tab.shows("2 of 2")
    await tab.follow("Previous")
    await tab.shows("1 of 2")
    await tab.main.get_by_role("button", name="Select this match").first.click()
    await tab.shows("Selected by a reviewer")
    await tab.press("Undo")
    await tab.press("None of these")
    await tab.shows("No match", within=tab.main.get_by_role("status"))
    await tab.press("Close search")
    await tab.shows("All caught up")


# -------------------------------------------------------------------------------------------------------- verifications


async def test_a_claim_stands_beside_the_register_with_its_differences_marked(analyst: Tab) -> None:
    await analyst.open("/console/verifications")
    await analyst.follow("New verification")
    await analyst.choose("Registered in", "Ontario")
    await analyst.fill({"Legal name": "Sandbox Backery Inc.", "Registration number": "1000017", "City": "Toronto"})
    await analyst.press("Verify")
    await analyst.is_headed("Sandbox Backery Inc.")
    row = analyst.main.locator("#comparison tr", has_text="Legal name")
    await expect(row.locator("del")).to_have_text("c")
    await analyst.follow("Verify again")
    await expect(analyst.field("Legal name")).to_have_value("Sandbox Backery Inc.")
    await analyst.open("/console/verifications")
    await expect(analyst.main.locator("tbody tr")).to_contain_text("Sandbox Backery Inc.")


async def test_a_verification_that_takes_its_time_tells_by_itself_how_it_ended(analyst: Tab) -> None:
    await analyst.open("/console/verifications/new")
    await analyst.choose("Registered in", "Alberta")
    await analyst.fill({"Legal name": "Sandbox Failing Registry Inc.", "Registration number": "2010000041"})
    await analyst.press("Verify")
    await analyst.shows("This verification failed and has no result.")


# ------------------------------------------------------------------------------------------------------------ sanctions


async def test_a_hit_is_dismissed_with_a_reason_and_opened_again(analyst: Tab) -> None:
    await analyst.open("/console/sanctions")
    await analyst.fill({"Name of a business, person, vessel or aircraft": LISTED})
    await analyst.press("Screen")
    await analyst.unfold("Why")
    await analyst.shows("Starting score")
    await analyst.follow("Dismiss hit…")
    await analyst.fill({"Why is this a different party?": "Our customer was founded in another country."})
    await analyst.press("Dismiss hit")
    await analyst.shows("Previously dismissed (1)")
    await analyst.unfold("Dismissed")
    await analyst.shows("Our customer was founded in another country.")
    await analyst.follow("View decision")
    await analyst.fill({"Reason (optional)": "The list was right."})
    await analyst.press("Revoke")
    await analyst.shows("The list was right.")
    await analyst.open("/console/sanctions/dismissals")
    await analyst.shows("Revoked", within=analyst.main.locator("tbody"))


# ---------------------------------------------------------------------------------------------------------------- roles


async def test_who_only_reads_sees_no_way_to_change_anything(
    new_tab: NewTab, people: People, api: httpx2.AsyncClient, *, scripts: bool
) -> None:
    await searched(api, TWIN)
    tab = await new_tab(Visitor(session=await people.session(Role.VIEWER), scripts=scripts))
    await tab.open("/console")
    await tab.is_at("/console/overview")
    await expect(tab.main.locator("form")).to_have_count(0)
    await tab.open("/console/searches")
    await tab.follow(TWIN)
    await tab.shows("Needs review", within=tab.main.locator("#selection"))
    for path in ("/console/searches", "/console/review", "/console/verifications", "/console/businesses", "/console/sanctions"):
        await tab.open(path)
        await expect(tab.main.locator("form[method=post] button")).to_have_count(0)
    assert await tab.open("/console/search") == 403
    await tab.is_headed("Access denied")
