"""Businesses offered while a person types."""

from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from bonafide.model.accounts.organizations import Principal, World
from bonafide.model.entity import StatusCode
from bonafide.model.entry import RegistryEntry
from bonafide.model.jurisdiction import Jurisdiction
from bonafide.model.loading import REGISTERS
from bonafide.runtime import Runtime, build_combined_index_stores
from bonafide.services.indexing.combined_index import update_combined_indexes
from bonafide.services.search.prefill import prefill
from tests.support.index.registers import made_up_names
from tests.support.services.loading import put
from tests.support.services.runtimes import principal_of

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


def registered(jurisdiction: Jurisdiction, name: str, status: StatusCode = StatusCode.ACTIVE) -> RegistryEntry:
    return RegistryEntry(entry_id=name, jurisdiction=jurisdiction, legal_name=name, status_code=status)


class TestSeveralRegisters:
    @pytest.fixture
    def registers(self, empty_runtime: Runtime) -> Runtime:
        put(
            empty_runtime,
            "on",
            [
                registered(Jurisdiction.ON, "Zephyrine Inc.", StatusCode.DISSOLVED),
                registered(Jurisdiction.ON, "Bakers of Zephyrine Inc."),
                registered(Jurisdiction.ON, "Zephyrine Bakers Inc."),
            ],
        )
        put(
            empty_runtime,
            "ab",
            [registered(Jurisdiction.AB, "Zephyrine Millers Ltd."), registered(Jurisdiction.AB, "Zephyrine Ltd.")],
        )
        return empty_runtime

    async def names(self, runtime: Runtime, typed: str, limit: int = 10) -> list[tuple[str, str]]:
        found = await prefill(runtime, await principal_of(runtime, "north", World.LIVE), typed, None, limit)
        return [(candidate.jurisdiction, candidate.name) for candidate in found.candidates]

    async def test_their_offers_are_one_list_the_active_first(self, registers: Runtime) -> None:
        offered = [
            ("AB", "Zephyrine Ltd."),
            ("ON", "Zephyrine Bakers Inc."),
            ("AB", "Zephyrine Millers Ltd."),
            ("ON", "Bakers of Zephyrine Inc."),
            ("ON", "Zephyrine Inc."),
        ]
        assert await self.names(registers, "zeph") == offered
        for limit in range(1, len(offered)):
            assert await self.names(registers, "zeph", limit) == offered[:limit]

    async def test_equals_stand_in_one_order_whichever_register_they_are_in(self, empty_runtime: Runtime) -> None:
        for key, jurisdiction in (("yt", Jurisdiction.YT), ("bc", Jurisdiction.BC), ("ns", Jurisdiction.NS)):
            put(empty_runtime, key, [registered(jurisdiction, "Zephyrine Ltd.")])
        assert [jurisdiction for jurisdiction, _ in await self.names(empty_runtime, "ze")] == ["BC", "NS", "YT"]
        assert await self.names(empty_runtime, "ze", 1) == [("BC", "Zephyrine Ltd.")]


class TestCombinedIndex:
    """With a combined index of the registers, the same businesses are offered as without it."""

    @pytest.fixture
    async def combined(self, empty_runtime: Runtime, tmp_path: Path) -> Runtime:
        names = [*made_up_names(600), *(f"Zephyrine {letter}x Inc." for letter in "abcdefghijklmnop"), "Sandbox Bakery Canada Ltd."]
        keys = {"on": Jurisdiction.ON, "ab": Jurisdiction.AB, "yt": Jurisdiction.YT, "ns": Jurisdiction.NS}
        for place, (key, jurisdiction) in enumerate(keys.items()):
            mine = [name for number, name in enumerate(names) if number % 3 != place]
            statuses = [StatusCode.DISSOLVED if len(name) % 5 == place else StatusCode.ACTIVE for name in mine]
            put(empty_runtime, key, [registered(jurisdiction, *each) for each in zip(mine, statuses, strict=True)])
        runtime = replace(empty_runtime, combined_indexes=build_combined_index_stores(tmp_path / "combined"))
        await update_combined_indexes(runtime, World.LIVE)
        assert runtime.combined_indexes[World.LIVE].current(REGISTERS) is not None
        return runtime

    async def test_the_same_is_offered(self, combined: Runtime, empty_runtime: Runtime) -> None:
        reader = await principal_of(empty_runtime, "north", World.LIVE)
        chance = Random(21)  # noqa: S311 - a sample, not a secret
        texts = []
        for name in made_up_names(600)[::12]:
            words = name.split()
            texts += [name[: chance.randint(2, 14)], f"{chance.choice(words)} {chance.choice(words)[: chance.randint(1, 3)]}"]
        for text in [*texts, "ze", "zephyrine", "zephyrine inc", "bakery sandbox", "sandbox ltd", "canada", "a", ""]:
            for limit in (3, 10, 70):
                for jurisdiction in (None, Jurisdiction.NS):
                    expected = await prefill(empty_runtime, reader, text, jurisdiction, limit)
                    assert await prefill(combined, reader, text, jurisdiction, limit) == expected

    async def test_a_jurisdiction_without_a_register_offers_nothing(self, combined: Runtime, empty_runtime: Runtime) -> None:
        reader = await principal_of(empty_runtime, "north", World.LIVE)
        assert (await prefill(combined, reader, "zephyrine", Jurisdiction.BC, 10)).candidates == ()

    async def test_a_register_that_changed_since_is_offered_as_it_is(self, combined: Runtime, empty_runtime: Runtime) -> None:
        put(empty_runtime, "yt", [registered(Jurisdiction.YT, "Zephyrine Ltd.")])
        reader = await principal_of(empty_runtime, "north", World.LIVE)
        offered = (await prefill(combined, reader, "zephyrine l", None, 10)).candidates
        assert [(each.jurisdiction, each.name) for each in offered][:1] == [("YT", "Zephyrine Ltd.")]
