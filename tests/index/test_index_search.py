"""What is found for a name, in which order, and that nothing else can go wrong."""

import pathlib

import pytest

from bonafide.index import IndexSegment
from bonafide.index.search.candidates import RARE_BUDGET
from bonafide.matching.entries.index_terms import MAX_WORDS
from tests.support.index.registers import built, document, found, made_up_names, named, scores

KNOWN = [
    "Mouxryss Realty Society",
    "Théâtre Kinman limitée",
    "Northern Lights Aviation Ltd.",
    "Biotech Harbour Diagnostics Inc.",
    "Smith & Tremblay Plumbing Ltd.",
    "VT Massage Ltd.",
    "9123-4567 Québec inc.",
    "Eaglecopper International Engineering Corp.",
    "Les Entreprises Gaudreault et fils enr.",
    "Construction Vermette Limitée",
    "Acme Widgets of Canada Inc.",
    "Banque Royale de l'Atlantique",
    "Яблоко Трейдинг ООО",
    "大和商事 株式会社",
]


@pytest.fixture(scope="module")
def register(tmp_path_factory: pytest.TempPathFactory) -> IndexSegment:
    return named(tmp_path_factory.mktemp("register"), *KNOWN, *made_up_names(400))


@pytest.mark.parametrize(
    ("query", "name"),
    [
        pytest.param("MOUXRYSS REALTY SOCIETY", "Mouxryss Realty Society", id="case"),
        pytest.param("Vermette Construction Inc", "Construction Vermette Limitée", id="another legal form and order"),
        pytest.param("Theatre Kinman ltee", "Théâtre Kinman limitée", id="no accents"),
        pytest.param("Mouxrys Realty Society", "Mouxryss Realty Society", id="a letter missing"),
        pytest.param("Mouxrysss Realty Society", "Mouxryss Realty Society", id="a letter added"),
        pytest.param("Mouxriss Realty Society", "Mouxryss Realty Society", id="a letter wrong"),
        pytest.param("Muoxryss Realty Society", "Mouxryss Realty Society", id="two letters swapped"),
        pytest.param("Xouxryss Realty Society", "Mouxryss Realty Society", id="the first letter wrong"),
        pytest.param("Eaglecoper Internatinal Engineering", "Eaglecopper International Engineering Corp.", id="slips in two words"),
        pytest.param(
            "Eagelcoper Engineering", "Eaglecopper International Engineering Corp.", id="two slips in a word, a word left out"
        ),
        pytest.param("Kimnan Theatr", "Théâtre Kinman limitée", id="swapped words with slips"),
        pytest.param("The Mouxryss Realty Group of Canada", "Mouxryss Realty Society", id="words added"),
        pytest.param("Smith and Tremblay Plumbing", "Smith & Tremblay Plumbing Ltd.", id="and for an ampersand"),
        pytest.param("Smith Tremblay Plumbing", "Smith & Tremblay Plumbing Ltd.", id="no connector"),
        pytest.param("Northernlights Aviation", "Northern Lights Aviation Ltd.", id="words run together"),
        pytest.param("VTmassage", "VT Massage Ltd.", id="initials run together with a word"),
        pytest.param("Bio Tech Harbour Diagnostics", "Biotech Harbour Diagnostics Inc.", id="a word split"),
        pytest.param("Eaglecopper Intl Eng", "Eaglecopper International Engineering Corp.", id="shortened words"),
        pytest.param("Mouxryss Realtyservices Society", "Mouxryss Realty Society", id="a word longer than the register's"),
        pytest.param("Royal Atlantic Bank", "Banque Royale de l'Atlantique", id="the other language"),
        pytest.param("91234567 Quebec", "9123-4567 Québec inc.", id="a number without its dash"),
        pytest.param("9123-4576 Québec inc.", "9123-4567 Québec inc.", id="two digits swapped"),
        pytest.param("яблоко трейдинк", "Яблоко Трейдинг ООО", id="a slip in Cyrillic"),
        pytest.param("大和商事", "大和商事 株式会社", id="Chinese characters"),
    ],
)
def test_a_disturbed_name_is_found_first(register: IndexSegment, query: str, name: str) -> None:
    assert found(register, query)[0] == KNOWN.index(name)


def test_every_name_of_a_register_is_found_by_itself_with_score_one(register: IndexSegment) -> None:
    for number, name in enumerate([*KNOWN, *made_up_names(400)]):
        assert scores(register, name)[number] == 1.0


def test_a_slip_in_a_frequent_word_costs_little(tmp_path: pathlib.Path) -> None:
    register = named(tmp_path, "Zorvan Construction", "Zorvan Ulquin", *(f"{name} Construction" for name in made_up_names(300)))
    close, other = (scores(register, "Zorvan Constructoin")[number] for number in (0, 1))
    assert close > 0.95
    assert other < 0.8


def test_a_frequent_word_counts_for_less_than_a_rare_one(tmp_path: pathlib.Path) -> None:
    register = named(tmp_path, "Zorvan Ulquin", "Construction Ulquin", *(f"{name} Construction" for name in made_up_names(100)))
    assert found(register, "Zorvan Construction")[0] == 0


