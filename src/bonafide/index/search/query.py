"""A query to the index: a text parsed as the name of a business, the name of a person, or an address.

A query is parsed once for all indexes. `matching` defines the words of a text.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from bonafide.index.format.documents import FieldName
from bonafide.matching.entries.index_terms import (
    IndexTerms,
    QueryAcronym,
    build_address_terms,
    build_person_terms,
    build_query_terms,
    find_query_acronym,
)
from bonafide.matching.names.entry_names import ParsedName, parse_name


@dataclass(frozen=True, slots=True)
class QueryReading:
    """One interpretation of a query: its distinctive words and its typed form."""

    words: tuple[str, ...]
    typed: str


@dataclass(frozen=True, slots=True)
class IndexQuery:
    """A query to one field; several readings if a text contains several names, none if it contains no words.

    `acronym` is the acronym of a business that a text of one short word may be.
    """

    field: FieldName
    readings: tuple[QueryReading, ...]
    acronym: QueryAcronym | None = None


def create_business_query(text: str) -> IndexQuery:
    """Create a query for a business by name."""
    return create_parsed_name_query(parse_name(text))


def create_parsed_name_query(names: Sequence[ParsedName]) -> IndexQuery:
    """Create the query of `create_business_query` from a name that is already parsed, the whole name first."""
    return _create_query(FieldName.NAMES, build_query_terms(names), find_query_acronym(names[0].normal))


def create_person_query(text: str) -> IndexQuery:
    """Create a query for a person by name."""
    return _create_query(FieldName.PEOPLE, build_person_terms([text]))


def create_address_query(text: str) -> IndexQuery:
    """Create a query for a business by its address on one line."""
    return _create_query(FieldName.ADDRESSES, build_address_terms([text]))


def _create_query(field: FieldName, found: IndexTerms, acronym: QueryAcronym | None = None) -> IndexQuery:
    readings = tuple(QueryReading(words, typed) for words, typed in zip(found.words, found.typed, strict=True))
    return IndexQuery(field, readings, acronym)
