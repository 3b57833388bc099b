"""Candidates that are excluded by their stored names alone would not have been matches."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import date
from uuid import UUID

import pytest

from bonafide.matching.entries.query import Query
from bonafide.matching.scoring.word_rarity import STATIC_RARITY
from bonafide.model.accounts.organizations import World
from bonafide.model.entity import Address, NameHistoryItem, RegistrationNumber
from bonafide.model.entry import RegistryEntry
from bonafide.model.jurisdiction import Jurisdiction
from bonafide.runtime import Runtime
from bonafide.services.lookup.source_lookup import query_sources
from bonafide.services.lookup.source_result import SourceResult
from bonafide.services.results.candidate_exclusion import exclude_candidates, read_stored_names
from bonafide.services.results.match_building import build_registry_matches, select_candidates
from tests.support.services.loading import put

pytestmark = pytest.mark.anyio

REGISTER = "on"
SEARCH_ID = UUID(int=7)
HOME = Address(street="12 Orlov Street", city="Kwiatek", province="ON", postal_code="M5V 2T6")


def entry(entry_id: str, name: str, **fields: object) -> RegistryEntry:
    number = RegistrationNumber(label="Corporation number", value=f"10000{entry_id}")
    found = {"entry_id": entry_id, "jurisdiction": Jurisdiction.ON, "legal_name": name, "registration_numbers": (number,), **fields}
    return RegistryEntry.model_validate(found)


ENTRIES = [
    entry("1", "Zephyrine Bakery Inc.", addresses=(HOME,)),
    entry("2", 'Orlovska "Bakery" \\ Ltd.'),
    entry("3", "Kwiatek Bakery Holdings", alternate_names=("Zephyrine Bakery",)),
    entry(
        "4", "Twin Bakery", name_history=(NameHistoryItem(type="Former", name="Zephyrine Bakery Ltd.", end_date=date(2020, 1, 1)),)
    ),
    entry("5", "123456 Ontario Inc. o/a Zephyrine Bakery"),
    entry("6", "Boulangerie Zéphyrine / Zephyrine Bakery"),
    entry("7", "Zephirine Bakry"),
    entry("8", "Kwiatek Bakery and Grocery Ltd."),
    entry("9", "Bakery of Orlov"),
    entry("10", "Kwiatek Bakery Trucking Ltd."),
]
QUERIES = [
    Query("Zephyrine Bakery"),
    Query("Zephyrine Bakery Ltd.", address=HOME),
    Query("Bakery Kwiatek", registration_number="100009"),
    Query("Orlovska Bakery"),
    Query("Zephyrine o/a Twin Bakery"),
    Query("Bakery"),
]


async def look_up(runtime: Runtime, query: Query) -> SourceResult:
    put(runtime, REGISTER, ENTRIES)
    (found,) = await query_sources(runtime, World.LIVE, query, [runtime.sources[REGISTER]])
    return found


def read_all(result: SourceResult) -> SourceResult:
    """The same candidates, of which none can be excluded without reading it."""
    return replace(result, candidates=[replace(candidate, read_stored=None) for candidate in result.candidates])


def names_of(results: Sequence[SourceResult]) -> set[str]:
    return {candidate.read().list_search_names()[0] for candidate in select_candidates(results)}


@pytest.mark.parametrize("query", QUERIES, ids=lambda query: query.name)
async def test_the_matches_are_those_of_all_candidates(empty_runtime: Runtime, query: Query) -> None:
    found = await look_up(empty_runtime, query)
    assert len(found.candidates) > 1
    matches = build_registry_matches(SEARCH_ID, query, [found])
    assert matches == build_registry_matches(SEARCH_ID, query, [read_all(found)])


async def test_the_stored_names_are_those_of_the_entry(empty_runtime: Runtime) -> None:
    found = await look_up(empty_runtime, Query("Zephyrine Bakery"))
    assert found.candidates
    for candidate in found.candidates:
        assert sorted(read_stored_names(candidate)) == sorted(candidate.read().list_search_names())


async def test_names_that_share_too_few_words_are_excluded(empty_runtime: Runtime) -> None:
    query = Query("Kwiatek Bakery Trucking")
    found = await look_up(empty_runtime, query)
    assert names_of([found]) >= {"Kwiatek Bakery Trucking Ltd.", "Kwiatek Bakery Holdings", "Kwiatek Bakery and Grocery Ltd."}
    kept = exclude_candidates(query, found.candidates, 0.95, STATIC_RARITY)
    assert names_of([replace(found, candidates=kept)]) == {"Kwiatek Bakery Trucking Ltd."}


async def test_nothing_is_excluded_where_a_number_may_outweigh_the_name(empty_runtime: Runtime) -> None:
    query = Query("Zephyrine Bakery", registration_number="100008")
    found = await look_up(empty_runtime, query)
    assert list(exclude_candidates(query, found.candidates, 0.95, STATIC_RARITY)) == list(found.candidates)
