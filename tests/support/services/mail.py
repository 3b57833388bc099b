"""What the tests of mail share: events of chosen severities, members with roles, and the content of the outbox."""

from uuid import UUID

from bonafide.console.mail.composition import compose_mail
from bonafide.i18n.language import Language
from bonafide.model.accounts.account_settings import SettingsChange
from bonafide.model.accounts.organizations import World
from bonafide.model.accounts.users import Role
from bonafide.model.events.event import EventBusiness, EventSeverity, EventType, NewEvent
from bonafide.model.events.event_examples import EVENT_EXAMPLES
from bonafide.runtime import Runtime
from bonafide.services.accounts.organizations import change_settings, find_organization
from bonafide.services.mail.log import MailRecord, list_mail_records
from bonafide.services.mail.sending import send_due_mail
from bonafide.store.people import users
from bonafide.store.records import events
from tests.support.services.accounts import OPERATOR, known

WORKER = "test-worker"


async def member(
    runtime: Runtime, email: str, role: Role = Role.OWNER, organization: str = "north", language: Language | None = None
) -> UUID:
    """A member of an organization of the live world; returns the ID of the user."""
    overview = await known(runtime, email, organization=organization, role=role, world=World.LIVE, password=None)
    if language is not None:
        async with runtime.store.write() as connection:
            await users.save_profile(connection, overview.user.model_copy(update={"language": language}))
    return overview.user.id


async def organization_id(runtime: Runtime, name: str = "north") -> UUID:
    return (await find_organization(runtime, name, World.LIVE)).id


async def notify(runtime: Runtime, organization: UUID, **notifications: object) -> None:
    """Change the notification settings of an organization; names as on the wire."""
    change = SettingsChange.model_validate({"notifications": notifications})
    await change_settings(runtime, organization, change, OPERATOR)


async def record(
    runtime: Runtime,
    organization: UUID,
    event_type: EventType = EventType.SCREENING_HIT_FOUND,
    severity: EventSeverity = EventSeverity.HIGH,
    business: str | None = None,
) -> None:
    """Record the example of a type with this severity, about a business of this name."""
    example = EVENT_EXAMPLES[event_type]
    about = example.business
    if business is not None and about is not None:
        about = EventBusiness(id=about.id, external_id=about.external_id, name=business)
    event = NewEvent(event_type, example.subject, example.data, about, example.changes, example.source, example.resource, severity)
    async with runtime.store.write() as connection:
        await events.append(connection, organization, [(event, severity)], runtime.clock())


async def outbox(runtime: Runtime, organization: UUID) -> list[MailRecord]:
    """The mails of an organization by recipient."""
    found = await list_mail_records(runtime, organization, 1000)
    return sorted(found, key=lambda mail: (mail.prepared_at, mail.recipient or "", mail.kind))


async def deliver(runtime: Runtime, worker: str = WORKER) -> int:
    """Send one batch of the mail that is due."""
    return await send_due_mail(runtime, worker, compose_mail)
