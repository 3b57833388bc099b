"""Acronyms of names, and the table of bodies that are known by theirs."""

import pytest

from bonafide.matching.names.acronyms import FEWEST_WORDS, find_known_acronyms, find_known_body, list_initials
from bonafide.matching.names.normalization import normalise
from bonafide.matching.text.tables import read_table


@pytest.mark.parametrize(
    ("name", "acronyms"),
    [("Canada Revenue Agency", ("cra", "arc")), ("Banque Toronto-Dominion", ("td",)), ("Zephyrine Harbour Trust", ())],
)
def test_the_acronyms_of_a_known_body(name: str, acronyms: tuple[str, ...]) -> None:
    assert find_known_acronyms(normalise(name)) == acronyms


def test_a_sentence_has_no_initials() -> None:
    assert list_initials(["word"] * 9) == ()
    assert list_initials(["word"] * FEWEST_WORDS) == ("www",)


@pytest.mark.parametrize(
    ("one", "other"),
    [("CRA", "Agence du revenu du Canada"), ("GRC", "RCMP"), ("TD", "Toronto-Dominion Bank"), ("SCHL", "CMHC")],
)
def test_names_and_acronyms_of_one_body(one: str, other: str) -> None:
    body = find_known_body(normalise(one))
    assert body is not None
    assert body == find_known_body(normalise(other))


@pytest.mark.parametrize("name", ["CRA Inc.", "CPC", "Zephyrine Revenue Agency"])
def test_an_acronym_of_several_bodies_or_of_a_company_is_none_of_them(name: str) -> None:
    assert find_known_body(normalise(name)) is None


def test_every_row_of_the_table_has_an_acronym_that_is_one_word_and_a_longer_name() -> None:
    for row in read_table("acronyms"):
        assert row["acronyms"]
        assert all(len(normalise(acronym).tokens) == 1 for acronym in row["acronyms"])
        assert row["names"]
        assert all(len(normalise(name).core) > 1 or len(name) > len("HSBC") for name in row["names"])
