"""Corporations Canada asked by number: the corporation from its open look-up, its directors from the interface behind a key.

Names are not asked for: the register has no look-up by name for programs, and the daily files have every name. How long a director
has been one is not said.
"""

import re
from collections.abc import Sequence

from bonafide.errors import InvalidInput, ParseFailed, SourceError
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
UNKNOWN_DIRECTORS = "whether it has directors, and who they are, could not be found out"
_QUERY_NUMBER = re.compile(r"[1-9][0-9]{0,7}|(?!00)[0-9]{9}")
"""A corporation number, or a business number, of which none was seen to begin with two zeros."""


async def find(query: LiveQuery, context: LiveContext) -> Sequence[RegistryEntry]:
    """The corporation of the number asked for, without its directors.

    Raises `InvalidInput` where that leaves a name that nobody has looked for: the register can't be asked for one.
    """
    number = normalize_query_number(query.number) if query.number is not None else None
    entry = await _fetch_corporation(number, context) if number is not None else None
    if entry is None and query.name is not None:
        raise InvalidInput("Corporations Canada can be asked live for numbers only; its daily files have the names")
    return (entry,) if entry is not None else ()


async def report(registration: RegistrationQuery, context: LiveContext) -> RegistryEntry | None:
    """The corporation with its past, and with its directors where the operator has a key; None when there is none."""
    number = normalize_query_number(registration.number)
    if number is None:
        raise InvalidInput("neither a corporation number (1 to 8 digits) nor a business number (9 digits)")
    entry = await _fetch_corporation(number, context)
    if entry is None:
        return None
    if context.key is None:
        context.words.note(f"{UNKNOWN_DIRECTORS}, for the register names them only to holders of a key")
        return entry
    return entry.model_copy(update={"people": await _fetch_directors(entry.entry_id, context.key, context)})


def normalize_query_number(text: str) -> str | None:
    """The digits under which the register can be asked for a number in any usual spelling; None for what can't be one of its own.

    Where one text holds two numbers (`832815864-141006`), the business number is the one that means the same everywhere.
    """
    stated = detect_number_types(text)
    if stated and stated.isdisjoint(OWN_TYPES):
        return None
    return max((key for key in build_number_keys(text) if _QUERY_NUMBER.fullmatch(key)), key=len, default=None)


async def _fetch_corporation(number: str, context: LiveContext) -> RegistryEntry | None:
    answer = await context.get(f"corporations/{number}.json", ENGLISH)
    return read_corporation(answer, number, context.words)


async def _fetch_directors(number: str, key: str, context: LiveContext) -> tuple[Person, ...]:
    """The directors. Where they can't be had the corporation is no less known; HTTP 500 has been seen to mean that it has none."""
    url = context.metadata.terms["directors at"].format(number=number)
    try:
        return read_directors(await context.ask(SourceRequest(url, ENGLISH, {"user-key": key})), context.words)
    except SourceError as error:
        context.words.note(f"{UNKNOWN_DIRECTORS}: {error.message}")
        return ()


DOCUMENT = "the list of directors"
ROLE = "Director"


def read_directors(answer: SourceResponse, context: ParseContext) -> tuple[Person, ...]:
    """Everyone on the list; nobody when the register says that none is on file. Raises a `SourceError`."""
    if not answer.found:  # one of its two ways to say so
        return ()
    said = validate_answer(FedApiDirectorList, read_json(answer), DOCUMENT)
    said.note_unknown_keys(DOCUMENT, context)
    if said.embedded is None:
        return ()
    if "next" in said.links:
        context.note(f"{DOCUMENT} goes on in another answer, which is not read")
    return tuple(_build_person(director, context) for director in said.embedded.directors)


def _build_person(said: FedApiDirector, context: ParseContext) -> Person:
    said.note_unknown_keys(DOCUMENT, context)
    name = " ".join(part for part in (said.first_name, said.last_name) if part is not None)
    if name == "":
        raise ParseFailed(f"{DOCUMENT} has somebody without a name")
    address = _build_address(said.service_address, context) if said.service_address is not None else None
    return Person(
        name=name,
        roles=(ROLE,),
        role_details=(RoleDetail(category=context.role(ROLE), label=ROLE),),
        addresses=(address,) if address is not None else (),
    )


def _build_address(said: FedApiServiceAddress, context: ParseContext) -> Address | None:
    said.note_unknown_keys(DOCUMENT, context)
    return build_postal_address(
        street=said.line1,
        city=said.city,
        province=register_rules.normalize_province(said.subdivision_code, context),
        postal_code=said.postal_code,
        country=said.country_code,
    )
