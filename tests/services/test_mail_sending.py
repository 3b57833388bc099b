"""Mail on its way to a real SMTP server: content, retries, kills, several workers, and members who do not want it any more."""

import asyncio
from collections.abc import AsyncIterator
from datetime import timedelta
from html import unescape
from uuid import UUID

import pytest

from bonafide.console.mail.composition import compose_test_mail
from bonafide.i18n.language import Language
from bonafide.model.accounts.account_settings import SettingsChange
from bonafide.model.accounts.users import Role
from bonafide.model.events.event import EventSeverity, EventType
from bonafide.net.mail_client import MailResult
from bonafide.runtime import Runtime
from bonafide.services.accounts import members
from bonafide.services.accounts.organizations import change_settings
from bonafide.services.mail.opt_out import open_link, use_link
from bonafide.services.mail.preparation import prepare_alerts, prepare_digests
from bonafide.services.mail.sending import KEEP_FINISHED, LEASE, RETRY_DELAYS, purge_finished_mail, send_test_mail
from tests.support.servers.mail_server import MailReceiver, running_mail_server
from tests.support.services.accounts import OPERATOR, with_settings
from tests.support.services.mail import deliver, member, notify, organization_id, outbox, record
from tests.support.services.runtimes import clock_of
from tests.support.waiting import TIMEOUT_S

pytestmark = pytest.mark.anyio
OWNER, ANALYST = "ann@north.example", "ben@north.example"
UNSUBSCRIBE = "/console/unsubscribe?token="


@pytest.fixture
async def receiver() -> AsyncIterator[MailReceiver]:
    async with running_mail_server() as started:
        yield started


@pytest.fixture
async def mailing(installation: Runtime, receiver: MailReceiver) -> Runtime:
    """An installation whose mail goes to the receiver, with one owner."""
    await member(installation, OWNER)
    return with_settings(installation, public_url="https://check.example", **receiver.settings())


async def alert(runtime: Runtime, business: str | None = None, count: int = 1) -> UUID:
    """Prepare the alerts of new events."""
    north = await organization_id(runtime)
    for _ in range(count):
        await record(runtime, north, business=business)
    clock_of(runtime).advance(minutes=2)
    await prepare_alerts(runtime)
    return north


async def test_an_alert_says_what_changed_according_to_which_source(mailing: Runtime, receiver: MailReceiver) -> None:
    north = await organization_id(mailing)
    await record(mailing, north, EventType.SCREENING_HIT_CHANGED)
    clock_of(mailing).advance(minutes=2)
    await prepare_alerts(mailing)
    assert await deliver(mailing) == 1
    mail, (text, html) = receiver.mails[0], receiver.parts()
    assert (mail["To"], mail["From"]) == (OWNER, "Alerts <alerts@service.example>")
    assert mail["Subject"] == "[bonafide] Hit on a sanctions list changed: Sandbox Bakery Inc."
    for part in (text, unescape(html)):
        for words in (
            "0.93 → 0.97",
            "Consolidated Canadian Autonomous Sanctions List",
            "Sandbox Bakery Inc.",
            "20\u00a0Nov\u00a02026",
        ):
            assert words in part
        assert "https://check.example/console/sanctions/screenings/7e2f9c1b-3a4d-4e5f-8a6b-0c1d2e3f4a5b" in part
    assert (mail["Auto-Submitted"], mail["List-Unsubscribe-Post"]) == ("auto-generated", "List-Unsubscribe=One-Click")
    found = await outbox(mailing, north)
    assert mail["Message-ID"] == f"<{found[0].id}@service.example>"
    assert [(one.state, one.attempts[0].result, one.attempts[0].code) for one in found] == [("sent", "accepted", 250)]
    assert await deliver(mailing) == 0


async def test_a_member_reads_mail_in_their_language(mailing: Runtime, receiver: MailReceiver) -> None:
    await member(mailing, "luc@north.example", Role.ANALYST, language=Language.FRENCH)
    await alert(mailing)
    await deliver(mailing)
    subjects = {mail["To"]: mail["Subject"] for mail in receiver.mails}
    assert subjects[OWNER].startswith("[bonafide] New hit on a sanctions list")
    assert subjects["luc@north.example"].startswith("[bonafide] Nouveau résultat dans une liste de sanctions")
    french = next(index for index, mail in enumerate(receiver.mails) if mail["To"] == "luc@north.example")
    text, html = receiver.parts(french)
    assert ("Élevée" in text, 'lang="fr"' in html, "\u00a0h\u00a0" in text) == (True, True, True)


