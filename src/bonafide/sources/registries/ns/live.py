"""Nova Scotia's registry, asked by Registry ID in the way in which its own pages ask behind the scenes: undocumented JSON.

Which documents there are, and the keys of the first, are known from public programs. Those of the others are put together from them
and from Ireland's register, whose pages are of the same make; no answer was ever seen. So a document in another shape is an error
that names what is missing, never a report without it. It can't be asked for a name.
"""

from collections.abc import Sequence
from datetime import date

from bonafide.errors import InvalidInput, ParseFailed, SourceNotFound
from bonafide.matching.identifiers.number_formats import NUMBER_FORMATS
from bonafide.matching.identifiers.number_labels import NumberType
from bonafide.model.entity import RegistrationNumber, StatusCode
from bonafide.model.entry import RegistryEntry
from bonafide.model.jurisdiction import Jurisdiction
from bonafide.net.http_messages import SourceResponse
from bonafide.sources.framework.live import (
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
"""The number that the registry's own page asks for."""
REVOKED = "revoked"
"""How the status of a registration begins that was taken away for want of a filing or a fee."""
RELATED_PARTY = "Related Party"
"""The kind of what has an ID only because it is related to a business: like a person, it is no registration."""


async def find(query: LiveQuery, context: LiveContext) -> Sequence[RegistryEntry]:
    """The business with the Registry ID, without people and former names.

    Raises `InvalidInput` where nothing was found and a name was asked for too, which nobody has looked for; other `SourceError`s.
    """
    number = normalize_number(query.number, NumberType.NOVA_SCOTIA_REGISTRY) if query.number is not None else None
    entry = await _find_registered(number, context) if number is not None else None
    if entry is None and (number is None or query.name is not None):
        form = NUMBER_FORMATS[NumberType.NOVA_SCOTIA_REGISTRY].form
        raise InvalidInput(f"{context.metadata.title} can be asked for a Registry ID ({form}) and not for a name")
    return [entry] if entry is not None else []


async def report(registration: RegistrationQuery, context: LiveContext) -> RegistryEntry | None:
    """The business with its former names, people and addresses; what was filed last becomes notes. Raises a `SourceError`."""
    number = require_number(registration.number, NumberType.NOVA_SCOTIA_REGISTRY)
    entry = await _find_registered(number, context)
    if entry is None:
        return None
    names = await _fetch_list(f"entity/names/{number}", context)
    related = await _fetch_list(f"rjscentity/allrelationships/{number}", context)
    others = [build_address(other) for other in await _fetch_list(f"entity/otheraddresses/{number}", context)]
    for event in await _fetch_list(f"rjscentity/latest-events/{number}", context, (("maxNumEvents", str(MAX_EVENTS)),)):
        # No field of an entry has a place for it.
        context.words.note(f"On file: {event.need('eventDesc')}, {event.day('eventDate') or 'not dated'}")
    addresses = dict.fromkeys([*entry.addresses, *(address for address in others if address is not None)])
    more = {
        "name_history": tuple(former_names(names, entry.legal_name)),
        "people": tuple(build_people(related, context.words)),
        "addresses": tuple(addresses),
    }
    return entry.model_copy(update=more)


# ------------------------------------------------------------------------------------------------------------ documents


async def _find_registered(number: str, context: LiveContext) -> RegistryEntry | None:
    """What the first document says; None when the registry has nothing under the number, or no business."""
    answer = await _fetch(f"rjscentity/{number}", context)
    # An interface that has moved says 404 as well, but hardly in its own words.
    if not answer.found and not answer.body.lstrip().startswith(b"{"):
        raise SourceNotFound(f"{context.metadata.key}: nothing answers at {answer.call.url}")
    data = _read_data(answer, "rjscentity") if answer.found else None
    if data is None:
        return None
    profile = DocumentFields.of(data, "rjscentity")
    if profile.flag("personInd") or profile.text("entityTypeDesc") == RELATED_PARTY:
        return None
    if normalize_number(profile.need("entityRegNumber"), NumberType.NOVA_SCOTIA_REGISTRY) != number:
        raise ParseFailed(f"the registry was asked for {number} and answers with {profile.need('entityRegNumber')}")
    return _build_entry(number, profile, answer.retrieved_at.date(), context)


async def _fetch_list(path: str, context: LiveContext, params: QueryPairs = ()) -> list[DocumentFields]:
    """A document of a business that is a list; null is an empty one."""
    answer, name = await _fetch(path, context, params), path.rpartition("/")[0]
    if not answer.found:
        raise SourceNotFound(f"{context.metadata.key}: the registry has the business, and nothing at {answer.call.url}")
    data = _read_data(answer, name)
    if data is not None and not isinstance(data, list):
        raise ParseFailed(f"{name}: data is not a list")
    return [DocumentFields.of(item, name) for item in data or ()]


async def _fetch(path: str, context: LiveContext, params: QueryPairs = ()) -> SourceResponse:
    return await context.get(path, params, {"Accept": "application/json"})


def _read_data(answer: SourceResponse, name: str) -> object:
    document = read_json(answer)
    if not isinstance(document, dict) or "data" not in document:
        raise ParseFailed(f"{name}: data is missing")
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
    """What lives by yearly filings is in good standing until the next is due, and not when it was struck for want of one.

    When one is overdue it depends on days of grace that are not known here.
    """
    if status is not None and status.casefold().startswith(REVOKED):
        return False
    return True if code is StatusCode.ACTIVE and due is not None and today <= due else None
