"""What owners do in the console, and what is read there: keys, records, settings, members, sources, documentation; with scripts and
without.
"""

import re

import pytest
from playwright.async_api import FilePayload, expect

from bonafide.model.accounts.users import Role
from tests.support.browser.members import PASSWORD, People
from tests.support.browser.tabs import NewTab, Tab, Visitor

pytestmark = [pytest.mark.anyio, pytest.mark.slow]
BAKERY, TWIN = "Sandbox Bakery Inc.", "Sandbox Twin Holdings Inc."
RECORDS = """externalId,name,jurisdiction,registrationNumber,city
crm-1,Sandbox Bakery Inc.,ON,1000017,Toronto
crm-2,Sandbox Boulangerie Ltée,QC,1160000017,Montréal
crm-3,Nowhere Ltd.,ZZ,1,
"""
LOGO = bytes.fromhex(
    "89504e470d0a1a0a0000000d4948445200000001000000010802000000907753de0000000c49444154789c6338a3a4040002ce01115aea98590000000049454e44"
    "ae426082"
)
"""A picture of one red dot."""


@pytest.fixture(params=[True, False], ids=["with scripts", "without scripts"])
def scripts(request: pytest.FixtureRequest) -> bool:
    return bool(request.param)


@pytest.fixture
async def owner(new_tab: NewTab, people: People, *, scripts: bool) -> Tab:
    """An owner's browser, with nothing in it yet."""
    return await new_tab(Visitor(session=await people.session(Role.OWNER), scripts=scripts))


# ----------------------------------------------------------------------------------------------------------------- keys


async def test_a_key_is_made_used_replaced_and_revoked(owner: Tab, people: People) -> None:
    await owner.open("/console/keys")
    await owner.fill({"Name": "Our shop"})
    await owner.press("Create key")
    await owner.is_headed("New API key")
    key = await owner.main.locator("#secret").inner_text()
    await owner.is_sound()
    assert await status_with(people, key) == 200
    await owner.follow("Done")
    await owner.follow("Our shop")
    await owner.press("Rotate key")
    successor = await owner.main.locator("#secret").inner_text()
    assert [await status_with(people, text) for text in (key, successor)] == [200, 200]
    await owner.follow("API keys")
    await owner.follow("Our shop")
    await owner.follow("Revoke key")
    await owner.press("Revoke")
    await owner.unfold("Inactive keys")
    await owner.shows("Revoked")
    assert sorted([await status_with(people, text) for text in (key, successor)]) == [200, 401]


async def status_with(people: People, key: str) -> int:
    """What a search over the API is answered with."""
    async with people.api(key) as api:
        return (await api.post("/search", json={"name": BAKERY})).status_code


# -------------------------------------------------------------------------------------------------------------- records


async def test_a_record_is_kept_changed_and_its_trail_checked(owner: Tab) -> None:
    await owner.open("/console/businesses")
    await owner.follow("New record")
    await owner.main.locator("[name=name]").fill(BAKERY)
    await owner.choose("Jurisdiction", "Ontario")
    await owner.main.locator("[name=registrationNumber]").fill("1000017")
    await owner.press("Save")
    await owner.is_headed(BAKERY)
    await owner.follow("Edit")
    await owner.main.locator("[name=city]").fill("Toronto")
    await owner.press("Save")
    await owner.shows("Toronto")
    await owner.press("Monitor")
    await owner.shows("Stop monitoring")
    await owner.follow("Audit log")
    await owner.follow("Verify hashes")
    await owner.shows("audit log is intact")
    await owner.open("/console/businesses?text=bakery")
    await owner.follow(BAKERY)
    await owner.follow("Search")
    await owner.press("Search")
    await owner.is_headed(BAKERY)
    await owner.shows("Your record")


async def test_a_file_shows_what_it_would_do_then_does_it_and_comes_out_again(owner: Tab) -> None:
    await owner.open("/console/businesses/import")
    file: FilePayload = {"name": "records.csv", "mimeType": "text/csv", "buffer": RECORDS.encode()}
    await owner.main.locator("input[type=file]").set_input_files(file)
    await owner.press("Preview import")
    await owner.is_headed("Import preview")
    await owner.shows("Nowhere Ltd.", within=owner.main.locator("[aria-labelledby=refused]"))
    await owner.is_sound()
    await owner.press("Import 2 rows")
    await owner.is_headed("Import results")
    await owner.is_sound()
    refused = await owner.save("Download rejected rows (CSV)")
    assert b"crm-3" in refused
    assert b"crm-1" not in refused
    await owner.follow("View records")
    await expect(owner.main.locator("tbody tr")).to_have_count(2)
    exported = await owner.save("CSV")
    assert "Sandbox Boulangerie Ltée" in exported.decode("utf-8-sig")


# ------------------------------------------------------------------------------------------------------------- settings


async def test_thresholds_are_tried_on_past_searches_before_they_are_saved(owner: Tab, people: People) -> None:
    async with people.api((await people.key()).text) as api:
        (await api.post("/search", json={"name": TWIN, "matchSelection": True})).raise_for_status()
    await owner.open("/console/settings")
    if owner.scripts:
        await owner.shows("No recent search would have a different outcome (searches checked: 1).")
    await owner.fill({"Minimum lead over the runner-up": "0"})
    if not owner.scripts:
        await owner.press("Preview on past searches")
    await owner.shows("1 of your last 1 searches would have a different outcome.")
    await owner.is_sound()
    await owner.press("Save Searches")
    await owner.shows("Changes saved.")
    await expect(owner.field("Minimum lead over the runner-up")).to_have_value(re.compile(r"0(\.0)?"))


