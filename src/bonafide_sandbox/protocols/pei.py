"""Prince Edward Island's registry: a gateway that returns pages as trees of display elements.

Every error returns the same sentence, that the service is not available. Search is fuzzy and the best match is rarely first.
Records have consecutive ids that are not registration numbers.
"""

import html
import json
import re
from collections.abc import Iterable, Mapping, Sequence
from datetime import date, timedelta
from typing import Any

from starlette.responses import PlainTextResponse, Response

from bonafide.model.jurisdiction import Jurisdiction
from bonafide_sandbox.generator.business import FIRM_KINDS, LIVE_STATUSES, SandboxBusiness
from bonafide_sandbox.generator.registers import BY_JURISDICTION
from bonafide_sandbox.generator.registrations import TODAY
from bonafide_sandbox.protocols.endpoint import ProtocolEndpoint, ProtocolRequest, create_json_response
from bonafide_sandbox.world.directory import BusinessDirectory

ADDRESS = "wdf.princeedwardisland.ca/api/workflow"
NOT_AVAILABLE = "The service is not available at this time."
NOTHING = "No results found."
SERVICE, SEARCH, VIEW = "BusinessAPI", "BusinessSearch", "BusinessView"
ENVELOPE = frozenset({"appName", "featureName", "queryName", "metaVars", "queryVars"})
FORM = frozenset({"name", "business_number", "company_type", "status"})
EVERY = FORM | {"wdf_url_query", "service", "activity"}
NEEDED = {SEARCH: EVERY | {"page_number", "page_size"}, VIEW: EVERY | {"id"}}
"""The required keys of each activity. Values may be null."""
MAX_PAGE_SIZE = 20
FIRST_NUMBER, FIRST_ID = 100_000, 20_001
TRADES = ("restaurant and bar", "oyster fishing", "potato farming", "bed & breakfast", "carpentry", "gift shop")
FIRM_YEARS = 3
"""Years between renewals of a firm's registration."""
LINE_END = "&#10;"
_REGISTER = BY_JURISDICTION[Jurisdiction.PE]
_NUMBERS = re.compile(r"(?:(?P<business>\d{9})(?:-|$))?(?P<register>\d{1,6})?")
DisplayElement = dict[str, Any]


def handle_request(request: ProtocolRequest, directory: BusinessDirectory) -> Response:
    """Return the elements of a page or the error sentence, or 405 if the method is not POST."""
    if request.method != "POST":
        return PlainTextResponse("Method Not Allowed\n", 405)
    variables = _variables(request.body)
    shown = _page(variables, directory) if variables is not None else None
    data = shown if shown is not None else [_element("Paragraph", text=NOT_AVAILABLE)]
    return create_json_response({"processInstanceId": None, "messages": {"error": []}, "data": data})


def _variables(body: bytes) -> Mapping[str, Any] | None:
    """Return the query variables, or None if the request is incomplete."""
    try:
        request = json.loads(body)
        variables = request["queryVars"]
        activity = request["queryName"]
        whole = request.keys() == ENVELOPE and set(request["metaVars"]) == {"service_id", "save_location"}
        agreed = (request["appName"], request["featureName"], variables["service"], variables["activity"])
        known = agreed == (SERVICE, SERVICE, SERVICE, activity) and variables.keys() == NEEDED[activity]
    except (ValueError, LookupError, TypeError, AttributeError):
        return None
    return variables if whole and known else None


def _page(variables: Mapping[str, Any], directory: BusinessDirectory) -> list[DisplayElement] | None:
    if variables["activity"] == VIEW:
        return _record(variables, directory)
    # The sandbox registry does not support filtering by type or status.
    if variables["company_type"] is not None or variables["status"] is not None:
        return None
    return _results(variables, directory)


# ------------------------------------------------------------------------------------------------------------ searching


def _results(variables: Mapping[str, Any], directory: BusinessDirectory) -> list[DisplayElement] | None:
    page, size = (str(variables[name] or "") for name in ("page_number", "page_size"))
    if not (page.isdecimal() and size.isdecimal() and int(page) >= 1 and 1 <= int(size) <= MAX_PAGE_SIZE):
        return None
    if variables["name"] is None and variables["business_number"] is None:
        return None
    found = _found(variables, directory)
    start = (int(page) - 1) * int(size)
    shown = found[start : start + int(size)]
    if not shown:
        return [_element("Paragraph", text=NOTHING)]
    counted = f"Showing results {start + 1}-{start + len(shown)} of {len(found)}"
    heading = _row(_element("TableV2Header", text=text) for text in ("Name", "Business Number", "Company Type", "Status"))
    return [_element("Paragraph", text=counted), _element("TableV2", [heading, *map(_result, shown)])]


