"""GLEIF's API for the Global LEI Index: JSON:API pages of the entities in the world's golden copy.

Records match the output of the golden copy's writer. In a world so large that the golden copy reaches its size limit, the API
returns more entities. For each business there is also a Delaware company with the same registration number.
"""

from collections.abc import Callable, Iterable, Mapping
from typing import Any
from urllib.parse import urlencode

from starlette.responses import Response

from bonafide_sandbox.generator import check_digits
from bonafide_sandbox.generator.business import SandboxBusiness
from bonafide_sandbox.generator.known_businesses import KNOWN_BUSINESSES
from bonafide_sandbox.generator.registrations import TODAY
from bonafide_sandbox.protocols.endpoint import ProtocolEndpoint, ProtocolRequest, create_json_response
from bonafide_sandbox.world.directory import BusinessDirectory
from bonafide_sandbox.writers.regulators.gleif import ABROAD, PREFIX, build_cells, has_lei

HOST = "https://api.gleif.org/api/v1/lei-records"
MEDIA_TYPE = "application/vnd.api+json"
ACCEPTED = frozenset({MEDIA_TYPE, "application/json", "*/*"})
DEFAULT_PAGE_SIZE = 15
MAX_PAGE_SIZE = 200
PARAMETERS = frozenset({"page[size]", "page[number]"})
_BUSINESS_NUMBER = slice(9, 18)
"""The position of the business number in a sandbox LEI."""
_LISTED = frozenset(fixed.business for fixed in KNOWN_BUSINESSES if "gleif" in fixed.lists)
LeiRecordDocument = dict[str, Any]


def handle_request(request: ProtocolRequest, directory: BusinessDirectory) -> Response:
    """Return a page of records, or 406 or 400 for an invalid request."""
    accepted = {part.partition(";")[0].strip() for part in request.headers.get("accept", "*/*").split(",")}
    if accepted.isdisjoint(ACCEPTED):
        return _refusal(406, "Not Acceptable", f"{MEDIA_TYPE} is what this interface speaks")
    unknown = request.params.keys() - PARAMETERS - _FILTERS.keys() - {_COUNTRY}
    size, number = (request.params.get(f"page[{name}]", str(usual)) for name, usual in (("size", DEFAULT_PAGE_SIZE), ("number", 1)))
    if request.path or unknown:
        return _refusal(400, "Bad Request", f"not known: {', '.join(sorted(unknown)) or request.path}")
    if not (size.isdecimal() and number.isdecimal() and 1 <= int(size) <= MAX_PAGE_SIZE and int(number) >= 1):
        return _refusal(400, "Bad Request", f"page[size] goes from 1 to {MAX_PAGE_SIZE}")
    return create_json_response(
        _document(_records(request.params, directory), request.params, int(size), int(number)), media_type=MEDIA_TYPE
    )


def _records(params: Mapping[str, str], directory: BusinessDirectory) -> list[LeiRecordDocument]:
    """Return the records that match every filter. Without a filter the result is empty; the real API lists all entities."""
    found = [
        {record["id"]: record for record in find(params[name], directory)} for name, find in _FILTERS.items() if name in params
    ]
    every = [record for lei, record in found[0].items() if all(lei in other for other in found)] if found else []
    country = params.get(_COUNTRY)
    return [record for record in every if country in {None, record["attributes"]["entity"]["legalAddress"]["country"]}]


def _by_lei(value: str, directory: BusinessDirectory) -> Iterable[LeiRecordDocument]:
    for lei in value.split(","):
        for business in directory.numbered(lei[_BUSINESS_NUMBER]):
            yield from (record for record in _build_records(business) if record["id"] == lei)


def _by_register_number(value: str, directory: BusinessDirectory) -> Iterable[LeiRecordDocument]:
    for business in directory.numbered(value):
        if business.number == value:
            yield from _build_records(business)


def _by_name(value: str, directory: BusinessDirectory) -> Iterable[LeiRecordDocument]:
    for business in directory.named(value):
        yield from _build_records(business)


_COUNTRY = "filter[entity.legalAddress.country]"
_FILTERS: Mapping[str, Callable[[str, BusinessDirectory], Iterable[LeiRecordDocument]]] = {
    "filter[lei]": _by_lei,
    "filter[entity.registeredAs]": _by_register_number,
    "filter[entity.legalName]": _by_name,
    "filter[fulltext]": _by_name,
}


def _build_records(business: SandboxBusiness) -> list[LeiRecordDocument]:
    """Return the Delaware entity with the same number and the business's own record, or nothing if the business has no LEI."""
    if not has_lei(business) and business not in _LISTED:
        return []
    cells = build_cells(business)
    country, jurisdiction, authority, form = ABROAD[0]
    payload = f"{PREFIX}SBU{business.business_number}"
    foreign = cells | {
        "LEI": payload + check_digits.compute_lei(payload),
        "Entity.LegalName": f"{business.name} {country}",
        "Entity.LegalAddress.Country": country,
        "Entity.RegistrationAuthority.RegistrationAuthorityID": authority,
        "Entity.LegalJurisdiction": jurisdiction,
        "Entity.LegalForm.EntityLegalFormCode": form,
    }
    return [_record(foreign), _record(cells)]


