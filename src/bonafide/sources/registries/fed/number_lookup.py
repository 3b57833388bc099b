"""Parse responses of the register's lookup by number: a corporation with former names and activities, or a sentence without one.

Directors come from another interface (`live.read_directors`).
"""

from collections.abc import Iterator
from datetime import date

from bonafide.errors import ParseFailed, SourceNotFound, UpstreamFailed
from bonafide.i18n.message import Message
from bonafide.matching.identifiers.number_matching import build_number_keys
from bonafide.model.entity import Address
from bonafide.model.entry import RegistryEntry
from bonafide.net.http_messages import SourceResponse
from bonafide.sources.formats.delimited_text import build_postal_address
from bonafide.sources.framework.context import ParseContext, get_reason
from bonafide.sources.framework.live import read_json
from bonafide.sources.registries.fed import register_rules
from bonafide.sources.registries.fed.api_models import FedApiCorporation, FedApiName, validate_answer
from bonafide.sources.registries.fed.corporation import CorporationName, CorporationProfile

DOCUMENT = Message("lookup by number")
MAX_QUOTED = 120
"""Characters of a response text that an error quotes."""


def read_corporation(answer: SourceResponse, number: str, context: ParseContext) -> RegistryEntry | None:
    """The corporation of that number or business number; None if the register has none. Raises a `SourceError`."""
    if not answer.found:
        raise SourceNotFound(Message("{document}: not found (HTTP {status})", document=DOCUMENT, status=answer.status))
    content = read_json(answer)
    if not isinstance(content, list) or not content:
        raise ParseFailed(Message("{document}: the response is not a list, or is empty", document=DOCUMENT))
    # The second element can be null or missing, or the French sentence if there is no corporation.
    first, *others = content
    if isinstance(first, str):
        _check_not_found(first, context)
        return None
    if any(other is not None for other in others):
        raise ParseFailed(Message("{document}: the response has more than one corporation", document=DOCUMENT))
    corporation = validate_answer(FedApiCorporation, first, DOCUMENT)
    corporation.note_unknown_keys(DOCUMENT, context)
    if number not in _collect_numbers(corporation):
        raise ParseFailed(Message("{document}: the response is about another corporation", document=DOCUMENT))
    try:
        return _build_profile(corporation, context).entry(answer.retrieved_at.year, context)
    except ValueError as error:
        raise ParseFailed(Message("{document}: {problem}", document=DOCUMENT, problem=get_reason(error))) from error


def _check_not_found(sentence: str, context: ParseContext) -> None:
    """Check for the sentence that means that there is no such corporation. Raises `UpstreamFailed` for any other."""
    if context.metadata.terms["no such number"].casefold() not in sentence.casefold():
        quoted = sentence[:MAX_QUOTED]
        raise UpstreamFailed(Message("{document}: the register returned a text: '{text}'", document=DOCUMENT, text=quoted))


def _collect_numbers(corporation: FedApiCorporation) -> frozenset[str]:
    """The numbers by which the corporation can be looked up."""
    return build_number_keys(corporation.corporation_id) | build_number_keys(corporation.business_numbers.business_number or "")


def _build_profile(corporation: FedApiCorporation, context: ParseContext) -> CorporationProfile:
    """Raises `ValueError` for an invalid number."""
    number = corporation.corporation_id.strip()
    if not (number.isascii() and number.isdecimal()):
        raise ValueError(Message("{column} is not a number", column="corporationId"))
    main = context.metadata.terms["main name"]
    return CorporationProfile(
        number=number,
        names=[_build_name(item.content, item.content.name, main) for item in corporation.names if item.content.name is not None],
        act=corporation.act,
        status=corporation.status,
        filings=(item.content.year_of_filing or "" for item in corporation.annual_returns),
        origin=register_rules.find_origin_date(_read_beginnings(corporation, context)),
        business_number=corporation.business_numbers.business_number,
        office=_build_office(corporation, context),
    )


def _build_name(name: FedApiName, text: str, main: str) -> CorporationName:
    return CorporationName(
        text=text,
        rank=0 if name.name_type == main else 1,
        current=name.current if name.current is not None else name.expiry_date is None,
        since=name.effective_date,
        until=name.expiry_date,
    )


def _read_beginnings(corporation: FedApiCorporation, context: ParseContext) -> Iterator[tuple[str, date]]:
    for activity in (item.content for item in corporation.activities):
        meaning = register_rules.classify_beginning(activity.activity, context.metadata)
        if meaning is not None and activity.date is not None:
            yield meaning, activity.date


def _build_office(corporation: FedApiCorporation, context: ParseContext) -> Address | None:
    for address in (item.content for item in corporation.addresses):
        if address.type_code == register_rules.REGISTERED_OFFICE and address.current:
            return build_postal_address(
                street=", ".join(line for line in address.address_line if line is not None) or None,
                city=address.city,
                province=register_rules.normalize_province(address.province_code, context),
                postal_code=address.postal_code,
                country=address.country_code,
                label=register_rules.OFFICE_LABEL,
            )
    return None
