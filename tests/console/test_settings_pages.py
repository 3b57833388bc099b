"""The page of settings: what is saved is what the API's settings are, thresholds are tried on past searches, logos are checked."""

import base64
import re
from collections.abc import AsyncIterator
from html import unescape
from pathlib import Path

import httpx2
import pytest

from bonafide.model.accounts.account_settings import AccountSettings
from bonafide.model.accounts.branding import MAX_LOGO_BYTES
from bonafide.model.accounts.organizations import World
from bonafide.model.accounts.users import Role
from bonafide.runtime import Runtime
from bonafide.services.accounts.organizations import find_organization, read_settings, read_settings_audit_log
from tests.support.console.installation import installation
from tests.support.console.searches import words_of
from tests.support.console.sessions import csrf_of, send, signed_in_client

pytestmark = pytest.mark.anyio
SETTINGS = "/console/settings"
PREVIEW = f"{SETTINGS}/preview"
HTMX = {"HX-Request": "true"}
PIXEL = base64.b64decode("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==")
"""A PNG of one pixel."""
SEARCHES = {
    "part": "searches",
    "search.businessRegistry": "true",
    "search.regulatoryRegistry": "true",
    "search.websiteAnalysis": "true",
    "search.regulatoryRegistryThreshold": "0.85",
    "search.sanctionsThreshold": "0.85",
    "matchSelection.autoSelectThreshold": "0.95",
    "matchSelection.autoSelectMargin": "0.05",
    "matchSelection.reviewThreshold": "0.7",
}
"""The form as it stands when nothing was ever set."""


@pytest.fixture
async def runtime(sqlite_template: Path, tmp_path: Path, sandbox_data: Path) -> AsyncIterator[Runtime]:
    async with installation(sqlite_template, tmp_path, sandbox_data) as opened:
        yield opened


@pytest.fixture
async def owner(runtime: Runtime) -> AsyncIterator[httpx2.AsyncClient]:
    async with await signed_in_client(runtime) as client:
        yield client


async def saved(runtime: Runtime, organization: str = "north") -> AccountSettings:
    return await read_settings(runtime, (await find_organization(runtime, organization, World.SANDBOX)).id)


def fields(page: str) -> dict[str, str]:
    """The number, text and colour fields of a page with their values."""
    found = re.findall(r'<input type="(?:number|text|color)" id="[^"]+" name="([^"]+)" value="([^"]*)"', page)
    return {name: unescape(value) for name, value in found}


async def upload(owner: httpx2.AsyncClient, logo: bytes, **form: str) -> httpx2.Response:
    data = {"csrf": csrf_of(await owner.get(SETTINGS)), "part": "branding", **form}
    return await owner.post(SETTINGS, data=data, files={"branding.logo": ("logo.png", logo, "image/png")})


# ----------------------------------------------------------------------------------------------------------------- save


async def test_the_form_as_it_is_shown_changes_nothing(runtime: Runtime, owner: httpx2.AsyncClient) -> None:
    shown = fields((await owner.get(SETTINGS)).text)
    assert {name: value for name, value in shown.items() if name in SEARCHES} == {
        name: value for name, value in SEARCHES.items() if value not in {"true", "searches"}
    }
    answer = await send(owner, SETTINGS, **SEARCHES)
    assert answer.headers["Location"] == f"{SETTINGS}?saved=searches#searches"
    assert await saved(runtime) == AccountSettings()
    assert "Changes saved." in (await owner.get(f"{SETTINGS}?saved=searches")).text


async def test_what_is_saved_is_what_the_api_has_and_stands_in_the_trail(runtime: Runtime, owner: httpx2.AsyncClient) -> None:
    changed = {**SEARCHES, "search.sanctionsScreening": "true", "matchSelection.autoSelectThreshold": "0.9"}
    del changed["search.websiteAnalysis"]
    await send(owner, SETTINGS, **changed)
    settings = await saved(runtime)
    assert (settings.search.sanctions_screening, settings.search.website_analysis) == (True, False)
    assert settings.match_selection.auto_select_threshold == 0.9
    assert settings.verification == AccountSettings().verification
    organization = await find_organization(runtime, "north", World.SANDBOX)
    trail = (await read_settings_audit_log(runtime, organization.id, 10, 0)).entries
    assert {entry.actor for entry in trail} == {"owner@north.example"}
    assert [entry.field for entry in trail] == [
        "search.sanctionsScreening",
        "search.websiteAnalysis",
        "matchSelection.autoSelectThreshold",
    ]


