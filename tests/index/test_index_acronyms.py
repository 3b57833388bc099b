"""Acronyms find the names of which they are the initials, and disturb no other search."""

from pathlib import Path

import numpy as np
import pytest

from bonafide.index import FacetFilter, Facets, IndexSegment, NameIndex, create_business_query
from bonafide.index.search.name_index import LiveSegment
from bonafide.index.search.segment import ACRONYM_SCORE, MAX_ACRONYM_HITS
from bonafide.matching.entries.acronym_terms import collect_acronyms, list_word_acronyms
from bonafide.matching.names.normalization import normalise
from tests.support.index.registers import built, document, found, made_up_names, named, scores

KNOWN = [
    "Zephyrine Harbour Trust Ltd.",
    "Ulquin Centre for Addiction and Mental Health",
    "Société des navires de Kinman limitée",
    "Quarrel Prairie Wheat Corporation",
    "9123-4567 Québec inc. o/a Vermette Lakeside Tents Rental",
    "Royal Bank of Canada",
    "Orla",
]


@pytest.fixture(scope="module")
def register(tmp_path_factory: pytest.TempPathFactory) -> IndexSegment:
    return named(tmp_path_factory.mktemp("register"), *KNOWN, *made_up_names(200))


@pytest.mark.parametrize(
    ("query", "name"),
    [
        pytest.param("ZHT", 0, id="capitals"),
        pytest.param("zht", 0, id="no vowels"),
        pytest.param("Z.H.T.", 0, id="periods"),
        pytest.param("ucamh", 1, id="without function words"),
        pytest.param("UCFAAMH", 1, id="with function words"),
        pytest.param("SNK", 2, id="French"),
        pytest.param("qpwc", 3, id="with a legal form that is spelled out"),
        pytest.param("VLTR", 4, id="a trading name"),
        pytest.param("RBC", 5, id="a known body"),
    ],
)
def test_an_acronym_finds_the_name(register: IndexSegment, query: str, name: int) -> None:
    assert scores(register, query)[name] == ACRONYM_SCORE


def test_a_known_body_finds_the_name_that_is_its_acronym(tmp_path: Path) -> None:
    assert scores(named(tmp_path, "RBC", "Zorvan"), "Royal Bank of Canada") == {0: 1.0}


@pytest.mark.parametrize("query", ["ZHT Inc.", "zht bakery", "zh", "zhtzhtzht", "z1t"])
def test_other_queries_are_no_acronyms(register: IndexSegment, query: str) -> None:
    assert 0 not in scores(register, query)


def test_a_word_of_the_register_with_vowels_is_an_acronym_in_capitals_only(tmp_path: Path) -> None:
    register = named(tmp_path, "Orla Bakery", "Ontario Rural Lakeside Agency")
    assert list(scores(register, "orla")) == [0]
    assert set(scores(register, "ORLA")) == {0, 1}
    assert list(scores(named(tmp_path / "other", "Ontario Rural Lakeside Agency"), "orla")) == [0]


def test_active_businesses_come_first_and_few_share_an_acronym(tmp_path: Path) -> None:
    words = [f"T{first}{second}vara" for first in "abcdefg" for second in "mnpr"]
    register = built(tmp_path, [document(f"Zorvan Harbour {word}", active=number > 2) for number, word in enumerate(words)])
    hits = register.search(create_business_query("ZHT"), 100)
    assert [hit.document for hit in hits] == list(range(3, 3 + MAX_ACRONYM_HITS))
    assert found(register, "ZHT", 2) == [3, 4]


def test_filters_dead_documents_and_floors_apply(tmp_path: Path) -> None:
    documents = [document(name)._replace(facets=Facets(kind=kind)) for name, kind in (("Za Ha Ta", "one"), ("Zo Ho To", "two"))]
    segment = built(tmp_path, documents)
    asked = create_business_query("ZHT")
    assert [hit.document for hit in segment.search(asked, 9, FacetFilter(kinds=frozenset({"two"})))] == [1]
    index = NameIndex([LiveSegment(segment, np.array([True, False])), LiveSegment(segment)])
    assert [hit.document for hit in index.search(asked, 9)] == [1, 2, 3]
    assert index.search(asked, 9, floor=ACRONYM_SCORE + 0.01) == []


def test_words_do_not_count_the_acronyms(register: IndexSegment) -> None:
    (field,) = register.fields.values()
    assert not field.vocabulary.find(["zht", "ucamh", "qpwc"])
    assert len(field) == len(KNOWN) + 200 + 2


def test_every_acronym_of_a_name_finds_it(tmp_path: Path) -> None:
    names = [
        "Zorvan of the Harbour and Tents",
        "Les Entreprises du Nord Vermette ltée",
        "Zorvan International Harbour & Sons Company",
    ]
    register = named(tmp_path, *names)
    for number, name in enumerate(names):
        normal = normalise(name)
        acronyms = list_word_acronyms(normal.tokens, normal.core)
        assert acronyms
        assert all(number in scores(register, acronym.upper()) for acronym in acronyms)


@pytest.mark.parametrize(
    ("name", "acronyms"),
    [
        ("Zephyrine Harbour Trust", ("zht",)),
        ("Zephyrine Harbour and Trust Company", ("zht", "zhat", "zhtc")),
        ("Zephyrine Harbour & Trust Inc.", ("zht", "zhat")),
        ("Zephyrine Harbour Company", ("zhc",)),
        ("Zephyrine Centre for Harbours", ("zch", "zcfh")),
        ("Société des navires de Zéphyrine", ("snz", "sdndz")),
        ("Zephyrine Harbour Ltd.", ()),
        ("Zephyrine Harbour 24", ()),
    ],
)
def test_the_initials_of_a_name_are_the_same_one_by_one_and_for_many(name: str, acronyms: tuple[str, ...]) -> None:
    normal = normalise(name)
    assert list_word_acronyms(normal.tokens, normal.core) == acronyms
    assert [acronym for _, acronym in collect_acronyms([(normal.tokens, normal.core)])] == list(acronyms)
