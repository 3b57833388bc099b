"""The members of organizations as recipients of mail, and whether each of them wants it."""

from dataclasses import dataclass
from uuid import UUID

from sqlalchemy import ColumnElement, and_, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from bonafide.i18n.language import Language
from bonafide.model.accounts.users import Role
from bonafide.store.database.rows import from_row, to_value
from bonafide.store.database.schema.account_tables import memberships, users

_SELECT = select(
    memberships.c.user_id,
    users.c.email,
    users.c.language,
    memberships.c.role,
    memberships.c.mail_alerts,
    memberships.c.mail_digest,
).join_from(memberships, users)


@dataclass(frozen=True, slots=True)
class MailRecipient:
    """A member who can sign in, and which mails of the organization they want."""

    user_id: UUID
    email: str
    language: Language | None
    role: Role
    mail_alerts: bool
    mail_digest: bool


async def list_recipients(connection: AsyncConnection, organization_id: UUID) -> list[MailRecipient]:
    """The organization's members who can sign in, by email."""
    mine = _SELECT.where(memberships.c.organization_id == organization_id, users.c.disabled_at.is_(None))
    return [to_value(MailRecipient, row) for row in await connection.execute(mine.order_by(users.c.email))]


async def get_recipient(connection: AsyncConnection, organization_id: UUID, user_id: UUID) -> MailRecipient | None:
    """A member; None for others and for disabled users."""
    mine = _SELECT.where(_is_membership(organization_id, user_id), users.c.disabled_at.is_(None))
    return from_row(MailRecipient, (await connection.execute(mine)).one_or_none())


async def save_choice(
    connection: AsyncConnection, organization_id: UUID, user_id: UUID, *, alerts: bool | None = None, digest: bool | None = None
) -> bool:
    """Set which mails the member wants; None leaves a choice as it is. False for somebody who is not a member."""
    chosen = {"mail_alerts": alerts, "mail_digest": digest}
    changed = update(memberships).where(_is_membership(organization_id, user_id))
    values = {name: value for name, value in chosen.items() if value is not None}
    return (await connection.execute(changed.values(**values))).rowcount == 1


def _is_membership(organization_id: UUID, user_id: UUID) -> ColumnElement[bool]:
    return and_(memberships.c.organization_id == organization_id, memberships.c.user_id == user_id)
