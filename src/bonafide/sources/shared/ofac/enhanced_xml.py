"""Read OFAC's enhanced XML, in which one element holds everything about a party.

Only this format has the countries, scripts and quality of each name without references. `party` builds the listed entity.
"""

from collections.abc import Iterator
from datetime import date

from bonafide.errors import ParseFailed
from bonafide.i18n.message import Message, join_values
from bonafide.model.entry import ListedEntity
from bonafide.sources.formats.delimited_text import normalize_whitespace
from bonafide.sources.formats.xml_elements import (
    Element,
    find_elements,
    find_text,
    find_texts,
    get_line,
    get_local_name,
    read_elements,
)
from bonafide.sources.framework.context import ParseContext, Resource
from bonafide.sources.shared.ofac.party import ENTITY_KINDS, OfacNumber, OfacPartyRecord, build_listed_entities, find_listing_date

_READ_OF_A_DOCUMENT = frozenset({"type", "name", "documentNumber", "issuingCountry", "issuingLocation"})
_FALSE = "False"
"""The reliability of data that is known to be false, such as forged papers."""


def parse_enhanced(resource: Resource, context: ParseContext, listed_as: str) -> Iterator[ListedEntity]:
    """Yield the entries of a file. Raises `ParseFailed` for a file of the other list, or one that is not well-formed."""
    _read_header(resource, context, listed_as)
    yield from build_listed_entities(_read_parties(resource, context, listed_as), resource, context)


def _read_parties(resource: Resource, context: ParseContext, listed_as: str) -> Iterator[tuple[int, OfacPartyRecord | Message]]:
    for element in read_elements(resource, "entity"):
        context.row()
        yield get_line(element), _parse_party(element, listed_as)


def _read_header(resource: Resource, context: ParseContext, listed_as: str) -> None:
    """Read the date of the file and check which list it contains."""
    head = next(read_elements(resource, "publicationInfo"), None)
    if head is None:
        raise ParseFailed(Message("{file}: the name of the list is missing", file=resource.name))
    lists = list(find_texts(head, "filters/sanctionsLists/sanctionsList"))
    if lists and listed_as not in lists:
        raise ParseFailed(
            Message(
                "{file}: the file contains “{found}” instead of “{expected}”",
                file=resource.name,
                found=join_values(lists),
                expected=listed_as,
            )
        )
    day = find_text(head, "dataAsOf")
    if day is not None:
        try:
            context.set_as_of(date.fromisoformat(day[:10]))
        except ValueError as error:
            raise ParseFailed(Message("{file}: invalid date “{date}”", file=resource.name, date=day)) from error


def _parse_party(element: Element, listed_as: str) -> OfacPartyRecord | Message:
    """Parse the party of an element, or return the reason why it is rejected."""
    number, kind = element.get("id"), find_text(element, "generalInfo/entityType") or ""
    names = [name for child in find_elements(element, "names/name") for name in _read_names(child)]
    main = next((text for text, _, primary in names if primary), None)
    if number is None or main is None:
        return Message("the party has no number or no primary name")
    if kind.casefold() not in ENTITY_KINDS:
        return Message("unknown type of party “{type}”", type=kind)
    party = OfacPartyRecord(number, ENTITY_KINDS[kind.casefold()], main)
    party.others = [(text, weak) for text, weak, _ in names]
    party.programs = list(find_texts(element, "sanctionsPrograms/sanctionsProgram"))
    party.listed = find_listing_date(((text, day) for text, day in _read_lists(element)), listed_as)
    _add_details(party, element)
    return party


def _read_names(name: Element) -> Iterator[tuple[str, bool, bool]]:
    """Yield each spelling of a name with whether it is weak, and whether it is the primary name."""
    weak = find_text(name, "isLowQuality") == "true"
    primary = find_text(name, "isPrimary") == "true"
    for spelling in find_elements(name, "translations/translation"):
        text = find_text(spelling, "formattedFullName") or " ".join(find_texts(spelling, "nameParts/namePart/value"))
        if text:
            yield text, weak, primary and find_text(spelling, "isPrimary") == "true"


def _read_lists(element: Element) -> Iterator[tuple[str, str]]:
    for listing in find_elements(element, "sanctionsLists/sanctionsList"):
        text, day = normalize_whitespace(listing.text), listing.get("datePublished")
        if text is not None and day:
            yield text, day[:10]


def _add_details(party: OfacPartyRecord, element: Element) -> None:
    party.remarks["Title"] += find_texts(element, "generalInfo/title")
    party.remarks["Measures"] += find_texts(element, "sanctionsTypes/sanctionsType")
    party.remarks["Legal authority"] += find_texts(element, "legalAuthorities/legalAuthority")
    for feature in find_elements(element, "features/feature"):
        _add_feature(party, feature)
    for document in find_elements(element, "identityDocuments/identityDocument"):
        party.numbers += _parse_number(document)
    for address in find_elements(element, "addresses/address"):
        _add_address(party, address)
    party.remarks[""] += find_texts(element, "generalInfo/remarks")
    for relation in find_elements(element, "relationships/relationship"):
        party.remarks[find_text(relation, "type") or "Linked To"] += find_texts(relation, "relatedEntity")


def _add_feature(party: OfacPartyRecord, feature: Element) -> None:
    kind, value = find_text(feature, "type"), find_text(feature, "value")
    if kind is None or value is None:
        return
    comment = find_text(feature, "comments")
    if find_text(feature, "reliability") == _FALSE:
        party.remarks[f"Known to be false: {kind}"].append(value)
    else:
        party.add_feature(kind, value)
    if comment is not None:
        party.remarks[value].append(comment)


def _parse_number(document: Element) -> Iterator[OfacNumber]:
    label, value = find_text(document, "type"), find_text(document, "documentNumber")
    if label is None or value is None:
        return
    places = dict.fromkeys([*find_texts(document, "issuingLocation"), *find_texts(document, "issuingCountry")])
    texts = {get_local_name(child): normalize_whitespace(child.text) for child in document}
    note = [_format_note(tag, text) for tag, text in texts.items() if tag not in _READ_OF_A_DOCUMENT and text is not None]
    yield OfacNumber(label.removesuffix(" #"), value, ", ".join(places) or None, ", ".join(filter(None, note)) or None)


def _format_note(tag: str, text: str) -> str:
    """Format another field of a document; validity is only mentioned if the document is not valid."""
    if tag == "isValid":
        return "" if text == "true" else "not valid"
    return text if tag == "issuingAuthority" else f"{tag} {text}"


def _add_address(party: OfacPartyRecord, address: Element) -> None:
    country = find_text(address, "country")
    if country is not None:
        party.countries.append(country)
    spellings = find_elements(address, "translations/translation")
    chosen = next((one for one in spellings if find_text(one, "isPrimary") == "true"), None)
    parts = list(find_texts(chosen, "addressParts/addressPart/value")) if chosen is not None else []
    if parts:
        party.remarks["Address"].append(", ".join((*parts, country) if country is not None else parts))
