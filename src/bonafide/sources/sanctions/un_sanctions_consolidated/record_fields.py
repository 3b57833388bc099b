"""Parse the elements of a record of the list: aliases, dates, documents, countries and texts.

An alias may contain several names, another script in brackets, or a remark instead of names. Each rule for them was checked against
the files of 2020, 2025 and 2026; text that may be part of a name is kept in it.
"""

import re
from collections.abc import Iterator, Mapping

from bonafide.matching.text.countries import parse_country_codes
from bonafide.model.entity import RegistrationNumber
from bonafide.sources.formats.delimited_text import normalize_whitespace
from bonafide.sources.formats.xml_elements import Element
from bonafide.sources.shared.lists.party_fields import (
    build_numbers,
    deduplicate_numbers,
    expand_bracket_forms,
    extract_imo_numbers,
    split_by_script,
    strip_quotes,
)

_ZONE = re.compile(r"(\d{4}-\d\d-\d\d)(?:[-+]\d\d:\d\d|Z|T.*)")
_PRECEDING_WORDS = re.compile(
    r"(?:.*\b(?:numbers?|no|n°)\b[.:]*\s*|[^\d:]*:\s*|(?=[A-Z])[A-Za-z() “”]{4,}\s)(?P<number>(?:[A-Z]{1,2} )?\S*\d.*)",
    re.IGNORECASE,
)
"""A number after words that describe it: `Libyan passport No. 12`, `Diplomatic Passport: Z3`, `Libya 42`."""
_APPENDIX = re.compile(r"\s*(?:\(.*|,\s.*)$")
_IMO_NUMBER = re.compile(r"\b(?:IMO\)? number:?|company number IMO)\s*(\d{7})(?!\d)", re.IGNORECASE)
_LAST_NUMBER = re.compile(r"\S*\d\S*$")
_NO_COUNTRY = frozenset({"na", "n/a", "unknown", "none", "stateless"})


def find_text(element: Element, tag: str) -> str | None:
    """Return the text of the first child with the tag, with normalized white space; None if there is none."""
    return normalize_whitespace(element.findtext(tag))


def find_values(element: Element, tag: str) -> Iterator[str]:
    """Yield the texts of `<tag><VALUE>…</VALUE></tag>`."""
    for value in element.iterfind(f"{tag}/VALUE"):
        text = normalize_whitespace(value.text)
        if text is not None:
            yield text


def strip_time_zone(text: str | None) -> str | None:
    """Remove the time zone that some dates have (`2015-03-27-04:00`)."""
    found = _ZONE.fullmatch(text) if text is not None else None
    return found[1] if found is not None else text


def read_births(element: Element) -> Iterator[str]:
    """Yield each date of birth as text: exact, approximate, between two years, only in a note, or of one alias."""
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
    """Return nationalities and the countries of addresses as codes; unknown countries unchanged."""
    texts = [*find_values(element, "NATIONALITY")]
    for tag in ("INDIVIDUAL_ADDRESS", "ENTITY_ADDRESS"):
        texts += [text for address in element.iterfind(tag) if (text := find_text(address, "COUNTRY")) is not None]
    codes = dict.fromkeys(code for text in texts for code in parse_country_codes(text))
    return tuple(code for code in codes if code.casefold() not in _NO_COUNTRY)


def read_identifiers(element: Element, terms: Mapping[str, str]) -> tuple[RegistrationNumber, ...]:
    """Return the numbers of documents, and the IMO numbers of shipping companies."""
    found = [number for document in element.iterfind("INDIVIDUAL_DOCUMENT") for number in _read_document(document, terms)]
    comments = find_text(element, "COMMENTS1") or ""
    if element.tag == "ENTITY":
        # The numbers of ships that are mentioned with a company are not the company's.
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
    """Return the number without the words around it; a text without a number is returned unchanged."""
    found = _PRECEDING_WORDS.fullmatch(text)
    number = found["number"] if found is not None else text
    return _APPENDIX.sub("", number) or number


_SEPARATOR = re.compile(r";|(?:^|\s)[a-e]\)\s")
_REMARK = re.compile(
    r"\s*\((?:previously|formerly|original script\)|birth name|combat name|false|nom de guerre|third\)|[A-Z]{2}[ie]\.\d+\))"
    r"[^()]*\)?",
    re.IGNORECASE,
)
"""Brackets that do not contain a name."""
_NAME_COMMENT = re.compile(r"\s*-\s*sub-unit name\b|original script:|,\s*born\b.*|^\(original script\)", re.IGNORECASE | re.DOTALL)
_NOTED_SCRIPT = re.compile(r"\b(?:original script|in arabic(?: script)?):\s*(?P<name>[^;.()]+)", re.IGNORECASE)
_NOTED_NAMES = re.compile(r"[^():\d.]+(?:;[^():\d.]+)+")
"""A note that is a list of names; any other is a remark."""
_SLASH = re.compile(r"\s+/\s+|\s*;\s*")


def split_alias_names(text: str) -> Iterator[str]:
    """Yield the names in the text of one alias, in order: `Anna; Ana`, `Анна (Anna; Ana)`, `Anna (original script: Анна)`."""
    text = _NAME_COMMENT.sub(" ", _REMARK.sub("", text))
    for written in split_by_script(text):
        for piece in _SEPARATOR.split(written):
            name = strip_quotes(_strip_unbalanced_bracket(" ".join(piece.split()).strip(" ,")))
            if name:
                yield name


def extract_noted_names(note: str) -> Iterator[str]:
    """Yield the names in the note of an alias, in another script or several at once."""
    found = _NOTED_SCRIPT.search(note)
    if found is not None:
        yield " ".join(found["name"].split())
    elif _NOTED_NAMES.fullmatch(note) is not None:
        yield from split_alias_names(note)


def split_entity_names(text: str) -> tuple[str, list[tuple[str, bool]]]:
    """Return the main name of an entity and the others in its name field, each with whether it is an abbreviation.

    `EXAMPLE COMPANY (EC) ; COMPAGNIE EXEMPLE` has two names, each also in its form without brackets.
    """
    main, *others = (piece for piece in _SLASH.split(text) if piece)
    named = [(other, other.isupper() and " " not in other) for other in others]
    return main, [*expand_bracket_forms(main), *named, *(form for other in others for form in expand_bracket_forms(other))]


def _strip_unbalanced_bracket(text: str) -> str:
    """Remove a bracket that the splitting left unbalanced."""
    return text.strip("() ") if text.count("(") != text.count(")") else text
