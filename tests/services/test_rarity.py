"""Words weighed by the loaded registers of a world: measured once, until a register changes, and told in the answer."""

import shutil

import pytest

from bonafide.matching.scoring import score_parameters
from bonafide.matching.scoring.word_rarity import STATIC_RARITY, compute_minimum_count
from bonafide.model.accounts.organizations import Principal, World
from bonafide.model.entry import SourceKind
from bonafide.runtime import Runtime
from bonafide.services.indexing.word_rarity import get_loaded_rarity
from tests.support.services.runtimes import search

pytestmark = pytest.mark.anyio


def names_in_registers(runtime: Runtime) -> int:
    generations = [
        runtime.generations[World.SANDBOX].current(key)
        for key, source in runtime.sources.items()
        if source.metadata.kind is SourceKind.REGISTRY
    ]
    return sum(generation.index.name_count for generation in generations if generation is not None)


async def test_every_register_of_the_world_is_counted(runtime: Runtime) -> None:
    rarity = await get_loaded_rarity(runtime, World.SANDBOX)
    assert rarity.names == names_in_registers(runtime) > 1000
    assert rarity.frequencies["sandbox"] >= compute_minimum_count(rarity.names)
    assert "zephyrine" not in rarity.frequencies
    assert min(rarity.frequencies.values()) >= compute_minimum_count(rarity.names)
    assert score_parameters.COMMON_UNLISTED <= rarity.weight("sandbox") < 1


async def test_it_is_measured_once_until_a_register_changes(own_runtime: Runtime) -> None:
    before = await get_loaded_rarity(own_runtime, World.SANDBOX)
    assert await get_loaded_rarity(own_runtime, World.SANDBOX) is before
    shutil.rmtree(own_runtime.generations[World.SANDBOX].root / "on")
    after = await get_loaded_rarity(own_runtime, World.SANDBOX)
    assert after.names < before.names
    assert after.frequencies["sandbox"] < before.frequencies["sandbox"]


async def test_with_nothing_loaded_the_table_stands(empty_runtime: Runtime, runtime: Runtime) -> None:
    assert await get_loaded_rarity(empty_runtime, World.SANDBOX) is STATIC_RARITY
    assert await get_loaded_rarity(runtime, World.LIVE) is STATIC_RARITY


async def test_an_answer_breaks_its_score_down_to_the_words(runtime: Runtime, north: Principal) -> None:
    result = await search(runtime, north, name="Sandbox Bakry Ltd.")
    match = next(match for match in result.businesses or () if match.legal_name.name == "Sandbox Bakery Inc.")
    name, number, _ = match.match.fields
    assert number.breakdown is None
    assert name.breakdown is not None
    assert [(pair.submitted, pair.found, pair.difference) for pair in name.breakdown.matched] == [
        ("sandbox", "sandbox", "equal"),
        ("bakry", "bakery", "slip"),
    ]
    assert [step.feature for step in name.breakdown.factors] == ["words", "legal_form"]
    product = name.breakdown.factors[0].score * name.breakdown.factors[1].score
    assert match.legal_name.match_score == pytest.approx(product, abs=10**-score_parameters.DECIMALS)
