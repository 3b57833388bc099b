"""The log of an organization's mail: what was sent to whom, and each attempt."""

from uuid import UUID

from bonafide.model.accounts.notifications import MailKind
from bonafide.model.base import Document, Instant
from bonafide.model.mail import MailLogEntry
from bonafide.runtime import Runtime
from bonafide.services.mail.sending import parse_log
from bonafide.store.people import mail_recipients
from bonafide.store.work import mail_outbox


class MailRecord(Document):
    """A mail with its attempts."""

    id: UUID
    kind: MailKind
    recipient: str | None
    """The address of the recipient; None for somebody who has left the organization or was disabled."""
    state: str
    """`pending`, `sent`, `failed` or `cancelled`."""
    prepared_at: Instant
    next_attempt_at: Instant | None
    """When it is sent next; None for a mail that is finished."""
    attempts: tuple[MailLogEntry, ...]
    """Oldest first."""


async def list_mail_records(runtime: Runtime, organization_id: UUID, limit: int) -> list[MailRecord]:
    """The last mails of the organization, newest first."""
    async with runtime.store.read() as connection:
        mails = await mail_outbox.list_recent(connection, organization_id, limit)
        addresses = {one.user_id: one.email for one in await mail_recipients.list_recipients(connection, organization_id)}
    return [
        MailRecord(
            id=mail.id,
            kind=mail.kind,
            recipient=addresses.get(mail.user_id),
            state=mail.state,
            prepared_at=mail.created_at,
            next_attempt_at=mail.due_at if mail.finished_at is None else None,
            attempts=parse_log(mail.log),
        )
        for mail in mails
    ]
