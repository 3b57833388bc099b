"""Query Corporations Canada by number: the corporation from the open lookup, the directors from the interface that needs a key.

The register has no API for searches by name; the daily files have every name. The terms of directors are not published.
"""

import re
from collections.abc import Sequence

from bonafide.errors import InvalidInput, ParseFailed, SourceError
from bonafide.i18n.message import Message
from bonafide.matching.identifiers.number_formats import detect_number_types
from bonafide.matching.identifiers.number_labels import NumberType
from bonafide.matching.identifiers.number_matching import build_number_keys
from bonafide.model.entity import Address, Person, RoleDetail
from bonafide.model.entry import RegistryEntry
from bonafide.net.http_messages import SourceRequest, SourceResponse
from bonafide.sources.formats.delimited_text import build_postal_address
from bonafide.sources.framework.context import ParseContext
from bonafide.sources.framework.live import LiveContext, LiveQuery, RegistrationQuery, read_json
from bonafide.sources.registries.fed import register_rules
from bonafide.sources.registries.fed.api_models import FedApiDirector, FedApiDirectorList, FedApiServiceAddress, validate_answer
from bonafide.sources.registries.fed.number_lookup import read_corporation

OWN_TYPES = frozenset({NumberType.FEDERAL_CORPORATION, NumberType.BUSINESS_NUMBER})
ENGLISH = (("lang", "eng"),)
_QUERY_NUMBER = re.compile(r"[1-9][0-9]{0,7}|(?!00)[0-9]{9}")
"""A corporation number, or a business number, which never begins with two zeros."""


async def find(query: LiveQuery, context: LiveContext) -> Sequence[RegistryEntry]:
    """The corporation with the number, without its directors.

    Raises `InvalidInput` if no corporation was found by number and the query has a name, which can't be looked up.
    """
    number = normalize_query_number(query.number) if query.number is not None else None
    entry = await _fetch_corporation(number, context) if number is not None else None
    if entry is None and query.name is not None:
        raise InvalidInput(Message("Live queries of Corporations Canada are by number only. Its daily files have the names."))
    return (entry,) if entry is not None else ()


async def report(registration: RegistrationQuery, context: LiveContext) -> RegistryEntry | None:
    """The corporation with its history, and its directors if the operator has a key; None if there is no such corporation."""
    number = normalize_query_number(registration.number)
    if number is None:
        sentence = Message(
            "'{number}' is neither a corporation number (1 to 8 digits) nor a business number (9 digits)",
            number=registration.number,
        )
        raise InvalidInput(sentence)
    entry = await _fetch_corporation(number, context)
    if entry is None:
        return None
    if context.key is None:
        context.words.note(Message("The directors are unknown, because no API key is configured for this register."))
        return entry
    return entry.model_copy(update={"people": await _fetch_directors(entry.entry_id, context.key, context)})


def normalize_query_number(text: str) -> str | None:
    """The digits of a number in any usual spelling; None for a number that the register can't have.

    Of two numbers in one text (`832815864-141006`), the business number is used, because it is the same in all registers.
    """
    stated = detect_number_types(text)
    if stated and stated.isdisjoint(OWN_TYPES):
        return None
    return max((key for key in build_number_keys(text) if _QUERY_NUMBER.fullmatch(key)), key=len, default=None)


async def _fetch_corporation(number: str, context: LiveContext) -> RegistryEntry | None:
    answer = await context.get(f"corporations/{number}.json", ENGLISH)
    return read_corporation(answer, number, context.words)


async def _fetch_directors(number: str, key: str, context: LiveContext) -> tuple[Person, ...]:
    """The directors; a failure is noted and does not affect the corporation. HTTP 500 can mean that it has no directors."""
    url = context.metadata.terms["directors at"].format(number=number)
    try:
        return read_directors(await context.ask(SourceRequest(url, ENGLISH, {"user-key": key})), context.words)
    except SourceError as error:
        context.words.note(Message("The directors could not be retrieved: {error}", error=error.message))
        return ()


DOCUMENT = Message("list of directors")
ROLE = "Director"


def read_directors(answer: SourceResponse, context: ParseContext) -> tuple[Person, ...]:
    """The directors on the list; empty if none is on file. Raises a `SourceError`."""
    if not answer.found:  # one of two responses for a corporation without directors
        return ()
    document = validate_answer(FedApiDirectorList, read_json(answer), DOCUMENT)
    document.note_unknown_keys(DOCUMENT, context)
    if document.embedded is None:
        return ()
    if "next" in document.links:
        context.note(Message("{document}: further pages were not read", document=DOCUMENT))
    return tuple(_build_person(director, context) for director in document.embedded.directors)


def _build_person(director: FedApiDirector, context: ParseContext) -> Person:
    director.note_unknown_keys(DOCUMENT, context)
    name = " ".join(part for part in (director.first_name, director.last_name) if part is not None)
    if name == "":
        raise ParseFailed(Message("{document}: a director has no name", document=DOCUMENT))
    address = _build_address(director.service_address, context) if director.service_address is not None else None
    return Person(
        name=name,
        roles=(ROLE,),
        role_details=(RoleDetail(category=context.role(ROLE), label=ROLE),),
        addresses=(address,) if address is not None else (),
    )


def _build_address(address: FedApiServiceAddress, context: ParseContext) -> Address | None:
    address.note_unknown_keys(DOCUMENT, context)
    return build_postal_address(
        street=address.line1,
        city=address.city,
        province=register_rules.normalize_province(address.subdivision_code, context),
        postal_code=address.postal_code,
        country=address.country_code,
        label=register_rules.SERVICE_LABEL,
    )
