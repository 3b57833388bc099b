"""What is sought in an index: a text read as the name of a business, the name of a person, or an address.

Reading is done once, here, however many indexes are asked. What the words of a text are is decided in `matching`.
"""

from dataclasses import dataclass
from enum import StrEnum

from bonafide.matching.searchable import Searchable, searchable_addresses, searchable_businesses, searchable_people


class FieldName(StrEnum):
    """The searchable texts of a document, each with words of its own kind."""

    NAMES = "names"
    PEOPLE = "people"
    ADDRESSES = "addresses"


@dataclass(frozen=True, slots=True)
class Reading:
    """One way to read what is sought: its distinctive words, and the text as one would type it."""

    words: tuple[str, ...]
    typed: str


@dataclass(frozen=True, slots=True)
class Asked:
    """What is sought in which field; several readings where a text holds several names, none where it holds no words."""

    field: FieldName
    readings: tuple[Reading, ...]


def business(text: str) -> Asked:
    """A business by its name."""
    return _asked(FieldName.NAMES, searchable_businesses([text]))


def person(text: str) -> Asked:
    """A person by name."""
    return _asked(FieldName.PEOPLE, searchable_people([text]))


def address(text: str) -> Asked:
    """Whoever is at an address, given as one line."""
    return _asked(FieldName.ADDRESSES, searchable_addresses([text]))


def _asked(field: FieldName, found: Searchable) -> Asked:
    return Asked(field, tuple(Reading(words, typed) for words, typed in zip(found.words, found.typed, strict=True)))
