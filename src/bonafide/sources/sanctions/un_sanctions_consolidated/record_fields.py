"""A record of the list, element by element: its dates, documents, countries and texts under our names.

It knows what the elements mean, not what is done with a record that lacks one.
"""

import re
from collections.abc import Iterator, Mapping

from bonafide.matching.text.countries import parse_country_codes
from bonafide.model.entity import RegistrationNumber
from bonafide.sources.formats.delimited_text import normalize_whitespace
from bonafide.sources.formats.xml_elements import Element
from bonafide.sources.shared.lists.party_fields import build_numbers, deduplicate_numbers, extract_imo_numbers

_ZONE = re.compile(r"(\d{4}-\d\d-\d\d)(?:[-+]\d\d:\d\d|Z|T.*)")
_PRECEDING_WORDS = re.compile(
    r"(?:.*\b(?:numbers?|no|n°)\b[.:]*\s*|[^\d:]*:\s*|(?=[A-Z])[A-Za-z() “”]{4,}\s)(?P<number>(?:[A-Z]{1,2} )?\S*\d.*)",
    re.IGNORECASE,
)
"""A number behind the words that say whose it is: `Libyan passport No. 12`, `Diplomatic Passport: Z3`, `Libya 42`."""
_APPENDIX = re.compile(r"\s*(?:\(.*|,\s.*)$")
_IMO_NUMBER = re.compile(r"\b(?:IMO\)? number:?|company number IMO)\s*(\d{7})(?!\d)", re.IGNORECASE)
_LAST_NUMBER = re.compile(r"\S*\d\S*$")
_NO_COUNTRY = frozenset({"na", "n/a", "unknown", "none", "stateless"})


def find_text(element: Element, tag: str) -> str | None:
    """The text of the first child of that tag, white space squeezed; None when there is none."""
    return normalize_whitespace(element.findtext(tag))


def find_values(element: Element, tag: str) -> Iterator[str]:
    """The texts of `<tag><VALUE>…</VALUE></tag>`."""
    for value in element.iterfind(f"{tag}/VALUE"):
        text = normalize_whitespace(value.text)
        if text is not None:
            yield text


def strip_time_zone(text: str | None) -> str | None:
    """A date without the zone that some have (`2015-03-27-04:00`)."""
    found = _ZONE.fullmatch(text) if text is not None else None
    return found[1] if found is not None else text


def read_births(element: Element) -> Iterator[str]:
    """Each date of birth as a text: exact, approximate, between two years, in a note alone, or of one alias."""
    for birth in element.iterfind("INDIVIDUAL_DATE_OF_BIRTH"):
        text = _format_birth(birth)
        if text is not None:
            yield text
    for alias in element.iterfind("INDIVIDUAL_ALIAS"):
        born, name = strip_time_zone(find_text(alias, "DATE_OF_BIRTH")), find_text(alias, "ALIAS_NAME")
        if born is not None and name is not None:
            yield f"{born} (as {name})"


def _format_birth(birth: Element) -> str | None:
    first, last = find_text(birth, "FROM_YEAR"), find_text(birth, "TO_YEAR")
    text = f"between {first} and {last}" if first is not None and last is not None else None
    text = text or strip_time_zone(find_text(birth, "DATE")) or find_text(birth, "YEAR") or first or last
    if text is not None and find_text(birth, "TYPE_OF_DATE") == "APPROXIMATELY":
        text = f"approximately {text}"
    note = find_text(birth, "NOTE")
    return f"{text} ({note})" if text is not None and note is not None else text or note


def read_countries(element: Element) -> tuple[str, ...]:
    """Nationalities and the countries of addresses, as codes; what is no country as it stands."""
    texts = [*find_values(element, "NATIONALITY")]
    for tag in ("INDIVIDUAL_ADDRESS", "ENTITY_ADDRESS"):
        texts += [text for address in element.iterfind(tag) if (text := find_text(address, "COUNTRY")) is not None]
    codes = dict.fromkeys(code for text in texts for code in parse_country_codes(text))
    return tuple(code for code in codes if code.casefold() not in _NO_COUNTRY)


def read_identifiers(element: Element, terms: Mapping[str, str]) -> tuple[RegistrationNumber, ...]:
    """The numbers of documents, and of a shipping company's entry with the International Maritime Organization."""
    found = [number for document in element.iterfind("INDIVIDUAL_DOCUMENT") for number in _read_document(document, terms)]
    comments = find_text(element, "COMMENTS1") or ""
    if element.tag == "ENTITY":
        # Ships that are named beside a company have numbers of their own, which are not the company's.
        own = [digits for digits in _IMO_NUMBER.findall(comments) if extract_imo_numbers(digits)]
        found += [RegistrationNumber(label="IMO company number", value=digits) for digits in own]
    return deduplicate_numbers(found)


def _read_document(document: Element, terms: Mapping[str, str]) -> Iterator[RegistrationNumber]:
    kind, closer = find_text(document, "TYPE_OF_DOCUMENT"), find_text(document, "TYPE_OF_DOCUMENT2")
    label = closer if closer is not None and not any(map(str.isdigit, closer)) else kind
    number = find_text(document, "NUMBER")
    if number is None and closer is not None and (last := _LAST_NUMBER.search(closer)) is not None:
        number = last[0]
    if label is not None and number is not None:
        label = label.rstrip(" :.")
        yield from build_numbers(terms.get(label, label), extract_number(number))


def extract_number(text: str) -> str:
    """The number without the words around it; a text without any stays as it is."""
    found = _PRECEDING_WORDS.fullmatch(text)
    number = found["number"] if found is not None else text
    return _APPENDIX.sub("", number) or number
