"""The feeds of events that commands follow: the one of the local database, and the one of a service over its API."""

import asyncio
from collections.abc import AsyncIterator, Iterable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any, Protocol
from uuid import UUID

import httpx2
from rich.markup import escape
from typing_extensions import override

from bonafide.cli.output import err
from bonafide.cli.translation import localize
from bonafide.errors import BonafideError
from bonafide.i18n.message import Message
from bonafide.model.events.event import EventSeverity, EventType
from bonafide.runtime import Runtime
from bonafide.services.events import feed
from bonafide.store.records.events import EventFilter

EventDocument = Mapping[str, Any]
"""An event as the API returns it. A service of a later release may have types and fields that this one does not know."""
POLL_INTERVAL_S = 1.0
PAGE = 100
TIMEOUT_S = 30.0
_AFTER_ALL = "9999-12-31T00:00:00Z"
_MAX_WAIT_S = 60.0
_COLOURS = {EventSeverity.MEDIUM: "yellow", EventSeverity.HIGH: "red", EventSeverity.CRITICAL: "bold red"}


class FeedUnavailable(BonafideError):
    """The service can't be reached, or is at capacity. A later attempt may succeed."""

    default_message = Message("The service can’t be reached.")

    def __init__(self, message: Message, wait_s: float = POLL_INTERVAL_S) -> None:
        super().__init__(message)
        self.wait_s = wait_s


class FeedRefused(BonafideError):
    """The service refuses the request: the key is invalid, or lacks a scope."""

    default_message = Message("The service refuses the request.")


@dataclass(frozen=True, slots=True)
class FeedPage:
    """Events in their order, and the cursor after them."""

    events: tuple[EventDocument, ...]
    cursor: str
    has_more: bool


class EventFeed(Protocol):
    """A feed of events, oldest first."""

    async def find_end(self) -> str:
        """The cursor after the last event."""

    async def read_page(self, cursor: str) -> FeedPage:
        """The events after a cursor. Raises `FeedUnavailable` and `FeedRefused`."""


class StoredEventFeed(EventFeed):
    """The feed of an organization of the local database."""

    def __init__(self, runtime: Runtime, organization_id: UUID, types: Iterable[EventType] | None = None) -> None:
        self._runtime = runtime
        self._organization_id = organization_id
        self._chosen = EventFilter(frozenset(types) if types else None)

    @override
    async def find_end(self) -> str:
        return await self.find_before_last(0)

    async def find_before_last(self, count: int) -> str:
        """The cursor before the last `count` events."""
        return feed.encode_position(await feed.find_position_before_last(self._runtime, self._organization_id, count))

    @override
    async def read_page(self, cursor: str) -> FeedPage:
        position = feed.decode_position(cursor)
        page = await feed.read_events(self._runtime, self._organization_id, self._chosen, PAGE, position=position)
        events = tuple(event.model_dump(mode="json", by_alias=True) for event in page.events)
        return FeedPage(events, page.cursor.next, page.pagination.has_more)


class ServedEventFeed(EventFeed):
    """The feed of the organization of an API key, read from a service."""

    def __init__(self, client: httpx2.AsyncClient, types: Iterable[EventType] | None = None) -> None:
        self._client = client
        self._query = {"types": ",".join(types)} if types else {}

    @override
    async def find_end(self) -> str:
        # Later than any event, whatever the clocks of the two machines say.
        return (await self._read(since=_AFTER_ALL, limit="1")).cursor

    @override
    async def read_page(self, cursor: str) -> FeedPage:
        return await self._read(cursor=cursor, limit=str(PAGE))

    async def _read(self, **query: str) -> FeedPage:
        try:
            response = await self._client.get("/v1/events", params={**self._query, **query})
            page = response.json() if response.is_success else None
        except httpx2.HTTPError as error:
            problem = Message("The service can’t be reached ({problem}).", problem=str(error) or type(error).__name__)
            raise FeedUnavailable(problem) from None
        except ValueError:
            raise _build_not_a_service_error(response) from None
        if page is None:
            raise _build_error(response)
        try:
            return FeedPage(tuple(page["events"]), page["cursor"]["next"], page["pagination"]["hasMore"])
        except (KeyError, TypeError):
            raise _build_not_a_service_error(response) from None


@asynccontextmanager
async def open_served_feed(base_url: str, key: str, types: Iterable[EventType] | None = None) -> AsyncIterator[ServedEventFeed]:
    """The feed of a service at this address, such as `https://bonafide.example`, for an API key with `events:read`."""
    headers = {"Authorization": f"Bearer {key}"}
    async with httpx2.AsyncClient(base_url=base_url, headers=headers, timeout=TIMEOUT_S) as client:
        yield ServedEventFeed(client, types)


async def follow_events(source: EventFeed, cursor: str) -> AsyncIterator[EventDocument]:
    """The events after a cursor, and those that come, without end. Waits while the service is unavailable.

    Raises `FeedRefused`.
    """
    is_available = True
    while True:
        try:
            page = await source.read_page(cursor)
        except FeedUnavailable as error:
            if is_available:
                err.print(f"[yellow]{escape(localize(error.message))}[/]", highlight=False, soft_wrap=True)
            is_available = False
            await asyncio.sleep(error.wait_s)
            continue
        is_available = True
        for event in page.events:
            yield event
        cursor = page.cursor
        if not page.has_more:
            await asyncio.sleep(POLL_INTERVAL_S)


async def read_stored_events(source: EventFeed, cursor: str) -> AsyncIterator[EventDocument]:
    """The events after a cursor that exist now."""
    has_more = True
    while has_more:
        page = await source.read_page(cursor)
        for event in page.events:
            yield event
        cursor, has_more = page.cursor, page.has_more


def format_event(event: EventDocument) -> str:
    """An event in one line of rich's markup: time, type, names and changed fields."""
    colour = _COLOURS.get(event["severity"])
    kind = f"[{colour}]{escape(event['type'])}[/]" if colour is not None else escape(event["type"])
    business = event["business"]["name"] if event["business"] is not None else None
    names = dict.fromkeys(name for name in (business, event["subject"]["name"]) if name is not None)
    changes = ", ".join(f"{change['field']}: {change['from']} → {change['to']}" for change in event["changes"])
    time = event["occurredAt"][:19].replace("T", " ")
    return "  ".join(part for part in (time, kind, escape(" / ".join(names)), escape(changes)) if part)


def _build_error(response: httpx2.Response) -> FeedUnavailable | FeedRefused:
    """The error of a response that has no events, with the sentence of the service."""
    try:
        sentence = str(response.json()["error"])
    except (ValueError, KeyError, TypeError):
        sentence = response.reason_phrase
    problem = Message("The service responds {status}: {problem}", status=response.status_code, problem=sentence)
    if response.status_code == HTTPStatus.TOO_MANY_REQUESTS or response.is_server_error:
        wait = response.headers.get("Retry-After", "")
        return FeedUnavailable(problem, min(float(wait), _MAX_WAIT_S) if wait.isdecimal() else POLL_INTERVAL_S)
    return FeedRefused(problem)


def _build_not_a_service_error(response: httpx2.Response) -> FeedRefused:
    return FeedRefused(Message("There is no bonafide service at {url}.", url=str(response.url.copy_with(query=None))))
