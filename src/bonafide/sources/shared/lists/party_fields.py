"""Build the names, numbers and remarks of one party, as all parsers of sanctions lists do.

It knows no list: which name is the main one, and which the list itself calls weak, the list's own parser says.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from bonafide.matching.identifiers.number_matching import is_imo_number, is_lei
from bonafide.model.entity import RegistrationNumber
from bonafide.sources.formats.delimited_text import normalize_whitespace

_SEVEN_DIGITS = re.compile(r"(?<!\d)\d{7}(?!\d)")
_NUMBER = re.compile(r"\d|^[^a-z]*[A-Z][^a-z]*$")
"""A figure is in it, or it is all in capitals, as the codes of banks and the marks of aircraft are."""
_COMPANY_WEIGHTS = (8, 6, 4, 2, 9, 7)


@dataclass(frozen=True, slots=True)
class ListedNames:
    """The names of one party, each once."""

    main: str
    aliases: tuple[str, ...]
    weak: tuple[str, ...]


def build_names(main: str, others: Iterable[tuple[str, bool]]) -> ListedNames:
    """The main name and the others, each with whether the list calls it weak; a name that is both is not weak."""
    weak: dict[str, tuple[str, bool]] = {}
    for text, is_weak in others:
        key = text.casefold()
        _, known = weak.get(key, ("", True))
        weak[key] = (weak[key][0] if key in weak else text, known and is_weak)
    weak.pop(main.casefold(), None)
    return ListedNames(
        main,
        tuple(text for text, is_weak in weak.values() if not is_weak),
        tuple(text for text, is_weak in weak.values() if is_weak),
    )


def extract_imo_numbers(text: str | None) -> list[RegistrationNumber]:
    """The numbers of the International Maritime Organization in a text, of ships or of their owners, if the check digit holds.

    Empty for anything else that stands in such a field.
    """
    found = dict.fromkeys(_SEVEN_DIGITS.findall(text or ""))
    ships = [RegistrationNumber(label="IMO number", value=number) for number in found if is_imo_number(number)]
    if ships:
        return ships
    return [RegistrationNumber(label="IMO company number", value=number) for number in found if _is_imo_company_number(number)]


def _is_imo_company_number(number: str) -> bool:
    """Whether the last of seven digits agrees with the others as in numbers of shipping companies (IMO resolution MSC.160(78))."""
    weighed = sum(int(digit) * weight for digit, weight in zip(number, _COMPANY_WEIGHTS, strict=False))
    return (11 - weighed % 11) % 10 == int(number[-1])


def build_numbers(label: str, number: str | None) -> Iterator[RegistrationNumber]:
    """One number under its label; nothing for a text that is none ("-", "Not known"), or an LEI whose check digits are wrong."""
    text = normalize_whitespace(number)
    if text is None or _NUMBER.search(text) is None:
        return
    if label.casefold() in {"lei", "legal entity identifier"} and not is_lei(text):
        return
    yield RegistrationNumber(label=label, value=text)


def deduplicate_numbers(numbers: Iterable[RegistrationNumber]) -> tuple[RegistrationNumber, ...]:
    """Each number once, in order."""
    return tuple({(number.label, number.value): number for number in numbers}.values())


def format_remarks(labelled: Mapping[str, Iterable[str]]) -> str | None:
    """What has no field of its own, in the order given: "Label: one; another". What stands under the label "" is not labelled."""
    parts = []
    for label, texts in labelled.items():
        told = "; ".join(dict.fromkeys(text for text in map(normalize_whitespace, texts) if text is not None))
        if told:
            parts.append(f"{label}: {told}" if label else told)
    return ". ".join(part.removesuffix(".") for part in parts) or None
