"""A query to the index: a text parsed as the name of a business, the name of a person, or an address.

A query is parsed once for all indexes. `matching` defines the words of a text.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from bonafide.index.format.documents import FieldName
from bonafide.matching.entries.index_terms import (
    IndexTerms,
    build_address_terms,
    build_business_terms,
    build_person_terms,
    build_query_terms,
)
from bonafide.matching.names.entry_names import ParsedName


@dataclass(frozen=True, slots=True)
class QueryReading:
    """One way to read what is sought: its distinctive words, and the text as one would type it."""

    words: tuple[str, ...]
    typed: str


@dataclass(frozen=True, slots=True)
class IndexQuery:
    """What is sought in which field; several readings where a text holds several names, none where it holds no words."""

    field: FieldName
    readings: tuple[QueryReading, ...]


def create_business_query(text: str) -> IndexQuery:
    """A business by its name."""
    return _create_query(FieldName.NAMES, build_business_terms([text]))


def create_parsed_name_query(names: Sequence[ParsedName]) -> IndexQuery:
    """A business by its name that is parsed already, the whole name first; the same as `create_business_query` of its text."""
    return _create_query(FieldName.NAMES, build_query_terms(names))


def create_person_query(text: str) -> IndexQuery:
    """A person by name."""
    return _create_query(FieldName.PEOPLE, build_person_terms([text]))


def create_address_query(text: str) -> IndexQuery:
    """A business by its address, given as one line."""
    return _create_query(FieldName.ADDRESSES, build_address_terms([text]))


def _create_query(field: FieldName, found: IndexTerms) -> IndexQuery:
    return IndexQuery(field, tuple(QueryReading(words, typed) for words, typed in zip(found.words, found.typed, strict=True)))
