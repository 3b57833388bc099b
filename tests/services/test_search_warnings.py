"""A number that looks wrong is searched for all the same, and the answer says what is wrong with it."""

import pytest

from bonafide.model.accounts.organizations import Principal
from bonafide.runtime import Runtime
from tests.support.services.runtimes import principal_of, search

pytestmark = pytest.mark.anyio


async def warnings(runtime: Runtime, principal: Principal, **request: object) -> list[tuple[str, str]]:
    result = await search(runtime, principal, name="Nothing Of This Name", **request)
    return [(warning.path, warning.message) for warning in result.meta.warnings]


async def test_a_number_that_fails_its_check_is_mentioned(empty_runtime: Runtime, north_of_empty: Principal) -> None:
    [(path, message)] = await warnings(empty_runtime, north_of_empty, registrationNumber="BN 123456789")
    assert path == "registrationNumber"
    assert message == "123456789 has an invalid check digit (business number). A digit may be wrong."


async def test_the_requested_jurisdictions_say_whose_number_it_must_be(empty_runtime: Runtime, north_of_empty: Principal) -> None:
    assert await warnings(empty_runtime, north_of_empty, registrationNumber="1000058") == []
    [(_, message)] = await warnings(empty_runtime, north_of_empty, registrationNumber="1000058", jurisdictions=["FED"])
    assert "(federal corporation number)" in message


async def test_a_sound_number_and_none_at_all_are_no_matter(empty_runtime: Runtime, north_of_empty: Principal) -> None:
    assert await warnings(empty_runtime, north_of_empty, registrationNumber="426160-7", jurisdictions=["FED"]) == []
    assert await warnings(empty_runtime, north_of_empty) == []


@pytest.fixture
async def north_of_empty(empty_runtime: Runtime) -> Principal:
    return await principal_of(empty_runtime, "north")
