"""The RDAP server of the sandbox's `.example` registry (RFC 9082 and RFC 9083).

It has the domains of the sandbox's sites. Some domains reproduce quirks of real registries: an unknown domain, a redacted
registration date, a referral to another server, and a redirect loop.
"""

from collections.abc import Callable, Mapping
from datetime import date, timedelta
from typing import Any

from starlette.responses import Response

from bonafide_sandbox.generator.registrations import TODAY
from bonafide_sandbox.protocols.endpoint import ProtocolEndpoint, ProtocolRequest, create_json_response
from bonafide_sandbox.sites.catalog import load_catalog
from bonafide_sandbox.sites.content.shop import SITES_DOMAIN, Shop
from bonafide_sandbox.sites.hostile import HOSTILE_SITES
from bonafide_sandbox.sites.site_changes import find_site_changes
from bonafide_sandbox.world.directory import BusinessDirectory

HOST, OTHER_HOST = "rdap.example", "rdap.elsewhere.example"
MEDIA_TYPE = "application/rdap+json"
FIRST_DOMAIN = date(1996, 5, 1)
"""No domain is older than this."""
OTHER_DOMAINS_CREATED = date(2019, 8, 14)
"""The registration date of domains that belong to no business."""
QUESTION = "domain/"


def compute_creation_day(shop: Shop) -> date:
    """Return the registration date of a shop's domain: after the business was registered and not before `FIRST_DOMAIN`."""
    first = max(shop.business.registered_on, FIRST_DOMAIN)
    return first + timedelta(days=shop.chance.below("domain", max((TODAY - first).days, 1)))


def handle_request(request: ProtocolRequest, directory: BusinessDirectory) -> Response:
    """Return the record of `domain/<name>`."""
    name = request.path.removeprefix(QUESTION).lower()
    odd = ODD.get(name.removesuffix(f".{SITES_DOMAIN}"))
    if odd is not None:
        return odd(name)
    day = _day(name, directory) if request.path.startswith(QUESTION) else None
    return _record(name, day) if day is not None else _error(404, "Not found")


def handle_other_server_request(request: ProtocolRequest, _directory: BusinessDirectory) -> Response:
    """Handle a request to the other server, which has one domain and redirects every other name to itself."""
    name = request.path.removeprefix(QUESTION)
    return _record(name, OTHER_DOMAINS_CREATED) if name == f"moved.{SITES_DOMAIN}" else _create_redirect(OTHER_HOST, name)


def _day(name: str, directory: BusinessDirectory) -> date | None:
    change = find_site_changes(directory.day).get(name)
    if change is not None and change.owner is not None:
        return change.owner.domain_registered_on
    catalog = load_catalog(directory.seed)
    site = catalog.site(name)
    if site is not None:
        return compute_creation_day(site.shop)
    return OTHER_DOMAINS_CREATED if name in catalog.written or name.removesuffix(f".{SITES_DOMAIN}") in HOSTILE_SITES else None


# ---------------------------------------------------------------------------------------------------------------- answers


def _record(name: str, day: date) -> Response:
    events = [
        {"eventAction": "registration", "eventDate": f"{day.isoformat()}T14:33:05.0Z"},
        {"eventAction": "expiration", "eventDate": f"{day.replace(day=1, year=TODAY.year + 1).isoformat()}T14:33:05.0Z"},
        {"eventAction": "last update of RDAP database", "eventDate": f"{TODAY.isoformat()}T06:00:00.0Z"},
    ]
    return _create_response(_domain(name) | {"events": events})


def _domain(name: str) -> dict[str, Any]:
    return {
        "objectClassName": "domain",
        "rdapConformance": ["rdap_level_0"],
        "handle": f"{sum(name.encode()):08X}-EXAMPLE",
        "ldhName": name.upper(),
        "status": ["client transfer prohibited"],
        "entities": [{"objectClassName": "entity", "roles": ["registrar"], "handle": "9999"}],
        "nameservers": [{"objectClassName": "nameserver", "ldhName": f"ns1.{HOST}"}],
        "links": [{"rel": "self", "href": f"https://{HOST}/{QUESTION}{name}", "type": MEDIA_TYPE}],
        "notices": [{"title": "Terms of Use", "description": ["Everything here is made up."]}],
    }


def _error(code: int, title: str) -> Response:
    return _create_response({"errorCode": code, "title": title, "description": [title], "rdapConformance": ["rdap_level_0"]}, code)


def _create_response(content: Any, status: int = 200) -> Response:
    return create_json_response(content, status, MEDIA_TYPE)


def _create_redirect(host: str, name: str) -> Response:
    return Response(status_code=302, headers={"Location": f"https://{host}/{QUESTION}{name}"})


ODD: Mapping[str, Callable[[str], Response]] = {
    "unknown": lambda _: _error(404, "Not found"),
    "withheld": lambda name: _create_response(
        _domain(name) | {"events": [{"eventAction": "last changed", "eventDate": "2024-02-30"}]}
    ),
    "moved": lambda name: _create_redirect(OTHER_HOST, name),
    "circle": lambda name: _create_redirect(OTHER_HOST, name),
    "crowded": lambda _: _error(429, "Rate limit exceeded"),
}
"""Special-case responses by domain label."""

ENDPOINTS = (
    ProtocolEndpoint("rdap", f"{HOST}/", handle_request),
    ProtocolEndpoint("rdap", f"{OTHER_HOST}/", handle_other_server_request),
)
