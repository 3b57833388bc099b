"""OFAC's enhanced XML: one element holds all that is known of a party, so that nothing need be joined.

It alone has the countries, scripts and the quality of each name in words. What a party becomes is decided in `ofac_party`.
"""

from collections.abc import Iterator
from datetime import date

from bonafide.errors import ParseFailed
from bonafide.model.entry import ListedEntity
from bonafide.sources.context import ParseContext, Resource
from bonafide.sources.ofac_elements import all_of, text_at, texts_at
from bonafide.sources.ofac_party import KINDS, Number, Party, listed_entities, listed_on
from bonafide.sources.parse import squeeze
from bonafide.sources.parse_xml import Element, line_of, local_name, read_elements

_READ_OF_A_DOCUMENT = frozenset({"type", "name", "documentNumber", "issuingCountry", "issuingLocation"})
_FALSE = "False"
"""The reliability of what is known to be wrong: somebody's forged papers."""


def parse_enhanced(resource: Resource, context: ParseContext, listed_as: str) -> Iterator[ListedEntity]:
    """The entries of a file. Raises `ParseFailed` for a file of the other list, or one that is not well-formed."""
    _read_head(resource, context, listed_as)
    yield from listed_entities(_parties(resource, context, listed_as), resource, context)


def _parties(resource: Resource, context: ParseContext, listed_as: str) -> Iterator[tuple[int, Party | str]]:
    for element in read_elements(resource, "entity"):
        context.row()
        yield line_of(element), _party(element, listed_as)


def _read_head(resource: Resource, context: ParseContext, listed_as: str) -> None:
    """What the file says of itself: its day, and of which list it is."""
    head = next(read_elements(resource, "publicationInfo"), None)
    if head is None:
        raise ParseFailed(f"{resource.name}: it does not say of which list it is")
    lists = list(texts_at(head, "filters/sanctionsLists/sanctionsList"))
    if lists and listed_as not in lists:
        raise ParseFailed(f"{resource.name}: the file is of the {', '.join(lists)}, not of the {listed_as}")
    day = text_at(head, "dataAsOf")
    if day is not None:
        try:
            context.dated(date.fromisoformat(day[:10]))
        except ValueError as error:
            raise ParseFailed(f"{resource.name}: {day!r} is no day that the list can be of") from error


def _party(element: Element, listed_as: str) -> Party | str:
    """The party of an element; or why it can't be read."""
    number, kind = element.get("id"), text_at(element, "generalInfo/entityType") or ""
    names = [name for child in all_of(element, "names/name") for name in _names(child)]
    main = next((text for text, _, primary in names if primary), None)
    if number is None or main is None:
        return "no id or no primary name"
    if kind.casefold() not in KINDS:
        return f"unknown type {kind!r}"
    party = Party(number, KINDS[kind.casefold()], main)
    party.others = [(text, weak) for text, weak, _ in names]
    party.programs = list(texts_at(element, "sanctionsPrograms/sanctionsProgram"))
    party.listed = listed_on(((text, day) for text, day in _lists(element)), listed_as)
    _add_details(party, element)
    return party


def _names(name: Element) -> Iterator[tuple[str, bool, bool]]:
    """Each spelling of a name with whether it is weak, and whether it is the one that the list goes by."""
    weak = text_at(name, "isLowQuality") == "true"
    primary = text_at(name, "isPrimary") == "true"
    for spelling in all_of(name, "translations/translation"):
        text = text_at(spelling, "formattedFullName") or " ".join(texts_at(spelling, "nameParts/namePart/value"))
        if text:
            yield text, weak, primary and text_at(spelling, "isPrimary") == "true"


def _lists(element: Element) -> Iterator[tuple[str, str]]:
    for listing in all_of(element, "sanctionsLists/sanctionsList"):
        text, day = squeeze(listing.text), listing.get("datePublished")
        if text is not None and day:
            yield text, day[:10]


def _add_details(party: Party, element: Element) -> None:
    party.remarks["Title"] += texts_at(element, "generalInfo/title")
    party.remarks["Measures"] += texts_at(element, "sanctionsTypes/sanctionsType")
    party.remarks["Legal authority"] += texts_at(element, "legalAuthorities/legalAuthority")
    for feature in all_of(element, "features/feature"):
        _add_feature(party, feature)
    for document in all_of(element, "identityDocuments/identityDocument"):
        party.numbers += _number(document)
    for address in all_of(element, "addresses/address"):
        _add_address(party, address)
    party.remarks[""] += texts_at(element, "generalInfo/remarks")
    for relation in all_of(element, "relationships/relationship"):
        party.remarks[text_at(relation, "type") or "Linked To"] += texts_at(relation, "relatedEntity")


def _add_feature(party: Party, feature: Element) -> None:
    kind, value = text_at(feature, "type"), text_at(feature, "value")
    if kind is None or value is None:
        return
    comment = text_at(feature, "comments")
    if text_at(feature, "reliability") == _FALSE:
        party.remarks[f"Known to be false: {kind}"].append(value)
    else:
        party.add_feature(kind, value)
    if comment is not None:
        party.remarks[value].append(comment)


def _number(document: Element) -> Iterator[Number]:
    label, value = text_at(document, "type"), text_at(document, "documentNumber")
    if label is None or value is None:
        return
    places = dict.fromkeys([*texts_at(document, "issuingLocation"), *texts_at(document, "issuingCountry")])
    told = {local_name(child): squeeze(child.text) for child in document}
    note = [_noted(tag, text) for tag, text in told.items() if tag not in _READ_OF_A_DOCUMENT and text is not None]
    yield Number(label.removesuffix(" #"), value, ", ".join(places) or None, ", ".join(filter(None, note)) or None)


def _noted(tag: str, text: str) -> str:
    """What else a document says of itself; that it is valid goes without saying."""
    if tag == "isValid":
        return "" if text == "true" else "not valid"
    return text if tag == "issuingAuthority" else f"{tag} {text}"


def _add_address(party: Party, address: Element) -> None:
    country = text_at(address, "country")
    if country is not None:
        party.countries.append(country)
    spellings = all_of(address, "translations/translation")
    chosen = next((one for one in spellings if text_at(one, "isPrimary") == "true"), None)
    parts = list(texts_at(chosen, "addressParts/addressPart/value")) if chosen is not None else []
    if parts:
        party.remarks["Address"].append(", ".join((*parts, country) if country is not None else parts))
