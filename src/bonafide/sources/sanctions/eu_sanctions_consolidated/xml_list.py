"""Read the EU's list as XML 1.1: one `sanctionEntity` for each party, with nearly all data in attributes.

Absent and blank attributes are equivalent. `listed_entity` builds the entries.
"""

from collections.abc import Iterator

from bonafide.sources.formats.delimited_text import normalize_whitespace
from bonafide.sources.formats.xml_elements import Element, get_line, read_children
from bonafide.sources.framework.context import ParseContext, Resource
from bonafide.sources.sanctions.eu_sanctions_consolidated.listed_entity import EuBirth, EuDocument, EuName, EuParty, EuRegulation

GREGORIAN = "GREGORIAN"


def read_xml(resource: Resource, context: ParseContext) -> Iterator[tuple[int, EuParty]]:
    """Yield each party with the line where it begins. Raises `ParseFailed` if the file is not well-formed."""
    for element in read_children(resource, "sanctionEntity"):
        context.row()
        yield get_line(element), _parse_party(element)


def _parse_party(element: Element) -> EuParty:
    subject = element.find("{*}subjectType")
    party = EuParty(
        logical_id=_read_attribute(element, "logicalId") or "",
        reference=_read_attribute(element, "euReferenceNumber"),
        subject=(_read_attribute(subject, "code") if subject is not None else None) or "",
        united_nations_id=_read_attribute(element, "unitedNationId"),
        designated=_read_attribute(element, "designationDate"),
        remark="; ".join(text for text in map(_read_lines, element.findall("{*}remark")) if text is not None) or None,
    )
    party.regulations += map(_parse_regulation, element.findall("{*}regulation"))
    party.names += map(_parse_name, element.findall("{*}nameAlias"))
    party.births += map(_parse_birth, element.findall("{*}birthdate"))
    party.documents += map(_parse_document, element.findall("{*}identification"))
    places = [*element.findall("{*}citizenship"), *element.findall("{*}address")]
    party.countries += [code for place in places if (code := _read_attribute(place, "countryIso2Code")) is not None]
    return party


def _read_attribute(element: Element, attribute: str) -> str | None:
    return normalize_whitespace(element.get(attribute))


def _read_lines(element: Element) -> str | None:
    """Return the text of an element with its line breaks."""
    return (element.text or "").strip() or None


def _read_remark(element: Element) -> str | None:
    return "\n".join(text for text in map(_read_lines, element.findall("{*}remark")) if text is not None) or None


def _parse_regulation(element: Element) -> EuRegulation:
    url = element.find("{*}publicationUrl")
    return EuRegulation(
        programme=_read_attribute(element, "programme"),
        title=_read_attribute(element, "numberTitle"),
        published=_read_attribute(element, "publicationDate"),
        url=normalize_whitespace(url.text) if url is not None else None,
    )


def _parse_name(element: Element) -> EuName:
    parts = (_read_attribute(element, part) for part in ("firstName", "middleName", "lastName"))
    return EuName(
        text=_read_attribute(element, "wholeName") or " ".join(part for part in parts if part is not None),
        strong=element.get("strong") != "false",
        language=_read_attribute(element, "nameLanguage") or "",
        function=_read_attribute(element, "function"),
        title=_read_attribute(element, "title"),
        remark=_read_remark(element),
    )


def _parse_birth(element: Element) -> EuBirth:
    return EuBirth(
        day=_read_attribute(element, "birthdate"),
        year=_read_attribute(element, "year"),
        month=_read_attribute(element, "monthOfYear"),
        day_of_month=_read_attribute(element, "dayOfMonth"),
        year_from=_read_attribute(element, "yearRangeFrom"),
        year_to=_read_attribute(element, "yearRangeTo"),
        circa=element.get("circa") == "true",
        gregorian=(_read_attribute(element, "calendarType") or GREGORIAN) == GREGORIAN,
        remark=_read_remark(element),
    )


def _parse_document(element: Element) -> EuDocument:
    return EuDocument(
        code=_read_attribute(element, "identificationTypeCode") or "",
        kind=_read_attribute(element, "identificationTypeDescription") or "",
        number=_read_attribute(element, "number"),
        latin_number=_read_attribute(element, "latinNumber"),
        country=_read_attribute(element, "countryIso2Code"),
        known_false=element.get("knownFalse") == "true",
        remark=_read_remark(element),
    )
