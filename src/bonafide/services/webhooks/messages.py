"""The bodies of deliveries: an event as Standard Webhooks defines it, or a message for a chat."""

from collections import Counter
from collections.abc import Callable
from uuid import UUID

from bonafide.i18n.language import Language
from bonafide.model.base import format_instant
from bonafide.model.events.event import Event
from bonafide.store.database.engine import Connection
from bonafide.store.people import mail_recipients

ComposeChatMessage = Callable[[Event, str, Language], bytes]
"""Writes an event as the body for the incoming webhook of a chat, with links to the console at this address."""


def build_standard_body(event: Event) -> bytes:
    """The body of a delivery with the event as `GET /v1/events/{id}` returns it."""
    timestamp = format_instant(event.occurred_at)
    return f'{{"type":"{event.type}","timestamp":"{timestamp}","data":{event.to_json()}}}'.encode()


async def determine_language(connection: Connection, organization_id: UUID) -> Language:
    """The language that most members of the organization have chosen; English without a majority."""
    members = await mail_recipients.list_recipients(connection, organization_id)
    chosen = Counter(member.language for member in members if member.language is not None)
    return Language.FRENCH if chosen[Language.FRENCH] > chosen[Language.ENGLISH] else Language.ENGLISH
