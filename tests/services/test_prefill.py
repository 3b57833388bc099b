"""Businesses offered while a person types."""

import pytest

from bonafide.model.jurisdiction import Jurisdiction
from bonafide.model.organization import Principal
from bonafide.runtime import Runtime
from bonafide.services.prefill import prefill

pytestmark = pytest.mark.anyio


@pytest.mark.parametrize("typed", ["sandbox ba", "SANDBOX BAK", "bakery sand"])
async def test_what_is_typed_so_far_finds_the_business(runtime: Runtime, north: Principal, typed: str) -> None:
    found = await prefill(runtime, north, typed, None, 10)
    assert "Sandbox Bakery Inc." in [candidate.name for candidate in found.candidates]


async def test_a_candidate_says_where_it_is_registered(runtime: Runtime, north: Principal) -> None:
    best = (await prefill(runtime, north, "Sandbox Bakery", None, 1)).candidates[0]
    assert (best.jurisdiction_label, best.registration_number) == ("Ontario", "1000017")
    assert (best.status, best.city) == ("Active", "Toronto")


async def test_a_jurisdiction_narrows_and_the_limit_holds(runtime: Runtime, north: Principal) -> None:
    found = await prefill(runtime, north, "sandbox", Jurisdiction.FED, 2)
    assert len(found.candidates) == 2
    assert {candidate.jurisdiction for candidate in found.candidates} == {Jurisdiction.FED}
    assert [item.score for item in found.candidates] == sorted((item.score for item in found.candidates), reverse=True)


async def test_nothing_loaded_offers_nothing(empty_runtime: Runtime, north: Principal) -> None:
    assert (await prefill(empty_runtime, north, "sandbox", None, 10)).candidates == ()
