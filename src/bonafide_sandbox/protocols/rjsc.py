"""The API behind Nova Scotia's registry pages: one document per section of a business.

The URLs, the keys of the first document and the placeholder for a missing address are real. The other keys and the response for an
unknown ID are assumptions shared with the connector. IDs can also belong to people.
"""

from collections.abc import Callable
from datetime import date, timedelta
from typing import Any

from starlette.responses import PlainTextResponse, Response

from bonafide.model.jurisdiction import Jurisdiction
from bonafide_sandbox.generator.business import LIVE_STATUSES, LifecycleStatus, OfficeAddress, SandboxBusiness
from bonafide_sandbox.generator.registers import BY_JURISDICTION
from bonafide_sandbox.generator.registrations import TODAY
from bonafide_sandbox.protocols.endpoint import ProtocolEndpoint, ProtocolRequest, create_json_response
from bonafide_sandbox.world.directory import BusinessDirectory

PERSON_ID = "9999990"
"""An ID that belongs to a person."""
NO_ADDRESS = "********NO ADDRESS DETAILS*******"
ONE_IN_WITHOUT_MAILING = 3
"""One in this many businesses has no mailing address."""
Json = Any

_NOVA_SCOTIA = BY_JURISDICTION[Jurisdiction.NS]


def handle_request(request: ProtocolRequest, directory: BusinessDirectory) -> Response:
    """Return the document at `{part}/{id}`, or null if the ID does not exist."""
    part, _, number = request.path.strip("/").rpartition("/")
    if request.method != "GET" or part not in _DOCUMENTS:
        return PlainTextResponse("Not Found", 404)
    if not any(kind in request.headers.get("accept", "*/*") for kind in ("json", "*/*")):
        return PlainTextResponse("Not Acceptable", 406)
    if number == PERSON_ID:
        return create_json_response({"data": _person() if part == "rjscentity" else []})
    business = directory.find_in_register(Jurisdiction.NS, number)
    if business is None:
        return create_json_response({"data": None, "errors": []})
    document = _DOCUMENTS[part](business)
    limit = request.params.get("maxNumEvents")
    return create_json_response({"data": document[: int(limit)] if limit is not None and limit.isdecimal() else document})


def _entity(business: SandboxBusiness) -> Json:
    return {
        "entityRegNumber": business.number,
        "entityRegName": business.name,
        "entityTypeDesc": _NOVA_SCOTIA.types[business.kind],
        "entityStatusDesc": _NOVA_SCOTIA.status(business.kind, business.standing),
        "entityStatusEffectiveDate": _time(_status_since(business)),
        "entityRegDate": _time(business.registered_on),
        "annualReturnDueDate": _time(_due(business)),
        "entityRegAddress": _address(business.address),
        "personInd": False,
    }


def _person() -> Json:
    nothing = {"entityStatusEffectiveDate": None, "entityRegDate": None, "annualReturnDueDate": None, "entityRegAddress": None}
    named = {
        "entityRegNumber": PERSON_ID,
        "entityRegName": "INGRID SAMPLE",
        "entityTypeDesc": "Related Party",
        "entityStatusDesc": None,
    }
    return {**named, **nothing, "personInd": True}


def _names(business: SandboxBusiness) -> Json:
    """Return all names, the current one last. Former names have an end date."""
    former = sorted(business.former_names, key=lambda former: former.until)
    starts = [business.registered_on, *(each.until for each in former)]
    ends = [*(each.until for each in former), None]
    names = [*(each.name for each in former), business.name]
    return [
        {"name": name, "effectiveFrom": _time(start), "effectiveTo": _time(end)}
        for name, start, end in zip(names, starts, ends, strict=True)
    ]


def _relationships(business: SandboxBusiness) -> Json:
    """Return one entry per role, plus one that has ended."""
    held = [(person.name, role, None) for person in business.people for role in person.roles]
    ended = [("Ingrid Sample", "Recognized Agent", business.registered_on + timedelta(days=90))] if business.random_bits % 2 else []
    return [
        {
            "entityRegName": name,
            "relationshipTypeDesc": role,
            "personInd": True,
            "effectiveFrom": _time(business.registered_on),
            "effectiveTo": _time(until),
            "entityRegAddress": _address(business.address),
        }
        for name, role, until in (*held, *ended)
    ]


def _other_addresses(business: SandboxBusiness) -> Json:
    given = business.random_bits % ONE_IN_WITHOUT_MAILING != 0
    return [{"addressTypeDesc": "Mailing Address", **(_address(business.address) if given else {"addressOneLine": NO_ADDRESS})}]


def _events(business: SandboxBusiness) -> Json:
    """Return the events, most recent first."""
    events = [(_status_since(business), "Status Changed"), (business.registered_on, "Registration")]
    renewals = [(_due(business) or TODAY) - timedelta(days=365 * years) for years in range(2, 8)]
    events += [(day, "Annual Renewal") for day in renewals if business.registered_on < day < TODAY]
    return [
        {"eventDesc": what, "eventDate": _time(day), "eventTypeDesc": "Filed"}
        for day, what in sorted(events, key=lambda event: event[0], reverse=True)
    ]


def _address(address: OfficeAddress) -> Json:
    street = f"{address.unit}-{address.street}" if address.unit is not None else address.street
    return {"addressOneLine": f"{street}, {address.city}, {address.province}, {address.postal_code}, Canada"}


def _status_since(business: SandboxBusiness) -> date:
    """Return a date between the registration and today, or the registration date if the status never changed."""
    if business.standing is LifecycleStatus.ACTIVE:
        return business.registered_on
    return business.registered_on + timedelta(days=business.random_bits % max(1, (TODAY - business.registered_on).days))


def _due(business: SandboxBusiness) -> date | None:
    """Return the due date of the next annual return, or None if the business files none or is being dissolved."""
    if business.standing not in LIVE_STATUSES or business.standing is LifecycleStatus.LEAVING:
        return None
    return TODAY + timedelta(days=400 + business.random_bits % 300)


def _time(day: date | None) -> str | None:
    return f"{day.isoformat()}T00:00:00" if day is not None else None


_DOCUMENTS: dict[str, Callable[[SandboxBusiness], Json]] = {
    "rjscentity": _entity,
    "rjscentity/allrelationships": _relationships,
    "rjscentity/latest-events": _events,
    "entity/names": _names,
    "entity/otheraddresses": _other_addresses,
}
ENDPOINTS = (ProtocolEndpoint("ns", "api.rjsc.novascotia.ca/api/", handle_request),)
