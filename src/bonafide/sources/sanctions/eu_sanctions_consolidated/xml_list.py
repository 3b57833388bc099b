"""The EU's list as XML 1.1: one `sanctionEntity` a party, nearly all of it in attributes.

What is absent and what is blank are the same to it. It reads parties; listings are made of them in `listing`.
"""

from collections.abc import Iterator

from bonafide.sources.context import ParseContext, Resource
from bonafide.sources.parse import squeeze
from bonafide.sources.parse_xml import Element, line_of, read_children
from bonafide.sources.sanctions.eu_sanctions_consolidated.party import Birth, Document, Name, Party, Regulation

GREGORIAN = "GREGORIAN"


def read_xml(resource: Resource, context: ParseContext) -> Iterator[tuple[int, Party]]:
    """Each party with the line where it begins. Raises `ParseFailed` when the file is not well-formed."""
    for element in read_children(resource, "sanctionEntity"):
        context.row()
        yield line_of(element), _party(element)


def _party(element: Element) -> Party:
    subject = element.find("{*}subjectType")
    party = Party(
        logical_id=_of(element, "logicalId") or "",
        reference=_of(element, "euReferenceNumber"),
        subject=(_of(subject, "code") if subject is not None else None) or "",
        united_nations_id=_of(element, "unitedNationId"),
        designated=_of(element, "designationDate"),
        remark="; ".join(text for text in map(_lines, element.findall("{*}remark")) if text is not None) or None,
    )
    party.regulations += map(_regulation, element.findall("{*}regulation"))
    party.names += map(_name, element.findall("{*}nameAlias"))
    party.births += map(_birth, element.findall("{*}birthdate"))
    party.documents += map(_document, element.findall("{*}identification"))
    places = [*element.findall("{*}citizenship"), *element.findall("{*}address")]
    party.countries += [code for place in places if (code := _of(place, "countryIso2Code")) is not None]
    return party


def _of(element: Element, attribute: str) -> str | None:
    return squeeze(element.get(attribute))


def _lines(element: Element) -> str | None:
    """The text of an element with its line breaks."""
    return (element.text or "").strip() or None


def _remark(element: Element) -> str | None:
    return "\n".join(text for text in map(_lines, element.findall("{*}remark")) if text is not None) or None


def _regulation(element: Element) -> Regulation:
    url = element.find("{*}publicationUrl")
    return Regulation(
        programme=_of(element, "programme"),
        title=_of(element, "numberTitle"),
        published=_of(element, "publicationDate"),
        url=squeeze(url.text) if url is not None else None,
    )


def _name(element: Element) -> Name:
    parts = (_of(element, part) for part in ("firstName", "middleName", "lastName"))
    return Name(
        text=_of(element, "wholeName") or " ".join(part for part in parts if part is not None),
        strong=element.get("strong") != "false",
        language=_of(element, "nameLanguage") or "",
        function=_of(element, "function"),
        title=_of(element, "title"),
        remark=_remark(element),
    )


def _birth(element: Element) -> Birth:
    return Birth(
        day=_of(element, "birthdate"),
        year=_of(element, "year"),
        month=_of(element, "monthOfYear"),
        day_of_month=_of(element, "dayOfMonth"),
        year_from=_of(element, "yearRangeFrom"),
        year_to=_of(element, "yearRangeTo"),
        circa=element.get("circa") == "true",
        gregorian=(_of(element, "calendarType") or GREGORIAN) == GREGORIAN,
        remark=_remark(element),
    )


def _document(element: Element) -> Document:
    return Document(
        code=_of(element, "identificationTypeCode") or "",
        kind=_of(element, "identificationTypeDescription") or "",
        number=_of(element, "number"),
        latin_number=_of(element, "latinNumber"),
        country=_of(element, "countryIso2Code"),
        known_false=element.get("knownFalse") == "true",
        remark=_remark(element),
    )
