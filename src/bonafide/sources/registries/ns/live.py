"""Query Nova Scotia's registry by Registry ID, through the undocumented JSON API that its own pages use.

The documents, and the keys of the first one, are known from public programs. The keys of the others are derived from them and from
Ireland's register, whose site is by the same vendor; no response was available. A document with another structure is therefore an
error, never a partial report. Searches by name are not supported.
"""

from collections.abc import Sequence
from datetime import date

from bonafide.errors import InvalidInput, ParseFailed, SourceNotFound
from bonafide.i18n.message import Message
from bonafide.matching.identifiers.number_formats import NUMBER_FORMATS
from bonafide.matching.identifiers.number_labels import NumberType
from bonafide.model.entity import RegistrationNumber, StatusCode
from bonafide.model.entry import RegistryEntry
from bonafide.model.jurisdiction import Jurisdiction
from bonafide.net.http_messages import SourceResponse
from bonafide.sources.framework.live import (
    ADDRESS_NOT_FOUND,
    LiveContext,
    LiveQuery,
    QueryPairs,
    RegistrationQuery,
    normalize_number,
    read_json,
    require_number,
)
from bonafide.sources.registries.ns.documents import DocumentFields, build_address, build_people, former_names

MAX_EVENTS = 5
"""The number that the registry's own page requests."""
REVOKED = "revoked"
"""The prefix of the status of a registration that was revoked for a missing filing or fee."""
RELATED_PARTY = "Related Party"
"""The type of a party that has an ID only because it is related to a business, and is not a registration."""


async def find(query: LiveQuery, context: LiveContext) -> Sequence[RegistryEntry]:
    """The business with the Registry ID, without people and former names.

    Raises `InvalidInput` if nothing was found and the query has a name, which can't be looked up; other `SourceError`s.
    """
    number = normalize_number(query.number, NumberType.NOVA_SCOTIA_REGISTRY) if query.number is not None else None
    entry = await _find_registered(number, context) if number is not None else None
    if entry is None and (number is None or query.name is not None):
        form = NUMBER_FORMATS[NumberType.NOVA_SCOTIA_REGISTRY].form
        sentence = Message(
            "{source} can be queried by Registry ID ({form}) only, not by name", source=context.metadata.title, form=form
        )
        raise InvalidInput(sentence)
    return [entry] if entry is not None else []


async def report(registration: RegistrationQuery, context: LiveContext) -> RegistryEntry | None:
    """The business with its former names, people and addresses. The latest filings are notes. Raises a `SourceError`."""
    number = require_number(registration.number, NumberType.NOVA_SCOTIA_REGISTRY)
    entry = await _find_registered(number, context)
    if entry is None:
        return None
    names = await _fetch_list(f"entity/names/{number}", context)
    related = await _fetch_list(f"rjscentity/allrelationships/{number}", context)
    others = [build_address(other) for other in await _fetch_list(f"entity/otheraddresses/{number}", context)]
    for event in await _fetch_list(f"rjscentity/latest-events/{number}", context, (("maxNumEvents", str(MAX_EVENTS)),)):
        # Entries have no field for filings.
        filing, day = event.need("eventDesc"), event.day("eventDate")
        note = (
            Message("On file: {filing}, {date}", filing=filing, date=day.isoformat())
            if day is not None
            else Message("On file: {filing}, no date", filing=filing)
        )
        context.words.note(note)
    addresses = dict.fromkeys([*entry.addresses, *(address for address in others if address is not None)])
    more = {
        "name_history": tuple(former_names(names, entry.legal_name)),
        "people": tuple(build_people(related, context.words)),
        "addresses": tuple(addresses),
    }
    return entry.model_copy(update=more)


# ------------------------------------------------------------------------------------------------------------ documents


async def _find_registered(number: str, context: LiveContext) -> RegistryEntry | None:
    """The entry from the first document; None if the number does not exist or is not that of a business."""
    answer = await _fetch(f"rjscentity/{number}", context)
    # A response without JSON means that the API has moved.
    if not answer.found and not answer.body.lstrip().startswith(b"{"):
        raise SourceNotFound(ADDRESS_NOT_FOUND.fill(source=context.metadata.title, url=answer.call.url))
    data = _read_data(answer, "rjscentity") if answer.found else None
    if data is None:
        return None
    profile = DocumentFields.of(data, "rjscentity")
    if profile.flag("personInd") or profile.text("entityTypeDesc") == RELATED_PARTY:
        return None
    if normalize_number(profile.need("entityRegNumber"), NumberType.NOVA_SCOTIA_REGISTRY) != number:
        sentence = Message(
            "the registry returned the number {found} instead of {number}", found=profile.need("entityRegNumber"), number=number
        )
        raise ParseFailed(sentence)
    return _build_entry(number, profile, answer.retrieved_at.date(), context)


async def _fetch_list(path: str, context: LiveContext, params: QueryPairs = ()) -> list[DocumentFields]:
    """A document of a business that is a list; null is an empty list."""
    answer, name = await _fetch(path, context, params), path.rpartition("/")[0]
    if not answer.found:
        raise SourceNotFound(ADDRESS_NOT_FOUND.fill(source=context.metadata.title, url=answer.call.url))
    data = _read_data(answer, name)
    if data is not None and not isinstance(data, list):
        raise ParseFailed(Message("{document}: {field} is not a list", document=name, field="data"))
    return [DocumentFields.of(item, name) for item in data or ()]


async def _fetch(path: str, context: LiveContext, params: QueryPairs = ()) -> SourceResponse:
    return await context.get(path, params, {"Accept": "application/json"})


def _read_data(answer: SourceResponse, name: str) -> object:
    document = read_json(answer)
    if not isinstance(document, dict) or "data" not in document:
        raise ParseFailed(Message("{document}: {field} is missing", document=name, field="data"))
    data: object = document["data"]
    return data


# ------------------------------------------------------------------------------------------------------------ the entry


def _build_entry(number: str, profile: DocumentFields, today: date, context: LiveContext) -> RegistryEntry:
    status = profile.text("entityStatusDesc")
    code = context.words.status(status)
    address = build_address(profile.part("entityRegAddress"))
    return RegistryEntry(
        entry_id=number,
        jurisdiction=Jurisdiction.NS,
        legal_name=profile.need("entityRegName"),
        registration_numbers=(RegistrationNumber(label=str(context.metadata.number_label), value=number),),
        entity_type=profile.text("entityTypeDesc"),
        status=status,
        status_code=code,
        good_standing=_derive_good_standing(status, code, profile.day("annualReturnDueDate"), today),
        incorporation_date=profile.day("entityRegDate"),
        addresses=(address,) if address is not None else (),
    )


def _derive_good_standing(status: str | None, code: StatusCode, due: date | None, today: date) -> bool | None:
    """Derive good standing: True until the next annual return is due, False for a revoked registration, or None.

    If a return is overdue, good standing depends on an unknown grace period.
    """
    if status is not None and status.casefold().startswith(REVOKED):
        return False
    return True if code is StatusCode.ACTIVE and due is not None and today <= due else None
