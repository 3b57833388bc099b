"""Look up when a site's domain was registered: an RDAP client (RFC 9082 queries, RFC 9083 responses).

A failed look-up returns null with the reason. Registrars and WHOIS are not queried.
"""

import json
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime
from typing import Any

import anyio

from bonafide.errors import AddressRefused, SourceError, SourceUnavailable
from bonafide.i18n.message import Message
from bonafide.model.search.website import Domain
from bonafide.net.http_messages import SourceRequest, SourceResponse
from bonafide.website.registrable_domain import parse_registrable_domain

TIMEOUT_S = 3.0
"""For the whole look-up, which is the least important information about a site."""
MAX_REDIRECTS = 2
MEDIA_TYPE = "application/rdap+json"
REGISTRATION = "registration"
"""The event of RFC 9083, section 10.2.3. `reregistration` is the event of a name that was released in between."""
SendRdapRequest = Callable[[SourceRequest], Awaitable[SourceResponse]]


class _UnclearError(Exception):
    """The response of the registry has no registration date."""

    def __init__(self, message: Message) -> None:
        super().__init__(message)
        self.message = message


async def look_up_domain(url: str, send: SendRdapRequest) -> Domain:
    """Return the registrable domain of an address and its creation date, or the reason for a failure in `note`. Never raises.

    `send` sends one request and follows no redirects; redirects of a registry are followed here, only to https.
    """
    found = parse_registrable_domain(url)
    if found.service is None:
        return Domain(url=found.domain, created_at=None, note=found.reason)
    source = f"{found.service}domain/{found.domain}"
    try:
        with anyio.fail_after(TIMEOUT_S):
            response = await _request_domain(source, send)
        return Domain(url=found.domain, created_at=_parse_creation_date(response, found.domain), source=response.call.url)
    except TimeoutError:
        note = Message("the registry did not respond within {seconds:g} s", seconds=TIMEOUT_S)
    except (SourceError, AddressRefused, _UnclearError) as error:
        note = error.message
    return Domain(url=found.domain, created_at=None, source=source, note=note)


async def _request_domain(address: str, send: SendRdapRequest) -> SourceResponse:
    """Return the response of the registry, or of the server to which it redirects."""
    for _ in range(MAX_REDIRECTS):
        try:
            return await send(_build_request(address))
        except SourceError as error:
            if error.moved_to is None:
                raise
            if not error.moved_to.startswith("https://"):
                raise SourceUnavailable(Message("the registry redirects to an address without https")) from error
            address = error.moved_to
    return await send(_build_request(address))


def _build_request(address: str) -> SourceRequest:
    return SourceRequest(address, headers={"Accept": MEDIA_TYPE})


def _parse_creation_date(response: SourceResponse, domain: str) -> datetime:
    """Return the time of the registration. Raises `_UnclearError` with the reason if the response has none."""
    if not response.found:
        raise _UnclearError(Message("the domain is not registered"))
    document = _parse_document(response.body)
    named = document.get("ldhName")
    if document.get("objectClassName") != "domain" or (isinstance(named, str) and named.lower().rstrip(".") != domain):
        raise _UnclearError(Message("the registry’s response is about another domain"))
    events = document.get("events")
    found = [_parse_instant(event) for event in events if _is_registration(event)] if isinstance(events, list) else []
    if not found:
        raise _UnclearError(Message("the registry does not publish the registration date"))
    if min(found) > response.retrieved_at:
        raise _UnclearError(Message("the registration date is in the future"))
    return min(found)


def _parse_document(body: bytes) -> dict[str, Any]:
    try:
        document = json.loads(body)
    except (ValueError, RecursionError):
        document = None
    if not isinstance(document, dict):
        raise _UnclearError(Message("the registry’s response is invalid"))
    return document


def _is_registration(event: Any) -> bool:
    return isinstance(event, dict) and event.get("eventAction") == REGISTRATION


def _parse_instant(event: dict[str, Any]) -> datetime:
    """Return the time in UTC. Some registries omit the time zone, which RFC 3339 requires, and mean UTC."""
    try:
        moment = datetime.fromisoformat(event.get("eventDate", ""))
        return moment.astimezone(UTC) if moment.tzinfo is not None else moment.replace(tzinfo=UTC)
    except (ValueError, TypeError, OverflowError):
        raise _UnclearError(Message("the registration date is invalid")) from None
