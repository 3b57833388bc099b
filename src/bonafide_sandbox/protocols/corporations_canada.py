"""Corporations Canada's two interfaces: the open lookup by number, and the gateway that requires an API key.

The open lookup returns one corporation by corporation number or business number, and HTTP 200 with a message if there is none.
Neither interface supports searching by name. Records contain the data of the daily files plus the corporation's history.
"""

import re
from collections.abc import Callable
from typing import Any

from starlette.responses import PlainTextResponse, RedirectResponse, Response

from bonafide.model.jurisdiction import Jurisdiction
from bonafide_sandbox.generator.business import LifecycleStatus, OfficeAddress, SandboxBusiness, SandboxOfficer
from bonafide_sandbox.generator.registers import BY_JURISDICTION
from bonafide_sandbox.protocols.endpoint import ProtocolEndpoint, ProtocolRequest, create_json_response
from bonafide_sandbox.world.directory import BusinessDirectory
from bonafide_sandbox.writers.registries.fed import compute_last_filing_year

LOOK_UP = "ised-isde.canada.ca/cc/lgcy/api/corporations/"
OLD_LOOK_UP = "www.ic.gc.ca/app/scr/cc/CorporationsCanada/api/corporations/"
GATEWAY = "apigateway-passerelledapi.ised-isde.canada.ca/corporations/api/"
STATUSES = {
    LifecycleStatus.DEFAULT: "Active - Dissolution Pending (Non-Compliance)",
    LifecycleStatus.LEAVING: "Active - Intent to Dissolve Filed",
    LifecycleStatus.AMALGAMATED: "Inactive - Amalgamated",
    LifecycleStatus.CONTINUED_OUT: "Inactive - Discontinued",
}
"""Statuses that differ from the register's plain term. The capitalization differs from the files."""
DIRECTOR_WORDS = frozenset({"Director", "Administrateur", "Administratrice"})
MANY_YEARS = 4
"""The maximum number of additional annual returns shown."""

_FEDERAL = BY_JURISDICTION[Jurisdiction.FED]
_LOOKED_UP = re.compile(r"([0-9]+)\.json")
_OF_GATEWAY = re.compile(r"(v1|v2)/corporations/([0-9]+)(/directors)?\.json")


def handle_lookup(request: ProtocolRequest, directory: BusinessDirectory) -> Response:
    """Return one corporation by corporation number or business number."""
    number = _LOOKED_UP.fullmatch(request.path)
    return _corporation(number[1], directory) if number is not None else _nothing()


def handle_old_lookup(request: ProtocolRequest, _directory: BusinessDirectory) -> Response:
    """Handle the previous URL of the lookup."""
    return RedirectResponse(f"https://{LOOK_UP}{request.path}", 301)


def handle_gateway(request: ProtocolRequest, directory: BusinessDirectory) -> Response:
    """Return the record (version 1) or the directors (version 2). Requires an API key, but accepts any value."""
    if not request.headers.get("user-key"):
        return create_json_response({"error": "Authentication parameters missing"}, 403)
    path = _OF_GATEWAY.fullmatch(request.path)
    match path.groups() if path is not None else ():
        case ("v1", number, None):
            return _corporation(number, directory)
        case ("v2", number, "/directors"):
            return _directors(number, directory)
        case _:
            return _nothing()


def _nothing() -> Response:
    return PlainTextResponse("Not Found\n", 404)


def _federal(number: str, directory: BusinessDirectory) -> SandboxBusiness | None:
    found = [business for business in directory.numbered(number) if business.register is Jurisdiction.FED]
    return found[0] if found else None


def _corporation(number: str, directory: BusinessDirectory) -> Response:
    """Return a list with the record and usually a null, or an error sentence in both languages."""
    business = _federal(number, directory)
    if business is None:
        return create_json_response([f"could not find corporation {number}", f"Corporation {number} est inconnu."])
    return create_json_response([_record(business), None] if business.random_bits % 4 else [_record(business)])