async def test_which_fields_a_verification_compares(runtime: Runtime, owner: httpx2.AsyncClient) -> None:
    form = {f"verification.{name}.threshold": "0.9" for name in ("legalName", "registrationNumber", "address", "people")}
    await send(owner, SETTINGS, part="verification", **form, **{"verification.address.enabled": "true"})
    chosen = (await saved(runtime)).verification
    assert (chosen.legal_name.threshold, chosen.address.enabled, chosen.people.enabled) == (0.9, True, False)


async def test_what_the_api_refuses_the_page_refuses_and_shows_again(runtime: Runtime, owner: httpx2.AsyncClient) -> None:
    wrong = {"matchSelection.reviewThreshold": "0.99", "search.sanctionsThreshold": "0.7"}
    answer = await send(owner, SETTINGS, **{**SEARCHES, **wrong})
    assert answer.status_code == 422
    assert "must not be above the auto-select threshold" in answer.text
    assert {**fields(answer.text), **wrong} == fields(answer.text)
    too_low = await send(owner, SETTINGS, **{**SEARCHES, "search.sanctionsThreshold": "0.1"})
    assert "must be at least 0.7" in too_low.text
    assert await saved(runtime) == AccountSettings()


# -------------------------------------------------------------------------------------------------------------- preview


@pytest.fixture
async def searched(runtime: Runtime, owner: httpx2.AsyncClient) -> Runtime:
    """Two searches: one that is chosen by rule, one that finds nothing."""
    for name in ("Sandbox Bakry Inc", "Quite Unheard Of Ltd."):
        token = csrf_of(await owner.get("/console/search"))
        assert (await owner.post("/console/search", data={"csrf": token, "name": name})).status_code in {200, 303}
    return runtime


async def test_thresholds_are_tried_on_past_searches_and_nothing_is_saved(searched: Runtime, owner: httpx2.AsyncClient) -> None:
    form = {**SEARCHES, "matchSelection.autoSelectThreshold": "1"}
    page = await send(owner, SETTINGS, PREVIEW, **form)
    assert page.status_code == 200
    assert "<h1>Settings</h1>" in page.text
    assert "1 of your last 2 searches would have a different outcome." in page.text
    assert fields(page.text)["matchSelection.autoSelectThreshold"] == "1"
    token = csrf_of(page)
    part = await owner.post(PREVIEW, data={**form, "csrf": token}, headers=HTMX)
    assert "1 of your last 2 searches would have a different outcome." in part.text
    assert "Auto-selected → <strong>Needs review</strong>" in part.text
    assert "<html" not in part.text
    same = await owner.post(PREVIEW, data={**SEARCHES, "csrf": token}, headers=HTMX)
    assert "No recent search would have a different outcome (searches checked: 2)." in same.text
    assert await saved(searched) == AccountSettings()


async def test_thresholds_that_do_not_agree_can_not_be_tried(owner: httpx2.AsyncClient) -> None:
    form = {**SEARCHES, "matchSelection.reviewThreshold": "1", "csrf": csrf_of(await owner.get(SETTINGS))}
    part = await owner.post(PREVIEW, data=form, headers=HTMX)
    assert part.status_code == 422
    assert "<strong>Review threshold</strong>: must not be above" in part.text


async def test_without_past_searches_there_is_nothing_to_try_them_on(owner: httpx2.AsyncClient) -> None:
    page = await send(owner, SETTINGS, PREVIEW, **SEARCHES)
    assert "There are no past searches to preview." in page.text


# ------------------------------------------------------------------------------------------------------------- branding


