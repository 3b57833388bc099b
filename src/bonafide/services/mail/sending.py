"""Send the mails of the outbox: with leases, retries over three days, and a log of attempts.

A mail is written from its events when it is sent, in the language of its recipient. Its `Message-ID` follows from its ID, so that a
mail that is sent again after a kill can be recognized as a duplicate.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from email.headerregistry import Address
from email.message import EmailMessage
from email.utils import format_datetime, parseaddr
from uuid import UUID, uuid4

from pydantic import TypeAdapter

from bonafide.errors import AddressRefused, MailServerUnavailable
from bonafide.i18n.language import Language
from bonafide.i18n.message import Message
from bonafide.model.accounts.notifications import MailKind
from bonafide.model.mail import ComposedMail, MailDraft, MailLogEntry, OptOut
from bonafide.net.mail_client import MailAttempt, MailConnection, MailResult, MailServer, encode_domain, open_mail_connection
from bonafide.net.private_targets import PrivateTargets
from bonafide.observability.log import get_logger
from bonafide.runtime import Runtime
from bonafide.services.accounts.organizations import read_settings
from bonafide.services.events.feed import to_event
from bonafide.services.mail.opt_out import build_unsubscribe_url
from bonafide.services.mail.preparation import parse_content, wants_mail
from bonafide.settings import Settings
from bonafide.store.database.tables import MailState
from bonafide.store.people import mail_recipients
from bonafide.store.people.mail_recipients import MailRecipient
from bonafide.store.records import events
from bonafide.store.records.events import EventSpan
from bonafide.store.tenants import organizations
from bonafide.store.work import mail_outbox
from bonafide.store.work.mail_outbox import OutgoingMail

ComposeMail = Callable[[MailDraft], ComposedMail]
"""Writes the subject and the two bodies of a mail."""
LEASE = timedelta(seconds=90)
"""How long the mails of a killed worker wait."""
BATCH = 10
"""Mails that are sent over one connection."""
ORGANIZATION_BATCH = 4
"""Mails of one organization among them."""
LISTED_EVENTS = 20
"""Events that a mail describes; it only counts the others."""
RETRY_DELAYS = tuple(timedelta(minutes=minutes) for minutes in (1, 5, 15, 60, 120, 240, 480, 720, 960, 1440))
"""The delays after failed attempts: three days in all, as is usual for mail (RFC 5321, section 4.5.4.1)."""
KEEP_FINISHED = timedelta(days=30)
_SPREAD = 0.1
_LOG = TypeAdapter(tuple[MailLogEntry, ...])
_OPT_OUT = {MailKind.ALERT: OptOut.ALERTS, MailKind.DIGEST: OptOut.DIGEST}
_log = get_logger(__name__)


@dataclass(frozen=True, slots=True)
class SentTestMail:
    """The result of a test mail: whether the connection was encrypted, and the attempt."""

    is_encrypted: bool
    attempt: MailAttempt


def _build_mail_server(settings: Settings) -> MailServer | None:
    """The configured mail server; None without one."""
    if settings.smtp_url is None:
        return None
    allowed = PrivateTargets.parse(settings.allow_private_targets)
    return MailServer.parse(settings.smtp_url.get_secret_value(), allowed, settings.smtp_timeout_s)


async def send_due_mail(runtime: Runtime, worker: str, compose: ComposeMail) -> int:
    """Claim mails that are due, and try to send them.

    Returns how many were claimed; 0 if the server is unavailable or has closed the connection, so that callers pause.
    """
    server = _build_mail_server(runtime.settings)
    if server is None or not await mail_outbox.is_any_due(runtime.store, runtime.clock()):
        return 0
    # A name of its own for each batch: mails of an earlier one whose lease has ended are not mistaken for those of this one.
    name = f"{worker}:{uuid4().hex[:8]}"
    async with runtime.store.write() as connection:
        claimed = await mail_outbox.claim(connection, name, runtime.clock(), LEASE, BATCH, ORGANIZATION_BATCH)
    if not claimed:
        return 0
    waiting = list(claimed)
    try:
        async with open_mail_connection(server) as opened:
            while waiting and opened.is_open and _has_time_left(runtime, waiting[0]):
                await _send(runtime, opened, waiting.pop(0), compose)
    except (MailServerUnavailable, AddressRefused) as error:
        _log.warning("mail_server.unavailable", problem=str(error.message))
        unreachable = MailAttempt(MailResult.DEFERRED, None, str(error.message))
        for mail in waiting:
            await _store_attempt(runtime, mail, unreachable)
        return 0
    await _release(runtime, waiting)
    return len(claimed) if not waiting else 0


def _has_time_left(runtime: Runtime, mail: OutgoingMail) -> bool:
    """Whether the mail can be sent before the lease ends, so that no other worker sends it at the same time."""
    return mail.due_at - runtime.clock() > timedelta(seconds=runtime.settings.smtp_timeout_s)


async def _release(runtime: Runtime, mails: Sequence[OutgoingMail]) -> None:
    if mails:
        async with runtime.store.write() as connection:
            for mail in mails:
                await mail_outbox.release(connection, mail, runtime.clock())


async def _send(runtime: Runtime, connection: MailConnection, mail: OutgoingMail, compose: ComposeMail) -> None:
    """Send one mail and store the attempt; a mail that its recipient does not receive any more is cancelled."""
    try:
        found = await _draft(runtime, mail)
        message = _build_event_message(runtime, mail, *found, compose) if found is not None else None
    except Exception as error:  # noqa: BLE001 - one bad mail must not stop the others; the log has the traceback
        _log.exception("mail.composition_failed")
        await _store_attempt(runtime, mail, MailAttempt(MailResult.DEFERRED, None, type(error).__name__))
        return
    if found is None or message is None:
        async with runtime.store.write() as transaction:
            await mail_outbox.finish(transaction, mail, MailState.CANCELLED, runtime.clock(), mail.log)
        runtime.metrics.count_mail(mail.kind, "cancelled")
        return
    attempt = await connection.send(message, _get_sender(runtime.settings).addr_spec, found[0].email)
    await _store_attempt(runtime, mail, attempt)


async def _draft(runtime: Runtime, mail: OutgoingMail) -> tuple[MailRecipient, MailDraft] | None:
    """The recipient and the content of the mail; None if the member is not to receive it any more."""
    organization_id = mail.organization_id
    settings = await read_settings(runtime, organization_id)
    content, chosen = parse_content(mail.content)
    span = EventSpan(mail.after_sequence, mail.until_sequence)
    async with runtime.store.read() as connection:
        recipient = await mail_recipients.get_recipient(connection, organization_id, mail.user_id)
        organization = await organizations.get(connection, organization_id)
        if recipient is None or organization is None or not wants_mail(recipient, mail.kind, settings.notifications):
            return None
        rows = await events.list_most_severe(connection, organization_id, chosen, span, LISTED_EVENTS)
        counts = await events.count_by_severity(connection, organization_id, chosen, span)
    opt_out = _OPT_OUT.get(mail.kind)
    listed = tuple(to_event(row) for row in rows)
    if not listed:
        return None
    keys = {event.source.key for event in listed if event.source is not None}
    draft = MailDraft(
        kind=mail.kind,
        language=recipient.language if recipient.language is not None else Language.ENGLISH,
        organization=organization.name,
        branding=settings.branding,
        events=listed,
        counts=counts,
        sources={key: runtime.sources[key].metadata.title for key in keys if key in runtime.sources},
        base_url=runtime.settings.base_url,
        unsubscribe_url=build_unsubscribe_url(runtime, organization_id, mail.user_id, opt_out) if opt_out is not None else None,
        period_from=content.period_from,
        period_until=content.period_until,
    )
    return recipient, draft


def _build_event_message(
    runtime: Runtime, mail: OutgoingMail, recipient: MailRecipient, draft: MailDraft, compose: ComposeMail
) -> EmailMessage:
    """The complete message, the same for each attempt."""
    message = _build_message(runtime.settings, recipient.email, compose(draft), mail.created_at, mail.id)
    if draft.unsubscribe_url is not None:
        message["List-Unsubscribe"] = f"<{draft.unsubscribe_url}>"
        message["List-Unsubscribe-Post"] = "List-Unsubscribe=One-Click"
    return message


def _build_message(settings: Settings, recipient: str, composed: ComposedMail, at: datetime, mail_id: UUID) -> EmailMessage:
    """A message with a text and an HTML part."""
    sender = _get_sender(settings)
    message = EmailMessage()
    message["From"] = sender
    message["To"] = _parse_address(recipient)
    message["Subject"] = composed.subject
    message["Date"] = format_datetime(at)
    message["Message-ID"] = f"<{mail_id}@{sender.domain}>"
    message["Auto-Submitted"] = "auto-generated"
    message.set_content(composed.text, cte="quoted-printable")
    message.add_alternative(composed.html, subtype="html", cte="quoted-printable")
    return message


def _get_sender(settings: Settings) -> Address:
    """The sender of all mail, with its domain in ASCII."""
    name, address = parseaddr(settings.mail_from if settings.mail_from is not None else "")
    return _parse_address(encode_domain(address), name)


def _parse_address(address: str, name: str = "") -> Address:
    user, _, domain = encode_domain(address).rpartition("@")
    return Address(name, user, domain)


async def _store_attempt(runtime: Runtime, mail: OutgoingMail, attempt: MailAttempt) -> None:
    """Store the result of an attempt, with the time of the next one unless it was the last."""
    now = runtime.clock()
    entry = MailLogEntry(at=now, result=attempt.result, code=attempt.code, problem=attempt.problem)
    log = _LOG.dump_json((*parse_log(mail.log), entry), by_alias=True).decode()
    delay = _compute_retry_delay(mail) if attempt.result is MailResult.DEFERRED else None
    async with runtime.store.write() as connection:
        if attempt.result is MailResult.ACCEPTED:
            is_held = await mail_outbox.finish(connection, mail, MailState.SENT, now, log)
        elif delay is None:
            is_held = await mail_outbox.finish(connection, mail, MailState.FAILED, now, log)
        else:
            is_held = await mail_outbox.defer(connection, mail, now + delay, log)
    runtime.metrics.count_mail(mail.kind, attempt.result)
    # The response of the server may contain the address of the recipient.
    write = _log.info if attempt.result is MailResult.ACCEPTED else _log.warning
    write("mail.attempted", mail=str(mail.id), kind=mail.kind, result=attempt.result, code=attempt.code, is_recorded=is_held)


def parse_log(log: str) -> tuple[MailLogEntry, ...]:
    """The attempts of a mail, oldest first."""
    return _LOG.validate_json(log)


def _compute_retry_delay(mail: OutgoingMail) -> timedelta | None:
    """The delay after a failed attempt; None after the last one. It is up to a tenth longer, so that mails spread."""
    if mail.attempts > len(RETRY_DELAYS):
        return None
    return RETRY_DELAYS[mail.attempts - 1] * (1 + _SPREAD * (mail.id.int % 1000) / 1000)


async def send_test_mail(runtime: Runtime, recipient: str, compose: Callable[[], ComposedMail]) -> SentTestMail:
    """Send a test mail to this address, without the outbox.

    Raises `MailServerUnavailable`, also if no server is configured, and `AddressRefused`.
    """
    server = _build_mail_server(runtime.settings)
    if server is None:
        raise MailServerUnavailable(Message("No mail server is configured. Set BONAFIDE_SMTP_URL and BONAFIDE_MAIL_FROM."))
    message = _build_message(runtime.settings, recipient, compose(), runtime.clock(), uuid4())
    async with open_mail_connection(server) as opened:
        is_encrypted = opened.is_encrypted
        return SentTestMail(is_encrypted, await opened.send(message, _get_sender(runtime.settings).addr_spec, recipient))


async def purge_finished_mail(runtime: Runtime) -> int:
    """Delete mails that were finished 30 days ago or earlier; returns how many."""
    async with runtime.store.write() as connection:
        return await mail_outbox.purge_finished(connection, runtime.clock() - KEEP_FINISHED)