async def test_many_events_are_one_mail_that_lists_the_most_severe(mailing: Runtime, receiver: MailReceiver) -> None:
    north = await organization_id(mailing)
    await notify(mailing, north, digest="daily", immediateMinSeverity=None)
    await prepare_digests(mailing)
    await record(mailing, north, severity=EventSeverity.LOW)
    await prepare_digests(mailing)
    for severity in [EventSeverity.LOW] * 24 + [EventSeverity.CRITICAL]:
        await record(mailing, north, severity=severity)
    clock_of(mailing).advance(days=1)
    await prepare_digests(mailing)
    await deliver(mailing)
    text, html = receiver.parts()
    assert "26 events" in receiver.mails[0]["Subject"]
    assert ("Critical: 1" in text, "Low: 25" in text, "6 more events." in text, "6 more events." in html) == (True,) * 4
    assert text.index("(Critical)") < text.index("(Low)")
    assert text.count("New hit on a sanctions list") == 20


@pytest.mark.parametrize(
    "name", ["Bakery\r\nBcc: eve@evil.example\r\n\r\nHello", "Bakery\u2028X-Evil: 1", "<script>alert(1)</script>"]
)
async def test_a_business_name_adds_neither_headers_nor_markup(mailing: Runtime, receiver: MailReceiver, name: str) -> None:
    await alert(mailing, business=name)
    await deliver(mailing)
    mail, (text, html) = receiver.mails[0], receiver.parts()
    assert (mail["Bcc"], mail["X-Evil"], len(mail.get_all("Subject", []))) == (None, None, 1)
    assert receiver.recipients == [OWNER]
    assert "<script>alert" not in html
    assert "\nBcc:" not in text


async def test_a_greylisted_mail_is_sent_again_with_the_same_id(mailing: Runtime, receiver: MailReceiver) -> None:
    north, clock = await alert(mailing), clock_of(mailing)
    receiver.replies["RCPT"] = ["450 Greylisted"]
    assert await deliver(mailing) == 1
    (waiting,) = await outbox(mailing, north)
    assert (waiting.state, waiting.attempts[0].code) == ("pending", 450)
    assert await deliver(mailing) == 0
    clock.now += RETRY_DELAYS[0] * 1.1
    assert await deliver(mailing) == 1
    (sent,) = await outbox(mailing, north)
    assert (sent.state, [one.result for one in sent.attempts]) == ("sent", ["deferred", "accepted"])
    assert [mail["Message-ID"] for mail in receiver.mails] == [f"<{sent.id}@service.example>"]


async def test_a_mail_that_is_refused_is_not_sent_again(mailing: Runtime, receiver: MailReceiver) -> None:
    north = await alert(mailing)
    receiver.replies["RCPT"] = ["550 No such user"]
    await deliver(mailing)
    (failed,) = await outbox(mailing, north)
    assert (failed.state, failed.attempts[0].problem, failed.next_attempt_at) == ("failed", "No such user", None)
    clock_of(mailing).advance(days=4)
    assert (await deliver(mailing), receiver.mails) == (0, [])


async def test_attempts_end_after_three_days(mailing: Runtime, receiver: MailReceiver) -> None:
    north, clock = await alert(mailing), clock_of(mailing)
    began = clock.now
    away = with_settings(mailing, allow_private_targets="")  # the guard refuses the server
    attempts = 0
    for delay in (*RETRY_DELAYS, timedelta(days=1)):
        await deliver(away)
        attempts += 1
        clock.now += delay * 1.1
    (failed,) = await outbox(mailing, north)
    assert (failed.state, len(failed.attempts), attempts) == ("failed", 11, 11)
    assert timedelta(days=2.5) < sum(RETRY_DELAYS, timedelta()) < timedelta(days=3.5)
    assert failed.attempts[-1].at - began > timedelta(days=2.5)
    assert receiver.mails == []
    assert await purge_finished_mail(mailing) == 0
    clock.now += KEEP_FINISHED
    assert await purge_finished_mail(mailing) == 1


async def test_a_kill_between_sending_and_storing_sends_the_mail_again(mailing: Runtime, receiver: MailReceiver) -> None:
    north, clock = await alert(mailing), clock_of(mailing)
    receiver.hold = asyncio.Event()
    killed = asyncio.create_task(deliver(mailing, "killed"))
    async with asyncio.timeout(TIMEOUT_S):
        await receiver.received.wait()
    killed.cancel()
    # The response comes too late. Without it, the client would wait some seconds before it closes the connection.
    receiver.hold.set()
    await asyncio.gather(killed, return_exceptions=True)
    receiver.hold = None
    assert await deliver(mailing) == 0
    clock.now += LEASE
    assert await deliver(mailing) == 1
    (sent,) = await outbox(mailing, north)
    assert sent.state == "sent"
    assert [mail["Message-ID"] for mail in receiver.mails] == [f"<{sent.id}@service.example>"] * 2


async def test_a_worker_whose_lease_has_ended_does_not_overwrite_the_result(mailing: Runtime, receiver: MailReceiver) -> None:
    north, clock = await alert(mailing), clock_of(mailing)
    receiver.hold = asyncio.Event()
    slow = asyncio.create_task(deliver(mailing, "slow"))
    async with asyncio.timeout(TIMEOUT_S):
        await receiver.received.wait()
    hold, receiver.hold = receiver.hold, None
    clock.now += LEASE
    receiver.replies["RCPT"] = ["550 No such user"]
    assert await deliver(mailing, "quick") == 1
    hold.set()
    await slow
    (settled,) = await outbox(mailing, north)
    assert (settled.state, len(settled.attempts)) == ("failed", 1)


