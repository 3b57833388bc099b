"""Registration numbers in a page's text: beside a label that says what they are, of that form, and with that check digit.

A number without a label is none, whatever it looks like. Nobody is asked whether a number was ever given.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from bonafide.matching.business_numbers import read_business_number
from bonafide.matching.folding import fold
from bonafide.matching.number_labels import NumberType, compacted, label_type
from bonafide.matching.register_numbers import FORMS, doubt_as, number_doubt
from bonafide.matching.tables import read_table
from bonafide.matching.words import EMPTY_WORDS, WordClass, word_class
from bonafide.model.entity import RegistrationNumber
from bonafide.model.website import FoundBy
from bonafide.website.statements.stated import Stated, snippet_of
from bonafide.website.statements.visible_text import Line, ReadPage
from bonafide.website.statements.wording import WORDING

MAX_NUMBERS: Final = 60
"""Registration numbers of one page."""
MAX_ON_LINE: Final = 12
"""Numbers of one line that are looked at."""

_NUMBER = re.compile(
    r"(?<![\w@/.-])(?:[A-Z]{1,4}[ .-]?)?\d(?:[ .\u2011-]?\d){2,14}+(?:[ -]?(?:R[TCPRMZ]|TQ)[ -]?\d{4})?(?![\w@]|[./-]\d)"
)
_DIGITS = re.compile(r"\d[ .\d\u2011-]{2}")
_PROGRAM = re.compile(r"\d{9}(R[TCPRMZ])\d{4}")
_QST_TAIL = re.compile(r"\d{10}TQ\d{4}")
_LABEL_WORDS = re.compile(r"[^\s:#,;|()/]+")
_LONGEST_LABEL = 7
"""Words."""
_LABEL_CHARACTERS = 90
_NUMBER_WORDS = frozenset(
    {"NO", "NOS", "NUMBER", "NUMERO", "NUM", "N", "NR", "ID", "IS", "EST", "THE", "LE", "OUR", "NOTRE", "SOUS", "CERTIFICATE"}
)
"""Words that stand between a label and its number, or belong to it as well as not."""
_LEAST_GENERIC = 5
"""Digits of a number whose label is that of numbers of any kind."""
_GENERIC_LABELS = (
    "corporation no", "corporation number", "corp no", "corp number", "company number", "company no", "incorporation number",
    "incorporation no", "inc no", "registry number", "registry no", "registry id",
    "registration number", "registration no", "entity number",
    "enterprise number", "numéro de société", "numéro d'immatriculation", "numéro d'incorporation",
    "numéro de constitution", "numéro de la société", "no de société", "no de la société", "no d'immatriculation",
    "no d'incorporation", "no de constitution",
)  # fmt: skip
"""Labels that say that it is a number of a business without saying whose: the others of the registers' are too common on pages."""
_GENERIC = frozenset(map(compacted, _GENERIC_LABELS))
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
"""Labels that don't say whose number it is."""
_TAX_WORDS = ("GST", "HST", "TPS", "TVH")


@dataclass(frozen=True, slots=True)
class _Licence:
    """A kind of number that no register of businesses gives."""

    name: str
    shape: re.Pattern[str]


_LICENCES: dict[str, _Licence] = {
    compacted(label): _Licence(row["name"], re.compile(row["shape"]))
    for row in reversed(WORDING["numbers"])
    for label in row["labels"]
}
_NO_LETTERS = re.compile(r"[^a-z]+")
_LICENCE_LABELS = [label for row in WORDING["numbers"] for label in row["labels"]]
_REGISTER_LABELS = [label for facts in read_table("number_types").values() if isinstance(facts, dict) for label in facts["labels"]]
_WORDS_OF_LABELS = frozenset(
    word
    for label in (*_LICENCE_LABELS, *_REGISTER_LABELS, *_GENERIC_LABELS)
    for word in _NO_LETTERS.split(fold(label).replace(".", ""))
    if len(word) > 1 and word not in EMPTY_WORDS and word.upper() not in _NUMBER_WORDS and word_class(word) is not WordClass.PLACE
)
"""A number without any of these words before it has no label: nearly all are done with one look."""
_LONE_NUMBER = re.compile(r"^\W*(?:[A-Z]{1,4}[ .-]?)?\d")


