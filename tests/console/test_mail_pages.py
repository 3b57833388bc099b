"""Mail in the console: the link that turns it off without signing in, the choice on the profile page, the form of the settings."""

import re
from collections.abc import AsyncIterator
from dataclasses import replace
from html import unescape
from pathlib import Path
from uuid import UUID

import httpx2
import pytest
from pydantic import SecretStr

from bonafide.model.accounts.notifications import NotificationSettings
from bonafide.model.accounts.organizations import World
from bonafide.model.accounts.users import Role
from bonafide.model.mail import OptOut
from bonafide.runtime import Runtime
from bonafide.services.accounts.organizations import find_organization, read_settings
from bonafide.services.mail.opt_out import build_unsubscribe_url
from bonafide.store.people import mail_recipients
from tests.support.console.installation import installation
from tests.support.console.sessions import anonymous_client, send, signed_in_client

pytestmark = pytest.mark.anyio
PROFILE, SETTINGS = "/console/profile", "/console/settings"
ONE_CLICK = {"List-Unsubscribe": "One-Click"}
OWNER, VIEWER = "owner@north.example", "viewer@north.example"
FORM = {
    "part": "notifications",
    "notifications.immediateMinSeverity": "high",
    "notifications.digest": "off",
    "notifications.timeZone": "UTC",
    "notifications.immediateRoles.owners": "true",
    "notifications.immediateRoles.analysts": "true",
    "notifications.digestRoles.owners": "true",
    "notifications.digestRoles.analysts": "true",
}
"""The form as it is before anything was set."""


@pytest.fixture
async def runtime(sqlite_template: Path, tmp_path: Path) -> AsyncIterator[Runtime]:
    async with installation(sqlite_template, tmp_path) as opened:
        yield opened


@pytest.fixture
async def owner(runtime: Runtime) -> AsyncIterator[httpx2.AsyncClient]:
    async with await signed_in_client(runtime) as client:
        yield client


@pytest.fixture
async def viewer(runtime: Runtime) -> AsyncIterator[httpx2.AsyncClient]:
    async with await signed_in_client(runtime, Role.VIEWER) as client:
        yield client


async def north(runtime: Runtime) -> UUID:
    return (await find_organization(runtime, "north", World.SANDBOX)).id


async def choices(runtime: Runtime) -> dict[str, tuple[bool, bool]]:
    """Alerts and digest of each member."""
    async with runtime.store.read() as connection:
        found = await mail_recipients.list_recipients(connection, await north(runtime))
    return {one.email: (one.mail_alerts, one.mail_digest) for one in found}


async def link_of(runtime: Runtime, email: str, kind: OptOut) -> str:
    async with runtime.store.read() as connection:
        found = await mail_recipients.list_recipients(connection, await north(runtime))
    user = next(one.user_id for one in found if one.email == email)
    return build_unsubscribe_url(runtime, await north(runtime), user, kind)


@pytest.mark.usefixtures("owner", "viewer")
async def test_one_click_turns_off_one_kind_of_mail_of_one_member(runtime: Runtime) -> None:
    link = await link_of(runtime, OWNER, OptOut.DIGEST)
    async with anonymous_client(runtime) as client:
        opened = await client.get(link)
        assert (opened.status_code, "Stop receiving digests of north?" in opened.text) == (200, True)
        assert (await choices(runtime))[OWNER] == (True, True)
        # As a mail program does: without a cookie, and without the page.
        answer = await client.post(link, data=ONE_CLICK, headers={"Origin": "https://mail.example"})
        assert (answer.status_code, "You won’t receive digests of north any more." in unescape(answer.text)) == (200, True)
        again = await client.post(link, data=ONE_CLICK)
        assert again.status_code == 200
        assert "won’t receive" in unescape((await client.get(link)).text)
    assert await choices(runtime) == {OWNER: (True, False), VIEWER: (True, True)}


