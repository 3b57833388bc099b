"""Which entries are considered at all, before any is scored: found by name, number or address, as a business or as a person."""

import pytest

from bonafide.matching.entries.query import Query
from bonafide.model.accounts.organizations import World
from bonafide.model.entity import Address, RegistrationNumber, StatusCode
from bonafide.model.entry import AnyEntry, EntityKind, ListedEntity, RegistryEntry, RegulatoryEntry
from bonafide.model.jurisdiction import Jurisdiction
from bonafide.model.search.match import BusinessMatch
from bonafide.runtime import Runtime
from bonafide.services.lookup.index_lookup import CANDIDATES, MAX_ADDRESS_HITS
from bonafide.services.lookup.source_lookup import query_sources
from bonafide.services.lookup.source_result import EntryCandidate
from bonafide.services.screening.subject_screening import screen_subject
from tests.support.services.loading import put
from tests.support.services.runtimes import principal_of, search

pytestmark = pytest.mark.anyio

REGISTER, REGULATOR, LIST = "on", "fintracMsb", "ca-sanctions-autonomous"
KING_STREET = Address(street="100 King Street West", city="Toronto", province="ON", postal_code="M5X 1A9")
AS_TYPED = Address(street="100 King St. W.", city="toronto", postal_code="m5x1a9")
ELSEWHERE = Address(street="7 Rue Principale", city="Gatineau", province="QC", postal_code="J8X 2K1")


def registered(number: int, name: str, address: Address = ELSEWHERE) -> RegistryEntry:
    return RegistryEntry(
        entry_id=str(number),
        jurisdiction=Jurisdiction.ON,
        legal_name=name,
        registration_numbers=(RegistrationNumber(label="Corporation number", value=str(number)),),
        status_code=StatusCode.ACTIVE,
        addresses=(address,),
    )


def licensed(number: int, name: str, address: Address = ELSEWHERE) -> RegulatoryEntry:
    return RegulatoryEntry(entry_id=str(number), legal_name=name, status_code=StatusCode.ACTIVE, addresses=(address,))


def listed(number: int, kind: EntityKind, name: str, *aliases: str) -> ListedEntity:
    return ListedEntity(entry_id=str(number), entity_type=kind, name=name, aliases=aliases)


async def candidates(runtime: Runtime, key: str, query: Query) -> dict[str, EntryCandidate]:
    """The candidates of one source by the ids of their entries."""
    (lookup,) = await query_sources(runtime, World.LIVE, query, [runtime.sources[key]])
    assert lookup.error is None
    return {candidate.read().entry_id: candidate for candidate in lookup.candidates}


async def businesses(runtime: Runtime, **request: object) -> list[BusinessMatch]:
    north = await principal_of(runtime, "north", World.LIVE)
    return list((await search(runtime, north, **request)).businesses or ())


# ------------------------------------------------------------------------------------------------------------ addresses


@pytest.fixture
def register(empty_runtime: Runtime) -> Runtime:
    entries: list[AnyEntry] = [
        registered(1, "Zephyrine Bakery Inc.", KING_STREET),
        registered(2, "Quillfeather Holdings Ltd."),
        registered(3, "Quillfeather Holdings Ltd.", KING_STREET),
    ]
    put(empty_runtime, REGISTER, entries)
    return empty_runtime


async def test_another_name_at_the_same_address_is_considered_after_the_name_itself(register: Runtime) -> None:
    found = await candidates(register, REGISTER, Query(name="Quilfeather Holdngs", address=AS_TYPED))
    assert set(found) == {"1", "2", "3"}
    assert found["3"].rough > found["2"].rough > found["1"].rough


async def test_without_an_address_only_the_name_is_considered(register: Runtime) -> None:
    assert set(await candidates(register, REGISTER, Query(name="Quillfeather Holdings"))) == {"2", "3"}


async def test_a_number_is_as_good_as_certain(register: Runtime) -> None:
    found = await candidates(register, REGISTER, Query(name="Quillfeather Holdings", registration_number="1", address=AS_TYPED))
    assert found["1"].rough == 1.0


async def test_an_address_alone_makes_no_match(register: Runtime) -> None:
    address = {"street": "100 King St W", "city": "Toronto", "postalCode": "M5X 1A9"}
    assert await businesses(register, name="Marmalade Logistics", address=address) == []
    shown = await businesses(register, name="Quillfeather Holdings Ltd.", address=address)
    assert [match.registration_numbers[0].value for match in shown] == ["3", "2"]
    assert shown[0].match.score == 1.0 > shown[1].match.score


async def test_of_a_chain_the_branch_at_the_address_is_considered_first(empty_runtime: Runtime) -> None:
    branches = [licensed(number, "Maple Exchange", Address(street=f"{number} Main Street", city="Guelph")) for number in range(80)]
    put(empty_runtime, REGULATOR, branches)
    first_ones = await candidates(empty_runtime, REGULATOR, Query(name="Maple Exchange"))
    assert len(first_ones) == CANDIDATES
    missed = next(branch for branch in reversed(branches) if branch.entry_id not in first_ones)
    found = await candidates(empty_runtime, REGULATOR, Query(name="Maple Exchange", address=missed.addresses[0]))
    assert missed.entry_id in found
    assert len(found) <= len(first_ones) + MAX_ADDRESS_HITS


# ------------------------------------------------------------------------------------------------------ sanctions lists


@pytest.fixture
def sanctions(empty_runtime: Runtime) -> Runtime:
    entries = [
        listed(1, EntityKind.PERSON, "TREMBLAY, Jean-Pierre"),
        listed(2, EntityKind.ORGANIZATION, "Zephyrine Trading House LLC", "Zephyrine Torgovy Dom"),
        listed(3, EntityKind.VESSEL, "OCEAN MARIGOLD"),
        listed(4, EntityKind.PERSON, "Oleksandra Marigold"),
    ]
    put(empty_runtime, LIST, entries)
    return empty_runtime


@pytest.mark.parametrize(
    "typed",
    ["Jean-Pierre Tremblay", "Tremblay, Jean-Pierre", "TREMBLAY Jean Pierre", "Mr. Jean-Pierre Tremblay", "Jean Piere Trembley"],
)
async def test_a_listed_person_is_found_in_any_order_and_spelling(sanctions: Runtime, typed: str) -> None:
    (match,) = (await screen_subject(sanctions, World.LIVE, typed, 0.85)).screening.matches
    assert match.legal_name.name == "TREMBLAY, Jean-Pierre"


async def test_a_family_name_alone_is_no_match(sanctions: Runtime) -> None:
    assert (await screen_subject(sanctions, World.LIVE, "Tremblay", 0.7)).screening.matches == ()


@pytest.mark.parametrize(
    ("typed", "name"),
    [
        ("Zephyrine Trading House", "Zephyrine Trading House LLC"),
        ("Zephyrine Torgovyi Dom", "Zephyrine Trading House LLC"),
        ("Ocean Marigold", "OCEAN MARIGOLD"),
        ("Marigold, Oleksandra", "Oleksandra Marigold"),
    ],
)
async def test_organizations_and_ships_are_found_by_their_names_beside_people(sanctions: Runtime, typed: str, name: str) -> None:
    matches = (await screen_subject(sanctions, World.LIVE, typed, 0.85)).screening.matches
    assert [match.legal_name.name for match in matches] == [name]