def numbers_in_text(page: ReadPage) -> Iterator[Stated[RegistrationNumber]]:
    """Every labelled number of a page that has the form of its kind and passes its check."""
    count = 0
    for place, line in enumerate(page.lines):
        if line.others or count >= MAX_NUMBERS or _DIGITS.search(line.text) is None:
            continue
        for number, start, end in _on_line(page.lines, place):
            count += 1
            yield Stated(number, page.url, FoundBy.TEXT, snippet_of(line.text, start, end))


@lru_cache(maxsize=2**11)  # a footer stands on every page
def read_number(label: str, value: str) -> RegistrationNumber | None:
    """A number under a label as a registration; None when the label says none, or the number can't be one."""
    compact = compacted(value)
    tail = _PROGRAM.fullmatch(compact)
    if tail is not None:
        business = read_business_number(compact)
        is_valid = business is not None and business.passes_check
        return RegistrationNumber(label=_BY_PROGRAM[tail[1]], value=_as_written(value)) if is_valid else None
    if _QST_TAIL.fullmatch(compact) is not None:
        return RegistrationNumber(label="QST number", value=_as_written(value))
    if _WORDS_OF_LABELS.isdisjoint(_NO_LETTERS.split(fold(label).replace(".", ""))):
        return None
    found = [number for words in _labels(label) if (number := _under(words, compact, value)) is not None]
    return next((number for number in found if number.label not in GENERIC_LABELS), next(iter(found), None))


def _on_line(lines: Sequence[Line], place: int) -> Iterator[tuple[RegistrationNumber, int, int]]:
    text = lines[place].text
    before = 0
    for count, found in enumerate(_NUMBER.finditer(text)):
        if count >= MAX_ON_LINE:
            return
        label = text[max(before, found.start() - _LABEL_CHARACTERS) : found.start()]
        if before == 0 and _LONE_NUMBER.match(text) is not None and place > 0 and len(lines[place - 1].text) <= _LABEL_CHARACTERS:
            label = lines[place - 1].text
        number = _read_with_letters(label, found[0])
        if number is not None:
            before = found.end()
            yield number, found.start(), found.end()


def _read_with_letters(label: str, text: str) -> RegistrationNumber | None:
    """The number without the letters in front of it where those are the label's, else with them."""
    label = label.replace("#", " no ")
    letters = re.match(r"[A-Z]{1,4}(?=[ .-]\d)", text)
    number = read_number(f"{label} {letters[0]}", text[letters.end() :].lstrip(" .-")) if letters is not None else None
    return number if number is not None else read_number(label, text)


def _labels(text: str) -> Iterator[tuple[str, str]]:
    """What may be the label at the end of some words, the longest first: as written, and in compact form."""
    words = _LABEL_WORDS.findall(text)[-_LONGEST_LABEL:]
    for start in range(len(words)):
        yield " ".join(words[start:]), compacted(" ".join(words[start:]))
    end = len(words)
    while end > 1 and compacted(words[end - 1]) in _NUMBER_WORDS | {""}:
        end -= 1
        for start in range(end):
            yield " ".join(words[start:end]), compacted(" ".join(words[start:end]))


def _under(label: tuple[str, str], compact: str, value: str) -> RegistrationNumber | None:
    written, words = label
    if not words or (words in _CAPITALS_ONLY and words not in written.replace(".", "")):
        return None
    licence = _LICENCES.get(words)
    if licence is not None:
        return RegistrationNumber(label=licence.name, value=_as_written(value)) if licence.shape.fullmatch(compact) else None
    kind = label_type(written)
    if kind is not None:
        name = "GST/HST number" if any(word in words for word in _TAX_WORDS) else _NAMES.get(kind, FORMS[kind].title)
        return RegistrationNumber(label=name, value=_as_written(value)) if _is_of(compact, kind) else None
    if words in _GENERIC and sum(map(str.isdigit, compact)) >= _LEAST_GENERIC and number_doubt(compact) is None:
        name = "Registration Number" if "REG" in words else "Corporation Number"
        return RegistrationNumber(label=name, value=_as_written(value))
    return None


@lru_cache(maxsize=2**10)  # a footer stands on every page
def _is_of(compact: str, kind: NumberType) -> bool:
    """Whether a number can be of a kind; a check that is only derived from examples refuses nothing."""
    if kind is NumberType.BUSINESS_NUMBER:
        number = read_business_number(compact)
        return number is not None and number.passes_check
    doubt = doubt_as(compact, kind)
    return doubt is None or (not FORMS[kind].hard and FORMS[kind].fits(compact.lstrip("0") or "0"))


def _as_written(value: str) -> str:
    return " ".join(value.replace("\u2011", "-").split()).strip(" .,-")