def test_several_names_of_a_document_count_once_by_the_best(tmp_path: pathlib.Path) -> None:
    register = built(tmp_path, [document("Zorvan Bakery", "Zorvan Bakery Ltd.", "Zorvan Baking and Pastry"), document("Ulquin")])
    assert scores(register, "Zorvan Bakery") == {0: 1.0}


def test_of_equal_names_the_active_come_first_then_the_order_of_the_source(tmp_path: pathlib.Path) -> None:
    register = built(tmp_path, [document("Twin Holdings", active=active) for active in (False, True, False, True)])
    assert found(register, "Twin Holdings") == [1, 3, 0, 2]
    assert found(register, "Twin Holdings", limit=1) == [1]


def test_no_more_than_the_limit_is_found(register: IndexSegment) -> None:
    assert len(found(register, "Construction", limit=3)) == 3
    assert found(register, "Construction", limit=0) == []


def test_a_name_of_generic_words_is_found(tmp_path: pathlib.Path) -> None:
    register = named(tmp_path, *(f"{name} Canada" for name in made_up_names(200)), "Canada Inc.")
    assert found(register, "Canada Inc")[0] == 200


def test_a_name_without_letters_or_digits_finds_nothing(register: IndexSegment) -> None:
    assert found(register, "") == []
    assert found(register, " ?! — ") == []


def test_words_that_no_name_has_find_nothing(register: IndexSegment) -> None:
    assert found(register, "Xyxyxyxyxyx") == []


def test_a_number_that_exists_is_not_taken_for_its_neighbours(tmp_path: pathlib.Path) -> None:
    register = named(
        tmp_path, "1234567 Ontario Inc.", "1234568 Ontario Inc.", *(f"{number} Ontario Inc." for number in range(5000, 5400))
    )
    assert list(scores(register, "1234567 Ontario Inc.")) == [0]


def test_a_near_number_is_ranked_low(tmp_path: pathlib.Path) -> None:
    register = named(tmp_path, "1234567 Ontario Inc.", *(f"{number} Ontario Inc." for number in range(5000, 5400)))
    assert 0.4 < scores(register, "1234568 Ontario Inc.")[0] < 0.8


def test_an_empty_segment_answers(tmp_path: pathlib.Path) -> None:
    empty = built(tmp_path, [])
    assert len(empty) == 0
    assert found(empty, "Acme") == []
    assert empty.lookup("123") == []
    assert empty.complete("ac", 10) == []
    with pytest.raises(IndexError):
        empty.payload(0)


def test_a_segment_of_one_document_answers(tmp_path: pathlib.Path) -> None:
    one = built(tmp_path, [document("Acme Inc.", numbers=["ON 77"], payload=b"{}")])
    assert scores(one, "acme") == {0: 1.0}
    assert scores(one, "acmee")[0] > 0.7
    assert one.lookup("77") == [0]
    assert one.payload(0) == b"{}"


def test_documents_without_names_keep_their_numbers_and_payloads(tmp_path: pathlib.Path) -> None:
    register = built(tmp_path, [document(numbers=["77"], payload=b"first"), document("***"), document("Acme", payload=b"third")])
    assert len(register) == 3
    assert register.lookup("77") == [0]
    assert [register.payload(number) for number in range(3)] == [b"first", b"", b"third"]
    assert found(register, "Acme") == [2]


@pytest.mark.parametrize("number", [-1, 1])
def test_a_payload_of_no_document_is_refused(tmp_path: pathlib.Path, number: int) -> None:
    with pytest.raises(IndexError):
        built(tmp_path, [document("Acme")]).payload(number)


def test_a_name_with_more_words_than_are_kept_finds_itself(tmp_path: pathlib.Path) -> None:
    long_name = " ".join(made_up_names(MAX_WORDS * 2))
    assert scores(named(tmp_path, long_name, "Acme"), long_name) == {0: 1.0}


def test_words_of_absurd_length_are_found(tmp_path: pathlib.Path) -> None:
    assert scores(named(tmp_path, "x" * 3000, "Acme"), "x" * 3000) == {0: 1.0}


@pytest.fixture(scope="module")
def crowd(tmp_path_factory: pytest.TempPathFactory) -> IndexSegment:
    """One word in more names than the budget allows to score."""
    names = [f"Prairie Holdings {number}" for number in range(RARE_BUDGET + 1000)]
    names[7000:7000] = ["Prairie Inc.", "Holdings Prairie Ltd.", "Zorvan Prairie Bakery"]
    return named(tmp_path_factory.mktemp("crowd"), *names)


@pytest.mark.parametrize(
    ("query", "document"),
    [
        pytest.param("Prairie", 7000, id="alone"),
        pytest.param("Prarie", 7000, id="misspelt"),
        pytest.param("Prairie Holdings", 7001, id="with another frequent word"),
        pytest.param("Zorvan Prairie", 7002, id="with a rare word"),
    ],
)
def test_a_word_of_too_many_names_finds_the_name_that_says_no_more(crowd: IndexSegment, query: str, document: int) -> None:
    assert found(crowd, query)[0] == document