async def test_two_workers_send_each_mail_once(mailing: Runtime, receiver: MailReceiver) -> None:
    for number in range(5):
        await member(mailing, f"analyst{number}@north.example", Role.ANALYST)
    await alert(mailing)
    claimed = [1]
    while any(claimed):
        claimed = list(await asyncio.gather(deliver(mailing, "one"), deliver(mailing, "two")))
    assert sorted(receiver.recipients) == sorted([OWNER, *(f"analyst{number}@north.example" for number in range(5))])


async def test_one_organization_does_not_delay_the_others(mailing: Runtime, receiver: MailReceiver) -> None:
    for number in range(12):
        await member(mailing, f"analyst{number}@north.example", Role.ANALYST)
    await member(mailing, "sue@south.example", organization="south")
    await alert(mailing)
    await record(mailing, await organization_id(mailing, "south"))
    clock_of(mailing).advance(minutes=2)
    await prepare_alerts(mailing)
    assert await deliver(mailing) == 5
    assert "sue@south.example" in receiver.recipients


async def test_a_broken_connection_loses_no_mail(mailing: Runtime, receiver: MailReceiver) -> None:
    await member(mailing, ANALYST, Role.ANALYST)
    north = await alert(mailing)
    receiver.replies["DATA"] = ["421 Closing the connection"]
    await deliver(mailing)
    clock_of(mailing).now += RETRY_DELAYS[0] * 1.1
    while await deliver(mailing):
        pass
    assert {mail.state for mail in await outbox(mailing, north)} == {"sent"}
    assert sorted(receiver.recipients) == [OWNER, ANALYST]


async def test_mail_of_members_who_have_left_or_unsubscribed_is_cancelled(mailing: Runtime, receiver: MailReceiver) -> None:
    await member(mailing, ANALYST, Role.ANALYST)
    await member(mailing, "cat@north.example", Role.ANALYST)
    north = await alert(mailing)
    await deliver(mailing)
    link = receiver.mails[[mail["To"] for mail in receiver.mails].index(ANALYST)]["List-Unsubscribe"]
    token = str(link).strip("<>").partition(UNSUBSCRIBE)[2]
    await alert(mailing)
    await use_link(mailing, token)
    await members.disable_user(mailing, "cat@north.example", OPERATOR)
    receiver.mails.clear()
    await deliver(mailing)
    assert [mail["To"] for mail in receiver.mails] == [OWNER]
    assert [mail.state for mail in await outbox(mailing, north)].count("cancelled") == 2
    assert (await open_link(mailing, token)).is_off
    # The next mail is not even prepared, and the digest still is.
    await notify(mailing, north, digest="daily")
    await alert(mailing)
    await prepare_digests(mailing)
    await record(mailing, north)
    clock_of(mailing).advance(days=1)
    await prepare_digests(mailing)
    kinds = [(mail.recipient, mail.kind) for mail in await outbox(mailing, north) if mail.state == "pending"]
    assert sorted(kinds) == [(OWNER, "alert"), (OWNER, "digest"), (ANALYST, "digest")]


async def test_warnings_have_no_link_to_unsubscribe(mailing: Runtime, receiver: MailReceiver) -> None:
    await record(mailing, await organization_id(mailing), EventType.WEBHOOK_FAILING)
    clock_of(mailing).advance(minutes=2)
    await prepare_alerts(mailing)
    await deliver(mailing)
    assert (receiver.mails[0]["List-Unsubscribe"], UNSUBSCRIBE in receiver.parts()[0]) == (None, False)
    assert "All owners of north receive warnings" in receiver.parts()[0]


async def test_a_mail_has_the_branding_of_its_organization(mailing: Runtime, receiver: MailReceiver) -> None:
    change = SettingsChange.model_validate({"branding": {"name": "North Compliance", "primary": "#123456"}})
    await change_settings(mailing, await organization_id(mailing), change, OPERATOR)
    await alert(mailing)
    await deliver(mailing)
    text, html = receiver.parts()
    assert receiver.mails[0]["Subject"].startswith("[North Compliance] ")
    assert (text.startswith("North Compliance\n"), "#123456" in html) == (True, True)


async def test_a_test_mail_has_the_branding_of_the_service_and_both_languages(mailing: Runtime, receiver: MailReceiver) -> None:
    report = await send_test_mail(mailing, "jérôme@bücher.example", compose_test_mail)
    assert (report.attempt.result, report.is_encrypted) == (MailResult.ACCEPTED, False)
    assert receiver.recipients == ["jérôme@xn--bcher-kva.example"]
    assert receiver.mails[0]["Subject"].startswith("[bonafide] Test mail / ")