# ------------------------------------------------------------------------------------------------------------ documents


def _document(records: list[LeiRecordDocument], params: Mapping[str, str], size: int, number: int) -> LeiRecordDocument:
    last, first = max(1, -(-len(records) // size)), (number - 1) * size
    page = records[first : first + size]
    pagination = {
        "currentPage": number,
        "perPage": size,
        "from": first + 1 if page else None,
        "to": first + len(page) if page else None,
        "total": len(records),
        "lastPage": last,
    }
    others = {"first": 1, "last": last} | ({"next": number + 1} if number < last else {})
    links = {name: f"{HOST}?{urlencode({**params, 'page[number]': place})}" for name, place in others.items()}
    return {"meta": {"goldenCopy": {"publishDate": f"{TODAY}T00:00:00Z"}, "pagination": pagination}, "links": links, "data": page}


def _record(cells: Mapping[str, str]) -> LeiRecordDocument:
    """Convert a row of the golden copy to an API record."""
    lei = cells["LEI"]
    registration = {
        "initialRegistrationDate": cells["Registration.InitialRegistrationDate"],
        "lastUpdateDate": cells["Registration.LastUpdateDate"],
        "status": cells["Registration.RegistrationStatus"],
        "nextRenewalDate": cells["Registration.NextRenewalDate"],
        "managingLou": cells["Registration.ManagingLOU"],
        "corroborationLevel": cells["Registration.ValidationSources"],
        "validatedAt": _authority(cells),
        "validatedAs": cells["Entity.RegistrationAuthority.RegistrationAuthorityEntityID"],
        "otherValidationAuthorities": [],
    }
    attributes = {"lei": lei, "entity": _entity(cells), "registration": registration, "bic": None, "conformityFlag": "CONFORMING"}
    return {"type": "lei-records", "id": lei, "attributes": attributes, "links": {"self": f"{HOST}/{lei}"}}


def _entity(cells: Mapping[str, str]) -> LeiRecordDocument:
    return {
        "legalName": {"name": cells["Entity.LegalName"], "language": cells["Entity.LegalName.xmllang"]},
        "otherNames": _other_names(cells),
        "transliteratedOtherNames": [],
        "legalAddress": _address("Entity.LegalAddress", cells),
        "headquartersAddress": _address("Entity.HeadquartersAddress", cells),
        "registeredAt": _authority(cells),
        "registeredAs": cells["Entity.RegistrationAuthority.RegistrationAuthorityEntityID"],
        "jurisdiction": cells["Entity.LegalJurisdiction"],
        "category": cells["Entity.EntityCategory"],
        "legalForm": {
            "id": cells["Entity.LegalForm.EntityLegalFormCode"],
            "other": cells["Entity.LegalForm.OtherLegalForm"] or None,
        },
        "associatedEntity": {"lei": None, "name": None},
        "status": cells["Entity.EntityStatus"],
        "expiration": {"date": None, "reason": None},
        "successorEntity": {"lei": None, "name": None},
        "successorEntities": [],
        "creationDate": cells["Entity.EntityCreationDate"],
        "subCategory": None,
        "otherAddresses": [],
        "eventGroups": [],
    }


def _other_names(cells: Mapping[str, str]) -> list[LeiRecordDocument]:
    columns = (f"Entity.OtherEntityNames.OtherEntityName.{place}" for place in range(1, 6))
    return [{"name": cells[column], "language": "en", "type": cells[f"{column}.type"]} for column in columns if column in cells]


def _authority(cells: Mapping[str, str]) -> LeiRecordDocument:
    return {"id": cells["Entity.RegistrationAuthority.RegistrationAuthorityID"], "other": None}


def _address(prefix: str, cells: Mapping[str, str]) -> LeiRecordDocument:
    lines = (cells[f"{prefix}.{column}"] for column in ("FirstAddressLine", "AdditionalAddressLine.1"))
    return {
        "language": "en",
        "addressLines": [line for line in lines if line],
        "addressNumber": None,
        "addressNumberWithinBuilding": None,
        "mailRouting": None,
        "city": cells[f"{prefix}.City"],
        "region": cells[f"{prefix}.Region"],
        "country": cells[f"{prefix}.Country"],
        "postalCode": cells[f"{prefix}.PostalCode"],
    }


def _refusal(status: int, title: str, detail: str) -> Response:
    return create_json_response({"errors": [{"status": str(status), "title": title, "detail": detail}]}, status, MEDIA_TYPE)


ENDPOINTS = (ProtocolEndpoint("gleif", HOST.partition("://")[2], handle_request),)
