"""Find registration numbers in a page's text: labelled numbers with the format and check digit of the labelled type.

Numbers without a label are ignored. Numbers are not looked up in a registry.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from bonafide.matching.identifiers.number_formats import (
    NUMBER_FORMATS,
    find_number_problem,
    find_type_problem,
    parse_business_number,
)
from bonafide.matching.identifiers.number_labels import NumberType, compact_number, parse_label_type
from bonafide.matching.text.folding import fold
from bonafide.matching.text.tables import read_table
from bonafide.matching.text.word_classes import EMPTY_WORDS, WordClass, classify_word
from bonafide.model.entity import RegistrationNumber
from bonafide.model.search.website import FoundBy
from bonafide.website.extraction.page_statement import PageStatement, cut_snippet
from bonafide.website.page_content.visible_text import TextLine, VisiblePage
from bonafide.website.tables import PAGE_TERMS

MAX_NUMBERS: Final = 60
"""The maximum number of registration numbers per page."""
MAX_ON_LINE: Final = 12
"""The maximum number of numbers examined per line."""

_NUMBER = re.compile(
    r"(?<![\w@/.-])(?:[A-Z]{1,4}[ .-]?)?\d(?:[ .\u2011-]?\d){2,14}+(?:[ -]?(?:R[TCPRMZ]|TQ)[ -]?\d{4})?(?![\w@]|[./-]\d)"
)
_DIGITS = re.compile(r"\d[ .\d\u2011-]{2}")
_PROGRAM = re.compile(r"\d{9}(R[TCPRMZ])\d{4}")
_QST_TAIL = re.compile(r"\d{10}TQ\d{4}")
_LABEL_WORDS = re.compile(r"[^\s:#,;|()/]+")
_LONGEST_LABEL = 7
"""The maximum number of words in a label."""
_LABEL_CHARACTERS = 90
_NUMBER_WORDS = frozenset(
    {"NO", "NOS", "NUMBER", "NUMERO", "NUM", "N", "NR", "ID", "IS", "EST", "THE", "LE", "OUR", "NOTRE", "SOUS", "CERTIFICATE"}
)
"""Words that may occur between a label and its number, or optionally belong to the label."""
_LEAST_GENERIC = 5
"""The minimum number of digits after a generic label."""
_GENERIC_LABELS = (
    "corporation no", "corporation number", "corp no", "corp number", "company number", "company no", "incorporation number",
    "incorporation no", "inc no", "registry number", "registry no", "registry id",
    "registration number", "registration no", "entity number",
    "enterprise number", "numéro de société", "numéro d'immatriculation", "numéro d'incorporation",
    "numéro de constitution", "numéro de la société", "no de société", "no de la société", "no d'immatriculation",
    "no d'incorporation", "no de constitution",
)  # fmt: skip
"""Labels of business numbers without a registry. Other labels that registries use are too common on web pages."""
_GENERIC = frozenset(map(compact_number, _GENERIC_LABELS))
_CAPITALS_ONLY = frozenset(
    {"CAN", "BIN", "NE", "BN", "ID", "CORP", "OPC", "AMF", "ESA", "ESM", "MSB", "TICO", "PSP", "DLI", "EED", "FSRA"}
)
_NAMES: dict[NumberType, str] = {
    NumberType.BUSINESS_NUMBER: "Business Number (BN)",
    NumberType.LEI: "LEI",
    NumberType.FEDERAL_CORPORATION: "Corporation Number",
    NumberType.NEQ: "NEQ",
    NumberType.ONTARIO_CORPORATION: "Ontario Corporation Number",
    NumberType.ONTARIO_FIRM: "Business Identification Number",
    NumberType.ALBERTA_ACCESS: "Corporate Access Number",
    NumberType.BC_REGISTRATION: "BC Registration Number",
}
_BY_PROGRAM = {
    "RT": "GST/HST number",
    "RC": "Business Number (BN)",
    "RP": "Business Number (BN)",
    "RR": "Charitable registration number",
    "RM": "Business Number (BN)",
    "RZ": "Business Number (BN)",
}
GENERIC_LABELS = frozenset({"Corporation Number", "Registration Number", "Licence number"})
"""Labels that do not identify the registry."""
_TAX_WORDS = ("GST", "HST", "TPS", "TVH")


@dataclass(frozen=True, slots=True)
class _Licence:
    """A type of number that is not issued by a business registry."""

    name: str
    shape: re.Pattern[str]


_LICENCES: dict[str, _Licence] = {
    compact_number(label): _Licence(row["name"], re.compile(row["shape"]))
    for row in reversed(PAGE_TERMS["numbers"])
    for label in row["labels"]
}
_NO_LETTERS = re.compile(r"[^a-z]+")
_LICENCE_LABELS = [label for row in PAGE_TERMS["numbers"] for label in row["labels"]]
_REGISTER_LABELS = [label for facts in read_table("number_types").values() if isinstance(facts, dict) for label in facts["labels"]]
_WORDS_OF_LABELS = frozenset(
    word
    for label in (*_LICENCE_LABELS, *_REGISTER_LABELS, *_GENERIC_LABELS)
    for word in _NO_LETTERS.split(fold(label).replace(".", ""))
    if len(word) > 1
    and word not in EMPTY_WORDS
    and word.upper() not in _NUMBER_WORDS
    and classify_word(word) is not WordClass.PLACE
)
"""Every label contains one of these words; a fast filter for all other numbers."""
_LONE_NUMBER = re.compile(r"^\W*(?:[A-Z]{1,4}[ .-]?)?\d")


def find_registration_numbers(page: VisiblePage) -> Iterator[PageStatement[RegistrationNumber]]:
    """Yield every labelled number of a page that has the format of its type and a valid check digit."""
    count = 0
    for place, line in enumerate(page.lines):
        if line.others or count >= MAX_NUMBERS or _DIGITS.search(line.text) is None:
            continue
        for number, start, end in _find_on_line(page.lines, place):
            count += 1
            yield PageStatement(number, page.url, FoundBy.TEXT, cut_snippet(line.text, start, end))


@lru_cache(maxsize=2**11)  # every page repeats the footer
def parse_registration_number(label: str, value: str) -> RegistrationNumber | None:
    """Parse a labelled number; None if the label is unknown or the number is not valid for it."""
    compact = compact_number(value)
    tail = _PROGRAM.fullmatch(compact)
    if tail is not None:
        business = parse_business_number(compact)
        is_valid = business is not None and business.passes_check
        return RegistrationNumber(label=_BY_PROGRAM[tail[1]], value=_format_number(value)) if is_valid else None
    if _QST_TAIL.fullmatch(compact) is not None:
        return RegistrationNumber(label="QST number", value=_format_number(value))
    if _WORDS_OF_LABELS.isdisjoint(_NO_LETTERS.split(fold(label).replace(".", ""))):
        return None
    found = [number for words in _list_labels(label) if (number := _parse_under_label(words, compact, value)) is not None]
    return next((number for number in found if number.label not in GENERIC_LABELS), next(iter(found), None))


def _find_on_line(lines: Sequence[TextLine], place: int) -> Iterator[tuple[RegistrationNumber, int, int]]:
    text = lines[place].text
    before = 0
    for count, found in enumerate(_NUMBER.finditer(text)):
        if count >= MAX_ON_LINE:
            return
        label = text[max(before, found.start() - _LABEL_CHARACTERS) : found.start()]
        if before == 0 and _LONE_NUMBER.match(text) is not None and place > 0 and len(lines[place - 1].text) <= _LABEL_CHARACTERS:
            label = lines[place - 1].text
        number = _parse_with_letters(label, found[0])
        if number is not None:
            before = found.end()
            yield number, found.start(), found.end()


def _parse_with_letters(label: str, text: str) -> RegistrationNumber | None:
    """Parse the number without leading letters if they are part of the label, else with them."""
    label = label.replace("#", " no ")
    letters = re.match(r"[A-Z]{1,4}(?=[ .-]\d)", text)
    number = (
        parse_registration_number(f"{label} {letters[0]}", text[letters.end() :].lstrip(" .-")) if letters is not None else None
    )
    return number if number is not None else parse_registration_number(label, text)


def _list_labels(text: str) -> Iterator[tuple[str, str]]:
    """Possible labels at the end of a text, longest first: as written, and in compact form."""
    words = _LABEL_WORDS.findall(text)[-_LONGEST_LABEL:]
    for start in range(len(words)):
        yield " ".join(words[start:]), compact_number(" ".join(words[start:]))
    end = len(words)
    while end > 1 and compact_number(words[end - 1]) in _NUMBER_WORDS | {""}:
        end -= 1
        for start in range(end):
            yield " ".join(words[start:end]), compact_number(" ".join(words[start:end]))


def _parse_under_label(label: tuple[str, str], compact: str, value: str) -> RegistrationNumber | None:
    written, words = label
    if not words or (words in _CAPITALS_ONLY and words not in written.replace(".", "")):
        return None
    licence = _LICENCES.get(words)
    if licence is not None:
        return RegistrationNumber(label=licence.name, value=_format_number(value)) if licence.shape.fullmatch(compact) else None
    kind = parse_label_type(written)
    if kind is not None:
        name = "GST/HST number" if any(word in words for word in _TAX_WORDS) else _NAMES.get(kind, NUMBER_FORMATS[kind].title)
        return RegistrationNumber(label=name, value=_format_number(value)) if _is_number_of_type(compact, kind) else None
    if words in _GENERIC and sum(map(str.isdigit, compact)) >= _LEAST_GENERIC and find_number_problem(compact) is None:
        name = "Registration Number" if "REG" in words else "Corporation Number"
        return RegistrationNumber(label=name, value=_format_number(value))
    return None


@lru_cache(maxsize=2**10)  # every page repeats the footer
def _is_number_of_type(compact: str, kind: NumberType) -> bool:
    """Whether a number can be of a type; an unofficial check digit rule, derived from examples, never rejects a number."""
    if kind is NumberType.BUSINESS_NUMBER:
        number = parse_business_number(compact)
        return number is not None and number.passes_check
    doubt = find_type_problem(compact, kind)
    return doubt is None or (not NUMBER_FORMATS[kind].hard and NUMBER_FORMATS[kind].fits(compact.lstrip("0") or "0"))


def _format_number(value: str) -> str:
    return " ".join(value.replace("\u2011", "-").split()).strip(" .,-")