def _found(variables: Mapping[str, Any], directory: BusinessDirectory) -> list[SandboxBusiness]:
    """Return exact matches by number, or fuzzy matches by name in the registry's own order."""
    if variables["business_number"] is not None:
        return _numbered(str(variables["business_number"]), directory)
    return sorted(directory.named(str(variables["name"]), (Jurisdiction.PE,)), key=lambda business: business.random_bits)


def _numbered(text: str, directory: BusinessDirectory) -> list[SandboxBusiness]:
    """Return businesses with this registration number or, if given, this nine-digit business number prefix."""
    numbers = _NUMBERS.fullmatch(text)
    if numbers is None:
        return []
    return [
        business
        for business in directory.numbered(numbers["register"] or numbers["business"] or "")
        if business.register is Jurisdiction.PE and numbers["business"] in {None, business.business_number}
    ]


def _result(business: SandboxBusiness) -> DisplayElement:
    link = _element(
        "LinkV2", text=business.name, href=None, routerLink=VIEW, queryParams={"id": str(_to_record_id(business.number))}
    )
    cells = (_number(business), _REGISTER.types[business.kind], _status(business))
    return _row([_element("TableV2Cell", [link]), *(_element("TableV2Cell", text=text) for text in cells)])


# ------------------------------------------------------------------------------------------------------------ records


def _record(variables: Mapping[str, Any], directory: BusinessDirectory) -> list[DisplayElement] | None:
    identifier = str(variables["id"])
    business = directory.find_in_register(Jurisdiction.PE, _from_record_id(int(identifier))) if identifier.isdecimal() else None
    if business is None:
        return None
    rows = [
        _row([_element("TableV2Header", text=label), _element("TableV2Cell", text=_lines(value))])
        for label, value in _labelled(business).items()
    ]
    return [_element("TableV2", rows)]


def _labelled(business: SandboxBusiness) -> Mapping[str, Sequence[str]]:
    """Return the lines of each labelled field. Blank fields have none."""
    address, firm = business.address, business.kind in FIRM_KINDS
    street = f"{address.unit}-{address.street}" if address.unit is not None else address.street
    renewed = _renewed(business.registered_on)
    return {
        "Business Type": [_REGISTER.types[business.kind]],
        "Business Number": [_number(business)],
        "Entity Name": [business.name],
        "Entity Secondary Name": business.other_names,
        "Registration Date": [_long(business.registered_on)],
        "Registration Number": [business.number],
        "Status": [_status(business)],
        "Address": [street, f"{address.city}, {address.province} {address.postal_code}"],
        "End Date": [_long(_ended(business))] if business.standing not in LIVE_STATUSES else [],
        "Former Name(s)": [former.name for former in business.former_names],
        "Nature of Business": [TRADES[business.random_bits % len(TRADES)]],
        "Gazette Date": [_long(business.registered_on + timedelta(days=14))] if not firm else [],
        "Renewal Date": [_long(renewed)] if firm else [],
        "Expiry Date": [_long(renewed.replace(year=renewed.year + FIRM_YEARS))] if firm else [],
        # The registry publishes no people for corporations.
        "Owner": [person.name for person in business.people] if firm else [],
        "Former Owner": [],
    }


def _renewed(day: date) -> date:
    """Return the most recent renewal date of a registration. Never February 29."""
    day = day.replace(day=min(day.day, 28))
    return day.replace(year=TODAY.year - 1 - (TODAY.year - 1 - day.year) % FIRM_YEARS) if day.year < TODAY.year else day


def _ended(business: SandboxBusiness) -> date:
    return business.registered_on + timedelta(days=business.random_bits % max(1, (TODAY - business.registered_on).days))


# ------------------------------------------------------------------------------------------------------------ writing


def _element(kind: str, children: Sequence[DisplayElement] = (), **data: Any) -> DisplayElement:
    return {"id": None, "type": kind, "data": data, "children": list(children)}


def _row(cells: Iterable[DisplayElement]) -> DisplayElement:
    return _element("TableV2Row", list(cells))


def _lines(lines: Sequence[str]) -> str | None:
    return LINE_END.join(html.escape(line, quote=False) for line in lines) or None


def _status(business: SandboxBusiness) -> str:
    """Return the register's status code as displayed on its pages."""
    return _REGISTER.status(business.kind, business.standing).replace("_", " ").title()


def _number(business: SandboxBusiness) -> str:
    return f"{business.business_number}-{business.number}"


def _long(day: date) -> str:
    return f"{day:%B} {day.day}, {day.year}"


def _to_record_id(number: str) -> int:
    return int(number) - FIRST_NUMBER + FIRST_ID


def _from_record_id(identifier: int) -> str:
    return str(identifier - FIRST_ID + FIRST_NUMBER)


ENDPOINTS = (ProtocolEndpoint("pe", ADDRESS, handle_request),)
