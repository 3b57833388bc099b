"""Many sources searched in one index: the same answers as each asked by itself; what that index does not know is asked so."""

import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from bonafide.index import IndexHit, create_business_query
from bonafide.model.accounts.organizations import Principal, World
from bonafide.model.entity import StatusCode
from bonafide.model.entry import ENTRY_TYPES, RegulatoryEntry
from bonafide.model.loading import GROUPS, OTHERS, REGISTERS
from bonafide.model.search.result import SearchResult
from bonafide.runtime import Runtime, build_combined_index_stores
from bonafide.services.indexing import combined_index
from bonafide.services.indexing.combined_index import find_outdated_indexes, search_combined_indexes, update_combined_indexes
from bonafide.services.indexing.index_documents import build_index_document
from tests.support.services.loading import put
from tests.support.services.runtimes import completed, search
from tests.support.session_cache import cached_folder

pytestmark = [pytest.mark.anyio]
UNKNOWN = "Zephyrine Quux Ltd."
NAMES = ("Sandbox Bakery", "sandbox twin holdngs", "Sandbox Boulangerie Ltee", "Sandbox Cannabis Company", UNKNOWN)


@pytest.fixture(scope="session")
def joint_data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the joint indexes of the sandbox are kept, once a test has made them; read it only."""
    return cached_folder(tmp_path_factory, "joint", lambda _: None)


@pytest.fixture
async def joined(runtime: Runtime, joint_data: Path) -> Runtime:
    """The same runtime with joint indexes."""
    with_joints = replace(runtime, combined_indexes=build_combined_index_stores(joint_data))
    await update_combined_indexes(with_joints, World.SANDBOX)
    return with_joints


def found_in(result: SearchResult) -> list[tuple[str | None, str, float]]:
    return [
        (match.source, match.legal_name.name, match.match.score) for match in result.businesses or () if match.match.score >= 0.6
    ]


def regulated_in(result: SearchResult) -> dict[str, list[tuple[str, float]]]:
    return {key: [(match.legal_name.name, match.match.score) for match in found] for key, found in result.regulatory.items()}


def licensed(number: int, name: str) -> RegulatoryEntry:
    return RegulatoryEntry(entry_id=str(number), legal_name=name, status_code=StatusCode.ACTIVE)


def current_of(runtime: Runtime) -> combined_index.CurrentGenerations:
    generations = {key: runtime.generations[World.SANDBOX].current(key) for key in runtime.sources}
    return {key: generation for key, generation in generations.items() if generation is not None}


async def test_both_groups_are_made_and_then_up_to_date(joined: Runtime) -> None:
    assert find_outdated_indexes(joined, World.SANDBOX) == {}
    made = {group: joined.combined_indexes[World.SANDBOX].current(group) for group in GROUPS}
    for group, generation in made.items():
        assert generation is not None
        sizes = [len(current_of(joined)[key].index) for key in generation.manifest.generations]
        assert len(sizes) > 10
        assert len(generation.index) == sum(sizes), group


@pytest.mark.parametrize("name", NAMES)
async def test_a_search_answers_what_it_answers_without(joined: Runtime, runtime: Runtime, north: Principal, name: str) -> None:
    together, alone = await search(joined, north, name=name), await search(runtime, north, name=name)
    assert completed(together).status == completed(alone).status
    assert found_in(together) == found_in(alone)
    assert (found_in(alone) == []) is (name == UNKNOWN)
    assert regulated_in(together) == regulated_in(alone)
    assert [row.source for row in together.meta.coverage] == [row.source for row in alone.meta.coverage]
    assert [row.as_of for row in together.meta.coverage] == [row.as_of for row in alone.meta.coverage]


def found_jointly(
    joined: Runtime, name: str, current: combined_index.CurrentGenerations, floor: float = 0.4, *, alone: bool = True
) -> dict[str, list[IndexHit]]:
    query, minimum, sources = create_business_query(name), dict.fromkeys(GROUPS, floor), list(joined.sources.values())
    return search_combined_indexes(joined.combined_indexes[World.SANDBOX], query, minimum, sources, current, name_only=alone)


async def test_less_is_left_out_the_higher_the_floor_and_nothing_else_changes(joined: Runtime) -> None:
    every = found_jointly(joined, "Sandbox Bakery Ltd.", current_of(joined), 0.4)
    scores = [hit.score for hits in every.values() for hit in hits]
    floor = sorted(scores)[len(scores) // 2]
    best = {key: [hit for hit in hits if hit.score >= floor] for key, hits in every.items()}
    assert found_jointly(joined, "Sandbox Bakery Ltd.", current_of(joined), floor) == best
    assert 0 < sum(map(len, best.values())) < len(scores)


async def test_what_is_found_is_numbered_as_in_its_own_index(joined: Runtime) -> None:
    current = current_of(joined)
    found = found_jointly(joined, "Sandbox Bakery", current)
    best = found["on"][0]
    entry = ENTRY_TYPES[joined.sources["on"].metadata.kind].model_validate_json(current["on"].index.payload(best.document))
    assert "Sandbox Bakery Inc." in build_index_document(entry).names
    assert set(found) == set(current) - {
        key for key in current if joined.sources[key].metadata.kind not in set().union(*GROUPS.values())
    }


async def test_only_the_sources_that_are_wanted_are_searched(joined: Runtime, north: Principal) -> None:
    result = await search(joined, north, name="Sandbox Twin Holdings Inc.", jurisdictions=["AB", "QC"])
    assert {match.source for match in result.businesses or ()} <= {"ab", "qc"}
    assert ("ab", "Sandbox Twin Holdings Inc.", 1.0) in found_in(result)


async def test_a_source_that_has_changed_since_is_asked_by_itself(joined: Runtime) -> None:
    current = dict(current_of(joined))
    other = current["ab"]
    current["on"] = replace(current["on"], parts=other.parts)
    found = found_jointly(joined, "Sandbox Bakery", current)
    assert "on" not in found
    assert "ab" in found


async def test_a_damaged_joint_index_takes_nothing_away(
    joined: Runtime, joint_data: Path, north: Principal, tmp_path: Path
) -> None:
    shutil.copytree(joint_data, tmp_path / "damaged")
    for header in (tmp_path / "damaged").rglob("header.json"):
        header.write_bytes(header.read_bytes()[:-20])
    damaged = replace(joined, combined_indexes=build_combined_index_stores(tmp_path / "damaged"))
    assert found_in(await search(damaged, north, name="Sandbox Bakery")) == found_in(
        await search(joined, north, name="Sandbox Bakery")
    )
    assert set(find_outdated_indexes(damaged, World.SANDBOX)) == {REGISTERS, OTHERS}
    await update_combined_indexes(damaged, World.SANDBOX)
    assert find_outdated_indexes(damaged, World.SANDBOX) == {}


async def test_where_more_is_found_than_is_looked_at_each_source_is_asked_by_itself(empty_runtime: Runtime, tmp_path: Path) -> None:
    joined = replace(empty_runtime, combined_indexes=build_combined_index_stores(tmp_path))
    chain = [licensed(number, "Maple Exchange") for number in range(combined_index.HITS[OTHERS] + 1)]
    put(joined, "fintracMsb", chain, World.SANDBOX)
    put(joined, "bankOfCanadaRps", chain[:1], World.SANDBOX)
    await update_combined_indexes(joined, World.SANDBOX)
    assert found_jointly(joined, "Maple Exchange", current_of(joined)) == {}
    assert found_jointly(joined, "Mapple Exchange", current_of(joined), 1.0, alone=False)["fintracMsb"] != []


async def test_it_is_made_anew_when_a_source_changes(own_runtime: Runtime, tmp_path: Path) -> None:
    few = {key: own_runtime.sources[key] for key in ("yt", "nu", "nt")}
    small = replace(own_runtime, sources=few, combined_indexes=build_combined_index_stores(tmp_path))
    await update_combined_indexes(small, World.SANDBOX)
    assert find_outdated_indexes(small, World.SANDBOX) == {}
    shutil.rmtree(small.generations[World.SANDBOX].root / "nt")
    assert set(find_outdated_indexes(small, World.SANDBOX)[REGISTERS]) == {"yt", "nu"}
    await update_combined_indexes(small, World.SANDBOX)
    assert find_outdated_indexes(small, World.SANDBOX) == {}