async def test_name_colours_and_logo_are_set_and_shown(runtime: Runtime, owner: httpx2.AsyncClient) -> None:
    look = {"branding.name": "North <Bank>", "branding.primary": "#7A1F2B", "branding.secondary": "#555555"}
    answer = await upload(owner, PIXEL, **look)
    assert answer.headers["Location"] == f"{SETTINGS}?saved=branding#branding"
    branding = (await saved(runtime)).branding
    assert (branding.name, branding.primary, branding.logo) == ("North <Bank>", "#7a1f2b", PIXEL)
    page = (await owner.get(SETTINGS)).text
    assert "North &lt;Bank&gt;" in page
    logo = await owner.get(f"{SETTINGS}/logo")
    assert (logo.content, logo.headers["Content-Type"]) == (PIXEL, "image/png")
    assert logo.headers["X-Content-Type-Options"] == "nosniff"


async def test_the_logo_stays_until_it_is_replaced_or_removed(runtime: Runtime, owner: httpx2.AsyncClient) -> None:
    await upload(owner, PIXEL)
    await send(owner, SETTINGS, part="branding", **{"branding.name": "North"})
    assert (await saved(runtime)).branding.logo == PIXEL
    await send(owner, SETTINGS, part="branding", removesLogo="true", **{"branding.name": "North"})
    assert (await saved(runtime)).branding.logo is None
    assert (await owner.get(f"{SETTINGS}/logo")).status_code == 404


@pytest.mark.parametrize(
    ("logo", "problem"),
    [
        (b"<svg onload=alert(1)>", "must be a PNG or JPEG image"),
        (PIXEL[:40], "the image is damaged"),
        (PIXEL + bytes(MAX_LOGO_BYTES), "must not be larger than 256 kB"),
    ],
    ids=["script", "cut off", "too large"],
)
async def test_a_file_that_is_no_logo_is_refused(runtime: Runtime, owner: httpx2.AsyncClient, logo: bytes, problem: str) -> None:
    answer = await upload(owner, logo, **{"branding.name": "North"})
    assert answer.status_code == 422
    assert problem in answer.text
    assert (await saved(runtime)).branding == AccountSettings().branding


async def test_a_colour_that_can_not_be_read_on_paper_is_refused(owner: httpx2.AsyncClient) -> None:
    answer = await send(owner, SETTINGS, part="branding", **{"branding.primary": "#ffee00"})
    assert answer.status_code == 422
    assert "the contrast of this colour on white is 1.2" in answer.text


# --------------------------------------------------------------------------------------------------------------- others


@pytest.mark.parametrize("role", [Role.VIEWER, Role.ANALYST])
async def test_only_owners_see_and_change_settings(runtime: Runtime, role: Role) -> None:
    async with await signed_in_client(runtime, role) as member:
        assert (await member.get(SETTINGS)).status_code == 403
        assert (await member.get(f"{SETTINGS}/logo")).status_code == 403
        for action in (SETTINGS, PREVIEW):
            assert (await send(member, "/console/profile", action, **SEARCHES)).status_code == 403
    assert await saved(runtime) == AccountSettings()


async def test_another_organization_has_its_own_settings_and_past(searched: Runtime, owner: httpx2.AsyncClient) -> None:
    await upload(owner, PIXEL)
    async with await signed_in_client(searched, organization="south") as stranger:
        assert (await stranger.get(f"{SETTINGS}/logo")).status_code == 404
        assert "There are no past searches to preview." in (await send(stranger, SETTINGS, PREVIEW, **SEARCHES)).text


async def test_the_page_speaks_french(owner: httpx2.AsyncClient) -> None:
    page = (await owner.get(SETTINGS, headers={"Accept-Language": "fr-CA"})).text
    assert "Avance minimale sur le deuxième résultat" in page
    assert "Valeur par défaut\N{NO-BREAK SPACE}: 0,95." in page


async def test_the_history_has_every_change_newest_first(owner: httpx2.AsyncClient) -> None:
    history = f"{SETTINGS}/history"
    assert f'href="{history}"' in (await owner.get(SETTINGS)).text
    assert "No changes yet" in words_of(await owner.get(history))
    for threshold in ("0.96", "0.97"):
        await send(owner, SETTINGS, SETTINGS, **{**SEARCHES, "matchSelection.autoSelectThreshold": threshold})
    said = words_of(await owner.get(history))
    assert said.index("Auto-select threshold 0.96 0.97") < said.index("Auto-select threshold 0.95 0.96")
    assert "No changes yet" in words_of(await owner.get(f"{history}?offset=1000"))