def _record(business: SandboxBusiness) -> dict[str, Any]:
    grain = business.random_bits
    return {
        "corporationId": business.number,
        "act": _FEDERAL.types[business.kind],
        "status": STATUSES.get(business.standing, _FEDERAL.status(business.kind, business.standing)),
        "corporationNames": [{"CorporationName": name} for name in _names(business)],
        "adresses": [{"address": _office(business)}],
        "directorLimits": {"minimum": 1, "maximum": 1 + grain % 15},
        "businessNumbers": {"businessNumber": business.business_number},
        "annualReturns": _returns(business),
        "activities": [{"activity": {"activity": name, "date": day}} for name, day in _activities(business)],
    }


def _names(business: SandboxBusiness) -> list[dict[str, Any]]:
    """Return the former names in order, then the current name in both languages."""
    names: list[dict[str, Any]] = []
    since = business.registered_on
    for former in business.former_names:
        days = {"effectiveDate": since.isoformat(), "expiryDate": former.until.isoformat()}
        names.append({"name": former.name, "nameType": "Primary", "current": False, **days})
        since = former.until
    today = {"current": True, "effectiveDate": since.isoformat()}
    names += [{"name": name, "nameType": "Alternate", **today} for name in business.other_names[:1]]
    return [*names, {"name": business.name, "nameType": "Primary", **today}]


def _office(business: SandboxBusiness) -> dict[str, Any]:
    address = business.address
    suite = [f"Suite {address.unit}"] if address.unit is not None else []
    return {
        "addressLine": [f"{address.street_number} {address.street_name}", *suite],
        "city": address.city,
        "postalCode": address.postal_code,
        "provinceCode": "NF" if address.province == "NL" and business.random_bits % 3 == 0 else address.province,
        "countryCode": "CA",
        "typeCode": "2",
        "current": True,
    }


def _returns(business: SandboxBusiness) -> list[dict[str, Any]]:
    """Return the annual returns, most recent first. None predates the registration."""
    last = compute_last_filing_year(business)
    years = range(last, max(business.registered_on.year, last - MANY_YEARS) - 1, -1)
    return [{"annualReturn": {"annualMeetingdate": f"{year}-03-25", "yearOfFiling": year}} for year in years]


def _activities(business: SandboxBusiness) -> list[tuple[str, str]]:
    """Return the history: incorporation or, rarely, amalgamation, followed by name changes."""
    began = "Amalgamation" if business.random_bits % 13 == 1 else "Incorporation"
    amended = [("Amendment", former.until.isoformat()) for former in business.former_names]
    return [*reversed(amended), (began, business.registered_on.isoformat())]


# ------------------------------------------------------------------------------------------------------------ directors


def _directors(number: str, directory: BusinessDirectory) -> Response:
    """Return the directors. "No directors" has one of three forms, one of which looks like an error."""
    business = _federal(number, directory)
    people = [person for person in business.people if DIRECTOR_WORDS.intersection(person.roles)] if business is not None else []
    links = {"self": {"href": f"https://{GATEWAY}v2/corporations/{number}/directors"}}
    if business is None or not people:
        return _NONE_ON_FILE[business.random_bits % len(_NONE_ON_FILE) if business is not None else 1](links)
    return create_json_response(
        {"_embedded": {"directors": [_director(person, business.address) for person in people]}, "_links": links}
    )


def _links_alone(links: dict[str, Any]) -> Response:
    return create_json_response({"_links": links})


def _not_found(_links: dict[str, Any]) -> Response:
    return create_json_response({"status": 404, "error": "Not Found"}, 404)


def _failed(_links: dict[str, Any]) -> Response:
    return create_json_response({"status": 500, "error": "Internal Server Error"}, 500)


_NONE_ON_FILE: tuple[Callable[[dict[str, Any]], Response], ...] = (_links_alone, _not_found, _failed)


def _director(person: SandboxOfficer, address: OfficeAddress) -> dict[str, Any]:
    first, _, last = person.name.partition(" ")
    return {
        "firstName": first,
        "lastName": last,
        "serviceAddress": {
            "line1": address.street,
            "city": address.city,
            "subdivisionCode": address.province,
            "postalCode": address.postal_code.replace(" ", ""),
            "countryCode": "CA",
        },
    }


ENDPOINTS = (
    ProtocolEndpoint("fed", LOOK_UP, handle_lookup),
    ProtocolEndpoint("fed", OLD_LOOK_UP, handle_old_lookup),
    ProtocolEndpoint("fed", GATEWAY, handle_gateway),
)