@pytest.mark.usefixtures("owner", "viewer")
async def test_a_forged_link_turns_off_nothing(runtime: Runtime) -> None:
    link = await link_of(runtime, OWNER, OptOut.ALERTS)
    address, _, token = link.partition("token=")
    other = (await link_of(runtime, VIEWER, OptOut.ALERTS)).partition("token=")[2]
    swapped = "".join("B" if letter == "A" else "A" for letter in token[-4:])
    stranger = build_unsubscribe_url(replace(runtime, signing_key=b"south"), await north(runtime), UUID(int=1), OptOut.ALERTS)
    forged = ["", "x", token[:-1], token[:22] + other[22:], token[:-4] + swapped, stranger.partition("token=")[2], "é" * len(token)]
    async with anonymous_client(runtime) as client:
        for wrong in forged:
            answer = await client.post(address + "token=" + wrong, data=ONE_CLICK)
            assert (answer.status_code, (await client.get(address + "token=" + wrong)).status_code) == (404, 404)
    assert set((await choices(runtime)).values()) == {(True, True)}


async def test_other_forms_still_need_their_token(runtime: Runtime, owner: httpx2.AsyncClient) -> None:
    refused = await owner.post(f"{PROFILE}/mail", data={})
    assert (refused.status_code, await choices(runtime)) == (403, {OWNER: (True, True)})


async def test_members_choose_on_their_profile_page(
    runtime: Runtime, owner: httpx2.AsyncClient, viewer: httpx2.AsyncClient
) -> None:
    page = (await viewer.get(PROFILE)).text
    assert "This service has no mail server, so no mail is sent." in page
    answer = await send(viewer, PROFILE, f"{PROFILE}/mail", digest="true")
    assert answer.headers["Location"] == f"{PROFILE}?done=mail"
    assert await choices(runtime) == {OWNER: (True, True), VIEWER: (False, True)}
    shown = (await viewer.get(PROFILE)).text
    checks = dict(re.findall(r'type="checkbox" id="field-(alerts|digest)" name="\w+" value="true"( checked)?', shown))
    assert checks == {"alerts": "", "digest": " checked"}
    assert "Changes saved." in (await owner.get(f"{PROFILE}?done=mail")).text


async def test_the_settings_form_as_it_is_shown_changes_nothing(runtime: Runtime, owner: httpx2.AsyncClient) -> None:
    answer = await send(owner, SETTINGS, **FORM)
    assert answer.headers["Location"] == f"{SETTINGS}?saved=notifications#notifications"
    assert (await read_settings(runtime, await north(runtime))).notifications == NotificationSettings()
    assert "no mail server" in (await owner.get(SETTINGS)).text
    server = replace(runtime, settings=runtime.settings.model_copy(update={"smtp_url": SecretStr("smtp://mail.example")}))
    async with await signed_in_client(server, email="second@north.example") as second:
        assert "no mail server" not in (await second.get(SETTINGS)).text


async def test_the_settings_form_saves_types_roles_and_nothing_at_once(runtime: Runtime, owner: httpx2.AsyncClient) -> None:
    changed: dict[str, object] = {
        **FORM,
        "notifications.immediateMinSeverity": "",
        "notifications.digest": "weekly",
        "notifications.timeZone": "America/Vancouver",
        "notifications.digestRoles.viewers": "true",
        "notifications.types": ["discrepancy.due", "screening.hit_found"],
    }
    del changed["notifications.immediateRoles.owners"]
    await send(owner, SETTINGS, **changed)
    saved = (await read_settings(runtime, await north(runtime))).notifications
    assert (saved.immediate_min_severity, saved.digest, saved.time_zone) == (None, "weekly", "America/Vancouver")
    assert (saved.types, saved.digest_roles.viewers, saved.immediate_roles.owners) == (
        ("discrepancy.due", "screening.hit_found"),
        True,
        False,
    )
    page = (await owner.get(SETTINGS)).text
    assert 'value="discrepancy.due" checked' in page
    assert 'value="discrepancy.opened" checked' not in page
    await send(owner, SETTINGS, **FORM)
    assert (await read_settings(runtime, await north(runtime))).notifications == NotificationSettings()


async def test_a_time_zone_that_does_not_exist_is_refused(runtime: Runtime, owner: httpx2.AsyncClient) -> None:
    answer = await send(owner, SETTINGS, **{**FORM, "notifications.timeZone": "America/Atlantis", "notifications.digest": "daily"})
    assert (answer.status_code, "must be a time zone" in answer.text) == (422, True)
    assert (await read_settings(runtime, await north(runtime))).notifications == NotificationSettings()
