"""The answer of the register's look-up by number: one corporation with its former names and its activities, or that there is none.

It has no directors; they are asked for elsewhere (`directors`).
"""

from collections.abc import Iterator
from datetime import date

from bonafide.errors import ParseFailed, SourceNotFound, UpstreamFailed
from bonafide.matching.identifiers.number_matching import build_number_keys
from bonafide.model.entity import Address
from bonafide.model.entry import RegistryEntry
from bonafide.net.http_messages import SourceResponse
from bonafide.sources.formats.delimited_text import build_postal_address
from bonafide.sources.framework.context import ParseContext
from bonafide.sources.framework.live import read_json
from bonafide.sources.registries.fed import register_rules
from bonafide.sources.registries.fed.api_models import FedApiCorporation, FedApiName, validate_answer
from bonafide.sources.registries.fed.corporation import CorporationName, CorporationProfile

DOCUMENT = "the look-up by number"
MAX_QUOTED = 120
"""Characters of a sentence of the register that an error repeats."""


def read_corporation(answer: SourceResponse, number: str, context: ParseContext) -> RegistryEntry | None:
    """The corporation of that number or business number; None when the register says it has none. Raises a `SourceError`."""
    if not answer.found:
        raise SourceNotFound(f"{DOCUMENT} is not at its address (HTTP {answer.status})")
    said = read_json(answer)
    if not isinstance(said, list) or not said:
        raise ParseFailed(f"{DOCUMENT} is not of the known shape: no list, or an empty one")
    # The second element has been seen as null, as missing, and in French where there is no corporation.
    first, *others = said
    if isinstance(first, str):
        _check_not_found(first, context)
        return None
    if any(other is not None for other in others):
        raise ParseFailed(f"{DOCUMENT} is not of the known shape: more than one corporation")
    corporation = validate_answer(FedApiCorporation, first, DOCUMENT)
    corporation.note_unknown_keys(DOCUMENT, context)
    if number not in _collect_numbers(corporation):
        raise ParseFailed(f"{DOCUMENT} gave another corporation than was asked for")
    try:
        return _build_profile(corporation, context).entry(answer.retrieved_at.year, context)
    except ValueError as error:
        raise ParseFailed(f"{DOCUMENT}: {error}") from error


def _check_not_found(sentence: str, context: ParseContext) -> None:
    """Only one sentence means that there is no such corporation; any other is a failure politely told."""
    if context.metadata.terms["no such number"].casefold() not in sentence.casefold():
        raise UpstreamFailed(f"{DOCUMENT} answered with a sentence: {sentence[:MAX_QUOTED]}")


def _collect_numbers(corporation: FedApiCorporation) -> frozenset[str]:
    """Under which it can be asked for."""
    return build_number_keys(corporation.corporation_id) | build_number_keys(corporation.business_numbers.business_number or "")


def _build_profile(said: FedApiCorporation, context: ParseContext) -> CorporationProfile:
    """Raises `ValueError` when its number is none."""
    number = said.corporation_id.strip()
    if not (number.isascii() and number.isdecimal()):
        raise ValueError("corporationId is not a number")
    main = context.metadata.terms["main name"]
    return CorporationProfile(
        number=number,
        names=[_build_name(item.said, item.said.name, main) for item in said.names if item.said.name is not None],
        act=said.act,
        status=said.status,
        filings=(item.said.year_of_filing or "" for item in said.annual_returns),
        origin=register_rules.find_origin_date(_read_beginnings(said, context)),
        business_number=said.business_numbers.business_number,
        office=_build_office(said, context),
    )


def _build_name(said: FedApiName, text: str, main: str) -> CorporationName:
    return CorporationName(
        text=text,
        rank=0 if said.name_type == main else 1,
        current=said.current if said.current is not None else said.expiry_date is None,
        since=said.effective_date,
        until=said.expiry_date,
    )


def _read_beginnings(said: FedApiCorporation, context: ParseContext) -> Iterator[tuple[str, date]]:
    for activity in (item.said for item in said.activities):
        meaning = register_rules.classify_beginning(activity.activity, context.metadata)
        if meaning is not None and activity.date is not None:
            yield meaning, activity.date


def _build_office(said: FedApiCorporation, context: ParseContext) -> Address | None:
    for address in (item.said for item in said.addresses):
        if address.type_code == register_rules.REGISTERED_OFFICE and address.current:
            return build_postal_address(
                street=", ".join(line for line in address.address_line if line is not None) or None,
                city=address.city,
                province=register_rules.normalize_province(address.province_code, context),
                postal_code=address.postal_code,
                country=address.country_code,
            )
    return None
