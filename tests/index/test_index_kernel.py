"""The bounds of the NumPy kernel leave nothing out: what it finds is what a look at every name would find."""

import random
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from bonafide.index import ANY_FACETS, FacetFilter, Facets, IndexDocument, IndexSegment
from bonafide.index.format.documents import DocumentFilter, FieldName
from bonafide.index.format.postings import FREQUENT_FROM
from bonafide.index.search.candidates import RARE_BUDGET
from bonafide.index.search.numpy_kernel import LIKELY_VARIANTS, NumpyKernel
from bonafide.index.search.query_plan import QueryPlan
from bonafide.index.search.score_bounds import MIN_REACHABLE_SCORE, MIN_SHARE_OF_BEST
from bonafide.index.search.scoring import SCORE_FLOOR, ScoreAccumulator
from tests.support.index.kernels import read_arrays
from tests.support.index.registers import built

COUNT = 30_000
LIMIT = 20
WORDS = [
    a + b
    for a in ("bako", "cirru", "dumol", "fenga", "gihor", "jelan", "kosti", "nuper")
    for b in ("dan", "mik", "tol", "vex", "zur")
]
SOME = FacetFilter(kinds=frozenset({"seldom"}))


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("register")


@pytest.fixture(scope="module")
def register(folder: Path) -> IndexSegment:
    """Names of one to five of forty words, some of which a third of the names hold and some only a hundredth."""
    chance = random.Random(3)  # noqa: S311  # made-up data wants a seed, not secrecy
    weights = [1 / (place + 2) for place in range(len(WORDS))]

    def one(number: int) -> IndexDocument:
        words = dict.fromkeys(chance.choices(WORDS, weights, k=chance.randint(1, 5)))
        kind = "seldom" if chance.random() < 0.002 else "mostly"
        return IndexDocument(str(number), b"", names=(" ".join(words),), facets=Facets(kind=kind))

    return built(folder, map(one, range(COUNT)))


@pytest.fixture(scope="module")
def kernel(register: IndexSegment, folder: Path) -> NumpyKernel:
    assert register.fields.keys() == {FieldName.NAMES}
    return NumpyKernel(read_arrays(folder))


def planned(kernel: NumpyKernel, words: Sequence[str]) -> QueryPlan:
    return kernel._planner.plan(words, kernel._expander.expand_likely(words), LIKELY_VARIANTS)


def scores_of_all(kernel: NumpyKernel, plan: QueryPlan) -> NDArray[np.float64]:
    """The score of every name, word by word."""
    table = kernel._names
    everyone = np.arange(len(table), dtype=np.uint32)
    owners, words = table.list_words(everyone)
    tally = ScoreAccumulator.empty(plan, everyone)
    for column, token in enumerate(plan.tokens.tolist()):
        held = np.zeros(len(table), np.bool_)
        held[owners[words == token]] = True
        tally.add(column, held)
    return tally.scores(table)


def queries(count: int) -> list[list[str]]:
    chance = random.Random(8)  # noqa: S311
    return [chance.sample(WORDS, chance.randint(1, 6)) for _ in range(count)]


def admission(register: IndexSegment, where: FacetFilter) -> DocumentFilter:
    return register._facets.create_filter(where, None)


def test_the_register_has_words_of_all_sorts(kernel: NumpyKernel) -> None:
    postings = kernel._postings
    held = sorted(postings.frequency(token) for token in range(len(WORDS)))
    assert held[0] < FREQUENT_FROM < RARE_BUDGET < held[-1]


@pytest.mark.parametrize("where", [ANY_FACETS, SOME], ids=["all", "some"])
def test_the_best_names_are_those_of_a_look_at_every_name(register: IndexSegment, kernel: NumpyKernel, where: FacetFilter) -> None:
    allowed = admission(register, where)
    admitted = allowed.select(kernel._names.documents)
    for words in queries(150):
        plan = planned(kernel, words)
        every = scores_of_all(kernel, plan)
        wanted = np.sort(every if admitted is None else every[admitted])[::-1][:LIMIT]
        worth = wanted[wanted >= max(MIN_REACHABLE_SCORE, MIN_SHARE_OF_BEST * wanted[0])]
        found = kernel._find_best(plan, allowed, LIMIT)
        assert found.scores == pytest.approx(every[found.names])
        assert np.sort(found.scores)[::-1][: len(worth)] == pytest.approx(worth), words


def test_nothing_below_the_floor_is_found(register: IndexSegment, kernel: NumpyKernel) -> None:
    for words in queries(30):
        found = kernel._find_best(planned(kernel, words), admission(register, ANY_FACETS), LIMIT)
        assert (found.scores >= SCORE_FLOOR).all()
