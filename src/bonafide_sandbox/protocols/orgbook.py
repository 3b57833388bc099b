"""OrgBook BC API v4 for the sandbox's British Columbia: autocomplete, paginated topic search, topics and credentials.

`orgbook_records` builds the documents. The rate limit headers have the names used by the province's API gateway, because OrgBook
does not document its own.
"""

from typing import Any
from urllib.parse import urlencode

from starlette.responses import Response

from bonafide.model.jurisdiction import Jurisdiction
from bonafide_sandbox.generator.business import LIVE_STATUSES, SandboxBusiness
from bonafide_sandbox.protocols.endpoint import ProtocolEndpoint, ProtocolRequest, create_json_response
from bonafide_sandbox.protocols.orgbook_records import (
    HOST,
    NUMBER,
    REGISTRATION,
    build_credential_sets,
    build_topic,
    create_credential_uuid,
    from_topic_id,
    to_topic_id,
)
from bonafide_sandbox.world.directory import BusinessDirectory

PAGE_SIZE = 10
MAX_PAGE = 10
"""Later pages are refused, whatever the total."""
LIMITS = {
    "X-RateLimit-Limit-Second": "25",
    "X-RateLimit-Remaining-Second": "24",
    "RateLimit-Limit": "25",
    "RateLimit-Remaining": "24",
    "RateLimit-Reset": "1",
}


def handle_request(request: ProtocolRequest, directory: BusinessDirectory) -> Response:
    """Handle any request to the API."""
    path = request.path.rstrip("/").split("/")
    match path:
        case ["search", "autocomplete"]:
            response = _autocomplete(request, directory)
        case ["search", "topic"]:
            response = _search(request, directory)
        case ["topic", number, *rest] if number.isdecimal() and rest in ([], ["credential-set"]):
            response = _topic(int(number), directory, credentials=rest != [])
        case _:
            response = _refusal(404, "Not found.")
    response.headers.update(LIMITS)
    return response


def parse_report_request(request: ProtocolRequest) -> tuple[Jurisdiction, str] | None:
    """Return the registration whose history is requested. Only a report sends this request; a search does not."""
    match request.path.rstrip("/").split("/"):
        case ["topic", topic, "credential-set"] if topic.isdecimal():
            number = from_topic_id(int(topic))
            return (Jurisdiction.BC, number) if number is not None else None
        case _:
            return None


def _search(request: ProtocolRequest, directory: BusinessDirectory) -> Response:
    """Return a page of topics: 404 for a page that does not exist, 400 beyond page 10."""
    number = request.params.get("page", "1")
    if not number.isdecimal() or int(number) < 1:
        return _refusal(404, "Invalid page.")
    page = int(number)
    if page > MAX_PAGE:
        return _refusal(400, f"Only the first {MAX_PAGE} pages are served.")
    found = _found(request, directory)
    first = (page - 1) * PAGE_SIZE
    if first >= len(found) and page > 1:
        return _refusal(404, "Invalid page.")
    shown = found[first : first + PAGE_SIZE]
    return create_json_response(
        {
            "total": len(found),
            "page_size": PAGE_SIZE,
            "page": page,
            "first_index": first + 1 if shown else 0,
            "last_index": first + len(shown),
            "next": _page_url(request, page + 1) if first + PAGE_SIZE < len(found) else None,
            "previous": _page_url(request, page - 1) if page > 1 else None,
            "results": [build_topic(business) for business in shown],
        }
    )


def _autocomplete(request: ProtocolRequest, directory: BusinessDirectory) -> Response:
    """Return at most ten hits. `total` counts these hits, not all matches. The hit's value depends on which field matched."""
    found = _found(request, directory)[:PAGE_SIZE]
    hits = [_hit(business, request.params.get("q", ""), rank) for rank, business in enumerate(found)]
    return create_json_response({"total": len(hits), "first_index": 1 if hits else 0, "last_index": len(hits), "results": hits})


def _topic(topic: int, directory: BusinessDirectory, *, credentials: bool) -> Response:
    source_id = from_topic_id(topic)
    business = directory.find_in_register(Jurisdiction.BC, source_id) if source_id is not None else None
    if business is None:
        return _refusal(404, "Not found.")
    if credentials:
        return create_json_response(build_credential_sets(business))
    return create_json_response({"id": topic, "source_id": source_id, "type": REGISTRATION, "related_to": [], "related_from": []})


def _found(request: ProtocolRequest, directory: BusinessDirectory) -> list[SandboxBusiness]:
    """Return businesses that match by registration number, business number or name, filtered by `inactive`."""
    query, inactive = request.params.get("q", "").strip(), request.params.get("inactive", "false")
    numbered = [business for business in directory.numbered(query.upper()) if business.register is Jurisdiction.BC]
    found = {business.number: business for business in (*numbered, *directory.named(query, (Jurisdiction.BC,)))}
    return [
        business
        for business in found.values()
        if inactive == "any" or (business.standing not in LIVE_STATUSES) == (inactive == "true")
    ]


def _page_url(request: ProtocolRequest, page: int) -> str:
    return f"https://{HOST}{request.path}?{urlencode({**request.params, 'page': page})}"


def _refusal(status: int, detail: str) -> Response:
    return create_json_response({"detail": detail}, status)


def _hit(business: SandboxBusiness, query: str, rank: int) -> dict[str, Any]:
    shown: dict[str, Any] = {"type": "name", "sub_type": "entity_name", "value": business.name}
    about = REGISTRATION
    if query.upper() == business.number:
        shown = {"type": "topic", "sub_type": "source_id", "value": business.number, "id": to_topic_id(business)}
    elif query == business.business_number:
        shown, about = {"type": "name", "sub_type": "business_number", "value": query}, NUMBER
    return {
        **shown,
        "topic_source_id": business.number,
        "topic_type": REGISTRATION,
        "credential_type": about,
        "credential_id": create_credential_uuid(business, about, 0),
        "score": round(60 / (rank + 1), 5),
    }


ENDPOINTS = (ProtocolEndpoint("bc", HOST, handle_request, parse_report_request),)