async def test_reports_get_a_name_and_a_logo(owner: Tab) -> None:
    await owner.open("/console/settings")
    await owner.fill({"Name on the cover page": "Nordic Bank"})
    logo: FilePayload = {"name": "logo.png", "mimeType": "image/png", "buffer": LOGO}
    await owner.field("Logo").set_input_files(logo)
    await owner.press("Save Report branding")
    await owner.shows("Changes saved.")
    picture = owner.main.get_by_role("img", name="Logo of Nordic Bank")
    await expect(picture).to_have_js_property("naturalWidth", 1)


# -------------------------------------------------------------------------------------------------------------- members


async def test_somebody_is_invited_joins_and_gets_another_role(new_tab: NewTab, owner: Tab, *, scripts: bool) -> None:
    await owner.open("/console/members")
    email = f"grace-{owner.page.url.rpartition(':')[2].partition('/')[0]}-{scripts}@hopper.example".lower()
    await owner.fill({"Email": email})
    await owner.press("Create invitation link")
    link = await owner.field("Link").input_value()
    guest = await new_tab(Visitor(scripts=scripts))
    await guest.open(link.removeprefix(guest.base_url))
    await guest.fill({"Your name": "Grace Hopper", "New password": PASSWORD})
    await guest.press("Join")
    await guest.is_headed("Overview")
    await owner.open("/console/members")
    await owner.choose(f"Role of {email}", "Viewer")
    await owner.press(f"Update Role of {email}")
    await owner.shows("No pending invitations.")
    assert await guest.open("/console/search") == 403
    await owner.unfold(f"Remove {email}")
    await owner.press(f"Remove {email}")
    await expect(owner.main.get_by_text(email)).to_have_count(0)


async def test_somebody_reads_the_console_in_french_from_now_on(owner: Tab) -> None:
    await owner.open("/console/profile")
    await owner.choose("Language", "Français")
    await owner.press("Save")
    await owner.is_headed("Profil")
    await owner.open("/console/searches")
    await expect(owner.page.locator("html")).to_have_attribute("lang", "fr")


# --------------------------------------------------------------------------------------------------------------- sources


async def test_the_map_leads_to_a_register_and_its_runs(owner: Tab) -> None:
    await owner.open("/console/sources")
    await owner.follow(re.compile("^Ontario: "))
    await owner.is_at("/console/sources/on")
    await expect(owner.main.get_by_role("img", name="Entries after each load")).to_be_visible()
    await expect(owner.main.get_by_role("table").last).to_be_visible()


# ------------------------------------------------------------------------------------------------------- documentation


async def test_an_example_runs_with_a_sandbox_key_and_the_next_goes_on_from_it(new_tab: NewTab, people: People) -> None:
    tab = await new_tab(Visitor())
    await tab.open("/docs/api/searches")
    search = tab.page.locator("form.try[data-operation=createSearch]")
    field = tab.page.get_by_label("Sandbox key")
    await field.fill((await people.key()).text)
    await search.get_by_role("button").click()
    answer = search.locator("[data-answer]")
    await expect(answer.locator(".badge")).to_contain_text("200")
    await expect(answer.locator("pre")).to_contain_text("Sandbox Bakery Inc.")
    search_id = await tab.page.evaluate("sessionStorage.getItem('bonafide.reference.search')")
    selection = tab.page.locator("form.try[data-operation=selectMatch]")
    await expect(selection.locator("[data-path]")).to_have_value(f"/v1/search/{search_id}/selection")
    await selection.get_by_role("button").click()
    await expect(selection.locator("[data-answer] .badge")).to_contain_text("200")
    kept = await tab.page.evaluate("JSON.stringify([sessionStorage, localStorage, document.cookie])")
    assert "bf_test_" not in kept


async def test_only_a_sandbox_key_is_sent(new_tab: NewTab) -> None:
    tab = await new_tab(Visitor())
    sent: list[str] = []
    tab.page.on("request", lambda request: sent.append(request.url) if "/v1/" in request.url else None)
    await tab.open("/docs/api/coverage")
    button = tab.page.locator("form.try").get_by_role("button")
    await button.click()
    await expect(tab.page.locator("#sandbox-key-problem")).to_contain_text("Enter a sandbox key first")
    await tab.page.get_by_label("Sandbox key").fill("bf_live_0123456789")
    await button.click()
    await expect(tab.page.locator("#sandbox-key-problem")).to_contain_text("not a sandbox key")
    assert sent == []


async def test_without_javascript_the_examples_are_there_to_copy(new_tab: NewTab) -> None:
    tab = await new_tab(Visitor(scripts=False))
    await tab.open("/docs/api/searches")
    await expect(tab.page.get_by_role("region", name="curl: createSearch")).to_contain_text("/v1/search")
    await expect(tab.page.locator("form.try").first).to_be_hidden()
    await expect(tab.page.get_by_label("Sandbox key")).to_be_hidden()


async def test_the_changelog_can_be_subscribed_to(new_tab: NewTab) -> None:
    tab = await new_tab(Visitor(scripts=False))
    await tab.open("/changelog")
    feed = await tab.page.locator("link[type='application/rss+xml']").first.get_attribute("href")
    answer = await tab.page.request.get(f"{tab.base_url}{feed}")
    assert "<rss" in await answer.text()
