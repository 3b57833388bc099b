"""A business that is registered at home and elsewhere: cross-linked in the result, and no twin of itself in match selection."""

from uuid import UUID

import pytest

from bonafide.model.accounts.organizations import Principal, World
from bonafide.model.entity import RegistrationNumber, StatusCode
from bonafide.model.entry import RegistryEntry
from bonafide.model.jurisdiction import Jurisdiction
from bonafide.model.search.match import BusinessMatch, Relation
from bonafide.model.search.result import SearchResult, SelectionStatus
from bonafide.runtime import Runtime
from tests.support.services.loading import put
from tests.support.services.runtimes import principal_of, search

pytestmark = pytest.mark.anyio

NAME = "Quillfeather Widgets Inc."
BN = "123456782"


def entry(
    register: str, number: str, name: str = NAME, business_number: str | None = None, home: str | None = None
) -> RegistryEntry:
    numbers = [RegistrationNumber(label="Registration Number", value=number)]
    if business_number is not None:
        numbers.append(RegistrationNumber(label="Business Number (BN)", value=business_number))
    return RegistryEntry(
        entry_id=number,
        jurisdiction=Jurisdiction(register),
        legal_name=name,
        registration_numbers=tuple(numbers),
        status_code=StatusCode.ACTIVE,
        home_jurisdiction=home,
    )


@pytest.fixture
async def principal(empty_runtime: Runtime) -> Principal:
    return await principal_of(empty_runtime, "north", World.LIVE)


async def found(runtime: Runtime, principal: Principal, *entries: RegistryEntry, **request: object) -> SearchResult:
    for register in {item.jurisdiction for item in entries}:
        put(runtime, register.lower(), [item for item in entries if item.jurisdiction is register])
    return await search(runtime, principal, **{"name": NAME, "matchSelection": True} | request)


def by_register(result: SearchResult) -> dict[str, BusinessMatch]:
    return {match.jurisdiction: match for match in result.businesses or ()}


def selection(result: SearchResult) -> tuple[SelectionStatus, UUID | None]:
    assert result.match_selection is not None
    return result.match_selection.status, result.match_selection.selected_match_id


async def test_registrations_of_one_business_are_cross_linked_and_the_one_at_home_is_selected(
    empty_runtime: Runtime, principal: Principal
) -> None:
    result = await found(
        empty_runtime,
        principal,
        entry("FED", "4261607", business_number=BN),
        entry("AB", "2012025033", business_number=f"{BN}RC0001"),
    )
    matches = by_register(result)
    [to_home], [to_away] = matches["AB"].related_matches, matches["FED"].related_matches
    assert (to_home.match_id, to_home.relation) == (matches["FED"].match_id, Relation.HOME_REGISTRATION)
    assert (to_away.match_id, to_away.relation) == (matches["AB"].match_id, Relation.EXTRA_PROVINCIAL_REGISTRATION)
    assert to_home.evidence == "Both registers state the business number 123456782."
    assert selection(result) == (SelectionStatus.AUTO_SELECTED, matches["FED"].match_id)


async def test_equal_names_with_a_stated_home_are_one_business(empty_runtime: Runtime, principal: Principal) -> None:
    result = await found(empty_runtime, principal, entry("ON", "1000017"), entry("YT", "530561", home="ON"))
    assert selection(result) == (SelectionStatus.AUTO_SELECTED, by_register(result)["ON"].match_id)


async def test_equal_names_alone_are_two_businesses(empty_runtime: Runtime, principal: Principal) -> None:
    result = await found(empty_runtime, principal, entry("ON", "1000017"), entry("AB", "2012025033"))
    assert all(match.related_matches == () for match in result.businesses or ())
    assert selection(result) == (SelectionStatus.NEEDS_REVIEW, None)


async def test_a_rival_of_the_same_name_is_still_to_be_told_apart(empty_runtime: Runtime, principal: Principal) -> None:
    result = await found(
        empty_runtime,
        principal,
        entry("FED", "4261607", business_number=BN),
        entry("ON", "1000017", business_number=BN),
        entry("AB", "2012025033"),
    )
    assert selection(result) == (SelectionStatus.NEEDS_REVIEW, None)


async def test_two_entries_of_one_register_are_reviewed_though_they_share_a_business_number(
    empty_runtime: Runtime, principal: Principal
) -> None:
    result = await found(
        empty_runtime, principal, entry("ON", "1000017", business_number=BN), entry("ON", "1000025", business_number=BN)
    )
    assert [len(match.related_matches) for match in result.businesses or ()] == [1, 1]
    assert selection(result) == (SelectionStatus.NEEDS_REVIEW, None)


async def test_a_business_number_that_two_registrations_share_selects_the_business(
    empty_runtime: Runtime, principal: Principal
) -> None:
    result = await found(
        empty_runtime,
        principal,
        entry("FED", "4261607", business_number=BN),
        entry("AB", "2012025033", business_number=BN, home="FED"),
        entry("NS", "3001234"),
        registrationNumber=f"BN {BN} RT0001",
    )
    assert selection(result) == (SelectionStatus.AUTO_SELECTED, by_register(result)["FED"].match_id)


async def test_the_number_of_a_registration_elsewhere_selects_that_registration(
    empty_runtime: Runtime, principal: Principal
) -> None:
    result = await found(
        empty_runtime,
        principal,
        entry("FED", "4261607", business_number=BN),
        entry("AB", "2012025033", business_number=BN, home="FED"),
        registrationNumber="2012025033",
    )
    assert selection(result) == (SelectionStatus.AUTO_SELECTED, by_register(result)["AB"].match_id)


async def test_a_home_whose_name_is_another_is_not_selected_for_it(empty_runtime: Runtime, principal: Principal) -> None:
    result = await found(
        empty_runtime,
        principal,
        entry("FED", "4261607", "Quillfeather Widgets and Sprockets Holdings Ltd.", business_number=BN),
        entry("AB", "2012025033", business_number=BN, home="FED"),
    )
    assert selection(result) == (SelectionStatus.AUTO_SELECTED, by_register(result)["AB"].match_id)


async def test_the_sandboxs_twins_are_two(runtime: Runtime, north: Principal) -> None:
    result = await search(runtime, north, name="Sandbox Twin Holdings Inc.", matchSelection=True)
    assert all(match.related_matches == () for match in result.businesses or ())
    assert selection(result) == (SelectionStatus.NEEDS_REVIEW, None)
