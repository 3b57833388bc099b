"""Corporations Canada's two interfaces: the open look-up by number, and the gateway that needs a key.

The open one tells of one corporation at a time, by number or business number, and says with HTTP 200 that it knows none. Neither
can be asked by name. What it says of a business is what the daily files say, and its past.
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
"""Where it is more than the plain word; the case is not that of the files."""
DIRECTOR_WORDS = frozenset({"Director", "Administrateur", "Administratrice"})
MANY_YEARS = 4
"""Annual returns that are shown, at most."""

_FEDERAL = BY_JURISDICTION[Jurisdiction.FED]
_LOOKED_UP = re.compile(r"([0-9]+)\.json")
_OF_GATEWAY = re.compile(r"(v1|v2)/corporations/([0-9]+)(/directors)?\.json")


def handle_lookup(asked: ProtocolRequest, directory: BusinessDirectory) -> Response:
    """One corporation by its digits."""
    number = _LOOKED_UP.fullmatch(asked.path)
    return _corporation(number[1], directory) if number is not None else _nothing()


def handle_old_lookup(asked: ProtocolRequest, _directory: BusinessDirectory) -> Response:
    """The address before the present one."""
    return RedirectResponse(f"https://{LOOK_UP}{asked.path}", 301)


def handle_gateway(asked: ProtocolRequest, directory: BusinessDirectory) -> Response:
    """The same look-up as version 1, and the directors as version 2; nothing without a key, whatever the key."""
    if not asked.headers.get("user-key"):
        return create_json_response({"error": "Authentication parameters missing"}, 403)
    path = _OF_GATEWAY.fullmatch(asked.path)
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
    """A list of the corporation and, mostly, null; or of a sentence in two languages."""
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
    """The former ones in order, then the two forms of today's."""
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
    """Down from the last year, none before the corporation was there."""
    last = compute_last_filing_year(business)
    years = range(last, max(business.registered_on.year, last - MANY_YEARS) - 1, -1)
    return [{"annualReturn": {"annualMeetingdate": f"{year}-03-25", "yearOfFiling": year}} for year in years]


def _activities(business: SandboxBusiness) -> list[tuple[str, str]]:
    """How it began, which is seldom by an amalgamation alone, and that it changed its name."""
    began = "Amalgamation" if business.random_bits % 13 == 1 else "Incorporation"
    amended = [("Amendment", former.until.isoformat()) for former in business.former_names]
    return [*reversed(amended), (began, business.registered_on.isoformat())]


# ------------------------------------------------------------------------------------------------------------ directors


def _directors(number: str, directory: BusinessDirectory) -> Response:
    """The directors; that there are none is said in one of three ways, of which one looks like a failure."""
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
