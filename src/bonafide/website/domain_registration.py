"""Look up when a site's domain was registered: an RDAP client (RFC 9082 queries, RFC 9083 responses).

Failure is an answer: a null and the reason. It does not ask a registrar, nor the older WHOIS.
"""

import json
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime
from typing import Any

import anyio

from bonafide.errors import AddressRefused, SourceError, SourceUnavailable
from bonafide.model.search.website import Domain
from bonafide.net.http_messages import SourceRequest, SourceResponse
from bonafide.website.registrable_domain import parse_registrable_domain

TIMEOUT_S = 3.0
"""For the whole look-up: it is the least of what is said of a site."""
MAX_REDIRECTS = 2
MEDIA_TYPE = "application/rdap+json"
REGISTRATION = "registration"
"""The event of RFC 9083, section 10.2.3. `reregistration` is another: of a name that was free in between."""
SendRdapRequest = Callable[[SourceRequest], Awaitable[SourceResponse]]


class _UnclearError(Exception):
    """The registry answered, and not with the day of a registration."""


async def look_up_domain(url: str, ask: SendRdapRequest) -> Domain:
    """The registrable domain of an address, and when it was created. It never raises for what it meets: see `note`.

    `ask` puts one question and follows no redirect; a registry that sends us elsewhere is followed here, over https alone.
    """
    found = parse_registrable_domain(url)
    if found.service is None:
        return Domain(url=found.domain, created_at=None, note=found.reason)
    source = f"{found.service}domain/{found.domain}"
    try:
        with anyio.fail_after(TIMEOUT_S):
            answer = await _request_domain(source, ask)
        return Domain(url=found.domain, created_at=_created_at(answer, found.domain), source=answer.call.url)
    except TimeoutError:
        note = f"the registry did not answer within {TIMEOUT_S:g} seconds"
    except (SourceError, AddressRefused, _UnclearError) as error:
        note = str(error)
    return Domain(url=found.domain, created_at=None, source=source, note=note)


async def _request_domain(address: str, ask: SendRdapRequest) -> SourceResponse:
    """The answer of the registry, or of whom it sends us to."""
    for _ in range(MAX_REDIRECTS):
        try:
            return await ask(_build_request(address))
        except SourceError as error:
            if error.moved_to is None:
                raise
            if not error.moved_to.startswith("https://"):
                raise SourceUnavailable("the registry sends us to an address that is not secure") from error
            address = error.moved_to
    return await ask(_build_request(address))


def _build_request(address: str) -> SourceRequest:
    return SourceRequest(address, headers={"Accept": MEDIA_TYPE})


def _created_at(answer: SourceResponse, domain: str) -> datetime:
    """The instant of the registration. Raises `_UnclearError` with the reason where the answer has none."""
    if not answer.found:
        raise _UnclearError("the registry does not know this domain")
    document = _parse_document(answer.body)
    named = document.get("ldhName")
    if document.get("objectClassName") != "domain" or (isinstance(named, str) and named.lower().rstrip(".") != domain):
        raise _UnclearError("the registry's answer is not about this domain")
    events = document.get("events")
    found = [_parse_instant(event) for event in events if _is_registration(event)] if isinstance(events, list) else []
    if not found:
        raise _UnclearError("the registry does not say when the domain was registered")
    if min(found) > answer.retrieved_at:
        raise _UnclearError("the registry names a day that has not come")
    return min(found)


def _parse_document(body: bytes) -> dict[str, Any]:
    try:
        document = json.loads(body)
    except (ValueError, RecursionError):
        document = None
    if not isinstance(document, dict):
        raise _UnclearError("the registry's answer can't be read")
    return document


def _is_registration(event: Any) -> bool:
    return isinstance(event, dict) and event.get("eventAction") == REGISTRATION


def _parse_instant(event: dict[str, Any]) -> datetime:
    """In UTC; the zone, which RFC 3339 demands, is left out by some registries that mean UTC."""
    try:
        moment = datetime.fromisoformat(event.get("eventDate", ""))
        return moment.astimezone(UTC) if moment.tzinfo is not None else moment.replace(tzinfo=UTC)
    except (ValueError, TypeError, OverflowError):
        raise _UnclearError("the registry's day of registration can't be read") from None
