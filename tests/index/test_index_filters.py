"""A filter acts before anything is cut off: whoever asks for twenty gets the best twenty that are left."""

import random
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

from bonafide.index import FacetFilter, Facets, IndexDocument, IndexHit, IndexSegment, create_business_query
from tests.support.index.registers import built, made_up_names

NAMES = made_up_names(600)
QUERIES = [*NAMES[::40], "Construction", "Northern Holdings", "Consulting Canada Transport", "Zorvan"]
FACETS = [
    Facets(jurisdiction, status, kind) for jurisdiction in ("on", "qc") for status in ("active", "") for kind in ("a", "b", "c")
]


@pytest.fixture(scope="module")
def register(tmp_path_factory: pytest.TempPathFactory) -> IndexSegment:
    documents = (
        IndexDocument(str(number), b"", names=(name,), facets=FACETS[number % len(FACETS)]) for number, name in enumerate(NAMES)
    )
    return built(tmp_path_factory.mktemp("register"), documents)


@pytest.mark.parametrize(
    "where",
    [
        pytest.param(FacetFilter(jurisdictions=frozenset({"qc"})), id="a jurisdiction"),
        pytest.param(FacetFilter(statuses=frozenset({"active"}), kinds=frozenset({"a", "b"})), id="a status and two kinds"),
        pytest.param(FacetFilter(statuses=frozenset({""})), id="no status"),
        pytest.param(FacetFilter(kinds=frozenset({"z"})), id="a kind that nothing is of"),
    ],
)
@pytest.mark.parametrize("query", QUERIES)
def test_a_filter_leaves_of_all_that_is_found_what_it_admits(register: IndexSegment, query: str, where: FacetFilter) -> None:
    everything = register.search(create_business_query(query), len(NAMES))
    found = register.search(create_business_query(query), len(NAMES), where)
    assert all(where.admits(FACETS[hit.document % len(FACETS)]) for hit in found)
    # Where a filter leaves nothing like enough, slips are sought where they are less likely, and more may be found.
    worth = {hit.document for hit in everything if hit.score > 0.6 and where.admits(FACETS[hit.document % len(FACETS)])}
    assert worth <= {hit.document for hit in found}
    assert register.search(create_business_query(query), 5, where) == found[:5]


def test_dead_documents_are_not_found_and_take_no_place(register: IndexSegment) -> None:
    dead = np.array(random.Random(2).choices([True, False], k=len(NAMES)))  # noqa: S311  # made-up data wants a seed
    for query in QUERIES:
        found = register.search(create_business_query(query), len(NAMES), dead=dead)
        assert not any(dead[hit.document] for hit in found)
        assert register.search(create_business_query(query), 10, dead=dead) == found[:10]


@pytest.mark.parametrize("query", ["Prairie", "Prairie Holdings", "Prarie Holdigns"])
def test_the_few_that_a_filter_admits_are_found_among_very_many(tmp_path: Path, query: str) -> None:
    documents = (
        IndexDocument(str(number), b"", names=("Prairie Holdings",), facets=Facets(kind="few" if number % 1000 == 7 else "many"))
        for number in range(25_000)
    )
    segment = built(tmp_path, documents)
    found = segment.search(create_business_query(query), 20, FacetFilter(kinds=frozenset({"few"})))
    assert [hit.document % 1000 for hit in found] == [7] * 20


def test_threads_that_search_at_once_find_what_one_alone_finds(register: IndexSegment) -> None:
    def answers(_: int) -> list[list[IndexHit]]:
        return [register.search(create_business_query(query), 20) for query in QUERIES]

    with ThreadPoolExecutor(8) as pool:
        assert all(found == answers(0) for found in pool.map(answers, range(16)))
